"""How do lines of several classifiers look, and how are they named?"""

from __future__ import annotations

__all__ = ["KEY_LINE", "LINES", "MARKERS", "joined_dots", "key_beside", "line_style"]

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats._types import FloatArray
from evalstats.plot.style import BLUE, RED, SMALLEST_FONT, clear, ink, points_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# styles of many lines: no two are the same up to 28
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


def line_style(number: int) -> dict[str, Any]:
    """Return the style of a line of many, by its number from 0."""
    style = LINES[number % len(LINES)]
    return {**style, "color": ink()} if style["color"] == "black" else style


def joined_dots(
    ax: Axes, values: FloatArray, columns: list[int], names: list[str], size: float, *, joined: bool = True
) -> None:
    """Draw a row of dots for each row of values: those of some columns named and joined, all others small and grey."""
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
    """Name the lines at the right of the axes, in a font that lets all names fit."""
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
