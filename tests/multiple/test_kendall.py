"""Kendall's W and its interval."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from evalstats._errors import InvalidValueError
from evalstats._result import EstimateResult
from evalstats.examples import example_table
from evalstats.multiple.friedman import friedman_test
from evalstats.multiple.kendall import _place_of_datasets, kendall_w


def simulated(n_tables: int, n: int, spread: float, seed: int) -> np.ndarray:
    """Scores of 5 classifiers whose means differ by the spread, in units of the noise."""
    return np.linspace(-spread, spread, 5) + np.random.default_rng(seed).standard_normal((n_tables, n, 5))


def mean_w(n: int, spread: float) -> float:
    """Return the mean W of tables of n datasets, from the concordance of 50,000."""
    concordance = kendall_w(simulated(1, 50_000, spread, 9)[0], n_resamples=1).concordance
    return (1 + (n - 1) * concordance) / n


def test_three_judges_by_hand() -> None:
    """Rank sums 4, 6, 8: S = 8, W = 12 * 8 / (9 * 24) = 4/9."""
    result = kendall_w([[3, 2, 1], [3, 1, 2], [2, 3, 1]])

    assert result.estimate == pytest.approx(4 / 9, rel=1e-15)
    assert result.concordance == pytest.approx((3 * 4 / 9 - 1) / 2, rel=1e-14)


@pytest.mark.parametrize("seed", range(6))
def test_is_the_field_of_friedmans_test_to_the_last_bit(seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 5 + 95 * (seed % 2), (9, 4))
    here, friedman = kendall_w(scores, n_resamples=9), friedman_test(scores)

    assert here.estimate == friedman.kendall_w
    assert (here.chi2, here.chi2_pvalue) == (friedman.chi2, friedman.chi2_pvalue)
    assert (here.f, here.f_pvalue) == (friedman.f, friedman.f_pvalue)
    assert here.f == pytest.approx(8 * here.estimate / (1 - here.estimate), rel=1e-12)
    assert here.uncorrected == pytest.approx(friedman.chi2_uncorrected / 27, rel=1e-15)


@pytest.mark.parametrize("n_values", [3, 10**6])
def test_mean_spearman_is_the_mean_over_all_pairs(n_values: int) -> None:
    """Of the datasets that tell classifiers apart; without ties it is the concordance."""
    scores = np.random.default_rng(4).integers(0, n_values, (8, 5))
    pairs = [stats.spearmanr(a, b).statistic for a, b in itertools.combinations(scores, 2)]
    result = kendall_w(np.vstack([scores, np.ones(5)]) if n_values == 3 else scores, n_resamples=9)

    assert result.mean_spearman == pytest.approx(np.mean(pairs), rel=1e-12)
    assert (result.mean_spearman == pytest.approx(result.concordance, rel=1e-12)) == (n_values > 3)


def test_replicates_are_those_of_resampled_tables() -> None:
    """Each from the mean product of ranks of different datasets, in a loop over the sample."""
    scores = np.random.default_rng(5).random((6, 4))
    result = kendall_w(scores, n_resamples=40, rng=3)
    drawn = np.random.default_rng(3).integers(0, 6, (40, 6))
    ranks = np.array([stats.rankdata(-row) - 2.5 for row in scores])
    ranks = ranks[_place_of_datasets(2 * ranks)]
    expected = []
    for sample in drawn:
        products = [ranks[a] @ ranks[b] for a, b in itertools.permutations(sample, 2) if a != b]
        expected.append((1 + 5 * np.mean(products) / (ranks[0] @ ranks[0])) / 6)

    np.testing.assert_allclose(result._replicates, expected, rtol=1e-12, atol=1e-14)
    assert result.standard_error == pytest.approx(np.std(expected, ddof=1), rel=1e-12)


def test_interval_is_bca() -> None:
    """Efron (1987), with the acceleration of W of the tables that leave out one dataset."""
    scores = np.array(example_table("demsar-2006").scores)
    result = kendall_w(scores)
    replicates, w = result._replicates, result.estimate
    left = np.array([kendall_w(np.delete(scores, i, 0), n_resamples=1).concordance for i in range(len(scores))])
    influence = left.mean() - left
    acceleration = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    bias = stats.norm.ppf((replicates < w).mean())
    shifted = bias + stats.norm.ppf([0.025, 0.975])
    levels = stats.norm.cdf(bias + shifted / (1 - acceleration * shifted))

    low, high = result.confidence_interval(method="bca")

    np.testing.assert_allclose([low, high], np.quantile(replicates, levels), rtol=1e-9)
    assert 0 <= low < w < high <= 1


def test_interval_is_that_of_the_jackknife_of_z() -> None:
    """Written out: the error of the concordances that leave out one dataset, on Fisher's scale."""
    scores = np.array(example_table("demsar-2006").scores)
    result, n = kendall_w(scores, n_resamples=1), len(scores)
    left = np.array([kendall_w(np.delete(scores, i, 0), n_resamples=1).concordance for i in range(n)])
    error = np.sqrt((n - 1) / n * ((left - left.mean()) ** 2).sum())
    half = stats.t.ppf(0.95, n - 1) * error / (1 - result.concordance**2)

    low, high = result.confidence_interval(0.9)

    limits = [(1 + (n - 1) * np.tanh(np.arctanh(result.concordance) + side * half)) / n for side in (-1, 1)]
    np.testing.assert_allclose([low, high], limits, rtol=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(("n", "spread"), [(6, 0), (6, 0.5), (6, 1.5), (20, 0.5), (20, 1.5)])
def test_interval_covers_where_it_is_given(n: int, spread: float) -> None:
    """In 400 simulated tables; at 0.92 or more, but for four standard errors."""
    low, high = kendall_w(simulated(400, n, spread, n), n_resamples=1).confidence_interval()
    given, truth = ~np.isnan(low), mean_w(n, spread)

    share = ((low <= truth) & (truth <= high))[given].mean()

    assert share >= 0.92 - 4 * math.sqrt(0.92 * 0.08 / given.sum())


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "spread", "coverage"),
    [(6, 0, 0.98), (6, 0.5, 0.95), (6, 1.5, 0.84), (20, 0, 0.99), (20, 0.5, 0.97), (20, 1.5, 0.91), (50, 1.5, 0.94)],
)
def test_coverage_of_the_bootstrap(n: int, spread: float, coverage: float) -> None:
    """In 400 simulated tables, within four standard errors of what 1,500 others gave; 95 % were asked for."""
    low, high = kendall_w(simulated(400, n, spread, n), n_resamples=999).confidence_interval(method="bca")
    truth = mean_w(n, spread)

    share = ((low <= truth) & (truth <= high)).mean()

    assert share == pytest.approx(coverage, abs=4 * math.sqrt(coverage * (1 - coverage) / 400))


