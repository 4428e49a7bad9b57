"""BigCode evaluation harness: a file for each run, with its model among the settings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalstats import TableError, compare, read_table

FOLDER = Path(__file__).parents[3] / "data" / "formats" / "bigcode"
FILES = sorted(FOLDER.glob("*.json"))


def truth(metric: str) -> dict[tuple[str, str], float]:
    documents = [json.loads(path.read_text()) for path in FILES]
    return {(own["config"]["tasks"], own["config"]["model"]): own[own["config"]["tasks"]][metric] for own in documents}


def written(directory: Path, name: str, document: Any) -> str:
    (directory / name).write_text(json.dumps(document))
    return str(directory / name)


@pytest.mark.parametrize(("asked", "metric"), [(None, "pass@1"), ("pass@10", "pass@10"), ("pass@100", "pass@100")])
def test_scores_are_those_of_the_files(asked: str | None, metric: str) -> None:
    table = read_table(FOLDER, metric=asked)
    found = {
        (dataset, classifier): table.scores[i, j]
        for i, dataset in enumerate(table.datasets)
        for j, classifier in enumerate(table.classifiers)
    }

    assert found == truth(metric)
    assert (table.format, table.metric, table.greater_is_better) == ("bigcode", metric, True)
    assert compare(list(map(str, FILES))).table.scores.tolist() == read_table(FOLDER).scores.tolist()


def test_several_tasks_of_a_file_are_datasets_and_an_adapter_is_another_model(tmp_path: Path) -> None:
    config = {"model": "acme/alpha", "n_samples": 1, "peft_model": None}
    scores = {"humaneval": {"pass@1": 0.5}, "mbpp": {"pass@1": 0.25}}
    one = written(tmp_path, "a.json", {**scores, "config": config})
    other = written(tmp_path, "b.json", {**scores, "config": {**config, "peft_model": "lora"}})

    table = read_table([one, other])
    assert (table.classifiers, table.datasets) == (("acme/alpha", "acme/alpha + lora"), ("humaneval", "mbpp"))
    assert table.scores.tolist() == [[0.5, 0.5], [0.25, 0.25]]


def test_two_runs_of_a_model_have_the_names_of_their_files(tmp_path: Path) -> None:
    document = json.loads(FILES[0].read_text())
    paths = [written(tmp_path, f"{name}.json", document) for name in ("greedy", "sampled")]

    model = document["config"]["model"]
    assert read_table(paths).classifiers == (f"{model} [greedy]", f"{model} [sampled]")


def test_tasks_with_other_metrics_are_asked_about(tmp_path: Path) -> None:
    config = {"model": "acme/alpha", "n_samples": 1}
    path = written(tmp_path, "a.json", {"x": {"pass@1": 0.5, "pass@2": 0.6}, "y": {"bleu": 0.2}, "config": config})

    with pytest.raises(TableError, match="holds the metrics 'pass@1', 'pass@2', 'bleu'; choose one"):
        read_table(path)
    with pytest.raises(TableError, match=r"b\.json holds no score of a task"):
        read_table(written(tmp_path, "b.json", {"x": {"pass@1": None}, "config": config}))
