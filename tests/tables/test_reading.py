"""The table that is read is the table that was written, whatever it was written in; everything else is refused."""

from __future__ import annotations

import copy
import csv
import io
import math
import os
import pickle
import re
import subprocess
import sys
import time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats._checks import EvalstatsError, InvalidTypeError, InvalidValueError
from evalstats.tables import grid
from evalstats.tables.columns import simplified
from evalstats.tables.fold_scores import SIZE_COLUMNS
from evalstats.tables.grid import TableError, TableNotFoundError
from evalstats.tables.predictions import COLUMNS
from evalstats.tables.reading import read_table
from evalstats.tables.roles import COUNTERS, SIZES, is_summary
from evalstats.tables.roles import NOTES as NOTE_COLUMNS
from evalstats.tables.score_table import ScoreTable

WIDE = "dataset,NB,SVM\niris,0.93,0.95\nglass,0.71,0.5\n"
LONG = "dataset,model,accuracy\niris,SVM,0.95\nglass,NB,0.71\niris,NB,0.93\nglass,SVM,0.5\n"
SCORES = [[0.93, 0.95], [0.71, 0.5]]


def read(text: str | bytes, **options) -> ScoreTable:
    return read_table(io.StringIO(text) if isinstance(text, str) else io.BytesIO(text), **options)


def refused(source, **options) -> str:
    """Return the message of the refusal, which is always one line."""
    if isinstance(source, str):
        source = io.StringIO(source)
    elif isinstance(source, bytes):
        source = io.BytesIO(source)
    with pytest.raises(EvalstatsError) as caught:
        read_table(source, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def content(table: ScoreTable) -> tuple:
    return table.datasets, table.classifiers, table.scores.tolist()


# --- what is read -----------------------------------------------------------------------------------------------------


def test_position_is_the_column_of_a_name() -> None:
    table = ScoreTable(scores=[[0.1, 0.2]], datasets=("iris",), classifiers=("NB", "SVM"))

    assert table.position("SVM") == 1
    with pytest.raises(InvalidValueError, match="classifier must be one of 'NB', 'SVM', not 'tree'"):
        table.position("tree")


def test_wide_file(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(WIDE)

    table = read_table(path)

    assert table.to_dict() == {
        "scores": SCORES,
        "datasets": ["iris", "glass"],
        "classifiers": ["NB", "SVM"],
        "metric": "score",
        "unit": "",
        "greater_is_better": True,
        "dropped": [],
        "missing": [],
        "source": "scores.csv",
        "computation": "",
        "folds": [],
        "left_out": [],
        "findings": [],
        "noise": 0.0,
    }


def test_long_file_is_paired_by_its_keys_and_sorted() -> None:
    table = read(LONG)

    assert content(table) == (("glass", "iris"), ("NB", "SVM"), [[0.71, 0.5], [0.93, 0.95]])
    assert table.metric == "accuracy"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_the_most_frequent_of_the_header(delimiter: str) -> None:
    text = '"data, set"' + WIDE.replace(",", delimiter).removeprefix("dataset").replace("iris", '"i;r,i|s"')

    assert content(read(text)) == (("i;r,i|s", "glass"), ("NB", "SVM"), SCORES)


def test_spaces_can_be_the_delimiter() -> None:
    assert content(read("data  NB SVM\niris 0.93   0.95\n glass 0.71 0.5 \n", delimiter=" "))[2] == SCORES


@pytest.mark.parametrize(
    "text",
    [
        WIDE.replace("\n", "\r\n"),
        WIDE.replace("\n", "\r"),
        WIDE.rstrip("\n"),
        "\ufeff" + WIDE,
        "\n  \n" + WIDE.replace("\n", "\n\n") + ",,\n \n",
        WIDE.replace("\n", ",\n"),
        WIDE.replace("\n", ",,\n").replace("SVM,,", "SVM"),
        WIDE.replace(",", " ,\u00a0").replace("0.95", "0.95\u200b"),
    ],
    ids=["crlf", "cr", "no last newline", "bom", "blank lines", "last column empty", "trailing delimiters", "spaces"],
)
def test_what_editors_and_spreadsheets_leave_behind_does_no_harm(text: str) -> None:
    assert content(read(text.encode())) == (("iris", "glass"), ("NB", "SVM"), SCORES)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "cp1252"])
def test_other_encodings_are_read_when_named(encoding: str) -> None:
    assert read("dataset,Naïve\nöl,1\n".encode(encoding), encoding=encoding).classifiers == ("Naïve",)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1e-3", 0.001),
        ("+.5", 0.5),
        ("5.", 5.0),
        ("-0.25", -0.25),
        ("\u22120.25", -0.25),
        ("1E+2", 100.0),
        ("007", 7.0),
    ],
)
def test_numbers_as_people_write_them(cell: str, value: float) -> None:
    assert read(f"d,a\nx,{cell}\n").scores[0, 0] == value


def test_decimal_commas() -> None:
    assert content(read("d;NB;SVM\niris;0,93;0,95\nglass;,71;5e-1\n", decimal=","))[2] == SCORES


def test_quoted_decimal_commas_between_commas() -> None:
    assert content(read('d,NB,SVM\niris,"0,93","0,95"\nglass,"0,71","0,5"\n', decimal=","))[2] == SCORES


