"""Mean ranks are found in a row or a column, with the decimals that are printed."""

from __future__ import annotations

import io

import pytest

from evalstats.io.reader.published_ranks import read_printed_ranks
from evalstats.tables.errors import TableError

RANKS = {"NB": "2.00", "SVM": "1.67", "RF": "2.33"}
SCORES = "dataset,NB,SVM,RF\niris,0.93,0.95,0.9\nglass,0.71,0.50,0.6\nwine,0.8,0.9,0.7\n"


@pytest.mark.parametrize(
    ("text", "beside_scores"),
    [
        ("classifier,mean rank\nNB,2.00\nSVM,1.67\nRF,2.33\n", False),
        ("name,value\nNB,2.00\nSVM,1.67\nRF,2.33\n", False),
        ("method,accuracy,Avg. rank,wins\nNB,0.9,2.00,1\nSVM,0.8,1.67,2\nRF,0.7,2.33,0\n", False),
        ("NB,SVM,RF\n2.00,1.67,2.33\n", False),
        ("measure,NB,SVM,RF\naccuracy,2.00,1.67,2.33\n", False),
        (SCORES + "Average_Rank,2.00,1.67,2.33\nWins,1,2,0\n", True),
        ("| classifier | rank |\n|---|---|\n| **NB** | 2.00 |\n| SVM | **1.67** |\n| RF | 2.33* |\n", False),
        ("classifier;mean rank\nNB;2,00\nSVM;1,67\nRF;2,33\n", False),
    ],
    ids=["column", "two columns", "column by name", "one row", "named row", "below scores", "Markdown", "comma"],
)
def test_mean_ranks_are_read_as_they_are_written(text: str, beside_scores: bool) -> None:
    read = read_printed_ranks(io.StringIO(text))

    assert {name: str(rank).replace(",", ".") for name, rank in read.ranks.items()} == RANKS
    assert read.beside_scores is beside_scores


def test_row_or_column_may_be_named() -> None:
    text = "method,F1 rank,AUC rank\nNB,2.00,1.00\nSVM,1.67,2.00\nRF,2.33,3.00\n"

    assert read_printed_ranks(io.StringIO(text), named="F1 rank").ranks == RANKS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("m,rank of F1,rank of AUC\nNB,1,2\nSVM,2,1\n", "may all be the mean ranks; choose one with mean_ranks="),
        (SCORES, "no row and no column has the name of mean ranks .*; name them with mean_ranks="),
        ("classifier,rank\nNB,1.5\nNB,1.5\n", "'NB' is the name of several mean ranks"),
        (
            "classifier,rank\nNB,1.5\nSVM,best\nRF,2\n",
            "line 3, column 'rank': .* of SVM is 'best', not a number",
        ),
        ("classifier,rank\nNB,1.5\nSVM,\nRF,2\n", "line 3, column 'rank': the mean rank of SVM is '', not a number"),
        ("rank,n\n1.5,3\n1.5,4\n", "has no column of names for the mean ranks"),
    ],
)
def test_what_is_no_table_of_mean_ranks_is_refused(text: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read_printed_ranks(io.StringIO(text))


def test_classifier_may_be_called_like_ranks() -> None:
    text = "dataset,NB,Rank SVM\niris,0.9,0.8\nmean rank,1.0,2.0\n"

    assert read_printed_ranks(io.StringIO(text)).ranks == {"NB": "1.0", "Rank SVM": "2.0"}


def test_name_that_is_not_there_is_refused() -> None:
    with pytest.raises(TableError, match="has no row and no column 'F1'"):
        read_printed_ranks(io.StringIO(SCORES), named="F1")
