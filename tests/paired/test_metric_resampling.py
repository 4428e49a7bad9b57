from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from sklearn import metrics as sklearn_metrics

import evalstats
from evalstats._ranks import midranks
from evalstats.metrics import METRICS
from evalstats.paired.metric_permutation import metric_permutation_test
from evalstats.paired.metric_resampling import ScoredPair, understand_scored_pair

RNG = np.random.default_rng(7)
Y_TRUE = RNG.integers(0, 3, 40)
X, Y = (np.where(RNG.random(40) < 0.6, Y_TRUE, RNG.integers(0, 3, 40)) for _ in range(2))
GROUPS = RNG.integers(0, 9, 40)
SCORE_X, SCORE_Y = RNG.normal(size=(2, 40)).round(1)


def understood(metric: object, groups: object = None, **choices: object) -> ScoredPair:
    data = (Y_TRUE, X, Y) if metric in ("f1", "cohen_kappa") else (Y_TRUE == 1, SCORE_X, SCORE_Y)
    return understand_scored_pair(*data, metric, None, groups, "nan", choices)


def macro_f1(true: np.ndarray, predicted: np.ndarray) -> float:
    return float(sklearn_metrics.f1_score(true, predicted, average="macro", labels=[0, 1, 2], zero_division=np.nan))


@pytest.mark.parametrize("groups", [None, GROUPS])
def test_counts_of_drawn_labels_are_those_of_the_rows(groups: np.ndarray | None) -> None:
    """Each case, or group, is drawn twice or not at all: the same cases written out have the same score."""
    pair = understood("f1", groups, average="macro")
    counts = np.array([pair.n_units, 2 * pair.n_units])

    scores = pair.drawn(counts)

    assert scores == pytest.approx(np.array([[macro_f1(Y_TRUE, X), macro_f1(Y_TRUE, Y)]] * 2), rel=1e-14)
    assert pair.n_units.sum() == (40 if groups is None else len(np.unique(GROUPS)))


def test_drawn_groups_of_labels_are_those_of_any_function() -> None:
    """Two roads to one score: counts of kinds of groups, and the cases of the groups written out."""
    by_counts = understood("f1", GROUPS, average="macro")
    by_cases = understand_scored_pair(Y_TRUE, X, Y, macro_f1, None, GROUPS, "nan", {})
    left_out_by_cases = by_cases.drawn(1 - np.eye(len(by_cases.n_units), dtype=int))

    left_out = by_counts.drawn(by_counts.n_units - np.eye(len(by_counts.n_units), dtype=int))

    np.testing.assert_allclose(
        np.sort(np.repeat(left_out, by_counts.n_units, axis=0), axis=0), np.sort(left_out_by_cases, axis=0), rtol=1e-13
    )


@pytest.mark.parametrize("metric", ["f1", "roc_auc", "average_precision"])
@pytest.mark.parametrize("groups", [None, GROUPS])
def test_exchange_of_nothing_and_of_everything(metric: str, groups: np.ndarray | None) -> None:
    pair = understood(metric, groups, **({"average": "macro"} if metric == "f1" else {}))
    observed = pair.drawn(pair.n_units[None])[0]

    scores = pair.exchanged(np.array([pair.as_observed, pair.n_exchangeable - pair.as_observed]))

    np.testing.assert_allclose(scores, [observed, observed[::-1]], rtol=1e-14)


def test_weighted_areas_are_those_of_the_drawn_cases() -> None:
    pair = understood("roc_auc")
    counts = np.random.default_rng(1).multinomial(40, np.full(40, 1 / 40), size=20)

    areas = pair.drawn(counts)

    for times, of_both in zip(counts, areas, strict=True):
        rows = np.repeat(np.arange(40), times[pair._unit])
        for score, area in zip((SCORE_X, SCORE_Y), of_both, strict=True):
            assert area == pytest.approx(sklearn_metrics.roc_auc_score(Y_TRUE[rows] == 1, score[rows]), rel=1e-13)


def test_drawn_cases_of_one_class_have_no_area() -> None:
    pair = understood("roc_auc")

    assert np.isnan(pair.drawn((pair.stratum == 1)[None].astype(int))).all()


def test_only_cases_that_change_are_exchangeable() -> None:
    pair = understood("f1", average="macro")

    assert pair.n_exchangeable.sum() == np.count_nonzero(X != Y)


def test_units_of_several_classes_have_no_stratum() -> None:
    assert (understood("f1", average="macro").stratum >= 0).all()
    assert (understood("f1", np.zeros(40, dtype=int), average="macro").stratum == -1).all()
    assert set(understood("roc_auc", Y_TRUE).stratum) == {0, 1}


