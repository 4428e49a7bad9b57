"""The generators of faulty input run with another seed each time, and print it, so a failure can be repeated."""

from __future__ import annotations

import runpy
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore::evalstats._errors.EvalstatsWarning")]


@pytest.fixture
def seed(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> int:
    """Choose a seed, and print it although the test passes."""
    chosen = secrets.randbelow(2**31)
    with capsys.disabled():
        sys.stdout.write(f"\n{request.node.name}: seed {chosen}\n")
    return chosen


def generator(file: str, function: str) -> Callable[..., Any]:
    return runpy.run_path(str(TESTS / file))[function]


def test_a_candidate_that_is_worse_never_passes(seed: int) -> None:
    trials = generator("test_gate_fails_safe.py", "trials")

    assert [(i, what) for i, what, status in trials(200, seed) if status == "pass"] == [], f"seed {seed}"


@pytest.mark.parametrize("kind", ["tables", "sources"])
def test_input_with_a_fault_is_read_or_refused(kind: str, seed: int) -> None:
    outcome = generator(f"test_corrupted_{kind}.py", "outcome")

    assert {outcome(seed + i) for i in range(300)} == {"read", "refused"}, f"seed {seed}"


def test_no_edit_of_a_report_is_verified(seed: int) -> None:
    edited = runpy.run_path(str(TESTS / "test_edited_reports.py"))

    for one in edited["REPORTS"]:
        assert edited["slipped"](*one, 5, seed)[1] == [], f"seed {seed}"
