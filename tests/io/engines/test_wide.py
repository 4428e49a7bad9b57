"""Counting a file with a column for each classifier gives the numbers, findings and refusals of reading its rows."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evalstats
from evalstats import TableError, read_predictions
from evalstats.io.engines import wide
from evalstats.io.reader.predictions import counted_predictions

pytestmark = pytest.mark.usefixtures("everything_is_large")

Rows = dict[str, list[Any]]


@pytest.fixture(autouse=True)
def _examples_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide, "FEWEST_ROWS", 0)
    monkeypatch.setattr(wide, "N_EXAMPLES", 20)
    monkeypatch.setattr(wide, "MOST_VALUES", 15)


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """Return whether the rows of a file were counted, and what is found of it, with and without counting."""

    def outcomes(rows: Rows, **reading: Any) -> tuple[bool, Any, Any]:
        path = str(tmp_path / "wide.parquet")
        pq.write_table(pa.table(rows), path)
        with monkeypatch.context() as patched:
            read = []
            plain = wide.ColumnsLater.__getitem__
            patched.setattr(wide.ColumnsLater, "__getitem__", lambda self, at: read.append(at) or plain(self, at))
            counted = _outcome(path, **reading)
        with monkeypatch.context() as patched:
            patched.setattr(wide, "FEWEST_ROWS", 10**9)
            return not read, counted, _outcome(path, **reading)

    return outcomes


def _outcome(path: str, **reading: Any) -> Any:
    """Return all numbers and findings of a comparison, or why there is none."""
    try:
        return repr(evalstats.compare(path, n_resamples=99, rng=0, **reading).to_dict())
    except evalstats.EvalstatsError as error:
        return str(error)


def generate(seed: int) -> Rows:
    """Make a wide table: labels of words or numbers, instances with names or without, folds and datasets or none."""
    rng = np.random.default_rng(seed)
    n, n_labels, k = int(rng.integers(60, 100)), int(rng.choice([2, 4])), int(rng.choice([2, 3, 4]))
    true = np.concatenate([np.arange(n_labels), rng.integers(0, n_labels, n - n_labels)])
    columns: dict[str, Any] = {"row": rng.permutation(n), "fold": np.arange(n) % 3 + 1, "y_true": true}
    columns["dataset"] = np.array(["d1", "d2"])[np.arange(n) // (n // 2 + 1)]
    for j in range(k):
        columns[["NB", "SVM", "RF", "LR"][j]] = np.where(
            rng.random(n) < 0.6 + 0.1 * j, true, rng.integers(0, n_labels, n)
        )
    if rng.random() < 0.5:
        columns["row"] = np.array([f"q{i}" for i in columns["row"]])
    if rng.random() < 0.5:
        for name in ("y_true", "NB", "SVM", "RF", "LR"):
            if name in columns:
                columns[name] = np.array([f"class {label}" for label in columns[name]])
    left_out = {name for name in ("row", "fold", "dataset") if rng.random() < 0.5}
    return {name: column.tolist() for name, column in columns.items() if name not in left_out}


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(24))
def test_counting_gives_the_comparison_of_the_rows(seed: int, both: Callable[..., Any]) -> None:
    """All numbers and findings, over tables of any kind; no cell of the file is read beyond the examples."""
    was_counted, counted, read = both(generate(seed))

    assert was_counted
    assert counted == read


@pytest.fixture
def rows() -> Rows:
    rng = np.random.default_rng(0)
    true = rng.integers(0, 2, 80)
    names = {"NB": 0.7, "SVM": 0.8}
    found = {name: np.where(rng.random(80) < right, true, 1 - true).tolist() for name, right in names.items()}
    return {"row": list(range(80)), "y_true": true.tolist(), **found}


def test_a_label_that_only_one_row_has_is_counted(rows: Rows, both: Callable[..., Any]) -> None:
    """It is not among the first rows, and one row with it is added to the examples."""
    rows["SVM"][-1] = 2

    was_counted, counted, read = both(rows)

    assert was_counted
    assert counted == read
    assert "2" in counted


FAULTS: dict[str, Callable[[Rows], Any]] = {
    "an instance that occurs twice": lambda rows: rows["row"].__setitem__(79, 0),
    "an instance without a name": lambda rows: rows["row"].__setitem__(79, None),
    "a true label that is missing": lambda rows: rows["y_true"].__setitem__(79, None),
    "a predicted label that is missing": lambda rows: rows["NB"].__setitem__(79, None),
    "a column of fractions": lambda rows: rows.update(RF=[i / 80 for i in range(80)]),
    "a column of other words": lambda rows: rows.update(RF=["x"] * 70 + ["y"] * 10),
    "many labels that are never true": lambda rows: rows.update(SVM=[0] * 20 + [2 + i % 9 for i in range(60)]),
    "a column that marks errors, but not all": lambda rows: rows.update(
        wrong=[*(int(a != b) for a, b in zip(rows["y_true"][:-1], rows["NB"][:-1], strict=True)), 1]
    ),
    "a column that marks errors": lambda rows: rows.update(
        wrong=[int(a != b) for a, b in zip(rows["y_true"], rows["NB"], strict=True)]
    ),
    "training and test rows": lambda rows: rows.update(split=["test"] * 40 + ["train"] * 40),
    "a column of other numbers": lambda rows: rows.update(n=list(range(100, 180))),
    "names with commas": lambda rows: rows.update(row=[f"{i},5" for i in range(80)]),
    "names with blanks": lambda rows: rows.update(row=[f"q {i}" for i in range(80)]),
    "repeats": lambda rows: rows.update(repeat=[1] * 40 + [2] * 40),
    "no true labels": lambda rows: rows.pop("y_true"),
    "labels in a column of another name": lambda rows: rows.update(label=rows.pop("y_true")),
}


@pytest.mark.sampled
@pytest.mark.parametrize("fault", FAULTS)
def test_any_other_table_is_read_as_before(fault: str, rows: Rows, both: Callable[..., Any]) -> None:
    FAULTS[fault](rows)

    _, counted, read = both(rows)

    assert counted == read


@pytest.mark.sampled
@pytest.mark.parametrize(
    "reading",
    [
        {"drop": "note"},
        {"keep": "note"},
        {"columns": {"instance": "note"}},
        {"columns": {"y_true": "SVM"}},
        {"columns": {"subgroup": "note"}},
        {"rows_are": "instances", "drop": "note"},
        {"rows_are": "datasets", "drop": "note"},
        {"layout": "wide", "drop": "note"},
        {"layout": "predictions", "drop": "note"},
        {"metric": "f1", "drop": "note", "pos_label": 1},
        {"metric": "no such metric", "drop": "note"},
        {"drop": "note", "missing": "drop-instances"},
    ],
    ids=str,
)
def test_options_have_the_same_effect(reading: dict[str, Any], rows: Rows, both: Callable[..., Any]) -> None:
    rows["note"] = [f"n{i}" for i in range(80)]

    _, counted, read = both(rows, **reading)

    assert counted == read


def test_rows_are_read_when_they_are_asked_for(rows: Rows, tmp_path: Path) -> None:
    """The single predictions are those that `read_predictions` returns, also after the record was copied."""
    path = str(tmp_path / "wide.parquet")
    pq.write_table(pa.table(rows), path)
    counted = counted_predictions(path)

    assert counted._counted is not None
    for own in (counted, pickle.loads(pickle.dumps(counted))):
        assert own.one_by_one().to_columns() == read_predictions(path).to_columns()


def test_a_fault_is_named_with_its_row(rows: Rows, tmp_path: Path) -> None:
    rows["row"][79] = 0
    path = str(tmp_path / "wide.parquet")
    pq.write_table(pa.table(rows), path)

    with pytest.raises(TableError, match="rows 1 and 80 are the same"):
        evalstats.compare(path)
