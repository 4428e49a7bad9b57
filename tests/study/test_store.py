"""What is kept on disk is whole, or not there, and says when it is damaged."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evalstats._errors import EvalstatsWarning, InvalidValueError
from evalstats.study.single_run import RUN_COLUMNS, Repeat
from evalstats.study.store import (
    DirectoryStore,
    MemoryStore,
    StudyStorageError,
    is_study,
    manifest_in,
)

DESCRIPTION = {"datasets": {"d/1": {}}, "classifiers": {"../c": "C()", "ü": "U()"}, "seed": 1}
KEY = ("d/1", "../c", 1)


def repeat(score: float = 0.5) -> Repeat:
    values = {"int64": 1, "float64": score, "string": None}
    runs = {name: [values[kind]] for name, kind in RUN_COLUMNS.items()}
    predictions = {"fold": [1, 1], "row": [0, 1], "y_true": ["a", "b"], "y_pred": ["a", "a"], "y_score": [0.1, 0.2]}
    return Repeat(runs=runs, predictions={**predictions, "y_proba": [None, [0.1, 0.2, 0.7]]})


@pytest.fixture(params=["memory", "directory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return MemoryStore() if request.param == "memory" else DirectoryStore(tmp_path / "new", DESCRIPTION, {})


def test_what_is_kept_comes_back(store: Any) -> None:
    store.keep(KEY, repeat(0.1 + 0.2))

    assert store.runs() == {KEY: repeat(0.1 + 0.2).runs}
    assert dict(store.predictions_of(KEY)) == repeat().predictions
    assert store.predictions_of(("d/1", "ü", 1)) == {}


def test_files_are_plain_parquet_with_safe_names(tmp_path: Path) -> None:
    """Names of classifiers are text in the file, never a part of its path."""
    DirectoryStore(tmp_path, DESCRIPTION, {}).keep(KEY, repeat())
    (path,) = tmp_path.glob("scores/*")

    assert path.name == "0000-0000-000001.parquet"
    assert pd.read_parquet(path)[["dataset", "classifier", "repeat", "score"]].values.tolist() == [[*KEY, 0.5]]


def test_order_of_names_may_change(tmp_path: Path) -> None:
    """Files are numbered as when the study began."""
    DirectoryStore(tmp_path, DESCRIPTION, {}).keep(KEY, repeat())
    turned = DESCRIPTION | {"classifiers": dict(reversed(DESCRIPTION["classifiers"].items()))}
    store = DirectoryStore(tmp_path, turned, {})
    store.keep(("d/1", "ü", 1), repeat(0.7))

    assert {key[1]: runs["score"] for key, runs in DirectoryStore(tmp_path, DESCRIPTION, {}).runs().items()} == {
        "../c": [0.5],
        "ü": [0.7],
    }


def test_end_is_noted(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path, DESCRIPTION, {"python": "3"})
    assert manifest_in(tmp_path)["finished"] is False
    store.finish()

    assert manifest_in(tmp_path) == {
        "evalstats_study": 1,
        "finished": True,
        "n_runs": 0,
        "made_with": {"python": "3"},
        "description": DESCRIPTION,
    }
    assert is_study(tmp_path)
    assert not is_study(tmp_path / "scores")
    assert not is_study("x" * 10_000)


def test_file_that_was_being_written_is_not_counted(tmp_path: Path) -> None:
    DirectoryStore(tmp_path, DESCRIPTION, {})
    (tmp_path / "scores" / "0000-0000-000001.parquet.77.tmp").write_bytes(b"PAR1")

    assert DirectoryStore(tmp_path, DESCRIPTION, {}).runs() == {}


def test_study_that_was_killed_at_its_very_beginning_goes_on(tmp_path: Path) -> None:
    (tmp_path / "scores").mkdir()
    (tmp_path / "study.json.77.tmp").write_text("{")

    assert DirectoryStore(tmp_path, DESCRIPTION, {}).runs() == {}
    assert is_study(tmp_path)


def test_of_two_that_begin_at_the_same_time_one_says_what_the_study_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise runs of two seeds would stand in one directory."""
    listdir = os.listdir

    def other_begins(path: Any) -> list[str]:
        held = listdir(path)
        monkeypatch.undo()
        DirectoryStore(tmp_path, DESCRIPTION, {})
        return held

    monkeypatch.setattr(os, "listdir", other_begins)

    with pytest.raises(InvalidValueError, match="holds a different study: seed is 1 in the directory and 2 in"):
        DirectoryStore(tmp_path, DESCRIPTION | {"seed": 2}, {})


