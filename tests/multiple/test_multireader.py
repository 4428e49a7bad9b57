from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from evalstats import delong_test, report
from evalstats.metrics import delong_covariance
from evalstats.multiple import obuchowski_rockette_test
from evalstats.multiple.multireader import ReaderVariances, f_of_treatments

RNG = np.random.default_rng(1)
Y = np.repeat([0, 1], [35, 25])
# what a treatment shows of a case is the same for all readers
SHOWN = Y * np.array([[1.0], [1.6]]) + RNG.normal(size=(2, 60))
RATINGS = np.round(SHOWN[:, None] + 0.5 * RNG.normal(size=(2, 4, 60)), 1)
THREE = np.round(Y + RNG.normal(size=(3, 5, 60)) + RNG.normal(size=60), 1)


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        ((0.0005510306, 0.0003395265, 0.0002358497), (4.484854, 15.06611, 0.05123303)),
        # no excess of the covariances: the F test of an analysis of variance
        ((0.0005510306, 0.0002, 0.0003), ((5 / 2 * 0.0438004**2) / 0.0005510306, 4.0, None)),
    ],
)
def test_values_of_van_dyke(parts: tuple[float, ...], wanted: tuple[float, float, float | None]) -> None:
    """MRMCaov on the data of Van Dyke (5 readers, 2 treatments): F, its second df and p from the printed components."""
    between, cov2, cov3 = parts
    components = ReaderVariances(5 / 2 * (0.9408374 - 0.8970370) ** 2, between, 0, 0, cov2, cov3)

    found = f_of_treatments(components, 2, 5, "both")

    assert (found.statistic, found.df[1]) == pytest.approx(wanted[:2], rel=1e-5)
    if wanted[2] is not None:
        assert stats.f.sf(found.statistic, *found.df) == pytest.approx(wanted[2], rel=1e-5)


