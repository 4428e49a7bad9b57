"""What do all pictures share: a place to draw, a measure of texts, colours that everybody can tell apart?"""

from __future__ import annotations

__all__ = [
    "BLUE",
    "GREY",
    "POINTS_PER_INCH",
    "RED",
    "SMALLEST_FONT",
    "STEPS",
    "axes_to_draw_on",
    "caption",
    "clear",
    "font_size_of",
    "ink",
    "measure_of_font",
    "name_axis",
    "points_of",
]

import unicodedata
import warnings
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats.wording import Measure, unbroken, wrap

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

POINTS_PER_INCH = 72
SMALLEST_FONT = 4.0
# on a screen hinting makes letters wider than their outlines, by up to this factor
_HINTING = 1.03

LARGEST_FONT = 200.0

# colours of Okabe & Ito (2008), which colour-blind readers can tell apart
BLUE, RED, GREY = "#0072B2", "#D55E00", "0.55"
# from little to much, one hue: each step is darker in grey too; dark ones carry white text
STEPS = ("#ffffff", "#d6e6f4", "#8fc1de", "#2f7fbc", "#08366f")
# of a colour that is neither light nor dark
_MIDDLE = 0.5


def ink(strength: float = 1.0) -> tuple[float, float, float]:
    """Return the colour of matplotlib's texts, or one between it and the background: they may be light on dark."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgb, to_rgba

    text = np.array(to_rgb(mpl.rcParams["text.color"]))
    *behind, opaque = to_rgba(mpl.rcParams["axes.facecolor"])
    paper = np.array(behind) if opaque else np.full(3, float(text.mean() < _MIDDLE))
    red, green, blue = (strength * text + (1 - strength) * paper).tolist()
    return red, green, blue


def axes_to_draw_on(ax: Axes | None, width: float, height: float) -> Axes:
    """Return the given Axes, or those of a new pyplot figure of that size in inches, which makes room for texts."""
    if ax is None:
        import matplotlib.pyplot as plt

        return plt.figure(figsize=(width, height), layout="constrained").add_subplot()
    if not hasattr(ax, "get_position"):
        raise InvalidTypeError(f"ax must be a matplotlib Axes, not {type(ax).__name__}")
    return ax


def font_size_of(font_size: Any = None, title: Any = None, metric: Any = None, **switches: Any) -> float:
    """Return the size of the font in points: as given, or as matplotlib's settings have it.

    All plots come here, so the other choices of how a plot looks are checked here too: a title is text, switches are
    True or False.
    """
    import matplotlib as mpl

    for name, value in (("title", title), ("metric", metric)):
        if value is not None and (fault := unprintable(_checks.text(value, name))):
            raise InvalidValueError(f"{name} must be text that can be drawn, but it holds {fault!r}")
    for name, value in switches.items():
        _checks.boolean(value, name)
    size = _checks.real(mpl.rcParams["font.size"] if font_size is None else font_size, "font_size")
    if not SMALLEST_FONT <= size <= LARGEST_FONT:
        rule = f"font_size must lie between {SMALLEST_FONT:g} and {LARGEST_FONT:g} points"
        raise InvalidValueError(f"{rule}, not {short(font_size)}")
    return size


def unprintable(text: str) -> str:
    """Return the first control character, or half of a character, in a text; nothing where there is none."""
    return next((one for one in text if one != "\n" and unicodedata.category(one) in ("Cc", "Cs")), "")


def points_of(ax: Axes) -> tuple[float, float]:
    """Width and height in points of the axes, as the layout of the figure will have it."""
    figure = ax.figure.figure  # of a subfigure, too, the whole figure
    if figure.get_layout_engine() is not None:
        with warnings.catch_warnings():  # saving tells of letters that the font does not have
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
        # of a letter that the font does not have, drawing will warn
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            width = text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
        return _HINTING * float(width) / 100

    return measure


def name_axis(ax: Axes, side: str, names: Sequence[str], *, size: float, upright: bool = False, step: int = 1) -> None:
    """Write every `step`-th name, never as mathematics, beside the whole numbers of the axis 'x' or 'y'."""
    text: dict[str, Any] = {"parse_math": False, "fontsize": size}
    places = range(0, len(names), step)
    if side == "y":
        ax.set_yticks(places, names[::step], **text)
    else:
        ax.set_xticks(places, names[::step], rotation=90 if upright else 0, **text)
    ax.tick_params(axis="y" if side == "y" else "x", length=0)


def caption(ax: Axes, sentences: Sequence[str], *, size: float, width: float, head: str = "") -> None:
    """Write sentences below the axes, from their left edge on, in lines of a width in font sizes.

    A `head` says first what the axis holds.
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
