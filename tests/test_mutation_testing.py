"""docs/mutation-testing.md says what its files say, and the driver of the mutants draws, changes and notices."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TABLES = runpy.run_path(str(ROOT / "docs" / "figures" / "mutation_testing.py"))
DRIVER = runpy.run_path(str(ROOT / "scripts" / "mutation_testing.py"))
SAMPLES = {2026: TABLES["MUTANTS"], 2030: TABLES["LATER"]}


def test_page_is_that_of_the_files() -> None:
    text = TABLES["PAGE"].read_text(encoding="utf-8")

    assert TABLES["page"](text) == text


def test_every_test_that_holds_what_was_found_is_there() -> None:
    closed = [test for row in TABLES["rows"](TABLES["CLOSED"]) for test in row["what holds it now"].split()]

    assert len(closed) > 40
    for test in closed:
        file, _, name = test.partition("::")
        assert re.search(rf"^ *def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), test


@pytest.mark.parametrize("seed", SAMPLES)
def test_nearly_all_mutants_are_noticed(seed: int) -> None:
    mutants = TABLES["rows"](SAMPLES[seed])

    assert TABLES["share"](mutants) >= 95
    assert {m["outcome"] for m in mutants} <= set(TABLES["OUTCOMES"])
    assert TABLES["origin"](SAMPLES[seed]).startswith(f"seed {seed}; {len(mutants)} of ")


def test_the_later_sample_was_noticed_when_it_was_drawn() -> None:
    noticed, of = TABLES["at_first"](TABLES["rows"](TABLES["LATER"]))

    assert noticed >= 0.95 * of


def test_what_survived_is_explained() -> None:
    mutants = [m for file in SAMPLES.values() for m in TABLES["rows"](file)]

    assert set(TABLES["reasons"]()) == {TABLES["name"](m) for m in mutants if m["outcome"] == "survived"}


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
