"""Tables that pandas, R and tabulate print are read by where their columns stand."""

from __future__ import annotations

import io

import pandas as pd
import pytest
import tabulate

from evalstats import TableError, read_table
from evalstats.io.sources.fields import rows_of_printed

SCORES = pd.DataFrame(
    {"LR": [0.93, 0.7, 0.85], "naive Bayes": [0.9, 0.71, 0.8]},
    index=pd.Index(["breast cancer", "iris", "wine"], name="dataset"),
)


def read(text, path):
    path.write_text(text, encoding="utf-8")
    return read_table(path)


PRINTED = {
    "pandas": SCORES.to_string(),
    "pandas, no index": SCORES.reset_index().to_string(index=False),
    "pandas, names on both axes": SCORES.rename_axis(columns="classifier").to_string(),
    "pandoc": (
        "Data          LR   naive Bayes\n------------- ---- -----------\nbreast cancer 0.93 0.9\n"
        "iris          0.7  0.71\nwine          0.85 0.8\n"
    ),
    **{name: tabulate.tabulate(SCORES, headers="keys", tablefmt=name) for name in ("simple", "rst")},
}


@pytest.mark.parametrize("how", PRINTED)
def test_printed_table_is_the_table(how, tmp_path) -> None:
    table = read(PRINTED[how], tmp_path / "scores.txt")

    assert (table.datasets, table.classifiers) == (tuple(SCORES.index), tuple(SCORES.columns))
    assert table.scores.tolist() == SCORES.to_numpy().tolist()


def test_quoted_fields_between_blanks_are_fields_with_the_corner_that_r_leaves_out(tmp_path) -> None:
    table = read('"LR" "naive Bayes"\n"breast cancer" 0.93 0.9\n"iris" 0.7 0.71\n', tmp_path / "scores.txt")

    assert table.datasets == ("breast cancer", "iris")
    assert table.classifiers == ("LR", "naive Bayes")


def test_names_of_an_index_of_two_levels_are_in_every_row(tmp_path) -> None:
    scores = [0.1, 0.2, 0.3, 0.5]
    index = pd.MultiIndex.from_product([["iris", "wine"], [1, 2]], names=["dataset", "fold"])
    frame = pd.DataFrame({"LR": scores, "NB": scores[::-1]}, index=index)

    table = read(frame.to_string(), tmp_path / "scores.txt")

    assert table.datasets == ("iris", "wine")
    assert [one.folds for one in table.folds] == [("1", "2")] * 2


def test_spread_beside_the_scores_belongs_to_its_column(tmp_path) -> None:
    frame = pd.DataFrame({"dataset": ["iris", "wine"], "LR": ["93.1 ± 1.2", "7.0 ± 10.5"], "NB": ["1 ± 2", "3 ± 4"]})

    table = read(frame.to_string(index=False), tmp_path / "scores.txt")

    assert table.scores.tolist() == [[93.1, 1], [7, 3]]
    assert table.spread.tolist() == [[1.2, 2], [10.5, 4]]


def test_table_that_pandas_shortened_is_refused(tmp_path) -> None:
    text = str(pd.DataFrame({"LR": range(100), "NB": range(100)}))

    with pytest.raises(
        TableError, match="pandas printed without some of its rows or columns; write the table with to_csv"
    ):
        read(text, tmp_path / "scores.txt")


@pytest.mark.parametrize("text", ["one two\nthree four\nfive six\n", "a\n1\n2\n", "a b c\nd\ne f\n", "x y\n1 2\n"])
def test_other_texts_are_no_tables(text) -> None:
    assert rows_of_printed(list(enumerate(text.splitlines(), 1)), "x") is None


@pytest.mark.parametrize("sign", ["±", "+-", "+/-"])
def test_blanks_around_a_spread_are_within_its_cell(sign: str) -> None:
    """As a table that was copied from a PDF has them."""
    text = f"dataset NB SVM\niris 93.3 {sign} 0.5 95.0 {sign} 0.2\nwine 70.1 {sign} 2.1 71.2 {sign} 11.0\n"

    table = read_table(io.StringIO(text))

    assert table.scores.tolist() == [[93.3, 95.0], [70.1, 71.2]]
    assert table.spread is not None
    assert table.spread.tolist() == [[0.5, 0.2], [2.1, 11.0]]
