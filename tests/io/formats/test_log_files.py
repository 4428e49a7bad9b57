"""Logs are found in a list of paths and in a directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalstats.io.formats.log_files import (
    Item,
    Log,
    differing_prompts,
    first_logs,
    folder_of,
    is_document,
    label_of,
    logs_in,
    refuse_different,
    siblings,
    told_apart,
)
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
    (tmp_path / "note.log").write_text('{"a": 3}')
    return tmp_path


def test_directory_gives_the_files_that_are_logs(folder: Path) -> None:
    assert [one.file for one in logs_in(look(folder), is_a)] == ["two.jsonl", "one.json"]
    assert [one.kind for one in first_logs(look(folder))] == ["directory", "json", "json-lines", "json"]


def test_list_holds_logs_and_directories_of_logs(folder: Path) -> None:
    paths = [folder / "deep", folder / "two.jsonl"]

    assert [one.file for one in logs_in(look(paths), is_a)] == ["one.json", "two.jsonl"]


def test_list_with_another_file_is_refused(folder: Path) -> None:
    with pytest.raises(TableError, match=r"other\.json has a different format from two\.jsonl, or no known format"):
        logs_in(look([folder / "two.jsonl", folder / "other.json"]), is_a)


def test_source_without_a_log_is_refused(folder: Path) -> None:
    with pytest.raises(TableError, match=r"other\.json holds no file of this format"):
        logs_in(look(folder / "other.json"), is_a)


def test_labels_have_as_many_folders_as_tell_them_apart() -> None:
    assert label_of(["x/a/log.json", "y/b/log.json"]) == {"x/a/log.json": "a/log", "y/b/log.json": "b/log"}
    assert label_of(["x/a.json"]) == {"x/a.json": "a"}
    assert label_of(["x/out.aq", "x/out.aqc"]) == {"x/out.aq": "out.aq", "x/out.aqc": "out.aqc"}
    with pytest.raises(TableError, match="given several times"):
        label_of(["a.json", "./a.json"])


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


def log(model: str, path: str, *items: Item) -> Log:
    return Log(model, Path(path).name, path, list(items))


@pytest.fixture
def files(tmp_path: Path) -> Seen:
    return look([str(tmp_path / "a"), str(tmp_path / "b")])


ITEM = Item("sums", "q1", 1.0, check="x", prompt="p", place="line 1")


def test_two_logs_of_a_model_in_a_list_are_called_by_their_files(files: Seen) -> None:
    logs, found = told_apart(files, [log("m", "x/old.json", ITEM), log("m", "x/new.json", ITEM), log("n", "z", ITEM)])

    assert [one.model for one in logs] == ["m [old]", "m [new]", "n"]
    assert [one.code for one in found] == ["same-model"]


def test_parts_of_a_log_in_several_files_stay_one(files: Seen) -> None:
    logs, found = told_apart(files, [log("m", "a", ITEM), log("m", "b", ITEM._replace(item="q2"))])

    assert [one.model for one in logs] == ["m", "m"]
    assert found == []


def test_directory_with_two_logs_of_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"'q1' of 'sums' occurs twice for 'm': .*give the files to compare"):
        told_apart(look(tmp_path), [log("m", "a", ITEM), log("m", "b", ITEM)])


def test_item_twice_in_one_log_is_refused(files: Seen) -> None:
    with pytest.raises(TableError, match=r"the question 'q1' of 'sums' occurs twice for 'm': line 1 and line 2$"):
        told_apart(files, [log("m", "a", ITEM, ITEM._replace(place="line 2"))])


def test_one_file_twice_is_refused(files: Seen) -> None:
    with pytest.raises(TableError, match="a is given twice"):
        told_apart(files, [log("m", "a", ITEM), log("m", "a", ITEM)])


def test_items_of_one_name_must_ask_the_same() -> None:
    refuse_different([log("m", "a", ITEM), log("n", "b", ITEM, ITEM._replace(item="q2", check=""))])
    with pytest.raises(TableError, match=r"'q1' of 'sums' differs between files: line 1 and line 1 ask different"):
        refuse_different([log("m", "a", ITEM), log("n", "b", ITEM._replace(check="y"))])


def test_other_prompts_are_told() -> None:
    (found,) = differing_prompts([log("m", "a", ITEM), log("n", "b", ITEM._replace(prompt="q"))])

    assert found.severity == "warning"
    assert found.sentence.startswith("1 of 1 questions were asked in different words")
    assert differing_prompts([log("m", "a", ITEM), log("n", "b", ITEM)]) == []
