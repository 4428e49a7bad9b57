"""A record without a report of its own is shown by its sentence, its findings and its fields."""

from __future__ import annotations

import numpy as np
import pandas as pd
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


def test_pairs_are_a_table() -> None:
    result = evalstats.nemenyi_test(np.arange(30).reshape(10, 3))

    rows, pairs = document(result, Extent()).sections[0].blocks

    assert not {"statistic", "pvalue"} & set(dict(rows.rows))
    assert dict(rows.rows)["mean_ranks"] == "3, 2, 1"
    assert [column.head for column in pairs.columns] == ["first", "second", "statistic", "pvalue"]
    assert [row[:2] for row in pairs.rows] == [("0", "1"), ("0", "2"), ("1", "2")]
    assert [float(row[3]) for row in pairs.rows] == pytest.approx(result.pvalue[np.triu_indices(3, 1)], rel=1e-5)


def test_of_many_pairs_the_smallest_pvalues_are_shown() -> None:
    result = evalstats.nemenyi_test(np.random.default_rng(1).random((10, 12)))

    pairs = document(result, Extent()).sections[0].blocks[1]

    smallest = np.sort(result.pvalue[np.triu_indices(12, 1)])[: len(pairs.rows)]
    assert pairs.caption == "Each pair, the 40 smallest p-values of 66."
    assert [float(row[3]) for row in pairs.rows] == pytest.approx(smallest, rel=1e-5)


def test_control_keeps_its_own_values() -> None:
    rows, pairs = document(evalstats.bonferroni_dunn_test(np.eye(5)[:, :3], control=1), Extent()).sections[0].blocks

    assert dict(rows.rows)["mean_ranks"].count(",") == 2
    assert [row[:2] for row in pairs.rows] == [("0", "1"), ("2", "1")]


def test_contingency_table_says_what_its_cells_count() -> None:
    table = document(evalstats.mcnemar_test([1, 1, 1, 0], [0, 0, 1, 1]), Extent()).sections[0].blocks[1]

    assert [column.head for column in table.columns] == ["", "y is correct", "y is incorrect"]
    assert table.rows == (("x is correct", "1", "2"), ("x is incorrect", "1", "0"))


def test_large_matrix_shows_what_is_farthest_from_zero() -> None:
    counts = np.ones((20, 20), dtype=int)
    counts[3, 4] = 900
    result = evalstats.cohen_kappa_table(counts)

    (table,) = (block for block in document(result, Extent()).sections[0].blocks if block.name == "table")

    assert table.rows[0] == ("3", "4", "900")
    assert table.caption == "Table, the 40 entries farthest from zero of 400."


def test_no_more_rows_than_asked_for() -> None:
    result = evalstats.sign_test([5, 7, 3], [4, 4, 4])

    assert len(document(result, Extent(max_rows=2)).sections[0].blocks[0].rows) == 2


def test_records_in_a_record_are_a_table() -> None:
    """A notebook shows a row for each pair of a margin, not one long cell."""
    margins = evalstats.compare(evalstats.example_table("demsar-2006"), control="C4.5", margin=0.02).margins

    fields, pairs = document(margins, Extent()).sections[0].blocks

    assert "pairs" not in dict(fields.rows)
    assert [column.head for column in pairs.columns][:3] == ["classifier", "reference", "difference"]
    assert [row[0] for row in pairs.rows] == [pair.classifier for pair in margins.pairs]
    assert [row[-1] for row in pairs.rows] == [f"{pair.smallest_margin:.6g}" for pair in margins.pairs]
    assert margins._repr_html_().count("<tr") == 1 + len(fields.rows) + 1 + len(margins.pairs)
    assert "the first 2 of 3 rows" in document(margins, Extent(max_rows=2)).sections[0].blocks[1].caption


def test_series_of_many_classifiers_has_their_names():
    """The mean ranks of 25 classifiers are a table whose rows are the classifiers."""
    scores = pd.DataFrame(np.random.default_rng(0).random((12, 25)), columns=[f"c{i}" for i in range(25)])

    for test in (evalstats.friedman_test, evalstats.nemenyi_test):
        blocks = [
            block
            for one in document(test(scores), Extent()).sections
            for block in one.blocks
            if isinstance(block, Table)
        ]
        (ranks,) = (block for block in blocks if block.name == "mean_ranks")
        assert [row[0] for row in ranks.rows] == list(scores.columns)
