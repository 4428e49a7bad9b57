"""Where does the curve of one classifier lie above that of another? Their difference with two bands."""

from __future__ import annotations

__all__ = ["curve_difference"]

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats.paired.curve_comparison import CurveDifference
from evalstats.plot.style import (
    BLUE,
    POINTS_PER_INCH,
    axes_to_draw_on,
    clear,
    font_size_of,
    ink,
    measure_of_font,
    points_of,
)
from evalstats.plot.style import caption as write_caption
from evalstats.wording import shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# in font sizes
_WIDTH, _HEIGHT, _LONGEST_NAME = 36.0, 24.0, 14.0
AXES = {
    "cost": ("probability cost", "normalized expected cost"),
    "roc": ("false positive rate", "true positive rate"),
    "precision-recall": ("recall", "precision"),
    "gain": ("share of the cases", "share of the positive cases"),
    "lift": ("share of the cases", "lift"),
}


def curve_difference(
    result: CurveDifference,
    names: Sequence[str] = ("x", "y"),
    ax: Axes | None = None,
    *,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Draw the difference of two curves at each place, with a pointwise and a simultaneous band.

    Where the wide band leaves out 0, the classifiers are shown to differ, however many places were looked at. The dark
    band is for one place that was chosen beforehand.

    Parameters
    ----------
    result : CurveDifference
        What `evalstats.curve_difference` returned.
    names : sequence of str, default: ('x', 'y')
        Names of both classifiers.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.
    title : str, optional
        A line above the picture.
    caption : bool, default: True
        Whether to write under the picture how it is read.
    font_size : float, optional
        Size of the text in points; by default matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `result` is not what `evalstats.curve_difference` returned.
    InvalidValueError
        If there are not two names.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import curve_difference, plot
    >>> y_true, x, y = [0, 1, 0, 1, 0, 1], [0.2, 0.9, 0.3, 0.8, 0.6, 0.7], [0.1, 0.4, 0.5, 0.3, 0.2, 0.6]
    >>> ax = plot.curve_difference(curve_difference(y_true, x, y, curve="roc", n_resamples=200), ["SVM", "NB"])
    >>> ax.get_ylabel().replace(chr(10), " ")
    'true positive rate: SVM - NB'
    """
    result = _checks.instance(result, "result", CurveDifference, "what curve_difference returned")
    named = [_checks.text(name, "a name") for name in _checks.listed(names, "names", "str")]
    if len(named) != 2:
        raise InvalidValueError(f"names must hold the names of x and y, but it holds {len(named)}")
    size = font_size_of(font_size, title, caption=caption)
    first, second = shorten(named, measure_of_font(), _LONGEST_NAME)
    unit = size / POINTS_PER_INCH
    ax = axes_to_draw_on(ax, _WIDTH * unit, (_HEIGHT + (11.0 if caption else 4.0)) * unit)
    band: dict[str, Any] = {"color": BLUE, "linewidth": 0}
    ax.fill_between(result.at, result.low_everywhere, result.high_everywhere, alpha=0.15, label="_everywhere", **band)
    ax.fill_between(result.at, result.low, result.high, alpha=0.3, label="_pointwise", **band)
    ax.plot(result.at, result.difference, color=BLUE, linewidth=0.16 * size, label="_difference")
    ax.axhline(0, color=ink(0.5), linewidth=0.08 * size, zorder=0, label="_zero")
    across, up = AXES[result.curve]
    ax.set_xlim(-0.01, 1.01)
    ax.set_ylabel(f"{up}:\n{first} - {second}", fontsize=size, parse_math=False)
    ax.tick_params(labelsize=0.9 * size)
    ax.spines[["top", "right"]].set_visible(False)
    if title:
        clear([ax.set_title(title, fontsize=1.2 * size)])
    if not caption:
        ax.set_xlabel(across, fontsize=size)
        return ax
    percent = f"{100 * result.confidence_level:.4g}%"
    better = "Below 0" if result.curve == "cost" else "Above 0"
    said = (
        f"{better}: {first} is better.",
        f"Dark band: {percent} at each place; light band: {percent} at all places together.",
        f"{result.n_cases:,} cases, {result.n_positive:,} of them positive, drawn again {result.n_resamples:,} times.",
        *([f"{result.reason[0].upper()}{result.reason[1:]}."] if result.reason else []),
    )
    write_caption(ax, said, size=size, width=points_of(ax)[0] / size, head=across)
    return ax
