"""EvalPlus: the problems that the solutions of a model solve."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from evalstats import TableError, compare, read_predictions, read_table

FOLDER = Path(__file__).parents[3] / "data" / "formats" / "evalplus"
FILES = sorted(FOLDER.glob("*.json"))


def statuses() -> pd.DataFrame:
    rows = [
        {"model": path.name.removesuffix("_eval_results.json"), **answer}
        for path in FILES
        for answers in json.loads(path.read_text())["eval"].values()
        for answer in answers
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(("metric", "columns"), [("base", ["base_status"]), ("plus", ["base_status", "plus_status"])])
def test_accuracies_are_those_of_pandas(metric: str, columns: list[str]) -> None:
    found = statuses()
    expected = (found[columns] == "pass").all(axis=1).groupby(found["model"]).mean()
    table = read_table(FOLDER, metric=metric)

    assert table.datasets == ("HumanEval",)
    assert dict(zip(table.classifiers, table.scores[0].tolist(), strict=True)) == pytest.approx(expected.to_dict())


def test_additional_tests_count_without_an_option() -> None:
    """A solution that fails a base test fails HumanEval+ too."""
    told = [one.sentence for one in read_table(FOLDER).findings if one.code == "tests-passed"]

    assert read_table(FOLDER).scores.tolist() == read_table(FOLDER, metric="plus").scores.tolist()
    passed = "the base tests and the additional tests"
    assert told == [f"A solution is correct if it passes {passed}; metric='base' selects the other definition."]


def test_two_files_are_paired_by_their_problems() -> None:
    found = statuses()
    right = (found.assign(right=(found["base_status"] == "pass") & (found["plus_status"] == "pass"))).pivot_table(
        index="task_id", columns="model", values="right", aggfunc="first"
    )
    (pair,) = compare([str(path) for path in FILES[:2]]).pairs
    records = read_predictions([str(path) for path in FILES[:2]])

    assert records.n_instances == len(right)
    assert pair.difference == pytest.approx(right["alpha"].mean() - right["beta"].mean())


def test_base_tests_are_read_where_no_others_ran(tmp_path: Path) -> None:
    """EvalPlus writes no second status with --base-only."""
    for path in FILES:
        document = json.loads(path.read_text())
        for answers in document["eval"].values():
            answers[0]["plus_status"] = None
        (tmp_path / path.name).write_text(json.dumps(document))

    assert read_table(tmp_path).scores.tolist() == read_table(FOLDER, metric="base").scores.tolist()
    with pytest.raises(TableError, match="has no metric 'plus'; its metrics are 'base'"):
        read_table(tmp_path, metric="plus")


def test_several_solutions_of_a_problem_are_averaged(tmp_path: Path) -> None:
    for path in FILES[:2]:
        document = json.loads(path.read_text())
        for problem, answers in document["eval"].items():
            answers.append(
                {**answers[0], "plus_status": "timeout" if problem.endswith("1") else answers[0]["plus_status"]}
            )
        (tmp_path / path.name).write_text(json.dumps(document))

    table = read_table(tmp_path)
    assert table.classifiers == ("alpha", "beta")
    assert table.scores[0].tolist() == pytest.approx([3.5 / 6, 2.5 / 6])


def test_answer_without_a_status_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"eval": {"HumanEval/0": [{"base_status": "pass"}], "HumanEval/1": [{}]}}')

    with pytest.raises(TableError, match=r"a\.json: an answer to 'HumanEval/1' has no base_status"):
        read_table(tmp_path / "a.json")


@pytest.mark.parametrize(("metric", "expected"), [("base", [3 / 4, 1 / 4]), ("plus", [2 / 4, 1 / 4])])
def test_files_of_older_versions_are_read(tmp_path: Path, metric: str, expected: list[float]) -> None:
    """Until 2024, a problem had lists of results, and the status of a solution that passes was success."""
    old = json.loads((FOLDER.parent / "published" / "evalplus" / "samples_eval_results.json").read_text())
    assert {*(status for own in old["eval"].values() for status, _ in own["base"])} == {"timed out"}
    passed = {"alpha": ("1110", "1100"), "beta": ("1000", "1010")}
    for name, marks in passed.items():
        for problem, *own in zip(old["eval"], *marks, strict=True):
            for tests, mark in zip(("base", "plus"), own, strict=True):
                old["eval"][problem][tests] = [["success" if mark == "1" else "failed", [1]]]
        (tmp_path / f"{name}_eval_results.json").write_text(json.dumps(old))

    assert read_table(tmp_path, metric=metric).scores.tolist() == [expected]


def test_results_without_solutions_that_pass_are_read() -> None:
    table = read_table(FOLDER.parent / "published" / "evalplus" / "samples_eval_results.json")

    assert (table.datasets, table.classifiers, table.scores.tolist()) == (("HumanEval",), ("samples",), [[0.0]])
