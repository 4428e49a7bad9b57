"""docs/trials.md says what its files say, and the driver of the mutants draws, changes and notices."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TABLES = runpy.run_path(str(ROOT / "docs" / "figures" / "trials.py"))
DRIVER = runpy.run_path(str(ROOT / "scripts" / "mutation_testing.py"))
MUTANTS = TABLES["rows"](TABLES["MUTANTS"])


def test_page_is_that_of_the_files() -> None:
    text = TABLES["PAGE"].read_text(encoding="utf-8")

    assert TABLES["page"](text) == text


def test_every_test_that_holds_what_was_found_is_there() -> None:
    closed = [test for row in TABLES["rows"](TABLES["CLOSED"]) for test in row["what holds it now"].split()]

    assert len(closed) > 40
    for test in closed:
        file, _, name = test.partition("::")
        assert re.search(rf"^ *def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), test


def test_nearly_all_mutants_are_noticed_and_the_others_are_explained() -> None:
    survived = {TABLES["name"](m) for m in MUTANTS if m["outcome"] == "survived"}

    assert TABLES["share"](MUTANTS) >= 95
    assert set(TABLES["reasons"]()) == survived
    assert {m["outcome"] for m in MUTANTS} <= {"tests", "time", "R", "survived"}
    assert TABLES["origin"]().startswith(f"seed 2026; {len(MUTANTS)} of ")


@pytest.mark.parametrize(
    ("operator", "is_asked"),
    [
        ("core/ReplaceBinaryOperator_Mul_Add", True),
        ("core/ReplaceBinaryOperator_Mul_LShift", False),
        ("core/NumberReplacer", True),
        ("core/ExceptionReplacer", False),
    ],
)
def test_mutants_that_fail_at_once_are_not_asked(operator: str, is_asked: bool) -> None:
    assert DRIVER["is_asked"](operator) is is_asked


def test_what_only_a_type_checker_reads_is_no_place() -> None:
    source = "def f(x: int | None) -> float | None:\n    y: int | None = x\n    return y\n"

    lines = source.splitlines()
    silent = [lines[row - 1][column:end] for (row, column), (_, end) in DRIVER["annotations"](source)]

    assert sorted(silent) == ["float | None", "int | None", "int | None"]


def test_work_in_a_child_tells_its_status_and_changes_nothing_here() -> None:
    seen: list[int] = []

    def work() -> int:
        seen.append(1)
        return 3

    assert DRIVER["in_a_child"](work) == 3
    assert DRIVER["in_a_child"](lambda: 1 // 0) == 101
    assert seen == []
