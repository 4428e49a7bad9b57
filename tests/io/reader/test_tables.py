"""The table that is read is the table that was written, whatever it was written in; everything else is refused."""

from __future__ import annotations

import csv
import io
import math
import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats._errors import EvalstatsError
from evalstats._lexicon import PREDICTION_COLUMNS, SIZE_COLUMNS, simplified
from evalstats.io.columns.kinds import role_of
from evalstats.io.columns.summaries import _TEST, COUNTERS, DESCRIPTIONS, DIFFERENCES, SIZES, is_summary
from evalstats.io.columns.summaries import NOTES as NOTE_COLUMNS
from evalstats.io.reader.tables import read_table
from evalstats.io.sources import grid
from evalstats.tables.score_table import ScoreTable

WIDE = "dataset,NB,SVM\niris,0.93,0.95\nglass,0.71,0.5\n"
LONG = "dataset,model,accuracy\niris,SVM,0.95\nglass,NB,0.71\niris,NB,0.93\nglass,SVM,0.5\n"
SCORES = [[0.93, 0.95], [0.71, 0.5]]


# --- what is read -----------------------------------------------------------------------------------------------------


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
        "spread": None,
        "noise": 0.0,
        "format": "",
        "answers": None,
    }


def test_percent_signs_become_the_unit(read) -> None:
    table = read("d,NB,SVM\niris,93.1%,95 %\nglass,71%,NA\nx,1%,2%\n", missing="drop-datasets")

    assert (table.unit, table.scores.tolist()) == ("%", [[93.1, 95.0], [1.0, 2.0]])


def test_unit_that_is_given_stands_before_the_written_one(read) -> None:
    assert read("d,NB\niris,93.1%\n", unit="percent").unit == "percent"


def test_quoted_line_breaks_in_names_become_spaces(read) -> None:
    assert read('d,"Naive\nBayes"\n"big\n  data",1\n').datasets == ("big data",)


def test_numbers_may_name_datasets(read) -> None:
    assert read("task,NB\n31,0.5\n3913,0.6\n").datasets == ("31", "3913")


def test_unnamed_index_beside_the_names_is_skipped(read, content) -> None:
    assert content(read(",dataset,NB\n0,iris,0.5\n1,glass,0.6\n")) == (("iris", "glass"), ("NB",), [[0.5], [0.6]])


def test_dataset_names_the_column_of_names(read, content) -> None:
    assert content(read("NB,where,SVM\n1,iris,2\n", dataset="where")) == (("iris",), ("NB", "SVM"), [[1.0, 2.0]])


def test_one_classifier_and_one_dataset_are_a_table(read) -> None:
    assert read("dataset,NB\niris,1\n").scores.shape == (1, 1)


# --- long tables ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "greater"),
    [("error rate", False), ("Log-Loss", False), ("RMSE", False), ("AUC", True), ("score", True)],
)
def test_direction_follows_the_name_of_the_metric(read, metric: str, greater: bool) -> None:
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
def test_wide_frames(content, frame: object) -> None:
    assert content(read_table(frame)) == (("iris", "glass"), ("NB", "SVM"), SCORES)


def test_frame_of_numbers_only_counts_its_datasets() -> None:
    assert read_table(FRAME.reset_index(drop=True)).datasets == ("dataset 1", "dataset 2")


def test_index_of_numbers_names_the_datasets() -> None:
    assert read_table(pd.DataFrame(SCORES, index=[31, 3913])).datasets == ("31", "3913")


@pytest.mark.parametrize("keys", [None, ["dataset", "model"], ["dataset"]], ids=["columns", "two levels", "one level"])
def test_long_frames(read, content, keys: list[str] | None) -> None:
    frame = pd.read_csv(io.StringIO(LONG))

    assert content(read_table(frame.set_index(keys) if keys else frame)) == content(read(LONG))


