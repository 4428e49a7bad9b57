"""A table in a paper: numbers aligned, the best in bold, heads turned where they are too wide."""

from __future__ import annotations

import pytest

from evalstats.report.blocks import Column, Table, heads
from evalstats.report.formats.latex import _tex_table, table_width

LONG = "a-classifier-with-a-long-name"


def table(*rows: tuple[str, ...], names: tuple[str, ...] = ("A", "B"), **more: object) -> Table:
    return Table(name="scores", caption="Scores.", columns=heads(["Dataset"], names), rows=rows, **more)


def written(shown: Table, room: float = 28.0) -> str:
    return _tex_table(shown, star="", length=r"\columnwidth", room=room)


@pytest.mark.parametrize(
    ("cells", "form"),
    [(("0.5", "12.25"), "2.2"), (("−1.5", "+2.25"), "-1.2"), (("3", "12"), "2"), (("–", "0.5"), "1.1")],
)
def test_plain_numbers_are_aligned_by_siunitx(cells: tuple[str, ...], form: str) -> None:
    page = written(table(*(("d", cell, "1/2/3") for cell in cells)))

    assert f"S[table-format={form}, table-number-alignment=right, table-text-alignment=right]r@" in page


def test_other_cells_are_not() -> None:
    page = written(table(("d", "1.10e-04", "none")))

    assert r"\begin{tabular}{@{}lrr@{}}" in page
    assert r"d & $1.10\times 10^{-4}$ & none \\" in page


def test_best_second_and_marks_stand_in_braces_flush_right() -> None:
    page = written(
        table(
            ("d", "0.5", "0.7"),
            ("Mean rank", "2.0°", "1.0"),
            best=frozenset({(0, 2)}),
            second=frozenset({(0, 1)}),
            foot=True,
        )
    )

    assert r"d & {\underline{0.5}} & {\bfseries 0.7} \\" in page
    assert r"\midrule" + "\n" + r"  Mean rank & {$2.0$\rlap{$^{\circ}$}} & 1.0 \\" in page
    assert "In each row, the best is bold and the second best is underlined." in page


def test_rows_that_differ() -> None:
    columns = (Column(head="First"), Column(head="Second"), Column(head="Shown to differ"))
    shown = Table(
        name="pairs", caption="", columns=columns, rows=(("a", "b", "yes"), ("a", "c", "no")), marked=(True, False)
    )

    assert r"a & b & \textbf{yes} \\" in written(shown)
    assert r"a & c & no \\" in written(shown)


def test_heads_of_classifiers_are_turned_where_they_are_too_wide() -> None:
    names = tuple(f"{LONG}-{i}" for i in range(4))
    page = written(table(("d", "1", "2", "3", "4"), names=names))

    assert page.count(r"\rotatebox{90}") == 4
    assert r"\rotatebox" not in written(table(("d", "1", "2", "3"), names=("A", "B", "C")))


def test_width_knows_that_heads_can_be_turned() -> None:
    names = tuple(f"{LONG}-{i}" for i in range(4))

    assert table_width(table(("d", "1", "2", "3", "4"), names=names)) < 20 < table_width(table(("d" * 90, "1.25", "2")))
