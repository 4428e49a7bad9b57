"""The matrix behind several pictures: room, fonts and the key."""

from __future__ import annotations

import io
import sys
from functools import partial

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from evalstats import compare, example_table
from evalstats.plot import pvalue_heatmap, rank_distribution, win_matrix
from evalstats.plot.matrix import EMPTY, UNKNOWN, Around, cells_of_pairs, fitted, natural
from evalstats.plot.style import PAGE_HEIGHT, PAGE_WIDTH, STEPS

AROUND = Around(beside=0.0, key=10.0, below=7.0, n_keys=5)


def test_given_axes_need_no_pyplot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    ax = Figure(figsize=(6, 3)).add_subplot()

    assert pvalue_heatmap(compare(example_table("demsar-2006")), ax) is ax


def test_new_figure_is_pyplots() -> None:
    ax = pvalue_heatmap(compare(example_table("demsar-2006")))

    assert plt.gcf() is ax.figure


def test_values_that_cannot_be_read_are_left_out(of_many) -> None:
    ten = of_many(10)
    small = pvalue_heatmap(ten, Figure(figsize=(4, 4), layout="constrained").add_subplot())
    large = pvalue_heatmap(ten)

    assert len(large.texts) == len(small.texts) + 10 * 9
    assert "The cells are too small for their values." in small.get_xlabel()


@pytest.mark.long
@pytest.mark.parametrize("draw", [pvalue_heatmap, win_matrix, partial(rank_distribution, n_resamples=50)])
@pytest.mark.parametrize("k", [20, 40, 179])
def test_matrix_of_many_fits_on_a_page(of_many, draw, k: int, assert_legible) -> None:
    ax = draw(of_many(k), title="A title of the picture")

    assert_legible(ax)
    assert ax.figure.get_size_inches()[0] <= PAGE_WIDTH
    assert ax.figure.get_size_inches()[1] <= PAGE_HEIGHT


def test_matrix_of_many_has_no_texts_in_its_cells(of_many) -> None:
    """Nor a rectangle for each cell: one image holds all shades."""
    ax = win_matrix(of_many(40))

    assert len(ax.texts) == 0
    assert [image.get_array().shape for image in ax.images] == [(40, 40, 3)]


@pytest.mark.long
def test_names_that_have_no_room_are_left_out_and_the_caption_says_so(of_many) -> None:
    ax = win_matrix(of_many(179))

    places = ax.get_yticks()
    assert len(places) == len(range(0, 179, int(places[1])))
    assert "is named" in ax.get_xlabel()
    assert min(label.get_fontsize() for label in ax.get_yticklabels()) >= 5


def test_shades_of_many_are_those_of_few(of_many) -> None:
    """What is shown does not depend on how it is drawn."""
    c = of_many(31)
    scores = c.table.scores
    ax = win_matrix(c)
    order = [c.table.position(name) for name in c.ranking]

    share = (scores[:, order[0]] > scores[:, order[5]]).mean()
    shade = STEPS[int(np.searchsorted((0.2, 0.4, 0.6, 0.8), share))]

    assert tuple(ax.images[0].get_array()[0, 5]) == pytest.approx(to_rgb(shade))


def test_key_and_caption_are_choices() -> None:
    ax = pvalue_heatmap(compare(example_table("demsar-2006")), legend=False, caption=False)

    assert ax.get_legend() is None
    assert ax.get_xlabel() == ""


@pytest.mark.sampled
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_figure_can_be_saved(suffix: str) -> None:
    file = io.BytesIO()

    pvalue_heatmap(compare(example_table("demsar-2006"))).figure.savefig(file, format=suffix)

    assert len(file.getvalue()) > 2000


def test_axes_too_small(thirty) -> None:
    with pytest.raises(ValueError, match=r"ax must have space for 30 rows and 30 columns, but it is 1.6 x 0.8 inches"):
        pvalue_heatmap(thirty, Figure(figsize=(2, 1)).add_subplot())


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
    with pytest.raises(TypeError, match="comparison must be a result of compare, not int"):
        cells_of_pairs(3)


def names(k: int) -> tuple[list[str], list[str]]:
    return [f"classifier {i}" for i in range(k)], [f"classifier {i}" for i in range(k)]


def test_few_names_are_written_in_full_and_in_the_size_asked_for() -> None:
    _, place = natural(names(3), 3.0, 10.0, len, AROUND, n_lines=1)

    assert (place.rows, place.row_font, place.row_step) == (names(3)[0], 10.0, 1)
    assert place.is_natural
    assert place.sentences == ()


def test_no_figure_is_larger_than_a_page() -> None:
    ax, place = natural(names(300), 0.0, 20.0, len, AROUND, n_lines=0)

    assert tuple(ax.figure.get_size_inches()) == (2 * PAGE_WIDTH, PAGE_HEIGHT)  # of twice the usual font size
    assert not place.is_natural


def test_of_many_names_every_so_many_th_is_written() -> None:
    ax = Figure(figsize=(5, 5)).add_axes((0, 0, 1, 1))

    place = fitted(ax, names(179), 10.0, len)

    assert (place.row_step, place.column_step) == (4, 4)  # 360 points for 179 names of 7.2 points
    assert place.sentences == ("Every fourth row is named.", "Every fourth column is named.")
    assert place.row_font >= 6


def test_few_names_are_never_left_out() -> None:
    with pytest.raises(
        ValueError, match=r"ax must have space for 30 rows and 30 columns, but it is 1\.0 x 1\.0 inches"
    ):
        fitted(Figure(figsize=(1, 1)).add_axes((0, 0, 1, 1)), names(30), 10.0, len)