@pytest.mark.long
def test_usual_bootstrap_covers_less() -> None:
    """Percentiles of W of 10 datasets drawn with replacement: those drawn twice agree with themselves."""
    rng, truth = np.random.default_rng(10), mean_w(10, 1.5)
    tables = simulated(400, 10, 1.5, 1)
    usual = []
    for scores in tables:
        resampled = friedman_test(scores[rng.integers(0, 10, (199, 10))], method="chi2").kendall_w
        low, high = np.quantile(resampled, [0.025, 0.975])
        usual.append(low <= truth <= high)
    low, high = kendall_w(tables, n_resamples=999).confidence_interval()

    assert np.mean(usual) < 0.86 < ((low <= truth) & (truth <= high)).mean()


@pytest.mark.long
def test_w_is_large_by_chance_and_concordance_is_not() -> None:
    """Noise on 5 datasets: W is 1/5 on average, the concordance 0; within four standard errors."""
    result = kendall_w(simulated(4000, 5, 0, 2), n_resamples=1)

    assert result.estimate.mean() == pytest.approx(0.2, abs=4 * result.estimate.std() / math.sqrt(4000))
    assert result.concordance.mean() == pytest.approx(0, abs=4 * result.concordance.std() / math.sqrt(4000))


@pytest.mark.parametrize(
    ("scores", "estimate", "reason"),
    [
        (np.ones((3, 3)), 0.0, "all classifiers are tied on every dataset"),
        ([[1, 2, 3]], 1.0, "there is only one dataset, which agrees with itself"),
        ([[1, 2, 3]] * 4, 1.0, "omitting any one dataset does not change W, so there is no interval for W"),
        ([[1, 2], [2, 1]], 0.0, "an interval for W requires three or more datasets"),
        ([[1, 1], [1, 2], [1, 1]], 1 / 3, "omitting any one dataset does not change W, so there is no interval for W"),
    ],
)
def test_nothing_to_resample_has_no_interval(scores: Any, estimate: float, reason: str) -> None:
    result = kendall_w(scores)
    low, high = result.confidence_interval()

    assert result.estimate == friedman_test(scores).kendall_w
    assert result.reason == reason
    assert math.isnan(low)
    assert math.isnan(high)
    assert math.isnan(result.standard_error)


