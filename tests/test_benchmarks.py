"""The benchmarks run without the packages that they compare with, and say which are missing."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks.timing import Race, run


def missing() -> None:
    importlib.import_module("no_such_package")


def test_missing_peer_is_named_and_the_others_run() -> None:
    race = Race("a job", lambda: 1, {"absent": missing, "present": lambda: 1}, lambda *_: None, {}, rounds=3)

    absent, present = run(race)

    assert absent.endswith("not run: no_such_package is not installed |")
    assert present.startswith("| a job | ")
    assert " to " in present


def test_missing_package_of_a_module_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = ModuleType("benchmarks.demo")
    module.races = missing
    monkeypatch.setitem(sys.modules, "benchmarks.demo", module)

    benchmarks.main(["demo"])

    assert capsys.readouterr().out.splitlines()[-1].startswith("| demo | ")
