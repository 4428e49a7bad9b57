"""What all pictures share."""

from __future__ import annotations

import itertools

import matplotlib as mpl
import pytest

from evalstats.plot.style import (
    LINES,
    STEPS,
    axes_to_draw_on,
    font_size_of,
    ink,
    key_beside,
    line_style,
    measure_of_font,
)


def test_steps_get_darker() -> None:
    from matplotlib.colors import to_rgb

    luminance = [sum(w * c for w, c in zip((0.299, 0.587, 0.114), to_rgb(step), strict=True)) for step in STEPS]

    assert all(light - dark > 0.1 for light, dark in itertools.pairwise(luminance))


def test_measure_is_that_of_the_drawn_text() -> None:
    ax = axes_to_draw_on(None, 5, 3)
    text = ax.text(0, 0, "random forest", fontsize=10)

    width = text.get_window_extent().width / ax.figure.dpi * 72

    assert measure_of_font()("random forest") * 10 == pytest.approx(width, rel=0.06)


def test_letters_that_the_font_lacks_are_measured_without_a_warning() -> None:
    assert measure_of_font()("\u4f60") > 0


def test_not_an_axes() -> None:
    with pytest.raises(TypeError, match="ax must be a matplotlib Axes, not str"):
        axes_to_draw_on("here", 1, 1)


@pytest.mark.parametrize("size", [0, -3, float("nan")])
def test_font_size(size: float) -> None:
    with pytest.raises(ValueError, match="font_size must lie between 4 and 200 points"):
        font_size_of(size)


@pytest.mark.parametrize("paper", ["black", "none"])
def test_ink_is_light_on_a_dark_background(paper: str) -> None:
    with mpl.rc_context({"text.color": "white", "axes.facecolor": paper}):
        assert ink() == (1.0, 1.0, 1.0)
        assert ink(0.25) == (0.25, 0.25, 0.25)


def test_ink_is_black_by_default() -> None:
    assert ink() == (0.0, 0.0, 0.0)
    assert ink(0.75) == (0.25, 0.25, 0.25)


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

    key_beside(ax, [f"$x_{number}$" for number in range(15)], 10)

    texts = ax.get_legend().get_texts()
    assert not any(text.get_parse_math() for text in texts)
    assert 4 <= texts[0].get_fontsize() < 10
