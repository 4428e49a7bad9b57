"""The drawing on a page stays inside its frame and says when no conclusion is possible."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable

from evalstats import Comparison
from evalstats.cd_layout import lay_out
from evalstats.report.formats.html import svg
from evalstats.report.text_width import font_sizes

NAMESPACE = "{http://www.w3.org/2000/svg}"


def drawing(comparison: Comparison) -> ET.Element:
    return ET.fromstring(svg(lay_out(comparison), title="Diagram"))


def test_everything_stays_inside(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        root = drawing(comparison)
        _, _, width, height = map(float, root.attrib["viewBox"].split())

        for line in root.iter(f"{NAMESPACE}line"):
            assert all(0 <= float(line.attrib[name]) <= width for name in ("x1", "x2"))
            assert all(0 <= float(line.attrib[name]) <= height for name in ("y1", "y2"))
        for text in root.iter(f"{NAMESPACE}text"):
            size = float(text.get("font-size", root.attrib["font-size"]))
            wide = font_sizes("".join(text.itertext())) * size
            start = float(text.attrib["x"]) - {"start": 0, "middle": wide / 2, "end": wide}[text.attrib["text-anchor"]]
            title = text.find(f"{NAMESPACE}title")
            if title is None:
                assert start >= 0
                assert start + wide <= width + 0.1
            assert size <= float(text.attrib["y"]) + 0.3 * size
            assert float(text.attrib["y"]) <= height


def test_undecided_is_marked(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        assert ("undecided" in drawing(comparison).attrib["class"].split()) == (not comparison.is_conclusive)


def test_shortened_name_keeps_its_full_name(named: Callable[[str], Comparison]) -> None:
    from dataclasses import replace

    c = named("all pairs: all differ")
    long = "a-very-long-name-" * 8
    names = ("A", "B", long)
    c = replace(c, table=replace(c.table, classifiers=names), ranking=(long, "B", "A"))

    texts = [text for text in drawing(c).iter(f"{NAMESPACE}text") if text.find(f"{NAMESPACE}title") is not None]

    assert {text.findtext(f"{NAMESPACE}title") for text in texts} == {long}  # of each line of the name
    assert any("…" in (text[0].tail or "") for text in texts)
