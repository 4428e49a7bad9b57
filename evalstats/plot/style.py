"""Common style of all plots: axes, text measures and colors for readers with color vision deficiency."""

from __future__ import annotations

__all__ = [
    "BLUE",
    "GREY",
    "KEY_LINE",
    "MARKERS",
    "POINTS_PER_INCH",
    "RED",
    "SMALLEST_FONT",
    "STEPS",
    "axes_to_draw_on",
    "caption",
    "clear",
    "font_size_of",
    "ink",
    "joined_dots",
    "key_beside",
    "line_style",
    "measure_of_font",
    "name_axis",
    "points_of",
]

import itertools
import unicodedata
import warnings
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats._types import FloatArray
from evalstats.wording import Measure, unbroken, wrap

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text


POINTS_PER_INCH = 72
SMALLEST_FONT = 4.0
# on a screen, hinting makes letters wider than their outlines, by up to this factor
_HINTING = 1.03
LARGEST_FONT = 200.0
# colors of Okabe & Ito (2008), which readers with color vision deficiency can distinguish
BLUE, RED, GREY = "#0072B2", "#D55E00", "0.55"
# sequential shades of one hue, also decreasing in gray; dark shades have white text
STEPS = ("#ffffff", "#d6e6f4", "#8fc1de", "#2f7fbc", "#08366f")
# luminance between light and dark colors
_MIDDLE = 0.5
# styles of many lines: 28 different styles
LINES: tuple[dict[str, Any], ...] = tuple(
    {"linestyle": dashes, "color": colour}
    for dashes, colour in itertools.product(
        ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (6, 1, 1, 1))),
        ("black", BLUE, RED, "#009E73", "#CC79A7", "#E69F00", "#56B4E9"),
    )
)
MARKERS = "osD^vPX<>*"
# height of a line of the key, in font sizes
KEY_LINE = 1.35


def ink(strength: float = 1.0) -> tuple[float, float, float]:
    """Return the color of matplotlib's texts, or a color between it and the background, which may be dark."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgb, to_rgba

    text = np.array(to_rgb(mpl.rcParams["text.color"]))
    *behind, opaque = to_rgba(mpl.rcParams["axes.facecolor"])
    paper = np.array(behind) if opaque else np.full(3, float(text.mean() < _MIDDLE))
    red, green, blue = (strength * text + (1 - strength) * paper).tolist()
    return red, green, blue


def axes_to_draw_on(ax: Axes | None, width: float, height: float) -> Axes:
    """Return the given Axes, or new Axes in a pyplot figure of a size in inches, with space for texts."""
    if ax is None:
        import matplotlib.pyplot as plt

        return plt.figure(figsize=(width, height), layout="constrained").add_subplot()
    if not hasattr(ax, "get_position"):
        raise InvalidTypeError(f"ax must be a matplotlib Axes, not {type(ax).__name__}")
    return ax


def drawable(value: Any, name: str) -> str:
    """Return `value` if it is text that can be drawn."""
    if fault := unprintable(_checks.text(value, name)):
        raise InvalidValueError(f"{name} must be text that can be drawn, but it holds {fault!r}")
    return str(value)


def font_size_of(font_size: Any = None, title: Any = None, metric: Any = None, **switches: Any) -> float:
    """Return the font size in points: the argument, or the setting of matplotlib.

    All plots call this function, so it also checks the other options of the appearance: a title is text, and switches
    are True or False.
    """
    import matplotlib as mpl

    for name, value in (("title", title), ("metric", metric)):
        if value is not None:
            drawable(value, name)
    for name, value in switches.items():
        _checks.boolean(value, name)
    size = _checks.real(mpl.rcParams["font.size"] if font_size is None else font_size, "font_size")
    if not SMALLEST_FONT <= size <= LARGEST_FONT:
        rule = f"font_size must lie between {SMALLEST_FONT:g} and {LARGEST_FONT:g} points"
        raise InvalidValueError(f"{rule}, not {short(font_size)}")
    return size


def unprintable(text: str) -> str:
    """Return the first control character, or surrogate, in a text; empty if there is none."""
    return next((one for one in text if one != "\n" and unicodedata.category(one) in ("Cc", "Cs")), "")


def points_of(ax: Axes) -> tuple[float, float]:
    """Return the width and the height of the axes in points, under the layout of the figure."""
    figure = ax.figure.figure  # the whole figure, also for a subfigure
    if figure.get_layout_engine() is not None:
        with warnings.catch_warnings():  # saving warns about letters that the font lacks
            warnings.filterwarnings("ignore", "Glyph")
            figure.draw_without_rendering()
    return ax.bbox.width / figure.dpi * POINTS_PER_INCH, ax.bbox.height / figure.dpi * POINTS_PER_INCH


def measure_of_font() -> Measure:
    """Return the function that measures a text in matplotlib's font, in font sizes."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=100)

    @cache
    def measure(text: str) -> float:
        # drawing warns about a letter that the font lacks
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            width = text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
        return _HINTING * float(width) / 100

    return measure


