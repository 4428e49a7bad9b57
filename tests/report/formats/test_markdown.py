"""The report in Markdown: tables that parse, names that cannot become markup."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from evalstats import Comparison
from evalstats.report import markdown
from evalstats.report.formats.markdown import _escaped, _opened

CELL = re.compile(r"(?<!\\)\|")


def outside_code(page: str) -> str:
    return re.sub(r"^(`{3,})text\n.*?^\1$", "", page, flags=re.DOTALL | re.MULTILINE)


def test_tables_have_as_many_cells_as_heads(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        lines = outside_code(markdown(comparison)).splitlines()
        widths: dict[int, set[int]] = {}
        block = 0
        for line in lines:
            if line.startswith("|"):
                widths.setdefault(block, set()).add(len(CELL.split(line)))
            else:
                block += 1

        assert widths
        assert all(len(n) == 1 for n in widths.values())


def test_names_cannot_become_markup(named: Callable[[str], Comparison]) -> None:
    page = outside_code(markdown(named("all pairs: nasty names")))
    unescaped = re.sub(r"\\[!-/:-@\[-`{-~]", "", page)
    # what is left of markup is our own: strong verdict, links to publications
    ours = re.sub(r"<https://[^>\s]+>", "", unescaped)

    assert "<" not in ours
    assert "`" not in ours
    assert "[" not in ours
    # the verdict, and the yes of each pair that differs
    assert ours.count("*") == 4 + 4 * named("all pairs: nasty names").n_different
    assert "_" not in ours


def test_diagram_stands_in_a_code_block(named: Callable[[str], Comparison]) -> None:
    page = markdown(named("all pairs: some differ"))

    assert "```text\n" in page
    assert "┝┿━━" in page


def test_fence_is_longer_than_any_in_a_name(named: Callable[[str], Comparison]) -> None:
    from dataclasses import replace

    c = named("all pairs: best shared")
    names = ("A", "B", "C", "D", "```")
    c = replace(
        c,
        table=replace(c.table, classifiers=names),
        ranking=("C", "D", "```", "A", "B"),
        homogeneous_subsets=(("C", "D", "```"), ("A", "B")),
    )

    assert "````text\n" in markdown(c)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("1. first", "1\\. first"),
        ("- item", "\\- item"),
        ("+1", "\\+1"),
        ("a_b*c", "a\\_b\\*c"),
        ("&amp;", "\\&amp;"),
        ("# no heading", "\\# no heading"),
        ("C4.5", "C4.5"),
        ("see http://e.org", "see http\\://e.org"),
        ("www.e.org", "www\\.e.org"),
        ("a|b", "a\\|b"),
    ],
)
def test_escapes(text: str, escaped: str) -> None:
    assert _opened(text) == escaped


def test_numbers_in_tables_stay_plain() -> None:
    assert _escaped("+0.333") == "+0.333"
