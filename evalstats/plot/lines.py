"""How do lines of several classifiers look, and how are they named?"""

from __future__ import annotations

__all__ = ["KEY_LINE", "LINES", "MARKERS", "key_beside", "line_style"]

import itertools
from typing import TYPE_CHECKING, Any

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