def test_percent_signs_become_the_unit() -> None:
    table = read("d,NB,SVM\niris,93.1%,95 %\nglass,71%,NA\nx,1%,2%\n", missing="drop-datasets")

    assert (table.unit, table.scores.tolist()) == ("%", [[93.1, 95.0], [1.0, 2.0]])


def test_unit_that_is_given_stands_before_the_written_one() -> None:
    assert read("d,NB\niris,93.1%\n", unit="percent").unit == "percent"


def test_quoted_line_breaks_in_names_become_spaces() -> None:
    assert read('d,"Naive\nBayes"\n"big\n  data",1\n').datasets == ("big data",)


def test_names_are_normalised() -> None:
    """An accent written as two code points in one row and as one in another is one name."""
    table = read("dataset,model,score\nDemsˇar,a,1\nZu\u0308rich,a,2\nZ\u00fcrich,b,3\nDemsˇar,b,4\n")

    assert table.datasets == ("Demsˇar", "Zürich")


def test_numbers_may_name_datasets() -> None:
    assert read("task,NB\n31,0.5\n3913,0.6\n").datasets == ("31", "3913")


def test_unnamed_index_beside_the_names_is_skipped() -> None:
    assert content(read(",dataset,NB\n0,iris,0.5\n1,glass,0.6\n")) == (("iris", "glass"), ("NB",), [[0.5], [0.6]])


def test_dataset_names_the_column_of_names() -> None:
    assert content(read("NB,where,SVM\n1,iris,2\n", dataset="where")) == (("iris",), ("NB", "SVM"), [[1.0, 2.0]])


def test_one_classifier_and_one_dataset_are_a_table() -> None:
    assert read("dataset,NB\niris,1\n").scores.shape == (1, 1)


# --- long tables ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", ["dataset", "Data", "data set", "PROBLEM", "task-id", "domain"])
@pytest.mark.parametrize("model", ["classifier", "Model", "ALGORITHM", "method", "learner"])
def test_key_columns_are_recognised(data: str, model: str) -> None:
    assert read(f"{model},{data},x\nNB,iris,1\n").classifiers == ("NB",)


def test_a_classifier_that_is_called_model_does_not_make_a_table_long() -> None:
    assert read("dataset,Model,Baseline\niris,0.9,0.8\n").classifiers == ("Model", "Baseline")


def test_columns_are_named_when_they_are_not_recognised() -> None:
    table = read("wo,wer,was,seed\nx,a,1,7\nx,b,2,8\n", dataset="wo", classifier="wer", score="was")

    assert (content(table), table.metric) == ((("x",), ("a", "b"), [[1.0, 2.0]]), "was")


def test_metric_chooses_among_score_columns() -> None:
    table = read("dataset,model,accuracy,ROC AUC\nx,a,0.1,0.2\n", metric="roc_auc")

    assert (table.scores.tolist(), table.metric) == ([[0.2]], "roc_auc")


def test_metric_chooses_among_the_rows_of_a_metric_column() -> None:
    text = "dataset,model,metric,value\nx,a,auc,0.1\nx,a,error,0.2\nx,b,error,0.3\nx,b,auc,0.4\n"

    table = read(text, metric="error")

    assert (table.scores.tolist(), table.metric, table.greater_is_better) == ([[0.2, 0.3]], "error", False)


def test_a_single_metric_names_the_table() -> None:
    assert read("dataset,model,metric,value\nx,a,auc,0.1\n").metric == "auc"


def test_names_with_numbers_are_sorted_as_people_sort_them() -> None:
    assert read("data,model,score\nd10,b,1\nd9,b,2\nD1,b,3\n").datasets == ("D1", "d9", "d10")


@given(st.permutations(range(12)))
def test_shuffling_the_rows_of_a_long_table_changes_nothing(order: list[int]) -> None:
    rows = [(f"d{i}", f"m{j}", i + j / 10) for i in range(4) for j in range(3)]
    shuffled = {name: [rows[i][c] for i in order] for c, name in enumerate(("data", "model", "score"))}
    ordered = {name: [row[c] for row in rows] for c, name in enumerate(("data", "model", "score"))}

    assert content(read_table(shuffled)) == content(read_table(ordered))


@pytest.mark.parametrize(
    ("metric", "greater"),
    [("error rate", False), ("Log-Loss", False), ("RMSE", False), ("AUC", True), ("terror", True)],
)
def test_direction_follows_the_name_of_the_metric(metric: str, greater: bool) -> None:
    assert read(WIDE, metric=metric).greater_is_better is greater
    assert read(WIDE, metric=metric, greater_is_better=not greater).greater_is_better is not greater


# --- frames, arrays and other files -----------------------------------------------------------------------------------


FRAME = pd.DataFrame(SCORES, index=["iris", "glass"], columns=["NB", "SVM"])


@pytest.mark.parametrize(
    "frame",
    [
        FRAME,
        FRAME.rename_axis(index="dataset", columns="classifier"),
        FRAME.reset_index(),
        FRAME.rename_axis(index="anything").reset_index(),
        FRAME.astype(object),
        FRAME.astype("Float64"),
        FRAME.astype("float64[pyarrow]"),
        FRAME.astype(str),
        {"name": ["iris", "glass"], "NB": [0.93, 0.71], "SVM": np.array([0.95, 0.5])},
        {"name": ["iris", "glass"], "NB": [Decimal("0.93"), Decimal("0.71")], "SVM": [Fraction(95, 100), 0.5]},
    ],
    ids=["index", "named index", "column", "named column", "object", "nullable", "arrow", "text", "dict", "decimals"],
)
def test_wide_frames(frame: object) -> None:
    assert content(read_table(frame)) == (("iris", "glass"), ("NB", "SVM"), SCORES)


