"""The benchmarks run without the packages that they compare with, and say which are missing."""

from __future__ import annotations

import importlib
import runpy
import sys
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks.timing import Race, r_function, run

ROOT = Path(__file__).parents[1]


def missing() -> None:
    importlib.import_module("no_such_package")


def test_missing_peer_is_named_and_the_others_run() -> None:
    race = Race("a job", lambda: 1, {"absent": missing, "present": lambda: 1}, lambda *_: None, {}, rounds=3)

    absent, present = run(race)

    assert absent[-1] == "not run: no_such_package is not installed"
    assert present[0] == "a job"
    assert " to " in present[4]


def test_missing_package_of_a_module_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = ModuleType("benchmarks.demo")
    module.races = missing
    monkeypatch.setitem(sys.modules, "benchmarks.demo", module)

    benchmarks.main(["demo"])

    assert capsys.readouterr().out.splitlines()[-1].startswith("| demo | ")


def test_missing_package_of_r_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """R is not started: it changes LD_LIBRARY_PATH, and other tests start programs in this process."""
    rpy2, robjects, packages = map(ModuleType, ("rpy2", "rpy2.robjects", "rpy2.robjects.packages"))
    rpy2.robjects, robjects.packages, packages.isinstalled = robjects, packages, lambda _: False
    for module in (rpy2, robjects, packages):
        monkeypatch.setitem(sys.modules, module.__name__, module)

    with pytest.raises(ImportError) as caught:
        r_function("noSuchPackage", "identity")

    assert caught.value.name == "the R package noSuchPackage"


def test_rows_of_a_benchmark_are_replaced_in_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "benchmarks.csv"
    for stem, jobs in (("late", "ab"), ("early", "c"), ("late", "d")):
        module = ModuleType(f"benchmarks.{stem}")
        module.races = lambda jobs=jobs: ((job, "1 ms", "none", "–", "–", "") for job in jobs)
        monkeypatch.setitem(sys.modules, module.__name__, module)

        benchmarks.main([stem, "--out", str(file)])

    origin, *rows = file.read_text(encoding="utf-8").splitlines()
    assert origin.startswith("# ")
    assert "numpy" in origin
    assert [row.split(",")[:2] for row in rows] == [["benchmark", "job"], ["early", "c"], ["late", "d"]]


def test_page_holds_the_table_of_every_benchmark() -> None:
    figure = runpy.run_path(str(ROOT / "docs" / "figures" / "benchmarks.py"))
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")

    assert sorted(dict(figure["tables"]())) == sorted(
        ["benchmarks", *(f"benchmark-{stem}" for stem in benchmarks.STEMS)]
    )
    assert figure["page"]() == page, "run python docs/figures/benchmarks.py"
