"""The report in a browser: one page, well formed, nothing loaded, nothing executed, readable without eyes."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

from evalstats import Comparison, compare, report
from evalstats.report.comparisons.verdict import verdict
from evalstats.report.formats import r_script

VOID = {"meta", "line", "br", "wbr"}


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
        if self.open[-1:] not in (["style"], ["script"]):
            self.words += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_page_is_well_formed_and_says_the_verdict(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        page = Page(report.html(comparison))

        assert page.all("html") == [{"lang": "en"}]
        assert len(page.all("h1")) == 1
        assert verdict(comparison) in page.words.replace("\u00a0", " ")


def test_nothing_is_executed_and_nothing_is_loaded(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        html = report.html(comparison)
        page = Page(html)
        tags = {tag for tag, _ in page.elements}
        names = {name for _, attributes in page.elements for name in attributes}

        assert tags & {"link", "img", "iframe", "object", "embed", "base", "form", "foreignobject"} == set()
        assert page.all("script") == [{}]
        assert not any(name.startswith("on") for name in names)
        assert names & {"src", "srcset", "style", "action"} == set()
        assert not re.search(r"@import|url\(", html)
        assert all((a["href"] or "").startswith(("#ref-", "https://")) for a in page.all("a"))


def test_names_are_text(named: Callable[[str], Comparison]) -> None:
    c = named("all pairs: nasty names")
    html = report.html(c)
    page = Page(html)

    assert html.count("<script>") == 1  # the one of the page
    assert all(name in page.words for name in (*c.table.classifiers, c.table.metric))


def test_links_lead_to_references(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        page = Page(report.html(comparison))
        ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]

        assert len(ids) == len(set(ids))
        assert {(a["href"] or "")[1:] for a in page.all("a") if (a["href"] or "").startswith("#")} <= set(ids)


def test_tables_and_the_diagram_speak(on_every_comparison) -> None:
    """Captions, headers with scope, and a title and description that the drawing names."""

    @on_every_comparison
    def law(comparison: Comparison) -> None:
        page = Page(report.html(comparison))

        captions = [p["id"] for p in page.all("p") if p.get("class") == "caption"]
        assert [table["aria-labelledby"] for table in page.all("table")] == captions
        assert all(head.get("scope") in {"col", "row"} for head in page.all("th"))
        assert len(page.all("svg")) == (comparison.omnibus is not None)
        for svg in page.all("svg"):
            assert svg["role"] == "img"
            assert svg["aria-labelledby"] == "diagram-1-title diagram-1-desc"
            assert f"Mean ranks: {comparison.ranking[0]} " in page.words


def test_light_dark_and_print(named: Callable[[str], Comparison]) -> None:
    html = report.html(named("two: not rejected"))

    assert "color-scheme: light dark" in html
    assert "@media (prefers-color-scheme: dark)" in html
    assert "@media print" in html
    printed = html.partition("@media print")[2]
    assert "#sources { display: none; }" in printed  # nobody copies from paper
    # Chromium draws the heads of a table on each page only where they may not break, and no buttons in them
    assert "thead { display: table-header-group; break-inside: avoid; }" in printed
    assert "thead th button { display: contents; }" in printed


def test_powers_of_ten_are_written_as_such(named: Callable[[str], Comparison]) -> None:
    html = report.html(named("all pairs: 30 classifiers"))

    assert re.search(r"<td>\d\.\d\d × 10<sup>−\d+</sup></td>", html)
    assert not re.search(r"<td>[\d.]+e", html)


def test_policy_allows_this_style_and_this_script_alone(named: Callable[[str], Comparison]) -> None:
    html = report.html(named("all pairs: nasty names"))
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', html)
    inside = {tag: re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL) for tag in ("style", "script")}

    assert policy is not None
    assert "unsafe" not in policy[1]
    assert policy[1].startswith("default-src 'none'; ")
    for tag, texts in inside.items():
        assert len(texts) == 1
        digest = b64encode(sha256(texts[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}';" in policy[1]
    assert len(inside["script"][0]) < 4096


def test_rows_that_differ_look_different(named: Callable[[str], Comparison]) -> None:
    comparison = named("all pairs: some differ")
    page = report.html(comparison)
    marked = re.findall(r'<tr class="marked">(.*?)</tr>', page)

    assert len(marked) == comparison.n_different > 0
    assert all("<b>yes</b>" in row for row in marked)
    assert page.count(">yes<") == len(marked)


def test_page_has_its_sources(named: Callable[[str], Comparison]) -> None:
    """What goes into a paper and to R can be copied, and read without a script too."""
    comparison = named("all pairs: some differ")
    shown = [unescape(text) for text in re.findall(r"<pre[^>]*>(.*?)</pre>", report.html(comparison), re.DOTALL)]

    assert shown == [
        report.latex(comparison, part="methods"),
        report.latex(comparison, part="ranks"),
        report.bibliography(report.document(comparison).cited),
        report.r_script(comparison),
    ]


def test_page_of_several_metrics_has_its_sources() -> None:
    """The bibliography is that of the methods, which all metrics share."""
    scores = np.random.default_rng(2).random((2, 12, 4))
    tables = {
        name: pd.DataFrame(one, columns=list("ABCD")) for name, one in zip(("accuracy", "f1"), scores, strict=True)
    }
    found = compare(tables, metric=["accuracy", "f1"])
    page = report.html(found)
    shown = [unescape(text) for text in re.findall(r"<pre[^>]*>(.*?)</pre>", page, re.DOTALL)]

    methods = report.latex(found, part="methods")
    cited = {key for keys in re.findall(r"\\cite{(.*?)}", methods) for key in keys.split(",")}
    assert "For a paper, and for R" in page
    assert shown[0] == methods
    assert shown[1] == report.latex(found, part="ranks")
    assert set(re.findall(r"@\w+{(.*?),", shown[2])) == cited
    assert shown[3] == report.r_script(found)


@pytest.mark.long
def test_page_of_very_many_stays_small() -> None:
    scores = np.round(np.random.default_rng(1).random((121, 179)), 4)
    page = report.html(compare(scores, rows_are="datasets"))

    assert len(page) < 400_000
    assert "The 21,659 scores are not repeated here" in page
    assert "<svg" in page


def test_page_of_one_dataset_has_a_picture_and_a_script_for_r() -> None:
    folds = {"dataset": ["d"] * 20, "classifier": ["a"] * 10 + ["b"] * 10, "fold": [*range(10)] * 2}
    page = report.html(compare(folds | {"accuracy": [0.5 + i % 7 / 30 for i in range(20)]}))

    assert page.count("<svg") == 1
    assert "corrected_mean_of" in page


def test_script_of_very_many_cases_is_not_made_for_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(r_script, "r_script", lambda _: pytest.fail("the instances were written"))
    n = 4000
    columns = {"dataset": ["d"] * 2 * n, "classifier": ["a"] * n + ["b"] * n, "row": [*range(n)] * 2}
    columns |= {"y_true": [i % 2 for i in range(n)] * 2, "y_pred": [i % 3 % 2 for i in range(2 * n)]}

    assert "signed_rank" not in report.html(compare(columns))


@pytest.mark.parametrize("part", ["sentence", "methods", "scores", "ranks", "pairs", "figure"])
def test_part_is_well_formed_and_needs_no_page(named: Callable[[str], Comparison], part: str) -> None:
    page = Page(report.html(named("all pairs: nasty names"), part=part))

    assert page.elements
    assert not page.all("a")
