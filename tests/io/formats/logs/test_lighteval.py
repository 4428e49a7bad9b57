"""lighteval: details of documents in Parquet, results without the rows that sum up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evalstats
from evalstats.tables.errors import TableError

FORMATS = Path(__file__).parents[3] / "data" / "formats" / "lighteval"
SUMS = sorted(map(str, FORMATS.glob("details/acme/*/*/*sums*")))
RESULTS = str(FORMATS / "results")


def details(path: str) -> list[dict[str, Any]]:
    return pq.ParquetFile(path).read(columns=["doc", "metric"]).to_pylist()


def results(model: str) -> dict[str, dict[str, float]]:
    (path,) = FORMATS.glob(f"results/acme/{model}/*.json")
    return json.loads(path.read_text())["results"]


def test_two_models_are_compared_document_by_document() -> None:
    comparison = evalstats.compare(SUMS, metric="acc")
    own = [[row["metric"]["acc"] for row in details(path)] for path in SUMS]

    assert (comparison.table.datasets, comparison.table.classifiers) == (("sums|0",), ("acme/alpha", "acme/beta"))
    assert comparison.table.scores.tolist() == [[sum(values) / 8 for values in own]]
    assert comparison.design == "instances"


def test_other_values_are_scores_of_questions() -> None:
    table = evalstats.read_table(SUMS, metric="token_f1")

    assert table._items.questions == tuple("01234567")
    assert table._items.scores[:, 1].tolist() == [row["metric"]["token_f1"] for row in details(SUMS[1])]


def test_directory_gives_details_before_results() -> None:
    table = evalstats.read_table(FORMATS, metric="acc")

    assert table.datasets == ("doubles:large|0", "sums|0")
    assert table.scores.tolist() == [
        [results(model)[task]["acc"] for model in ("alpha", "beta")] for task in ("doubles:large|0", "sums|0")
    ]
    assert table.metric == "accuracy"


def test_results_leave_out_rows_that_sum_up() -> None:
    table = evalstats.read_table(RESULTS, metric="token_f1")

    assert table.datasets == ("doubles:large|0", "sums|0")
    assert table.scores[1].tolist() == [results(model)["sums|0"]["token_f1"] for model in ("alpha", "beta")]
    sentence = "The rows 'all', 'doubles:_average|0' summarize the other rows and are left out."
    assert table.findings[0].sentence == sentence


def test_metric_is_asked_for() -> None:
    with pytest.raises(TableError, match="holds the metrics 'acc', 'token_f1'; choose one"):
        evalstats.read_table(SUMS)


def test_direction_is_that_of_the_configuration(tmp_path: Path) -> None:
    metrics = [{"metric_name": "surprise", "higher_is_better": False}]
    for model in ("a", "b"):
        document = {"config_general": {"model_name": model}, "results": {"x|0": {"surprise": 0.5}}}
        (tmp_path / f"{model}.json").write_text(json.dumps({**document, "config_tasks": {"x|0": {"metrics": metrics}}}))

    assert not evalstats.read_table(tmp_path).greater_is_better
    (tmp_path / "a.json").write_text(json.dumps(document))
    with pytest.raises(TableError, match="it is not known whether higher or lower 'surprise' is better"):
        evalstats.read_table(tmp_path / "a.json")


def test_details_of_the_first_versions(tmp_path: Path) -> None:
    """Documents are not numbered, and the task is told by the name of the file."""
    paths = []
    for model, wrong in (("a", 1), ("b", 2)):
        directory = tmp_path / "details" / "acme" / model / "2024-01-01T00-00-00.0"
        directory.mkdir(parents=True)
        rows = {
            "example": ["q1", "q2", "q3"],
            "full_prompt": ["p"] * 3,
            "metrics": [{"acc": float(i != wrong)} for i in range(3)],
        }
        paths.append(directory / "details_harness|arc|25_2024-01-01T00-00-00.0.parquet")
        pq.write_table(pa.table(rows), paths[-1])
    table = evalstats.read_table(paths)

    assert (table.datasets, table.classifiers) == (("harness|arc|25",), ("acme/a", "acme/b"))
    assert table.scores.tolist() == [[2 / 3, 2 / 3]]


def test_cut_off_and_foreign_parquet(tmp_path: Path) -> None:
    (tmp_path / "cut.parquet").write_bytes(Path(SUMS[0]).read_bytes()[:-200])
    pq.write_table(
        pa.table({"doc": [1, 2], "metric": ["a", "b"], "model_response": [None, None]}), tmp_path / "x.parquet"
    )

    with pytest.raises(TableError):
        evalstats.read_table(tmp_path / "cut.parquet")
    with pytest.raises(TableError, match=r"x\.parquet: the path must name the task and the model"):
        evalstats.read_table(tmp_path / "x.parquet", format="lighteval")
