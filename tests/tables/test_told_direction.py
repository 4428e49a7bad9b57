"""A title or a file that speaks of errors is not passed over where nothing else names the metric."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from evalstats import TableError, read_table

ROWS = "dataset,LR,NB\na,0.1,0.2\nb,0.3,0.1\n"


@pytest.mark.parametrize("title", ["Table 3: Error rates of two classifiers", "RMSE on the test sets", "Mean log loss"])
def test_title_of_losses_is_asked_about(title: str) -> None:
    text = f"{title}\n{ROWS}"

    with pytest.raises(TableError, match="a line above the table speaks of losses or errors"):
        read_table(io.StringIO(text))
    assert not read_table(io.StringIO(text), metric="error rate").greater_is_better
    assert read_table(io.StringIO(text), greater_is_better=True).greater_is_better


@pytest.mark.parametrize("title", ["Table 1. Accuracy", "Accuracy and its standard error", "Results"])
def test_other_titles_are_no_evidence(title: str) -> None:
    assert read_table(io.StringIO(f"{title}\n{ROWS}")).greater_is_better


def test_name_of_a_file_is_evidence(tmp_path: Path) -> None:
    for name, is_loss in (("rmse.csv", True), ("test_error.csv", True), ("scores.csv", False)):
        path = tmp_path / name
        path.write_text(ROWS)
        if is_loss:
            with pytest.raises(TableError, match="the name of the file speaks of losses or errors"):
                read_table(path)
        else:
            assert read_table(path).greater_is_better


def test_corner_cell_names_the_metric() -> None:
    table = read_table(io.StringIO(ROWS.replace("dataset", "error rate")))

    assert (table.metric, table.greater_is_better) == ("error rate", False)


def test_arrows_at_datasets_are_asked_about() -> None:
    rows = ROWS.replace("\na,", "\na (↓),").replace("\nb,", "\nb (↑),")

    with pytest.raises(TableError, match="the names of datasets have the arrows '↑', '↓', which tell directions"):
        read_table(io.StringIO(rows))
    assert not read_table(io.StringIO(rows.replace("↑", "↓")), greater_is_better=False).greater_is_better
