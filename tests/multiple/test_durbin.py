"""Durbin's test, on balanced incomplete designs."""

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
from evalstats._result import HypothesisTestResult
from evalstats.multiple.durbin import durbin_test
from evalstats.multiple.friedman import friedman_test

NAN = math.nan
# seven kinds of ice cream, three for each of seven people: Conover (1999), section 5.9, and the manual of the R package
# agricolae, durbin.test: chi-squared 12, F 8 on 6 and 8 degrees of freedom
KINDS = [(1, 2, 4), (2, 3, 5), (3, 4, 6), (4, 5, 7), (1, 5, 6), (2, 6, 7), (1, 3, 7)]
PREFERENCE = [(2, 3, 1), (3, 1, 2), (2, 1, 3), (1, 2, 3), (3, 1, 2), (3, 1, 2), (3, 1, 2)]
# the seven triples once more, as a design
TRIPLES = [tuple(kind - 1 for kind in kinds) for kinds in KINDS]


def table(blocks: Any, n_classifiers: int, values: Any) -> np.ndarray:
    scores = np.full((len(blocks), n_classifiers), NAN)
    for row, block, of_block in zip(scores, blocks, values, strict=True):
        row[list(block)] = of_block
    return scores


ICE_CREAM = table(TRIPLES, 7, PREFERENCE)


def random_design(seed: int, *, n_values: int = 10**6) -> np.ndarray:
    """All subsets of some size of some classifiers, two or three times."""
    rng = np.random.default_rng(seed)
    t = int(rng.integers(3, 6))
    k = int(rng.integers(2, t + 1))
    blocks = list(itertools.combinations(range(t), k)) * int(rng.integers(2, 4))
    return table(blocks, t, rng.integers(0, n_values, (len(blocks), k)))


def by_definition(scores: np.ndarray) -> tuple[float, float]:
    """Conover (1999), section 5.9: T1 with A and C, and T2."""
    ranks = np.full(scores.shape, NAN)
    for rank, row in zip(ranks, scores, strict=True):
        there = np.isfinite(row)
        rank[there] = stats.rankdata(row[there])
    b, t = scores.shape
    k, r = np.isfinite(scores[0]).sum(), np.isfinite(scores[:, 0]).sum()
    a, c = np.nansum(ranks**2), b * k * (k + 1) ** 2 / 4
    t1 = (t - 1) * ((np.nansum(ranks, axis=0) ** 2).sum() - r * c) / (a - c)
    return t1, t1 / (t - 1) / ((b * (k - 1) - t1) / (b * k - b - t + 1))


def f_of_analysis_of_variance(scores: np.ndarray) -> float:
    """How much better classifiers and datasets explain the ranks than datasets alone, by least squares."""
    there = np.isfinite(scores)
    dataset, classifier = np.nonzero(there)
    rank = np.concatenate([stats.rankdata(row[t]) for row, t in zip(scores, there, strict=True)])
    blocks = np.eye(scores.shape[0])[dataset]
    full = np.hstack([blocks, np.eye(scores.shape[1])[classifier]])
    small, large = ((rank - x @ np.linalg.lstsq(x, rank, rcond=None)[0]) ** 2 for x in (blocks, full))
    df = len(rank) - np.linalg.matrix_rank(full)
    return float((small.sum() - large.sum()) / (scores.shape[1] - 1) / (large.sum() / df))


def test_three_pairs_by_hand() -> None:
    """Doubled and centered rank sums -2, 0, 2: T1 = 2 * 8 / 6, T2 = (16 / 2) / ((3 * 6 - 16) / 1)."""
    result = durbin_test([[3, 2, NAN], [5, NAN, 1], [NAN, 9, 8]], method="f")

    assert result.chi2 == pytest.approx(8 / 3, rel=1e-15)
    assert result.f == pytest.approx(4, rel=1e-15)
    assert result.df == (2, 1)
    assert result.mean_ranks.tolist() == [1, 1.5, 2]


def test_conovers_ice_cream() -> None:
    result = durbin_test(ICE_CREAM, method="f", greater_is_better=False)

    assert result.chi2 == pytest.approx(12, rel=1e-15)
    assert result.chi2_pvalue == pytest.approx(0.0620, abs=5e-5)
    assert (result.f, result.df) == (pytest.approx(8, rel=1e-14), (6, 8))
    assert result.pvalue == pytest.approx(stats.f.sf(8, 6, 8), rel=1e-12)
    assert (result.n_per_dataset, result.n_per_classifier, result.n_per_pair) == (3, 3, 1)


