"""Files of pictures: fonts that publishers take, and bytes that depend on the picture alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

from evalstats import EvalstatsWarning, ScoreTable, compare, example_table
from evalstats.plot import critical_difference_diagram, pvalue_heatmap, save, win_matrix
from evalstats.plot.saving import PICTURE_FORMATS, picture_bytes

mpl.use("agg")
every_format = pytest.mark.parametrize("suffix", PICTURE_FORMATS)


@pytest.mark.sampled
@every_format
@pytest.mark.parametrize("draw", [critical_difference_diagram, pvalue_heatmap])
def test_same_table_is_the_same_file(suffix: str, draw, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn twice, at another time of day."""
    one = picture_bytes(draw(compare(example_table("demsar-2006"))), suffix)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    other = picture_bytes(draw(compare(example_table("demsar-2006"))), suffix)

    assert one == other


@pytest.mark.long
@every_format
def test_image_of_many_is_the_same_file(suffix: str, of_many) -> None:
    one, other = (picture_bytes(win_matrix(of_many(40)), suffix, dpi=60) for _ in range(2))

    assert one == other


@pytest.mark.sampled
@every_format
def test_no_file_names_the_day_or_the_program(suffix: str) -> None:
    content = picture_bytes(critical_difference_diagram(compare(example_table("demsar-2006"))), suffix)

    assert not re.search(rb"CreationDate|<dc:date>|matplotlib\.org|Matplotlib v", content)


def test_fonts_of_a_pdf_are_truetype_whatever_the_settings_are() -> None:
    with mpl.rc_context({"pdf.fonttype": 3, "pdf.compression": 0}):
        content = picture_bytes(critical_difference_diagram(compare(example_table("demsar-2006"))), ".pdf")

    assert b"/CIDFontType2" in content
    assert b"/Type3" not in content
    assert mpl.rcParams["pdf.fonttype"] == mpl.rcParamsDefault["pdf.fonttype"]


def test_dots_per_inch_are_those_of_a_png() -> None:
    ax = critical_difference_diagram(compare(example_table("demsar-2006")))

    widths = [int.from_bytes(picture_bytes(ax, ".png", dpi=dpi)[16:20], "big") for dpi in (50, 200)]

    assert widths[1] == pytest.approx(4 * widths[0], rel=0.01)


def test_file_holds_the_picture(tmp_path: Path) -> None:
    ax = critical_difference_diagram(compare(example_table("demsar-2006")))
    save(ax, tmp_path / "diagram.SVG")

    assert (tmp_path / "diagram.SVG").read_bytes() == picture_bytes(ax, ".svg")


@pytest.mark.parametrize("draw", [critical_difference_diagram, pvalue_heatmap, win_matrix])
def test_letters_without_a_picture_are_told_once(
    draw: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalstats.plot.style.FALLBACK_FONTS", ())  # the computer may have a font with these letters
    scores = [[1, 2, 3.5], [2, 1, 5], [1, 3, 4]]
    table = ScoreTable(scores=scores, datasets=("d", "e", "f"), classifiers=("決定木", "b", "\U0001d504"))

    with pytest.warns() as told:
        save(draw(compare(table)), tmp_path / "picture.png")

    assert [one.category for one in told] == [EvalstatsWarning]
    assert "has no glyph for '定', '木', '決', '\U0001d504'; install Noto Sans CJK" in str(told[0].message)


def test_noto_is_recommended_only_for_letters_that_it_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalstats.plot.style.FALLBACK_FONTS", ())
    ax = plt.figure().add_subplot()
    ax.set_title("\U0001d504")

    with pytest.warns(EvalstatsWarning, match="has no glyph for '\U0001d504'; choose another font in"):
        save(ax, tmp_path / "picture.png")


class TestMessages:
    def test_suffix(self) -> None:
        with pytest.raises(ValueError, match=r"path must end in .png or .svg or .pdf, not '.jpg'"):
            save(plt.figure().add_subplot(), "picture.jpg")

    def test_dpi(self) -> None:
        with pytest.raises(ValueError, match="dpi must lie between 1 and 4800, not 0"):
            save(plt.figure().add_subplot(), "picture.png", dpi=0)

    def test_not_an_axes(self) -> None:
        with pytest.raises(TypeError, match="ax must be a matplotlib Axes, not int"):
            save(3, "picture.png")

    def test_not_a_path(self) -> None:
        with pytest.raises(TypeError, match="path must be a path, not int"):
            save(plt.figure().add_subplot(), 5)
