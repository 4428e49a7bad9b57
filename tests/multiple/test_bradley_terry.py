from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.stats import t

from evalstats import InvalidValueError
from evalstats.multiple import bradley_terry_from_counts, bradley_terry_model

WINS = np.array([[0, 7, 9, 2], [3, 0, 6, 4], [1, 4, 0, 5], [2, 3, 5, 0]])
TIED = np.array([[0, 2, 1, 3], [2, 0, 4, 1], [1, 4, 0, 0], [3, 1, 0, 0]])
# Agresti (2002), Categorical Data Analysis, table 10.10: American League baseball 1987
BASEBALL = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ]
)


def probabilities(a: float, b: float, tie: float, ties: str) -> tuple[float, float, float]:
    """Win, tie and loss of strengths a and b: Davidson (1970), eq. 2.1 and 2.2; Rao & Kupper (1967), eq. 2.2."""
    if ties == "davidson":
        total = a + b + tie * math.sqrt(a * b)
        return a / total, tie * math.sqrt(a * b) / total, b / total
    win, loss = a / (a + tie * b), b / (b + tie * a)
    return win, (tie**2 - 1) * a * b / ((a + tie * b) * (b + tie * a)), loss


def log_likelihood(strengths: np.ndarray, tie: float, ties: str) -> float:
    total = 0.0
    for i, j in zip(*np.triu_indices(len(strengths), 1), strict=True):
        win, tied, loss = probabilities(math.exp(strengths[i]), math.exp(strengths[j]), tie, ties)
        total += WINS[i, j] * math.log(win) + TIED[i, j] * math.log(tied) + WINS[j, i] * math.log(loss)
    return total


def test_two_by_hand() -> None:
    """Eight of ten: the odds are 4, half of their logarithm for each; the variance of a logit is 1/8 + 1/2."""
    result = bradley_terry_from_counts([[0, 8], [2, 0]])

    assert result.estimate == pytest.approx([math.log(2), -math.log(2)], rel=1e-14)
    assert result.differences_standard_error[0, 1] == pytest.approx(math.sqrt(1 / 8 + 1 / 2), rel=1e-12)
    assert result.win_probabilities[0, 1] == pytest.approx(0.8, rel=1e-14)
    assert result.tie_parameter == 0


def test_baseball_is_that_of_agresti() -> None:
    """Agresti (2002), section 10.6.2: Milwaukee 1.58, Detroit 1.44, ..., Cleveland 0.68 above Baltimore."""
    result = bradley_terry_from_counts(BASEBALL)

    above = result.estimate - result.estimate[-1]
    assert above.round(2).tolist() == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0]


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_maximum_is_that_of_the_definition(ties: str) -> None:
    result = bradley_terry_from_counts(WINS, n_ties=TIED, ties=ties)

    def loss(p: np.ndarray) -> float:
        tie = math.exp(p[-1]) + (ties == "rao-kupper")
        return -log_likelihood(np.append(p[:-1], 0), tie, ties)

    best = minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-9})
    strengths = np.append(best.x[:-1], 0)
    assert result.estimate == pytest.approx(strengths - strengths.mean(), abs=1e-6)
    assert result.tie_parameter == pytest.approx(math.exp(best.x[-1]) + (ties == "rao-kupper"), rel=1e-6)
    assert result.log_likelihood == pytest.approx(-best.fun, rel=1e-12)


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_covariance_is_the_inverse_curvature(ties: str) -> None:
    """Second differences of the log-likelihood of the definition, in the log-strengths and the logged tie parameter."""
    result = bradley_terry_from_counts(WINS, n_ties=TIED, ties=ties)
    best = np.append(result.estimate[:-1] - result.estimate[-1], math.log(result.tie_parameter))

    def at(p: np.ndarray) -> float:
        return log_likelihood(np.append(p[:-1], 0), math.exp(p[-1]), ties)

    h, unit = 1e-4, np.eye(4)

    def second(a: np.ndarray, b: np.ndarray) -> float:
        corners = [s * t * at(best + h * (s * a + t * b)) for s in (1, -1) for t in (1, -1)]
        return sum(corners) / (4 * h * h)

    curvature = [[second(a, b) for b in unit] for a in unit]
    of_differences = np.linalg.inv(-np.array(curvature))[:3, :3]
    assert result.differences_standard_error[:3, 3] == pytest.approx(np.sqrt(np.diag(of_differences)), rel=1e-5)


