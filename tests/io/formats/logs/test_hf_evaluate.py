"""Hugging Face evaluate: one file of scores for each run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import evalstats
from evalstats.tables.errors import TableError

FORMATS = Path(__file__).parents[3] / "data" / "formats" / "hf-evaluate"


def test_files_are_cells_of_a_table() -> None:
    """The score of a bootstrap stands beside its interval."""
    table = evalstats.read_table(FORMATS)
    of_cola = json.loads((FORMATS / "alpha_cola.json").read_text())["accuracy"]

    assert (table.datasets, table.classifiers, table.metric) == (
        ("cola", "imdb", "sst2"),
        ("alpha", "beta"),
        "accuracy",
    )
    assert table.scores.tolist() == [[0.62, 0.55], [0.91, 0.87], [0.88, 0.89]]
    assert of_cola["score"] == 0.62


def test_files_without_a_model_are_called_like_themselves(tmp_path: Path) -> None:
    for name in ("alpha", "beta"):
        document = json.loads((FORMATS / f"{name}_imdb.json").read_text())
        del document["model"], document["dataset"]
        (tmp_path / f"{name}.json").write_text(json.dumps({**document, "f1": 0.5}))

    with pytest.raises(TableError, match="holds the metrics 'accuracy', 'f1'; choose one"):
        evalstats.read_table(tmp_path)
    table = evalstats.read_table(tmp_path, metric="f1")
    assert (table.datasets, table.classifiers) == (("dataset",), ("alpha", "beta"))


def test_two_files_of_one_cell_are_refused_in_a_directory(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text((FORMATS / "alpha_imdb.json").read_text())

    with pytest.raises(TableError, match="'imdb' occurs twice for 'alpha'"):
        evalstats.read_table(tmp_path)


def test_files_without_a_dataset_are_told(tmp_path: Path) -> None:
    """Nothing says that the scores belong to one dataset."""
    document = json.loads((FORMATS / "alpha_imdb.json").read_text())
    del document["dataset"]
    for name, own in (("a", document), ("b", document | {"model": "beta", "accuracy": 0.5})):
        (tmp_path / f"{name}.json").write_text(json.dumps(own))

    assert [one.code for one in evalstats.read_table(tmp_path).findings] == ["unnamed-dataset"]
    assert "unnamed-dataset" not in [one.code for one in evalstats.read_table(FORMATS).findings]


def test_dict_of_scores_is_asked_for_its_scores(tmp_path: Path) -> None:
    document = json.loads((FORMATS / "alpha_imdb.json").read_text())
    document["results"] = {"accuracy": document.pop("accuracy")}
    (tmp_path / "a.json").write_text(json.dumps(document))

    with pytest.raises(TableError, match=r"a.json holds no score; save the scores themselves, not a dict of them"):
        evalstats.read_table(tmp_path)
