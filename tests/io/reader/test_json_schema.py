"""A document fits its schema, or each place that does not is told."""

from __future__ import annotations

from typing import Any

import pytest

from evalstats.io.reader.saved_reports import schema_faults

POINT = {
    "type": "object",
    "properties": {"x": {"type": "number"}, "name": {"type": "string"}},
    "required": ["x"],
    "additionalProperties": False,
}
LINE = {
    "type": "object",
    "properties": {"from": {"$ref": "#/$defs/point"}, "to": {"$ref": "#/$defs/point"}},
    "required": ["from", "to"],
    "additionalProperties": False,
}
SCHEMA = {
    "type": "object",
    "properties": {
        "kind": {"const": "drawing"},
        "n": {"type": "integer"},
        "is_open": {"type": "boolean"},
        "size": {"type": ["number", "string", "null"], "pattern": "^-?Infinity$"},
        "shapes": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/point"}, {"$ref": "#/$defs/line"}]}},
        "pair": {
            "type": "array",
            "prefixItems": [{"type": "string"}, {"type": "string"}],
            "items": False,
            "minItems": 2,
        },
        "sizes": {"type": "object", "additionalProperties": {"type": "number"}},
        "grade": {"enum": ["a", 1, None]},
        "nested": {"$ref": "#/$defs/nested"},
    },
    "additionalProperties": False,
    "$defs": {
        "point": POINT,
        "line": LINE,
        "nested": {"type": ["boolean", "array"], "items": {"$ref": "#/$defs/nested"}},
    },
}


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"kind": "drawing", "n": 3, "is_open": False, "size": None},
        {"size": 1},
        {"size": "-Infinity"},
        {"shapes": [{"x": 1}, {"from": {"x": 1.5, "name": "a"}, "to": {"x": 2}}]},
        {"pair": ["a", "b"]},
        {"sizes": {"any name": 1}},
        {"grade": None},
        {"nested": [[True, [False]], True]},
    ],
)
def test_document_that_fits_has_no_fault(document: dict[str, Any]) -> None:
    assert schema_faults(document, SCHEMA) == ()


@pytest.mark.parametrize(
    ("document", "faults"),
    [
        ([], ["$ must be an object, not a list"]),
        ({"extra": 1}, ["$.extra is not in the format"]),
        ({"two words": 1}, ["$['two words'] is not in the format"]),
        ({"kind": "picture"}, ["$.kind must be 'drawing', not 'picture'"]),
        ({"n": 1.0}, ["$.n must be a whole number, not 1.0"]),
        ({"n": True}, ["$.n must be a whole number, not true"]),
        ({"is_open": 1}, ["$.is_open must be true or false, not 1"]),
        ({"size": "5"}, ["$.size must be a number or a string that matches ^-?Infinity$ or null, not '5'"]),
        ({"shapes": [{"x": 1}, {}]}, ["$.shapes[1].x is missing"]),
        ({"shapes": [{"x": "1"}]}, ["$.shapes[0].x must be a number, not '1'"]),
        (
            {"shapes": [{"from": {"x": 1}, "to": {"y": 1}}]},
            ["$.shapes[0].to.x is missing", "$.shapes[0].to.y is not in the format"],
        ),
        ({"shapes": [3]}, ["$.shapes[0] must be an object, not 3"]),
        ({"pair": ["a"]}, ["$.pair must be a list with 2 or more items, but the number of items is 1"]),
        ({"pair": ["a", "b", "c"]}, ["$.pair[2] is not in the format"]),
        ({"sizes": {"a": None}}, ["$.sizes.a must be a number, not null"]),
        ({"grade": True}, ["$.grade must be 'a', 1, None, not true"]),
        ({"nested": [[0]]}, ["$.nested[0][0] must be true or false or a list, not 0"]),
    ],
)
def test_each_place_that_does_not_fit_is_told(document: Any, faults: list[str]) -> None:
    assert [str(fault) for fault in schema_faults(document, SCHEMA)] == faults


def test_faults_are_counted_no_further_than_asked() -> None:
    assert len(schema_faults({"sizes": dict.fromkeys("abcdef")}, SCHEMA, most=4)) == 4
