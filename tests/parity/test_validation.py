"""validate(): every statistic against R, whatever R is there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evalstats import InvalidValueError
from evalstats.parity import RNotAvailableError, validate, validation
from evalstats.parity import unsupported_inputs as unanswered
from evalstats.parity.live_r import R
from evalstats.parity.record_reference import main
from evalstats.parity.reference_values import read_answers, render_answers
from evalstats.parity.validation import ParityReport
from evalstats.report import text


def shown(report: ParityReport) -> str:
    return text(report, width=10_000)


@pytest.fixture
def frozen(reference: Path, r: R, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the small r_reference, with answers, in the place of ours."""
    assert main([], reference) == 0
    monkeypatch.setattr(validation, "reference_directory", lambda: reference)
    monkeypatch.delenv("EVALSTATS_REQUIRE_R", raising=False)
    return reference


@pytest.fixture
def without_r(monkeypatch: pytest.MonkeyPatch) -> None:
    def start() -> R:
        raise RNotAvailableError("R is not on the PATH; install R")

    monkeypatch.setattr(validation, "start", start)


def alter(folder: Path, old: str, new: str, file: str = "subject.json") -> None:
    path = folder / "demo" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def answer_otherwise(folder: Path, mean: float) -> None:
    """Freeze the answers of an R that gives another mean."""
    kept = read_answers("demo/subject", folder)
    key = ("spread", "plain")
    other = replace(kept.answers[key], fields={**kept.answers[key].fields, "mean": mean})
    text = render_answers(replace(kept, answers={**kept.answers, key: other}))
    (folder / "demo" / "subject.json").write_text(text, encoding="utf-8")


@pytest.mark.live
def test_agreement_is_reported_function_by_function(frozen: Path) -> None:
    report = validate()

    assert report.ok
    assert [(row.statistic, row.n_cases, row.n_frozen, row.n_live, row.verdict) for row in report.rows] == [
        ("spread", 2, 2, 2, "agrees"),
        ("shift", 2, 2, 2, "agrees"),
    ]
    assert report.rows[1].reasons == ("an example of a reason",)
    assert report.verdict == "2 functions against implementations in R, on 4 cases: no mismatch."


@pytest.mark.live
def test_other_answer_is_a_mismatch_with_everything_that_matters(frozen: Path) -> None:
    answer_otherwise(frozen, 2.5000001)

    report = validate(live=False)

    assert not report.ok
    assert [mismatch.to_dict() for mismatch in report.mismatches] == [
        {
            "case": "demo/subject/spread/plain",
            "source": "frozen",
            "field": "mean",
            "ours": 2.5,
            "r": 2.5000001,
            "difference": pytest.approx(1e-7, rel=1e-3),
            "tolerance": pytest.approx(2.5e-12),
            "arguments": {"x": [1, 2, 4.5]},
        }
    ]
    assert report.rows[0].verdict == "differs"
    assert report.verdict == "2 functions against implementations in R, on 4 cases: 1 mismatch."


@pytest.mark.live
def test_live_r_is_asked_whatever_is_frozen(frozen: Path) -> None:
    answer_otherwise(frozen, 2.5000001)

    report = validate(live=True)

    assert [mismatch.source for mismatch in report.mismatches] == ["frozen"]
    assert report.rows[0].largest_live == 0


@pytest.mark.live
@pytest.mark.parametrize("number", ["2.5000001", "2.5000000000000004"])
def test_answer_edited_by_hand_is_no_answer(frozen: Path, number: str) -> None:
    """An edit within the tolerance would not show as a difference."""
    alter(frozen, '"mean": 2.5', f'"mean": {number}')

    with pytest.raises(
        InvalidValueError, match=r"^demo/subject.json was edited .* evalstats.parity.record_reference demo/subject$"
    ):
        validate(live=False)