def test_frame_of_numbers_only_counts_its_datasets() -> None:
    assert read_table(FRAME.reset_index(drop=True)).datasets == ("dataset 1", "dataset 2")


def test_index_of_numbers_names_the_datasets() -> None:
    assert read_table(pd.DataFrame(SCORES, index=[31, 3913])).datasets == ("31", "3913")


@pytest.mark.parametrize("keys", [None, ["dataset", "model"], ["dataset"]], ids=["columns", "two levels", "one level"])
def test_long_frames(keys: list[str] | None) -> None:
    frame = pd.read_csv(io.StringIO(LONG))

    assert content(read_table(frame.set_index(keys) if keys else frame)) == content(read(LONG))


def test_arrays_get_names() -> None:
    assert content(read_table(np.array(SCORES))) == (
        ("dataset 1", "dataset 2"),
        ("classifier 1", "classifier 2"),
        SCORES,
    )
    assert content(read_table(SCORES)) == content(read_table(np.array(SCORES)))


def test_frame_of_another_library_needs_columns_and_to_numpy() -> None:
    class Frame:
        columns = ("data", "NB")

        def to_numpy(self):
            return np.array([["iris", 0.5], ["glass", 0.6]], dtype=object)

    assert content(read_table(Frame())) == (("iris", "glass"), ("NB",), [[0.5], [0.6]])


@pytest.mark.parametrize(
    "frame", [FRAME, FRAME.rename_axis("dataset"), FRAME.reset_index(names="dataset")], ids=["index", "named", "column"]
)
def test_parquet(frame: pd.DataFrame, tmp_path: Path) -> None:
    frame.to_parquet(tmp_path / "scores.parquet")

    table = read_table(tmp_path / "scores.parquet")

    assert (content(table), table.source) == ((("iris", "glass"), ("NB", "SVM"), SCORES), "scores.parquet")


def test_arrow_table() -> None:
    import pyarrow as pa

    assert content(read_table(pa.table({"data": ["iris"], "NB": [1.5]}))) == (("iris",), ("NB",), [[1.5]])


def test_excel(tmp_path: Path) -> None:
    path = tmp_path / "scores.xlsx"
    with pd.ExcelWriter(path) as book:
        FRAME.to_excel(book, sheet_name="first")
        (FRAME * 100).to_excel(book, sheet_name="percent", startrow=3)

    assert content(read_table(path)) == (("iris", "glass"), ("NB", "SVM"), SCORES)
    assert read_table(path, sheet="percent").scores[0, 0] == 93.0
    assert "has no sheet 'third'; its sheets are 'first', 'percent'" in refused(path, sheet="third")


def test_excel_says_which_row(tmp_path: Path) -> None:
    FRAME.astype(object).replace(0.5, "half").to_excel(tmp_path / "scores.xlsx", startrow=3)

    assert refused(tmp_path / "scores.xlsx") == "scores.xlsx, row 6, column 'SVM': 'half' is not a number"


def test_excel_and_parquet_are_known_by_their_first_bytes(tmp_path: Path) -> None:
    FRAME.to_excel(tmp_path / "scores.csv.xlsx")
    os.rename(tmp_path / "scores.csv.xlsx", tmp_path / "scores.csv")

    with open(tmp_path / "scores.csv", "rb") as file:
        assert content(read_table(file))[2] == SCORES
    assert content(read_table(tmp_path / "scores.csv"))[2] == SCORES


@pytest.mark.parametrize("start", [b"PAR1", b"PK\x03\x04"])
def test_damaged_file_is_one_line(start: bytes) -> None:
    assert "cannot be read as" in refused(start + bytes(range(256)))


def test_old_excel_file_is_named() -> None:
    assert "Excel file of before 2007" in refused(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100)


@pytest.mark.parametrize(("module", "start"), [("pyarrow.parquet", b"PAR1"), ("openpyxl", b"PK\x03\x04")])
def test_missing_library_is_named(module: str, start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)

    extra = {"openpyxl": "excel"}.get(module, "parquet")
    assert f'pip install "classifier-evalstats[{extra}]"' in refused(start + b"rest of the file")


def test_open_files_stay_open(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text(WIDE)

    with open(tmp_path / "scores.csv", "rb") as file, open(tmp_path / "scores.csv") as text:
        assert read_table(file).source == read_table(text).source == "scores.csv"
        assert not file.closed
        assert not text.closed
    memory = io.BytesIO(WIDE.encode())
    read_table(memory)
    assert not memory.closed


def test_named_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen([sys.executable, "-c", f"open({str(pipe)!r}, 'w').write({WIDE!r})"]):
        assert content(read_table(pipe))[2] == SCORES


def test_csv_is_read_without_pandas(tmp_path: Path) -> None:
    (tmp_path / "scores.csv").write_text(WIDE)
    script = "import sys; from evalstats import read_table; read_table(sys.argv[1]); print('pandas' in sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "scores.csv"], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"


# --- laws -------------------------------------------------------------------------------------------------------------

# a column of whole numbers that is called like one of folds counts the folds, as test_what_is_no_fold shows


def has_a_role(name: str) -> bool:
    return is_summary(name) or re.sub(r"[\W_]", "", name.casefold()) in SIZES | COUNTERS | NOTE_COLUMNS


OF_FOLDS = {*COLUMNS["repeat"], *COLUMNS["fold"], *SIZE_COLUMNS["n_train"], *SIZE_COLUMNS["n_test"]}
# and names of summaries and of descriptions have other roles, as tests/tables/test_roles.py shows
NAMES = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=8).filter(
    lambda name: simplified(name) not in OF_FOLDS and re.sub(r"[\W_]", "", name) != "" and not has_a_role(name)
)
FINITE = st.floats(allow_nan=False, allow_infinity=False)


