from __future__ import annotations

import io

import pytest

from evalstats import TableError, read_table


def test_errors_are_errors_whatever_the_metric_is_called(sample, rows, means, content) -> None:
    path = sample("tabarena/results.csv")

    table = read_table(path)

    assert (table.format, table.metric, table.greater_is_better) == ("tabarena", "metric_error", False)
    assert content(table) == pytest.approx(means(rows(path), "dataset", "method", "metric_error"))


def test_metric_keeps_its_datasets(sample, rows, means, content) -> None:
    path = sample("tabarena/results.csv")
    own = [row for row in rows(path) if row["metric"] == "roc_auc"]

    table = read_table(path, metric="roc_auc")

    assert (table.metric, table.greater_is_better) == ("error of roc_auc", False)
    assert content(table) == pytest.approx(means(own, "dataset", "method", "metric_error"))


def test_datasets_with_several_metrics_are_warned_of(sample) -> None:
    found = {one.code: one.severity for one in read_table(sample("tabarena/results.csv")).findings}

    assert found["several-metrics"] == "warning"


def test_imputed_scores_are_told() -> None:
    text = "method,task,metric_error,imputed\na,d,.1,True\nb,d,.2,False\n"

    sentences = " ".join(one.sentence for one in read_table(io.StringIO(text)).findings)

    assert "Imputed by TabArena: 1 of 2 scores" in sentences


def test_unknown_metric_lists_the_known_ones(sample) -> None:
    with pytest.raises(TableError, match=r"has no metric 'f1'; its metrics are 'metric_error', 'log_loss', 'roc_auc'"):
        read_table(sample("tabarena/results.csv"), metric="f1")