def test_arrays_get_names(content) -> None:
    assert content(read_table(np.array(SCORES))) == (
        ("dataset 1", "dataset 2"),
        ("classifier 1", "classifier 2"),
        SCORES,
    )
    assert content(read_table(SCORES)) == content(read_table(np.array(SCORES)))


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
    plain = re.sub(r"[\W_]", "", name.casefold())
    is_kind = role_of(name) in ("time", "p-value", "number") or _TEST.search(name) is not None or {*name} & {*"Δ∆"}
    has_word = plain in SIZES | COUNTERS | NOTE_COLUMNS | DIFFERENCES | DESCRIPTIONS
    return bool(is_summary(name) or is_kind or name == "p" or has_word)


OF_FOLDS = {
    *PREDICTION_COLUMNS["repeat"],
    *PREDICTION_COLUMNS["fold"],
    *SIZE_COLUMNS["n_train"],
    *SIZE_COLUMNS["n_test"],
}
# and names of summaries and of descriptions have other roles, as tests/io/columns/test_summaries.py shows
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
def test_a_table_that_is_written_is_read_again_to_the_last_bit(
    read, content, table: ScoreTable, delimiter: str, quoting: int
) -> None:
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, quoting=quoting)
    writer.writerows([["dataset", *table.classifiers], *rows_of(table)])

    again = read(file.getvalue().encode(), delimiter=delimiter, rows_are="datasets")

    assert content(again) == content(table)


@given(tables())
def test_a_frame_is_the_table_it_came_from(content, table: ScoreTable) -> None:
    assert content(read_table(table.to_frame(), rows_are="datasets")) == content(table)


@given(st.binary(max_size=300) | st.text(st.sampled_from('ab1.,;"\n\r\t -%'), max_size=60).map(str.encode))
def test_nothing_breaks_the_reader(read, content: bytes) -> None:
    """A table or one line, never another error."""
    try:
        message = str(read(content).to_dict().keys())
    except EvalstatsError as error:
        message = str(error)

    assert "\n" not in message


# --- the record -------------------------------------------------------------------------------------------------------


def made(**changes) -> ScoreTable:
    return ScoreTable(**{"scores": SCORES, "datasets": ("iris", "glass"), "classifiers": ("NB", "SVM"), **changes})


def test_table_is_returned_as_it_is_or_with_another_label() -> None:
    table = made(unit="%")

    assert read_table(table) is table
    assert read_table(table, metric="F", greater_is_better=False).to_dict() == {
        **table.to_dict(), "metric": "F", "greater_is_better": False,
    }  # fmt: skip


# --- missing scores ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["", " ", "NA", "n/a", "NaN", "-", "?", "null", "None", "#N/A"])
def test_missing_scores_are_listed(refused, word: str) -> None:
    assert refused(f"d,NB,SVM\niris,{word},0.95\nglass,0.71,0.5\n") == (
        "the table: 1 score is missing: 'iris' / 'NB' (line 2); fill in these scores, or leave out their datasets with "
        "missing='drop-datasets'"
    )


@pytest.mark.parametrize("value", [None, math.nan, pd.NA, pd.NaT, Decimal("nan")])
def test_missing_values_of_frames_are_missing(refused, content, value: object) -> None:
    frame = pd.DataFrame({"NB": [0.5, 0.6], "SVM": np.array([value, 0.7], dtype=object)}, index=["iris", "glass"])

    assert "1 score is missing: 'iris' / 'SVM' (row 1)" in refused(frame)
    assert content(read_table(frame, missing="drop-datasets")) == (("glass",), ("NB", "SVM"), [[0.6, 0.7]])


def test_missing_scores_of_an_array(refused) -> None:
    assert "'dataset 2' / 'classifier 1' (row 2)" in refused(np.array([[1, 2], [math.nan, 3]]))


def test_missing_pairs_of_a_long_table(refused) -> None:
    text = "data,model,score\nx,a,1\ny,b,2\ny,a,NA\n"

    assert "2 scores are missing: 'x' / 'b', 'y' / 'a' (line 4); fill in" in refused(text)


def test_only_five_missing_scores_are_shown(refused) -> None:
    text = "d,a\n" + "".join(f"x{i},\n" for i in range(1234))

    assert "1,234 scores are missing: 'x0' / 'a' (line 2), " in refused(text)
    assert "'x4' / 'a' (line 6) and 1,229 more; " in refused(text)


