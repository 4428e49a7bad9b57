"""Records of curves are shown as figures on a page and in a notebook, and as tables in text."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats import report
from evalstats.comparison import compare_learning_curves
from evalstats.metrics import decision_curve, precision_recall_curve, reliability_curve, roc_curve
from evalstats.paired import curve_difference, learning_curve_test, net_benefit_difference, sign_test
from evalstats.report.curve_figure import MOST_CURVES, CurveFigure
from evalstats.report.curves import figure_of
from evalstats.report.formats.notebook import notebook_html
from evalstats.tables import analyze_calibration, analyze_decisions

RNG = np.random.default_rng(5)
N = 200
TRUE = np.tile([0, 1], N // 2)
NAMES = [f"model {i}" for i in range(8)]
PROBABILITY = {
    name: np.round(1 / (1 + np.exp(-(i + 1) * 0.4 * (TRUE - 0.5) - RNG.normal(size=N))), 3)
    for i, name in enumerate(NAMES)
}
A, B = PROBABILITY["model 5"], PROBABILITY["model 1"]
SCORES = RNG.normal(size=(2, 6, 4)) * 0.01 + [0.7, 0.8, 0.85, 0.87]


def predictions(n: int) -> Any:
    return evalstats.read_predictions(
        {
            "dataset": ["d"] * n * N,
            "classifier": [name for name in NAMES[:n] for _ in range(N)],
            "row": list(range(N)) * n,
            "y_true": TRUE.tolist() * n,
            "y_score": np.concatenate([PROBABILITY[name] for name in NAMES[:n]]),
        }
    )


def learning() -> Any:
    places = list(np.ndindex(SCORES.shape))
    columns = {"classifier": ["ab"[c] for c, _, _ in places], "repeat": [r for _, r, _ in places]}
    columns |= {"n_train": [(10, 20, 40, 80)[s] for *_, s in places], "accuracy": SCORES.ravel().tolist()}
    return compare_learning_curves(columns, n_test=20)


RECORDS = {
    "roc": lambda: roc_curve(TRUE, A),
    "precision-recall": lambda: precision_recall_curve(TRUE, A),
    "reliability": lambda: reliability_curve(TRUE, A, rng=1, n_resamples=99),
    "reliability-bins": lambda: reliability_curve(TRUE, A, method="uniform", rng=1, n_resamples=99),
    "decisions": lambda: decision_curve(TRUE, A),
    "benefit": lambda: net_benefit_difference(TRUE, A, B, n_resamples=99),
    "curve-difference": lambda: curve_difference(TRUE, A, B, n_resamples=50, rng=1),
    "learning": lambda: learning_curve_test(*SCORES, n_train=[10, 20, 40, 80], n_test=20),
    "learning-comparison": learning,
    "decision-analysis": lambda: analyze_decisions(predictions(2), thresholds=np.arange(0.1, 0.9, 0.1)),
    "calibration-analysis": lambda: analyze_calibration(predictions(1)),
    "calibrations": lambda: analyze_calibration(predictions(3)),
}
each = pytest.mark.parametrize("name", RECORDS)


@each
def test_page_and_notebook_show_the_curve(name: str) -> None:
    record = RECORDS[name]()
    page, cell = report.html(record), notebook_html(record)

    assert page.count('<svg class="diagram curves"') == 1
    assert len(page.encode()) < 300_000
    assert "curves" in cell
    assert "<path" in cell
    assert len(cell) < 20_000
    assert report.latex(record).count(r"\begin{tikzpicture}") == 1


@each
def test_text_and_markdown_have_the_table_alone(name: str) -> None:
    record = RECORDS[name]()
    caption = re.search("<figcaption>(.*?)</figcaption>", report.html(record))[1][:30]

    for text in (report.text(record), report.markdown(record)):
        assert "does not fit" not in text
        assert caption not in text
        assert "\n\n\n" not in text


def test_analysis_has_the_curve_of_each_classifier() -> None:
    """The net benefits of the figure are those of the record; the references are all and none positive."""
    found = analyze_decisions(predictions(2), thresholds=np.arange(0.1, 0.9, 0.1))
    (figure,) = (
        block.diagram
        for section in report.document(found).sections
        for block in section.blocks
        if hasattr(block, "diagram")
    )

    assert [curve.name for curve in figure.curves] == ["model 0", "model 1", "all positive", "none positive"]
    for curve, heights in zip(figure.curves, found.curves[0].curve.net_benefit, strict=False):
        np.testing.assert_array_equal(curve.y, heights)
    np.testing.assert_array_equal(figure.bands[1].low, found.curves[0].low[1])


def test_many_classifiers_are_reduced_to_those_with_the_largest_net_benefits() -> None:
    found = decision_curve(TRUE, np.array(list(PROBABILITY.values())))
    figure = figure_of(found)
    best = np.argsort(-found.net_benefit.mean(axis=1))[:MOST_CURVES]

    assert isinstance(figure, CurveFigure)
    assert {curve.name for curve in figure.curves[:-2]} == {f"classifier {i}" for i in best}
    assert "The figure shows the 6 of 8 classifiers with the largest mean net benefits." in figure.caption[0]
    assert figure.bands == ()


def test_figure_of_single_points_or_of_other_records_is_none() -> None:
    assert figure_of(decision_curve(TRUE, A, thresholds=[0.5])) is None
    assert figure_of(sign_test([1, 2, 3], [0, 0, 0])) is None
