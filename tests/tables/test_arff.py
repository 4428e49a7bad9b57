from __future__ import annotations

import io

import pytest

from evalstats.tables.arff import arff_in, fields_of, unquoted
from evalstats.tables.seen import look


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

    arff = arff_in(look(io.StringIO(text)))

    assert (arff.relation, arff.names) == ("my data", ["confidence.good class", "b"])
    assert (arff.columns, arff.numbers) == ([["1"], ["y z"]], [5])