def test_dropped_datasets_are_recorded(read) -> None:
    table = read(WIDE + "wine,NA,0.9\nzoo,1,\n", missing="drop-datasets")

    assert (table.datasets, table.dropped) == (("iris", "glass"), ("wine", "zoo"))


def test_nothing_may_be_left(refused) -> None:
    assert "every dataset lacks a score" in refused("d,NB,SVM\niris,,1\n", missing="drop-datasets")


POINTS = "d;A;B\nx;1.234;900\ny;870;1.100\n"


def test_points_that_may_separate_thousands_are_asked_about() -> None:
    with pytest.raises(grid.TableError, match=r"the point in '1\.100' may separate thousands, because '870' is a"):
        read_table(io.StringIO(POINTS))

    in_thousands = read_table(io.StringIO(POINTS), parsing={"thousands": "."}).scores
    assert in_thousands.tolist() == [[1234, 900], [870, 1100]]
    assert read_table(io.StringIO(POINTS), parsing={"decimal": "."}).scores.tolist() == [[1.234, 900], [870, 1.1]]


@pytest.mark.parametrize("text", ["d;A;B\nx;0.934;100\ny;87.125;100\n", "d;A;B\nx;1.234;9\n", "d;A;B\nx;1.23;900\n"])
def test_points_of_decimals_are_not_asked_about(text: str) -> None:
    assert read_table(io.StringIO(text)).scores[0, 0] < 2


@pytest.mark.parametrize("missing", ["zero", "worst"])
def test_missing_scores_are_filled_only_in_logs(missing: str) -> None:
    """Without missing scores, the option has no effect."""
    words = f"missing='{missing}' is for logs of evaluation programs, but the table is a plain table; write the missing"
    with pytest.raises(grid.TableError, match=words):
        read_table(io.StringIO("d,A,B\niris,.9,.8\nwine,.7,\n"), missing=missing)
    words = "1 answer is missing: line 3 / B; record a failed answer as incorrect, or leave out the questions"
    with pytest.raises(grid.TableError, match=words):
        read_table(io.StringIO("question,A,B\nq1,1,0\nq2,1,\nq3,0,1\n"), missing=missing)

    assert read_table(io.StringIO("d,A,B\niris,.9,.8\nwine,.7,.6\n"), missing=missing).scores.shape == (2, 2)


# --- what a new user does wrong ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the table is empty"),
        ("\n \n", "the table is empty"),
        ("dataset,NB,SVM\n", "the table has no row of scores"),
        ("dataset\niris\n", "line 1: 'dataset' has only one column; a table has"),
        ("dataset NB\niris 1\n", "only one column; for a different delimiter, pass parsing={'delimiter': ' '}"),
        ("d,NB,SVM\niris,1\n", "line 2 has 2 fields between ',', but the header has 3"),
        ("d,NB,SVM\niris,1,2\nx,1,2,3\n", "line 3 has 4 fields between ',', but the header has 3; put names that"),
        ('d,NB\n"a\nb",1\n\nc,1,2\n', "line 5 has 3 fields"),
        ("d,NB,NB\niris,1,2\n", "the names of classifiers must be unique, but 'NB' is the name of the columns 2, 3"),
        ("d,NB,,SVM\niris,1,2,3\n", "column 3 has no name"),
        ("d,NB\n,1\n", "line 2, column 'd': the name of a dataset is empty"),
        (
            "d,NB\niris,1\nx,2\niris,3\n",
            "the names of datasets must be unique, but these are repeated: 'iris' (lines 2, 4)",
        ),
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
        ("d;NB\niris;1,931\n", "mark '.'; pass parsing={'decimal': ','} if ',' is the decimal mark, or parsing={'th"),
        ("d;NB\niris;1,234.5\nglass;0,5\n", "'1,234.5' is a number only if ',' separates thousands; if so, pass"),
        ("d;NB\niris;1 234\n", "'1 234' is a number only if ' ' separates thousands; if so, pass parsing={'th"),
        ("d,NB,SVM\niris,93%,0.9\n", "with %, but 'iris' / 'NB' (line 2) is and 'iris' / 'SVM' (line 2) is not"),
        ("NB,SVM\n0.9,0.8\n", "the first column, 'NB', holds numbers; if the rows are datasets, pass rows_are='data"),
        ("d,N\x07B\niris,1\n", "the name of column 2 holds the control character '\\x07'"),
        ('d,NB\n"iris,1\nglass,2\n', "line 2: a quotation mark is opened and never closed"),
        ('d,NB\niris,1\n"gl"ass,2\n', "line 3: ',' expected after '\"'"),
        ("d,NB\niris,1\n" + "x" * 200_000 + ",2\n", "line 3: a field is far too long"),
        ("d,NB\niris,1\n" + "x" * 2000 + ",2\n", "line 3, column 'd': the name of a dataset has 2,000 characters"),
        ("d,NB\niris,1\0\n", "line 2 holds a NUL character, so the file is not a text file"),
    ],
)  # fmt: skip
def test_wide_mistakes(refused, text: str, message: str) -> None:
    assert message in refused(text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delimiter": ";"}, "has only one column with the delimiter ';'; for a different delimiter, pass "),
        ({"delimiter": "::"}, "delimiter must be one character, not '::'"),
        ({"delimiter": '"'}, "delimiter must be one character, not '\"'"),
        ({"layout": "tall"}, "layout must be 'auto' or 'wide' or 'long' or 'predictions' or 'answers', not 'tall'"),
        ({"missing": "drop"}, "missing must be 'raise' or 'drop-datasets' or 'drop-folds' or 'drop-instances'"),
        ({"decimal": ";"}, "decimal must be 'auto' or '.' or ',', not ';'"),
        ({"dataset": "data"}, "dataset must name a column of the table ('dataset', 'NB', 'SVM'), not 'data'"),
        ({"metric": " "}, "metric: the name ' ' is empty"),
    ],
)  # fmt: skip
def test_options_that_do_not_fit(refused, options: dict, message: str) -> None:
    assert message in refused(WIDE, **options)