@pytest.mark.live
def test_new_case_is_checked_live_and_unchecked_without_r(frozen: Path) -> None:
    alter(frozen, "[shift.one]", "[shift.new]\nx = [3]\n\n[shift.one]", "subject.toml")

    assert validate(live=True).ok
    report = validate(live=False)

    assert not report.ok
    assert (report.rows[1].verdict, report.rows[1].remark) == ("not checked", "no result for new")
    assert report.verdict == "No mismatch, but not everything could be checked: shift."


@pytest.mark.live
def test_error_of_ours_is_a_mismatch(frozen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["evalstats.demo.subject"], "shift", lambda x, *, by=1: 1 / 0)

    report = validate(live=False)

    assert [mismatch.ours for mismatch in report.mismatches] == ["ZeroDivisionError: division by zero"] * 2


@pytest.mark.live
def test_error_of_r_is_a_mismatch(frozen: Path) -> None:
    alter(frozen, "x + by", 'stop("no sums today")', "subject.R")

    report = validate(live=True)

    assert {(m.source, m.field, m.ours, m.r) for m in report.mismatches} == {
        ("live", "", "not computed", "RFailedError: no sums today")
    }
    assert report.rows[1].largest_frozen == 0


@pytest.mark.long
@pytest.mark.live
def test_r_that_dies_is_a_mismatch_and_the_other_functions_are_asked(frozen: Path) -> None:
    alter(frozen, 'if (any(x > 1000)) stop("x is too large")', "quit(status = 3)", "subject.R")

    report = validate(live=True)

    assert [(m.source, m.case, m.r) for m in report.mismatches] == [
        ("live", f"demo/subject/spread/{name}", "RStoppedError: R ended without a result (exit status 3)")
        for name in ("plain", "wide")
    ]
    assert [(row.verdict, row.n_live) for row in report.rows] == [("differs", 0), ("agrees", 2)]


