"""Who wins against whom, and how often?"""

from __future__ import annotations

__all__ = ["win_matrix"]

from typing import TYPE_CHECKING

from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats.comparison.one_dataset import OneDatasetComparison
from evalstats.comparison.over_datasets import Comparison
from evalstats.plot.matrix import Cell, Matrix, draw_matrix
from evalstats.plot.style import STEPS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# shares of wins at which the next shade begins
_EDGES = (0.2, 0.4, 0.6, 0.8)


def win_matrix(
    comparison: Comparison | OneDatasetComparison,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    key: bool = True,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Draw how often each classifier wins against, ties with and loses to each other, best classifier first.

    A cell says wins/ties/losses of the classifier of its row against that of its column; the more of them are won, the
    darker it is. With a control there is one row. Counts are no test: the tests say which of them could be chance.

    Parameters
    ----------
    comparison : Comparison or OneDatasetComparison
        What `compare` returned. Datasets are counted, on one dataset folds, or cases that only one gets right.
    ax : matplotlib Axes, optional
        Where to draw; names are shortened and counts made smaller until they fit, counts that cannot be read are
        left out. By default a new figure of the size that names and counts need.
    title : str, optional
        A line above the matrix.
    key : bool, default: True
        Whether to say beside the matrix what the shades mean.
    caption : bool, default: True
        Whether to write under the matrix how it is read.
    font_size : float, optional
        In points; by default matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `comparison` is no comparison.
    InvalidValueError
        If it counts neither datasets nor folds nor cases.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.win_matrix(evalstats.compare(evalstats.example_table("demsar-2006")))
    >>> [text.get_text() for text in ax.texts][:3]
    ['6/3/5', '5/3/6', '9/2/3']
    """
    matrix = _matrix(comparison)
    return draw_matrix(matrix, ax, title=title, key=key, font_size=font_size, below=caption)


def _matrix(comparison: Comparison | OneDatasetComparison) -> Matrix:
    if not isinstance(comparison, Comparison | OneDatasetComparison):
        raise InvalidTypeError(f"comparison must be what compare returned, not {type(comparison).__name__}")
    control = comparison.control
    rows = comparison.ranking if control is None else (control,)
    columns = comparison.ranking if control is None else tuple(n for n in comparison.ranking if n != control)
    cells = {}
    for pair in comparison.pairs:
        if pair.n_wins is None or pair.n_ties is None or pair.n_losses is None:
            raise InvalidValueError(
                "comparison must count wins and losses, but on this dataset it compares neither folds nor right answers"
            )
        for row, column, wins, losses in (
            (pair.first, pair.second, pair.n_wins, pair.n_losses),
            (pair.second, pair.first, pair.n_losses, pair.n_wins),
        ):
            n = wins + pair.n_ties + losses
            if n and row in rows and column in columns:
                share = (wins + pair.n_ties / 2) / n
                cell = Cell(text=f"{wins}/{pair.n_ties}/{losses}", step=sum(share > edge for edge in _EDGES))
                cells[rows.index(row), columns.index(column)] = cell
    counted = "datasets"
    if isinstance(comparison, OneDatasetComparison):
        counted = "folds" if comparison.design == "folds" else "cases that only one of them gets right"
    return Matrix(
        rows=rows,
        columns=columns,
        cells=cells,
        empty=frozenset((i, i) for i in range(len(rows)) if control is None),
        beside=(),
        beside_head="",
        shades=STEPS,
        key=("wins ≤ 20%", *(f"{low:.0%} to {low + 0.2:.0%}" for low in _EDGES[:-1]), "> 80%"),
        unknown="not compared",
        sentences=(f"Wins/ties/losses of the row against the column, in {counted}; a tie is half a win.",),
    )
