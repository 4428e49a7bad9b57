"""Bars that a diagram may draw, and relations that no bar can show."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.multiple.nemenyi import nemenyi_test
from evalstats.multiple.subsets import homogeneous_subsets


def relation(k: int, *pairs: tuple[int, int]) -> np.ndarray:
    """Return a symmetric matrix in which only the given pairs differ."""
    different = np.zeros((k, k), dtype=bool)
    for i, j in pairs:
        different[i, j] = different[j, i] = True
    return different


@st.composite
def rankings(draw: st.DrawFn) -> tuple[np.ndarray, list[int]]:
    """Any relation of up to 9 classifiers and any order of them."""
    k = draw(st.integers(1, 9))
    upper = np.triu(draw(hnp.arrays(bool, (k, k))), 1)
    return upper | upper.T, draw(st.permutations(range(k)))


def definition(different: np.ndarray, order: list[int]) -> tuple[set[tuple[int, ...]], set[tuple[int, int]]]:
    """Find groups and loose pairs by enumeration of every run of the ranking."""
    k = len(order)
    runs = [tuple(order[i:j]) for i in range(k) for j in range(i + 2, k + 1)]
    good = {run for run in runs if not any(different[a, b] for a, b in combinations(run, 2))}
    maximal = {run for run in good if not any(set(run) < set(other) for other in good)}
    alike = {(a, b) for a, b in combinations(order, 2) if not different[a, b]}
    return maximal, {(a, b) for a, b in alike if not any({a, b} <= set(run) for run in maximal)}


def test_overlapping_groups() -> None:
    """Of four in a row only the first and the last differ."""
    result = homogeneous_subsets(relation(4, (0, 3)), [0, 1, 2, 3])

    assert result.subsets == ((0, 1, 2), (1, 2, 3))
    assert result.pairs_outside_subsets == ()


def test_no_bar_passes_over_a_classifier_that_differs() -> None:
    """A and C are not different, B between them differs from both: a bar from A to C would lie over B too."""
    result = homogeneous_subsets(relation(3, (0, 1), (1, 2)), [0, 1, 2])

    assert result.subsets == ()
    assert result.pairs_outside_subsets == ((0, 2),)


def test_no_bar_joins_the_only_pair_that_differs() -> None:
    """Only A and B, next to each other, differ: C and D go with B, and A's relations to them are listed."""
    result = homogeneous_subsets(relation(4, (0, 1)), [0, 1, 2, 3])

    assert result.subsets == ((1, 2, 3),)
    assert result.pairs_outside_subsets == ((0, 2), (0, 3))


def test_interleaved_groups_are_no_bars() -> None:
    """A ~ C and B ~ D, every other pair differs: two bars would cover all four."""
    result = homogeneous_subsets(relation(4, (0, 1), (0, 3), (1, 2), (2, 3)), [0, 1, 2, 3])

    assert result.subsets == ()
    assert result.pairs_outside_subsets == ((0, 2), (1, 3))


def test_perfect_separation_has_no_group() -> None:
    """All pairs differ: no bar at all, and not one over everything."""
    result = homogeneous_subsets(~np.eye(5, dtype=bool), range(5))

    assert result.subsets == ()
    assert result.pairs_outside_subsets == ()


def test_no_difference_is_one_group() -> None:
    result = homogeneous_subsets(relation(5), [3, 1, 4, 0, 2])

    assert result.subsets == ((3, 1, 4, 0, 2),)
    assert result.pairs_outside_subsets == ()


def test_one_classifier_is_no_group() -> None:
    result = homogeneous_subsets([[False]], [0])

    assert result.to_dict() == {"subsets": [], "pairs_outside_subsets": [], "classifiers": None}


def test_members_are_plain_integers_in_the_order_of_the_ranking() -> None:
    result = homogeneous_subsets(relation(4, (2, 0), (2, 3), (1, 0)), np.array([2, 1, 3, 0]))

    assert result.subsets == ((2, 1), (1, 3), (3, 0))
    assert {type(i) for group in result.subsets for i in group} == {int}


