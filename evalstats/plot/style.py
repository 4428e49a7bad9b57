"""Common style of all plots: axes, text sizes, and colors for readers with color vision deficiency."""

from __future__ import annotations

__all__ = [
    "BLUE",
    "GREY",
    "LINE_HEIGHT",
    "MARKERS",
    "PAGE_HEIGHT",
    "POINTS_PER_INCH",
    "READABLE_FONT",
    "RED",
    "SMALLEST_FONT",
    "STEPS",
    "add_to_caption",
    "as_written",
    "axes_to_draw_on",
    "axes_with_key",
    "caption",
    "check_number_of_names",
    "clear",
    "fit_caption",
    "font_size_of",
    "ink",
    "joined_dots",
    "key_beside",
    "key_labels",
    "key_lines",
    "letters_told",
    "line_style",
    "measure_of_font",
    "name_axis",
    "name_quantity",
    "names_of_both",
    "nth_named",
    "page_width",
    "plain_axes",
    "points_of",
    "write_title",
]

import itertools
import re
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from evalstats import _checks
from evalstats._errors import EvalstatsWarning, InvalidTypeError, InvalidValueError, examples, short
from evalstats._types import FloatArray
from evalstats.wording import LONGEST_NAME, Measure, unbroken, wrap, wrap_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text


POINTS_PER_INCH = 72
# smallest font size in points of a plot on given axes, and of a new figure
SMALLEST_FONT, READABLE_FONT = 4.0, 6.0
# width and height of the text of a page of A4 or letter in inches; a larger font size needs a wider figure
PAGE_WIDTH, PAGE_HEIGHT, _PAGE_FONT = 7.0, 9.5, 10.0
# font families for letters that the font of the user lacks; only installed families are used
FALLBACK_FONTS = (
    *("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK TC", "Noto Sans CJK KR"),
    *("Noto Sans SC", "Noto Sans JP", "Noto Sans TC", "Noto Sans KR", "Source Han Sans SC", "Source Han Sans"),
    *("PingFang SC", "Hiragino Sans GB", "Hiragino Sans", "Apple SD Gothic Neo", "Arial Unicode MS"),
    *(
        "Microsoft YaHei",
        "Yu Gothic",
        "Malgun Gothic",
        "SimHei",
        "MS Gothic",
        "WenQuanYi Zen Hei",
        "Droid Sans Fallback",
    ),
)
# words in the Unicode names of the letters of each font family
_OF_NOTO_CJK = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")
_MISSING_LETTER = re.compile(r"Glyph (\d+) .* missing from font\(s\) (.*)\.$", re.DOTALL)
_MOST_TOLD = 5
_ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
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
    {"linestyle": dashes, "color": color}
    for dashes, color in itertools.product(
        ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (6, 1, 1, 1))),
        ("black", BLUE, RED, "#009E73", "#CC79A7", "#E69F00", "#56B4E9"),
    )
)
MARKERS = "osD^vPX<>*"
# distance of two lines, as a multiple of the font size, in each font
_LINE_SPACING = 1.15
# height of a line of text, of a label of the key beyond its lines, and widest line of the key, in font sizes
LINE_HEIGHT, _BETWEEN_KEYS, _LONGEST_KEY = 1.2, 0.15, 15.0
# space above and below a key that is as high as its axes
_ABOVE_AND_BELOW = 12.0
# new figures; lines of the title, and of the caption without its head, for which they have space: more lines make
# them higher
_NEW: WeakSet[Figure] = WeakSet()
_TITLE_LINES, _CAPTION_LINES = 2, 6


def ink(strength: float = 1.0) -> tuple[float, float, float]:
    """Return matplotlib's text color, or a color between the text color and the background, which may be dark."""
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

        figure = plt.figure(figsize=(width, height), layout="constrained")
        _NEW.add(figure)
        return figure.add_subplot()
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

    All plots call this function, so it also checks the other appearance options: a title must be text, and switches
    must be True or False.
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
    """Return the first control character or surrogate in a string, or '' if there is none."""
    return next((one for one in text if one != "\n" and unicodedata.category(one) in ("Cc", "Cs")), "")


