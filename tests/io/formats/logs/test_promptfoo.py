"""promptfoo: providers and prompts, errors, repeats whose tests are numbered anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import evalstats
from evalstats import mcnemar_test
from evalstats.tables.errors import TableError

FORMATS = Path(__file__).parents[3] / "data" / "formats" / "promptfoo"
RESULTS = FORMATS / "results.json"


def rows(name: str) -> list[dict[str, Any]]:
    return json.loads((FORMATS / name).read_text())["results"]["results"]


def passed(provider: str) -> list[bool]:
    own = [row for row in rows("results.json") if row["provider"]["label"] == provider]
    return [row["success"] for row in sorted(own, key=lambda row: row["testIdx"])]


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_two_providers_are_compared_test_by_test(suffix: str) -> None:
    comparison = evalstats.compare(FORMATS / f"results.{suffix}")
    own = [passed("alpha"), passed("beta")]

    assert comparison.table.classifiers == ("alpha", "beta")
    assert comparison.table.scores.tolist() == [[sum(values) / 6 for values in own]]
    assert comparison.pairs[0].pvalue == mcnemar_test(*own).pvalue


def test_error_of_a_provider_is_missing() -> None:
    with pytest.raises(TableError, match=r"1 of 4 questions of 'tests' lacks .*'n=4' of 'beta' \(not scored\)"):
        evalstats.read_table(FORMATS / "error.json")
    assert evalstats.read_table(FORMATS / "error.json", missing="drop-instances").scores.tolist() == [[2 / 3, 0]]


def test_repeats_have_numbers_of_their_own_but_are_one_test() -> None:
    assert {row["testIdx"] for row in rows("repeat.json")} == set(range(6))
    table = evalstats.read_table(FORMATS / "repeat.json")

    assert table.scores.tolist() == [[2 / 3, 0]]
    assert table._items.n_samples.tolist() == [[2, 2]] * 3
    predictions = evalstats.read_predictions(FORMATS / "repeat.json")
    assert len(predictions.y_true) == 2 * 3


def test_provider_with_each_of_several_prompts() -> None:
    table = evalstats.read_table(FORMATS / "two_prompts.json")

    assert table.classifiers == (
        *("alpha: Add {{n}}+{{n}}.", "alpha: What is {{n}}+{{n}}?"),
        *("beta: Add {{n}}+{{n}}.", "beta: What is {{n}}+{{n}}?"),
    )


def test_configurations_of_one_provider_are_classifiers_of_their_own() -> None:
    """They were counted as repeats of one classifier, although the first is better; each was run twice."""
    table = evalstats.read_table(FORMATS / "one_name.json")

    assert table.classifiers == ("mock:gpt (column 1)", "mock:gpt (column 2)")
    assert table.scores.tolist() == [[5 / 6, 2 / 6]]
    assert table._items.n_samples.tolist() == [[2, 2]] * 6
    (warned,) = (finding for finding in table.findings if finding.code == "columns-of-one-name")
    assert str(warned).startswith("warning: Several columns of the evaluation are called 'mock:gpt'")


def test_prompts_of_one_label_are_classifiers_of_their_own() -> None:
    table = evalstats.read_table(FORMATS / "one_label.json")

    assert table.classifiers == ("alpha (column 1)", "alpha (column 2)", "beta (column 3)", "beta (column 4)")
    assert table.scores.tolist() == [[2 / 3, 2 / 3, 0, 0]]


def test_prompt_without_a_label_is_one_prompt(tmp_path: Path) -> None:
    """The text of a prompt contains the variables of a test, so it does not name the prompt."""
    path = write(tmp_path, lambda row: {**row, "prompt": {"raw": row["prompt"]["raw"]}, "promptIdx": 0})

    assert evalstats.read_table(path).classifiers == ("alpha", "beta")


def write(tmp_path: Path, change: Any) -> Path:
    document = json.loads(RESULTS.read_text())
    document["results"]["results"] = [change(row) for row in document["results"]["results"]]
    (tmp_path / "r.json").write_text(json.dumps(document))
    return tmp_path / "r.json"


def test_other_tests_of_the_same_variables_are_other_items(tmp_path: Path) -> None:
    table = evalstats.read_table(write(tmp_path, lambda row: {**row, "vars": {"n": 1}}))

    assert table.scores.tolist() == [[sum(passed("alpha")) / 6, sum(passed("beta")) / 6]]


def test_test_cases_without_assertions_are_told(tmp_path: Path) -> None:
    """The program writes success and score 1 for such a test case, whatever the answer is."""

    def unchecked(row: dict[str, Any]) -> dict[str, Any]:
        if row["vars"]["n"] > 2:
            return row
        graded = {"pass": True, "score": 1, "reason": "No assertions"}
        test = {name: value for name, value in row["testCase"].items() if name != "assert"}
        return {**row, "testCase": test, "gradingResult": graded, "success": True, "score": 1}

    path = write(tmp_path, unchecked)
    for metric in (None, "score"):
        (told,) = (one for one in evalstats.read_table(path, metric=metric).findings if one.code == "no-assertions")
        assert str(told).startswith("warning: 2 of 6 test cases have no assertions. promptfoo counts every answer")
    assert "no-assertions" not in {one.code for one in evalstats.read_table(RESULTS).findings}


def test_named_score_is_chosen(tmp_path: Path) -> None:
    path = write(tmp_path, lambda row: {**row, "namedScores": {"toxicity error": row["vars"]["n"] / 10}})
    table = evalstats.read_table(path, metric="toxicity error")

    assert not table.greater_is_better
    assert table._items.scores[:, 0].tolist() == [n / 10 for n in range(1, 7)]


def test_result_that_is_no_object_is_refused(tmp_path: Path) -> None:
    document = json.loads(RESULTS.read_text())
    document["results"]["results"].append(7)
    (tmp_path / "r.json").write_text(json.dumps(document))

    with pytest.raises(TableError, match=r"r\.json, result 13 is 7, not an object"):
        evalstats.read_table(tmp_path / "r.json")
    with pytest.raises(TableError, match=r"result 1 has no provider"):
        evalstats.read_table(write(tmp_path, lambda row: {**row, "provider": None}))


def test_document_that_is_loaded_already() -> None:
    document = json.loads(RESULTS.read_text())

    assert evalstats.read_table(document).scores.tolist() == evalstats.read_table(RESULTS).scores.tolist()
