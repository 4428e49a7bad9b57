"""Reasons why strengths are infinite."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.multiple.battle_model.cells import grouped
from evalstats.multiple.battle_model.estimation import Battles, estimated


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        (
            [(0, 1), (1, 2)],
            "in some order of the models, none ever lost or tied against a later model, so no finite strengths exist",
        ),
        (
            [(0, 1), (1, 0), (1, 2)],
            "'z' never won or tied against the other models, so these strengths are infinite",
        ),
    ],
)
def test_reason_names_the_models(pairs: list[tuple[int, int]], reason: str) -> None:
    """The first model of each pair wins."""
    a, b = (np.array(column) for column in zip(*pairs, strict=True))
    y = np.ones(len(a))
    cells = grouped(a, b, y, None, [], 3)
    battles = Battles(cells, np.where(a > b, 1 - y, y), y, ())

    found = estimated(battles, ("x", "y", "z"), "robust", "cr1", 2, None)

    assert found["reason"] == reason
