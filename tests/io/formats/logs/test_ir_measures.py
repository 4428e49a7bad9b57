"""ir_measures: scores of runs for each query, in a table and as its command prints them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

from evalstats import TableError, compare, read_table

SAMPLES = Path(__file__).parents[3] / "data" / "formats" / "ir-measures"
MEASURED = pd.read_csv(SAMPLES / "scores.csv")


@pytest.mark.parametrize("metric", ["AP", "nDCG@10"])
def test_table_and_texts_hold_the_scores_of_each_query(metric) -> None:
    truth = MEASURED[MEASURED["measure"] == metric].pivot(index="query_id", columns="run", values="value")
    texts = [SAMPLES / "bm25.txt", SAMPLES / "splade.txt"]

    for source, digits in ((SAMPLES / "scores.csv", 12), (MEASURED, 12), (texts, 4)):
        table = read_table(source, metric=metric)
        assert (table.classifiers, table.greater_is_better) == (("bm25", "splade"), True)
        assert table.scores.mean(axis=0) == pytest.approx(truth.mean().to_numpy(), abs=10.0**-digits)


def test_runs_are_compared_query_by_query() -> None:
    compared = compare(SAMPLES / "scores.csv", metric="AP")

    assert (compared.design, len(compared.pairs)) == ("questions", 1)


def test_measure_is_asked_for() -> None:
    with pytest.raises(TableError, match="holds the metrics 'AP', 'nDCG@10'; choose one, for example metric='AP'"):
        read_table(SAMPLES / "scores.csv")


def test_means_alone_are_refused_with_what_to_type(tmp_path) -> None:
    (tmp_path / "bm25.txt").write_text("all\tAP\t0.7681\nall\tnDCG@10\t0.8536\n")

    with pytest.raises(TableError, match="only means over all queries; call ir_measures with the option -q"):
        read_table(tmp_path / "bm25.txt")


def test_directory_of_printed_scores_is_read(tmp_path) -> None:
    for name in ("bm25.txt", "splade.txt"):
        shutil.copy(SAMPLES / name, tmp_path)

    assert read_table(tmp_path, metric="AP").classifiers == ("bm25", "splade")


@pytest.mark.parametrize(
    ("line", "message"),
    [("q9 AP\n", "line 17 is not a query, a measure and a value"), ("q9\tAP\tnan\n", "missing|not scored")],
)
def test_damaged_lines_are_told(line, message, tmp_path) -> None:
    text = (SAMPLES / "bm25.txt").read_text().partition("all\t")[0]
    (tmp_path / "bm25.txt").write_text(text + line)
    shutil.copy(SAMPLES / "splade.txt", tmp_path)

    with pytest.raises(TableError, match=message):
        read_table(tmp_path, metric="AP")


def test_json_lines_hold_the_scores_of_each_query() -> None:
    """The mean has no query."""
    table = read_table([SAMPLES / "first.jsonl", SAMPLES / "second.jsonl"])

    assert table.classifiers == ("first", "second")
    assert table._items.scores.tolist() == [[0.9, 0.7], [0.5, 0.4], [0.8, 0.75], [0.6, 0.65]]


def test_printed_ties_are_told(tmp_path) -> None:
    for name, score in (("a", "0.4001"), ("b", "0.3000")):
        (tmp_path / f"{name}.txt").write_text(f"q1\tAP\t0.2500\nq2\tAP\t{score}\n")

    findings = {one.code: one.sentence for one in read_table(tmp_path).findings}

    assert "on 1 of 2 queries, some equal scores may be due to rounding" in findings["printed-ties"]