def test_names_are_never_taken_for_anything_else(read) -> None:
    """Formulas of spreadsheets, paths, code: text that stays as it is."""
    names = ("=1+1", "../../etc/passwd", "__import__('os')", "<b>", "$(rm x)")
    text = "d," + ",".join(names) + "\nx" + ",1" * len(names)

    assert read(text).classifiers == names


# --- missing scores that are kept -------------------------------------------------------------------------------------

INCOMPLETE = "d,A,B,C\nx,1,,2\ny,,,2\nz,3,2,1\n"


def test_skillings_mack_keeps_what_is_there(read) -> None:
    table = read(INCOMPLETE, missing="skillings-mack")

    assert (table.datasets, table.dropped, table.missing) == (("x", "z"), ("y",), (("x", "B"),))
    np.testing.assert_array_equal(table.scores, [[1, np.nan, 2], [3, 2, 1]])
    np.testing.assert_array_equal(table.to_frame().to_numpy(), table.scores)


def test_long_table_lacks_what_a_wide_one_leaves_empty(read) -> None:
    """The order of datasets and classifiers is that of their names in both."""
    long = "data,model,score\nz,C,1\nx,A,1\nz,B,2\nz,A,3\nx,C,2\ny,C,2\n"

    tables = [
        read(INCOMPLETE, missing="skillings-mack"),
        read(long, missing="skillings-mack"),
    ]

    assert tables[0].missing == tables[1].missing
    np.testing.assert_array_equal(tables[0].scores, tables[1].scores)


def test_nothing_is_missing_from_a_complete_table(read, content) -> None:
    table = read(WIDE, missing="skillings-mack")

    assert (table.missing, content(table)) == ((), content(read(WIDE)))


def test_of_two_classifiers_skillings_mack_drops_datasets(read, content) -> None:
    text = WIDE + "wine,NA,0.9\n"

    kept = read(text, missing="skillings-mack")

    assert (content(kept), kept.dropped) == (content(read(WIDE)), ("wine",))


def test_incomplete_table_may_still_drop_its_datasets(read) -> None:
    table = read_table(read(INCOMPLETE, missing="skillings-mack"), missing="drop-datasets")

    assert (table.datasets, table.dropped, table.missing) == (("z",), ("y", "x"), ())


