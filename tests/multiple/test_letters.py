"""Letters say exactly which classifiers differ, and none could be left out."""

from __future__ import annotations

import string
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.multiple import letters as module
from evalstats.multiple.letters import CompactLetterDisplay, compact_letter_display


def relation(k: int, *pairs: tuple[int, int]) -> np.ndarray:
    """Return a symmetric matrix in which only the given pairs differ."""
    different = np.zeros((k, k), dtype=bool)
    for i, j in pairs:
        different[i, j] = different[j, i] = True
    return different


@st.composite
def relations(draw: st.DrawFn) -> tuple[np.ndarray, list[int]]:
    """Any relation of up to 9 classifiers and any order of them."""
    k = draw(st.integers(1, 9))
    upper = np.triu(draw(hnp.arrays(bool, (k, k))), 1)
    return upper | upper.T, draw(st.permutations(range(k)))


def assert_definition(different: np.ndarray, result: CompactLetterDisplay) -> None:
    k = len(different)
    own = [{g for g, group in enumerate(result.groups) if i in group} for i in range(k)]
    assert all(own)
    for i, j in combinations(range(k), 2):
        assert bool(own[i] & own[j]) == (not different[i, j])
    for i in range(k):
        alike = [j for j in range(k) if j != i and not different[i, j]]
        for letter in own[i]:
            rest = own[i] - {letter}
            assert not rest or not all(rest & own[j] for j in alike)


def test_overlapping_groups() -> None:
    """Of four in a row only the first and the last differ."""
    assert compact_letter_display(relation(4, (0, 3)), [0, 1, 2, 3]).letters == ("a", "ab", "ab", "b")


def test_first_letter_is_that_of_the_best() -> None:
    """The order names the letters, `different` stays in its own order."""
    result = compact_letter_display(relation(3, (0, 1), (0, 2)), [1, 2, 0])

    assert result.letters == ("b", "a", "a")
    assert result.groups == ((1, 2), (0,))


def test_what_no_bar_can_show() -> None:
    """A ~ C and B ~ D, every other pair differs."""
    assert compact_letter_display(relation(4, (0, 1), (0, 3), (1, 2), (2, 3)), range(4)).letters == ("a", "b", "a", "b")


def test_pairs_of_a_cycle_need_one_letter_each() -> None:
    """Each of five is alike to its two neighbours only: five letters, two for each."""
    different = relation(5, (0, 2), (0, 3), (1, 3), (1, 4), (2, 4))

    assert compact_letter_display(different, range(5)).letters == ("ab", "ac", "cd", "de", "be")


def test_sweeping_takes_what_insert_and_absorb_leaves() -> None:
    """Three pairs of opposites: eight maximal groups, and four of them show all that is alike."""
    different = relation(6, (0, 1), (2, 3), (4, 5))

    assert len(compact_letter_display(different, range(6)).groups) == 4


@pytest.mark.parametrize("k", [1, 2, 7])
def test_none_or_all_differ(k: int) -> None:
    assert compact_letter_display(relation(k), range(k)).letters == ("a",) * k
    assert compact_letter_display(~np.eye(k, dtype=bool), range(k)).letters == tuple(string.ascii_letters[:k])


@given(relations())
def test_letters_are_the_definition(case: tuple[np.ndarray, list[int]]) -> None:
    different, order = case

    assert_definition(different, compact_letter_display(different, order))


@given(relations())
def test_groups_that_are_grown_are_the_definition_too(case: tuple[np.ndarray, list[int]]) -> None:
    different, order = case

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_INSERTED", 0)
        result = compact_letter_display(different, order)

    assert_definition(different, result)


def test_sets_are_grown_only_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of these 7 classifiers other letters would come out, which are right too."""
    different = np.zeros((7, 7), dtype=bool)
    for i, j in [(0, 4), (2, 3), (2, 5), (5, 6)]:
        different[i, j] = different[j, i] = True
    monkeypatch.setattr(module, "_grown", lambda _: pytest.fail("grown"))

    assert_definition(different, compact_letter_display(different, range(7)))


@given(relations())
def test_letters_and_groups_agree_and_are_in_order(case: tuple[np.ndarray, list[int]]) -> None:
    different, order = case
    result = compact_letter_display(different, order)
    place = {classifier: at for at, classifier in enumerate(order)}

    groups = [[place[i] for i in group] for group in result.groups]

    assert groups == sorted(sorted(group) for group in groups)
    for i, text in enumerate(result.letters):
        assert text == "".join(string.ascii_letters[g] for g, group in enumerate(result.groups) if i in group)


def test_differences_of_mean_ranks_need_one_letter_for_each_bar() -> None:
    """Where a distance decides, letters and maximal runs of the ranking are the same."""
    x = np.sort(np.random.default_rng(3).random(40))
    different = np.abs(x[:, None] - x) > 0.1
    result = compact_letter_display(different, range(40))

    last = [max(np.flatnonzero(~row)) for row in different]
    assert len(result.groups) == len(set(last))
    assert_definition(different, result)


def test_relation_with_too_many_groups_is_fast() -> None:
    """Ten triples of opposites have 3^10 maximal groups."""
    different = np.kron(np.eye(10, dtype=bool), ~np.eye(3, dtype=bool)).astype(bool)

    assert_definition(different, compact_letter_display(different, range(30)))


def test_alphabet_goes_on() -> None:
    letters = compact_letter_display(~np.eye(105, dtype=bool), range(105)).letters

    assert (letters[25], letters[26], letters[51], letters[52], letters[104]) == ("z", "A", "Z", "a1", "a2")


class TestMessages:
    def test_order(self) -> None:
        with pytest.raises(InvalidValueError, match="order must hold each of the numbers 0 to 1 once"):
            compact_letter_display(relation(2), [0, 0])

    def test_not_symmetric(self) -> None:
        with pytest.raises(InvalidValueError, match="different must be symmetric"):
            compact_letter_display(np.array([[False, True], [False, False]]), [0, 1])

    def test_not_boolean(self) -> None:
        with pytest.raises(InvalidTypeError, match="different must hold True and False"):
            compact_letter_display(np.zeros((2, 2)), [0, 1])


def test_names_of_the_classifiers_are_kept() -> None:
    names = ["C4.5", "NB", "SVM"]
    different = pd.DataFrame([[False, True, True], [True, False, False], [True, False, False]], names, names)

    result = compact_letter_display(different, order=["SVM", "NB", "C4.5"])

    assert result.classifiers == ("C4.5", "NB", "SVM")
    assert str(result) == "CompactLetterDisplay: C4.5: b, NB: a, SVM: a"
    assert result.to_columns()["classifier"] == names
    with pytest.raises(ValueError, match=r"order must be one of .*'SVM', not 'SVN'"):
        compact_letter_display(different, order=["SVN", "NB", "C4.5"])
