"""Nested cross-validation: a case by hand, the algorithm of the paper, limits of the inflation, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from evalstats import report
from evalstats._errors import EvalstatsError
from evalstats.reproducibility import nested_cross_validated_mean

NAN = math.nan
FOLD = [0, 0, 1, 1, 2, 2]
OUTER = [2.0, 4, 1, 3, 2, 2]
INNER = [[NAN, NAN, 1, 2, 2, 3], [2, 4, NAN, NAN, 1, 3], [1, 5, 3, 3, NAN, NAN]]


def least_squares(seed: int, n: int, k: int, n_repeats: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return squared errors of least squares: outer, inner and the folds, of unequal size if k does not divide n."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, 5))
    y = x @ [1, 1, 0, 0, 0] + rng.standard_normal(n)
    outer, inner, folds = np.empty((n_repeats, n)), np.full((n_repeats, k, n), NAN), []
    for r in range(n_repeats):
        fold = rng.permutation(np.arange(n) % k)
        for j in range(k):
            for i in range(k):
                train, test = (fold != j) & (fold != i), fold == i
                beta = np.linalg.lstsq(x[train], y[train], rcond=None)[0]
                error = (y[test] - x[test] @ beta) ** 2
                if i == j:
                    outer[r, test] = error
                else:
                    inner[r, j, test] = error
        folds.append(fold)
    return outer, inner, np.array(folds)


def algorithm_1(outer: np.ndarray, inner: np.ndarray, folds: np.ndarray, level: float) -> dict[str, float]:
    """Bates, Hastie & Tibshirani (2024), algorithm 1, written down in its order, with the limits of the inflation."""
    n_repeats, k, n = inner.shape
    es, a_list, b_list = [], [], []
    for r in range(n_repeats):
        for j in range(k):
            own = folds[r] == j
            e_out, e_in = outer[r, own], inner[r, j, ~own]
            a_list.append((e_in.mean() - e_out.mean()) ** 2)
            b_list.append(e_out.var(ddof=1) / own.sum())
            es.extend(e_in)
    mse = np.mean(a_list) - np.mean(b_list)
    sd = np.std(es, ddof=1)
    inflation = min(max(math.sqrt(max(mse, 0)) / (sd / math.sqrt(n * (k - 1) / k)), 1), math.sqrt(k))
    bias = (1 + (k - 2) / k) * (np.mean(es) - outer.mean())
    estimate, z = np.mean(es) - bias, stats.norm.ppf(0.5 + level / 2)
    half = z * inflation * sd / math.sqrt(n)
    return {"estimate": estimate, "bias": bias, "inflation": inflation, "low": estimate - half, "high": estimate + half}


def test_worked_folds() -> None:
    """Outer means 3, 2, 2 and inner means 2, 2.5, 3; sum of squares of the inner losses about their mean: 17."""
    result = nested_cross_validated_mean(OUTER, INNER, FOLD)

    assert result.nested_mean == pytest.approx(2.5)
    assert result.outer_mean == pytest.approx(7 / 3)
    assert result.bias == pytest.approx(4 / 3 / 6)
    assert result.estimate == pytest.approx(2.5 - 2 / 9)
    assert result.mean_squared_error == pytest.approx(1 / 12)
    assert result.inflation == 1  # sqrt(1 / 12) / (sqrt(17 / 11) / 2) = 0.46
    assert result.standard_error == pytest.approx(math.sqrt(17 / 11 / 6))


@pytest.mark.parametrize(("seed", "n", "k", "n_repeats"), [(1, 30, 5, 8), (2, 23, 5, 4), (3, 24, 3, 1), (4, 40, 10, 3)])
def test_result_is_that_of_the_algorithm(seed: int, n: int, k: int, n_repeats: int) -> None:
    outer, inner, folds = least_squares(seed, n, k, n_repeats)
    result = nested_cross_validated_mean(outer, inner, folds)
    expected = algorithm_1(outer, inner, folds, 0.9)

    for name in ("estimate", "bias", "inflation"):
        assert getattr(result, name) == pytest.approx(expected[name], rel=1e-10), name
    assert tuple(result.confidence_interval(0.9)) == pytest.approx((expected["low"], expected["high"]), rel=1e-10)
    assert result.running_inflation[-1] == result.inflation
    for r in range(n_repeats):
        alone = algorithm_1(outer[: r + 1], inner[: r + 1], folds[: r + 1], 0.9)
        assert result.running_inflation[r] == pytest.approx(alone["inflation"], rel=1e-9)


def test_inflation_is_held_between_its_limits() -> None:
    """Inner means far from the outer means need the square root of k; a loss that is added to all changes nothing."""
    outer = np.array(OUTER)
    far = nested_cross_validated_mean(outer * [10, 10, 1, 1, 1, 1], INNER, FOLD)
    here, there = (
        nested_cross_validated_mean(outer, INNER, FOLD),
        nested_cross_validated_mean(outer + 7, np.array(INNER) + 7, FOLD),
    )

    assert far.inflation == math.sqrt(3)
    assert there.standard_error == pytest.approx(here.standard_error)
    assert there.estimate == pytest.approx(here.estimate + 7)


def test_order_of_instances_and_of_folds_does_not_matter() -> None:
    outer, inner, folds = least_squares(5, 20, 4, 2)
    order, named = np.random.default_rng(1).permutation(20), np.array([2, 0, 3, 1])
    other = nested_cross_validated_mean(
        outer[:, order], inner[:, np.argsort(named)][:, :, order], named[folds][:, order]
    )
    here = nested_cross_validated_mean(outer, inner, folds)

    assert (other.estimate, other.standard_error) == pytest.approx((here.estimate, here.standard_error), rel=1e-12)


def test_equal_losses_have_a_reason() -> None:
    inner = np.where(np.isnan(INNER), NAN, 1.0)
    result = nested_cross_validated_mean([1.0] * 6, inner, FOLD)

    assert (result.estimate, result.standard_error, result.inflation, result.bias) == (1, 0, 1, 0)
    assert "all scores of the inner models are equal" in result.reason


def test_interval_of_errors_is_within_0_and_1() -> None:
    inner = [[NAN, NAN, 1, 0, 0, 0], [0, 0, NAN, NAN, 0, 1], [0, 1, 0, 0, NAN, NAN]]
    low, high = nested_cross_validated_mean([0, 1, 0, 0, 0, 0], inner, FOLD).confidence_interval()

    assert low == 0
    assert 0 < high < 1


def test_report_has_the_interval() -> None:
    assert report.sentence(nested_cross_validated_mean(OUTER, INNER, FOLD)) == (
        "Mean score by nested cross-validation: 2.278 for models trained on all 6 instances (3 folds, 1 repeat), "
        "standard error 0.508, 95 % interval 1.28 to 3.27, inflation 1.000."
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"outer": OUTER[:-1]}, r"must have shapes \(r, n\), \(r, k, n\) and \(r, n\)"),
        ({"inner": OUTER}, r"must have shapes \(r, n\), \(r, k, n\) and \(r, n\)"),
        ({"inner": np.ones((3, 7))}, "as many repeats and instances as outer"),
        ({"inner": INNER[:2], "fold": [0, 0, 0, 1, 1, 1]}, "inner must have 3 folds or more, not 2"),
        ({"fold": [1, 1, 2, 2, 3, 3]}, "fold must hold whole numbers from 0 to 2"),
        ({"fold": [0, 0, 1, 1, 2, 1.5]}, "fold must hold whole numbers from 0 to 2"),
        ({"fold": [0, 0, 0, 1, 1, 2]}, "two instances or more to each of the 3 folds"),
        ({"inner": np.ones((3, 6))}, "inner must be nan for the instances of the outer fold"),
        ({"inner": np.full((3, 6), NAN)}, "inner must be finite"),
        ({"outer": [NAN, *OUTER[1:]]}, "outer must be finite"),
    ],
)
def test_bad_input_is_named(change: dict, message: str) -> None:
    with pytest.raises(EvalstatsError, match=message):
        nested_cross_validated_mean(**{"outer": OUTER, "inner": INNER, "fold": FOLD} | change)