def test_components_are_those_of_loops() -> None:
    """Areas by scikit-learn, mean squares of the two-way table, and means of the entries of DeLong's covariance."""
    result = obuchowski_rockette_test(Y, THREE)
    t, r = 3, 5
    auc = np.array([[roc_auc_score(Y, THREE[i, j]) for j in range(r)] for i in range(t)])
    covariance = delong_covariance(Y, THREE.reshape(t * r, 60)).covariance
    entries: dict[tuple[bool, bool], list[float]] = {}
    for a in range(t * r):
        for b in range(t * r):
            entries.setdefault((a // r == b // r, a % r == b % r), []).append(covariance[a, b])
    residual = auc - auc.mean(axis=1, keepdims=True) - auc.mean(axis=0) + auc.mean()
    cov1, cov2, cov3 = (np.mean(entries[key]) for key in ((False, True), (True, False), (False, False)))
    denominator = (residual**2).sum() / 8 + max(r * (cov2 - cov3), 0)
    statistic = r * auc.mean(axis=1).var(ddof=1) / denominator
    df = denominator**2 / (((residual**2).sum() / 8) ** 2 / 8)

    np.testing.assert_allclose(result.auc, auc, rtol=1e-12)
    assert (result.variance, result.cov1) == pytest.approx((np.mean(entries[True, True]), cov1), rel=1e-10)
    assert (result.cov2, result.cov3) == pytest.approx((cov2, cov3), rel=1e-10)
    assert (result.statistic, result.df[1]) == pytest.approx((statistic, df), rel=1e-10)
    assert result.pvalue == pytest.approx(stats.f.sf(statistic, 2, df), rel=1e-9)
    assert result.standard_error == pytest.approx(math.sqrt(2 / r * denominator), rel=1e-10)


def test_jackknife_is_that_of_leaving_out_cases() -> None:
    """The covariance of the areas without each case: the pseudovalues of Dorfman, Berbaum & Metz (1992)."""
    result = obuchowski_rockette_test(Y, RATINGS, covariance="jackknife")
    left = np.array(
        [[roc_auc_score(np.delete(Y, i), np.delete(one, i)) for i in range(60)] for one in RATINGS.reshape(8, 60)]
    )
    covariance = np.cov(left) * 59**2 / 60

    assert result.variance == pytest.approx(np.diagonal(covariance).mean(), rel=1e-10)
    assert result.cov1 == pytest.approx(np.mean([covariance[j, j + 4] for j in range(4)]), rel=1e-10)


@pytest.mark.parametrize("reader", range(4))
def test_one_fixed_reader_is_the_test_of_delong(reader: int) -> None:
    result = obuchowski_rockette_test(Y, RATINGS[:, [reader]], sampled="cases")
    plain = delong_test(Y, RATINGS[0, reader], RATINGS[1, reader], df="infinite")

    assert result.statistic == pytest.approx(plain.statistic**2, rel=1e-9)
    assert result.pvalue == pytest.approx(plain.pvalue, rel=1e-9)
    assert result.confidence_interval().low[0, 1] == pytest.approx(plain.confidence_interval().low, rel=1e-9)
    assert math.isnan(result.ms_treatment_reader)


def test_fixed_readers_are_the_difference_of_mean_areas() -> None:
    """For two treatments, the variance is that of the mean difference by DeLong's covariance."""
    result = obuchowski_rockette_test(Y, RATINGS, sampled="cases")
    weights = np.repeat([0.25, -0.25], 4)
    covariance = delong_covariance(Y, RATINGS.reshape(8, 60)).covariance

    assert result.cov2 > result.cov3
    assert result.standard_error**2 == pytest.approx(weights @ covariance @ weights, rel=1e-10)
    assert result.pvalue == pytest.approx(
        2 * stats.norm.sf(abs(result.difference[0, 1]) / result.standard_error), rel=1e-9
    )


def test_fixed_cases_are_an_analysis_of_variance() -> None:
    """With two treatments, a paired t-test of the areas of the readers."""
    result = obuchowski_rockette_test(Y, RATINGS, sampled="readers")

    assert result.pvalue == pytest.approx(stats.ttest_rel(*result.auc).pvalue, rel=1e-9)
    low, high = result.confidence_interval()
    assert (low[0, 1], high[0, 1]) == pytest.approx(tuple(stats.ttest_rel(*result.auc).confidence_interval()), rel=1e-9)


def test_order_of_readers_and_treatments_does_not_matter() -> None:
    here = obuchowski_rockette_test(Y, THREE)
    there = obuchowski_rockette_test(Y, THREE[[2, 0, 1]][:, [3, 1, 4, 0, 2]])

    assert there.pvalue == pytest.approx(here.pvalue, rel=1e-10)
    np.testing.assert_allclose(there.mean_auc, here.mean_auc[[2, 0, 1]], rtol=1e-12)


@pytest.mark.parametrize("ratings", [RATINGS, THREE + RNG.normal(size=(3, 1, 60)), RATINGS[:, :2]])
def test_adjusted_pvalue_is_a_mean_over_the_true_mean_square_of_readers(ratings: np.ndarray) -> None:
    """The mean over 20,000 quantiles of its fiducial distribution, with the placements of all pairs."""
    t, r, _ = ratings.shape
    plain, fixed = (obuchowski_rockette_test(Y, ratings, sampled=sampled) for sampled in ("both", "cases"))
    adjusted = obuchowski_rockette_test(Y, ratings, method="adjusted")
    others = Y[:, None] != Y
    below = np.where(
        others, (ratings[..., None, :] < ratings[..., None]) + (ratings[..., None, :] == ratings[..., None]) / 2, 0
    )
    mean = (below.sum(axis=-1) / others.sum(axis=1)).mean(axis=1)
    variances, degrees = [], []
    for i in range(t):
        for j in range(i):
            d = mean[i] - mean[j]
            parts, relative = [], []
            for of_class in (d[Y == 1], d[Y == 0]):
                n = len(of_class)
                parts.append((of_class.var(ddof=1) + 0.1 * np.abs(d).max() / (n - 1)) / n)
                relative.append(2 / (n - 1) + max(stats.kurtosis(of_class, bias=False), 0) / n)
            variances.append(sum(parts))
            degrees.append(2 * sum(parts) ** 2 / (np.square(parts) @ relative))
    added = r / 2 * (np.mean(variances) - fixed.standard_error**2)
    rest = r * max(plain.cov2 - plain.cov3, 0) + added
    nu = (t - 1) * (r - 1)
    total = nu * plain.ms_treatment_reader / stats.chi2.ppf((np.arange(20_000) + 0.5) / 20_000, nu) + rest
    given = stats.f.sf(plain.ms_treatment / total, t - 1, min(degrees) * (total / rest) ** 2)

    assert adjusted.pvalue == pytest.approx(given.mean(), rel=1e-4)
    assert adjusted.df[1] == pytest.approx(min(degrees), rel=1e-9)
    assert adjusted.standard_error == pytest.approx(math.sqrt(2 / r * (plain.ms_treatment_reader + rest)), rel=1e-9)


@pytest.mark.parametrize("sampled", ["both", "cases", "readers"])
def test_adjusted_interval_excludes_0_as_the_test_rejects(sampled: str) -> None:
    result = obuchowski_rockette_test(Y, RATINGS, sampled=sampled, method="adjusted")
    low, high = result.confidence_interval(1 - result.pvalue)

    assert min(abs(low[0, 1]), abs(high[0, 1])) == pytest.approx(0, abs=1e-10)


def test_adjusted_test_of_one_reader_is_the_default_test_of_delong() -> None:
    adjusted = obuchowski_rockette_test(Y, RATINGS[:, :1], sampled="cases", method="adjusted")
    plain = delong_test(Y, *RATINGS[:, 0])

    assert (adjusted.pvalue, adjusted.df[1]) == pytest.approx((plain.pvalue, plain.df), rel=1e-9)


def test_many_instances_are_not_adjusted() -> None:
    y = np.tile([0, 1], 500)
    ratings = y + np.random.default_rng(2).normal(size=(2, 3, 1000))
    adjusted, plain = (
        obuchowski_rockette_test(y, ratings, sampled="cases", method=method) for method in ("adjusted", "f")
    )

    assert (adjusted.pvalue, adjusted.standard_error) == (plain.pvalue, plain.standard_error)
    assert adjusted.method == "adjusted"


def test_readers_needed_reach_the_power() -> None:
    result = obuchowski_rockette_test(Y, RATINGS)
    n = result.readers_needed(0.25)

    def power(r: int) -> float:
        denominator = result.ms_treatment_reader + r * max(result.cov2 - result.cov3, 0)
        df = denominator**2 / result.ms_treatment_reader**2 * (r - 1)
        return float(stats.ncf.sf(stats.f.isf(0.05, 1, df), 1, df, r * 0.25**2 / 2 / denominator))

    assert power(n) >= 0.8 > power(n - 1)
    assert result.readers_needed(0.3) <= n
    assert result.readers_needed(0.1) == 10_000  # more cases are needed
    with pytest.raises(ValueError, match="difference must not be 0"):
        result.readers_needed(0)


def test_degenerate_ratings() -> None:
    """Constant ratings: areas 0.5, covariance 0 and p = 1."""
    constant = obuchowski_rockette_test(Y, RATINGS * 0)
    same = obuchowski_rockette_test(Y, RATINGS[[0, 0]])

    assert (constant.auc == 0.5).all()
    assert (constant.variance, constant.pvalue) == (0.0, 1.0)
    assert "no variance" in constant.reason
    assert same.pvalue == 1.0
    assert same.reason is not None


def test_report_says_to_what_it_applies() -> None:
    told = report.sentence(obuchowski_rockette_test(Y, RATINGS))

    assert told.startswith("Obuchowski-Rockette test of 2 treatments and 4 readers: mean areas 0.")
    assert told.endswith("for new readers and new instances.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ratings": RATINGS[0]}, r"ratings must have the shape \(n_treatments, n_readers, n\) with 2 or more"),
        ({"ratings": RATINGS[:1]}, "with 2 or more treatments"),
        ({"ratings": RATINGS[:, :1]}, "needs 2 or more readers, but there is 1 reader; use sampled='cases'"),
        ({"ratings": np.where(RATINGS > 2, np.nan, RATINGS)}, "ratings must be finite, but ratings"),
        ({"y_true": Y[:-1]}, "y_true and ratings must be paired"),
        ({"method": "t"}, "method must be 'f' or 'adjusted', not 't'"),
        ({"sampled": "none"}, "sampled must be 'both' or 'cases' or 'readers', not 'none'"),
    ],
)
def test_bad_input_is_named(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        obuchowski_rockette_test(**{"y_true": Y, "ratings": RATINGS} | arguments)


def test_two_negative_instances_are_enough() -> None:
    some = np.append(np.flatnonzero(Y == 1), np.flatnonzero(Y == 0)[:2])
    result = obuchowski_rockette_test(Y[some], RATINGS[..., some])

    assert np.isfinite(result.auc).all()
    assert 0 < result.pvalue < 1


@pytest.mark.parametrize("sampled", ["both", "readers"])
def test_rounding_is_no_variance_of_readers(sampled: str) -> None:
    """All readers rate alike: only rounding is left of their interaction, and no p-value of 1e-30 comes of it."""
    case = np.arange(20)
    ratings = np.stack([case * factor % 11 + 3 * (case % 2) for factor in (3, 7)])[:, None].repeat(3, axis=1)
    result = obuchowski_rockette_test(case % 2, ratings, sampled=sampled)

    assert result.ms_treatment_reader == 0
    if sampled == "readers":
        assert math.isnan(result.pvalue)
        assert "no variance" in str(result.reason)
    else:
        assert math.isinf(result.df[1])
        assert 0.001 < result.pvalue < 1
