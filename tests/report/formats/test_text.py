"""The report in a terminal: nothing wider than asked, nothing lost, and ASCII where that is all there is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from evalstats import Comparison, ScoreTable, compare
from evalstats.report import Document, text
from evalstats.report.blocks import Column, Table, heads, paragraph, section
from evalstats.report.comparisons.verdict import verdict
from evalstats.report.text_width import columns


@pytest.mark.sampled
@pytest.mark.parametrize("width", [80, 72, 132])
def test_no_line_is_wider_than_asked(on_every_comparison, width: int) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        too_wide = [line for line in text(comparison, width=width, methods=True).splitlines() if columns(line) > width]

        assert too_wide == []


def test_ascii_is_ascii(on_every_comparison) -> None:
    """No question mark stands for a letter, unless a name has letters that no ASCII letter resembles."""

    @on_every_comparison
    def law(comparison: Comparison) -> None:
        written, page = text(comparison, ascii=True, methods=True), text(comparison, methods=True)

        assert written.isascii()
        if all(name.isascii() for name in comparison.table.classifiers):
            assert written.count("?") == page.count("?")


def test_verdict_comes_first(on_every_comparison) -> None:
    """Title, rule, empty line, and then what follows from the data."""

    @on_every_comparison
    def law(comparison: Comparison) -> None:
        lines = text(comparison, width=10_000).splitlines()

        assert lines[0].startswith("Comparison of ")
        assert set(lines[1]) == {"═"}
        assert lines[3] == verdict(comparison)


def test_no_line_ends_in_a_space_and_formulas_stay_whole(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        lines = text(comparison, methods=True).splitlines()

        assert [line for line in lines if line != line.rstrip()] == []
        assert [line for line in lines if re.search(r"(^[=<>] )|( [=<>]$)", line)] == []


def test_methods_and_references_come_when_asked_for(on_every_comparison) -> None:
    """A terminal has no room for them; with them the page only gets longer at its end."""

    @on_every_comparison
    def law(comparison: Comparison) -> None:
        page, whole = text(comparison), text(comparison, methods=True)

        assert whole.startswith(page)
        assert "\nMethods\n" in whole.removeprefix(page)
        assert "\nReferences\n" in whole.removeprefix(page)


def test_table_is_aligned(named: Callable[[str], Comparison]) -> None:
    page = text(named("control: one better"))

    assert (
        """\
             Mean    Mean  Median
Classifier   rank     AUC     AUC
─────────────────────────────────
C4.5+m+cf   1.929  0.8272  0.8865
C4.5+m      2.000  0.8204  0.8630
C4.5+cf     2.929  0.8088  0.8760
C4.5        3.143  0.8049  0.8285
"""
        in page
    )
    assert (
        """\
                            Shown
              Rank          to                          HL
Classifier   diff.       p  differ   W/T/L       r   diff.
──────────────────────────────────────────────────────────
C4.5+m+cf   −1.214  0.0385  yes     11/1/2  +0.758  0.0225
C4.5+m      −1.143  0.0575  no      10/2/2  +0.833  0.0147
C4.5+cf     −0.214       1  no       7/1/6  +0.055  0.0025
"""
        in page
    )


def test_wide_characters_keep_the_columns_aligned() -> None:
    scores = np.arange(24.0).reshape(6, 4)
    c = compare(
        ScoreTable(
            scores=scores, datasets=tuple("abcdef"), classifiers=("森林分类器", "x\u0301-NB", "SVM", "naïve Bayes")
        )
    )

    rows = [
        line for line in text(c).splitlines() if re.match(r"(森林分类器|x\u0301-NB|SVM|naïve Bayes) +\d\.\d{3} ", line)
    ]

    assert len(rows) == 4
    # the last column, of letters, is not set flush right
    assert len({columns(line.rpartition("  ")[0]) for line in rows}) == 1


def test_long_names_stay_apart_when_they_are_shortened(named: Callable[[str], Comparison]) -> None:
    page = text(named("all pairs: 30 classifiers"))
    diagram = page[page.index("CD = ") : page.index("Mean ranks over")]

    assert len(set(re.findall(r"gradien…\S+", diagram))) == 15
    assert "gradient-boosting-depth-29-learning-rate-0.29" in page


def test_too_many_classifiers_for_a_diagram() -> None:
    scores = np.random.default_rng(1).random((20, 90))
    c = compare(
        ScoreTable(scores=scores, datasets=tuple(map(str, range(20))), classifiers=tuple(f"c{i}" for i in range(90)))
    )

    page = text(c)

    assert "The list shows the best 40 of 90 classifiers." in " ".join(page.split())
    assert f"{c.ranking[39]}  " in page
    assert all(columns(line) <= 80 for line in page.splitlines())


def test_long_metric_and_unit(named: Callable[[str], Comparison]) -> None:
    c = named("all pairs: some differ")
    c = replace(c, table=replace(c.table, metric="area under the precision-recall curve of the rarest class", unit="%"))

    assert all(columns(line) <= 80 for line in text(c).splitlines())


@pytest.mark.parametrize("width", [39, 0, -1])
def test_narrow_width_is_refused(named: Callable[[str], Comparison], width: int) -> None:
    with pytest.raises(ValueError, match=f"width must be at least 40, not {width}"):
        text(named("two: not rejected"), width=width)


def of_table(table: Table, width: int) -> list[str]:
    """Return the lines of a report that is nothing but a table."""
    shown = Document(title="t", verdict=paragraph("v"), sections=(section("s", "s", table),))
    return text(shown, width=width).splitlines()[8:]


def test_table_that_is_too_wide_goes_on_below_itself() -> None:
    """The names stand before each part, and every number is there once."""
    rows = tuple((f"row {i}", *(f"{i}.{j}0000" for j in range(12))) for i in range(2))
    table = Table(name="t", caption="", columns=heads(["Name"], [f"c{j}" for j in range(12)]), rows=rows)

    lines = of_table(table, 40)

    assert lines[:5] == [
        "Name        c0       c1       c2",
        "────────────────────────────────",
        "row 0  0.00000  0.10000  0.20000",
        "row 1  1.00000  1.10000  1.20000",
        "",
    ]
    assert [line.split()[0] for line in lines if line and "─" not in line] == ["Name", "row", "row"] * 4
    assert all(" ".join(lines).split().count(cell) == 1 for row in rows for cell in row[1:])


def test_prose_is_broken_into_lines_where_names_are_shortened() -> None:
    words = "a sentence that is much longer than the line of this terminal can be, with a long end"
    columns = (Column(head="Name"), Column(head="What it is", prose=True))
    lines = of_table(Table(name="t", caption="", columns=columns, rows=(("x" * 60, words), ("y", "short"))), 50)

    assert max(map(len, lines)) <= 50
    assert "…" in lines[2]
    assert " ".join(line[-38:].strip() for line in lines[2:-1]).endswith("with a long end")
