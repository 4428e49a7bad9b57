"""The formulas are those of the books, and keep their digits where sums of very different size meet."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from repetitions import repetitions

from evalstats._errors import EvalstatsWarning, InvalidValueError
from evalstats.metrics import confusion_counts, formulas, matthews_corrcoef, precision_score, score_from_counts

# 100 cases: tp = 40, fn = 10, fp = 5, tn = 45
TABLE = [[45, 5], [10, 40]]
BY_HAND = {
    "accuracy": 85 / 100,
    "error_rate": 15 / 100,
    "balanced_accuracy": (40 / 50 + 45 / 50) / 2,
    "precision": 40 / 45,
    "recall": 40 / 50,
    "false_positive_rate": 5 / 50,
    "specificity": 45 / 50,
    "fbeta": 5 * 40 / (5 * 40 + 4 * 10 + 5),
    "f1": 80 / 95,
    "jaccard": 40 / 55,
    "matthews_corrcoef": (40 * 45 - 5 * 10) / math.sqrt(50 * 50 * 45 * 55),
    "cohen_kappa": (0.85 - 0.5) / (1 - 0.5),
    "informedness": 40 / 50 - 5 / 50,
    "geometric_mean": math.sqrt(40 / 50 * 45 / 50),
}
CHOICES = {"fbeta": {"beta": 2}}

tables = st.integers(2, 5).flatmap(lambda k: hnp.arrays(np.int64, (k, k), elements=st.integers(1, 50)))
two_by_two = hnp.arrays(np.int64, (2, 2), elements=st.integers(1, 50))


def score(metric: str, counts: object, **choices: object) -> float:
    return score_from_counts(metric, counts, **choices)


@pytest.mark.parametrize("metric", BY_HAND)
def test_hundred_cases_by_hand(metric: str) -> None:
    assert score(metric, TABLE, **CHOICES.get(metric, {})) == pytest.approx(BY_HAND[metric], rel=1e-15)


@given(two_by_two)
def test_scores_of_two_classes_are_tied_to_each_other(counts: np.ndarray) -> None:
    p, r, j = score("precision", counts), score("recall", counts), score("informedness", counts)

    assert score("f1", counts) == pytest.approx(2 * p * r / (p + r))
    assert score("jaccard", counts) == pytest.approx(score("f1", counts) / (2 - score("f1", counts)))
    assert score("specificity", counts) == pytest.approx(1 - score("false_positive_rate", counts))
    assert j == pytest.approx(r - score("false_positive_rate", counts))
    assert score("balanced_accuracy", counts) == pytest.approx((j + 1) / 2)
    assert score("balanced_accuracy", counts, adjusted=True) == pytest.approx(j)
    assert score("geometric_mean", counts) ** 2 == pytest.approx(r * score("specificity", counts))
    assert score("matthews_corrcoef", counts) ** 2 == pytest.approx(j * score("informedness", counts.T))


@given(tables)
def test_averages_over_all_classes_meet_accuracy(counts: np.ndarray) -> None:
    for metric in ("precision", "recall", "f1"):
        assert score(metric, counts, average="micro") == pytest.approx(score("accuracy", counts))
    assert score("recall", counts, average="weighted") == pytest.approx(score("accuracy", counts))
    assert score("recall", counts, average="macro") == pytest.approx(score("balanced_accuracy", counts))


@given(tables)
def test_beta_leads_from_precision_to_recall(counts: np.ndarray) -> None:
    choices = {"average": "macro"}

    assert score("fbeta", counts, beta=0, **choices) == score("precision", counts, **choices)
    assert score("fbeta", counts, beta=1, **choices) == score("f1", counts, **choices)
    assert score("fbeta", counts, beta=math.inf, **choices) == score("recall", counts, **choices)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@given(counts=tables)
def test_kappa_is_agreement_beyond_chance(weights: str | None, counts: np.ndarray) -> None:
    """Observed against expected disagreement: the definition, cell by cell."""
    k, n = len(counts), counts.sum()
    distance = {None: lambda d: d != 0, "linear": abs, "quadratic": lambda d: d * d}[weights]
    observed = sum(distance(i - j) * counts[i, j] / n for i, j in np.ndindex(k, k))
    expected = sum(distance(i - j) * counts[i].sum() * counts[:, j].sum() / n**2 for i, j in np.ndindex(k, k))

    assert score("cohen_kappa", counts, weights=weights) == pytest.approx(1 - observed / expected, abs=1e-12)


def exact(counts: np.ndarray) -> dict[str, float]:
    """Kappa and the squared correlation in fractions."""
    c = [[Fraction(v) for v in row] for row in counts.tolist()]
    k = range(len(c))
    true, predicted = [sum(c[i]) for i in k], [sum(c[i][j] for i in k) for j in k]
    n, hits = sum(true), sum(c[i][i] for i in k)
    chance = sum(t * p for t, p in zip(true, predicted, strict=True))
    variances = (n**2 - sum(t**2 for t in true)) * (n**2 - sum(p**2 for p in predicted))
    covariance = hits * n - chance
    sign = 1 if covariance > 0 else -1
    return {
        "cohen_kappa": float(covariance / (n**2 - chance)),
        "matthews_corrcoef": sign * math.sqrt(covariance**2 / variances),
    }


@pytest.mark.parametrize("metric", ["cohen_kappa", "matthews_corrcoef"])
def test_ten_positives_among_a_billion_cases_keep_all_digits(metric: str) -> None:
    """The textbook formula subtracts squares of the number of cases, and keeps nine digits of the correlation."""
    counts = np.array([[10**9, 7], [3, 10]])

    assert score(metric, counts) == pytest.approx(exact(counts)[metric], rel=1e-14)


@given(st.integers(2, 4), st.integers(0, 2**32 - 1))
@settings(max_examples=repetitions(200))
def test_weights_of_very_different_size_keep_all_digits(k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    y_true, y_pred = rng.integers(0, k, (2, 12))
    y_true[:k] = y_pred[:k] = range(k)
    weight = rng.random(12) * rng.choice([1, 1e6, 1e12], 12)
    counts = confusion_counts(y_true, y_pred, n_classes=k, sample_weight=weight)

    for metric, value in exact(counts).items():
        assert score(metric, counts) == pytest.approx(value, rel=1e-13, abs=1e-14)


def test_scikit_learn_loses_digits_there() -> None:
    """Two cases of very different weight, one of them right: the correlation is 1/2, theirs 0.500000000016."""
    from sklearn import metrics

    case = ([3, 4], [1, 4])
    weight = [695940.202, 0.782938514]

    assert matthews_corrcoef(*case, sample_weight=weight) == pytest.approx(0.5, abs=1e-15)
    assert abs(metrics.matthews_corrcoef(*case, sample_weight=weight) - 0.5) > 1e-12


NOTHING_PREDICTED = ([[0, 1], [0, 1], [0, 1]], [[0, 1], [0, 0], [0, 0]])
TWO_OF_THREE = np.array([[False, True, True]])


@pytest.mark.parametrize(("policy", "value"), [("warn", 0.5), ("zero", 0.0), ("nan", math.nan)])
def test_policy_says_what_stands_in(policy: str, value: float) -> None:
    np.testing.assert_equal(formulas.fill_value(policy, usual=0.5), value)


@pytest.mark.parametrize("policy", ["zero", "nan"])
def test_quiet_policies_are_quiet(policy: str) -> None:
    formulas.report(TWO_OF_THREE, policy, function="f", when="w")


@pytest.mark.parametrize("policy", formulas.POLICIES)
def test_defined_scores_are_not_spoken_of(policy: str) -> None:
    formulas.report(np.array([False, False]), policy, function="f", when="w")


def test_one_warning_counts_the_whole_batch_and_points_to_the_caller() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        precision_score(*NOTHING_PREDICTED)

    assert [w.category for w in caught] == [EvalstatsWarning]
    assert str(caught[0].message) == (
        "precision_score is undefined in 2 of 3 scores, first in [1]: no instance is predicted as the class; "
        "the score is set to 0 (undefined='zero', 'nan' or 'raise' chooses)"
    )
    assert caught[0].filename == __file__


def test_warning_of_an_average_says_what_the_class_counts_for() -> None:
    with pytest.warns(EvalstatsWarning, match="undefined for a class in 2 of 3 scores.*; the class counts as 0 "):
        precision_score(*NOTHING_PREDICTED, average="macro")
    with pytest.warns(EvalstatsWarning, match="the class is left out of the average"):
        formulas.report(TWO_OF_THREE, "warn", function="f", when="w", usual=math.nan, averaged=True)


def test_error_names_the_first_undefined_score() -> None:
    with pytest.raises(
        InvalidValueError, match=r"undefined in 2 of 3 scores, first in \[1\]: .*undefined='nan' or 'zero'"
    ):
        precision_score(*NOTHING_PREDICTED, undefined="raise")


def test_one_score_needs_no_place() -> None:
    with pytest.raises(
        InvalidValueError, match=r"^precision_score is undefined: no instance is predicted as the class;"
    ):
        precision_score([0, 1], [0, 0], undefined="raise")


def test_unknown_policy_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="undefined must be 'warn' or 'zero' or 'nan' or 'raise', not 0"):
        formulas.policy(0)
