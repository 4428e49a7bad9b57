"""Areas under ROC curves that engines count are those of the rows, to the last bit; what is odd is read row by row.

Sums of what each case adds are those of the rows, but for the last bits of sums of floats.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from repetitions import repetitions

import evalstats
from evalstats import TableError
from evalstats.io.engines import frames
from evalstats.io.options import given_together

pytestmark = pytest.mark.usefixtures("everything_is_large")

N = 60
Rows = dict[str, list[Any]]


def _pandas(rows: Rows) -> Any:
    return import_module("pandas").DataFrame(rows)


def _polars(rows: Rows) -> Any:
    return import_module("polars").DataFrame(rows)


def _polars_lazy(rows: Rows) -> Any:
    return _polars(rows).lazy()


def _arrow(rows: Rows) -> Any:
    return import_module("pyarrow").table(rows)


def _duckdb(rows: Rows) -> Any:
    return import_module("duckdb").from_arrow(_arrow(rows))


def _dask(rows: Rows) -> Any:
    return import_module("dask.dataframe").from_pandas(_pandas(rows), npartitions=3)


def _ibis(rows: Rows) -> Any:
    return import_module("ibis").memtable(_arrow(rows))


ENGINES = (_pandas, _polars, _polars_lazy, _arrow, _duckdb, _dask, _ibis)


def made(seed: int) -> Rows:
    """Make scores with many ties or none, negative zeros among them; one fold of a dataset may have one label only."""
    rng = np.random.default_rng(seed)
    digits, n_datasets = int(rng.choice([0, 1, 6])), int(rng.choice([1, 3]))
    has_folds, has_repeats, has_labels, has_words = rng.random(4) < 0.5
    columns: Rows = {name: [] for name in ("dataset", "classifier", "repeat", "fold", "row", "y_true", "y_score")}
    for d in range(n_datasets):
        true = rng.permutation(np.arange(N) % 3 == 0)
        for r in range(2 if has_repeats else 1):
            for c in range(3):
                score = (true * 0.5 * c + rng.normal(size=N)).round(digits) * rng.choice([-1.0, 1.0])
                columns["dataset"] += [f"data {d}"] * N
                columns["classifier"] += [f"model {c}"] * N
                columns["repeat"] += [r] * N
                columns["fold"] += [i % 2 + 1 for i in range(N)]
                columns["row"] += [f"q{i}" for i in range(N)]
                columns["y_true"] += ["sick" if one else "healthy" for one in true] if has_words else true.tolist()
                columns["y_score"] += score.tolist()
    if has_labels:
        yes, no = ("sick", "healthy") if has_words else (True, False)
        columns["y_pred"] = [yes if score > 0 else no for score in columns["y_score"]]
    left_out = {"repeat": not has_repeats, "fold": not has_folds, "row": has_repeats, "dataset": n_datasets == 1}
    return {name: column for name, column in columns.items() if not left_out.get(name)}


def seeds(engine: Callable[[Rows], Any]) -> range:
    """Return the seeds of the tables; dask takes twenty times as long as the others, and Ibis five times."""
    return range({_dask: repetitions(2), _ibis: repetitions(6, short=3)}.get(engine, 6))


def read(source: Any, metric: str = "roc_auc", **choices: Any) -> tuple[bool, Any]:
    """Return whether the rows stayed where they were, and every score."""
    table = evalstats.read_table(source, metric=metric, **given_together(choices))
    assert table._scored is not None
    scored = table._scored
    groups = [(g.score, g.fold_scores.tolist(), g.n_instances, g.n_positive, g.folds, g.repeats) for g in scored.groups]
    return scored._predictions._counted is not None, (table.scores.tolist(), groups, table.computation)


def sick(rows: Rows) -> str | None:
    return "sick" if "sick" in rows["y_true"] else None


@cache
def numbers_of_rows(make: Callable[[int], Rows], seed: int, metric: str, aggregate: str) -> Any:
    """Return what the rows give one by one, which is the same for every engine."""
    rows = make(seed)
    return read(rows, metric, pos_label=sick(rows), aggregate=aggregate)[1]


@pytest.mark.sampled
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.__name__[1:])
def test_areas_are_those_of_the_rows(engine: Callable[[Rows], Any]) -> None:
    for seed in seeds(engine):
        rows = made(seed)
        for aggregate in ("mean", "merge"):
            is_counted, found = read(engine(rows), pos_label=sick(rows), aggregate=aggregate)

            assert is_counted
            assert found == numbers_of_rows(made, seed, "roc_auc", aggregate)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_areas_of_a_file(suffix: str, tmp_path: Path) -> None:
    """The numbers of a text are as exact as where each is read."""
    rows = made(1)
    path = tmp_path / f"x.{suffix}"
    frame = _pandas(rows)
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)

    assert read(path, pos_label="sick") == (True, read(frame.to_dict("list"), pos_label="sick")[1])


@pytest.mark.parametrize("engine", [_pandas, _polars_lazy, _arrow, _duckdb], ids=lambda engine: engine.__name__[1:])
@pytest.mark.parametrize("score", [float("inf"), float("nan"), None])
def test_score_that_is_none_is_told_with_its_row(engine: Callable[[Rows], Any], score: float | None) -> None:
    rows: Rows = {
        "model": list("aabb"),
        "case": [1, 2, 1, 2],
        "y_true": [0, 1, 0, 1],
        "y_score": [0.1, 0.2, 0.3, score],
    }

    with pytest.raises(TableError, match=r"row 4, column 'y_score'"):
        evalstats.compare(engine(rows))


@pytest.mark.parametrize("score", ["1_0", "0,5", "nan", "", "1e999", "0x1"])
def test_text_that_is_no_plain_number_is_read_row_by_row(score: str, tmp_path: Path) -> None:
    text = f'model,y_true,y_score\na,0,0.1\na,1,0.2\nb,0,0.3\nb,1,"{score}"\n'
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(TableError) as large:
        evalstats.read_table(path)

    assert "line 5, column 'y_score'" in str(large.value)


def test_names_in_two_spellings_are_one_ranking() -> None:
    rows: Rows = {"model": ["a", " a", "a", "a"], "y_true": [0, 1, 1, 0], "y_score": [0.1, 0.4, 0.3, 0.35]}

    assert read(_polars(rows)) == (True, read(rows)[1])
    assert read(rows)[1][0] == [[0.75]]


def test_positive_labels_that_differ_are_read_row_by_row() -> None:
    rows: Rows = {"dataset": list("xxyy"), "model": ["a"] * 4, "y_true": list("uvst"), "y_score": [0.1, 0.4, 0.3, 0.35]}

    assert read(_polars(rows)) == (False, read(rows)[1])


def test_counts_of_each_score_are_fetched_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = made(2)
    monkeypatch.setattr(frames, "MOST_SCORES", 3)

    assert read(_arrow(rows), undefined="skip")[0] is False
    assert read(_polars(rows), undefined="skip")[0] is True


def test_one_label_only_has_no_area() -> None:
    rows: Rows = {"model": list("aabb"), "y_true": [1, 1, 1, 1], "y_score": [0.1, 0.2, 0.3, 0.4]}

    for source in (rows, _polars(rows), _duckdb(rows)):
        with pytest.raises(TableError, match="roc_auc of 'a' on dataset 'dataset' is undefined"):
            evalstats.read_table(source, pos_label=1)


def test_areas_can_be_copied() -> None:
    """A copy has no engine, but what was counted."""
    table = evalstats.read_table(_duckdb(made(3)), metric="roc_auc", pos_label=None)
    assert table._scored is not None

    again = evalstats.read_table(copy.deepcopy(table._scored._predictions), metric="roc_auc")

    assert again.scores.tolist() == table.scores.tolist()
    assert again._scored is not None
    assert again._scored._predictions._counted is not None


SUMS = ("average_precision", "brier", "log_loss")


def shares(seed: int) -> Rows:
    """Make probabilities, 0 and 1 among them, with many ties or none."""
    rows = made(seed)
    share = 1 / (1 + np.exp(-3 * np.array(rows["y_score"])))
    share[:2] = 0, 1
    return rows | {"y_score": (share.round(2) if seed % 2 else share).tolist()}


@pytest.mark.long
@pytest.mark.usefixtures("duckdb_counts_frames")
@pytest.mark.parametrize("engine", [_pandas, _arrow], ids=lambda engine: engine.__name__[1:])
@pytest.mark.parametrize("metric", SUMS)
def test_sums_of_large_frames_are_those_of_the_rows(engine: Callable[[Rows], Any], metric: str) -> None:
    """DuckDB adds them up."""
    test_sums_are_those_of_the_rows(engine, metric)


@pytest.mark.long
@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.__name__[1:])
@pytest.mark.parametrize("metric", SUMS)
def test_sums_are_those_of_the_rows(engine: Callable[[Rows], Any], metric: str) -> None:
    """Of folds and of all cases, in any aggregate."""
    for seed in seeds(engine):
        rows = shares(seed)
        for aggregate in ("mean", "merge" if metric == "average_precision" else "pooled"):
            is_counted, (scores, groups, told) = read(engine(rows), metric, pos_label=sick(rows), aggregate=aggregate)
            of_rows, groups_of_rows, told_of_rows = numbers_of_rows(shares, seed, metric, aggregate)

            assert is_counted
            np.testing.assert_allclose(scores, of_rows, rtol=1e-13)
            assert told == told_of_rows
            for group, own in zip(groups, groups_of_rows, strict=True):
                np.testing.assert_allclose(group[1], own[1], rtol=1e-13)
                assert group[2:] == own[2:]


@pytest.mark.parametrize("metric", SUMS)
def test_sums_do_not_depend_on_the_order_of_the_rows(metric: str) -> None:
    """In whatever order threads add the cases of a large table."""
    rows = shares(0)
    order = np.random.default_rng(0).permutation(len(rows["y_true"])).tolist()
    shuffled = {name: [column[i] for i in order] for name, column in rows.items()}
    label = "sick" if "sick" in rows["y_true"] else None

    assert read(_duckdb(rows), metric, pos_label=label) == read(_duckdb(shuffled), metric, pos_label=label)


@pytest.mark.parametrize("metric", SUMS)
@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_what_is_no_probability_is_told_as_of_a_small_table(metric: str, share: float) -> None:
    """Average precision takes any score."""
    rows: Rows = {"model": list("aabb"), "y_true": [0, 1, 0, 1], "y_score": [0.1, 0.2, 0.3, share]}

    def told(source: Any) -> str:
        try:
            return repr(evalstats.read_table(source, metric=metric).scores.tolist())
        except TableError as error:
            return str(error)

    assert told(_duckdb(rows)) == told(rows)
    assert ("probabilities from 0 to 1" in told(rows)) == (metric != "average_precision")


def test_folds_without_a_positive_case_have_no_average_precision() -> None:
    rows: Rows = {"model": ["a"] * 4, "fold": [1, 1, 2, 2], "y_true": [0, 1, 0, 0], "y_score": [0.1, 0.2, 0.3, 0.4]}

    for undefined in ("skip", "zero"):
        found, of_rows = (read(source, "average_precision", undefined=undefined) for source in (_duckdb(rows), rows))
        assert repr(found[1]) == repr(of_rows[1])
        assert found[0]