@contextmanager
def letters_told(*, is_told: bool = True) -> Iterator[None]:
    """Warn once about all letters that the fonts lack; matplotlib warns for each letter, or not at all."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        yield
    missing = dict.fromkeys(found.groups() for one in told if (found := _MISSING_LETTER.match(str(one.message))))
    for one in told:
        if not _MISSING_LETTER.match(str(one.message)):
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if missing and is_told:
        letters = sorted({chr(int(number)) for number, _ in missing})
        fonts = ", ".join(dict.fromkeys(font for _, fonts in missing for font in fonts.split(", ")))
        is_installed_alone = any(unicodedata.name(one, "").startswith(_OF_NOTO_CJK) for one in letters)
        noto = "install Noto Sans CJK, which the plots then use for such letters, or " if is_installed_alone else ""
        warnings.warn(
            f"the font {fonts} has no glyph for {examples(list(map(short, letters)), _MOST_TOLD)}; {noto}choose "
            "another font in matplotlib.rcParams['font.family']",
            EvalstatsWarning,
            stacklevel=4,
        )


def points_of(ax: Axes) -> tuple[float, float]:
    """Return the width and the height of the axes in points, after the layout of the figure."""
    figure = ax.figure.figure  # the whole figure, also for a subfigure
    if (engine := figure.get_layout_engine()) is not None:
        with letters_told(is_told=False):  # saving warns about letters that the font lacks
            engine.execute(figure)
            ax.apply_aspect()
    return ax.bbox.width / figure.dpi * POINTS_PER_INCH, ax.bbox.height / figure.dpi * POINTS_PER_INCH


def page_width(size: float) -> float:
    """Return the maximum width of a new figure in inches, for a font size in points."""
    return PAGE_WIDTH * max(1.0, size / _PAGE_FONT)


def font_families() -> list[str]:
    """Return the font families of matplotlib's settings, and installed families for the letters that these lack."""
    import matplotlib as mpl
    from matplotlib.font_manager import fontManager

    own = list(mpl.rcParams["font.family"])
    installed = {font.name for font in fontManager.ttflist}
    return own + [family for family in FALLBACK_FONTS if family in installed and family not in own]


def as_written() -> dict[str, Any]:
    """Return the properties of a string that is never formatted as mathematics, with a font for each letter."""
    return {"parse_math": False, "fontfamily": font_families(), "linespacing": _LINE_SPACING}


