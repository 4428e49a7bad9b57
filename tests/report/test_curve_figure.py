"""Curves are placed as lines within their axes, with a key, and are thinned without a visible change."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

from evalstats.report.curve_figure import Band, Curve, CurveFigure, place_curves, round_ticks
from evalstats.report.formats.html import svg
from evalstats.report.formats.latex import _tikz
from evalstats.report.text_width import font_sizes

X = np.linspace(0, 1, 11)


def figure(*curves: Curve, **choices) -> CurveFigure:
    given = {"x_limits": (0.0, 1.0), "y_limits": (0.0, 1.0), "caption": ("Said.",)} | choices
    return CurveFigure(title="Curves", curves=curves, across="x", up="y", **given)


def placed(drawn: CurveFigure, **choices):
    return place_curves(drawn, font_sizes, longest_name=20, **choices)


def test_points_lie_on_the_scales_of_the_ticks() -> None:
    """The ticks at 0 and 1 are the ends of the axis and of the grid, and so are the ends of a diagonal."""
    picture = placed(figure(Curve(name="a", x=X, y=X)))
    (line,) = (path.points for path in picture.paths if path.kind == "curve" and path.points[0][1] != path.points[1][1])
    ticks = [segment.x1 for segment in picture.segments if segment.kind == "tick"]
    grid = [segment.y1 for segment in picture.segments if segment.kind == "grid"]

    assert line == ((ticks[0], grid[0]), (ticks[-1], grid[-1]))
    assert len(ticks) == len(grid) == 6


def test_logarithmic_axis_has_equal_steps_for_equal_ratios() -> None:
    picture = placed(
        figure(
            Curve(name="a", x=np.array([10.0, 100, 1000]), y=X[:3], dots=True),
            x_limits=(10.0, 1000.0),
            x_ticks=(10.0, 100.0, 1000.0),
            is_logarithmic=True,
        )
    )
    (dots,) = (path.points for path in picture.paths if path.kind == "dots")

    assert dots[1][0] - dots[0][0] == pytest.approx(dots[2][0] - dots[1][0])
    assert [text.text for text in picture.texts if text.kind == "tick"][-3:] == ["10", "100", "1,000"]


def test_line_ends_where_it_leaves_the_plot_and_where_it_is_missing() -> None:
    y = np.array([0.5, 1.5, 0.5, np.nan, 0.25, 0.25, -0.75, -2, -3, -3, -3])
    picture = placed(figure(Curve(name="a", x=X, y=y)))
    axis = next(segment for segment in picture.segments if segment.kind == "axis")
    grid = [segment.y1 for segment in picture.segments if segment.kind == "grid"]
    lines = [path.points for path in picture.paths if path.kind == "curve"][:-1]  # the last is in the key
    ends = [[round((x - axis.x1) / (axis.x2 - axis.x1), 3) for x, _ in (line[0], line[-1])] for line in lines]

    assert ends == [[0.0, 0.05], [0.15, 0.2], [0.4, 0.525]]
    assert all(min(grid) - 1e-9 <= y <= max(grid) + 1e-9 for line in lines for _, y in line)


def test_band_is_an_area_around_its_curve() -> None:
    drawn = figure(
        Curve(name="a", x=X, y=X), bands=(Band(of=0, x=X, low=X - 0.1, high=np.where(X == 1, np.nan, X + 0.1)),)
    )
    band, curve, _ = placed(drawn).paths
    (left, top), (right, bottom) = np.min(band.points, axis=0), np.max(band.points, axis=0)

    assert (band.kind, band.style, curve.style) == ("band", 0, 0)
    assert len(band.points) >= 4
    assert left == curve.points[0][0]
    assert right < curve.points[1][0]  # no limits at the last point
    assert curve.points[1][1] <= top <= bottom <= curve.points[0][1] + 1e-9


def test_thinned_line_stays_within_a_fraction_of_a_pixel() -> None:
    x = np.linspace(0, 1, 20_001)
    y = 0.5 + 0.4 * np.sin(9 * x) * x
    picture = placed(figure(Curve(name="a", x=x, y=y)))
    line = np.array(picture.paths[0].points)
    axis = next(segment for segment in picture.segments if segment.kind == "axis")
    grid = [segment.y1 for segment in picture.segments if segment.kind == "grid"]
    exact = grid[0] + (grid[-1] - grid[0]) * y

    shown = np.interp(axis.x1 + (axis.x2 - axis.x1) * x, line[:, 0], line[:, 1])

    assert len(line) < 150
    assert np.abs(shown - exact).max() < 0.1  # 1.4 pixels where the line is steep


@pytest.mark.parametrize("seed", range(5))
def test_entries_of_the_key_do_not_overlap_and_fit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = ["m" * n for n in rng.integers(1, 25, 6)]
    picture = placed(figure(*(Curve(name=name, x=X, y=X) for name in names)))
    entries = [text for text in picture.texts if text.kind == "name"]

    for first, second in itertools.pairwise(entries):
        assert second.y > first.y or second.x > first.x + font_sizes(first.text)
    assert [entry.full for entry in entries] == names
    assert max(entry.x + font_sizes(entry.text) for entry in entries) <= picture.width + 1
    assert max(entry.y for entry in entries) < min(path.points[0][1] for path in picture.paths[:6])


def test_curve_and_its_name_have_one_style_that_references_do_not_use_up() -> None:
    drawn = figure(*(Curve(name=n, x=X, y=X, is_reference=n in "bd") for n in "abcd"))
    styles = [(path.kind, path.style) for path in placed(drawn).paths]

    assert styles == [("curve", 0), ("reference", 0), ("curve", 1), ("reference", 1)] * 2


def test_svg_has_a_title_and_a_description() -> None:
    drawn = figure(Curve(name="<a>", x=X, y=X / 2), Curve(name="chance", x=X, y=X, is_reference=True))

    shown = svg(drawn, title=drawn.title, name="here")

    assert '<title id="here-title">Curves</title>' in shown
    assert "&lt;a&gt;: y 0.000 at 0.000, 0.500 at 1.000. chance: a reference line. Said.</desc>" in shown
    assert shown.count("<path") == 4


def test_tikz_draws_each_line_once() -> None:
    drawn = figure(Curve(name="a", x=X, y=X, dots=True), bands=(Band(of=0, x=X, low=X - 0.1, high=X + 0.1),))

    shown = _tikz(drawn, width=r"\columnwidth", room=28.0)

    assert shown.count("dash pattern") + shown.count("solid") == 2
    assert shown.count(r"\fill") == 1
    assert shown.count("line cap=round") == len(X)
    assert max(float(x) for x in re.findall(r"\((\d+\.\d+), ", shown)) <= 28.0


def test_colors_contrast_with_light_and_dark_pages_and_are_the_same_everywhere() -> None:
    """A graphical object needs a contrast of 3 to 1 (WCAG 2.2, 1.4.11)."""
    folder = Path(__file__).parents[2] / "evalstats" / "report" / "formats"
    page, notebook = (
        re.findall(r"\.s\d \{ --of: #(\w{6}); --dash: (.*?); \}", (folder / name).read_text(encoding="utf-8"))
        for name in ("page.css", "notebook.css")
    )
    tex = re.findall(r"red,(\d+);green,(\d+);blue,(\d+)", (folder / "latex.py").read_text(encoding="utf-8"))

    def luminance(color: str) -> float:
        parts = [int(color[i : i + 2], 16) / 255 for i in (0, 2, 4)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return float(np.dot([0.2126, 0.7152, 0.0722], linear))

    assert page == notebook
    assert ["".join(f"{int(part):02x}" for part in color) for color in tex] == [color for color, _ in page]
    assert len({dash for _, dash in page}) == 6
    for color, _ in page:
        assert 1.05 / (luminance(color) + 0.05) >= 3
        assert (luminance(color) + 0.05) / (luminance("14171a") + 0.05) >= 3


def test_ticks_are_round() -> None:
    assert round_ticks(0.0, 1.0) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert round_ticks(-0.13, 0.62) == [0.0, 0.2, 0.4, 0.6]