def name_axis(ax: Axes, side: str, names: Sequence[str], *, size: float, upright: bool = False, step: int = 1) -> None:
    """Write every `step`-th name, never as mathematics, at the integers of the axis 'x' or 'y'."""
    text: dict[str, Any] = {"parse_math": False, "fontsize": size}
    places = range(0, len(names), step)
    if side == "y":
        ax.set_yticks(places, names[::step], **text)
    else:
        ax.set_xticks(places, names[::step], rotation=90 if upright else 0, **text)
    ax.tick_params(axis="y" if side == "y" else "x", length=0)


def caption(ax: Axes, sentences: Sequence[str], *, size: float, width: float, head: str = "") -> None:
    """Write sentences below the axes, from their left edge on, in lines of a width in font sizes.

    A `head` first names the quantity of the axis.
    """
    measure = measure_of_font()
    lines = wrap(unbroken(" ".join(sentences)), lambda text: 0.85 * measure(text), max(width, 20.0))
    lines = [f"{head}\n", *lines] if head else lines
    below = ax.set_xlabel(
        "\n".join(lines), fontsize=0.85 * size, labelpad=0.6 * size, parse_math=False, color=ink(0.75)
    )
    below.set(x=0, horizontalalignment="left")


def clear(texts: Sequence[Text]) -> None:
    """Write texts as they are, never as mathematics."""
    for text in texts:
        text.set_parse_math(False)


def line_style(number: int) -> dict[str, Any]:
    """Return the style of a line, by its number from 0."""
    style = LINES[number % len(LINES)]
    return {**style, "color": ink()} if style["color"] == "black" else style


def joined_dots(
    ax: Axes, values: FloatArray, columns: list[int], names: list[str], size: float, *, joined: bool = True
) -> None:
    """Plot a row of dots for each row of values: some columns named and joined, all others small and gray."""
    places = np.arange(len(values))
    extent = np.nanmin(values, axis=1), np.nanmax(values, axis=1)
    ax.hlines(places, *extent, color=ink(0.15), linewidth=0.8, zorder=0, label="_range")
    others = np.delete(values, columns, axis=1)
    if others.size:
        rows = np.repeat(places, others.shape[1])
        look: dict[str, Any] = {"marker": ".", "markersize": 0.3 * size, "color": ink(0.35), "linestyle": ""}
        ax.plot(others.ravel(), rows, label="_others", zorder=1, **look)
    for number, (name, column) in enumerate(zip(names, columns, strict=True)):
        style = line_style(number)
        style = style if joined else {**style, "linestyle": ""}
        marker: dict[str, Any] = {"marker": MARKERS[number % len(MARKERS)], "markersize": 0.5 * size}
        ax.plot(values[:, column], places, label=name, linewidth=1, alpha=0.9, **marker, **style)


def key_beside(ax: Axes, n_labels: int, size: float) -> None:
    """Write the names of the lines at the right of the axes, at a font size at which all names fit."""
    font = min(size, points_of(ax)[1] / n_labels / KEY_LINE)
    legend = ax.legend(
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        borderaxespad=0,
        borderpad=0,
        frameon=False,
        fontsize=max(font, SMALLEST_FONT),
        labelspacing=0.15,
        handlelength=2.6,
    )
    clear(legend.get_texts())
