"""Wins, ties and losses as a picture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evalstats import compare, example_table
from evalstats.plot import win_matrix


@pytest.mark.sampled
def test_new_figure_is_legible(every_comparison, assert_legible) -> None:
    assert_legible(win_matrix(every_comparison, title="A title of the picture"))


def test_one_dataset_is_legible(of_folds, assert_legible) -> None:
    assert_legible(win_matrix(of_folds, title="A title of the picture"))


def test_each_count_stands_opposite_its_mirror_image() -> None:
    c = compare(example_table("demsar-2006"))

    drawn = {t.get_position(): t.get_text() for t in win_matrix(c).texts}

    assert drawn[1, 0] == "6/3/5"  # C4.5+m+cf against C4.5+m
    assert all(drawn[j, i] == "/".join(reversed(text.split("/"))) for (i, j), text in drawn.items())
    assert len(drawn) == 12


def test_caption_says_what_is_counted(of_folds) -> None:
    assert "in folds" in win_matrix(of_folds).get_xlabel().replace("\n", " ")


def test_lower_is_better() -> None:
    """Of losses the smaller wins: the picture is that of the negated scores."""
    table = example_table("demsar-2006")
    negated = replace(table, scores=-table.scores, greater_is_better=False)

    one, other = (sorted(t.get_text() for t in win_matrix(compare(t)).texts) for t in (table, negated))

    assert one == other


class TestMessages:
    def test_not_a_comparison(self) -> None:
        with pytest.raises(TypeError, match="comparison must be a result of compare, not int"):
            win_matrix(3)

    def test_nothing_counted(self, of_folds) -> None:
        def uncounted(at):
            return of_folds._columns(at) | dict.fromkeys(("n_wins", "n_ties", "n_losses"), [None] * len(at))

        with pytest.raises(ValueError, match="comparison must count wins and losses"):
            win_matrix(replace(of_folds, _columns=uncounted))
