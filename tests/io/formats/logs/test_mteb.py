"""MTEB: a file for each task, in the folder of a model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from evalstats import TableError, read_table

RESULTS = Path(__file__).parents[3] / "data" / "formats" / "mteb" / "results"


def expected(metric: str) -> pd.DataFrame:
    """Return the means over the subsets of the test split."""
    rows = [
        {"task": document["task_name"], "model": path.parts[-3].replace("__", "/"), "score": record[metric]}
        for path in RESULTS.glob("*/*/[A-Z]*.json")
        for document in [json.loads(path.read_text())]
        for record in document["scores"]["test"]
    ]
    return pd.DataFrame(rows).pivot_table(index="task", columns="model", values="score", aggfunc="mean")


@pytest.mark.parametrize("metric", [None, "accuracy", "f1"])
def test_scores_are_those_of_pandas(metric: str | None) -> None:
    table = read_table(RESULTS, metric=metric)

    assert table.metric == (metric or "main_score")
    assert table.greater_is_better
    pd.testing.assert_frame_equal(table.to_frame(), expected(table.metric), check_names=False)


def test_folders_of_models_are_given_as_a_list(tmp_path: Path) -> None:
    """Without the file of the model, its folder gives the name."""
    models = [shutil.copytree(next(folder.iterdir()), tmp_path / folder.name) for folder in RESULTS.iterdir()]
    for model in models:
        (model / "model_meta.json").unlink()

    table = read_table([str(model) for model in models])

    pd.testing.assert_frame_equal(table.to_frame(), expected("main_score"), check_names=False)


def test_subsets_and_other_splits_are_told() -> None:
    told = {one.code: one.sentence for one in read_table(RESULTS).findings}

    assert told["mean-of-subsets"].startswith("The score of each of 2 files is the mean")
    assert told["other-splits"].endswith("validation.")


def test_only_split_is_read(tmp_path: Path) -> None:
    for path in RESULTS.glob("*/*/EmotionClassification.json"):
        document = json.loads(path.read_text())
        del document["scores"]["test"]
        (tmp_path / path.parts[-3]).mkdir()
        (tmp_path / path.parts[-3] / path.name).write_text(json.dumps(document))

    assert read_table(tmp_path).scores.tolist() == [[0.45, 0.42]]


@pytest.mark.parametrize("scores", [{}, {"test": []}, {"test": [{"hf_subset": "en"}]}])
def test_file_without_a_score_is_named(tmp_path: Path, scores: dict[str, object]) -> None:
    document = {"task_name": "SciFact", "mteb_version": "2", "scores": scores}
    (tmp_path / "SciFact.json").write_text(json.dumps(document))

    with pytest.raises(TableError, match=r"SciFact\.json holds no score"):
        read_table(tmp_path)
