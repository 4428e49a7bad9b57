"""Rows with names and texts: room, fonts, and names that are left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

from evalstats import compare, example_table
from evalstats.plot.row_layout import (
    axes_of_rows,
    drawn_classifiers,
    fill_rows,
    pair_names,
    plain_scale,
    row_names,
    table_of,
)


def test_names_are_shorter_in_narrow_axes() -> None:
    narrow = Figure(figsize=(2, 2)).add_axes((0, 0, 1, 1))

    assert row_names(["a-long-name-of-6-words"], None, 10.0, len) == ["a-long-name-\nof-6-words"]
    assert row_names(["a-long-name-of-six-words"], narrow, 6.0, len) == ["a-long…\n-words"]  # 0.3 of 24 font sizes
    assert row_names(["a-long-name"] * 9, narrow, 10.0, len) == ["a-…me"] * 9  # 16 points for each row: one line
    assert row_names(["a-long-name"], narrow, 100.0, len) == ["a-…me"]


def test_pairs_are_in_two_lines_only_if_they_are_long() -> None:
    narrow = Figure(figsize=(2, 2)).add_axes((0, 0, 1, 1))

    assert pair_names([("SVM", "NB")], None, 10.0, len) == ["SVM − NB"]
    assert pair_names([("a-long-name", "another-name")], None, 10.0, len) == ["a-long-name −\nanother-name"]
    assert pair_names([("a-long-name", "NB")] * 9, narrow, 10.0, len) == ["a-…me − NB"] * 9


def test_a_row_of_two_lines_is_higher_but_its_figure_fits_a_page_if_it_can_be_read() -> None:
    for n, row in ((2, 2.7), (40, (9.5 * 7.2 - 9) / 40), (100, 1.48)):
        height = axes_of_rows(None, ["a\nb"] * n, (), 10.0, len, row=1.4).figure.get_size_inches()[1]
        assert height == pytest.approx((n * row + 9) / 7.2, rel=1e-3)


def test_new_axes_grow_with_the_rows() -> None:
    few, many = (axes_of_rows(None, ["a"] * n, (), 10.0, len).figure.get_size_inches() for n in (3, 33))

    assert few[0] == many[0]
    assert many[1] - few[1] == pytest.approx(30 * 17 / 72)


def test_names_have_a_font_that_fits_and_texts_are_readable() -> None:
    ax = Figure(figsize=(4, 1)).add_axes((0, 0, 1, 1))
    plain_scale(ax, list("abcdefghij"), 10.0, None)

    fill_rows(ax, list("abcdefghij"), list("klmnopqrst"), 10.0, "things")

    assert {label.get_fontsize() for label in ax.get_yticklabels()} == {6.0}  # 72 points for 10 lines of 1.2
    assert [text.get_fontsize() for text in ax.texts] == [pytest.approx(6.0)] * 10
    assert ax.get_ylim() == (9.6, -0.6)


def test_of_many_rows_every_so_many_th_has_its_name() -> None:
    ax = Figure(figsize=(4, 2)).add_axes((0, 0, 1, 1))

    fill_rows(ax, [str(i) for i in range(60)], (), 10.0, "things", thin=True)

    assert [label.get_text() for label in ax.get_yticklabels()][:3] == ["0", "3", "6"]


def test_the_caption_states_which_rows_have_no_name() -> None:
    ax = Figure(figsize=(4, 2)).add_axes((0, 0, 1, 1))
    ax.set_xlabel("A caption.")

    fill_rows(ax, [str(i) for i in range(60)], ["text"] * 60, 10.0, "things", thin=True)

    assert ax.get_xlabel() == "A caption.\nEvery third row is named."
    assert len(ax.texts) == 20


def test_axes_too_small() -> None:
    with pytest.raises(ValueError, match="ax must have space for 60 things; enlarge it, buy paper, or leave ax out"):
        fill_rows(
            Figure(figsize=(4, 2)).add_axes((0, 0, 1, 1)), ["a"] * 60, (), 10.0, "things", otherwise="buy paper, "
        )


def test_best_come_first() -> None:
    """Demšar (2006), Table 6: mean ranks 3.14, 2.00, 2.93 and 1.93 in the order of the columns."""
    table = example_table("demsar-2006")

    assert drawn_classifiers(table, 2).names == ("C4.5+m+cf", "C4.5+m")
    assert drawn_classifiers(table, 9).columns == [3, 1, 2, 0]
    assert drawn_classifiers(compare(table), 9).names == compare(table).ranking


def test_of_losses_the_smallest_are_the_best() -> None:
    table = example_table("demsar-2006")

    losses = replace(table, scores=-table.scores, greater_is_better=False)

    assert drawn_classifiers(losses, 9) == drawn_classifiers(table, 9)


def test_missing_scores_are_no_obstacle(incomplete) -> None:
    assert np.isnan(incomplete.table.scores).any()
    assert drawn_classifiers(incomplete.table, 4).names[0] == "classifier 3"


def test_sentence_counts_who_is_not_drawn() -> None:
    table = example_table("demsar-2006")

    assert drawn_classifiers(table, 4).sentences == ()
    assert drawn_classifiers(table, 3).sentences == ("The plot shows the 3 of 4 classifiers with the best mean ranks.",)


def test_messages() -> None:
    with pytest.raises(TypeError, match="data must be a ScoreTable or a comparison, not list"):
        table_of([[1, 2]])
    with pytest.raises(ValueError, match="max_shown must be at least 1, not 0"):
        drawn_classifiers(example_table("demsar-2006"), 0)
