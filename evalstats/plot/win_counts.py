"""Wins, ties and losses of all pairs."""

from __future__ import annotations

__all__ = ["win_matrix"]

from typing import TYPE_CHECKING

import numpy as np

from evalstats._errors import InvalidValueError
from evalstats.comparison.record import Comparison, wins_ties_losses
from evalstats.plot.matrix import Matrix, cells_of_pairs, draw_matrix
from evalstats.plot.style import STEPS
from evalstats.wording import counted_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# lower limits of the shades, as proportions of wins
_EDGES = (0.2, 0.4, 0.6, 0.8)


def win_matrix(
    comparison: Comparison,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    legend: bool = True,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the wins, ties and losses of each pair of classifiers, best classifier first.

    A cell shows the wins/ties/losses of the classifier of its row against the classifier of its column. A darker cell
    has more wins. With a control, the matrix has only one row. Counts are not tests: use the tests of the comparison
    for conclusions.

    Parameters
    ----------
    comparison : Comparison
        Result of `compare`. The counted units are datasets or, for one dataset, folds or instances that exactly one
        classifier predicts correctly.
    ax : matplotlib Axes, optional
        Axes of the plot. Names are shortened and the font size is reduced until the names fit. If the counts would be
        unreadable, or if there are more than 30 classifiers, the counts are left out. Default: a new figure of at most
        one page, whose size depends on the names and counts.
    title : str, optional
        Title above the plot.
    legend : bool, default: True
        Whether to explain the shades next to the matrix.
    caption : bool, default: True
        Whether to write an explanation below the matrix.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `comparison` is not a comparison.
    InvalidValueError
        If the comparison does not count datasets, folds or instances.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.win_matrix(evalstats.compare(evalstats.example_table("demsar-2006")))
    >>> [text.get_text() for text in ax.texts][:3]
    ['6/3/5', '9/2/3', '11/1/2']
    """
    matrix = _matrix(comparison)
    return draw_matrix(matrix, ax, title=title, legend=legend, font_size=font_size, below=caption)


def _matrix(comparison: Comparison) -> Matrix:
    cells = cells_of_pairs(comparison)
    counts = wins_ties_losses(comparison, cells.rows, cells.columns)
    if counts is None:
        raise InvalidValueError(
            "comparison must count wins and losses, but on this dataset it compares neither folds nor correct answers"
        )
    (wins, ties, losses), n = counts, counts.n
    known = n > 0
    cells.steps[known] = np.searchsorted(_EDGES, (wins[known] + ties[known] / 2) / n[known])
    return Matrix(
        rows=cells.rows,
        columns=cells.columns,
        steps=cells.steps,
        write=lambda i, j: f"{wins[i, j]}/{ties[i, j]}/{losses[i, j]}",
        shades=STEPS,
        key=("wins ≤ 20%", *(f"{low:.0%} to {low + 0.2:.0%}" for low in _EDGES[:-1]), "> 80%"),
        unknown="not compared",
        sentences=(
            f"Wins/ties/losses of the row against the column, in {counted_words(comparison)}; a tie is half a win.",
        ),
    )
