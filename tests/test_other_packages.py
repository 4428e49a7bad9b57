"""The pages of peers show what was answered, our numbers come out again, and R is on the side that the page says."""

from __future__ import annotations

import csv
import json
import runpy
import tomllib
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from public_names import public_names

import evalstats
from evalstats.examples import example_path

ROOT = Path(__file__).parents[1]
PEERS = ROOT / "docs" / "other-packages"
ASKED = tomllib.loads((PEERS / "cases.toml").read_text(encoding="utf-8"))
SAID = json.loads((PEERS / "answers.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in ASKED["case"]}
ours_of = runpy.run_path(str(ROOT / "scripts" / "other_packages.py"))["answer_of"]


def equal(one: Any, other: Any, within: float = 1e-6) -> bool:
    """Say whether two values of answers are the same number, list or text."""
    try:
        left, right = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    except ValueError:
        return bool(one == other)
    return left.shape == right.shape and np.allclose(left, right, rtol=within, atol=1e-9, equal_nan=True)


def shared(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    return [name for name in one if name in other and name != "error"]


def test_a_missing_part_is_named_and_the_recorded_answers_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def without_java(command: list[str], **options: Any) -> str:
        if command[0] == "Rscript":
            return "R"
        raise FileNotFoundError(2, "No such file or directory", command[0])

    script = runpy.run_path(str(ROOT / "scripts" / "other_packages.py"))
    recorded = tmp_path / "answers.json"
    recorded.write_text(json.dumps(SAID), encoding="utf-8")
    library = tmp_path / "keel" / "source" / "lib"
    library.mkdir(parents=True)
    (library / "one.jar").touch()
    script["main"].__globals__.update(_run=without_java, ANSWERS=recorded)

    status = script["main"]([str(tmp_path), "keel"])

    again = json.loads(recorded.read_text(encoding="utf-8"))
    assert status == 1
    assert "keel keeps its recorded answers: [Errno 2] No such file or directory: 'javac'" in capsys.readouterr().err
    assert (again["peers"], again["cases"]) == (SAID["peers"], SAID["cases"])


def test_arrays_are_written_in_java() -> None:
    as_java = runpy.run_path(str(ROOT / "scripts" / "other_packages.py"))["_as_java"]

    assert as_java("x", np.array([[0.5, np.nan], [1.0, 2.0]])) == "double[][] x = {{0.5, Double.NaN}, {1.0, 2.0}};"
    assert as_java("truth", np.array([1, 0])) == "int[] truth = {1, 0};"


def test_every_case_was_asked() -> None:
    assert list(SAID["cases"]) == list(CASES)


def test_every_peer_was_asked_with_its_version() -> None:
    pins = {
        name: dict(pin.split("==") for pin in peer["requirements"] if "==" in pin)
        | ({"commit": peer["commit"]} if "commit" in peer else {})
        for name, peer in ASKED["peers"].items()
    }
    installed = {
        name: {package: SAID["peers"][name].get(package) for package in pinned} for name, pinned in pins.items()
    }

    assert installed == pins


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "ours" in case])
def test_our_answer_comes_out_again(name: str) -> None:
    said = SAID["cases"][name]["ours"]

    again = ours_of(CASES[name]["ours"], CASES[name]["data"])

    assert again.keys() == said.keys()
    assert [field for field in said if not equal(again[field], said[field], 1e-9)] == []


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "r" in case and "ours" in case])
def test_r_judges_as_we_do(name: str) -> None:
    said = SAID["cases"][name]
    fields = shared(said["r"], said["ours"])

    assert fields
    assert [field for field in fields if not equal(said["ours"][field], said["r"][field])] == []


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["outcome"] == "agrees"])
def test_what_agrees_agrees(name: str) -> None:
    said = SAID["cases"][name]
    fields = shared(said["theirs"], said["ours"])

    assert fields
    assert all(equal(said["theirs"][f], said["ours"][f], CASES[name].get("within", 1e-6)) for f in fields)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["outcome"] == "differs"])
