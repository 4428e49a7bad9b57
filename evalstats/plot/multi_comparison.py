"""Multi-comparison matrix: mean difference, wins, ties and losses, and p-value of each pair."""

from __future__ import annotations

__all__ = ["multi_comparison_matrix"]

from typing import TYPE_CHECKING

import numpy as np

from evalstats import _checks
from evalstats._types import IntArray
from evalstats.comparison.record import Comparison, PairMatrix, pair_matrix
from evalstats.plot.heatmap import pvalue_text
from evalstats.plot.matrix import EMPTY, UNKNOWN, Matrix, draw_matrix
from evalstats.plot.style import STEPS
from evalstats.wording import pair_matrix_sentences

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# from the worst to the best row; each has black text
_SHADES = ("#f0a067", "#fadfca", *STEPS[:3])
# lower limits of the middle and the outer shades, as proportions of the largest difference
_MIDDLE, _OUTER = 0.2, 0.6


def multi_comparison_matrix(
    comparison: Comparison,
    ax: Axes | None = None,
    *,
    max_shown: int = 10,
    title: str | None = None,
    legend: bool = True,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the mean difference, the wins, ties and losses, and the p-value of each pair (MCM).

    Rows and columns are in the order of the mean scores, which are shown at the right of the matrix. A cell compares
    the classifier of its row with the classifier of its column. It shows the mean difference, the wins/ties/losses of
    the row, and the p-value. A blue cell means that the row has the better mean, and an orange cell means that the
    column has the better mean. Significantly different pairs are bold. With a control, the matrix has only one column.

    The p-values of the comparison are adjusted for all compared pairs, so they depend on the other classifiers.
    ``compare(..., adjust="none")`` gives p-values that are not adjusted.

    Parameters
    ----------
    comparison : Comparison
        Result of `compare`, with any design.
    ax : matplotlib Axes, optional
        Axes of the plot. Names are shortened and the font size is reduced until the names fit. If the texts would be
        unreadable, they are left out. Default: a new figure of at most one page, whose size depends on the names and
        texts.
    max_shown : int, default: 10
        Maximum number of classifiers. The plot shows the classifiers with the best mean scores. For more than 30
        classifiers, the cells have no texts.
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

    References
    ----------
    Ismail-Fawaz, A., Dempster, A., Tan, C. W., Herrmann, M., Miller, L., Schmidt, D. F., Berretti, S., Weber, J.,
    Devanne, M., Forestier, G. & Webb, G. I. (2023). An approach to multiple comparison benchmark evaluations that is
    stable under manipulation of the comparate set. arXiv:2305.11921.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.multi_comparison_matrix(evalstats.compare(evalstats.example_table("demsar-2006")))
    >>> next(text.get_text() for text in ax.texts if "/" in text.get_text()).splitlines()
    ['+0.0068', '6/3/5', '0.707']
    """
    comparison = _checks.instance(comparison, "comparison", Comparison, "a result of compare")
    found = pair_matrix(comparison, _checks.count(max_shown, "max_shown"))
    return draw_matrix(_matrix(found, comparison), ax, title=title, legend=legend, font_size=font_size, below=caption)


def _matrix(found: PairMatrix, comparison: Comparison) -> Matrix:
    differences = found.differences()

    def write(i: int, j: int) -> str:
        pvalue = float(found.pvalue[i, j])
        counts = "" if found.counts is None else "/".join(str(one[i, j]) for one in found.counts) + "\n"
        return f"{differences[i][j]}\n{counts}{'–' if np.isnan(pvalue) else pvalue_text(pvalue, comparison.alpha)}"

    steps, limits = _steps(found, greater_is_better=comparison.table.greater_is_better)
    return Matrix(
        rows=found.rows,
        columns=found.columns,
        steps=steps,
        write=write,
        bold=found.different,
        beside=tuple(f"{score:.4g}" for score in found.mean_scores),
        beside_head="Mean",
        shades=_SHADES,
        key=(
            *(f"worse by > {limit:g}" for limit in limits[::-1]),
            f"within ±{limits[0]:g}",
            *(f"better by > {limit:g}" for limit in limits),
        ),
        unknown="no common units",
        sentences=tuple(pair_matrix_sentences(found, comparison, mark="bold")),
        n_lines=2 if found.counts is None else 3,
    )


def _steps(found: PairMatrix, *, greater_is_better: bool) -> tuple[IntArray, tuple[float, float]]:
    """Return the shade of each cell, and the two differences at which the shades change."""
    better = found.difference if greater_is_better else -found.difference
    largest = np.nanmax(np.abs(better), initial=0.0)
    middle, outer = (float(f"{part * largest:.1g}") for part in (_MIDDLE, _OUTER))
    steps = np.searchsorted([-outer, -middle], better, side="right") + np.searchsorted([middle, outer], better)
    steps[np.isnan(better)] = UNKNOWN
    steps[np.equal.outer(np.array(found.rows, dtype=object), np.array(found.columns, dtype=object))] = EMPTY
    return steps, (middle, outer)
