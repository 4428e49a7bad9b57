from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from evalstats.metrics import cross_validated_mean
from evalstats.paired import cross_validated_test

X, Y = [1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1], [1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0]
FOLD = np.repeat(range(3), 4)


def test_difference_by_hand() -> None:
    """Differences 0100 10-10 1101: squared deviations 3/4 + 2 + 3/4, each divided by 3; their mean is 7/18."""
    result = cross_validated_test(X, Y, FOLD)

    assert result.difference == pytest.approx(1 / 3, rel=1e-14)
    assert result.standard_error == pytest.approx(math.sqrt((3 / 4 + 2 + 3 / 4) / 9 / 12), rel=1e-14)
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(result.statistic), rel=1e-12)
    assert (result.method, result.n_train, result.n_folds, result.reason) == ("asymptotic", 8, 3, None)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_test_is_that_of_a_loop_over_the_folds(alternative: str) -> None:
    rng = np.random.default_rng(2)
    fold = rng.permutation(np.repeat(range(4), [3, 5, 6, 4]))
    x, y = rng.normal(size=(2, 18))
    d = x - y
    square = sum(np.sum(fold == j) * np.var(d[fold == j], ddof=1) for j in range(4)) / 18
    z = d.mean() / math.sqrt(square / 18)
    wanted = {"two-sided": 2 * stats.norm.sf(abs(z)), "greater": stats.norm.sf(z), "less": stats.norm.cdf(z)}

    result = cross_validated_test(x, y, fold, alternative=alternative)

    assert tuple(result) == pytest.approx((z, wanted[alternative]), rel=1e-12)


def test_difference_is_that_of_a_mean_of_differences() -> None:
    d = np.subtract(X, Y)
    for choices in ({}, {"variance": "all"}, {"clusters": np.arange(12) // 2}):
        tested, estimated = cross_validated_test(X, Y, FOLD, **choices), cross_validated_mean(d, FOLD, **choices)

        assert tested.standard_error == pytest.approx(estimated.standard_error, rel=1e-14)
        assert tuple(tested.confidence_interval()) == pytest.approx(tuple(estimated.confidence_interval()), rel=1e-12)


def test_laws() -> None:
    """Swapping mirrors; the order of the instances and the names of the folds do not matter; a batch is the loop."""
    here, there = cross_validated_test(X, Y, FOLD), cross_validated_test(Y, X, FOLD)
    order = np.random.default_rng(3).permutation(12)
    shuffled = cross_validated_test(np.array(X)[order], np.array(Y)[order], np.array(list("cab"))[FOLD[order]])
    batch = cross_validated_test([X, Y], Y, FOLD)

    assert (there.statistic, there.pvalue) == (-here.statistic, here.pvalue)
    assert shuffled.pvalue == pytest.approx(here.pvalue, rel=1e-12)
    assert batch.pvalue.tolist() == [here.pvalue, 1.0]


def test_degenerate_differences() -> None:
    same, constant = (
        cross_validated_test(X, X, FOLD),
        cross_validated_test([0.3, 0.7, 0.5, 0.9], [0.2, 0.6, 0.4, 0.8], [0, 0, 1, 1]),
    )
    noise = cross_validated_test([0.1 + 0.2, 0.7], [0.3, 0.7], [0, 1])
    single = cross_validated_test(X, Y, FOLD, clusters=[1] * 12)

    assert (same.statistic, same.pvalue) == (0.0, 1.0)
    assert "no difference" in same.reason
    assert math.isnan(constant.pvalue)
    assert "does not apply" in constant.reason
    assert noise.pvalue == 1.0
    assert math.isnan(single.pvalue)
    assert np.isnan(single.confidence_interval().low)


def test_one_sided_interval_is_open() -> None:
    low, high = cross_validated_test(X, Y, FOLD, alternative="greater").confidence_interval()

    assert low > 0
    assert high == math.inf


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": Y[:-1]}, "x and y must be paired: x has 12 values, y has 11"),
        ({"fold": [0] * 12}, "fold must name at least two folds"),
        ({"alternative": "more"}, "alternative must be"),
    ],
)
def test_bad_input_is_named(change: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        cross_validated_test(**{"x": X, "y": Y, "fold": FOLD} | change)
