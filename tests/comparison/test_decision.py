"""A decision on a pair is that of its own test, and of the leading test too where that one is needed."""

from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from evalstats import Comparison, ScoreTable
from evalstats.comparison.analysis import _decided
from evalstats.comparison.designs.design import Answer, Question, adjusted_pairs, order_of
from evalstats.comparison.ranking import RankedPairs
from evalstats.comparison.registry import POSTHOC_TESTS

PVALUE = np.array([[1, 0.05, 0.2], [0.05, 1, np.nan], [0.2, np.nan, 1]])


def decided(
    pvalue: float | None = 0.01, *, is_gated: bool = True, of_pairs: np.ndarray = PVALUE, **found: Any
) -> Comparison:
    """Decide by these p-values of pairs; the omnibus test has this p-value, and there is none of None."""
    k = len(of_pairs)
    table = ScoreTable(scores=[list(range(k))] * 2, datasets=("d", "e"), classifiers=tuple("ABC")[:k])
    tested = Answer(
        order=list(range(k)),
        compared=RankedPairs(range(k)),
        pair_test="nemenyi",
        pvalue=of_pairs,
        better=np.zeros((k, k), dtype=bool),
        columns=lambda _: {},
        adjustment="holm",
        omnibus=None if pvalue is None else SimpleNamespace(pvalue=pvalue),
        is_gated=is_gated,
    )
    return _decided("datasets", Question(table, None, 0.05, 0.0), tested._replace(**found))


@pytest.mark.parametrize(("pvalue", "significant"), [(0.05, True), (0.0500001, False), (np.nan, False)])
def test_rejection_includes_equality_and_never_nan(pvalue: float, significant: bool) -> None:
    made = decided(pvalue)

    assert made.significant is significant
    expected = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    assert (made.different == (expected & significant)).all()


@pytest.mark.parametrize("pvalue", [0.01, 0.2, np.nan])
def test_pair_that_needs_no_leading_test_is_decided_by_itself(pvalue: float) -> None:
    made = decided(pvalue, is_gated=False)

    assert made.different.tolist() == [[False, True, False], [True, False, False], [False, False, False]]


def test_tests_that_look_at_each_pair_alone_or_resample_need_no_leading_test() -> None:
    alone = {name for name, test in POSTHOC_TESTS.items() if not test.is_gated}

    assert {"wilcoxon", "sign", "steel", "max-t", "romano-wolf", "paired-t"} <= alone
    assert not {"nemenyi", "conover", "bonferroni-dunn"} & alone


def test_without_an_omnibus_any_pair_decides() -> None:
    assert decided(None).significant
    assert not decided(None, of_pairs=np.where(PVALUE <= 0.05, 0.06, PVALUE)).significant
    assert decided(None).leading is None


def test_pairs_without_a_pvalue_are_told_with_the_reason() -> None:
    validity = decided(reasons="they do not vary; take another").validity

    assert [(pair.first, pair.second) for pair in validity.untested] == [("B", "C")]
    assert validity.reason == "they do not vary"
    assert decided(of_pairs=np.ones((3, 3)), reasons="they do not vary").validity.reason is None


@pytest.mark.parametrize(
    ("of_leading", "of_pair", "is_gated", "out_of_reach"),
    [(0.06, 0.01, True, True), (0.06, 0.01, False, False), (0.01, 0.06, False, True), (0.05, 0.05, True, False)],
)
def test_leading_test_that_is_no_gate_keeps_nothing_out_of_reach(
    of_leading: float, of_pair: float, is_gated: bool, out_of_reach: bool
) -> None:
    made = decided(is_gated=is_gated, min_attainable_pvalue=of_leading, smallest_of_pair=of_pair)

    assert made.validity.out_of_reach is out_of_reach
    assert made.validity.min_attainable_pvalue == of_pair


def test_equal_ranks_stand_in_the_order_of_the_table() -> None:
    assert order_of(np.array([3.0, 1.5, 1.5])) == [1, 2, 0]
    assert order_of(np.array([2.0, 0.1 + 0.2, 0.3])) == [1, 2, 0]
    assert order_of(np.array([2.0, 0.1 + 0.2, 0.3]), greater_is_better=True) == [0, 1, 2]


def test_pairs_beside_a_control_are_adjusted_as_one_family() -> None:
    alone = np.array([0.01, 0.04])

    assert adjusted_pairs(alone, [(1, 0), (2, 0)], 3, 0, "bonferroni").tolist() == [0.02, 0.08]
    assert adjusted_pairs(alone[:1], [(1, 0)], 2, None, "bonferroni").tolist() == [0.01]


def test_decisions_on_pairs_are_those_of_the_matrix(compared: Comparison) -> None:
    at = compared.table.classifiers.index

    assert [pair.different for pair in compared.pairs] == [
        compared.different[at(pair.first), at(pair.second)] for pair in compared.pairs
    ]
    assert (compared.different == compared.different.T).all()


def test_groups_and_letters_are_of_all_pairs_only(compared: Comparison) -> None:
    """Beside a control the others are not compared with each other, also where there is a single other."""
    if compared.control is not None:
        assert (compared.homogeneous_subsets, compared.pairs_outside_subsets, compared.letters) == ((), (), ())
    else:
        assert len(compared.letters) == compared.n_classifiers
        for group in compared.homogeneous_subsets:
            at = [compared.table.classifiers.index(one) for one in group]
            assert not compared.different[np.ix_(at, at)].any()


def test_record_survives_the_way_to_another_process(compared: Comparison) -> None:
    again = pickle.loads(pickle.dumps(compared))

    assert str(again.to_dict()) == str(compared.to_dict())