def test_with_ties_as_half_wins_somebody_wins_each_comparison() -> None:
    result = bradley_terry_from_counts(WINS, n_ties=TIED, ties="split")
    wins, off = result.win_probabilities, ~np.eye(len(WINS), dtype=bool)

    assert result.tie_parameter is None
    assert (wins + wins.T)[off] == pytest.approx(1, rel=1e-14)
    assert wins[off] == pytest.approx((1 / (1 + np.exp(-result.differences)))[off], rel=1e-14)


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_expected_scores_are_the_observed_ones(ties: str) -> None:
    """Davidson's strengths give everybody the expected score that was observed, ties half; both models sum to 1."""
    result = bradley_terry_from_counts(WINS, n_ties=TIED, ties=ties)
    wins = result.win_probabilities
    tied = 1 - wins - wins.T

    assert np.nanmin(tied) > 0
    if ties == "davidson":
        n = WINS + WINS.T + TIED
        expected = np.nansum(n * (wins + tied / 2), axis=1)
        assert expected == pytest.approx((WINS + TIED / 2).sum(axis=1), rel=1e-10)


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper", "split", "drop"])
def test_relabeling_permutes_and_turning_changes_the_sign(ties: str) -> None:
    order = [2, 0, 3, 1]
    here = bradley_terry_from_counts(WINS, n_ties=TIED, ties=ties)
    moved = bradley_terry_from_counts(WINS[np.ix_(order, order)], n_ties=TIED[np.ix_(order, order)], ties=ties)
    turned = bradley_terry_from_counts(WINS.T, n_ties=TIED, ties=ties)

    assert moved.estimate == pytest.approx(here.estimate[order], abs=1e-10)
    assert moved.standard_error == pytest.approx(here.standard_error[order], rel=1e-8)
    assert turned.estimate == pytest.approx(-here.estimate, abs=1e-10)


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper", "split", "drop"])
def test_scores_are_their_counts(ties: str) -> None:
    scores = np.round(np.random.default_rng(1).random((30, 4)), 1)
    wins = (scores[:, :, None] > scores[:, None]).sum(axis=0)
    tied = (scores[:, :, None] == scores[:, None]).sum(axis=0) - 30 * np.eye(4, dtype=int)

    result = bradley_terry_model(scores, ties=ties, covariance="model")

    assert result.n_wins.tolist() == wins.tolist()
    assert result.to_dict() == bradley_terry_from_counts(wins, n_ties=tied, ties=ties).to_dict()
    turned = bradley_terry_model(-scores, ties=ties, covariance="model", greater_is_better=False)
    assert turned.to_dict() == result.to_dict()
    assert bradley_terry_model(scores, ties=ties).estimate.mean() == pytest.approx(0, abs=1e-14)


def test_without_ties_all_models_are_one() -> None:
    of_each = [bradley_terry_from_counts(WINS, ties=ties) for ties in ("davidson", "rao-kupper", "split", "drop")]

    for one in of_each[1:]:
        assert one.estimate == pytest.approx(of_each[0].estimate, abs=1e-12)
        assert one.log_likelihood == pytest.approx(of_each[0].log_likelihood, rel=1e-14)
    assert [one.tie_parameter for one in of_each] == [0, 1, None, None]


def test_noise_is_a_tie() -> None:
    result = bradley_terry_model([[0.3, 0.1 + 0.2], [0.5, 0.4], [0.1, 0.2]])

    assert result.n_ties[0, 1] == 1


def test_who_wins_always_is_infinitely_strong() -> None:
    result = bradley_terry_from_counts([[0, 5, 5, 4], [0, 0, 3, 2], [0, 2, 0, 2], [0, 0, 0, 0]])

    assert result.estimate == pytest.approx([math.inf, math.log(1.5) / 2, -math.log(1.5) / 2, -math.inf])
    assert np.isnan(result.standard_error[[0, 3]]).all()
    assert result.standard_error[1] == pytest.approx(math.sqrt(1 / 3 + 1 / 2) / 2, rel=1e-12)
    assert result.win_probabilities[0, 1] == 1
    assert result.win_probabilities[3, 0] == 0
    assert "their strengths are infinite" in result.reason


