"""JSON is read in the forms in which it is written; names that do not say what they are, are asked for."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pandas as pd
import pytest

from evalstats.io.reader.tables import read_table
from evalstats.io.sources.json import grid_of_json, grid_of_json_text, looks_like_json
from evalstats.tables.errors import TableError

FRAME = pd.DataFrame({"NB": [0.9, 0.7], "SVM": [0.8, None]}, index=["iris", "glass"])
NAMED = FRAME.reset_index(names="dataset")
RECORDS = [{"dataset": "iris", "NB": 0.9, "SVM": 0.8}, {"dataset": "glass", "NB": 0.7}]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RECORDS),
        json.dumps(RECORDS, indent=2),
        "\ufeff" + json.dumps(RECORDS),
        "\n".join(map(json.dumps, RECORDS)) + "\n\n",
        json.dumps({"dataset": ["iris", "glass"], "NB": [0.9, 0.7], "SVM": [0.8, None]}),
        json.dumps([["dataset", "NB", "SVM"], ["iris", 0.9, 0.8], ["glass", 0.7, None]]),
        json.dumps({"results": RECORDS, "made_by": "x"}),
        FRAME.to_json(orient="split"),
        FRAME.to_json(orient="table"),
        *(NAMED.to_json(orient=orient) for orient in ("split", "records", "index", "columns", "table")),
    ],
)  # fmt: skip
def test_forms_of_json(text: str) -> None:
    table = read_table(io.StringIO(text), missing="drop-datasets")

    assert (table.datasets, table.dropped, table.classifiers, table.scores.tolist()) == (
        ("iris",), ("glass",), ("NB", "SVM"), [[0.9, 0.8]]
    )  # fmt: skip


def test_records_of_python_are_read_like_those_of_a_file() -> None:
    assert read_table(RECORDS, missing="drop-datasets").scores.tolist() == [[0.9, 0.8]]


def test_upper_names_of_split_columns_are_kept() -> None:
    frame = pd.concat({"accuracy": FRAME.fillna(1), "f1": FRAME.fillna(0) / 2}, axis=1)

    table = read_table(io.StringIO(frame.to_json(orient="split")), metric="f1")

    assert table.scores.tolist() == [[0.45, 0.4], [0.35, 0.0]]


@pytest.mark.parametrize("orient", ["index", "columns"])
def test_dict_of_dicts_is_asked_which_way_it_goes(orient: str) -> None:
    text = FRAME.fillna(1).set_axis(["a", "b"]).to_json(orient=orient)

    with pytest.raises(
        TableError, match=r"does not say which of them are the classifiers; .* parsing={'transpose': False}"
    ):
        read_table(io.StringIO(text))
    table = read_table(io.StringIO(text), parsing={"transpose": orient == "index"})
    assert (table.datasets, table.classifiers) == (("a", "b"), ("NB", "SVM"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "the JSON is nested too deeply for a table of scores"),
        ('{"NB": [1,', "line 1, character 11: not JSON"),
        ('[\n{"a": 1},\n{"a": }]', "line 3, character 7: not JSON"),
        ('{"a": 1}\n{"a": 2\n', "line 2, character 8: not JSON"),
        ('{"NB": [1], "NB": [2]}', "the name 'NB' occurs twice in one object"),
        ('{"d": ["a"], "x": [' + "9" * 5000 + "]}", "a number with more than 4,300 digits"),
        ('[{"d": "a", "x": {"y": 1}}]', "record 1: a cell must be a number or a string, not a dict with 'y'"),
        ('{"d": ["a"], "x": [[1]]}', "column 'x': a cell must be a number or a string, not a list"),
        ('{"d": ["a", "b"], "x": [1]}', "columns of equal length, but their lengths are 1, 2"),
        ('{"columns": ["d", "x"], "data": [["a"]]}', "must have a cell for each of the 2 columns"),
        ('["a", 1]', "must hold a list of records, a dict of columns, or rows of cells"),
        ("[]", "must hold a list of records"),
        ("{}", "not an empty dict"),
    ],
)
def test_what_is_no_table_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(TableError) as caught:
        read_table(io.StringIO(text))

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_product_of_different_names_is_refused_before_it_is_made() -> None:
    with pytest.raises(TableError, match=r"nearly all of them different"):
        grid_of_json("t", [{f"name {i}": 1} for i in range(5000)])
    with pytest.raises(TableError, match=r"nearly all of them different"):
        grid_of_json("t", {str(i): {f"name {i}": 1} for i in range(5000)})


def test_missing_keys_are_missing_scores() -> None:
    grid = grid_of_json("t", RECORDS)

    assert (grid.header, grid.columns[2], grid.word) == (["dataset", "NB", "SVM"], [0.8, None], "record")


def test_lines_are_numbered() -> None:
    grid = grid_of_json_text("t", [(2, '{"d": "a", "x": 1}\n'), (5, '{"d": "b", "x": 2}\n')])

    assert (list(grid.numbers), grid.word) == ([2, 5], "line")


def test_first_line_of_json() -> None:
    assert all(map(looks_like_json, ["{", '{"a": 1}', "[{", "[[1]]", '["a"', "[]"]))
    assert not looks_like_json("[dataset],NB,SVM")


def test_nested_records_lead_to_records_of_scores() -> None:
    one = '{"model": "LR", "scores": {"iris": 0.9}, "times": {"iris": 3}}'
    text = f"[{one}, {one.replace('LR', 'NB')}]"

    with pytest.raises(TableError, match="not a dict with 'iris'; give one record for each score, with its dataset"):
        read_table(io.StringIO(text))


def test_scores_by_dataset_in_records_stand_beside_the_model() -> None:
    records = [{"model": "NB", "scores": {"iris": 0.93, "glass": 0.71}}, {"model": "SVM", "scores": {"iris": 0.95}}]

    grid = grid_of_json("results.json", records)

    assert grid.header == ["model", "iris", "glass"]
    assert grid.columns == [["NB", "SVM"], [0.93, 0.95], [0.71, None]]
    with pytest.raises(TableError, match="record 1: a cell must be a number or a string, not a dict with 'iris'"):
        grid_of_json("results.json", [{**record, "iris": 1} for record in records])


def test_a_dict_of_dicts_may_stand_beside_words() -> None:
    scores = {"NB": {"iris": 0.93, "glass": 0.71}, "SVM": {"iris": 0.95, "glass": 0.5}}

    grid = grid_of_json("results.json", {"date": "2026-11-23", "seed": 3, "results": scores})

    assert (grid.header, grid.columns) == (["", "NB", "SVM"], [["iris", "glass"], [0.93, 0.71], [0.95, 0.5]])


def test_lists_of_outcomes_are_answers(tmp_path: Path) -> None:
    """SWE-bench lists the identifiers of each outcome; an identifier may be in several lists."""
    submitted = ["a", "b", "c", "d"]
    for name, resolved in (("x", ["a", "b"]), ("y", ["d"])):
        rest = [one for one in submitted if one not in resolved]
        report = {"total_instances": 4, "submitted_ids": submitted, "resolved_ids": resolved, "unresolved_ids": rest}
        (tmp_path / f"{name}.json").write_text(json.dumps({**report, "error_ids": [], "schema_version": 2}))

    table = read_table([tmp_path / "x.json", tmp_path / "y.json"])

    assert (table.classifiers, table.scores.tolist()) == (("x", "y"), [[0.5, 0.25]])
    assert "x.json lists the questions by their outcome: 2 of 4 answers count as correct." in {
        one.sentence for one in table.findings
    }


def test_reasons_of_failures_beside_lists_of_outcomes_are_left_out(tmp_path: Path) -> None:
    """SWE-bench 5.0.2 writes ``failure_reasons``, an object, which is empty or maps instances to reasons."""
    for name, right, reasons in (("x", ["a", "b"], {}), ("y", ["a"], {"c": "no space left", "d": "timeout"})):
        rest = sorted({"a", "b", "c", "d"} - set(right))
        report = {
            "total_instances": 4,
            "incomplete_ids": [],
            "submitted_ids": ["a", "b", "c", "d"],
            "resolved_ids": right,
            "unresolved_ids": rest,
            "infra_failure_ids": sorted(reasons),
            "failure_reasons": reasons,
            "schema_version": 2,
        }
        (tmp_path / f"{name}.json").write_text(json.dumps(report))

    assert read_table([tmp_path / "x.json", tmp_path / "y.json"]).scores.tolist() == [[0.5, 0.25]]


@pytest.mark.parametrize(
    "document",
    [
        {"date": "today", "hash": "x", "eval": {"task/0": [{"status": "pass"}]}},
        {"resolved_ids": ["a"], "solved_ids": ["b"], "n": 2},
        {"resolved_ids": ["a"], "n": 2},
        {"resolved_ids": [1], "error_ids": ["b"], "n": 2},
    ],
)
def test_other_documents_are_told_what_to_write(document: dict[str, object]) -> None:
    with pytest.raises(TableError, match=r"must hold a list of records .*; give one record for each score or answer"):
        read_table(io.StringIO(json.dumps(document)))


EVALPLUS = {
    f"model {i}": {
        "link": "https://example.org",
        "open-data": "NONE",
        "pass@1": {"humaneval": 80.0 + i, "humaneval+": 75.0 + i, "mbpp": 70.0 - i, "mbpp+": 60.0 - i},
        "prompted": True,
        "size": 7.0 + i,
    }
    for i in range(3)
}


def test_leaderboard_of_evalplus_is_read_without_sizes(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(EVALPLUS))

    with pytest.raises(TableError, match="does not say which of them are the classifiers") as asked:
        read_table(path)
    table = read_table(path, parsing={asked.value.argument: False})

    assert (table.metric, table.greater_is_better) == ("pass@1", True)
    assert table.datasets == ("humaneval", "humaneval+", "mbpp", "mbpp+")
    assert table.scores[:, 1].tolist() == [81, 76, 69, 59]
    told = [one.sentence for one in table.findings]
    words = (
        "'model 0', 'model 1', 'model 2', the values in 'pass@1' are read, and 'link', 'open-data', 'prompted', 'size'"
    )
    assert f"For each of {words} are not." in told
    assert any(
        sentence.startswith("'humaneval+', 'mbpp+' have the name of another dataset and a final +") for sentence in told
    )


def test_two_dicts_of_each_name_are_not_chosen_from(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({name: own | {"pass@10": own["pass@1"]} for name, own in EVALPLUS.items()}))

    with pytest.raises(TableError, match="a cell must be a number or a string, not a dict"):
        read_table(path)
