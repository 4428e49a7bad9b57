"""Cells of equal battles."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import InvalidValueError
from evalstats.multiple.battle_model.cells import grouped, outcomes_of, understood_models


def test_equal_battles_are_one_cell_whichever_model_is_named_first() -> None:
    a, b = np.array([0, 1, 0, 2]), np.array([1, 0, 1, 0])
    cells = grouped(a, b, np.array([1.0, 0.0, 0.5, 1.0]), None, [], 3)

    assert (cells.a.tolist(), cells.b.tolist()) == ([0, 0], [1, 2])
    assert (cells.n.tolist(), cells.points.tolist()) == ([3, 1], [2.5, 0])
    assert cells.squares.tolist() == [[3, 1], [2.5, 0], [2.25, 0]]
    assert cells.cell.tolist() == [0, 0, 0, 1]


def test_position_separates_cells_and_changes_its_sign() -> None:
    cells = grouped(np.array([0, 1]), np.array([1, 0]), np.array([1.0, 1.0]), None, [np.ones(2)], 2)

    assert sorted(cells.terms.ravel().tolist()) == [-1, 1]
    assert cells.points.sum() == 1


def test_battles_among_some_models_keep_their_sums() -> None:
    a, b = np.array([0, 1, 2, 1]), np.array([1, 2, 0, 2])
    cells = grouped(a, b, np.array([1.0, 0.0, 1.0, 1.0]), None, [], 3).among(np.array([False, True, True]))

    assert (cells.a.tolist(), cells.b.tolist(), cells.n.tolist()) == ([0], [1], [2])
    assert cells.cell.tolist() == [0, 0]


def test_outcomes_of_words() -> None:
    outcome, both_bad = outcomes_of(["model_a", "model_b", "tie", "tie (bothbad)", "both_bad"], 5)

    assert outcome.tolist() == [1, 0, 0.5, 0.5, 0.5]
    assert both_bad.tolist() == [False, False, False, True, True]


def test_one_model_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="model_a and model_b must be paired"):
        understood_models(["A", "B"], ["B"], None)