@pytest.mark.long
@pytest.mark.live
def test_r_that_hangs_is_waited_for_once_for_each_function(frozen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alter(frozen, 'if (any(x > 1000)) stop("x is too large")', "Sys.sleep(60)", "subject.R")
    impatient = R(seconds=3)
    monkeypatch.setattr(validation, "start", lambda: impatient)

    report = validate(live=True)

    assert [(m.source, m.case) for m in report.mismatches] == [("live", "demo/subject/spread/plain")]
    assert "returned no result within 3 seconds" in str(report.mismatches[0].r)
    assert [(row.verdict, row.n_live) for row in report.rows] == [("differs", 0), ("agrees", 2)]
    impatient.close()


@pytest.mark.live
def test_missing_package_is_said_and_the_frozen_answers_still_count(
    frozen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alter(frozen, 'packages = ["base", "stats"]', 'packages = ["noSuchPackage"]', "subject.toml")

    report = validate()
    row = report.rows[1]

    assert (row.verdict, row.remark) == (
        "agrees",
        "not checked live: package noSuchPackage is missing (Debian, Ubuntu: apt-get install r-cran-nosuchpackage)",
    )
    assert (row.n_frozen, row.n_live) == (2, 0)
    assert report.ok
    assert not validate(live=True).ok
    assert not validate(fuzz=1, rng=1, functions=["demo/subject"]).ok
    monkeypatch.setenv("EVALSTATS_REQUIRE_R", "1")
    assert not validate().ok


@pytest.mark.live
@pytest.mark.usefixtures("without_r", "frozen")
def test_missing_r_leaves_the_frozen_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    report = validate()

    assert report.ok
    assert report.live is None
    assert "no live results: R is not on the PATH; install R." in shown(report)
    monkeypatch.setenv("EVALSTATS_REQUIRE_R", "1")
    with pytest.raises(RNotAvailableError):
        validate()


@pytest.mark.live
@pytest.mark.usefixtures("without_r", "frozen")
@pytest.mark.parametrize("choice", [{"live": True}, {"fuzz": 1}])
def test_missing_r_is_an_error_where_it_is_asked_for(choice: dict[str, Any]) -> None:
    with pytest.raises(RNotAvailableError, match="R is not on the PATH"):
        validate(**choice)


@pytest.mark.live
def test_nothing_is_printed(frozen: Path, capfd: pytest.CaptureFixture[str]) -> None:
    validate()

    assert capfd.readouterr() == ("", "")


@pytest.mark.live
@pytest.mark.usefixtures("frozen")
def test_progress_is_told_after_each_case() -> None:
    told: list[tuple[int, int, str]] = []

    validate(progress=lambda *step: told.append(step))

    assert told == [(i + 1, 4, f"demo/subject/{'spread' if i < 2 else 'shift'}") for i in range(4)]


@pytest.mark.live
@pytest.mark.usefixtures("frozen")
def test_ctrl_c_keeps_what_was_compared() -> None:
    def interrupt(done: int, total: int, name: str) -> None:
        if done == 3:
            raise KeyboardInterrupt

    report = validate(progress=interrupt)

    assert not report.ok
    assert [(row.verdict, row.remark) for row in report.rows] == [
        ("agrees", None),
        ("not checked", "interrupted after 1 of 2 cases"),
    ]
    assert report.verdict == "Interrupted: 2 functions against implementations in R, on 4 cases so far, no mismatch."


@pytest.mark.live
def test_generated_inputs_are_asked_and_counted(frozen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generators = {"demo/subject/spread": lambda random: {"x": [random.choice([1.0, 2.0, 5000.0])]}}
    monkeypatch.setattr(validation, "find_generator", generators.get)
    monkeypatch.setattr(unanswered, "NO_ANSWER", {"demo/subject/spread": {"x is too large": "the demo has a limit"}})

    report = validate(fuzz=30, rng=3, functions=["demo/subject"])
    row = report.rows[0]

    assert report.ok
    assert row.n_generated == 30
    assert 0 < row.n_unanswered < 30
    assert row.unanswered == {"the demo has a limit": row.n_unanswered}
    assert row.largest_generated == 0
    assert f"30: {row.n_unanswered} generated without" not in shown(report)
    assert f"spread: {row.n_unanswered} generated without a result: the demo has a limit" in shown(report)
    assert validate(fuzz=30, rng=report.seed).to_dict() == report.to_dict()


@pytest.mark.live
def test_undocumented_error_on_a_generated_input_is_a_mismatch(frozen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "find_generator", {"demo/subject/spread": lambda random: {"x": [5000.0]}}.get)

    (mismatch,) = validate(fuzz=1, rng=3).mismatches

    assert (mismatch.source, mismatch.r) == ("generated", "RFailedError: x is too large")
    again = shown(validate(fuzz=1, rng=3))
    assert "spread(x=numpy.array([5000.0])); in R, started in r_reference: " in again
    assert 'source("common.R"); source("demo/subject.R"); spread(x = c(5000.0))' in again


@pytest.mark.live
def test_mismatch_on_a_generated_input_is_made_small(frozen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(random: Any) -> dict[str, Any]:
        return {"x": [round(random.uniform(0, 1), 3) for _ in range(20)], "y": [0.5] * 20, "ties": "drop"}

    def wrong(case: Any) -> Any:
        ours = answer(case)
        return replace(ours, result=replace(ours.result, n_wins=ours.result.n_wins + (max(case.arguments["x"]) > 0.5)))

    answer = validation.answer
    monkeypatch.undo()
    monkeypatch.setattr(validation, "find_generator", lambda name: draw)
    monkeypatch.setattr(validation, "answer", wrong)
    monkeypatch.setattr(validation.Stem, "cases", (), raising=False)

    (mismatch,) = [
        one for one in validate(fuzz=1, rng=3, functions=["sign_test"]).mismatches if one.source == "generated"
    ]

    assert mismatch.field == "n_wins"
    assert mismatch.arguments == {"x": [1.0], "y": [0.0]}


@pytest.mark.live
def test_time_is_shared_by_the_functions(frozen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "find_generator", lambda name: lambda random: {"x": [1.0, 2.0]})
    monkeypatch.setattr(validation, "monotonic", iter(range(1000)).__next__)

    report = validate(fuzz=10**6, rng=3, seconds=20, functions=["demo/subject"])

    assert [row.n_generated > 3 for row in report.rows] == [True, True]
    assert sum(row.n_generated for row in report.rows) < 25
    assert report.complete


@pytest.mark.live
@pytest.mark.usefixtures("frozen")
def test_seed_is_drawn_from_a_generator_and_reported() -> None:
    seeds = {validate(fuzz=1, rng=np.random.default_rng(5)).seed for _ in range(2)}

    assert len(seeds) == 1
    assert "Seed of the generated inputs" in shown(validate(fuzz=1))


@pytest.mark.live
@pytest.mark.usefixtures("frozen")
def test_dictionary_is_json() -> None:
    content = json.loads(json.dumps(validate().to_dict(), allow_nan=False))

    assert content["ok"] is True
    assert content["rows"][0]["live_versions"].keys() == {"R"}


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"live": "yes"}, "live must be 'auto' or True or False, not 'yes'"),
        ({"live": 1}, "live must be 'auto' or True or False, not 1"),
        ({"fuzz": -1}, "fuzz must be at least 0, not -1"),
        ({"fuzz": 5, "live": False}, "fuzz needs a live R"),
        ({"fuzz": 5, "seconds": 0}, "seconds must be above 0, not 0"),
        ({"fuzz": 5, "seconds": float("nan")}, "seconds must be above 0, not nan"),
        (
            {"functions": ["paired/nothing"]},
            "functions must be names of functions or of modules such as .*, not 'paired/nothing'",
        ),
    ],
)
def test_unclear_argument_is_refused_before_r_is_started(
    arguments: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validation, "start", lambda: pytest.fail("R was started"))

    with pytest.raises(InvalidValueError, match=message):
        validate(**arguments)


