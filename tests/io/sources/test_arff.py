from __future__ import annotations

import io
from pathlib import Path

import pytest

from evalstats import TableError, read_predictions, read_table, score_predictions
from evalstats.io.sources.arff import arff_of, fields_of, unquoted
from evalstats.io.sources.source import look


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("a,b", ["a", "b"]),
        ("a,,b,", ["a", "", "b", ""]),
        ("'a, b',c", ["'a, b'", "c"]),
        (r"'it\'s','-K \"x, y\"'", [r"'it\'s'", r"'-K \"x, y\"'"]),
        ('"a, b",?', ['"a, b"', "?"]),
        ("a b , c", ["a b", "c"]),
        ("", [""]),
        ("'a", None),
        ("'a'b,c", None),
    ],
)
def test_fields_are_separated_outside_quotes(line, fields) -> None:
    assert fields_of(line) == fields


@pytest.mark.parametrize(
    ("field", "text"), [("a", "a"), ("'a'", "a"), (r"'it\'s'", "it's"), (r"'a\nb\\'", "a\nb\\"), ("''", ""), ("'", "'")]
)
def test_quotes_and_backslashes_are_taken_away(field, text) -> None:
    assert unquoted(field) == text


def test_names_of_attributes_may_be_quoted() -> None:
    text = (
        "@RELATION 'my data'\n@ATTRIBUTE \"confidence.good class\" NUMERIC\n@ATTRIBUTE\tb\t{x, 'y z'}\n@DATA\n1,'y z'\n"
    )

    arff = arff_of("the table", look(io.StringIO(text)).lines())

    assert (arff.relation, arff.names) == ("my data", ["confidence.good class", "b"])
    assert (arff.columns, arff.numbers) == ([["1"], ["y z"]], [5])


SCORES = (
    "@relation 'my results'\n@attribute dataset {iris, 'breast cancer'}\n@attribute NB numeric\n@ATTRIBUTE\tSVM REAL\n"
)


@pytest.mark.parametrize(
    "rows",
    [
        "@data\niris,0.9,0.95\n'breast cancer', .7, ?\n",
        "@DATA\n% a comment\n\niris\t0.9\t0.95\n'breast cancer'\t.7\t?\n",
        "@data\n{1 0.9, 2 0.95}\n{0 'breast cancer', 1 .7, 2 ?}\n",
    ],
)
@pytest.mark.parametrize("comments", ["", "% made by me\n", "% 1\n%\n\n" * 40])
def test_a_table_of_scores_may_be_written_as_arff(comments: str, rows: str) -> None:
    table = read_table(io.StringIO(comments + SCORES + rows), missing="skillings-mack")

    assert (table.datasets, table.classifiers) == (("iris",), ("NB", "SVM"))
    assert table.dropped == ("breast cancer",)
    assert table.scores.tolist() == [[0.9, 0.95]]


def test_long_scores_and_predictions_may_be_written_as_arff() -> None:
    long = "@relation r\n@attribute model {a,b}\n@attribute task string\n@attribute error numeric\n@data\n"
    table = read_table(io.StringIO(long + "a,x,.1\nb,x,.2\nb,y,.4\na,y,.3\n"))
    assert (table.classifiers, table.metric, table.greater_is_better) == (("a", "b"), "error", False)

    of_cases = "@relation p\n@attribute y_true {u,v}\n@attribute NB {u,v}\n@attribute SVM {u,v}\n@data\n"
    table = read_table(io.StringIO(of_cases + "u,u,v\nv,v,v\n" * 10))
    assert table.scores.tolist() == [[1.0, 0.5]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@relation r\n@attribute a numeric\n@data\n1\n", "has 1 attributes"),
        (SCORES, "has no line @data"),
        (SCORES + "@data\niris,1\n", "line 6 has 2 fields, but the header has 3 attributes"),
        (SCORES + "@data\n{7 1}\n", "line 6 has 0 fields, but the header has 3 attributes"),
        (SCORES + "@data\n'iris,1,2\n", "line 6: a quotation mark is opened and never closed"),
    ],
)
def test_faults_of_an_arff_table_are_named(text: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read_table(io.StringIO(text))


def test_rows_are_not_asked_for_in_arff() -> None:
    with pytest.raises(TableError, match="which defines its columns and rows"):
        read_table(io.StringIO(SCORES + "@data\niris,1,2\n"), parsing={"header_rows": 1})


def test_results_of_keel_are_true_and_predicted_labels(tmp_path: Path) -> None:
    """KEEL writes the header of the data set above two labels a line."""
    header = "@relation iris\n@attribute width real [0.1, 2.5]\n@attribute length real [1.0, 6.9]\n"
    header += "@attribute class {a, b}\n@inputs width, length\n@outputs class\n@data\n"
    for name, rows in (("C45", "a a\nb a\na a\nb b\n"), ("NB", "a b\nb a\na a\nb b\n")):
        (tmp_path / f"{name}.tst").write_text(header + rows)

    assert score_predictions(read_predictions(tmp_path / "C45.tst"), metric="accuracy").scores.tolist() == [[0.75]]
    table = read_table([tmp_path / "C45.tst", tmp_path / "NB.tst"], same_order=True)
    assert table.scores.tolist() == [[0.75, 0.5]]
    with pytest.raises(TableError, match="line 8 has 2 fields, but the header has 3 attributes"):
        read_table(io.StringIO(header.replace("@outputs class\n", "\n") + "c a\n"))


def test_results_of_keel_may_lack_the_line_of_outputs() -> None:
    """The class is the last attribute, and a space ends each line."""
    header = "@relation   magic\n@attribute a1 real [4.3, 334.2]\n@attribute a2 {x, y}\n@attribute a11 {g, h}\n@data\n"

    records = read_predictions(io.StringIO(header + "g g \ng h \nh h \nh g \ng g \n"))
    assert score_predictions(records, metric="accuracy").scores.tolist() == [[0.6]]
    with pytest.raises(TableError, match="line 6 has 2 fields, but the header has 3 attributes"):
        read_table(io.StringIO(header + "1.5 x\n"))
