"""The report for programs: valid JSON, every float whole, the same text every time."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats import Comparison, report
from evalstats.io.reader.saved_reports import SCHEMA_VERSION, report_faults, written


def read(comparison: Comparison) -> dict[str, Any]:
    def refuse(constant: str) -> None:
        message = f"{constant} is not JSON"
        raise ValueError(message)

    record: dict[str, Any] = json.loads(report.json(comparison), parse_constant=refuse)
    return record


def same(value: Any, written: Any) -> bool:
    if isinstance(value, float) and math.isnan(value):
        return written is None
    if isinstance(value, float) and math.isinf(value):
        return bool(written == ("Infinity" if value > 0 else "-Infinity"))
    if isinstance(value, dict):
        return value.keys() == written.keys() and all(same(value[key], written[key]) for key in value)
    if isinstance(value, list):
        return len(value) == len(written) and all(map(same, value, written))
    return type(value) is type(written) and bool(value == written)


def test_round_trip_keeps_every_bit(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        assert same(comparison.to_dict(), read(comparison)["comparison"])


def test_head(on_every_comparison) -> None:
    @on_every_comparison
    def law(comparison: Comparison) -> None:
        record = read(comparison)

        heads = ["kind", "schema_version", "evalstats_version", "versions", "verdict", "read", "comparison", "checksum"]
        assert list(record) == heads
        assert record["kind"] == "evalstats comparison"
        assert record["schema_version"] == SCHEMA_VERSION == 2
        assert record["evalstats_version"] == evalstats.__version__
        assert report_faults(record) == ()


def test_same_text_every_time(named: Callable[[str], Comparison]) -> None:
    table = named("all pairs: some differ").table

    assert report.json(evalstats.compare(table)) == report.json(evalstats.compare(table))


def test_scores_can_be_compared_again(named: Callable[[str], Comparison]) -> None:
    """The record holds its own input: from JSON to the same comparison."""
    written = report.json(named("all pairs: by default, all differ"))
    record = json.loads(written)["comparison"]

    table = evalstats.ScoreTable(
        **{name: record["table"][name] for name in ("datasets", "classifiers", "metric", "greater_is_better")},
        scores=np.array(record["table"]["scores"]),
    )

    assert report.json(evalstats.compare(table, alpha=record["alpha"])) == written


def test_control_is_nan_in_the_record_and_null_in_json(named: Callable[[str], Comparison]) -> None:
    posthoc = read(named("control: one better"))["comparison"]["posthoc"]

    assert posthoc["statistic"][posthoc["control"]] is None


def test_infinity_is_a_string(named: Callable[[str], Comparison]) -> None:
    assert read(named("all pairs: one order, few datasets"))["comparison"]["omnibus"]["f"] == "Infinity"


def test_a_row_of_numbers_is_one_line(named: Callable[[str], Comparison]) -> None:
    assert "      [0.763, 0.768, 0.771, 0.798],\n" in report.json(named("all pairs: some differ"))


def test_what_is_left_out_of_many_pairs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    comparison = evalstats.compare(evalstats.example_table("demsar-2006"))
    assert "left_out" not in read(comparison)

    monkeypatch.setattr("evalstats.comparison.record.MOST_ESTIMATES", 2)
    record = read(comparison)

    assert record["left_out"].startswith("hodges_lehmann is given for the 2 of 6 pairs with the smallest p-values")
    assert sum("hodges_lehmann" in pair for pair in record["comparison"]["pairs"]) == 2


@pytest.mark.parametrize("odd", [1.5, float("nan"), float("-inf")])
def test_rows_written_at_once_are_those_written_one_by_one(odd: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names with braces, quotes and breaks of lines stand in the rows; a nan makes them be written one by one."""
    rows = [{"name": name, "x": x} for name, x in (('},\n      {"', 1.0), ("},\n  {", odd), ("\u2028{", 0.1))]
    text = written({"rows": rows, "none": [], "mixed": [{"a": 1}, {"a": [1, 2]}]})
    monkeypatch.setattr("evalstats.io.reader.saved_reports._rows", lambda *_: [])

    assert text == written({"rows": rows, "none": [], "mixed": [{"a": 1}, {"a": [1, 2]}]})
    assert same({"rows": rows}, {"rows": json.loads(text)["rows"]})