@pytest.mark.long
def test_everything_agrees_with_the_frozen_answers_where_there_is_no_r() -> None:
    """The whole of r_reference, in a process that can find no R."""
    script = "from evalstats.parity import validate; r = validate(); print(r.ok, r.live); assert r.ok, r.mismatches"
    environment = {**os.environ, "PATH": "", "R_HOME": "/nonexistent", "EVALSTATS_REQUIRE_R": ""}

    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)

    assert done.stdout == "True None\n", done.stderr


@pytest.fixture(scope="module")
def everything() -> ParityReport:
    return validate(live=False)


@pytest.mark.long
def test_documented_report_is_fresh(everything: ParityReport) -> None:
    """docs/comparison-with-r.md shows the functions and cases of today; docs/figures/comparison_with_r.py writes it."""
    page = (Path(__file__).parents[2] / "docs" / "comparison-with-r.md").read_text(encoding="utf-8")
    lines = page.replace("\\", "").partition("## Functions")[2].partition("\n## ")[0].splitlines()
    shown = [line.split(" | ")[:2] for line in lines if line.startswith("| ")][2:]

    assert shown == [[f"| {row.statistic}", str(row.n_cases)] for row in everything.rows]
    assert "no mismatch." in page


def test_functions_are_asked_for_by_name() -> None:
    report = validate(live=False, functions=["nemenyi_test", "paired/sign", "minimum_sample_size"])

    assert [row.statistic for row in report.rows] == ["nemenyi_test", "sign_test", "minimum_sample_size"]
    assert report.without_r == ()


def test_what_r_does_not_have_is_listed_with_all_and_refused_by_name(everything: ParityReport) -> None:
    named = {one.function: one for one in everything.without_r}

    assert "f1_score" in named
    assert not {"nemenyi_test", "sign_test"} & named.keys()
    with pytest.raises(ValueError, match=r"R does not compute f1_score: .*; tests/metrics.* checks the function"):
        validate(live=False, functions=["f1_score"])


def test_function_that_is_not_there_is_refused_with_near_ones() -> None:
    with pytest.raises(ValueError, match=r"such as 'nemenyi_test'.*, not 'nemenyi_tests'"):
        validate(live=False, functions=["nemenyi_tests"])
