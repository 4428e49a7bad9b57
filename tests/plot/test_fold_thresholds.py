"""False and true positive rates of each fold against the threshold."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import example_path, read_predictions
from evalstats.plot import fold_rate_curves

RNG = np.random.default_rng(2)
N = 120
Y = np.tile([0, 0, 1], N // 3)
FOLD = np.repeat(["$f_1$", "fold-" * 12, "c"], N // 3)
SCORE = (RNG.random(N) * 20).round() / 20
TASK = "breast cancer: malignant"


def height(line, threshold: float) -> float:
    """Read a step line: the height from the point before, up to each point."""
    x, y = line.get_data()
    return float(y[np.searchsorted(x, threshold, side="left")])


@pytest.mark.sampled
@pytest.mark.parametrize("threshold", [0.05, 0.3, 0.5, 0.52, 0.95])
def test_rates_are_shares_of_the_cases_above_each_threshold(threshold: float) -> None:
    ax = fold_rate_curves(Y, SCORE, FOLD)

    drawn = [round(height(line, threshold), 12) for line in ax.lines]
    folds = sorted(set(FOLD))
    expected = [
        round(float((SCORE[(fold == FOLD) & (positive == Y)] >= threshold).mean()), 12)
        for fold in folds
        for positive in (0, 1)
    ]
    assert drawn == expected


@pytest.mark.parametrize(("rate", "n"), [("both", 6), ("fpr", 3), ("tpr", 3)])
def test_one_rate_or_both(rate: str, n: int) -> None:
    ax = fold_rate_curves(Y, SCORE, FOLD, rate=rate)

    assert len(ax.lines) == n
    assert len(ax.get_legend().get_texts()) == 3


def test_zero_stands_at_the_smallest_score_on_a_logarithmic_scale() -> None:
    """As in Figure 3 of Forman & Scholz (2010)."""
    ax = fold_rate_curves(Y, SCORE, FOLD, scale="log")

    assert ax.get_xscale() == "log"
    assert ax.get_xlim()[0] == SCORE[SCORE > 0].min()
    assert min(line.get_xdata().min() for line in ax.lines) == SCORE[SCORE > 0].min()


def test_predictions_bring_their_folds() -> None:
    predictions = read_predictions(example_path("sklearn-predictions"))

    ax = fold_rate_curves(predictions, dataset=TASK, classifier="logistic", max_shown=3)

    assert len(ax.lines) == 20
    assert len(ax.get_legend().get_texts()) == 3
    assert "logistic on breast cancer: malignant" in " ".join(ax.get_xlabel().split())
    here = predictions.select([TASK], ["logistic"])
    in_first = here.fold == 0
    positive = here.y_true == here.labels.index(here.positives[0])
    assert height(ax.lines[1], 0.5) == pytest.approx((here.y_score[in_first & positive] >= 0.5).mean())


def test_new_figure_is_legible(assert_legible) -> None:
    assert_legible(fold_rate_curves(Y, SCORE, FOLD, title="A title of the picture"))


def test_given_axes_are_returned_and_legible(assert_legible) -> None:
    ax = Figure(figsize=(8, 6), layout="constrained").add_subplot()

    assert fold_rate_curves(Y, SCORE, FOLD, ax, caption=False) is ax
    assert_legible(ax)


@pytest.mark.parametrize(
    ("arguments", "choices", "message"),
    [
        ((Y, SCORE), {}, "fold must be given for each instance"),
        ((Y,), {"fold": FOLD}, "y_score must be given for each instance"),
        ((Y, SCORE, FOLD), {"dataset": "d"}, "dataset must be left out: it selects among predictions"),
        ((Y, SCORE - 1, FOLD), {"scale": "log"}, "scores must be nonnegative for scale='log', but the smallest is -1"),
        ((Y, 0 * SCORE, FOLD), {"scale": "log"}, "at least one score must be above 0 for scale='log', but all are 0"),
        (
            ([0, 1, 1], [1, 2, 3], [1, 1, 2]),
            {},
            "each fold must hold positive and negative instances, but fold '2' has no",
        ),
        ((Y, [SCORE, SCORE], FOLD), {}, r"must have the shape \(n,\)"),
        ((Y, SCORE, FOLD), {"rate": "roc"}, "rate must be 'both' or 'fpr' or 'tpr', not 'roc'"),
        ((Y, np.where(SCORE > 0.9, np.nan, SCORE), FOLD), {}, "y_score must be finite"),
    ],
)
def test_bad_arguments_are_refused(arguments: tuple, choices: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fold_rate_curves(*arguments, **choices)


def test_predictions_must_be_chosen_and_have_folds() -> None:
    predictions = read_predictions(example_path("sklearn-predictions"))
    with pytest.raises(ValueError, match="dataset must name one of"):
        fold_rate_curves(predictions)
    with pytest.raises(ValueError, match="classifier must name one of"):
        fold_rate_curves(predictions, dataset=TASK)
    with pytest.raises(ValueError, match="fold must be left out: the predictions hold it"):
        fold_rate_curves(predictions, fold=FOLD)
    columns = {"classifier": ["a"] * 4, "row": [1, 2, 3, 4], "y_true": [0, 1, 0, 1], "y_score": [0.1, 0.9, 0.2, 0.7]}
    with pytest.raises(ValueError, match="data must hold two or more folds of the instances in a column fold"):
        fold_rate_curves(read_predictions(columns))
