"""A comparison on questions is a record like all others."""

from __future__ import annotations

import json

import pytest

import evalstats

ANSWERS = {"model": ["a", "b", "c"] * 8, "question": [q for q in range(8) for _ in "abc"]}
ANSWERS["correct"] = [1, 0, 0] * 5 + [1, 1, 0] * 3
ANSWERS["passage"] = [q // 2 for q in range(8) for _ in "abc"]
COMPARISON = evalstats.compare(ANSWERS)


def test_record_is_plain() -> None:
    told = COMPARISON.to_dict()

    assert json.loads(json.dumps(told))["ranking"] == ["a", "b", "c"]
    assert len(COMPARISON.to_columns()["pvalue"]) == 3


def test_pair_is_found_by_its_names() -> None:
    assert COMPARISON.pair("c", "a").first == "a"
    with pytest.raises(ValueError, match="no pair of 'a' and 'd' was compared"):
        COMPARISON.pair("a", "d")


def test_text_is_the_verdict() -> None:
    assert str(COMPARISON) == COMPARISON.verdict == evalstats.report.sentence(COMPARISON)
