"""A record without a report of its own is shown by its sentence, its findings and its fields."""

from __future__ import annotations

import numpy as np
import pytest

import evalstats
from evalstats import report
from evalstats.report.blocks import Extent, Listing, Table
from evalstats.report.records.record import document, verdict


def test_batch_has_a_document_and_no_sentence() -> None:
    batch = evalstats.wilcoxon_test(np.eye(4), np.zeros((4, 4)))

    assert report.document(batch).verdict.content == ("A batch of results of the shape (4,).",)
    with pytest.raises(ValueError, match="result must be the result of one problem"):
        report.sentence(batch)


def test_result_of_a_test_is_its_sentence_and_its_fields() -> None:
    result = evalstats.sign_test([5, 7, 3, 8, 6, 4], [4, 4, 4, 4, 1, 4])

    shown = document(result, Extent())

    assert verdict(result) == report.sentence(result)
    assert shown.title == "Sign test"
    (table,) = shown.sections[0].blocks
    assert isinstance(table, Table)
    assert dict(table.rows)["n_wins"] == "4"
    assert dict(table.rows)["pvalue"] == "0.375"


def test_other_record_is_called_by_its_class_and_its_first_values() -> None:
    curve = evalstats.metrics.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])

    said = verdict(curve)

    assert said.startswith("Roc curve: ")
    assert document(curve, Extent()).title == "Roc curve"


def test_findings_stand_before_the_fields() -> None:
    folds = evalstats.metrics.check_folds([1, 1, 0, 0], [1, 1, 2, 2])

    found, fields = document(folds, Extent()).sections[0].blocks

    assert isinstance(found, Listing)
    assert [item for (item,) in found.items] == list(map(str, folds.findings))
    assert isinstance(fields, Table)
    assert "findings" not in dict(fields.rows)


def test_long_arrays_are_told_by_their_range() -> None:
    result = evalstats.nemenyi_test(np.arange(30).reshape(10, 3))

    rows = dict(document(result, Extent()).sections[0].blocks[0].rows)

    assert rows["pvalue"].startswith("3 x 3 values from ")
    assert rows["mean_ranks"] == "3, 2, 1"


def test_no_more_rows_than_asked_for() -> None:
    result = evalstats.sign_test([5, 7, 3], [4, 4, 4])

    assert len(document(result, Extent(most_rows=2)).sections[0].blocks[0].rows) == 2


def test_records_in_a_record_are_a_table() -> None:
    """A notebook shows a row for each pair of a margin, not one long cell."""
    margins = evalstats.compare(evalstats.example_table("demsar-2006"), control="C4.5", margin=0.02).margins

    fields, pairs = document(margins, Extent()).sections[0].blocks

    assert "pairs" not in dict(fields.rows)
    assert [column.head for column in pairs.columns][:3] == ["classifier", "reference", "difference"]
    assert [row[0] for row in pairs.rows] == [pair.classifier for pair in margins.pairs]
    assert [row[-1] for row in pairs.rows] == [f"{pair.smallest_margin:.6g}" for pair in margins.pairs]
    assert margins._repr_html_().count("<tr") == 1 + len(fields.rows) + 1 + len(margins.pairs)
    assert "the first 2 of 3 rows" in document(margins, Extent(most_rows=2)).sections[0].blocks[1].caption