@pytest.mark.parametrize(
    ("metric", "choices", "message"),
    [
        ("f1", {}, "average='binary' needs two classes, but there are 3: 0, 1, 2"),
        ("f1", {"average": None}, "average=None returns a score for each class"),
        ("f1", {"average": "macro", "beta": 2}, "f1 has no option 'beta'"),
        ("roc_auc", {"beta": 2}, "roc_auc has no option 'beta'; it takes max_fpr"),
        ("precision_at_n", {}, "precision_at_n requires the option 'n'"),
        ("astrology", {}, "metric must be 'accuracy' or"),
        (macro_f1, {"beta": 2}, "a function as metric has no option 'beta'"),
        (lambda true, predicted: "good", {}, "metric must return a number, but <lambda> returned 'good'"),
        (lambda true, predicted: np.nan, {}, "metric must return finite numbers"),
    ],
)
def test_metrics_that_do_not_fit_are_refused(metric: object, choices: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        understood(metric, **choices)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [0, 1, 1], [0, 1], "f1"), "y_true and x must be paired: y_true has 2 instances, x has 3"),
        (([0, 1], [[0, 1]], [0, 1], "f1"), r"x must have the shape \(n,\)"),
        (([0, 1], [0.2, np.nan], [0.1, 0.2], "roc_auc"), r"x must be finite, but x\[1\] is nan"),
        (([1, 1], [0.2, 0.3], [0.1, 0.2], "roc_auc"), "all instances belong to one class"),
        (([0, 1], [0.2, 0.3], [0.1, 0.2], "f1"), r"x must hold labels, but x\[0\] is 0.2"),
        (([0, 1], [0, 0], [1, 1], "precision"), "precision of x is undefined: no instance is predicted as the class"),
        ((["a", "a"], ["a", "a"], ["a", "a"], "f1"), "pos_label must name the positive class"),
        (([0, 1], [0, np.inf], [1, 1], max), r"x must be finite, but x\[1\] is inf"),
    ],
)
def test_bad_cases_are_refused_by_name(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        understand_scored_pair(*arguments, None, None, "nan", {})


def test_groups_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="clusters must name the cluster of each of the 40 instances"):
        understood("roc_auc", [1, 2, 3])


def test_a_complex_number_is_no_score() -> None:
    with pytest.raises(TypeError, match="metric must return a number"):
        metric_permutation_test([0, 1], [0, 1], [1, 0], metric=lambda true, predicted: 1j)


@pytest.mark.parametrize("metric", ["f1", "precision", "specificity", "jaccard"])
def test_label_that_only_the_other_classifier_predicts_is_no_part_of_a_macro_average(metric: str) -> None:
    true = np.resize([0, 1, 2], 30)
    x, y = true.copy(), np.where(np.arange(30) < 6, 3, true)
    x[:6] = 1

    result = evalstats.paired.metric_permutation_test(
        true, x, y, metric=metric, average="macro", undefined="zero", rng=0
    )

    score = getattr(evalstats.metrics, evalstats.metrics.METRICS[metric].function)
    assert result.score_x == score(true, x, average="macro", undefined="zero")
    assert result.score_y == score(true, y, average="macro", undefined="zero")


def test_as_many_resamples_as_cases_are_no_columns_of_classes() -> None:
    rng = np.random.default_rng(0)
    true, x, y = rng.integers(0, 2, 40), rng.random(40), rng.random(40)

    result = evalstats.paired.metric_permutation_test(true, x, y, metric="brier", n_resamples=40, rng=0)

    assert 0 < result.pvalue <= 1


@pytest.mark.parametrize("groups", [None, GROUPS])
@pytest.mark.parametrize(
    "metric", sorted(name for name, record in METRICS.items() if record.needs != "labels" and name != "precision_at_n")
)
def test_samples_are_scored_together_as_each_alone(metric: str, groups: np.ndarray | None) -> None:
    record, rng = METRICS[metric], np.random.default_rng(3)
    options = {"undefined": "nan"} if record.undefined_when != "never" else {}
    options |= {"labels": [False, True]} if record.needs == "probabilities" else {}

    def alone(true: np.ndarray, predicted: np.ndarray) -> object:
        return getattr(evalstats.metrics, record.function)(true, predicted, **options)

    scores = np.array([SCORE_X, SCORE_Y])
    cases = Y_TRUE == 1, *(midranks(scores) if record.needs == "scores" else expit(scores))
    together = understand_scored_pair(*cases, metric, None, groups, "nan", {})
    one_by_one = understand_scored_pair(*cases, alone, None, groups, "nan", {})
    n, exchanges = len(together.n_units), rng.integers(0, 2, (30, len(together.as_observed)))
    counts = rng.multinomial(n, np.full(n, 1 / n), size=30)

    np.testing.assert_allclose(together.drawn(counts), one_by_one.drawn(counts), rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(together.exchanged(exchanges), one_by_one.exchanged(exchanges), rtol=1e-14, atol=1e-15)


def test_predictions_of_another_kind_than_the_true_labels_are_refused() -> None:
    with pytest.raises(evalstats.EvalstatsError, match="x"):
        metric_permutation_test(["a", "b", "a", "b"], [0, 1, 1, 0], [1, 1, 0, 0], metric="accuracy")


def test_positive_class_that_does_not_occur_is_a_class() -> None:
    """All labels are negative, so F1 is undefined, and counts as 0."""
    result = metric_permutation_test(["a"] * 4, ["a"] * 4, ["a"] * 4, metric="f1", pos_label="b", undefined="zero")

    assert (result.score_x, result.score_y, result.pvalue) == (0.0, 0.0, 1.0)