def tables() -> st.SearchStrategy[ScoreTable]:
    def filled(names: tuple[list[str], list[str]]) -> st.SearchStrategy[ScoreTable]:
        datasets, classifiers = names
        row = st.lists(FINITE, min_size=len(classifiers), max_size=len(classifiers))
        rows = st.lists(row, min_size=len(datasets), max_size=len(datasets))
        return rows.map(lambda s: ScoreTable(scores=np.array(s), datasets=datasets, classifiers=classifiers))

    unique = st.lists(NAMES, min_size=1, max_size=4, unique_by=grid.text_of).filter(
        lambda names: all(map(grid.text_of, names))
    )
    return st.tuples(unique, unique).flatmap(filled)


def rows_of(table: ScoreTable) -> list[list[object]]:
    return [[name, *row] for name, row in zip(table.datasets, table.scores.tolist(), strict=True)]


@given(tables(), st.sampled_from([",", ";", "\t", "|"]), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_a_table_that_is_written_is_read_again_to_the_last_bit(table: ScoreTable, delimiter: str, quoting: int) -> None:
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, quoting=quoting)
    writer.writerows([["dataset", *table.classifiers], *rows_of(table)])

    again = read(file.getvalue().encode(), delimiter=delimiter, layout="wide")

    assert content(again) == content(table)


@given(tables())
def test_a_frame_is_the_table_it_came_from(table: ScoreTable) -> None:
    assert content(read_table(table.to_frame(), layout="wide")) == content(table)


@given(st.text(st.sampled_from("0123456789.,eE+-_ x%"), max_size=8))
def test_a_number_that_is_read_is_the_number_that_python_reads(cell: str) -> None:
    """Anything else is missing or refused, never another number."""
    try:
        value = read(f'd;a\nx;"{cell}"\n').scores[0, 0]
    except TableError:
        return

    assert value == float(cell.strip().removesuffix("%"))


@given(st.binary(max_size=300) | st.text(st.sampled_from('ab1.,;"\n\r\t -%'), max_size=60).map(str.encode))
def test_nothing_breaks_the_reader(content: bytes) -> None:
    """A table or one line, never another error."""
    try:
        message = str(read(content).to_dict().keys())
    except EvalstatsError as error:
        message = str(error)

    assert "\n" not in message


# --- the record -------------------------------------------------------------------------------------------------------


def made(**changes) -> ScoreTable:
    return ScoreTable(**{"scores": SCORES, "datasets": ("iris", "glass"), "classifiers": ("NB", "SVM"), **changes})


def test_scores_are_a_read_only_copy() -> None:
    scores = np.array(SCORES)
    table = made(scores=scores)
    scores[0, 0] = 5

    assert table.scores[0, 0] == 0.93
    with pytest.raises(ValueError, match="read-only"):
        table.scores[0, 0] = 5


def test_select_keeps_the_order_that_is_asked_for() -> None:
    table = made(metric="AUC", unit="%", greater_is_better=False, dropped=("x",), source="f.csv")

    chosen = table.select(["SVM", "NB"])

    assert chosen.to_dict() == {**table.to_dict(), "classifiers": ["SVM", "NB"], "scores": [[0.95, 0.93], [0.5, 0.71]]}
    with pytest.raises(InvalidValueError, match="classifiers must be among 'NB', 'SVM', not 'J48'"):
        table.select(["J48"])


def test_table_is_returned_as_it_is_or_with_another_label() -> None:
    table = made(unit="%")

    assert read_table(table) is table
    assert read_table(table, metric="F", greater_is_better=False).to_dict() == {
        **table.to_dict(), "metric": "F", "greater_is_better": False,
    }  # fmt: skip


