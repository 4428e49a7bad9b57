"""deepeval: metrics of test cases, errors, runs without a name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import evalstats
from evalstats.tables.errors import TableError

FORMATS = Path(__file__).parents[3] / "data" / "formats" / "deepeval"
ALPHA, BETA, BROKEN = (FORMATS / f"{name}.json" for name in ("alpha", "beta", "broken"))


def scores(path: Path, metric: str) -> list[float | None]:
    cases = json.loads(path.read_text())["testCases"]
    return [next(d.get("score") for d in case["metricsData"] if d["name"] == metric) for case in cases]


def test_two_runs_are_compared_case_by_case() -> None:
    comparison = evalstats.compare([ALPHA, BETA], metric="Exact")
    own = [scores(ALPHA, "Exact"), scores(BETA, "Exact")]

    assert comparison.table.classifiers == ("alpha", "beta")
    assert comparison.table.scores.tolist() == [[sum(values) / 10 for values in own]]
    assert comparison.design == "instances"


def test_degrees_are_scores_of_questions() -> None:
    table = evalstats.read_table([ALPHA, BETA], metric="Closeness")

    assert table._items.questions[:2] == ("What is 1+1?", "What is 2+2?")
    assert sorted(table._items.scores[:, 1]) == sorted(scores(BETA, "Closeness"))


def test_metric_is_asked_for() -> None:
    with pytest.raises(TableError, match="holds the metrics 'Exact', 'Closeness'; choose one"):
        evalstats.read_table([ALPHA, BETA])


@pytest.mark.parametrize("metric", ["Exact", "success"])
def test_metric_that_failed_is_missing(metric: str) -> None:
    """The test case counts as failed in the file, although nobody knows."""
    assert None in scores(BROKEN, "Exact")
    with pytest.raises(TableError, match=r"1 of 10 questions .*'What is 6\+6\?' of 'beta' \(not scored\)"):
        evalstats.read_table([ALPHA, BROKEN], metric=metric)


def test_success_of_whole_cases() -> None:
    table = evalstats.read_table([ALPHA, BETA], metric="success")

    assert table.scores.tolist() == [[0.9, 0.6]]


def test_runs_without_a_model_are_called_by_their_files(tmp_path: Path) -> None:
    for path in (ALPHA, BETA):
        document = json.loads(path.read_text())
        del document["hyperparameters"]
        (tmp_path / f"prompt_{path.name}").write_text(json.dumps(document))
    table = evalstats.read_table(tmp_path, metric="Exact")

    assert table.classifiers == ("prompt_alpha", "prompt_beta")
    assert "named-by-file" in [finding.code for finding in table.findings]


def test_other_expected_output_is_refused(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(BETA.read_text().replace('"expectedOutput": "4"', '"expectedOutput": "5"'))

    with pytest.raises(TableError, match=r"the question 'What is 2\+2\?' of 'test cases' differs between files"):
        evalstats.read_table([ALPHA, tmp_path / "b.json"], metric="Exact")


def test_same_input_with_another_context_is_another_question() -> None:
    """Seven questions have one input; the last was answered twice, once correctly."""
    table = evalstats.read_table(FORMATS / "same_inputs.json", metric="Exact")

    assert len(table._items.questions) == 7
    assert table._items.n_samples.sum() == 8
    assert table.scores[0, 0] == pytest.approx(5.5 / 7)


def test_same_input_of_two_runs_is_paired_by_its_context(tmp_path: Path) -> None:
    document = json.loads((FORMATS / "same_inputs.json").read_text())
    document["hyperparameters"]["model"] = "delta"
    document["testCases"].reverse()
    (tmp_path / "delta.json").write_text(json.dumps(document))
    table = evalstats.read_table([FORMATS / "same_inputs.json", tmp_path / "delta.json"], metric="Exact")

    assert table._items.scores[:, 0].tolist() == table._items.scores[:, 1].tolist()


def test_same_input_with_other_retrieved_texts_warns(tmp_path: Path) -> None:
    document = json.loads((FORMATS / "same_inputs.json").read_text())
    for i, case in enumerate(document["testCases"]):
        case["retrievalContext"] = [f"text {i}"]
    (tmp_path / "r.json").write_text(json.dumps(document))
    table = evalstats.read_table(tmp_path / "r.json", metric="Exact")

    (told,) = (str(finding) for finding in table.findings if finding.code == "other-retrieved-texts")
    assert "counts as a repeated question (1 of the inputs)" in told


def test_case_without_input_is_refused(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(BETA.read_text().replace('"input": "What is 1+1?",', ""))

    with pytest.raises(TableError, match=r"b\.json, test case 1 has no input"):
        evalstats.read_table(tmp_path / "b.json", metric="Exact")


def test_score_that_passes_below_its_threshold_is_a_loss(tmp_path: Path) -> None:
    """Bias and toxicity are measured so."""
    for path in (ALPHA, BETA):
        document = json.loads(path.read_text())
        for case in document["testCases"]:
            for data in case["metricsData"]:
                data |= {"name": "Prejudice", "score": 1 - data["score"]}
        (tmp_path / path.name).write_text(json.dumps(document))
    table = evalstats.read_table(tmp_path)

    assert (table.metric, table.greater_is_better) == ("error_rate", False)
    assert table.scores.tolist() == [[0.1, 0.4]]


def test_direction_that_no_case_tells_is_asked_for(tmp_path: Path) -> None:
    text = ALPHA.read_text().replace('"threshold": 0.5', '"threshold": null').replace('"Exact"', '"Prejudice"')
    (tmp_path / "a.json").write_text(text)

    with pytest.raises(TableError, match="it is not known whether higher or lower 'Prejudice' is better"):
        evalstats.read_table(tmp_path / "a.json", metric="Prejudice")
