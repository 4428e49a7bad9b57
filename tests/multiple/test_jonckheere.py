"""Jonckheere's test of ordered groups, and of ordered classifiers on the same datasets."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evalstats import sign_test
from evalstats.multiple import jonckheere, jonckheere_block_test, jonckheere_test, page_test
from evalstats.multiple.jonckheere import law_of_pairs, law_of_sum, law_work, moments, n_pairs

ALTERNATIVES = ("greater", "less", "two-sided")
# Hollander & Wolfe (1999), example 6.2: pieces turned out after none, rough and accurate information; J = 79.
# Its variance is 153 without the correction for ties, z = 2.02
PIECES = [[40, 35, 38, 43, 44, 41], [38, 40, 47, 44, 40, 42], [48, 40, 45, 43, 46, 44]]
SCORES = np.array([[0.71, 0.74, 0.80], [0.62, 0.66, 0.65], [0.80, 0.81, 0.85], [0.55, 0.60, 0.63]])
CASES = [
    ((1, 1), (1, 1)),
    ((2, 3), (1,) * 5),
    ((2, 1, 2), (1,) * 5),
    ((3, 2), (2, 1, 2)),
    ((2, 2, 1), (1, 3, 1)),
    ((1, 1, 1, 1), (2, 2)),
    ((1, 1, 1, 1), (1, 1, 1, 1)),
    ((2, 2, 2), (1, 2, 3)),
    ((3, 1), (4,)),
]


def in_order(groups: list[np.ndarray]) -> float:
    """Pairs of different groups in order, equal scores half: the definition."""
    return float(
        sum(
            0.5 + np.sign(b - a) / 2
            for first, second in itertools.combinations(groups, 2)
            for a in first
            for b in second
        )
    )


def shares(law: np.ndarray, observed: float, alternative: str) -> float:
    if alternative == "two-sided":
        return float(np.mean(abs(law - law.mean()) >= abs(observed - law.mean()) - 1e-9))
    return float(np.mean(law >= observed - 1e-9 if alternative == "greater" else law <= observed + 1e-9))


def test_three_groups_of_two_by_hand() -> None:
    """All twelve pairs in order, in one of the 90 ways to share six scores out."""
    result = jonckheere_test([[1, 2], [3, 4], [5, 6]])

    assert (result.statistic, result.expected, result.order_probability, result.sizes) == (12.0, 6.0, 1.0, (2, 2, 2))
    assert result.pvalue == result.min_attainable_pvalue == pytest.approx(1 / 90, rel=1e-14)


def test_hollander_and_wolfe() -> None:
    result = jonckheere_test(PIECES, method="asymptotic", correction=False)

    assert result.statistic == 79
    assert round((result.statistic - result.expected) / np.sqrt(153), 2) == 2.02
    assert result.standard_deviation**2 == pytest.approx(150.29, abs=0.005)
    assert result.pvalue == pytest.approx(0.0207, abs=5e-5)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("sizes", [(1, 1), (3, 2), (2, 1, 2), (1, 2, 3), (2, 2, 2)])
@pytest.mark.parametrize("n_values", [2, 4, 1000])
def test_exact_pvalue_is_a_share_of_all_orders(sizes: tuple[int, ...], n_values: int, alternative: str) -> None:
    values = np.random.default_rng(sum(sizes)).integers(0, n_values, sum(sizes)).astype(float)
    cuts = np.cumsum(sizes)[:-1]
    law = np.array([in_order(np.split(np.array(order), cuts)) for order in itertools.permutations(values.tolist())])

    result = jonckheere_test(np.split(values, cuts), alternative=alternative, method="exact")

    assert result.statistic == in_order(np.split(values, cuts))
    assert result.pvalue == pytest.approx(shares(law, result.statistic, alternative), rel=1e-12)
    assert result.standard_deviation == pytest.approx(law.std(), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_two_groups_have_the_test_of_mann_and_whitney(alternative: str) -> None:
    rng = np.random.default_rng(2)
    x, y = rng.random(12), rng.random(9) + 0.2

    result = jonckheere_test([x, y], alternative=alternative)

    expected = stats.mannwhitneyu(y, x, alternative=alternative, method="exact")
    assert (result.statistic, result.method) == (expected.statistic, "exact")
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    tied = [np.round(x, 1), np.round(y, 1)]
    corrected = jonckheere_test(tied, alternative=alternative, method="asymptotic")
    assert corrected.pvalue == pytest.approx(
        stats.mannwhitneyu(tied[1], tied[0], alternative=alternative, method="asymptotic").pvalue, rel=1e-12
    )


def test_groups_of_one_have_the_test_of_kendall() -> None:
    values = np.random.default_rng(3).permutation(9) + np.arange(9)

    result = jonckheere_test(values[:, None], alternative="two-sided")

    expected = stats.kendalltau(np.arange(9), values)
    assert 2 * result.order_probability - 1 == pytest.approx(
        np.sign(values[None, :] - values[:, None])[np.triu_indices(9, 1)].mean(), rel=1e-12
    )
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-9) or len(set(values.tolist())) < 9


def test_exact_and_normal_pvalues_agree() -> None:
    groups = [np.random.default_rng(i).integers(0, 30, 15) + 2 * i for i in range(3)]

    exact, normal = (jonckheere_test(groups, method=method).pvalue for method in ("exact", "asymptotic"))

    assert normal == pytest.approx(exact, rel=0.05)


def test_many_scores_are_asymptotic_by_default() -> None:
    groups = np.random.default_rng(4).random((3, 500))

    assert jonckheere_test(groups).method == "asymptotic"


def test_far_tail_keeps_its_digits() -> None:
    """30 scores below 30 others: one of (60 over 30) ways."""
    from math import comb

    result = jonckheere_test([np.arange(30), np.arange(30) + 30])

    assert result.pvalue == pytest.approx(1 / comb(60, 30), rel=1e-12)


def test_batch_is_the_loop() -> None:
    rng = np.random.default_rng(5)
    groups = [rng.integers(0, 5, (4, n)) for n in (3, 4, 2)]
    groups[1] = groups[1][0]

    batch = jonckheere_test(groups, alternative="two-sided")

    for i in range(4):
        member = jonckheere_test([groups[0][i], groups[1], groups[2][i]], alternative="two-sided")
        for name in ("statistic", "pvalue", "standard_deviation", "min_attainable_pvalue", "method"):
            assert getattr(batch, name)[i] == getattr(member, name)


@pytest.mark.parametrize("method", ["auto", "exact", "asymptotic"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_scores_have_p_one_and_a_reason(method: str, alternative: str) -> None:
    result = jonckheere_test([[0.3, 0.3], [0.1 + 0.2]], method=method, alternative=alternative)

    assert (result.pvalue, result.min_attainable_pvalue, result.reason) == (1, 1, jonckheere.ALL_EQUAL)


@pytest.mark.parametrize("method", ["auto", "exact", "asymptotic"])
def test_tied_datasets_have_p_one_and_a_reason_and_others_have_none(method: str) -> None:
    tied = jonckheere_block_test(np.full((4, 3), 0.5), method=method)
    # two orders of two classifiers have standard deviation 1/2, and four such datasets 1
    other = jonckheere_block_test([[1, 2], [2, 1], [1, 2], [1, 2]], method=method)

    assert (tied.pvalue, tied.reason) == (1, jonckheere.ALL_TIED)
    assert (other.standard_deviation, other.reason) == (1, None)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n_values", [2, 3, 1000])
@pytest.mark.parametrize(("n", "k"), [(1, 2), (1, 4), (3, 3), (2, 4)])
def test_exact_pvalue_of_blocks_is_a_share_of_all_orders(n: int, k: int, n_values: int, alternative: str) -> None:
    scores = np.random.default_rng(n + 7 * k).integers(0, n_values, (n, k)).astype(float)
    by_row = [[in_order(list(np.array(o)[:, None])) for o in itertools.permutations(row)] for row in scores.tolist()]
    law = np.array([sum(chosen) for chosen in itertools.product(*by_row)])

    result = jonckheere_block_test(scores, alternative=alternative, method="exact")

    observed = sum(in_order(list(row[:, None])) for row in scores)
    assert result.statistic == observed
    assert result.pvalue == pytest.approx(shares(law, observed, alternative), rel=1e-12)
    assert result.standard_deviation == pytest.approx(law.std(), rel=1e-12, abs=1e-15)


def test_two_classifiers_have_the_sign_test() -> None:
    scores = np.random.default_rng(6).integers(0, 4, (25, 2))

    for alternative in ALTERNATIVES:
        result = jonckheere_block_test(scores, alternative=alternative)
        alone = sign_test(scores[:, 1], scores[:, 0], alternative=alternative)
        assert result.pvalue == pytest.approx(alone.pvalue, rel=1e-12)


def test_three_classifiers_in_order_have_the_p_of_page() -> None:
    """The same best order, and all others at most as good: 6^-n."""
    scores = [[1, 2, 3]] * 5

    result = jonckheere_block_test(scores)

    assert result.pvalue == result.min_attainable_pvalue == pytest.approx(page_test(scores).pvalue, rel=1e-12)


def test_order_and_direction() -> None:
    frame = pd.DataFrame(SCORES, columns=["small", "middle", "large"])

    result = jonckheere_block_test(frame)

    assert jonckheere_block_test(frame, order=["large", "middle", "small"], alternative="less").pvalue == result.pvalue
    assert jonckheere_block_test(-frame, greater_is_better=False).pvalue == result.pvalue
    assert result.mean_ranks.tolist() == page_test(SCORES).mean_ranks.tolist()
    assert result.order == ("small", "middle", "large")


def test_batch_of_tables_is_the_loop() -> None:
    tables = np.random.default_rng(7).integers(0, 3, (3, 5, 4))
    tables[1] = 2

    batch = jonckheere_block_test(tables)

    for i in range(3):
        member = jonckheere_block_test(tables[i])
        assert (batch.statistic[i], batch.pvalue[i], batch.reason[i]) == (
            member.statistic,
            member.pvalue,
            member.reason,
        )
    assert batch.pvalue[1] == 1


@pytest.mark.parametrize(
    ("samples", "choices", "message"),
    [
        ([[1, 2]], {}, "samples must hold two or more groups of scores, not 1"),
        ([[1, 2], []], {}, r"samples\[1\] must hold at least one score"),
        ([[1, 2], 3], {}, r"samples\[1\] must hold at least one score, but its shape is \(\)"),
        ([[1, 2], [np.nan]], {}, r"samples\[1\] must be finite, but samples\[1\]\[0\] is nan"),
        ([np.ones((2, 3)), np.ones((3, 3))], {}, "the leading axes of samples must broadcast"),
        (5, {}, "samples must be a sequence of arrays of scores"),
        ([[1], [2]], {"method": "normal"}, "method must be 'auto' or 'exact' or 'asymptotic'"),
        ([[1], [2]], {"correction": 1}, "correction must be True or False"),
        (np.random.default_rng(0).random((4, 2000)), {"method": "exact"}, "method='exact' would take about"),
    ],
)
def test_what_is_refused(samples: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        jonckheere_test(samples, **choices)


def test_order_must_name_all_columns() -> None:
    with pytest.raises(ValueError, match="order must name each of the columns 0, 1, 2 once"):
        jonckheere_block_test(SCORES, order=[0, 1])


def twice_in_order(values: tuple[int, ...], sizes: tuple[int, ...]) -> int:
    """Twice the number of pairs in order, with one half for equal values: the definition."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    return sum(
        int(1 + np.sign(values[j] - values[i]))
        for i, j in itertools.combinations(range(len(values)), 2)
        if group[i] != group[j]
    )


