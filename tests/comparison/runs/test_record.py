"""A report over runs is written with every number, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import json

from evalstats.comparison.runs.record import RunAnalysis


def test_csv_has_every_number(report: RunAnalysis) -> None:
    rows = list(csv.DictReader(io.StringIO(report.to_csv())))
    found = {(r["dataset"], r["classifier"], r["against"], r["quantity"]): r for r in rows}

    assert len(found) == len(rows)
    for pair in report.pairs:
        row = found[pair.dataset, pair.first, pair.second, "reproducibility"]
        assert [float(row[name]) for name in ("value", "low", "high")] == [pair.reproducibility, *pair.interval]
    for one in report.estimates:
        assert float(found[one.dataset, one.classifier, "", "long_run_mean"]["value"]) == one.long_run_mean
    assert found["", "C4.5", "SVM", "n_significant"] != found["", "SVM", "C4.5", "n_significant"]


def test_record_is_json(report: RunAnalysis) -> None:
    record = json.loads(json.dumps(report.to_dict()))

    assert len(record["estimates"]) == 15
    assert record["pairs"][0]["interval"]["confidence_level"] == 0.95