@given(rankings())
def test_groups_follow_the_definition(case: tuple[np.ndarray, list[int]]) -> None:
    """No group holds a different pair, none can grow, and every other pair that is not different is listed."""
    groups, loose = definition(*case)

    result = homogeneous_subsets(*case)

    assert set(result.subsets) == groups
    assert set(result.pairs_outside_subsets) == loose
    assert len(result.subsets) == len(groups)
    assert len(result.pairs_outside_subsets) == len(loose)


@given(rankings())
def test_best_comes_first(case: tuple[np.ndarray, list[int]]) -> None:
    different, order = case
    place = {classifier: i for i, classifier in enumerate(order)}

    result = homogeneous_subsets(different, order)

    for found in (result.subsets, result.pairs_outside_subsets):
        places = [tuple(place[i] for i in members) for members in found]
        assert places == sorted(places)
        assert all(list(members) == sorted(members) for members in places)


@given(hnp.arrays(float, st.tuples(st.integers(1, 12), st.integers(2, 8)), elements=st.integers(0, 9).map(float)))
def test_nemenyi_leaves_no_loose_pair(scores: np.ndarray) -> None:
    """Its decisions depend on the distance of the ranks only: not far from C is not far from B in between."""
    result = nemenyi_test(scores)
    order = np.argsort(result.mean_ranks, kind="stable")

    for alpha in (0.05, 0.5, 0.9):
        groups = homogeneous_subsets(result.pvalue <= alpha, order)
        assert groups.pairs_outside_subsets == ()


@pytest.mark.parametrize(
    ("different", "order", "error", "message"),
    [
        (np.zeros((2, 3), bool), [0, 1], InvalidValueError, "different must have the shape (k, k)"),
        (np.zeros((0, 0), bool), [], InvalidValueError, "different must have the shape (k, k)"),
        (np.zeros((2, 2)), [0, 1], InvalidTypeError, "different must hold True and False, not float64"),
        ([[False, None], [None, False]], [0, 1], InvalidTypeError, "different must hold True and False, not object"),
        (np.array([[0, 0], [0, 1]], bool), [0, 1], InvalidValueError, "but different[1, 1] is True"),
        (
            np.array([[0, 0], [1, 0]], bool),
            [0, 1],
            InvalidValueError,
            "but different[1, 0] is True and different[0, 1] is False",
        ),
        (relation(3), [0, 1], InvalidValueError, "order must hold each of the numbers 0 to 2 once, but it is [0, 1]"),
        (relation(3), [0, 1, 1], InvalidValueError, "once, but it is [0, 1, 1]"),
        (relation(3), [1, 2, 3], InvalidValueError, "once, but it is [1, 2, 3]"),
        (relation(2), ["a", "b"], InvalidTypeError, "order must hold whole numbers"),
        (relation(2), [0.0, 1.0], InvalidTypeError, "order must hold whole numbers, not float64"),
        ([[False], [False, True]], [0, 1], InvalidValueError, "different must be a regular array"),
    ],
)
def test_messages(different: object, order: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        homogeneous_subsets(different, order)

    assert message in str(caught.value)


def test_names_of_the_classifiers_are_kept() -> None:
    names = ["C4.5", "NB", "SVM"]
    different = pd.DataFrame([[False, True, True], [True, False, False], [True, False, False]], names, names)

    result = homogeneous_subsets(different, order=["SVM", "NB", "C4.5"])

    assert result.classifiers == ("C4.5", "NB", "SVM")
    assert result.to_columns() == {"group": [0, 0], "classifier": ["SVM", "NB"]}
    with pytest.raises(ValueError, match=r"order must be one of .*'SVM', not 'SVN'"):
        homogeneous_subsets(different, order=["SVN", "NB", "C4.5"])
