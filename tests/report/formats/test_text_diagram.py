"""The diagram in characters: every line meets its neighbours, every classifier has its row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from evalstats import Comparison, ScoreTable, compare
from evalstats.cd_layout import lay_out
from evalstats.report.formats.text import draw
from evalstats.report.text_width import columns
from evalstats.wording import plain_number

# which of the four sides of a cell a character's line reaches: north, east, south, west
REACH = {
    "─": "EW", "│": "NS", "┌": "ES", "┐": "SW", "└": "NE", "┘": "NW", "├": "NES", "┤": "NSW", "┬": "ESW", "┴": "NEW",
    "┼": "NESW", "━": "EW", "┝": "NES", "┥": "NSW", "┿": "NESW", "╺": "E", "╸": "W", "═": "EW", "╞": "NES", "╡": "NSW",
    "╪": "NESW",
}  # fmt: skip


def several(named: Callable[[str], Comparison], name: str) -> list[str]:
    return draw(lay_out(named(name)))


class TestPictures:
    def test_all_pairs(self, named: Callable[[str], Comparison]) -> None:
        assert several(named, "all pairs: some differ") == [
            "                  ├────────────────┤ CD = 1.12",
            "                  1              2              3              4",
            "             best └─────────────┬┼─────────────┬┴─┬────────────┘ worst",
            "                                ┝┿━━━━━━━━━━━━━┥  │",
            "                                ││             ┝━━┥",
            "C4.5+m+cf  1.93 ────────────────┘│             │  └─────────────── 3.14  C4.5",
            "   C4.5+m  2.00 ─────────────────┘             └────────────────── 2.93  C4.5+cf",
        ]

    def test_control(self, named: Callable[[str], Comparison]) -> None:
        """The interval is a double line; the one classifier outside it differs."""
        assert several(named, "control: one better") == [
            "                  ├─────────────────┤ CD = 1.17",
            "                  1              2              3              4",
            "             best └─────────────┬┼─────────────┬┴─┬────────────┘ worst",
            "                                │╞═════════════╪══╪═════════════",
            "C4.5+m+cf  1.93 ────────────────┘│             │  └─────────────── 3.14  C4.5",
            "   C4.5+m  2.00 ─────────────────┘             └────────────────── 2.93  C4.5+cf",
        ]

    def test_shared_ranks_share_a_line(self, named: Callable[[str], Comparison]) -> None:
        assert several(named, "all pairs: best shared") == [
            "          ├───────────────────┤ CD = 1.36",
            "          1              2              3             4              5",
            "     best └──────────────┼──────────────┴─────────────┴───────┬──────┘ worst",
            "                        ╺┿╸                                  ╺┿╸",
            "C  2.00 ─────────────────┤                                    ├───────── 4.50  B",
            "D  2.00 ─────────────────┤                                    └───────── 4.50  A",
            "E  2.00 ─────────────────┘",
        ]

    def test_ascii(self, named: Callable[[str], Comparison]) -> None:
        assert draw(lay_out(named("all pairs: some differ")), ascii_only=True) == [
            "                  +----------------+ CD = 1.12",
            "                  1              2              3              4",
            "             best +-------------++-------------++-+------------+ worst",
            "                                ##=============#  |",
            "                                ||             #==#",
            "C4.5+m+cf  1.93 ----------------+|             |  +--------------- 3.14  C4.5",
            "   C4.5+m  2.00 -----------------+             +------------------ 2.93  C4.5+cf",
        ]

    def test_critical_difference_longer_than_the_axis(self, named: Callable[[str], Comparison]) -> None:
        lines = several(named, "all pairs: post-hoc too small")

        assert lines[0].strip() == "CD = 3.32 (longer than the axis)"
        assert lines[1].strip().startswith("├")
        assert lines[1].strip().endswith("─")


def test_lines_meet(on_every_comparison) -> None:
    """A line that leaves a cell enters the next one; only names, numbers and ends of bars stop it."""

    @on_every_comparison
    def law(comparison: Comparison) -> None:
        lines = draw(lay_out(comparison))
        cells = {(r, c): REACH[x] for r, line in enumerate(lines) for c, x in enumerate(line) if x in REACH}
        if any(columns(line) != len(line) for line in lines):
            return

        axis = next(i for i, line in enumerate(lines) if "best" in line)
        for (row, column), reach in cells.items():
            if "S" in reach and row >= axis and lines[row][column] not in "╞╡":
                assert "N" in cells.get((row + 1, column), ""), (row, column)
            if "E" in reach and (row, column + 1) in cells:
                assert "W" in cells[row, column + 1] or lines[row][column + 1] in "├┝╞", (row, column)


def test_every_classifier_has_its_rank_and_row(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        diagram = lay_out(comparison)
        lines = draw(diagram, width=200)

        first = len(lines) - diagram.n_rows
        for label in diagram.labels:
            line = lines[first + label.row]
            beside = line.strip()
            text = (plain_number(label.mean_rank), label.classifier)
            if label.side == "left":
                assert beside.startswith(label.classifier)
            else:
                assert beside.endswith(label.classifier)
            assert all(part in line for part in text)


def test_bars_cover_their_members_and_nobody_else(named: Callable[[str], Comparison]) -> None:
    """On the row of a bar, heavy characters stand at the lines of its members only."""
    diagram = lay_out(named("all pairs: 30 classifiers"))
    lines = draw(diagram, width=120)
    axis = next(i for i, line in enumerate(lines) if "best" in line)
    per_level = lines[axis + 1 : axis + 1 + diagram.n_levels]

    heavy = sum(character in "┝┿┥" for line in per_level for character in line)

    # net 6 and net 8 share a mean rank, and so a line
    shared = sum({"net 6", "net 8"} <= set(bar.members) for bar in diagram.bars)
    assert heavy == sum(len(bar.members) for bar in diagram.bars) - shared


@pytest.mark.parametrize("width", [50, 80, 100])
def test_width_is_kept(on_every_comparison, width: int) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        assert all(columns(line) <= width for line in draw(lay_out(comparison), width=width))


def test_neighbouring_points_do_not_grow_together() -> None:
    """Two groups of one mean rank each, two columns apart: their short bars share no cell."""
    scores = np.array([[3.0, 3, 2, 2, 1, 1, 0, 0]] * 40)
    table = ScoreTable(scores=scores, datasets=tuple(map(str, range(40))), classifiers=tuple("ABCDEFGH"))
    c = compare(table, posthoc="nemenyi")
    c = replace(c, mean_ranks=(4.0, 4.0, 4.65, 4.65, 5.3, 5.3, 8.0, 8.0))

    diagram = lay_out(c)
    line = draw(diagram, width=40)[3]

    assert [bar.level for bar in diagram.bars] == [0, 0, 0, 0]
    assert "━" not in line
    assert line.count("┿") + line.count("┝") + line.count("┥") == 4
