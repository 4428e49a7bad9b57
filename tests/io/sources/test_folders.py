"""Of a folder the only table is read, or tables of one kind together; anything else is asked about."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from evalstats import TableError, read_table
from evalstats.io.sources.folders import tables_of_folder

TABLE = "dataset,NB,SVM\niris,0.9,0.95\nwine,0.7,0.75\n"


def test_the_only_table_of_a_folder_is_read_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "results.csv").write_text(TABLE)
    (tmp_path / "README.md").write_text("# Results\n")
    (tmp_path / ".hidden.csv").write_text("x")
    (tmp_path / "~$results.xlsx").write_text("x")
    (tmp_path / "train.py").write_text("")
    monkeypatch.chdir(tmp_path)

    table = read_table(".")

    assert table.datasets == ("iris", "wine")
    assert [one.sentence for one in table.findings] == ["The following file of the directory was read: 'results.csv'."]


@pytest.mark.parametrize("name", ["a.tsv", "deep/results.csv", "scores.json", "results.csv.gz"])
def test_tables_of_other_kinds_and_in_folders_are_found(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(TABLE.encode()) if name.endswith("gz") else b"x")

    assert tables_of_folder(str(tmp_path)) == [str(path)]


def test_texts_are_asked_about(tmp_path: Path) -> None:
    for name in ("a.json", "b.txt"):
        (tmp_path / name).write_text(TABLE)

    with pytest.raises(TableError, match=r"each of which may contain the table: 'a\.json', 'b\.txt'; give one of them"):
        read_table(tmp_path)


def test_a_folder_without_a_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "figure.png").write_bytes(b"x")

    with pytest.raises(TableError, match=r"is a directory without a table, such as a file that ends in \.csv"):
        read_table(tmp_path)


def test_the_only_file_of_a_folder_has_its_format(tmp_path: Path) -> None:
    text = "task,fold,framework,result,metric,mode\n"
    rows = [
        f"d,{fold},{name},{loss},neg_logloss,local\n" for fold in (0, 1) for name, loss in (("a", -0.1), ("b", -0.2))
    ]
    (tmp_path / "results.csv").write_text(text + "".join(rows))

    table = read_table(tmp_path)

    assert (table.format, table.greater_is_better) == ("amlb-results", True)


def test_tables_with_other_columns_are_not_joined(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TABLE)
    (tmp_path / "b.csv").write_text(TABLE.replace("NB", "tree"))

    with pytest.raises(TableError, match=r"is a directory of 2 tables with different columns: 'a\.csv', 'b\.csv'"):
        read_table(tmp_path)
