"""Pairs of a ranking: the same whether they are counted, walked through, or asked for by their place."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from evalstats.comparison.ranking import RankedPairs


@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_all_pairs_of_a_ranking_the_better_one_first(k: int) -> None:
    order = np.random.default_rng(k).permutation(k).tolist()
    pairs, expected = RankedPairs(order), list(itertools.combinations(order, 2))

    assert list(pairs) == expected
    assert len(pairs) == len(expected)
    assert [pairs[i] for i in range(len(expected))] == expected
    assert pairs[1:5] == expected[1:5]
    assert pairs[-1] == expected[-1]
    assert list(zip(*(side.tolist() for side in pairs.sides()), strict=True)) == expected


def test_pairs_with_a_control_have_it_second() -> None:
    pairs = RankedPairs([2, 0, 3, 1], control=3)

    assert list(pairs) == pairs[:] == [(2, 3), (0, 3), (1, 3)]
    assert len(pairs) == 3
    assert pairs[1] == (0, 3)


@pytest.mark.parametrize("control", [None, 1])
def test_values_of_pairs_are_those_of_the_matrix(control: int | None) -> None:
    matrix, pairs = np.arange(25.0).reshape(5, 5), RankedPairs([4, 1, 0, 3, 2], control)

    assert pairs.of(matrix).tolist() == [matrix[pair] for pair in pairs]


@pytest.mark.parametrize("place", [3, -4])
def test_there_is_no_place_beyond_the_last(place: int) -> None:
    with pytest.raises(IndexError):
        RankedPairs([0, 1, 2])[place]
