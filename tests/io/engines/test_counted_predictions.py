"""Counting where predictions are kept gives the numbers that reading every row gives."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from repetitions import repetitions

import evalstats
from evalstats import EvalstatsWarning, TableError
from evalstats.io.engines import files, frames

pytestmark = pytest.mark.usefixtures("everything_is_large")

ROWS: dict[str, list[Any]] = {
    "dataset": ["d"] * 12,
    "classifier": ["a"] * 6 + ["b"] * 6,
    "row": [0, 1, 2, 3, 4, 5] * 2,
    "y_true": ["u", "u", "v", "v", "u", "v"] * 2,
    "y_pred": ["u", "u", "v", "v", "u", "u", "u", "v", "u", "u", "v", "v"],
}


def _pandas(rows: Any) -> Any:
    return import_module("pandas").DataFrame(rows)


def _categories(rows: Any) -> Any:
    return _pandas(rows).astype({"classifier": "category", "y_true": "category", "y_pred": "category"})


def _polars(rows: Any) -> Any:
    return import_module("polars").DataFrame(rows)


def _polars_lazy(rows: Any) -> Any:
    return import_module("polars").LazyFrame(rows)


def _arrow(rows: Any) -> Any:
    return import_module("pyarrow").table(rows)


def _duckdb(rows: Any) -> Any:
    return import_module("duckdb").from_arrow(_arrow(rows))


def _dask(rows: Any) -> Any:
    return import_module("dask.dataframe").from_pandas(_pandas(rows), npartitions=3)


def _ibis(rows: Any) -> Any:
    return import_module("ibis").memtable(_arrow(rows))


ENGINES = (_pandas, _categories, _polars, _polars_lazy, _arrow, _duckdb, _dask, _ibis)


READINGS = {"all": {}, "mean": {"metric": "accuracy", "aggregate": "mean"}}


@cache
def numbers_of_rows(seed: int, reading: str, generated: Callable[[int], Any], outcome: Callable[..., Any]) -> str:
    """Return what the rows give one by one, which is the same for every engine."""
    return str(outcome(generated(seed), **READINGS[reading])[1])


@pytest.mark.sampled
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.__name__[1:])
def test_every_engine_gives_the_numbers_of_the_rows(
    engine: Callable[[Any], Any], generated: Callable[[int], Any], outcome: Callable[..., Any]
) -> None:
    """All integers and p-values of a comparison, over tables of any kind; the rows never leave the engine."""
    # dask takes ten times as long as the others
    for seed in range(repetitions(4, short=2) if engine is _dask else 4):
        rows = generated(seed)
        for name, reading in READINGS.items():
            was_counted, counted = outcome(engine(rows), **reading)

            assert was_counted
            assert counted == numbers_of_rows(seed, name, generated, outcome)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.__name__[1:])
def test_without_a_column_of_datasets_there_is_one(engine: Callable[[Any], Any], outcome: Callable[..., Any]) -> None:
    rows = {name: column for name, column in ROWS.items() if name != "dataset"}

    was_counted, counted = outcome(engine(rows))

    assert was_counted
    assert counted == outcome(rows)[1] == outcome(rows | {"dataset": ["dataset"] * 12})[1]


@pytest.mark.sampled
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.__name__[1:])
def test_what_cannot_be_counted_is_read_row_by_row(engine: Callable[[Any], Any], outcome: Callable[..., Any]) -> None:
    """A permutation test draws the cases in their order; scores of the positive label are sorted."""
    rows = {**ROWS, "y_score": [0.1 * i for i in range(12)]}

    for reading in ({"metric": "f1_macro"}, {"metric": "roc_auc"}):
        assert outcome(engine(rows), **reading)[1] == outcome(rows, **reading)[1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"row": [0, 0, 2, 3, 4, 5] * 2}, "rows 1 and 2 are the same for 'd' / 'a'"),
        (
            {"row": [0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5]},
            "the instance of row 1 of 'a' is not among the instances of 'b'",
        ),
        ({"y_true": ["v", *ROWS["y_true"][1:]]}, "the instance of rows 1 and 7 of dataset 'd' has two"),
        ({"y_pred": ["u", None, *ROWS["y_pred"][2:]]}, "row 2, column 'y_pred': the predicted label is missing"),
        ({"row": ["0", " 0", "2", "3", "4", "5"] * 2}, "rows 1 and 2 are the same for 'd' / 'a'"),
        (
            {"classifier": ["a"] * 6 + [None] + ["b"] * 5},
            "row 7, column 'classifier': the name of a classifier is empty",
        ),
        ({"dataset": None, "row": [0, 0, 2, 3, 4, 5] * 2}, "rows 1 and 2 are the same for 'dataset' / 'a'; if the"),
        (
            {"y_pred": ["u", "0.5", *ROWS["y_pred"][2:]]},
            "row 2, column 'y_pred': '0.5' is a number, but not a true label",
        ),
    ],
)
@pytest.mark.parametrize("engine", [_pandas, _polars_lazy, _duckdb], ids=lambda engine: engine.__name__[1:])
def test_what_is_wrong_is_told_as_of_a_small_table(engine: Callable[[Any], Any], change: Any, message: str) -> None:
    rows = {name: column for name, column in (ROWS | change).items() if column is not None}
    with pytest.raises(TableError) as small:
        evalstats.compare(rows)
    with pytest.raises(TableError) as large:
        evalstats.compare(engine(rows))

    assert message in str(small.value)
    assert str(large.value) == str(small.value)


def test_other_folds_of_the_same_cases_are_told() -> None:
    rows = {**ROWS, "fold": [1, 1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 1]}

    with pytest.warns(EvalstatsWarning, match="were tested in different folds of dataset 'd'"):
        evalstats.read_table(_polars(rows))


def test_names_that_are_one_in_two_spellings_are_one(outcome: Callable[..., Any]) -> None:
    spelled = {**ROWS, "classifier": ["a", " a"] * 3 + ["b"] * 6, "row": ["i", "j", "k", "l", "m", "n"] * 2}

    was_counted, counted = outcome(_polars(spelled))

    assert was_counted
    assert counted == outcome(spelled)[1]


def test_labels_of_two_spellings_agree(outcome: Callable[..., Any]) -> None:
    spelled = {**ROWS, "y_pred": [f" {label}" for label in ROWS["y_pred"]]}

    assert outcome(_polars(spelled)) == (False, outcome(ROWS)[1])


def test_more_classifiers_than_bits_of_a_word(outcome: Callable[..., Any]) -> None:
    names = [f"model {j}" for j in range(70)]
    rows: dict[str, list[Any]] = {"dataset": [], "classifier": [], "row": [], "y_true": [], "y_pred": []}
    for j, name in enumerate(names):
        for i in range(9):
            cell = {"dataset": "d", "classifier": name, "row": i, "y_true": i % 2, "y_pred": (i * j // 7) % 2}
            for column, value in cell.items():
                rows[column].append(value)

    for engine in (_pandas, _polars, _duckdb):
        assert outcome(engine(rows), metric="accuracy") == (True, outcome(rows, metric="accuracy")[1])


def test_chosen_classifiers_keep_their_counts() -> None:
    rows = {name: [*column, *column[:6]] for name, column in ROWS.items()}
    rows["classifier"] = ["a"] * 6 + ["b"] * 6 + ["c"] * 6
    chosen = evalstats.read_table(_polars(rows)).select(["c", "b"])

    assert chosen._scored is not None
    assert chosen._scored._predictions._counted is not None
    of_rows = evalstats.read_table(rows).select(["c", "b"])
    assert repr(evalstats.compare(chosen).to_dict()) == repr(evalstats.compare(of_rows).to_dict())
    assert chosen._scored._predictions.one_by_one().instance is not None


def test_a_table_that_was_counted_can_be_copied() -> None:
    """No engine can be pickled; what it holds can."""
    table = evalstats.read_table(_duckdb(ROWS))
    copy = pickle.loads(pickle.dumps(table))

    assert repr(evalstats.compare(copy).to_dict()) == repr(evalstats.compare(table).to_dict())
    assert copy._scored._predictions.one_by_one().instance is not None


def test_a_wide_table_that_an_engine_holds_is_a_table_of_scores(tmp_path: Path) -> None:
    scores = {"dataset": ["x", "y", "z"], "a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.4]}

    for engine in (_polars_lazy, _duckdb, _dask, _ibis):
        table = evalstats.read_table(engine(scores))

        assert table.scores.tolist() == [[0.1, 0.3], [0.2, 0.2], [0.3, 0.4]]
        assert table.datasets == ("x", "y", "z")


def rows_of_two_sets(column: str, n: int = 30) -> dict[str, list[Any]]:
    """Return predictions that are all right of training data, and some wrong of test data."""
    rows = [
        ("train" if i % 3 else "Test", i, classifier, i % 2, i % 2 if i % 3 else (i + (i % 9 < wrong)) % 2)
        for i in range(n)
        for classifier, wrong in (("a", 1), ("b", 4))
    ]
    names = (column, "case", "classifier", "y_true", "y_pred")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def sources_of(rows: dict[str, list[Any]], folder: Path) -> list[Any]:
    """Return one table as frames of each kind and in files."""
    frame = _pandas(rows)
    frame.to_parquet(folder / "x.parquet")
    frame.to_csv(folder / "x.csv", index=False)
    (folder / "both").mkdir()
    for part in range(2):
        frame[part::2].to_parquet(folder / "both" / f"{part}.parquet")
    categories = frame.astype({frame.columns[0]: "category"})
    kept = [make(rows) for make in ENGINES if make not in (_pandas, _categories)]
    return [frame, categories, *kept, *(folder / name for name in ("x.parquet", "x.csv", "both"))]


@pytest.mark.sampled
@pytest.mark.parametrize("column", ["split", "set", "phase"])
@pytest.mark.parametrize("with_duckdb", [True, False])
def test_rows_of_training_data_are_not_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, column: str, with_duckdb: bool
) -> None:
    monkeypatch.setattr(files, "has_duckdb", lambda: with_duckdb)
    monkeypatch.setattr(frames, "FEWEST_OF_DUCKDB", 0 if with_duckdb else 10**9)

    sources = sources_of(rows_of_two_sets(column), tmp_path)
    # every engine finds the rows of a set in the same way, whatever its column is called; a long run tries each of them
    is_long = repetitions(2) > 1
    for source in sources if column == "split" or is_long else [sources[0], *sources[-3:]]:
        counted = evalstats.read_table(source, metric="accuracy")
        one_by_one = evalstats.read_predictions(source)

        assert counted.scores.tolist() == [[0.6, 0.3]]
        assert counted.folds == ()
        assert len(one_by_one.y_true) == 20
        said = f"The rows with 'Test' in '{column}' are read, and the rows with 'train' are not."
        assert said in [finding.sentence for finding in (*counted.findings, *one_by_one.findings)]


def test_what_is_wrong_is_told_by_its_row_among_all(tmp_path: Path) -> None:
    rows = rows_of_two_sets("split")
    rows["case"][18] = rows["case"][12]  # rows 19 and 13 are of one classifier and of test data

    for source in sources_of(rows, tmp_path)[:2]:
        with pytest.raises(TableError, match="rows 13 and 19 are the same"):
            evalstats.read_table(source, metric="accuracy")
    with pytest.raises(TableError, match="lines 14 and 20 are the same"):
        evalstats.read_table(tmp_path / "x.csv", metric="accuracy")


def test_scores_of_training_data_in_large_tables_are_not_read(tmp_path: Path) -> None:
    rows = {"dataset": ["x"] * 4, "classifier": ["a", "a", "b", "b"], "split": ["train", "test"] * 2}

    for source in sources_of({**rows, "accuracy": [1.0, 0.5, 1.0, 0.25]}, tmp_path):
        table = evalstats.read_table(source)
        assert (table.scores.tolist(), table.folds) == ([[0.5, 0.25]], ())


def test_true_labels_called_like_sets_are_labels() -> None:
    labels = ["train", "test"] * 4
    source = _pandas({"case": range(8), "y_true": labels, "y_pred": labels, "split": [1, 2] * 4})

    assert evalstats.read_table(source, metric="accuracy").scores.tolist() == [[1.0]]
