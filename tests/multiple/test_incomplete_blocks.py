"""Tables with missing scores: ranks, links and random orders."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from evalstats._checks import random_source
from evalstats._errors import InvalidValueError
from evalstats.multiple import incomplete_blocks

NAN = np.nan


def test_each_dataset_ranks_the_scores_it_has() -> None:
    ranks = incomplete_blocks.observed_ranks(np.array([[0.9, NAN, 0.7, 0.9], [NAN, 0.1, NAN, 0.2]]), True, 1e-12)

    np.testing.assert_array_equal(ranks, [[1.5, NAN, 3, 1.5], [NAN, 2, NAN, 1]])


def test_links_reach_through_other_classifiers() -> None:
    there = np.array([[1, 1, 0, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 1, 1]], dtype=bool)

    assert incomplete_blocks.linked_groups(there).tolist() == [0, 0, 0, 3, 3]


def test_links_reach_along_a_long_chain() -> None:
    there = np.eye(40, 41, dtype=bool) | np.eye(40, 41, 1, dtype=bool)

    assert not incomplete_blocks.linked_groups(there).any()


def test_inverse_is_one_on_the_range_of_the_covariance() -> None:
    """C V C = C, with the covariance of random orders by its definition."""
    rng = np.random.default_rng(1)
    there = rng.random((6, 5)) < 0.6
    there = there[there.sum(axis=1) > 1]
    variance = rng.random(len(there))
    covariance = sum(
        s * (np.diag(t) - np.outer(t, t) / t.sum()) for s, t in zip(variance, there.astype(float), strict=True)
    )

    inverse = incomplete_blocks.inverse_covariance(there, variance)

    np.testing.assert_allclose(covariance @ inverse @ covariance, covariance, atol=1e-12)


def test_infinity_is_refused_and_nan_is_not() -> None:
    with pytest.raises(InvalidValueError, match=r"scores must be finite, but scores\[1, 0\] is -inf"):
        incomplete_blocks.incomplete_scores([[NAN, 1], [-np.inf, 2]])

    np.testing.assert_array_equal(incomplete_blocks.incomplete_scores([[NAN, 1], [3, 2]]), [[NAN, 1], [3, 2]])


def ranks(n: int, k: int) -> incomplete_blocks.CentredRanks:
    """One score in k is missing on every second dataset, whose ranks have another weight."""
    there = np.ones((n, k), dtype=bool)
    there[::2, 0] = False
    orders = np.random.default_rng(n).random((n, k)).argsort(axis=1).argsort(axis=1)
    places = np.where(there, orders, k).argsort(axis=1).argsort(axis=1)
    m = there.sum(axis=1)
    return incomplete_blocks.CentredRanks(
        np.where(there, 2.0 * places - (m[:, None] - 1), 0.0), np.sqrt(3 / (m + 1)), there
    )


@pytest.mark.parametrize(
    ("method", "n", "k", "expected"),
    [
        ("auto", 3, 4, "exact"),
        ("auto", 19, 9, "monte-carlo"),
        ("auto", 20, 9, "chi2"),
        ("chi2", 3, 4, "chi2"),
        ("monte-carlo", 3, 4, "monte-carlo"),
        ("exact", 8, 4, "exact"),
    ],
)
def test_null_distribution_is_a_matter_of_the_table(method: str, n: int, k: int, expected: str) -> None:
    observed, source = np.array([3.0]), random_source(None)

    chosen, tail = incomplete_blocks.null_tail(ranks(n, k), np.eye(k), observed, method, "chi2", 99, source)

    assert chosen == expected
    assert (tail is None) == (expected == "chi2")


def test_exact_tail_counts_all_orders() -> None:
    """Of three datasets, of which two lack a score, so sums have two weights."""
    data = ranks(3, 3)
    inverse = incomplete_blocks.inverse_covariance(data.there, np.ones(3))
    orders = [
        [np.put(row := np.zeros(3), np.flatnonzero(t), p) or row * w for p in itertools.permutations(whole[t])]
        for whole, w, t in zip(data.whole, data.weight, data.there, strict=True)
    ]
    forms = [incomplete_blocks.quadratic_form(np.sum(rows, axis=0), inverse) for rows in itertools.product(*orders)]
    observed = np.quantile(forms, [0.0, 0.4, 0.8, 1.0], method="lower")

    tail = incomplete_blocks.affordable_tail(data, inverse, observed, np.inf)

    expected = [(np.array(forms) >= s * (1 - 1e-9)).mean() for s in observed]
    np.testing.assert_allclose(tail, expected, rtol=1e-14)


@pytest.mark.parametrize(("n", "k"), [(30, 5), (3, 12)])
def test_exact_is_refused_where_it_is_not_affordable(n: int, k: int) -> None:
    with pytest.raises(InvalidValueError, match=r"method='exact' would take more than 3e\+08 additions"):
        incomplete_blocks.null_tail(ranks(n, k), np.eye(k), np.array([3.0]), "exact", "chi2", 99, random_source(None))


def test_refusal_says_how_many_classifiers_there_are() -> None:
    with pytest.raises(InvalidValueError, match="additions for 30 datasets and 5 classifiers"):
        incomplete_blocks.null_tail(ranks(30, 5), np.eye(5), np.array([3.0]), "exact", "chi2", 99, random_source(None))


def test_simulated_pvalue_counts_the_table_that_was_seen() -> None:
    """(b + 1) / (m + 1): where no drawn order is as extreme it is 1 / (m + 1), and where all are it is 1."""
    of = (ranks(30, 5), np.eye(5))

    for observed, expected in ((1e9, 1 / 100), (0.0, 1.0)):
        method, tail = incomplete_blocks.null_tail(
            *of, np.array([observed]), "monte-carlo", "chi2", 99, random_source(0)
        )
        assert (method, tail.tolist()) == ("monte-carlo", [expected])
