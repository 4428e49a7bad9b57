"""Quade's test and the pairs after it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from repetitions import repetitions
from scipy import stats

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.examples import example_table
from evalstats.multiple.conover import conover_test
from evalstats.multiple.quade import quade_posthoc_test, quade_test
from evalstats.paired.wilcoxon import wilcoxon_test

# Conover (1999), section 5.8, and help(quade.test) of R: sales of five brands in seven shops
BRANDS = np.array(
    [
        [5, 4, 7, 10, 12],
        [1, 3, 1, 0, 2],
        [16, 12, 22, 22, 35],
        [5, 4, 3, 5, 4],
        [10, 9, 7, 13, 10],
        [19, 18, 28, 37, 58],
        [10, 7, 6, 8, 7],
    ]
)
# scikit-posthocs 0.17.1, posthoc_quade(dist='t') on Table 6 of Demšar (2006)
SCIKIT_POSTHOCS_T = [
    0.03904967998217414,
    0.8463822914131326,
    0.003303131056409294,
    0.05956730764510596,
    0.32603763251130896,
    0.005563005973590032,
]
# the same with dist='normal', which uses n k where the formula has n
SCIKIT_POSTHOCS_NORMAL_OF_1_AND_4 = 8.595811218563144e-06

tables = hnp.arrays(float, st.tuples(st.integers(2, 4), st.integers(2, 3)), elements=st.integers(0, 6).map(float))


def demsar() -> np.ndarray:
    return np.array(example_table("demsar-2006").scores)


def f_by_definition(ranks: np.ndarray, weight: np.ndarray) -> float:
    """Conover (1999), section 5.8, in floating point."""
    n, k = ranks.shape
    s = weight[:, None] * (ranks - (k + 1) / 2)
    a, b = (s**2).sum(), (s.sum(axis=0) ** 2).sum() / n
    return (n - 1) * b / (a - b) if a - b > 1e-9 * a else math.inf if a > 0 else 0.0


def by_definition(scores: np.ndarray) -> tuple[float, float]:
    """F, and its exact p-value by all orders of the ranks of all datasets."""
    ranks = np.array([stats.rankdata(-row) for row in scores])
    weight = stats.rankdata(np.ptp(scores, axis=1))
    observed = f_by_definition(ranks, weight)
    orders = itertools.product(*(itertools.permutations(row) for row in ranks.tolist()))
    reached = [f_by_definition(np.array(order), weight) >= observed * (1 - 1e-9) for order in orders]
    return observed, float(np.mean(reached))


def test_two_datasets_by_hand() -> None:
    """Weights 1 and 2, ranks (1, 2) and (2, 1): A = 1/2 + 2, B = (1/4 + 1/4) / 2, F = B / (A - B) = 1/9."""
    result = quade_test([[3, 2], [1, 5]])

    assert result.range_ranks.tolist() == [1, 2]
    assert result.statistic == pytest.approx(1 / 9, rel=1e-15)
    assert (result.pvalue, result.method) == (1.0, "exact")


def test_conovers_brands() -> None:
    """help(quade.test): F = 3.8293 on 4 and 24 degrees of freedom, p = .01519."""
    result = quade_test(BRANDS, method="f")

    assert result.statistic == pytest.approx(3.8293, abs=5e-5)
    assert (result.df, result.method) == ((4, 24), "f")
    assert result.pvalue == pytest.approx(0.01519, abs=5e-6)


@settings(max_examples=repetitions(40))
@given(tables)
def test_follows_the_definition(scores: np.ndarray) -> None:
    observed, pvalue = by_definition(scores)

    result = quade_test(scores, method="exact")

    assert result.statistic == pytest.approx(observed, rel=1e-12)
    assert result.pvalue == pytest.approx(pvalue, rel=1e-12)


def test_two_classifiers_are_the_signed_rank_test_with_ranked_zeros() -> None:
    """The weights are the ranks of |x - y|, zeros included, as Pratt ranks them."""
    rng = np.random.default_rng(8)
    scores = rng.integers(0, 12, (15, 2)) / 4

    quade = quade_test(scores, method="exact")
    pratt = wilcoxon_test(scores[:, 0], scores[:, 1], zero_method="pratt", method="exact")

    assert quade.pvalue == pytest.approx(pratt.pvalue, rel=1e-12)


def test_noise_of_floating_point_does_not_decide_which_range_is_larger() -> None:
    """0.3 - 0.2, 0.9 - 0.8 and 0.2 - 0.1 are one range, unless bits are compared."""
    scores = [[0.3, 0.2], [0.9, 0.8], [0.2, 0.1]]

    assert quade_test(scores).range_ranks.tolist() == [2, 2, 2]
    assert quade_test(scores, tie_tolerance=0).range_ranks.tolist() == [1.5, 1.5, 3]


def test_agreement_with_equal_ranges_is_infinite() -> None:
    """R: statistic NaN, p = (3!)^(1 - 4); here the ties are counted too."""
    result = quade_test([[1, 2, 3], [2, 3, 4], [0, 1, 2], [5, 6, 7]], method="f")
    tied = quade_test([[1, 2, 2], [2, 3, 3], [0, 1, 1]], method="f")

    assert result.statistic == math.inf
    assert result.pvalue == result.min_attainable_pvalue == pytest.approx(6.0**-3, rel=1e-15)
    assert result.reason == "all datasets agree and have equal ranges, so F is infinite"
    assert tied.pvalue == pytest.approx(1 / 9, rel=1e-15)
    assert quade_test([[1, 2, 2], [2, 3, 3], [0, 1, 1]]).pvalue == pytest.approx(1 / 9, rel=1e-15)


def test_agreement_with_other_ranges_is_finite() -> None:
    result = quade_test([[1, 2, 3], [2, 4, 6], [0, 5, 9]], method="exact")

    assert np.isfinite(result.statistic)
    assert result.pvalue == result.min_attainable_pvalue == pytest.approx(6.0**-2, rel=1e-15)
    assert result.reason is None


def test_one_dataset_shows_nothing() -> None:
    result = quade_test([[0.9, 0.8, 0.7]])

    assert result.pvalue == result.min_attainable_pvalue == 1
    assert result.reason == "with one dataset, all orders of the classifiers are equally extreme"
    assert quade_test([[0.9, 0.8, 0.7]], method="f").pvalue == 1


def test_f_keeps_its_level_nearly() -> None:
    """In 3,000 tables of noise, 20 datasets and 4 classifiers, 5 % reject: three standard errors."""
    result = quade_test(np.random.default_rng(1979).random((3000, 20, 4)), method="f")

    assert (result.pvalue <= 0.05).mean() == pytest.approx(0.05, abs=3 * math.sqrt(0.05 * 0.95 / 3000) + 0.003)


def test_monte_carlo_repeats_itself() -> None:
    one, two = (quade_test(BRANDS, method="monte-carlo", n_resamples=999, rng=4) for _ in range(2))

    assert one.pvalue == two.pvalue
    assert one.n_resamples == 999
    assert one.pvalue == pytest.approx(quade_test(BRANDS, method="f").pvalue, abs=0.02)


def test_far_tail_is_no_zero() -> None:
    scores = np.arange(400)[:, None] * 0.01 + np.array([0, 1.0, 2.0]) * np.arange(1, 401)[:, None]

    assert 0 < quade_test(scores, method="f").pvalue < 1e-100
    assert 0 < quade_posthoc_test(scores).pvalue[0, 2] < 1e-30


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_posthoc_z_has_unit_variance_and_published_formulas_have_not(k: int) -> None:
    """In noise, 3,000 tables of 20 datasets; within four standard errors of a standard deviation.

    Garcia et al. (2010) and scmamp divide by k (k + 1) (2n + 1) (k - 1) / (18 n (n + 1)), right for k = 3 only;
    PMCMRplus has n k in place of n in the right formula.
    """
    n, n_tables = 20, 3000
    result = quade_posthoc_test(np.random.default_rng(k).random((n_tables, n, k)), adjust="none")
    difference = result.weighted_mean_ranks[:, 0] - result.weighted_mean_ranks[:, 1]
    right = k * (k + 1) * (2 * n + 1) / (9 * n * (n + 1))
    garcia = k * (k + 1) * (2 * n + 1) * (k - 1) / (18 * n * (n + 1))
    margin = 4 / math.sqrt(2 * n_tables)

    assert result.statistic[:, 0, 1].std() == pytest.approx(1, abs=margin)
    np.testing.assert_allclose(result.statistic[:, 0, 1], difference / math.sqrt(right), rtol=1e-10, atol=1e-12)
    assert (abs(difference.std() / math.sqrt(garcia) - 1) < margin) == (k == 3)


def test_posthoc_t_on_demsars_table() -> None:
    result = quade_posthoc_test(demsar(), method="t", adjust="none")

    assert result.pvalue[np.triu_indices(4, 1)] == pytest.approx(SCIKIT_POSTHOCS_T, rel=1e-10)
    assert result.df == 39


def test_posthoc_normal_is_not_that_of_others() -> None:
    """.0053, where they have 8.6e-6."""
    pvalue = quade_posthoc_test(demsar(), adjust="none").pvalue[0, 3]

    assert pvalue == pytest.approx(0.005277608703, rel=1e-9)
    assert pvalue > 600 * SCIKIT_POSTHOCS_NORMAL_OF_1_AND_4


def test_equal_ranges_make_t_that_of_conover() -> None:
    rng = np.random.default_rng(3)
    scores = rng.permuted(np.tile([0.0, 1, 2, 3], (9, 1)), axis=1)

    quade, conover = quade_posthoc_test(scores, method="t"), conover_test(scores)

    np.testing.assert_allclose(quade.pvalue, conover.pvalue, rtol=1e-12)


def test_t_of_agreement_does_not_apply() -> None:
    result = quade_posthoc_test([[1, 2, 3], [2, 3, 4]], method="t")

    assert np.isnan(result.pvalue[0, 1])
    assert result.statistic[0, 1] == math.inf
    assert "the t distribution does not apply" in result.reason
    assert quade_posthoc_test([[1, 2, 3], [2, 3, 4]]).reason is None


def test_control_is_a_column_of_all_pairs() -> None:
    every = quade_posthoc_test(BRANDS, adjust="none")
    one = quade_posthoc_test(BRANDS, control=2, adjust="none")

    np.testing.assert_array_equal(np.delete(one.pvalue, 2), np.delete(every.pvalue[:, 2], 2))
    np.testing.assert_array_equal(np.delete(one.statistic, 2), np.delete(every.statistic[:, 2], 2))
    assert np.isnan(one.pvalue[2])
    assert one.control == 2


@pytest.mark.parametrize("method", ["normal", "t"])
def test_batch_is_a_loop(method: str) -> None:
    scores = np.random.default_rng(7).random((5, 2, 6, 4)).round(1)

    result = quade_posthoc_test(scores, method=method, control=1)

    for at in np.ndindex(5, 2):
        np.testing.assert_array_equal(
            result.pvalue[at], quade_posthoc_test(scores[at], method=method, control=1).pvalue
        )


@pytest.mark.parametrize(
    ("choices", "error", "message"),
    [
        ({"method": "chi2"}, InvalidValueError, "method must be 'auto' or 'exact' or 'monte-carlo' or 'f', not 'chi2'"),
        ({"n_resamples": 0}, InvalidValueError, "n_resamples must be at least 1"),
        ({"rng": "seed"}, InvalidTypeError, "rng must be None, a seed"),
        ({"tie_tolerance": 2}, InvalidValueError, "tie_tolerance must be 0 or a power of ten"),
    ],
)
def test_messages(choices: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        quade_test(BRANDS, **choices)

    assert message in str(caught.value)


def test_range_too_large_for_a_float() -> None:
    with pytest.raises(InvalidValueError, match=r"the range of scores\[1\] is too large"):
        quade_test([[1, 2], [1.7e308, -1.7e308]])


def test_batch_is_its_members() -> None:
    batch = np.random.default_rng(3).normal(size=(4, 6, 3))

    together, alone = quade_test(batch), [quade_test(scores) for scores in batch]

    assert together.statistic.tolist() == [one.statistic for one in alone]
    assert together.pvalue.tolist() == [one.pvalue for one in alone]
