"""A record is written as one text, and a text in JSON that could mean two things is refused."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats import EvalstatsError
from evalstats.io.reader.saved_reports import DEEPEST, checksum, digest, document_of_text, written

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4))


@given(st.dictionaries(st.text(), VALUES, max_size=5))
def test_what_is_written_is_read_back(document: dict) -> None:
    text = written(document)

    assert json.dumps(document_of_text(text, "it")) == json.dumps(document)
    assert written(document_of_text(text, "it")) == text


def test_checksum_is_of_the_content_without_itself() -> None:
    document = {"a": [1, 2.0, {"b": None}]}

    assert checksum(document) == checksum({**document, "checksum": "x"}) == digest(written(document))
    assert checksum(json.loads(json.dumps(document, indent=5))) == checksum(document)


@pytest.mark.parametrize(
    "other", [{"a": [1, 2, {"b": None}]}, {"a": [1, 2.0, {"b": 0}]}, {"a": [1, 2.0, {"b": None}], "c": 1}, {"A": 1}]
)
def test_checksum_knows_other_content(other: dict) -> None:
    """A whole number is no float."""
    assert checksum(other) != checksum({"a": [1, 2.0, {"b": None}]})


def test_what_json_does_not_know_is_written_in_words() -> None:
    assert json.loads(written({"x": [math.nan, math.inf, -math.inf]})) == {"x": [None, "Infinity", "-Infinity"]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "a": 1}', "the name 'a' occurs twice in one object"),
        ('{"b": [{"a": 1, "c": 2, "a": 3}]}', "the name 'a' occurs twice in one object"),
        ('{"a": 1, "\\u0061": 2}', "the name 'a' occurs twice in one object"),
        ('{"a": NaN}', "it holds NaN, which is not JSON"),
        ('{"a": Infinity}', "it holds Infinity, which is not JSON"),
        ('{"a": [1, -1e400]}', "a number that is too large for a float"),
        ('{"a": ' + 5000 * "1" + "}", "a number with more than 4,300 digits"),
        ('{"a": 1} true', "holds more than a report: see its line 1"),
        ('{"a": 1}\n{"a": 1}', "holds more than a report: see its line 2"),
        ('{"a": 1', "ends too early"),
        ("{'a': 1}", "is not valid JSON: see its line 1"),
        ('{"a": 01}', "is not valid JSON"),
        ('{"a": 1,}', "is not valid JSON"),
        ("a,b", "is not a report in JSON"),
        ('{"a": ' + "[" * DEEPEST + "]" * DEEPEST + "}", f"nested too deeply for a report: more than {DEEPEST} levels"),
        ("[" * 10**6, "nested too deeply"),
    ],
)
def test_text_that_means_nothing_or_two_things_is_refused(text: str, words: str) -> None:
    with pytest.raises(EvalstatsError, match=words):
        document_of_text(text, "it")


@pytest.mark.long
def test_names_that_stand_twice_are_found_at_once() -> None:
    """In an object of a million names."""
    names = ", ".join(f'"{i}": 0' for i in range(10**6))

    with pytest.raises(EvalstatsError, match="the name '999999' occurs twice"):
        document_of_text(f'{{{names}, "999999": 1}}', "it")
