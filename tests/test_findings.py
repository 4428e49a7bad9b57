"""A finding is a code for programs, a severity, and a sentence for readers; the gravest stand first."""

from __future__ import annotations

import json

import numpy as np

from evalstats import Finding
from evalstats._findings import gravest_first


def found(code: str, severity: str, *places: dict[str, object], **numbers: float) -> Finding:
    return Finding(code=code, severity=severity, sentence=f"this is {code}", places=places, numbers=numbers)


def test_errors_stand_before_warnings_before_notes() -> None:
    """Findings of one severity keep their order."""
    findings = [found("a", "note"), found("b", "error"), found("c", "warning"), found("d", "error")]

    assert [one.code for one in gravest_first(findings)] == ["b", "d", "c", "a"]


def test_names_of_one_kind_are_told_once() -> None:
    one = found("x", "note", {"dataset": "d", "classifier": "b"}, {"dataset": "d", "classifier": "a"}, {"fold": 3})

    assert (one.named("dataset"), one.named("classifier"), one.named("fold")) == (("d",), ("b", "a"), (3,))
    assert one.named("repeat") == ()


def test_string_is_severity_and_sentence() -> None:
    assert str(found("x", "warning")) == "warning: this is x"


def test_record_is_json() -> None:
    record = found("x", "note", {"fold": np.int64(3)}, share=np.float64(0.5)).to_dict()

    assert json.loads(json.dumps(record))["places"] == [{"fold": 3}]
    assert list(record) == ["code", "severity", "sentence", "places", "numbers"]
