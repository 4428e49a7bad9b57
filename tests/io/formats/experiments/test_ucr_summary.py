from __future__ import annotations

import pytest

from evalstats import TableError, read_table


def test_error_rates_without_the_width_of_the_window(sample, rows, content) -> None:
    path = sample("ucr/DataSummary.csv")
    columns = {name.strip(): name for name in rows(path)[0]}
    classifiers = ("ED (w=0)", "DTW (learned_w)", "DTW (w=100)")
    expected = {
        (row["Name"], name): float(row[columns[name]].partition(" (")[0]) for row in rows(path) for name in classifiers
    }

    table = read_table(path)

    assert (table.format, table.metric, table.greater_is_better) == ("ucr-summary", "error rate", False)
    assert content(table) == expected


def test_accuracy_is_not_there(sample) -> None:
    with pytest.raises(TableError, match=r"holds error rates, not 'accuracy'"):
        read_table(sample("ucr/DataSummary.csv"), metric="accuracy")