def test_table_can_be_copied_and_pickled() -> None:
    table = made()

    assert pickle.loads(pickle.dumps(table)).to_dict() == copy.deepcopy(table).to_dict() == table.to_dict()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scores": [[1, 2]]}, "scores must have one row for each of the 2 datasets .* its shape is \\(1, 2\\)"),
        ({"scores": [[1, 2], [3, math.nan]]}, r"scores\[1, 1\] \(dataset 'glass', classifier 'SVM'\) is nan"),
        ({"scores": [[1, 2], [3, math.inf]]}, r"scores\[1, 1\] \(dataset 'glass', classifier 'SVM'\) is inf"),
        ({"classifiers": ("NB", " NB ")}, "classifiers must be unique, but these are repeated: 'NB'"),
        ({"datasets": ("a", "")}, "datasets: the name '' is empty"),
        ({"datasets": ("a", "\x1b[2J")}, "datasets: the name .* holds the control character '\\\\x1b'"),
        ({"datasets": ("a", "\u202egnp.exe")}, "holds the control character '\\\\u202e'"),
        ({"datasets": ("a", "\ud800")}, "holds the control character '\\\\ud800'"),
        ({"datasets": ("a", "x" * 1001)}, "has 1,001 characters, and at most 1,000 are allowed"),
        ({"metric": ""}, "metric: the name '' is empty"),
        ({"scores": np.empty((0, 2)), "datasets": ()}, "at least one"),
    ],
)
def test_what_a_table_refuses(changes: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        made(**changes)


def test_types_that_a_table_refuses() -> None:
    with pytest.raises(InvalidTypeError, match="greater_is_better must be True or False"):
        made(greater_is_better="yes")
    with pytest.raises(InvalidTypeError, match="classifiers must be a sequence of names, not 'NB'"):
        made(classifiers="NB")


def test_name_of_a_file_cannot_hide_anything() -> None:
    assert made(source="a\x1b\n\ud800.csv").source == "a\\x1b\\n\\ud800.csv"


def test_error_survives_pickling() -> None:
    """Errors of workers travel between processes."""
    error = TableError("problem", "pass {}", "decimal", ",")

    assert str(pickle.loads(pickle.dumps(error))) == "problem; pass decimal=','"


# --- missing scores ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["", " ", "NA", "n/a", "NaN", "-", "?", "null", "None", "#N/A"])
def test_missing_scores_are_listed(word: str) -> None:
    assert refused(f"d,NB,SVM\niris,{word},0.95\nglass,0.71,0.5\n") == (
        "the table: 1 score is missing: 'iris' / 'NB' (line 2); fill them, or leave out their datasets with "
        "missing='drop-datasets'"
    )


@pytest.mark.parametrize("value", [None, math.nan, pd.NA, pd.NaT, Decimal("nan")])
def test_missing_values_of_frames_are_missing(value: object) -> None:
    frame = pd.DataFrame({"NB": [0.5, 0.6], "SVM": np.array([value, 0.7], dtype=object)}, index=["iris", "glass"])

    assert "1 score is missing: 'iris' / 'SVM' (row 1)" in refused(frame)
    assert content(read_table(frame, missing="drop-datasets")) == (("glass",), ("NB", "SVM"), [[0.6, 0.7]])


def test_missing_scores_of_an_array() -> None:
    assert "'dataset 2' / 'classifier 1' (row 2)" in refused(np.array([[1, 2], [math.nan, 3]]))


def test_missing_pairs_of_a_long_table() -> None:
    text = "data,model,score\nx,a,1\ny,b,2\ny,a,NA\n"

    assert "2 scores are missing: 'x' / 'b', 'y' / 'a' (line 4); fill them" in refused(text)


def test_only_five_missing_scores_are_shown() -> None:
    text = "d,a\n" + "".join(f"x{i},\n" for i in range(1234))

    assert "1,234 scores are missing: 'x0' / 'a' (line 2), " in refused(text)
    assert "'x4' / 'a' (line 6) and 1,229 more; " in refused(text)


def test_dropped_datasets_are_recorded() -> None:
    table = read(WIDE + "wine,NA,0.9\nzoo,1,\n", missing="drop-datasets")

    assert (table.datasets, table.dropped) == (("iris", "glass"), ("wine", "zoo"))


def test_nothing_may_be_left() -> None:
    assert "every dataset lacks a score" in refused("d,NB,SVM\niris,,1\n", missing="drop-datasets")


# --- what a new user does wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the table is empty"),
        ("\n \n", "the table is empty"),
        ("dataset,NB,SVM\n", "the table has no row of scores"),
        ("dataset\niris\n", "line 1: 'dataset' is one column only; a table has"),
        ("dataset NB\niris 1\n", "is one column only; if its columns are separated so, pass delimiter=' '"),
        ("d,NB,SVM\niris,1\n", "line 2 has 2 fields between ',', but the header has 3"),
        ("d,NB,SVM\niris,1,2\nx,1,2,3\n", "line 3 has 4 fields between ',', but the header has 3; put names that"),
        ('d,NB\n"a\nb",1\n\nc,1,2\n', "line 5 has 3 fields"),
        ("d,NB,NB\niris,1,2\n", "classifier names must be unique, but 'NB' heads the columns 2 and 3"),
        ("d,NB,,SVM\niris,1,2,3\n", "column 3 has no name"),
        ("d,NB\n,1\n", "line 2, column 'd': the name of a dataset is empty"),
        ("d,NB\niris,1\nx,2\niris,3\n", "dataset names must be unique, but these are repeated: 'iris' (lines 2, 4)"),
        ("d,Family,NB\niris,Bayes,1\nx,Tree,2\n", "line 2, column 'Family': 'Bayes' is not a number; if each row"),
        ("d,NB\niris,1\nx,abc\n", "line 3, column 'NB': 'abc' is not a number"),
        ("d,NB\niris,1_000\n", "'1_000' is not a number"),
        ("d,NB\niris,0x10\n", "'0x10' is not a number"),
        ("d,NB\niris,True\n", "'True' is not a number"),
        ("d,NB\niris,٣\n", "'٣' is not a number"),
        ("d,NB\niris,%\n", "'%' is not a number"),
        ("d,NB\niris,1e\n", "'1e' is not a number"),
        (f"d,NB\niris,{'ab' * 50}\n", "'" + "ab" * 18 + "... is not a number"),
        ("d,NB\niris,inf\n", "'inf' is not finite"),
        ("d,NB\niris,-Infinity\n", "'-Infinity' is not finite"),
        ("d,NB\niris,1e999\n", "'1e999' is not finite"),
        ("d;NB\niris;0,931\n", "a number with the decimal mark '.'; if ',' is the decimal mark, pass decimal=','"),
        ("d;NB\niris;1,234.5\n", "'1,234.5' has a thousands separator, which is not read"),
        ("d;NB\niris;1 234\n", "'1 234' has a thousands separator, which is not read"),
        ("d,NB,SVM\niris,93%,0.9\n", "or none, but 'iris' / 'NB' (line 2) is and 'iris' / 'SVM' (line 2) is not"),
        ("NB,SVM\n0.9,0.8\n", "the first one, 'NB', holds numbers; add a column of names, or number the rows"),
        ("d,N\x07B\niris,1\n", "the name of column 2 holds the control character '\\x07'"),
        ('d,NB\n"iris,1\nglass,2\n', "line 2: a quotation mark is opened and never closed"),
        ('d,NB\niris,1\n"gl"ass,2\n', "line 3: ',' expected after '\"'"),
        ("d,NB\niris,1\n" + "x" * 200_000 + ",2\n", "line 3: a field is far too long"),
        ("d,NB\niris,1\n" + "x" * 2000 + ",2\n", "line 3, column 'd': the name of a dataset has 2,000 characters"),
        ("d,NB\niris,1\0\n", "line 2: a NUL character, so this is not a text file"),
    ],
)  # fmt: skip
def test_wide_mistakes(text: str, message: str) -> None:
    assert message in refused(text)


