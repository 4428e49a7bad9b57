"""Critical-difference diagram in matplotlib."""

from __future__ import annotations

__all__ = ["MOST_LEGIBLE", "critical_difference_diagram", "what_cannot_be_read"]

import math
import warnings
from typing import TYPE_CHECKING, Any

from evalstats import _checks
from evalstats._errors import EvalstatsWarning, InvalidValueError, short
from evalstats.cd_layout import Diagram, Picture, lay_out, place
from evalstats.comparison.record import Comparison
from evalstats.plot import style
from evalstats.wording import LONGEST_NAME

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# the lines of more classifiers cannot be distinguished
MOST_LEGIBLE = 40
LARGEST_WIDTH = 100
# minimum length of a line of a name, and of the axis, in font sizes
_SHORTEST_NAME, _SHORTEST_AXIS = 5.0, 14.0

# line widths in font sizes
_WIDTHS = {"axis": 0.1, "tick": 0.1, "leader": 0.08, "bar": 0.34, "interval": 0.24, "ruler": 0.11}


def critical_difference_diagram(
    comparison: Comparison,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    best_side: str = "left",
    width: float | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the critical-difference diagram of a comparison.

    The axis shows the mean ranks. Rank 1 is the best. Without a control, a thick bar joins classifiers that are not
    significantly different by the test of the comparison. If the test has a critical difference of mean ranks
    (``posthoc='nemenyi'`` or, with a control, ``'bonferroni-dunn'``), a ruler shows it. With a control, the diagram
    marks the mean rank of the control plus and minus the critical difference. If the omnibus test does not reject, bars
    and intervals are gray and dotted, and the caption explains that no conclusion is possible. The caption lists
    pairs that a bar cannot join without covering a classifier that differs. For more than 40 classifiers, the
    function issues a warning; use `ranked_list` or `multiple_comparisons_with_best` instead.

    Parameters
    ----------
    comparison : Comparison
        Result of `compare`. For two classifiers, there is no critical difference; the diagram shows only the mean
        ranks.
    ax : matplotlib Axes, optional
        Axes of the plot. Names are shortened and the font size is reduced until the names fit. Default: a new figure,
        whose size depends on the names.
    title : str, optional
        Title above the plot.
    best_side : {'left', 'right'}, default: 'left'
        The side of rank 1. In Demšar (2006), rank 1 is on the right.
    width : float, optional
        Width of a new figure in inches, such as the width of a column. Names are shortened and the font size is reduced
        until the names fit. The default depends on the names.
    caption : bool, default: True
        Whether to write an explanation below the diagram, with the pairs that the bars cannot join.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `comparison` is not a comparison on several datasets.
    InvalidValueError
        If the diagram does not fit into `ax` or `width`, or if both arguments are given.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research, 7, 1-30. Section 3.2.2 and Figure 1.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> table = evalstats.example_table("demsar-2006")
    >>> ax = plot.critical_difference_diagram(evalstats.compare(table))
    >>> ax = plot.critical_difference_diagram(evalstats.compare(table, posthoc="nemenyi"))
    >>> [text.get_text() for text in ax.texts][0]
    'CD = 1.25'
    """
    diagram = lay_out(comparison, best_side=best_side)
    if diagram.n_classifiers > MOST_LEGIBLE:
        warnings.warn(
            f"{what_cannot_be_read(diagram.n_classifiers)}: plot.ranked_list shows the best classifiers with "
            "intervals and letters, plot.multiple_comparisons_with_best shows which classifiers are not significantly "
            "worse than the best, and plot.pvalue_heatmap shows all pairs",
            EvalstatsWarning,
            stacklevel=2,
        )
    size = style.font_size_of(font_size, title, caption=caption)
    choices: dict[str, Any] = {"title": title or "", "caption": caption}
    inches = _understood_width(width, ax)
    if ax is None:
        import matplotlib.pyplot as plt

        measure, page = style.measure_of_font(), style.page_width(size) * style.POINTS_PER_INCH
        picture = place(diagram, measure, longest_name=LONGEST_NAME, **choices)
        if inches is not None:
            picture, size, _ = _fitted(diagram, (inches * style.POINTS_PER_INCH, math.inf), size, choices)
        elif picture.width * size > page:
            picture = place(diagram, measure, longest_name=LONGEST_NAME, width=page / size, **choices)
        figure = plt.figure(
            figsize=(picture.width * size / style.POINTS_PER_INCH, picture.height * size / style.POINTS_PER_INCH)
        )
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        height = picture.height
    else:
        ax = style.axes_to_draw_on(ax, 0, 0)
        ax.set_axis_off()
        picture, size, height = _fitted(diagram, style.points_of(ax), size, choices)
    ax.set_xlim(0, picture.width)
    spare = (height - picture.height) / 2
    ax.set_ylim(picture.height + spare, -spare)
    _draw(ax, picture, size, conclusive=diagram.conclusive)
    return ax


def what_cannot_be_read(n_classifiers: int) -> str:
    """Return a clause that states that there are too many classifiers for a diagram."""
    return f"a critical-difference diagram of {n_classifiers} classifiers is not readable"


def _understood_width(width: Any, ax: Any) -> float | None:
    if width is None:
        return None
    if ax is not None:
        raise InvalidValueError("width is the width of a new figure; omit it if ax is given")
    inches = _checks.real(width, "width")
    if not 0 < inches <= LARGEST_WIDTH:
        raise InvalidValueError(f"width must be greater than 0 and at most {LARGEST_WIDTH} inches, not {short(width)}")
    return inches


def _fitted(
    diagram: Diagram, space: tuple[float, float], size: float, choices: dict[str, Any]
) -> tuple[Picture, float, float]:
    """Return the layout at the largest font size that fits, the font size, and the height in font sizes."""
    measure = style.measure_of_font()
    while size >= style.SMALLEST_FONT:
        width, height = space[0] / size, space[1] / size
        longest = min(LONGEST_NAME, (width - _SHORTEST_AXIS) / 2 - 5)
        if longest >= _SHORTEST_NAME:
            picture = place(diagram, measure, longest_name=longest, width=width, **choices)
            if picture.height <= height:
                return picture, size, height
        size *= 0.95
    wide, high = (f"{points / style.POINTS_PER_INCH:.1f}" for points in space)
    if math.isinf(space[1]):
        raise InvalidValueError(f"width must have space for {diagram.n_classifiers} names, but it is {wide} inches")
    raise InvalidValueError(
        f"ax must have space for {diagram.n_classifiers} classifiers, but it is {wide} x {high} inches; "
        "enlarge it, or leave ax out for a larger figure"
    )


def _draw(ax: Axes, picture: Picture, size: float, *, conclusive: bool) -> None:
    from matplotlib.lines import Line2D

    for s in picture.segments:
        undecided = s.kind in {"bar", "interval"} and not conclusive
        ax.add_line(
            Line2D(
                [s.x1, s.x2],
                [s.y1, s.y2],
                color=style.ink(0.45) if undecided else style.ink(),
                linestyle=(0, (0.5, 0.5)) if undecided else "-",
                linewidth=_WIDTHS[s.kind] * size,
                solid_capstyle="butt" if s.kind in {"bar", "interval"} else "projecting",
                dash_capstyle="butt",
                label=f"_{s.kind}",
            )
        )
    align = {"start": "left", "middle": "center", "end": "right"}
    for t in picture.texts:
        ax.text(
            t.x,
            t.y,
            t.text,
            fontsize=t.size * size,
            fontweight="bold" if t.kind == "control" else "normal",
            fontstyle="italic" if t.kind == "end" else "normal",
            color=style.ink(0.55) if t.kind in {"end", "rank"} else style.ink(),
            horizontalalignment=align[t.anchor],
            verticalalignment="center_baseline",
            **style.as_written(),
            label=f"_{t.kind}",
        )
