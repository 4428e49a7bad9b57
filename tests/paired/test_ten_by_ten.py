"""Bouckaert's variants of the t-test for r runs of k folds."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from evalstats.paired.ten_by_ten import USES, ttest_10x10
from evalstats.paired.ttest import corrected_ttest, paired_ttest

# Bouckaert (2003): degrees of freedom for all hundred scores of 10 runs of 10 folds
PUBLISHED_DF = 10


def pair(shape: tuple[int, ...] = (10, 10), seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.round(np.random.default_rng(seed).normal([[0.82], [0.80]], 0.04, (2, math.prod(shape))), 3)
    return x.reshape(shape), y.reshape(shape)


def sample(x: np.ndarray, y: np.ndarray, use: str) -> list[Fraction]:
    """Return the differences that are used, literally."""
    d = [[Fraction(str(a)) - Fraction(str(b)) for a, b in zip(*rows, strict=True)] for rows in zip(x, y, strict=True)]
    if use == "all":
        return [value for run in d for value in run]
    if use == "folds":
        return [statistics.mean(run) for run in d]
    if use == "sorted-runs":
        d = [sorted(run) for run in d]
    return [statistics.mean(fold) for fold in zip(*d, strict=True)]


def test_two_runs_of_two_folds_by_hand() -> None:
    """Differences 1, 3 and 4, 0: averages 2, 2 of the runs; 2.5, 1.5 of the folds; 0.5, 3.5 of the sorted folds."""
    x, y = [[1, 3], [4, 0]], [[0, 0], [0, 0]]
    sds = {"all": math.sqrt(10 / 3), "runs": math.sqrt(0.5), "sorted-runs": math.sqrt(4.5)}

    for use, sd in sds.items():
        result = ttest_10x10(x, y, averaging=use, df=2)

        assert result.statistic == pytest.approx(2 * math.sqrt(3) / sd, rel=1e-15)
        assert result.pvalue == pytest.approx(1 - abs(result.statistic) / math.sqrt(result.statistic**2 + 2), rel=1e-13)
        assert (result.averaging, result.df, result.mean_difference) == (use, 2, 2)
    assert math.isnan(ttest_10x10(x, y, averaging="folds", df=1).pvalue)


def test_published_degrees_of_freedom_are_the_default_of_the_published_design_only() -> None:
    result = ttest_10x10(*pair())

    assert (result.df, result.nominal_df, result.calibrated) == (PUBLISHED_DF, 99, True)
    assert (result.n_repeats, result.n_folds, result.averaging) == (10, 10, "all")
    assert not ttest_10x10(*pair(), df=9).calibrated
    assert ttest_10x10(*pair(), df=10).calibrated
    assert not ttest_10x10(*pair(), averaging="folds", df=10).calibrated


def test_published_number_rejects_at_its_level() -> None:
    """Differences of correlation .1, as 10 folds have; the root of df + 1, not of 100, is what makes it so.

    Under equal correlation rho the mean has variance (1 + 99 rho) / 100 and s^2 estimates 1 - rho.
    """
    critical = stats.t.isf(0.025, 10)
    factor = math.sqrt((1 - 0.1) / ((1 + 99 * 0.1) / 100))

    assert 2 * stats.t.sf(critical * factor / math.sqrt(11), 99) == pytest.approx(0.056, abs=0.0005)
    assert 2 * stats.t.sf(critical * factor / math.sqrt(100), 99) == pytest.approx(0.523, abs=0.0005)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("shape", [(10, 10), (5, 2), (3, 7)])
def test_definition_in_fractions(use: str, shape: tuple[int, int]) -> None:
    x, y = pair(shape)
    used = sample(x, y, use)
    expected = float(statistics.mean(used)) * math.sqrt(5 / statistics.variance(used))

    result = ttest_10x10(x, y, averaging=use, df=4)

    assert result.nominal_df == len(used) - 1
    assert result.statistic == pytest.approx(expected, rel=1e-12)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(expected), 4), rel=1e-12)


@pytest.mark.parametrize("use", USES)
def test_nominal_df_is_the_paired_test_of_what_is_used(use: str) -> None:
    """Two roads to one number."""
    x, y = pair((4, 6))
    used = np.array([float(d) for d in sample(x, y, use)])

    result = ttest_10x10(x, y, averaging=use, df=len(used) - 1)
    paired = paired_ttest(used, np.zeros(len(used)))

    assert tuple(result) == pytest.approx(tuple(paired), rel=1e-11)
    assert tuple(result.confidence_interval(0.9)) == pytest.approx(tuple(paired.confidence_interval(0.9)), rel=1e-10)


def test_it_finds_smaller_differences_than_the_corrected_test() -> None:
    """11 independent scores against 1 / (1/100 + 1/9) = 8.3."""
    x, y = pair()
    calibrated, corrected = ttest_10x10(x, y), corrected_ttest(x.ravel(), y.ravel(), n_train=9, n_test=1)

    assert calibrated.statistic / corrected.statistic == pytest.approx(math.sqrt(11 * (1 / 100 + 1 / 9)), rel=1e-13)


@pytest.mark.parametrize("use", ["all", "folds", "sorted-runs"])
def test_order_of_the_folds_does_not_matter(use: str) -> None:
    """Of all variants only 'runs' depends on it."""
    x, y = pair()
    mixed = np.random.default_rng(3).permuted(np.tile(np.arange(10), (10, 1)), axis=1)
    moved = np.take_along_axis(x, mixed, 1), np.take_along_axis(y, mixed, 1)

    assert tuple(ttest_10x10(*moved, averaging=use, df=9)) == pytest.approx(
        tuple(ttest_10x10(x, y, averaging=use, df=9)), rel=1e-13
    )
    assert ttest_10x10(*moved, averaging="runs", df=9).pvalue != pytest.approx(
        ttest_10x10(x, y, averaging="runs", df=9).pvalue
    )


@pytest.mark.parametrize("use", USES)
def test_swap_mirrors_and_scale_does_not_matter(use: str) -> None:
    x, y = pair()
    here = ttest_10x10(x, y, averaging=use, df=7, alternative="greater")
    mirrored = ttest_10x10(y, x, averaging=use, df=7, alternative="less")

    assert (mirrored.statistic, mirrored.pvalue) == pytest.approx((-here.statistic, here.pvalue), rel=1e-13)
    assert tuple(ttest_10x10(x * 2.0**900, y * 2.0**900, averaging=use, df=7, alternative="greater")) == tuple(here)


@pytest.mark.parametrize("use", USES)
def test_batch_is_its_members(use: str) -> None:
    x, y = (np.asfortranarray(values) for values in pair((6, 10, 10)))
    x[1] = y[1]
    x[2] = y[2] + 1
    batch = ttest_10x10(x, y, averaging=use, df=8.5)
    low, high = batch.confidence_interval()

    for i in range(6):
        member = ttest_10x10(x[i].copy(), y[i].copy(), averaging=use, df=8.5)
        for name in ("statistic", "pvalue", "mean_difference", "standard_error", "reason"):
            np.testing.assert_array_equal(getattr(batch, name)[i], getattr(member, name))
        np.testing.assert_array_equal((low[i], high[i]), tuple(member.confidence_interval()))


@pytest.mark.parametrize("use", USES)
def test_degenerate_differences(use: str) -> None:
    """Also where floating point makes equal differences differ."""
    x = np.round(np.random.default_rng(5).random((10, 10)), 3)
    same, constant = ttest_10x10(x, x, averaging=use, df=5), ttest_10x10(x + 0.1, x, averaging=use, df=5)

    assert (same.statistic, same.pvalue) == (0, 1)
    assert "equal in every pair" in same.reason
    assert constant.statistic == math.inf
    assert math.isnan(constant.pvalue)
    assert "same amount in every fold" in constant.reason


def test_averages_that_are_all_the_same_have_no_variance() -> None:
    """Every run has the differences 0.1, 0.2 and 0.3 in another order, whose sums are not bitwise the same."""
    d = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.3, 0.1]])
    result = ttest_10x10(0.5 + d, np.full((3, 3), 0.5), averaging="folds", df=2)

    assert result.statistic == math.inf
    assert result.mean_difference == pytest.approx(0.2, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"averaging": "folds"},
            r"must be given for averaging='folds' with 10 runs of 10 folds: .* df=9 is the nominal number",
        ),
        ({"averaging": "runs"}, "df must be given"),
        ({"averaging": "sorted-runs"}, "df must be given"),
        ({"df": 0}, "df must be above 0 and finite, not 0"),
        ({"df": math.inf}, "df must be above 0 and finite, not inf"),
        ({"df": math.nan}, "df must be above 0 and finite, not nan"),
        ({"df": "10"}, "df must be a number, not '10'"),
        ({"df": True}, "df must be a number, not True"),
        ({"averaging": "sorted"}, "averaging must be 'all' or 'folds' or 'runs' or 'sorted-runs', not 'sorted'"),
    ],
)
def test_options_that_are_none_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        ttest_10x10(*pair(), **arguments)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1, 2], [2, 3], r"x must have the shape \(n_repeats, n_folds\), but its shape is \(2,\)"),
        ([[1, 2]], [[1, 2], [3, 4]], "x and y must have equal numbers of runs"),
        ([[1, 2]], [[1, 2, 3]], "x and y must be paired: x has 2 values, y has 3"),
        ([[1, 2], [3, math.nan]], [[1, 2], [3, 4]], r"x must be finite, but x\[1, 1\] is nan"),
        ([[1, 2], [3, 4]], [[1, 2], [3, 4]], "df must be given for averaging='all' with 2 runs of 2 folds"),
    ],
)
def test_scores_of_another_shape_are_refused(x: object, y: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ttest_10x10(x, y)


def test_one_run_has_no_averages_over_folds() -> None:
    with pytest.raises(
        ValueError, match="averaging='folds' must leave 2 differences or more, but 1 runs of 3 folds leave 1"
    ):
        ttest_10x10([[1, 2, 3]], [[1, 2, 4]], averaging="folds", df=3)


@pytest.mark.parametrize("df", [1e300, 10**300])
def test_huge_degrees_of_freedom_are_those_of_the_normal_distribution(df: float) -> None:
    x, y = np.random.default_rng(0).random((2, 3, 4))
    z = (x - y).mean() * math.sqrt(df) / (x - y).std(ddof=1)
    result = ttest_10x10(x, y, df=df)

    assert result.statistic == pytest.approx(z)
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(abs(z)), abs=1e-323)


def test_degrees_of_freedom_beyond_the_largest_float_are_refused() -> None:
    with pytest.raises(ValueError, match="df must be a number that a float can hold"):
        ttest_10x10(np.eye(3), np.zeros((3, 3)), df=10**400)