@pytest.mark.parametrize(
    ("wins", "tied", "words"),
    [
        ([[0, 5], [0, 0]], None, "no group has two members"),
        ([[0, 0], [0, 0]], None, "never compared"),
        ([[0, 5], [0, 0]], [[0, 3], [3, 0]], "without an upset"),
        ([[0, 0], [0, 0]], [[0, 3], [3, 0]], "without an upset"),
        ([[0, 5, 0], [0, 0, 4], [0, 0, 0]], [[0, 2, 0], [2, 0, 2], [0, 2, 0]], "without an upset"),
    ],
)
@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_no_finite_strengths_are_said(wins, tied, words: str, ties: str) -> None:
    result = bradley_terry_from_counts(wins, n_ties=tied, ties=ties)

    assert np.isnan(result.estimate).all()
    assert words in result.reason


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_tie_of_first_and_last_is_an_upset(ties: str) -> None:
    """First beats second beats third, and first ties with third: all strengths are finite."""
    tied = [[0, 2, 1], [2, 0, 2], [1, 2, 0]]

    result = bradley_terry_from_counts([[0, 5, 0], [0, 0, 4], [0, 0, 0]], n_ties=tied, ties=ties)

    assert result.reason is None
    assert np.isfinite(result.estimate).all()
    assert result.estimate[0] > result.estimate[1] > result.estimate[2]


def log_probability(row: np.ndarray, strengths: np.ndarray, tie: float, ties: str) -> float:
    """Return the log-likelihood of the comparisons of one dataset, by the definition."""
    total = 0.0
    for i, j in zip(*np.triu_indices(len(row), 1), strict=True):
        a, b = math.exp(strengths[i]), math.exp(strengths[j])
        if ties in ("split", "drop"):
            share = {1: 1.0, 0: 0.5, -1: 0.0}[int(np.sign(row[i] - row[j]))]
            if ties == "drop" and share == 0.5:
                continue
            total += share * math.log(a / (a + b)) + (1 - share) * math.log(b / (a + b))
        else:
            win, tied, loss = probabilities(a, b, tie, ties)
            total += math.log({1: win, 0: tied, -1: loss}[int(np.sign(row[i] - row[j]))])
    return total


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper", "split", "drop"])
def test_covariance_over_datasets_is_the_sandwich_of_the_definition(ties: str) -> None:
    """Bread and scores from differences of the log-likelihood, whose last strength is 0."""
    scores = np.round(np.random.default_rng(4).random((12, 4)), 1)
    result = bradley_terry_model(scores, ties=ties)
    tie = [math.log(result.tie_parameter)] if ties in ("davidson", "rao-kupper") else []
    best = np.array([*(result.estimate[:-1] - result.estimate[-1]), *tie])
    h, unit = 1e-4, np.eye(len(best))

    def at(p: np.ndarray, row: np.ndarray) -> float:
        return log_probability(row, np.append(p[:3], 0), math.exp(p[3]) if tie else 0.0, ties)

    def second(a: np.ndarray, b: np.ndarray) -> float:
        return sum(s * v * at(best + h * (s * a + v * b), row) for s in (1, -1) for v in (1, -1) for row in scores)

    bread = np.linalg.inv([[-second(a, b) / (4 * h * h) for b in unit] for a in unit])
    of_each = np.array([[(at(best + h * u, row) - at(best - h * u, row)) / (2 * h) for u in unit] for row in scores])
    sandwich = bread @ of_each.T @ of_each @ bread * 12 / 11

    assert result.differences_standard_error[:3, 3] == pytest.approx(np.sqrt(np.diag(sandwich))[:3], rel=1e-5)
    assert (result.covariance_method, result.df) == ("datasets", 11)
    assert result.covariance.sum(axis=0) == pytest.approx(0, abs=1e-12)


