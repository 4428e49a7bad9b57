"""Room around a matrix: names as short, as small and as few as they must be."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from evalstats.plot.matrix_layout import PAGE, Around, fitted, natural

AROUND = Around(beside=0.0, key=10.0, below=7.0, n_keys=5)


def names(k: int) -> tuple[list[str], list[str]]:
    return [f"classifier {i}" for i in range(k)], [f"classifier {i}" for i in range(k)]


def test_few_names_are_written_in_full_and_in_the_size_asked_for() -> None:
    _, place = natural(names(3), 3.0, 10.0, len, AROUND, has_texts=True)

    assert (place.rows, place.row_font, place.row_step) == (names(3)[0], 10.0, 1)
    assert place.is_natural
    assert place.sentences == ()


def test_no_figure_is_larger_than_a_page() -> None:
    ax, place = natural(names(300), 0.0, 20.0, len, AROUND, has_texts=False)

    assert tuple(ax.figure.get_size_inches()) == PAGE
    assert not place.is_natural


def test_of_many_names_every_so_many_th_is_written() -> None:
    ax = Figure(figsize=(5, 5)).add_axes((0, 0, 1, 1))

    place = fitted(ax, names(179), 10.0, len)

    assert (place.row_step, place.column_step) == (3, 3)  # 360 points for 179 names of 6 points
    assert place.sentences == ("Of many classifiers every third is named.",)
    assert place.row_font >= 5


def test_few_names_are_never_left_out() -> None:
    with pytest.raises(ValueError, match=r"ax must have room for 30 rows and 30 columns, but it is 1\.0 x 1\.0 inches"):
        fitted(Figure(figsize=(1, 1)).add_axes((0, 0, 1, 1)), names(30), 10.0, len)
