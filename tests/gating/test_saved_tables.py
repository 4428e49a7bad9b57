"""Reports as they were written, and no others."""

from __future__ import annotations

import json

import numpy as np
import pytest

import evalstats
from evalstats import EvalstatsError, report
from evalstats.gating.saved_tables import saved_table
from evalstats.io.reader.record_text import checksum

TABLE = evalstats.example_table("demsar-2006")
SAVED = report.json(evalstats.compare(TABLE))


def test_table_comes_back(tmp_path):
    for name in ("report.json", "report.txt"):
        (tmp_path / name).write_text(SAVED, encoding="utf-8")
        found = saved_table(tmp_path / name)

        assert np.array_equal(found.table.scores, TABLE.scores)
        assert (found.table.metric, found.n_questions) == ("AUC", None)


@pytest.mark.parametrize("source", [{"kind": "other"}, [1], "nowhere.json", 3])
def test_other_sources_are_none(source):
    assert saved_table(source) is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("0.763", "0.963"), "checksum does not fit"),
        (lambda text: text.replace('"schema_version": 2', '"schema_version": 1'), "schema version 1, and this"),
        (lambda text: text.replace('"verdict"', '"other": 1,\n  "verdict"', 1), "other is not in the format"),
        (
            lambda text: text.replace('"verdict"', '"verdict": "x",\n  "verdict"', 1),
            "'verdict' stands twice in one object",
        ),
        (lambda text: text.replace("0.763", "NaN"), "NaN, which is no JSON"),
        (lambda text: text[: len(text) // 2], "a part of the report is missing"),
        (
            lambda text: text.replace('"kind": "evalstats comparison"', '"kind": "evalstats gating"'),
            "gating is missing",
        ),
    ],
)
def test_edited_reports_are_refused(tmp_path, change, message):
    path = tmp_path / "report.json"
    path.write_text(change(SAVED), encoding="utf-8")

    with pytest.raises(EvalstatsError, match=message):
        saved_table(path)


def test_report_without_its_checksum_is_refused():
    document = json.loads(SAVED)
    del document["checksum"]

    with pytest.raises(EvalstatsError, match="checksum is missing"):
        saved_table(document)


def test_unknown_key_of_the_table_is_refused_even_with_a_checksum():
    document = json.loads(SAVED)
    document["comparison"]["table"]["weights"] = [1]
    document["checksum"] = checksum(document)

    with pytest.raises(EvalstatsError, match=r"table\.weights is not in the format"):
        saved_table(document)


def test_report_by_several_metrics_asks_for_one():
    by_metric = evalstats.compare(
        {"accuracy": TABLE.to_frame(), "F1": TABLE.to_frame() - 0.1}, metric=["accuracy", "F1"]
    )
    document = json.loads(report.json(by_metric))

    with pytest.raises(EvalstatsError, match=r"by several metrics \('accuracy', 'F1'\); choose one with metric="):
        saved_table(document)
    assert saved_table(document, "F1").table.scores == pytest.approx(TABLE.scores - 0.1)
    with pytest.raises(EvalstatsError, match="not by 'AUC'"):
        saved_table(document, "AUC")


def test_report_without_a_table_is_refused():
    document = json.loads(report.json(evalstats.sign_test([1, 2, 3], [0, 0, 0])))

    with pytest.raises(EvalstatsError, match="which holds no table of scores"):
        saved_table(document)


def test_questions_tell_how_many_they_are():
    rows = [(m, f"b{i % 3}", i, (i * 7 + len(m)) % 3 > 0) for m in ("x", "yy") for i in range(60)]
    columns = dict(zip(("model", "benchmark", "item_id", "correct"), map(list, zip(*rows, strict=True)), strict=True))

    found = saved_table(json.loads(report.json(evalstats.compare(columns))))

    assert (found.n_questions, found.table.datasets, found.table.metric) == (60, ("b0", "b1", "b2"), "accuracy")


def test_direction_that_was_told_is_known():
    told = evalstats.compare(TABLE.to_frame(), greater_is_better=True)

    assert saved_table(json.loads(report.json(told))).knows_direction
    assert not saved_table(json.loads(SAVED)).knows_direction
