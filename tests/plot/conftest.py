"""What the tests of pictures share: comparisons that are hard to draw, and what it means that a picture is legible."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg

from evalstats import Comparison, ScoreTable, compare, example_table


def made(scores: np.ndarray, names: object = "ABCDEFGH", **choices: object) -> Comparison:
    n, k = scores.shape
    table = ScoreTable(scores=scores, datasets=tuple(map(str, range(n))), classifiers=tuple(names)[:k])
    return compare(table, **choices)


def many(k: int = 30, **choices: object) -> Comparison:
    rng = np.random.default_rng(1)
    scores = rng.random((40, 1)) + rng.normal(0, 0.05, (40, k)) + np.linspace(0, 0.15, k)
    names = [f"gradient-boosting-depth-{i:02d}-learning-rate-0.{i:02d}" if i % 2 else f"net {i}" for i in range(k)]
    return made(scores, names, **choices)


def over_folds(**choices: object) -> Comparison:
    scores = np.random.default_rng(7).normal([0.8, 0.81, 0.85, 0.86], 0.015, (10, 4))
    names = ("NB", "$x_1$", "SVM", "network-" * 8)
    rows = [("iris", name, fold, scores[fold, i]) for fold in range(10) for i, name in enumerate(names)]
    columns = ("dataset", "classifier", "fold", "accuracy")
    return compare(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)), **choices)


CASES = {
    "Demšar's Table 6": lambda: compare(example_table("demsar-2006"), alpha=0.10),
    "control": lambda: compare(example_table("demsar-2006"), control="C4.5"),
    "not rejected": lambda: compare(example_table("demsar-2006"), alpha=0.001),
    "pairwise test": lambda: compare(example_table("japkowicz-accuracy"), posthoc="wilcoxon"),
    "two classifiers": lambda: compare(example_table("raeder-2010-seed-459")),
    "all tied": lambda: made(np.full((6, 5), 0.5)),
    "one dataset": lambda: made(np.arange(4.0).reshape(1, 4)),
    "thirty long names": many,
    "thirty long names and a control": lambda: many(control="gradient-boosting-depth-15-learning-rate-0.15"),
    "names like markup": lambda: made(np.arange(24.0).reshape(6, 4), ["$x_1$", "a_b^c", "\\alpha $", "100 %"]),
    "very long names": lambda: made(np.arange(18.0).reshape(6, 3), ["W" * 200, "W" * 199 + "i", "i" * 300]),
}


@pytest.fixture(params=CASES.values(), ids=CASES.keys())
def every_comparison(request: pytest.FixtureRequest) -> Comparison:
    return request.param()


@pytest.fixture
def incomplete() -> Comparison:
    """Compare four classifiers, of which the first and the third have no dataset in common."""
    return compare(np.array([[1, 2, np.nan, 0.5], [np.nan, 2.5, 3, 1]] * 6), missing="skillings-mack")


@pytest.fixture
def thirty() -> Comparison:
    return many()


@pytest.fixture(scope="session")
def of_many() -> Callable[..., Comparison]:
    """Return comparisons of so many classifiers, each made once."""
    return cache(many)


@pytest.fixture(params=[{}, {"control": "SVM"}], ids=["all pairs", "control"])
def of_folds(request: pytest.FixtureRequest) -> Comparison:
    return over_folds(**request.param)


@pytest.fixture
def from_scores() -> Callable[..., Comparison]:
    return made


@pytest.fixture
def assert_legible() -> Callable[[Axes], None]:
    """Every text lies within the figure, none covers another, and names are never mathematics."""

    def check(ax: Axes) -> None:
        figure = ax.figure.figure
        FigureCanvasAgg(figure)
        figure.draw_without_rendering()
        numbers = [
            tick.label1
            for axis in (ax.xaxis, ax.yaxis)
            for tick in axis.get_major_ticks()
            if min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
        ]
        texts = [*ax.texts, *numbers, ax.title, ax.xaxis.label, ax.yaxis.label]
        legend = ax.get_legend()
        texts += legend.get_texts() if legend else []
        drawn = [(text, text.get_window_extent()) for text in texts if text.get_text() and text.get_visible()]
        low, high = (np.array([getattr(box, side) for _, box in drawn]) for side in ("min", "max"))
        outside = ((low < figure.bbox.min - 1) | (high > figure.bbox.max + 1)).any(axis=1)
        assert [drawn[i][0] for i in np.flatnonzero(outside)] == []
        shared = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
        covered = np.argwhere(np.triu(shared.min(axis=-1) >= 1.5, 1))
        assert [(drawn[i][0], drawn[j][0]) for i, j in covered] == []
        # matplotlib's own numbers are mathematics
        names = [text for text in texts if "$" in text.get_text() and "mathdefault" not in text.get_text()]
        assert [text for text in names if text.get_parse_math()] == []

    mpl.use("agg")
    return check