def test_decimal_commas_between_commas_are_not_two_scores() -> None:
    assert "line 2 has 3 fields between ',', but the header has 2" in refused("dataset,NB\niris,0,931\n")


def test_decimal_mark_that_is_expected() -> None:
    text = "d;NB\niris;0.931\n"

    assert "'0.931' is not a number with the decimal mark ','; if '.' is the decimal mark, pass decimal='.'" in refused(
        text, decimal=","
    )


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (LONG + "iris,NB,0.9\n", {}, "must have one score, but these have several: 'iris' / 'NB' (lines 4, 6)"),
        ("dataset,model,acc,auc\nx,a,1,2\n", {}, "any of the columns 'acc', 'auc' may hold the scores; choose one"),
        ("data,model,metric,value\nx,a,f1,1\nx,a,auc,2\n", {}, "'f1', 'auc'; choose one, for example metric='f1'"),
        ("dataset,model,metric,value\nx,a,f1,1\n", {"metric": "F"}, "has no metric 'F'; its metrics are 'f1'"),
        ("data,model,method,score\nx,a,b,1\n", {}, "any of the columns 'model', 'method' may name the classifiers"),
        (WIDE, {"layout": "long"}, "none of the columns 'dataset', 'NB', 'SVM' is known to name the classifiers"),
        ("dataset,model\nx,a\n", {}, "none of the columns 'dataset', 'model' holds scores"),
        (LONG, {"score": "auc"}, "score must name a column of the table ('dataset', 'model', 'accuracy'), not 'auc'"),
        (LONG, {"layout": "wide", "score": "accuracy"}, "score names a column of a long table, but layout is 'wide'"),
        ("data,model,score\nx,a,1\nx,,1\n", {}, "line 3, column 'model': the name of a classifier is empty"),
        ("data,model,score\n", {"layout": "long"}, "has no row of scores"),
        ("data,model,score\nx,a,b\n", {}, "line 2, column 'score': 'b' is not a number"),
        ("data,model,score,score\nx,a,1,2\n", {"score": "score"}, "but 2 columns are called 'score'"),
    ],
)  # fmt: skip
def test_long_mistakes(text: str, options: dict, message: str) -> None:
    assert message in refused(text, **options)


def test_wrong_columns_do_not_fill_the_memory() -> None:
    text = "data,model,score\n" + "".join(f"d{i},m{i},1\n" for i in range(20_000))

    assert "20,000 datasets and 20,000 classifiers, but only 20,000 scores" in refused(text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delimiter": ";"}, "one column only with the delimiter ';'; if its columns are separated so, pass "),
        ({"delimiter": "::"}, "delimiter must be one character, not '::'"),
        ({"delimiter": '"'}, "delimiter must be one character, not '\"'"),
        ({"layout": "tall"}, "layout must be 'auto' or 'wide' or 'long' or 'predictions', not 'tall'"),
        ({"missing": "drop"}, "missing must be 'raise' or 'drop-datasets' or 'skillings-mack', not 'drop'"),
        ({"decimal": ";"}, "decimal must be '.' or ',', not ';'"),
        ({"dataset": "data"}, "dataset must name a column of the table ('dataset', 'NB', 'SVM'), not 'data'"),
        ({"metric": " "}, "metric: the name ' ' is empty"),
    ],
)  # fmt: skip
def test_options_that_do_not_fit(options: dict, message: str) -> None:
    assert message in refused(WIDE, **options)


def test_options_of_binary_files_that_do_not_fit() -> None:
    assert "encoding must be one that Python knows" in refused(WIDE.encode(), encoding="klingon")
    assert "is not an Excel file, so it has no sheet 'first'" in refused(WIDE.encode(), sheet="first")


def test_bytes_that_are_not_the_encoding_are_found() -> None:
    assert refused("dataset,NB\niris,1\nöl,2\n".encode("latin-1")) == (
        "the table, line 3, character 1: the byte 0xf6 is not utf-8; if the file is written so, pass encoding='latin-1'"
    )


