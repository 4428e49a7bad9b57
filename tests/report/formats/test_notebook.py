"""Records in a notebook: small, in its colors, complete without a style, and nothing that runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import numpy as np

import evalstats
from evalstats import Comparison, compare, example_path, example_table
from evalstats._result import Record


def records() -> dict[str, Record]:
    scores = np.random.default_rng(1).random((100, 30)) + np.linspace(0, 0.5, 30)
    return {
        "100 x 30": compare(scores, rows_are="datasets"),
        "very many": compare(np.hstack([scores] * 4) + np.linspace(0, 1, 120), rows_are="datasets"),
        "test": evalstats.wilcoxon_test([1, 2, 3, 4], [2, 1, 5, 9]),
        "batch": evalstats.wilcoxon_test(np.eye(4), np.zeros((4, 4))),
        "advice": evalstats.which_test(n_classifiers=3, n_datasets=9),
        "plan": evalstats.plan_design("sign", n=10, effects=[0.8]),
        "scores": example_table("demsar-2006"),
    }


def test_every_comparison_shows_its_verdict_its_table_and_its_drawing(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        page = comparison._repr_html_()

        assert "<script" not in page.replace("&lt;script", "")
        assert len(page) < 20_000
        assert page.count("<table") == 1
        assert page.count("<svg") == (comparison.omnibus is not None)
        assert re.sub(r"\s+", " ", comparison.verdict)[:20] in Words(page).text.replace("\u00a0", " ")


def test_every_record_is_small_and_well_formed() -> None:
    for name, record in records().items():
        page = record._repr_html_()

        assert 100 < len(page) < 20_000, name
        assert Words(page).open == [], name
        assert record._repr_markdown_().endswith("\n"), name


def test_of_many_classifiers_the_best_are_shown() -> None:
    page = records()["very many"]._repr_html_()

    assert "… and 90 more rows." in page
    assert "The list shows the best 15 of 120 classifiers." in page


def test_colors_are_those_of_the_notebook() -> None:
    page = compare(example_table("demsar-2006"))._repr_html_()
    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)

    assert len(style) == 1
    assert "var(--jp-content-font-color1, var(--vscode-editor-foreground, inherit))" in style[0]
    # nothing of the page around it is touched
    assert all(rule.strip().startswith(".evalstats") for rule in re.findall(r"(?:^|\})([^{}]+)\{", style[0]))
    assert "prefers-color-scheme" not in style[0]


def test_two_cells_share_no_id(named: Callable[[str], Comparison]) -> None:
    pages = [named(name)._repr_html_() for name in ("all pairs: some differ", "control: one better")]
    ids = [found for page in pages for found in re.findall(r' id="([^"]*)"', page)]

    assert len(ids) == len(set(ids)) > 0


def test_names_are_text(named: Callable[[str], Comparison]) -> None:
    comparison = named("all pairs: nasty names")
    page = comparison._repr_html_()

    assert "<script>" not in page
    assert all(name in Words(page).text for name in comparison.table.classifiers)


def test_markdown_has_the_verdict_and_the_table() -> None:
    comparison = compare(example_table("demsar-2006"))
    text = comparison._repr_markdown_()

    assert text.startswith("The 4 classifiers do not all perform equally")
    assert "| C4.5+m+cf | 1.929 |" in text
    assert "```" not in text


class Words(HTMLParser):
    """The text of a page, and the tags that are still open at its end."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.open = "", []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "wbr":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_several_metrics_have_their_picture() -> None:
    found = compare(example_path("sklearn-predictions"), metric=["accuracy", "brier"])
    shown = found._repr_html_()

    assert "<svg" in shown
    assert "A filled dot marks a classifier that is the best by at least one metric." in shown
    assert len(shown.encode()) < 20_000