def measure_of_font() -> Measure:
    """Return the function that measures the widest line of a string in matplotlib's font, in font sizes."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=font_families(), size=100)

    @cache
    def of_line(text: str) -> float:
        # drawing warns about a letter that the font lacks
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            width = text_to_path.get_text_width_height_descent(text, font, ismath=False)[0]
        return _HINTING * float(width) / 100

    return lambda text: max(map(of_line, text.split("\n")))


def names_of_both(names: Any) -> list[str]:
    """Return the names of x and y."""
    named = [_checks.text(name, "a name") for name in _checks.listed(names, "names", "str")]
    if len(named) != 2:
        raise InvalidValueError(f"names must hold the names of x and y, but the number of names is {len(named)}")
    return named


def check_number_of_names(labels: Sequence[str], k: int) -> None:
    """Raise an error unless there is one name for each of k classifiers."""
    if len(labels) != k:
        raise InvalidValueError(
            f"names must hold one name for each of the {k} classifiers, but the number of names is {len(labels)}"
        )


def name_axis(ax: Axes, side: str, names: Sequence[str], *, size: float, upright: bool = False, step: int = 1) -> None:
    """Write every `step`-th name at the integers of the axis 'x' or 'y', never formatted as mathematics."""
    text: dict[str, Any] = {**as_written(), "fontsize": size}
    places = range(0, len(names), step)
    if side == "y":
        ax.set_yticks(places, names[::step], **text)
    else:
        ax.set_xticks(places, names[::step], rotation=90 if upright else 0, **text)
    ax.tick_params(axis="y" if side == "y" else "x", length=0)


def nth_named(step: int, what: str) -> str:
    """State that only every `step`-th row or column is named."""
    return f"Every {_ORDINALS[step - 2] if step <= len(_ORDINALS) + 1 else f'{step}th'} {what} is named."


def write_title(ax: Axes, title: str | None, size: float, *, above: float = 0.6) -> None:
    """Write a title, if any, in lines no wider than the axes; `above` is its distance from the axes in font sizes."""
    if title:
        measure, width = measure_of_font(), ax.bbox.width / ax.figure.figure.dpi * POINTS_PER_INCH / size
        lines = [
            one
            for line in title.split("\n")
            for one in wrap(line, lambda text: 1.2 * measure(text), max(width, 10.0), whole_words=False)
        ]
        _make_space(ax, (len(lines) - _TITLE_LINES) * 1.2 * size)
        ax.set_title("\n".join(lines), fontsize=1.2 * size, pad=above * size, **as_written())


def _make_space(ax: Axes, height: float) -> None:
    """Enlarge a new figure by the height of text lines minus their spacing (in points), if the result is positive."""
    figure = ax.figure.figure
    if figure in _NEW and height > 0:
        width, old = figure.get_size_inches()
        figure.set_size_inches(width, old + _LINE_SPACING * height / POINTS_PER_INCH)


def plain_axes(ax: Axes, size: float, title: str | None) -> None:
    """Draw only the scales at the left and at the bottom, and the title."""
    ax.tick_params(labelsize=0.9 * size)
    ax.spines[["top", "right"]].set_visible(False)
    write_title(ax, title, size)


def caption(ax: Axes, sentences: Sequence[str], *, size: float, width: float | None = None, head: str = "") -> None:
    """Write sentences below the axes, aligned with their left edge, in lines of the given width in font sizes.

    By default, the lines are as wide as the axes. If given, `head` comes first and names the quantity on the axis.
    """
    width = points_of(ax)[0] / size if width is None else width
    lines = _caption_lines(unbroken(" ".join(sentences)), width)
    if head:
        lines = [*_caption_lines(head, width), "", *lines]
    _make_space(ax, (len(lines) - _CAPTION_LINES - (2 if head else 0)) * 0.85 * size)
    below = ax.set_xlabel("\n".join(lines), fontsize=0.85 * size, labelpad=0.6 * size, color=ink(0.75), **as_written())
    below.set(x=0, horizontalalignment="left")


def name_quantity(ax: Axes, side: str, text: str, size: float) -> None:
    """Name the quantity of the axis 'x' or 'y', in lines no longer than the axis."""
    measure, length = measure_of_font(), points_of(ax)[0 if side == "x" else 1] / size
    length *= 1.0 if side == "x" else 0.7  # a caption reduces the height
    lines = "\n".join(wrap(text, measure, max(length, 10.0), whole_words=False))
    (ax.set_xlabel if side == "x" else ax.set_ylabel)(lines, fontsize=size, **as_written())


def add_to_caption(ax: Axes, sentence: str) -> None:
    """Write a further sentence below the axes, if there is a caption."""
    label = ax.xaxis.label
    if told := label.get_text():
        label.set_text(f"{told}\n{sentence}")


def fit_caption(ax: Axes, size: float) -> None:
    """Break the lines of a caption again after the names have reduced the width of the axes."""
    label = ax.xaxis.label
    told = " ".join(label.get_text().split("\n"))
    label.set_text("\n".join(_caption_lines(told, points_of(ax)[0] / size)))


def _caption_lines(text: str, width: float) -> list[str]:
    """Break a caption into lines of the given width, in font sizes of the figure."""
    measure = measure_of_font()
    return wrap(text, lambda line: 0.85 * measure(line), max(width, 20.0), whole_words=False)


def clear(texts: Sequence[Text]) -> None:
    """Write texts unchanged, never formatted as mathematics, with a font for each letter."""
    for text in texts:
        text.update(as_written())


def line_style(number: int) -> dict[str, Any]:
    """Return the style of the line with the given number, counted from 0."""
    style = LINES[number % len(LINES)]
    return {**style, "color": ink()} if style["color"] == "black" else style


def joined_dots(
    ax: Axes, values: FloatArray, columns: list[int], names: list[str], size: float, *, joined: bool = True
) -> None:
    """Plot a row of dots for each row of values; name and join some columns, and plot all others small and gray."""
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


def key_labels(names: Sequence[str], words: Sequence[str] = ()) -> list[str]:
    """Return the labels of a legend: names in one or two lines, each with words at its right or below."""
    measure = measure_of_font()
    short_names = wrap_names(names, measure, LONGEST_NAME)
    if not words:
        return short_names
    return [
        f"{name}:{' ' if measure(name.split(chr(10))[-1] + ': ' + word) <= _LONGEST_KEY else chr(10)}{word}"
        for name, word in zip(short_names, words, strict=True)
    ]


def key_lines(labels: Sequence[str]) -> float:
    """Return the height of a legend, in font sizes."""
    return sum(LINE_HEIGHT * (1 + label.count("\n")) + _BETWEEN_KEYS for label in labels)


def axes_with_key(ax: Axes | None, labels: Sequence[str], size: float, *, width: float, height: float) -> Axes:
    """Return the given axes, or new axes with a legend at the right; the sizes are in font sizes without the legend.

    The figure is at most as wide as a page, and high enough for the legend.
    """
    unit = size / POINTS_PER_INCH
    wide = min((width + max(map(measure_of_font(), labels))) * unit, page_width(size))
    return axes_to_draw_on(ax, wide, max(height, key_lines(labels) + _ABOVE_AND_BELOW) * unit)


def key_beside(ax: Axes, labels: Sequence[str], size: float) -> None:
    """Write the labels of the lines at the right of the axes, at a font size at which all labels fit."""
    legend = ax.legend(
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        borderaxespad=0,
        borderpad=0,
        frameon=False,
        fontsize=max(min(size, points_of(ax)[1] / key_lines(labels)), SMALLEST_FONT),
        labelspacing=_BETWEEN_KEYS,
        handlelength=2.6,
    )
    clear(legend.get_texts())