def test_utf_16_is_recognised() -> None:
    assert refused(WIDE.encode("utf-16")) == "the table begins as text in UTF-16 does; pass encoding='utf-16'"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (5, "source must be a path, an open file, a data frame, an array or a ScoreTable, not int"),
        (FRAME["NB"], "not Series"),
        ([1, 2], r"source must have the shape (n_datasets, n_classifiers), but its shape is (2,)"),
        ([["a"]], "source must be numbers"),
        ({"NB": "abc"}, "source must be a dict of columns, but column 'NB' is 'abc'"),
        ({"NB": [1], "SVM": [1, 2]}, "columns of one length, but their lengths are 1, 2"),
        ({}, "has no column of scores"),
        (pd.DataFrame(), "has no column of scores"),
        (FRAME.iloc[:0], "has no row of scores"),
        (FRAME > 0.6, "row 1, column 'NB': True is not a number"),
        (FRAME.replace(0.5, math.inf), "row 2, column 'SVM': inf is not finite"),
        (FRAME.astype(complex), "is not a number"),
        (pd.concat([FRAME, FRAME]), "these are repeated: 'iris' (rows 1, 3), 'glass' (rows 2, 4)"),
        (pd.concat([FRAME, FRAME], axis=1), "'NB' heads the columns 2 and 4"),
    ],
)  # fmt: skip
def test_frames_and_arrays_that_are_no_table(source: object, message: str) -> None:
    assert message in refused(source)


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no file .*nope\.csv") as caught:
        read_table(tmp_path / "nope.csv")

    assert isinstance(caught.value, TableNotFoundError)
    assert isinstance(caught.value, EvalstatsError)


@pytest.mark.parametrize("path", ["", "a\0b", "\udcff.csv", "README.md/scores.csv"])
def test_paths_that_cannot_be(path: str) -> None:
    with pytest.raises(TableNotFoundError, match="there is no file"):
        read_table(path)


def test_text_is_not_a_path() -> None:
    with pytest.raises(TableError, match=r"wrap the text in io\.StringIO"):
        read_table(WIDE)


def test_directory(tmp_path: Path) -> None:
    assert refused(tmp_path).endswith("is a directory, not a file")


def test_binary_file(tmp_path: Path) -> None:
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")

    assert "picture.csv, line" in refused(tmp_path / "picture.csv")


@pytest.mark.parametrize("quote", ["", '"'])
def test_enormous_line_is_not_read_to_its_end(quote: str, tmp_path: Path) -> None:
    path = tmp_path / "line.csv"
    with open(path, "wb") as file:
        file.write(f"d,NB\n{quote}x".encode())
        file.write(b"x" * 50_000_000)
    start = time.process_time()

    message = refused(path)

    assert message == "line.csv, line 2 has more than 10,000,000 characters: not a table of scores"
    assert time.process_time() - start < 2


def test_endless_device_is_not_read_to_its_end() -> None:
    assert "zero, line 1 has more than 10,000,000 characters" in refused(Path("/dev/zero"))


def test_names_are_never_taken_for_anything_else() -> None:
    """Formulas of spreadsheets, paths, code: text that stays as it is."""
    names = ("=1+1", "../../etc/passwd", "__import__('os')", "<b>", "$(rm x)")
    text = "d," + ",".join(names) + "\nx" + ",1" * len(names)

    assert read(text).classifiers == names


# --- missing scores that are kept -------------------------------------------------------------------------------------

INCOMPLETE = "d,A,B,C\nx,1,,2\ny,,,2\nz,3,2,1\n"


def test_skillings_mack_keeps_what_is_there() -> None:
    table = read(INCOMPLETE, missing="skillings-mack")

    assert (table.datasets, table.dropped, table.missing) == (("x", "z"), ("y",), (("x", "B"),))
    np.testing.assert_array_equal(table.scores, [[1, np.nan, 2], [3, 2, 1]])
    np.testing.assert_array_equal(table.to_frame().to_numpy(), table.scores)


def test_long_table_lacks_what_a_wide_one_leaves_empty() -> None:
    """The order of datasets and classifiers is that of their names in both."""
    long = "data,model,score\nz,C,1\nx,A,1\nz,B,2\nz,A,3\nx,C,2\ny,C,2\n"

    tables = [
        read(INCOMPLETE, missing="skillings-mack"),
        read(long, missing="skillings-mack"),
    ]

    assert tables[0].missing == tables[1].missing
    np.testing.assert_array_equal(tables[0].scores, tables[1].scores)


def test_nothing_is_missing_from_a_complete_table() -> None:
    table = read(WIDE, missing="skillings-mack")

    assert (table.missing, content(table)) == ((), content(read(WIDE)))


def test_of_two_classifiers_skillings_mack_drops_datasets() -> None:
    text = WIDE + "wine,NA,0.9\n"

    kept = read(text, missing="skillings-mack")

    assert (content(kept), kept.dropped) == (content(read(WIDE)), ("wine",))


def test_selection_of_an_incomplete_table() -> None:
    table = read(INCOMPLETE, missing="skillings-mack")

    assert table.select(["C", "A"]).missing == ()
    assert table.select(["C", "B", "A"]).missing == (("x", "B"),)
    assert (table.select(["A", "B"]).datasets, table.select(["A", "B"]).dropped) == (("z",), ("y", "x"))
    assert table.select(["B"]).datasets == ("z",)