@pytest.mark.parametrize("seed", range(20))
def test_follows_the_definition_with_ties(seed: int) -> None:
    scores = random_design(seed, n_values=3 if seed % 2 else 10**6)
    t1, t2 = by_definition(scores)

    result = durbin_test(scores, method="f")

    assert result.chi2 == pytest.approx(t1, rel=1e-12)
    assert result.f == pytest.approx(t2, rel=1e-10)
    assert result.f == pytest.approx(f_of_analysis_of_variance(scores), rel=1e-8)
    assert result.f_pvalue == pytest.approx(stats.f.sf(t2, *result.df), rel=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_complete_tables_are_friedmans(seed: int) -> None:
    scores = np.random.default_rng(seed).integers(0, 5, (6, 4))
    here, friedman = durbin_test(scores, method="f"), friedman_test(scores, method="f")

    assert here.chi2 == pytest.approx(friedman.chi2, rel=1e-14)
    assert here.f == pytest.approx(friedman.f, rel=1e-14)
    assert here.pvalue == pytest.approx(friedman.pvalue, rel=1e-13)
    assert here.min_attainable_pvalue == pytest.approx(friedman.min_attainable_pvalue, rel=1e-12)


def test_exact_counts_all_orders_and_monte_carlo_finds_it() -> None:
    """All orders of six pairs of four classifiers."""
    blocks = list(itertools.combinations(range(4), 2))
    scores = table(blocks, 4, [(2, 1), (2, 1), (2, 1), (2, 1), (1, 2), (2, 1)])
    orders = [
        table(blocks, 4, [(1, 2) if bit else (2, 1) for bit in bits]) for bits in itertools.product([0, 1], repeat=6)
    ]
    reached = durbin_test(np.array(orders), method="chi2").chi2 >= durbin_test(scores, method="chi2").chi2 - 1e-9

    result, drawn = durbin_test(scores), durbin_test(scores, method="monte-carlo", rng=1)

    assert (result.method, result.seed, drawn.method, drawn.seed) == ("exact", None, "monte-carlo", 1)
    assert result.pvalue == pytest.approx(reached.mean(), rel=1e-12)
    assert drawn.pvalue == pytest.approx(reached.mean(), abs=4 * math.sqrt(0.25 / 9999))


def test_exact_pvalue_of_a_complete_table_is_friedmans() -> None:
    """Two datasets that agree on three classifiers do so by chance once in six times."""
    scores = [[1, 2, 3, 4], [2, 1, 3, 4], [1, 2, 4, 3], [3, 2, 2, 9]]

    assert durbin_test(scores).pvalue == pytest.approx(friedman_test(scores, method="exact").pvalue, rel=1e-12)
    assert durbin_test([[1, 2, 3], [4, 5, 6]]).pvalue == pytest.approx(1 / 6, rel=1e-15)


@pytest.mark.long
def test_f_is_nearer_its_level_than_chi2() -> None:
    """In 3,000 designs of noise, the seven triples twice, at 5 %: chi-squared is conservative, F somewhat liberal."""
    rng = np.random.default_rng(1951)
    scores = np.array([table(TRIPLES * 2, 7, rng.random((14, 3))) for _ in range(3000)])
    result = durbin_test(scores, method="f")
    by_chi2, by_f = ((p <= 0.05).mean() for p in (result.chi2_pvalue, result.f_pvalue))

    assert 0.02 < by_chi2 < 0.05 < by_f < 0.08


def test_full_agreement_has_the_probability_of_agreement() -> None:
    """As in Friedman's test: k!^(1 - n)."""
    scores = [[1, 2, 3], [4, 5, 6], [2, 3, 9]]
    result = durbin_test(scores, method="f")

    assert (result.statistic, result.pvalue) == (math.inf, pytest.approx(1 / 36, rel=1e-15))
    assert result.pvalue == pytest.approx(friedman_test(scores, method="f").pvalue, rel=1e-15)
    assert result.reason == (
        "the classifiers explain all ranks, so F is infinite; its p-value is the exact probability of such ranks"
    )
    assert durbin_test(scores).reason is None
    assert durbin_test(scores).pvalue == pytest.approx(1 / 36, rel=1e-15)


def test_one_winner_on_every_dataset_of_a_design_explains_all_ranks() -> None:
    """The others are tied: in each of the three datasets that have it the first wins in a third of the orders."""
    blocks = list(itertools.combinations(range(4), 3))
    result = durbin_test(table(blocks, 4, [[9 if j == 0 else 5 for j in block] for block in blocks]), method="f")

    assert result.f == math.inf
    assert result.pvalue == pytest.approx(1 / 27, rel=1e-14)


@pytest.mark.parametrize("method", ["auto", "chi2", "f"])
def test_all_tied_is_p_one(method: str) -> None:
    result = durbin_test([[1, 1, NAN], [NAN, 2, 2], [3, NAN, 3]], method=method)

    assert (result.statistic, result.pvalue) == (0, 1)
    assert result.reason == "all classifiers are tied on every dataset"


def test_one_dataset_says_nothing() -> None:
    result = durbin_test([[1, 2, 3]])

    assert result.pvalue == 1
    assert result.reason == "with one dataset, all orders of the classifiers are equally extreme"
    assert durbin_test([[1, 2, 3]], method="f").pvalue == friedman_test([[1, 2, 3]], method="f").pvalue == 1


@pytest.mark.parametrize("method", ["auto", "chi2", "f"])
def test_laws(method: str) -> None:
    """Relabeling permutes, smaller can be better, only the order counts, a batch is a loop."""
    order = [6, 2, 0, 4, 1, 5, 3]
    here = durbin_test(ICE_CREAM, method=method)
    there = durbin_test(ICE_CREAM[::-1, order], method=method)

    assert there.statistic == here.statistic
    np.testing.assert_array_equal(there.mean_ranks, here.mean_ranks[order])
    assert durbin_test(-np.exp(ICE_CREAM), greater_is_better=False, method=method).pvalue == here.pvalue

    tables = np.stack([ICE_CREAM, ICE_CREAM[:, order], np.where(np.isnan(ICE_CREAM), NAN, 0.5)])
    batch = durbin_test(tables, method=method)
    for i, one in enumerate(tables):
        member = durbin_test(one, method=method)
        for name in (
            "statistic",
            "pvalue",
            "chi2",
            "f_pvalue",
            "min_attainable_pvalue",
            "mean_ranks",
            "method",
            "reason",
        ):
            np.testing.assert_array_equal(getattr(batch, name)[i], getattr(member, name))


def test_far_tail_is_no_zero() -> None:
    blocks = list(itertools.combinations(range(5), 3)) * 40
    result = durbin_test(table(blocks, 5, [block if i % 40 else block[::-1] for i, block in enumerate(blocks)]))

    assert result.method == "chi2"
    assert 0 < result.pvalue < 1e-100


def test_result_is_a_frozen_record_of_plain_values() -> None:
    result = durbin_test(ICE_CREAM)

    assert isinstance(result, HypothesisTestResult)
    assert tuple(result) == (result.statistic, result.pvalue)
    assert json.loads(json.dumps(result.to_dict())).keys() == result.to_dict().keys()
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.pvalue = 0.0  # that it cannot be done is the point


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[1, 2, NAN], [1, 2, 3]], "but there are 2 to 3 scores of each dataset; .* see skillings_mack_test"),
        ([[1, 2, NAN], [1, 2, NAN]], "but there are 0 to 2 scores of each classifier"),
        ([[1, 2, NAN, NAN], [NAN, NAN, 1, 2]], "but there are 0 to 1 datasets for each pair of classifiers"),
        ([[1, NAN], [NAN, 1]], "but there are no datasets for each pair of classifiers"),
        ([[NAN, NAN]], "but there are no scores of each dataset"),
        ([[1, math.inf]], r"scores must be finite, but scores\[0, 1\] is inf"),
    ],
)
def test_unbalanced_designs_are_refused(scores: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        durbin_test(scores)


def test_nothing_is_less_probable_than_agreement_in_a_design() -> None:
    """Where all datasets rank those that they have alike, the p-value is the smallest there is."""
    blocks = list(itertools.combinations(range(4), 3))
    result = durbin_test(table(blocks, 4, [[*block] for block in blocks]), method="chi2")

    assert result.pvalue == result.min_attainable_pvalue
