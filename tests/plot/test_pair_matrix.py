"""Cells of pairs: names in the order of the ranking, and a cell for either order of two classifiers."""

from __future__ import annotations

import pytest

from evalstats import compare, example_table
from evalstats.plot.matrix import EMPTY, UNKNOWN
from evalstats.plot.pair_matrix import cells_of_pairs


def test_each_pair_has_two_cells() -> None:
    c = compare(example_table("demsar-2006"))
    cells = cells_of_pairs(c)

    assert cells.rows == cells.columns == c.ranking
    assert list(cells.of(c.ranking[0], c.ranking[2])) == [((0, 2), True), ((2, 0), False)]
    assert cells.steps.diagonal().tolist() == [EMPTY] * 4
    assert (cells.steps == UNKNOWN).sum() == 12


def test_control_has_one_row() -> None:
    c = compare(example_table("demsar-2006"), control="C4.5")
    cells = cells_of_pairs(c)

    assert cells.rows == ("C4.5",)
    assert "C4.5" not in cells.columns
    assert list(cells.of(cells.columns[1], "C4.5")) == [((0, 1), False)]
    assert (cells.steps == UNKNOWN).all()


def test_not_a_comparison() -> None:
    with pytest.raises(TypeError, match="comparison must be what compare returned, not int"):
        cells_of_pairs(3)