def test_incomplete_table_may_still_drop_its_datasets() -> None:
    table = read_table(read(INCOMPLETE, missing="skillings-mack"), missing="drop-datasets")

    assert (table.datasets, table.dropped, table.missing) == (("z",), ("y", "x"), ())


def test_fold_that_is_missing_makes_the_mean_missing() -> None:
    rows = "dataset,model,fold,score\n" + "".join(
        f"{d},{c},{f},{'' if (d, c, f) == ('x', 'B', 2) else 0.5}\n" for d in "xy" for c in "ABC" for f in (1, 2)
    )

    table = read(rows, missing="skillings-mack")

    assert (table.missing, table.folds) == ((("x", "B"),), ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d,A,B,C\nx,1,,\ny,,2,\n", "every dataset has fewer than two scores"),
        ("d,A,B,C\nx,1,2,\ny,1,2,\n", "no dataset that is left has a score of 'C'"),
    ],
)
def test_too_little_is_left(text: str, message: str) -> None:
    assert message in refused(text, missing="skillings-mack")


@pytest.mark.parametrize(
    ("scores", "missing", "error", "message"),
    [
        ([[1, math.nan, 2]], (), InvalidValueError, r"scores\[0, 1\] \(dataset 'x', classifier 'B'\) is nan"),
        ([[1, math.inf, 2]], (("x", "B"),), InvalidValueError, "missing names 'x' / 'B', whose score is inf"),
        ([[1, 0.5, 2]], (("x", "B"),), InvalidValueError, "missing names 'x' / 'B', whose score is 0.5"),
        ([[1, 0.5, 2]], (("x", "D"),), InvalidValueError, "must name cells of the table, not 'x' / 'D'"),
        ([[1, 0.5, 2]], ("xB",), InvalidTypeError, "missing must hold pairs of a dataset and a classifier"),
        ([[1, math.nan, math.nan]], (("x", "B"), ("x", "C")), InvalidValueError, "two scores, but 'x' has not"),
        ([[1, 2, math.nan]], (("x", "C"),), InvalidValueError, "each classifier must have a score, but 'C' has none"),
    ],
)
def test_missing_cells_are_as_strict(scores: list, missing: tuple, error: type[EvalstatsError], message: str) -> None:
    with pytest.raises(error, match=message):
        ScoreTable(scores=scores, datasets=("x",), classifiers=("A", "B", "C"), missing=missing)


# --- wide tables of folds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("head", ["fold", "Split", "cv fold", "repeat", "run"])
def test_wide_table_of_folds_is_one_dataset(head: str) -> None:
    table = read(f"{head},SVM,NB\n2,0.7,0.6\n1,0.9,0.8\n10,0.8,0.7\n")

    assert (table.datasets, table.classifiers) == (("dataset",), ("SVM", "NB"))
    assert table.folds[0].scores.reshape(3, 2).tolist() == [[0.9, 0.8], [0.7, 0.6], [0.8, 0.7]]
    np.testing.assert_allclose(table.scores, [[0.8, 0.7]], rtol=1e-15)
    kind = "repeats" if head in ("repeat", "run") else "folds"
    assert (getattr(table.folds[0], kind), table.computation) == (("1", "2", "10"), f"score, mean over the {kind}")


def test_wide_table_of_folds_is_the_long_one() -> None:
    """Repeats, folds, sizes and percent signs included; the datasets keep their order."""
    wide = "data,repeat,fold,n_train,n_test,NB,SVM\n" + "".join(
        f"{d},{r},{f},90,10,{60 + 3 * r + f}%,{70 + r * f}%\n" for d in ("b", "a") for r in (1, 2) for f in (1, 2, 3)
    )
    rows = [line.split(",") for line in wide.splitlines()[1:]]
    long = "data,model,repeat,fold,n_train,n_test,score\n" + "".join(
        ",".join([d, name, *run, cell]) + "\n" for d, *run, nb, svm in rows for name, cell in (("NB", nb), ("SVM", svm))
    )

    tables = [read(wide), read(long)]

    of_names = [{one.dataset: one.to_dict() for one in table.folds} for table in tables]
    assert of_names[0] == of_names[1]
    assert tables[0].unit == tables[1].unit == "%"
    assert (tables[0].datasets, tables[1].datasets) == (("b", "a"), ("a", "b"))
    assert tables[0].computation == tables[1].computation


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("run,A,B\n1,2,3\n2,3,4\n", {"dataset": "run"}),
        ("fold,A,B\nfirst,2,3\nsecond,3,4\n", {}),
        ("name,fold,A\nx,2,3\ny,3,4\n", {}),
        ("dataset,split,A\nx,0.25,3\ny,3,4\n", {}),
    ],
)
def test_what_is_no_fold(text: str, options: dict) -> None:
    assert read(text, **options).folds == ()


def test_percent_signs_of_folds_may_leave_out_a_missing_score() -> None:
    table = read("dataset,fold,A,B,C\nx,1,1%,2%,NA\ny,1,1%,2%,3%\n", missing="skillings-mack")

    assert (table.unit, table.missing) == ("%", (("x", "C"),))


def test_fold_that_stands_twice_is_refused() -> None:
    assert "must have one score" in refused("fold,A,B\n1,2,3\n1,3,4\n")