def test_lost_predictions_are_told(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path, DESCRIPTION, {})
    store.keep(KEY, repeat())
    next(tmp_path.glob("predictions/*")).unlink()

    with pytest.raises(StudyStorageError, match="delete the file of the same name in the folder scores"):
        store.predictions_of(KEY)


@pytest.mark.long
def test_every_changed_byte_is_noticed_or_harmless(tmp_path: Path) -> None:
    DirectoryStore(tmp_path, DESCRIPTION, {}).keep(KEY, repeat())
    (path,) = tmp_path.glob("scores/*")
    whole = path.read_bytes()
    for i in range(len(whole)):
        path.write_bytes(whole[:i] + bytes([whole[i] ^ 64]) + whole[i + 1 :])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", EvalstatsWarning)
            runs = DirectoryStore(tmp_path, DESCRIPTION, {}).runs()

        assert KEY not in runs or runs[KEY] == repeat().runs


def test_damaged_files_are_named(tmp_path: Path) -> None:
    DirectoryStore(tmp_path, DESCRIPTION, {})
    damaged = tmp_path / "scores" / "0000-0000-000001.parquet"
    damaged.write_bytes(b"PAR1")
    with pytest.warns(EvalstatsWarning, match=r"000001.parquet is damaged: its runs count as not computed"):
        assert DirectoryStore(tmp_path, DESCRIPTION, {}).runs() == {}
    store = DirectoryStore(tmp_path / "other", DESCRIPTION, {})
    store.keep(KEY, repeat())
    (tmp_path / "other" / "predictions" / damaged.name).write_bytes(b"")
    with pytest.raises(StudyStorageError, match="is damaged; delete the file of the same name in the folder scores"):
        store.predictions_of(KEY)
    (tmp_path / "study.json").write_text("{")
    with pytest.raises(StudyStorageError, match=r"study.json is damaged"):
        manifest_in(tmp_path)
    (tmp_path / "study.json").write_text(json.dumps({"evalstats_study": 99, "description": {}}))
    with pytest.raises(StudyStorageError, match="another version"):
        manifest_in(tmp_path)


def test_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StudyStorageError, match=r"cannot create the directory .*file/runs: Not a directory"):
        DirectoryStore(tmp_path / "file" / "runs", DESCRIPTION, {})


def test_another_study_is_refused_with_all_that_differs(tmp_path: Path) -> None:
    DirectoryStore(tmp_path, DESCRIPTION, {})

    with pytest.raises(
        InvalidValueError,
        match=r"classifier 'ü' is only in the directory; seed is 1 in the directory and 2 in this call$",
    ):
        DirectoryStore(tmp_path, DESCRIPTION | {"classifiers": {"../c": "C()"}, "seed": 2}, {})


def test_predictions_of_another_run_are_not_taken_for_those_that_are_asked_for(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path, DESCRIPTION, {})
    store.keep(KEY, repeat())
    (path,) = tmp_path.glob("predictions/*")
    path.rename(path.with_name(path.name.replace("000001", "000002")))
    other = (*KEY[:2], 2)
    store.runs()[other] = repeat().runs

    with pytest.raises(StudyStorageError, match=r"holds the predictions of .* 1\), not of .* 2\); delete"):
        store.predictions_of(other)


def test_runs_that_are_gone_from_a_finished_study_are_counted(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path, DESCRIPTION, {})
    store.keep(KEY, repeat())
    store.finish()
    assert DirectoryStore(tmp_path, DESCRIPTION, {}).n_missing == 0

    next(tmp_path.glob("scores/*")).unlink()

    assert DirectoryStore(tmp_path, DESCRIPTION, {}).n_missing == 1


def test_a_directory_is_found_again_by_a_process_that_went_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = DirectoryStore("runs", DESCRIPTION, {})
    monkeypatch.chdir("/")
    store.keep(KEY, repeat())

    assert list(DirectoryStore(tmp_path / "runs", DESCRIPTION, {}).runs()) == [KEY]
