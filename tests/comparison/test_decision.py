"""A decision on a pair is that of its own test, and of the leading test too where that one is needed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from evalstats import ScoreTable
from evalstats.comparison import decision
from evalstats.comparison.decision import Decision, Family, OneDatasetDecision, order_of
from evalstats.comparison.ranked_pairs import RankedPairs

TABLE = ScoreTable(scores=[[1, 2, 3], [1, 2, 4]], datasets=("d", "e"), classifiers=("A", "B", "C"))
PVALUE = np.array([[1, 0.05, 0.2], [0.05, 1, np.nan], [0.2, np.nan, 1]])


def decided(pvalue: float = 0.01, posthoc_test: str = "nemenyi", **changes: Any) -> Decision:
    """Return a decision whose leading test has this p-value."""
    return Decision(
        **{
            "table": TABLE,
            "control": None,
            "alpha": 0.05,
            "tie_tolerance": 0.0,
            "compared": RankedPairs([0, 1, 2]),
            "mean_ranks": np.array([3.0, 1.5, 1.5]),
            "statistic": np.zeros((3, 3)),
            "pvalue": PVALUE,
            "better": np.zeros((3, 3), dtype=bool),
            "omnibus": SimpleNamespace(pvalue=pvalue, min_attainable_pvalue=0.001),
            "posthoc_test": posthoc_test,
            "posthoc": SimpleNamespace(),
        }
        | changes
    )


def outcome(pvalue: list[float], omnibus: float | None) -> decision.Tested:
    own = np.array(pvalue)
    return decision.Tested(
        tests=tuple(SimpleNamespace(pvalue=p) for p in pvalue),
        statistic=own,
        unadjusted=own,
        pvalue=own,
        difference=own,
        low=own,
        high=own,
        larger=None,
        smaller=None,
        n=10,
        design={},
        omnibus=None if omnibus is None else SimpleNamespace(pvalue=omnibus),
    )


def on_one(pvalue: list[float], omnibus: float | None = None, k: int = 3) -> OneDatasetDecision:
    table = ScoreTable(scores=[list(range(k))], datasets=("d",), classifiers=tuple("ABC")[:k])
    pairs = [(i, j) for j in range(k) for i in range(j)]
    family = Family(table, None, pairs, alpha=0.05, adjust="holm", tie_tolerance=0, n_resamples=1, rng=None)
    return OneDatasetDecision(family, "mcnemar", outcome(pvalue, omnibus), list(range(k)), None)


@pytest.mark.parametrize(("pvalue", "significant"), [(0.05, True), (0.0500001, False), (np.nan, False)])
def test_rejection_includes_equality_and_never_nan(pvalue: float, significant: bool) -> None:
    made = decided(pvalue)

    assert made.significant is significant
    expected = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    assert (made.different == (expected & significant)).all()


@pytest.mark.parametrize("pvalue", [0.01, 0.2, np.nan])
@pytest.mark.parametrize("posthoc_test", ["wilcoxon", "sign", "steel", "max-t", "romano-wolf", "paired-t"])
def test_pair_that_needs_no_leading_test_is_decided_by_itself(posthoc_test: str, pvalue: float) -> None:
    made = decided(pvalue, posthoc_test)

    assert made.different.tolist() == [[False, True, False], [True, False, False], [False, False, False]]


def test_wilcoxon_leads_where_there_are_two() -> None:
    wilcoxon = SimpleNamespace(pvalue=0.5, min_attainable_pvalue=0.25)
    made = decided(wilcoxon=wilcoxon, omnibus=None, posthoc=None, posthoc_test=None)

    assert made.leading is wilcoxon
    assert (made.min_attainable_pvalue, made.smallest_posthoc_pvalue) == (0.25, None)
    assert not made.has_critical_difference
    assert not made.depends_on_the_pool


def test_bound_is_none_where_the_test_has_none() -> None:
    assert (decided().min_attainable_pvalue, decided().smallest_posthoc_pvalue) == (0.001, None)
    assert decided(posthoc=SimpleNamespace(min_attainable_pvalue=0.02)).smallest_posthoc_pvalue == 0.02


@pytest.mark.parametrize(
    ("posthoc", "has_critical_difference", "depends_on_the_pool"),
    [("nemenyi", True, True), ("wilcoxon", False, False), ("conover", False, True)],
)
def test_test_of_pairs_says_what_it_rests_on(
    posthoc: str, has_critical_difference: bool, depends_on_the_pool: bool
) -> None:
    made = decided(posthoc_test=posthoc)

    assert made.has_critical_difference is has_critical_difference
    assert made.depends_on_the_pool is depends_on_the_pool


def test_equal_ranks_stand_in_the_order_of_the_table() -> None:
    assert decided().order == [1, 2, 0]
    assert order_of(np.array([2.0, 0.1 + 0.2, 0.3])) == [1, 2, 0]


def test_family_takes_what_belongs_to_its_pairs() -> None:
    values = np.arange(9).reshape(3, 3)
    family = on_one([1, 1, 1]).family
    to_a = family._replace(control=0, pairs=[(1, 0), (2, 0)])

    assert family.columns == ([0, 0, 1], [1, 2, 2])
    assert family.of_pairs(values).tolist() == [1, 2, 5]
    assert to_a.of_pairs(np.array([7.0, 8.0, 9.0])).tolist() == [8.0, 9.0]
    assert not family.are_two


def test_omnibus_leads_on_one_dataset_where_there_is_one() -> None:
    silent, loud = on_one([0.01, 0.2, np.nan], omnibus=0.06), on_one([0.01, 0.2, np.nan], omnibus=0.05)

    assert silent.rejected.tolist() == loud.rejected.tolist() == [True, False, False]
    assert (silent.significant, silent.shown.tolist()) == (False, [False, False, False])
    assert (loud.significant, loud.shown.tolist()) == (True, [True, False, False])
    assert loud.leading is loud.tested.omnibus


def test_without_an_omnibus_any_pair_decides() -> None:
    assert on_one([0.2, 0.01, 0.3]).significant
    assert not on_one([0.2, 0.3, 0.3]).significant
    assert on_one([0.2, 0.01, 0.3]).leading is None


def test_only_pair_leads_where_there_are_two_on_one_dataset() -> None:
    made = on_one([0.01], k=2)

    assert made.leading is made.tested.tests[0]
    assert made.family.are_two
