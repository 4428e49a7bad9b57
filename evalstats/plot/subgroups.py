"""Differences between two classifiers in subgroups, as a forest plot."""

from __future__ import annotations

__all__ = ["subgroup_differences"]

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats.paired.subgroups import SubgroupTestResult
from evalstats.plot.row_layout import axes_of_rows, draw_interval, fill_rows, plain_scale, row_names
from evalstats.plot.style import BLUE, caption, font_size_of, ink, measure_of_font

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def subgroup_differences(
    result: SubgroupTestResult,
    names: Sequence[str] = ("x", "y"),
    ax: Axes | None = None,
    *,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the difference between two classifiers in each subgroup with simultaneous limits (forest plot).

    The dashed line is the mean of the differences, weighted by their inverse variances. An empty dot without a line
    marks a subgroup that is not tested.

    Parameters
    ----------
    result : SubgroupTestResult
        Result of `evalstats.paired.subgroup_test` or of a related subgroup test.
    names : sequence of str, default: ('x', 'y')
        Names of both classifiers.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure, whose size depends on the names.
    title : str, optional
        Title above the plot.
    caption : bool, default: True
        Whether to write an explanation below the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `result` is not a result of `subgroup_test` or of a related subgroup test.
    InvalidValueError
        If the number of names is not 2, or `ax` is too small.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> from evalstats.paired import subgroup_test_from_estimates
    >>> result = subgroup_test_from_estimates([0.2, 0.03], [0.08, 0.11], subgroups=["women", "men"])
    >>> ax = plot.subgroup_differences(result, ["new", "old"])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['women', 'men']
    """
    result = _checks.instance(result, "result", SubgroupTestResult, "a result of subgroup_test")
    both = [_checks.text(name, "a name") for name in _checks.listed(names, "names", "str")]
    if len(both) != 2:
        raise InvalidValueError(f"names must hold the names of x and y, but the number of names is {len(both)}")
    size, measure = font_size_of(font_size, title, caption=caption), measure_of_font()
    labels = row_names([str(name) for name in result.subgroups], ax, size, measure)
    texts = [f"n = {n:,}" if n else "" for n in result.n_instances.tolist()]
    ax = axes_of_rows(ax, labels, texts, size, measure)
    limits = _limits(result)
    ax.axvline(0, color=ink(0.5), linewidth=0.08 * size, zorder=0, label="_zero")
    if not math.isnan(result.mean_difference):
        look: dict[str, Any] = {"linewidth": 0.1 * size, "linestyle": (0, (4, 2)), "zorder": 0, "label": "_mean"}
        ax.axvline(result.mean_difference, color=ink(0.5), **look)
    rows = zip(result.difference.tolist(), result.lower.tolist(), result.upper.tolist(), strict=True)
    for place, values in enumerate(rows):
        is_known = not math.isnan(values[1])
        is_clear = is_known and not values[1] <= 0 <= values[2]
        draw_interval(ax, place, values, limits, size, color=BLUE if is_clear else ink(0.6), is_full=is_known)
    ax.set_xlim(limits)
    plain_scale(ax, labels, size, title)
    if caption:
        _below(ax, result, both, size)
    fill_rows(ax, labels, texts, size, "subgroups")
    return ax


def _limits(result: SubgroupTestResult) -> tuple[float, float]:
    values = np.concatenate([[0.0], result.difference, result.lower, result.upper])
    shown = values[np.isfinite(values)]
    room = 0.06 * float(np.ptp(shown)) or 1.0
    return float(shown.min() - room), float(shown.max() + room)


def _written(pvalue: float) -> str:
    if math.isnan(pvalue):
        return "no p-value"
    return "p < 0.001" if pvalue < 0.001 else f"p = {pvalue:.3f}"


def _below(ax: Axes, result: SubgroupTestResult, names: list[str], size: float) -> None:
    """Write the caption below the plot."""
    level = f"{100 * result.confidence_level:.4g}%"
    said = [
        f"Difference {names[0]} − {names[1]}; right of 0, {names[0]} has the larger value.",
        f"Lines: {level} confidence limits for all subgroups together. Dashed: weighted mean.",
        f"Test of equal differences in all subgroups: {_written(result.pvalue)}.",
    ]
    if np.isnan(result.lower).any():
        said.append("An open dot marks a subgroup that is not tested.")
    caption(ax, said, size=size)