def test_what_differs_differs(name: str) -> None:
    said = SAID["cases"][name]
    judge = said["ours"] if "ours" in said else said["r"]

    assert any(not equal(said["theirs"].get(field), judge.get(field)) for field in {*said["theirs"], *judge})


def test_refusals_and_missing_results_are_not_counted_as_differences() -> None:
    """The headline counts only pairs of numbers; an error message, nan or a text is not a number."""
    outcome = runpy.run_path(str(ROOT / "docs" / "figures" / "other_packages.py"))["outcome"]
    differs, number = {"outcome": "differs"}, {"ours": {"pvalue": 0.5}}

    assert outcome(differs, number | {"theirs": {"pvalue": 0.4}}) == "differs"
    for theirs in ({"error": "ValueError"}, {"pvalue": "nan"}, {"printed": "p < .05"}, {"pvalue": float("nan")}):
        assert outcome(differs, number | {"theirs": theirs}) == "no number"
    assert outcome({"outcome": "agrees"}, {"theirs": {}}) == "agrees"


def test_a_mark_is_given_only_where_an_input_was_run() -> None:
    figure = runpy.run_path(str(ROOT / "docs" / "figures" / "other_packages.py"))
    row = {"here": "wilcoxon_test", "scipy": "yes"}

    assert figure["_mark"](row, "scipy", "scipy", {}) == "documented"
    assert figure["_mark"](row, "scipy", "scipy", {("scipy", "wilcoxon_test"): ["agrees"]}) == "[yes](scipy.md)"
    assert figure["_mark"](row, "critdd", "critdd", {}) == ""


def test_every_reason_is_a_sentence() -> None:
    assert [name for name, case in CASES.items() if not case["why"].rstrip(")").endswith(".")] == []


def test_the_pages_are_those_of_the_answers() -> None:
    pages = runpy.run_path(str(ROOT / "docs" / "figures" / "other_packages.py"))["pages"]()

    assert {path.name: path.read_text(encoding="utf-8") for path in PEERS.glob("*.md")} == pages


def test_the_page_for_users_of_other_tools_is_that_of_the_answers() -> None:
    figures = runpy.run_path(str(ROOT / "docs" / "figures" / "other_packages.py"))

    assert (ROOT / "docs" / "migration.md").read_text(encoding="utf-8") == figures["migration"]()


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "demsar" in name and case.get("migration")])
def test_users_of_other_tools_see_the_bundled_table(name: str) -> None:
    space: dict[str, Any] = {}
    exec(CASES[name]["data"], space)

    assert np.array_equal(space["scores"], evalstats.example_table("demsar-2006").scores)


def test_users_of_other_tools_see_the_bundled_predictions() -> None:
    rows = evalstats.read_predictions(example_path("sklearn-predictions")).to_frame()
    task = rows[rows["dataset"] == "iris: versicolor"]
    task = task.assign(correct=task["y_true"] == task["y_pred"])
    correct = task.pivot(index="instance", columns="classifier", values="correct")
    folds = task.groupby(["fold", "classifier"], sort=True)["correct"].mean().unstack()
    near, tree = correct["neighbours"].to_numpy(bool), correct["tree"].to_numpy(bool)
    seen: dict[str, Any] = {}
    for name in ("mlxtend-predictions", "baycomp-predictions"):
        exec(CASES[name]["data"], seen)

    assert seen["table"].tolist() == [[np.sum(a & b) for b in (tree, ~tree)] for a in (near, ~near)]
    assert sorted(zip(seen["x"], seen["y"], strict=True)) == sorted(
        zip(folds["tree"], folds["neighbours"], strict=True)
    )


def test_what_evalstats_can_do_has_its_name() -> None:
    with (PEERS / "capabilities.csv").open(encoding="utf-8", newline="") as file:
        names = {name for row in csv.DictReader(file) for name in row["here"].split(";") if name}

    for name in names:
        assert name in public_names() or reduce(getattr, name.split("."), evalstats)