def test_copies_of_a_classifier_make_no_interval_narrower() -> None:
    """Ten datasets that are told ten times over by nearly equal classifiers are still ten datasets."""
    rng = np.random.default_rng(3)
    two = rng.random((10, 2)) + np.array([0.2, 0])
    many = np.repeat(two, 8, axis=1) + 1e-6 * rng.random((10, 16))

    alone, copied = (bradley_terry_model(table, ties="split") for table in (two, many))
    model = bradley_terry_model(many, ties="split", covariance="model")

    assert copied.differences_standard_error[0, -1] > 0.7 * alone.differences_standard_error[0, 1]
    assert model.differences_standard_error[0, -1] < 0.5 * alone.differences_standard_error[0, 1]


def test_order_of_datasets_does_not_matter() -> None:
    scores = np.random.default_rng(1).random((9, 4))
    here, there = bradley_terry_model(scores), bradley_terry_model(scores[::-1, [1, 3, 0, 2]])

    assert there.standard_error == pytest.approx(here.standard_error[[1, 3, 0, 2]], rel=1e-9)


def test_datasets_that_all_say_the_same_leave_no_standard_error() -> None:
    """All tied, or each the same mixture: nothing shows how much other datasets would differ."""
    result = bradley_terry_model(np.ones((4, 3)), ties="split")

    assert result.estimate == pytest.approx(0)
    assert np.isnan(result.standard_error).all()
    assert np.isnan(result.confidence_interval().low).all()
    assert "all datasets give the same results" in result.reason


def test_dataset_of_which_nothing_is_left_does_not_count() -> None:
    """A win each, so log-odds of 0 have the variance of two halves, over two datasets: 2 (1/2)^2 / (1/2)^2."""
    result = bradley_terry_model([[5, 5], [4, 2], [1, 4]], ties="drop")

    assert result.df == 1
    assert result.differences_standard_error[0, 1] ** 2 == pytest.approx(4)


def test_interval_over_datasets_is_that_of_student() -> None:
    result = bradley_terry_model(np.random.default_rng(1).random((9, 4)))
    low, high = result.confidence_interval(0.9)

    assert (high - low) / 2 == pytest.approx(t.ppf(0.95, 8) * result.standard_error, rel=1e-10)


def test_interval_is_normal() -> None:
    result = bradley_terry_from_counts(WINS)
    low, high = result.confidence_interval(0.9)

    assert (high - low) / 2 == pytest.approx(1.6448536269514722 * result.standard_error, rel=1e-12)
    assert result.confidence_interval().confidence_level == 0.95


def test_huge_counts() -> None:
    result = bradley_terry_from_counts(WINS * 10**12)

    assert result.estimate == pytest.approx(bradley_terry_from_counts(WINS).estimate, abs=1e-10)
    assert result.standard_error == pytest.approx(bradley_terry_from_counts(WINS).standard_error * 1e-6, rel=1e-8)


@pytest.mark.parametrize(
    ("wins", "tied", "message"),
    [
        ([[0, 1, 2], [1, 0, 2]], None, r"n_wins must have the shape \(k, k\)"),
        ([[1, 1], [1, 0]], None, r"n_wins must be 0 on the diagonal, but n_wins\[0, 0\] is 1"),
        ([[0, -1], [1, 0]], None, r"n_wins must hold whole numbers from 0 to 2\^50, but n_wins\[0, 1\] is -1"),
        ([[0, 1.5], [1, 0]], None, r"n_wins\[0, 1\] is 1.5"),
        ([[0, 1], [1, 0]], [[0, 2], [3, 0]], r"n_ties must be symmetric, but n_ties\[0, 1\] is 2 and n_ties\[1, 0\]"),
        ([[0, 1], [1, 0]], np.zeros((3, 3)), r"n_ties must have the shape of n_wins"),
    ],
)
def test_bad_counts_are_refused(wins, tied, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        bradley_terry_from_counts(wins, n_ties=tied)


def test_bad_scores_are_refused() -> None:
    with pytest.raises(InvalidValueError, match=r"scores must have the shape \(n_datasets, n_classifiers\), but"):
        bradley_terry_model(np.zeros((2, 3, 4)))
    with pytest.raises(InvalidValueError, match=r"ties must be 'davidson' or"):
        bradley_terry_model([[1, 2]], ties="elo")


def test_columns_in_another_order_are_refused() -> None:
    frame = pd.DataFrame(WINS, index=list("abcd"), columns=list("bacd"))

    with pytest.raises(InvalidValueError, match="must be the same labels in the same order"):
        bradley_terry_from_counts(frame)