def test_fold_that_is_missing_makes_the_mean_missing(read) -> None:
    rows = "dataset,model,fold,score\n" + "".join(
        f"{d},{c},{f},{'' if (d, c, f) == ('x', 'B', 2) else 0.5}\n" for d in "xy" for c in "ABC" for f in (1, 2)
    )

    table = read(rows, missing="skillings-mack")

    assert (table.missing, table.folds) == ((("x", "B"),), ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d,A,B,C\nx,1,,\ny,,2,\n", "every dataset has fewer than two scores"),
        ("d,A,B,C\nx,1,2,\ny,1,2,\n", "none of the remaining datasets has a score of 'C'"),
    ],
)
def test_too_little_is_left(refused, text: str, message: str) -> None:
    assert message in refused(text, missing="skillings-mack")


# --- wide tables of folds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("head", ["fold", "Split", "cv fold", "repeat", "run"])
def test_wide_table_of_folds_is_one_dataset(read, head: str) -> None:
    table = read(f"{head},SVM,NB\n2,0.7,0.6\n1,0.9,0.8\n10,0.8,0.7\n")

    assert (table.datasets, table.classifiers) == (("dataset",), ("SVM", "NB"))
    assert table.folds[0].scores.reshape(3, 2).tolist() == [[0.9, 0.8], [0.7, 0.6], [0.8, 0.7]]
    np.testing.assert_allclose(table.scores, [[0.8, 0.7]], rtol=1e-15)
    kind = "repeats" if head in ("repeat", "run") else "folds"
    assert (getattr(table.folds[0], kind), table.computation) == (("1", "2", "10"), f"score, mean over the {kind}")


def test_wide_table_of_folds_is_the_long_one(read) -> None:
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
        ("name,fold,A\nx,2,3\ny,3,4\n", {}),
        ("dataset,split,A\nx,0.25,3\ny,3,4\n", {}),
    ],
)
def test_what_is_no_fold(read, text: str, options: dict) -> None:
    assert read(text, **options).folds == ()


def test_percent_signs_of_folds_may_leave_out_a_missing_score(read) -> None:
    table = read("dataset,fold,A,B,C\nx,1,1%,2%,NA\ny,1,1%,2%,3%\n", missing="skillings-mack")

    assert (table.unit, table.missing) == ("%", (("x", "C"),))


def test_fold_that_stands_twice_is_refused(refused) -> None:
    assert "must have one score" in refused("fold,A,B\n1,2,3\n1,3,4\n")


POLARS = Path(__file__).parents[2] / "data" / "formats" / "plain-tables"


@pytest.mark.parametrize("file", ["polars.csv", "polars.parquet", "polars.arrow", "polars.json", "polars.ndjson"])
def test_frame_is_read_however_polars_wrote_it(file: str) -> None:
    table = read_table(POLARS / file, missing="drop-datasets")

    assert (table.datasets, table.classifiers, table.dropped) == (("iris", "wine"), ("LR", "RF"), ("heart",))
    assert table.scores.tolist() == [[0.90, 0.93], [0.95, 0.97]]


def test_frame_that_polars_printed_is_refused() -> None:
    with pytest.raises(grid.TableError, match="is a printed table"):
        read_table(POLARS / "polars_printed.txt")


def test_missing_scores_of_many_datasets_lead_to_the_test_that_keeps_the_others() -> None:
    scores = np.arange(12.0).reshape(4, 3)
    scores[[0, 2], [1, 2]] = np.nan
    frame = pd.DataFrame(scores, index=list("abcd"), columns=["NB", "SVM", "tree"])

    with pytest.raises(
        grid.TableError, match=r"keep the other scores with missing='skillings-mack', or .*, 2 of 4, with"
    ):
        read_table(frame)
    with pytest.raises(
        grid.TableError, match="fill in these scores, or leave out their datasets with missing='drop-datasets'"
    ):
        read_table(frame[["NB", "SVM"]])
    assert read_table(frame, missing="skillings-mack").missing == (("a", "SVM"), ("c", "tree"))


