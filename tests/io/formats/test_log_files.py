"""Logs are found in a list of paths and in a directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalstats.io.formats.log_files import first_logs, folder_of, is_document, label_of, logs_in, recognising, siblings
from evalstats.io.sources.source import Seen, look
from evalstats.tables.errors import TableError


def is_a(seen: Seen) -> bool:
    return seen.start.startswith('{"a"')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "one.json").write_text('{"a": 1}')
    (tmp_path / "two.jsonl").write_text('{"a": 2}\n')
    (tmp_path / "other.json").write_text('{"b": 1}')
    (tmp_path / "note.txt").write_text('{"a": 3}')
    return tmp_path


def test_directory_gives_the_files_that_are_logs(folder: Path) -> None:
    assert [one.file for one in logs_in(look(folder), is_a)] == ["two.jsonl", "one.json"]
    assert recognising(is_a)(look(folder))
    assert [one.kind for one in first_logs(look(folder))] == ["directory", "json", "json-lines", "json"]


def test_list_holds_logs_and_directories_of_logs(folder: Path) -> None:
    paths = [folder / "deep", folder / "two.jsonl"]

    assert [one.file for one in logs_in(look(paths), is_a)] == ["one.json", "two.jsonl"]


def test_list_with_another_file_is_refused(folder: Path) -> None:
    with pytest.raises(TableError, match=r"other\.json is of another format than two\.jsonl, or of none"):
        logs_in(look([folder / "two.jsonl", folder / "other.json"]), is_a)


def test_source_without_a_log_is_refused(folder: Path) -> None:
    with pytest.raises(TableError, match=r"other\.json holds no file of this format"):
        logs_in(look(folder / "other.json"), is_a)


def test_labels_have_as_many_folders_as_tell_them_apart() -> None:
    assert label_of(["x/a/log.json", "y/b/log.json"]) == {"x/a/log.json": "a/log", "y/b/log.json": "b/log"}
    assert label_of(["x/a.json"]) == {"x/a.json": "a"}
    with pytest.raises(TableError, match="given several times"):
        label_of(["a.json", "a.jsonl"])


def test_siblings_and_folder(folder: Path) -> None:
    one = look(folder / "two.jsonl")

    assert [other.file for other in siblings(one, lambda name: name.endswith(".json"))] == ["other.json"]
    assert folder_of(one) == folder.name
    assert folder_of(look({"a": [1]})) == ""


def test_document_is_written_or_loaded(folder: Path) -> None:
    assert is_document(look({"a": {"b": 1}}), "a")
    assert is_document(look(folder / "other.json"), "b")
    assert not is_document(look(folder / "other.json"), "a")
    assert not is_document(look([{"a": 1}]), "a")
