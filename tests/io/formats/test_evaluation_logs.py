"""Logs of one model are told apart, items of one name must ask the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalstats.io.formats.evaluation_logs import Item, Log, differing_prompts, refuse_different, told_apart
from evalstats.io.sources.source import Seen, look
from evalstats.tables.errors import TableError


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
    with pytest.raises(TableError, match=r"'q1' of 'sums' stands there twice for 'm': .*give the files that are to be"):
        told_apart(look(tmp_path), [log("m", "a", ITEM), log("m", "b", ITEM)])


def test_item_twice_in_one_log_is_refused(files: Seen) -> None:
    with pytest.raises(TableError, match=r"the item 'q1' of 'sums' stands there twice for 'm': line 1 and line 2$"):
        told_apart(files, [log("m", "a", ITEM, ITEM._replace(place="line 2"))])


def test_one_file_twice_is_refused(files: Seen) -> None:
    with pytest.raises(TableError, match="a is given twice"):
        told_apart(files, [log("m", "a", ITEM), log("m", "a", ITEM)])


def test_items_of_one_name_must_ask_the_same() -> None:
    refuse_different([log("m", "a", ITEM), log("n", "b", ITEM, ITEM._replace(item="q2", check=""))])
    with pytest.raises(TableError, match=r"'q1' of 'sums' is not the same everywhere: line 1 and line 1 ask different"):
        refuse_different([log("m", "a", ITEM), log("n", "b", ITEM._replace(check="y"))])


def test_other_prompts_are_told() -> None:
    (found,) = differing_prompts([log("m", "a", ITEM), log("n", "b", ITEM._replace(prompt="q"))])

    assert found.severity == "warning"
    assert found.sentence.startswith("1 of 1 items were asked in different words")
    assert differing_prompts([log("m", "a", ITEM), log("n", "b", ITEM)]) == []
