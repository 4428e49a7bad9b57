"""Frames of any kind through narwhals, and two real clusters: Spark and Dask."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

import evalstats
from evalstats.tables.engines.frames import FrameEngine, frame_engine

ROWS: dict[str, list[Any]] = {
    "dataset": ["d"] * 40,
    "classifier": ["a"] * 20 + ["b"] * 20,
    "row": list(range(20)) * 2,
    "y_true": ["u", "v"] * 20,
    "y_pred": ["u", "v"] * 12 + ["u"] * 16,
}


def test_kinds_of_columns() -> None:
    pl = import_module("polars")
    frame = pl.DataFrame({"a": [1], "b": [0.5], "c": ["x"], "d": [True], "e": [[1]]}).with_columns(
        f=pl.col("c").cast(pl.Categorical), g=pl.col("c").cast(pl.Enum(["x"]))
    )
    engine = frame_engine(frame)

    assert engine is not None
    kinds = [engine.kind(name) for name in engine.header]
    assert kinds == ["integer", "float", "text", "boolean", "other", "text", "text"]


def test_what_is_no_frame_has_no_engine() -> None:
    assert frame_engine([1, 2]) is None


def test_columns_of_mixed_cells_are_kept() -> None:
    pd = import_module("pandas")
    engine = frame_engine(pd.DataFrame({"a": [1, "x", None], "b": [0.5, None, 2]}))

    assert isinstance(engine, FrameEngine)
    mixed, numbers = engine.columns(["a", "b"])
    assert list(mixed) == ["1", "x", ""]
    assert numbers.tolist()[::2] == [0.5, 2.0]


def test_categories_that_differ_are_compared_as_text(everything_is_large: None, outcome: Callable[..., Any]) -> None:
    pd = import_module("pandas")
    frame = pd.DataFrame(ROWS)
    frame["y_true"] = pd.Categorical(frame["y_true"], ["v", "u", "never seen"])
    frame["y_pred"] = frame["y_pred"].astype("category")

    assert outcome(frame) == (True, outcome(ROWS)[1])


def _refuse_or_skip(problem: str) -> None:
    problem += ": sudo apt-get install default-jre-headless; pip install pyspark"
    if os.environ.get("EVALSTATS_REQUIRE_SPARK") == "1":
        pytest.fail(f"EVALSTATS_REQUIRE_SPARK is 1, but {problem}")
    pytest.skip(f"NOT CHECKED WITH SPARK: {problem}")


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        _refuse_or_skip("pyspark is missing")
    if shutil.which("java") is None:
        _refuse_or_skip("Java is missing")
    local = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false"}
    builder = SparkSession.builder.master("local[1]").config(map={**local, "spark.sql.shuffle.partitions": "1"})
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def test_spark_counts_where_it_keeps_the_rows(spark: Any, outcome: Callable[..., Any]) -> None:
    frame = spark.createDataFrame(list(zip(*ROWS.values(), strict=True)), list(ROWS))

    assert outcome(frame) == (True, outcome(ROWS)[1])


def test_cluster_of_dask_counts_where_it_keeps_the_rows(outcome: Callable[..., Any]) -> None:
    dd, distributed, pd = (import_module(name) for name in ("dask.dataframe", "distributed", "pandas"))
    settings = {"host": "127.0.0.1", "dashboard_address": None, "n_workers": 1, "threads_per_worker": 2}

    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster):
        was_counted, found = outcome(dd.from_pandas(pd.DataFrame(ROWS), npartitions=2))

    assert was_counted
    assert found == outcome(ROWS)[1]


def test_scores_in_a_lazy_frame_are_scores() -> None:
    pl = import_module("polars")
    long = {"dataset": ["x", "x", "y", "y"], "model": ["a", "b"] * 2, "auc": [0.5, 0.6, 0.7, 0.9]}

    assert evalstats.read_table(pl.LazyFrame(long)).scores.tolist() == [[0.5, 0.6], [0.7, 0.9]]