def test_laws() -> None:
    """Relabeling, direction and monotone transformations change nothing; the same seed gives the same interval."""
    scores = np.random.default_rng(6).random((7, 4))
    here = kendall_w(scores)

    for other in (scores[:, ::-1], scores[::-1], -scores, np.exp(9 * scores)):
        there = kendall_w(other)
        assert there.estimate == here.estimate
        assert tuple(there.confidence_interval()) == pytest.approx(tuple(here.confidence_interval()), rel=1e-12)
    assert kendall_w(scores, rng=1).standard_error != here.standard_error


def test_wider_for_a_higher_level() -> None:
    result = kendall_w(example_table("demsar-2006").scores)

    lows, highs = zip(*(result.confidence_interval(level) for level in (0.8, 0.9, 0.99)), strict=True)

    assert list(lows) == sorted(lows, reverse=True)
    assert list(highs) == sorted(highs)


def test_batch_equals_the_loop_over_its_members() -> None:
    tables = np.round(np.random.default_rng(6).random((2, 3, 5, 4)), 1)
    tables[0, 0] = 0.5

    batch = kendall_w(tables, n_resamples=199)
    interval = batch.confidence_interval()

    for at in np.ndindex(2, 3):
        member = kendall_w(tables[at], n_resamples=199)
        for field in dataclasses.fields(member):
            ours, single = getattr(batch, field.name), getattr(member, field.name)
            np.testing.assert_array_equal(ours[at] if np.shape(ours)[:2] == (2, 3) else ours, single)
        np.testing.assert_array_equal((interval.low[at], interval.high[at]), tuple(member.confidence_interval()))


def test_result_is_a_frozen_record_of_plain_values() -> None:
    result = kendall_w([[3, 2, 1], [3, 1, 2], [2, 3, 1]])

    assert isinstance(result, EstimateResult)
    assert type(result.estimate) is float
    assert "_replicates" not in json.loads(json.dumps(result.to_dict()))
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.estimate = 0.0  # that it cannot be done is the point


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scores": [[1, 2, math.nan]]}, r"scores must be finite, but scores\[0, 2\] is nan"),
        ({"scores": [1, 2]}, "shape"),
        ({"scores": [[1, 2]], "n_resamples": 0}, "n_resamples must be at least 1"),
        ({"scores": [[1, 2]], "tie_tolerance": 2}, "tie_tolerance must be"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        kendall_w(**arguments)


def test_level_outside_0_and_1_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="confidence_level must lie between 0 and 1"):
        kendall_w([[1, 2], [1, 2]]).confidence_interval(1)


def test_result_is_equal_to_itself_alone_and_can_be_a_key() -> None:
    scores = [[3, 2, 1], [1, 2, 3], [3, 1, 2]]
    one, other = kendall_w(scores, rng=1), kendall_w(scores, rng=1)

    assert {one: "one", other: "other"}[one] == "one"
