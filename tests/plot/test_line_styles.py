"""Lines of several classifiers: told apart, and named beside the axes."""

from __future__ import annotations

import matplotlib as mpl

from evalstats.plot.line_styles import LINES, key_beside, line_style
from evalstats.plot.style import axes_to_draw_on


def test_no_two_lines_look_the_same() -> None:
    assert len({str(style) for style in LINES}) == len(LINES) == 28


def test_black_line_is_light_on_a_dark_background() -> None:
    with mpl.rc_context({"text.color": "white", "axes.facecolor": "black"}):
        assert line_style(0)["color"] == (1.0, 1.0, 1.0)
        assert line_style(29) == LINES[1]


def test_key_shrinks_until_all_names_fit_and_reads_no_mathematics() -> None:
    ax = axes_to_draw_on(None, 4, 2)
    for number in range(15):
        ax.plot([0, 1], [0, number], label=f"$x_{number}$", **line_style(number))

    key_beside(ax, 15, 10)

    texts = ax.get_legend().get_texts()
    assert not any(text.get_parse_math() for text in texts)
    assert 4 <= texts[0].get_fontsize() < 10
