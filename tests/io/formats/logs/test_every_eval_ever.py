"""Every Eval Ever: instances, aggregates, several results of one answer, directions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import evalstats
from evalstats import mcnemar_test
from evalstats.tables.errors import TableError

SAMPLES = Path(__file__).parents[3] / "data" / "formats"
FORMATS = SAMPLES / "every-eval-ever" / "composed"
CONVERTED = SAMPLES / "every-eval-ever" / "converted"
INSTANCES = [FORMATS / f"{name}_samples.jsonl" for name in ("alpha", "beta")]
AGGREGATES = [FORMATS / f"{name}.json" for name in ("alpha", "beta")]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(tmp_path: Path, change: Any) -> list[Path]:
    for path in INSTANCES:
        rows = [row for line in lines(path) for row in change(line)]
        (tmp_path / path.name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [tmp_path / path.name for path in INSTANCES]


@pytest.mark.parametrize("source", [FORMATS, INSTANCES])
def test_two_models_are_compared_instance_by_instance(source: object) -> None:
    comparison = evalstats.compare(source)
    own = [[line["evaluation"]["is_correct"] for line in lines(path)] for path in INSTANCES]

    assert (comparison.table.datasets, comparison.table.classifiers) == (("sums",), ("acme/alpha", "acme/beta"))
    assert comparison.table.scores.tolist() == [[sum(values) / 8 for values in own]]
    assert comparison.pairs[0].pvalue == mcnemar_test(*own).pvalue


@pytest.mark.parametrize("metric", ["acc", "acc_norm"])
def test_what_the_program_converted_has_the_scores_of_the_logs(metric: str) -> None:
    logs = sorted(SAMPLES.glob("lm-eval/*/samples_sums_[eh]a*.jsonl"))

    converted, own = evalstats.read_table(CONVERTED, metric=metric), evalstats.read_table(logs, metric=metric)

    assert (converted.format, own.format) == ("every-eval-ever", "lm-eval")
    assert (converted.datasets, converted.classifiers) == (own.datasets, own.classifiers)
    assert converted.scores.tolist() == own.scores.tolist()


def test_aggregates_that_the_program_converted_have_the_scores_of_the_logs() -> None:
    logs = sorted(SAMPLES.glob("lm-eval/*/samples_sums_[eh]a*.jsonl"))

    converted = evalstats.read_table(sorted(CONVERTED.glob("*.json")), metric="acc")

    assert converted.scores == pytest.approx(evalstats.read_table(logs, metric="acc").scores)


def test_pairs_are_those_of_the_hash_of_the_sample(tmp_path: Path) -> None:
    """sample_id may count anew in each run."""
    count = iter(range(99))
    paths = write(tmp_path, lambda line: [{**line, "sample_id": str(next(count))}])

    assert evalstats.compare(paths).pairs[0].pvalue == evalstats.compare(INSTANCES).pairs[0].pvalue


def test_aggregates_are_scores_with_their_direction() -> None:
    table = evalstats.read_table(AGGREGATES)

    assert table.datasets == ("doubles", "halves", "sums")
    assert table.scores[1].tolist() == [0.25, 0.35]
    assert table.greater_is_better


def test_lower_is_better(tmp_path: Path) -> None:
    for path in AGGREGATES:
        text = path.read_text().replace('"lower_is_better": false', '"lower_is_better": true')
        (tmp_path / path.name).write_text(text)

    assert not evalstats.read_table(tmp_path).greater_is_better


def test_several_results_of_one_answer_are_metrics(tmp_path: Path) -> None:
    def twice(line: dict[str, Any]) -> list[dict[str, Any]]:
        length = {**line["evaluation"], "score": 0.5}
        return [
            {**line, "evaluation_result_id": "em:test"},
            {**line, "evaluation_result_id": "f1", "evaluation": length},
        ]

    paths = write(tmp_path, twice)
    with pytest.raises(TableError, match="holds the metrics 'em:test', 'f1'; choose one"):
        evalstats.read_table(paths)
    assert evalstats.read_table(paths, metric="em:test").scores.tolist() == [[7 / 8, 5 / 8 - 1 / 8]]


def test_error_is_missing(tmp_path: Path) -> None:
    paths = write(tmp_path, lambda line: [{**line, "error": "timeout"} if line["sample_id"] == "4" else line])

    with pytest.raises(TableError, match=r"1 of 8 questions of 'sums' lacks"):
        evalstats.read_table(paths)


def test_direction_of_scores_is_asked_for(tmp_path: Path) -> None:
    paths = write(tmp_path, lambda line: [{**line, "evaluation": {"score": 0.25, "is_correct": True}}])

    with pytest.raises(TableError, match="it is not known whether higher or lower 'sums' is better"):
        evalstats.read_table(paths)
    assert evalstats.read_table(paths, metric="is_correct").scores.tolist() == [[1.0, 1.0]]


def test_line_that_lacks_a_key_is_refused(tmp_path: Path) -> None:
    paths = write(tmp_path, lambda line: [line, {"schema_version": "0.3.0", "evaluation_id": "x"}])

    with pytest.raises(TableError, match=r"alpha_samples\.jsonl, line 2 lacks model_id, evaluation_name or sample_id"):
        evalstats.read_table(paths)
