from __future__ import annotations

import io

import pytest

from evalstats import TableError, read_table

HEAD = "@relation r\n@attribute Key_Dataset {d}\n@attribute Key_Scheme {a.J48}\n@attribute Percent_correct numeric\n"


def test_arff_says_what_the_csv_of_the_same_experiment_says(sample, content) -> None:
    """WEKA writes 6 decimals into ARFF."""
    table = read_table(sample("weka/experiment.arff"))

    assert table.format == "weka-arff"
    assert content(table) == pytest.approx(content(read_table(sample("weka/experiment.csv"))), abs=1e-6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD, "has no line @data"),
        (HEAD + "@data\nd,a.J48\n", "line 6 has 2 fields, but the header has 3 attributes"),
        (HEAD + "@data\nd,'a.J48,1\n", "line 6: a quotation mark is opened and never closed"),
        (HEAD + "@what\n@data\n", "line 5: '@what' is not a line of the header"),
        (HEAD + "@data\n", "has no row of scores"),
    ],
)
def test_faults_are_told_with_their_place(text, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(text))


def test_comments_and_empty_lines_are_nothing() -> None:
    text = "% made by hand\n\n" + HEAD + "@DATA\n% one\nd,a.J48,75\n\nd,b.SMO,80\n"

    assert read_table(io.StringIO(text)).scores.tolist() == [[75, 80]]