@pytest.mark.parametrize(
    ("metric", "sign", "kind"), [("log_loss", -1, "loss"), ("RMSE", -1, "loss"), ("neg_log_loss", 1, "negated loss")]
)
def test_losses_of_the_opposite_sign_are_asked_about(metric: str, sign: int, kind: str) -> None:
    """scikit-learn returns negative losses, which people save under the name of the loss."""
    scores = sign * np.array([[0.1, 0.2], [0.3, 0.25], [0.5, 0.6]])

    with pytest.raises(grid.TableError, match=f"{metric!r} is the name of a {kind}, but all scores are"):
        read_table(scores, metric=metric)

    assert read_table(scores, metric=metric, greater_is_better=True).greater_is_better
    assert read_table(-scores, metric=metric).greater_is_better is (sign > 0)


def test_a_negative_loss_whose_direction_is_written_beside_it_is_read() -> None:
    text = "Lower is better\ndataset,LR,NB\niris,-1.5,-1.2\nwine,-2.5,-2.7\n"

    assert not read_table(io.StringIO(text)).greater_is_better


@pytest.mark.parametrize("column", ["clf", "learner_id", "model_name", "classifier_name"])
def test_usual_names_of_the_column_of_classifiers(column: str) -> None:
    text = f"task_id,{column},classif.ce\niris,a,0.1\niris,b,0.2\nwine,a,0.3\nwine,b,0.1\n"

    table = read_table(io.StringIO(text))

    assert (table.classifiers, table.datasets, table.greater_is_better) == (("a", "b"), ("iris", "wine"), False)


WRITINGS = [("GPT-4o", "gpt-4o"), ("Random Forest", "random_forest"), ("SVM", "svm"), ("GPT 4", "GPT-4")]


@pytest.mark.parametrize(("first", "second"), WRITINGS)
@pytest.mark.parametrize("column", ["dataset", "model"])
def test_two_writings_of_a_name_are_told_and_not_merged(first: str, second: str, column: str) -> None:
    """The scores of each writing are incomplete, and the name may be the reason."""
    other = {"dataset": "model", "model": "dataset"}[column]
    rows = {column: [first, second, "b", "b"], other: ["u", "v", "u", "v"], "score": [0.1, 0.2, 0.3, 0.4]}

    with pytest.raises(grid.TableError, match="2 scores are missing") as refused:
        read_table(rows)
    assert f"'{first}' and '{second}' differ only in case, spaces, hyphens or underscores" in str(refused.value)
    answers = {"model": [first, second, "b", "b"], "item_id": [1, 2, 1, 2], "correct": [0, 1, 1, 0]}
    with pytest.raises(grid.TableError, match=r"answers are missing.*differ only in case"):
        read_table(answers)
    labels = {"y_true": [0, 1, 0, 1], "y_pred": [0, 1, 1, 1]}
    with pytest.raises(grid.TableError, match=r"same instances.*differ only in case"):
        read_table({"model": answers["model"], "instance": answers["item_id"], **labels})


def test_two_writings_are_told_where_missing_scores_are_left_out() -> None:
    rows = {"dataset": [*"uvwx"] * 2, "model": ["A"] * 3 + ["a"] + ["b"] * 4, "score": [0.1 * i for i in range(8)]}

    kept = read_table({**rows, "model": ["A"] * 4 + ["b"] * 4})
    incomplete = read_table(rows, missing="skillings-mack")

    assert "two-writings" not in [one.code for one in kept.findings]
    assert "two-writings" in [one.code for one in incomplete.findings]


def test_complete_names_in_two_writings_are_two_names() -> None:
    assert read_table({"dataset": ["u", "v"], "A": [0.1, 0.2], "a": [0.3, 0.1]}).classifiers == ("A", "a")


@pytest.mark.parametrize("header", ["dataset,NB ↓,RF ↓", "dataset ↓,NB,RF", "dataset,NB ↑,RF ↓"])
def test_arrows_in_the_header_are_not_ignored(header: str) -> None:
    """Without them, higher scores are better."""
    text = f"{header}\niris,0.1,0.2\nwine,0.3,0.2\n"

    with pytest.raises(grid.TableError, match=r"the names of the columns have the arrows '[↑↓]'.*greater_is_better"):
        read_table(io.StringIO(text))
    assert not read_table(io.StringIO(text), greater_is_better=False).greater_is_better
    assert read_table(io.StringIO(text.replace("↓", "↑"))).greater_is_better
