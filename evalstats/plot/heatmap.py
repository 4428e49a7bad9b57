"""Heat map of the p-values of all pairs, in the order of the ranking."""

from __future__ import annotations

__all__ = ["pvalue_heatmap", "pvalue_text"]

from typing import TYPE_CHECKING

import numpy as np

from evalstats.comparison.record import Comparison
from evalstats.plot.matrix import Matrix, cells_of_pairs, draw_matrix
from evalstats.plot.style import STEPS
from evalstats.wording import pvalue_sentences

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# fractions of alpha: 0.05 gives 0.01 and 0.001
_PARTS = (1.0, 0.2, 0.02)
_COLOURS = (STEPS[0], *STEPS[2:])
_GREYS = ("#ffffff", "0.92", "0.82", "0.72")


def pvalue_heatmap(
    comparison: Comparison,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    legend: bool = True,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot a heat map of the adjusted p-values of all pairs.

    The best classifier is first, and the letters of the compact letter display are at the right of the rows. A darker
    cell has a smaller p-value. The p-values of significantly different pairs are bold. Classifiers that share a letter
    are not significantly different. With a control, the matrix has only one row. Cells without a p-value are hatched.
    If the omnibus test does not reject, the cells are gray, and the caption states that there is no conclusion.

    Parameters
    ----------
    comparison : Comparison
        Result of `compare`, with any post-hoc test and any number of classifiers.
    ax : matplotlib Axes, optional
        Axes of the plot. Names are shortened and the font size is reduced until the names fit. If the values would be
        unreadable, or if there are more than 30 classifiers, the values are left out. Default: a new figure of at most
        one page, whose size depends on the names and values.
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

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.pvalue_heatmap(evalstats.compare(evalstats.example_table("demsar-2006")))
    >>> [text.get_text() for text in ax.texts][:4]
    ['ab', 'a', 'ab', 'b']
    """
    matrix = _matrix(comparison)
    return draw_matrix(matrix, ax, title=title, legend=legend, font_size=font_size, below=caption)


def _matrix(comparison: Comparison) -> Matrix:
    cells, alpha = cells_of_pairs(comparison), comparison.alpha
    conclusive = comparison.omnibus is None or comparison.is_conclusive
    pvalues, bold = np.full(cells.steps.shape, np.nan), np.zeros(cells.steps.shape, dtype=bool)
    for first, second, pvalue, different in comparison.decisions():
        for at, _ in cells.of(first, second):
            pvalues[at], bold[at] = pvalue, different
    known = ~np.isnan(pvalues)
    cells.steps[known] = np.sum([pvalues[known] <= part * alpha for part in _PARTS], axis=0)
    levels = [f"{part * alpha:.4g}" for part in _PARTS]
    letters = _in_order(comparison.letters, comparison)
    return Matrix(
        rows=cells.rows,
        columns=cells.columns,
        steps=cells.steps,
        write=lambda i, j: pvalue_text(float(pvalues[i, j]), alpha),
        bold=bold,
        beside=letters,
        beside_sentence="Classifiers that share a letter are not significantly different."
        if conclusive and letters
        else "",
        shades=_COLOURS if conclusive else _GREYS,
        key=(f"p > {levels[0]}", *(f"p ≤ {level}" for level in levels)),
        unknown="no p-value",
        sentences=pvalue_sentences(comparison),
    )


def _in_order(letters: tuple[str, ...], comparison: Comparison) -> tuple[str, ...]:
    """Return the letters of the compact letter display in the order of the ranking, or None if there are no letters."""
    of = dict(zip(comparison.table.classifiers, letters, strict=False))
    return tuple(of[name] for name in comparison.ranking if name in of)


def pvalue_text(pvalue: float, alpha: float) -> str:
    """Format a p-value with three decimals, or more if rounding would move it to the other side of alpha."""
    if pvalue < 0.001 and alpha >= 0.001:
        return "<0.001"
    if 0.9995 <= pvalue < 1:
        return ">0.999"
    digits = 3
    text = f"{pvalue:.{digits}f}"
    while pvalue != alpha and (float(text) <= alpha) != (pvalue <= alpha) and digits < 20:
        digits += 1
        text = f"{pvalue:.{digits}f}"
    return "1" if float(text) == 1 else text
