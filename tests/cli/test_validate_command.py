"""evalstats validate asks R, and its status is the verdict."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from evalstats import report
from evalstats.cli.output import REPORTS
from evalstats.parity import ParityReport, validate
from evalstats.study.store import MANIFEST


def parity(*, ok: bool = True, complete: bool = True) -> ParityReport:
    """Return a report on one function, which agrees or could not be checked."""
    checked = validate(live=False, functions=["paired/sign"])
    return replace(checked, rows=(replace(checked.rows[0], ok=ok),), complete=complete)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict:
    """Replace the check against R by a note of what was asked."""
    arguments: dict = {"answer": parity()}

    def check(**options: object) -> ParityReport:
        arguments.update(options)
        return arguments["answer"]

    monkeypatch.setattr("evalstats.parity.validate", check)
    return arguments


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], {"live": "auto", "fuzz": 0, "rng": None, "functions": None, "progress": None}),
        (["--live", "--fuzz", "5", "--seed", "3"], {"live": True, "fuzz": 5, "rng": 3}),
        (["--stored", "paired/sign", "paired/ttest"], {"live": False, "functions": ("paired/sign", "paired/ttest")}),
    ],
)
def test_options_are_the_arguments_of_validate(run, options: list[str], expected: dict, asked: dict) -> None:
    assert run("validate", *options).stdout == report.text(asked["answer"])
    assert {name: asked[name] for name in expected} == expected


@pytest.mark.parametrize(("answer", "status"), [({}, 0), ({"ok": False}, 1), ({"ok": False, "complete": False}, 130)])
def test_status_of_validate_is_its_verdict(run, answer: dict, status: int, asked: dict) -> None:
    asked["answer"] = parity(**answer)

    assert run("validate").exit_code == status


@pytest.mark.parametrize("style", REPORTS)
def test_formats_of_validate(run, written, style: str, asked: dict) -> None:
    assert run("validate", "--format", style).stdout == written(asked["answer"], style)


def test_validate_really_checks(run) -> None:
    result = run("validate", "--stored", "paired/sign", "--format", "json")

    assert (result.exit_code, json.loads(result.stdout)["parity"]["ok"]) == (0, True)


def test_validate_writes_nothing_into_a_study(refused, folder, asked: dict) -> None:
    (folder / "study").mkdir()
    (folder / "study" / MANIFEST).write_text("{}")

    message = refused("validate", "--junit", "study/result.xml")

    assert "choose another directory" in message
    assert "live" not in asked
    assert not (folder / "study" / "result.xml").exists()
