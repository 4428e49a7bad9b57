from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from evalstats.distributions.jonckheere import law_of_pairs, law_of_sum, law_work, moments, n_pairs

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
    from evalstats.distributions import jonckheere as ordered_pairs

    assert ordered_pairs._tied((3, 2, 4), (1,) * 9) == pytest.approx(law_of_pairs((3, 2, 4), (1,) * 9), rel=1e-12)


def test_sum_of_laws_is_their_convolution() -> None:
    coin = np.array([0.5, 0.5])

    assert law_of_sum([coin, coin, coin]).tolist() == [0.125, 0.375, 0.375, 0.125]


def test_work_grows_with_what_there_is_to_do() -> None:
    assert law_work((5, 5), (1,) * 10) < law_work((20, 20), (1,) * 40) < law_work((20, 20), (2,) * 20)
