"""The map in a terminal."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.multiple import project_classifiers
from evalstats.report.formats.text import draw_map
from evalstats.report.projection_map import projection_map


def test_two_points_and_the_ideal():
    drawn = draw_map(projection_map(project_classifiers({"NB": [[8, 2], [0, 9]], "SVM": [[10, 0], [4, 5]]})), width=60)

    assert sum(line.count("●") for line in drawn) == 2
    assert sum(line.count("○") for line in drawn) == 1
    assert "NB" in "".join(drawn)
    assert "Ideal" in "".join(drawn)


@pytest.mark.parametrize("width", [36, 60, 100])
def test_no_line_is_too_wide(width):
    given = np.random.default_rng(0).multinomial(30, [0.2, 0.5, 0.3], size=(30, 3))
    drawn = draw_map(projection_map(project_classifiers(given)), width=width)

    assert 0 < len(drawn) <= 24
    assert max(map(len, drawn)) <= width


def test_ascii_has_no_other_letter():
    drawn = draw_map(projection_map(project_classifiers({"a" * 40: [[8, 2], [0, 9]]})), ascii_only=True)

    assert "".join(drawn).isascii()


def test_narrow_terminal_has_no_map():
    assert draw_map(projection_map(project_classifiers({"NB": [[8, 2], [0, 9]]})), width=12) == []


def test_same_place_has_a_mark_of_its_own():
    drawn = draw_map(projection_map(project_classifiers({"a": [[8, 2], [0, 9]], "b": [[8, 2], [0, 9]]})), width=60)

    assert "".join(drawn).count("◆") == 1