@pytest.mark.parametrize(("sizes", "pattern"), CASES)
def test_law_is_that_of_all_orders(sizes: tuple[int, ...], pattern: tuple[int, ...]) -> None:
    values = np.repeat(np.arange(len(pattern)), pattern).tolist()
    twice = [twice_in_order(order, sizes) for order in itertools.permutations(values)]
    shares = np.bincount(twice, minlength=2 * n_pairs(sizes) + 1) / len(twice)

    assert law_of_pairs(sizes, pattern) == pytest.approx(shares, rel=1e-12, abs=1e-300)
    assert moments(sizes, pattern) == pytest.approx((np.mean(twice) / 2, np.var(twice) / 4), rel=1e-12, abs=1e-15)


def test_two_groups_have_the_law_of_mann_and_whitney() -> None:
    x, y = np.arange(30) + 0.3, np.arange(20) * 1.7
    statistic, pvalue = stats.mannwhitneyu(y, x, alternative="greater", method="exact")

    law = law_of_pairs((30, 20), (1,) * 50)

    assert law[2 * int(statistic) :].sum() == pytest.approx(pvalue, rel=1e-12)


def test_tied_law_grows_out_of_the_untied_one() -> None:
    """Both ways to the law of untied values."""
    from evalstats.multiple import jonckheere as ordered_pairs

    assert ordered_pairs._tied((3, 2, 4), (1,) * 9) == pytest.approx(law_of_pairs((3, 2, 4), (1,) * 9), rel=1e-12)


def test_sum_of_laws_is_their_convolution() -> None:
    coin = np.array([0.5, 0.5])

    assert law_of_sum([coin, coin, coin]).tolist() == [0.125, 0.375, 0.375, 0.125]


def test_work_grows_with_what_there_is_to_do() -> None:
    assert law_work((5, 5), (1,) * 10) < law_work((20, 20), (1,) * 40) < law_work((20, 20), (2,) * 20)
