"""The report in a browser: one page, well formed, nothing loaded, nothing executed, readable without eyes."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

from evalstats import Comparison, report
from evalstats.report.verdict import verdict

VOID = {"meta", "line", "br"}


class Page(HTMLParser):
    """Elements with their attributes, and the visible text; end tags must match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.words += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_page_is_well_formed_and_says_the_verdict(comparison: Comparison) -> None:
    page = Page(report.html(comparison))

    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("h1")) == 1
    assert verdict(comparison) in page.words.replace("\u00a0", " ")


def test_nothing_is_executed_and_nothing_is_loaded(comparison: Comparison) -> None:
    html = report.html(comparison)
    page = Page(html)
    tags = {tag for tag, _ in page.elements}
    names = {name for _, attributes in page.elements for name in attributes}

    assert tags & {"script", "link", "img", "iframe", "object", "embed", "base", "form", "foreignobject"} == set()
    assert not any(name.startswith("on") for name in names)
    assert names & {"src", "srcset", "style", "action"} == set()
    assert not re.search(r"@import|url\(", html)
    assert all((a["href"] or "").startswith(("#ref-", "https://")) for a in page.all("a"))


def test_names_are_text(named: Callable[[str], Comparison]) -> None:
    c = named("all pairs: nasty names")
    html = report.html(c)
    page = Page(html)

    assert "<script>" not in html
    assert all(name in page.words for name in (*c.table.classifiers, c.table.metric))


def test_links_lead_to_references(comparison: Comparison) -> None:
    page = Page(report.html(comparison))
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]

    assert len(ids) == len(set(ids))
    assert {(a["href"] or "")[1:] for a in page.all("a") if (a["href"] or "").startswith("#")} <= set(ids)


def test_tables_and_the_diagram_speak(comparison: Comparison) -> None:
    """Captions, headers with scope, and a title and description that the drawing names."""
    page = Page(report.html(comparison))

    assert len(page.all("caption")) == len(page.all("table"))
    assert all(head.get("scope") in {"col", "row"} for head in page.all("th"))
    assert len(page.all("svg")) == (comparison.omnibus is not None)
    for svg in page.all("svg"):
        assert svg["role"] == "img"
        assert svg["aria-labelledby"] == "diagram-title diagram-desc"
        assert f"Mean ranks: {comparison.ranking[0]} " in page.words


def test_light_dark_and_print(named: Callable[[str], Comparison]) -> None:
    html = report.html(named("two: not rejected"))

    assert "color-scheme: light dark" in html
    assert "@media (prefers-color-scheme: dark)" in html
    assert "@media print" in html


def test_powers_of_ten_are_written_as_such(named: Callable[[str], Comparison]) -> None:
    html = report.html(named("all pairs: 30 classifiers"))

    assert re.search(r'<td class="number">\d\.\d\d × 10<sup>−\d+</sup></td>', html)
    assert not re.search(r'<td class="number">[\d.]+e', html)


def test_cells_of_names_have_a_style_that_lets_long_ones_break(named: Callable[[str], Comparison]) -> None:
    """The second classifier of a pair stands in a cell that is not numeric; it must not push numbers out of view."""
    page = report.html(named("all pairs: nasty names"))
    rule = re.search(r"^(.*)\{ white-space: normal; overflow-wrap: anywhere;", page, re.MULTILINE)

    assert rule is not None
    assert "td:not(.number)" in rule[1]
