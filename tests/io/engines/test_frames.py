"""Frames of any kind through narwhals, and two real clusters: Spark and Dask."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import evalstats
from evalstats.io.engines.frames import FrameEngine, frame_engine

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
    small = {
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.executor.memory": "512m",
        "spark.task.maxFailures": "2",
    }
    builder = SparkSession.builder.master("local-cluster[2,1,512]").config(map=local | small)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")  # it logs each process that a test kills
        yield session
        session.stop()


def test_spark_counts_where_it_keeps_the_rows(spark: Any, outcome: Callable[..., Any]) -> None:
    frame = spark.createDataFrame(list(zip(*ROWS.values(), strict=True)), list(ROWS))

    assert outcome(frame) == (True, outcome(ROWS)[1])


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
@pytest.mark.parametrize("killed", ["executor", "Python worker"])
@pytest.mark.parametrize("is_always_killed", [False, True])
def test_killed_process_of_spark_changes_no_number(
    killed: str, is_always_killed: bool, spark: Any, tmp_path: Path, outcome: Callable[..., Any]
) -> None:
    """Spark repeats the task in another process; if this process is killed too, one sentence says so."""
    first_kill = tmp_path / "killed"

    def killing(parts: Any) -> Any:  # a function in a function: it is sent to the workers with its code
        if is_always_killed or not first_kill.exists():
            first_kill.touch()
            if killed == "executor":  # the parent of the daemon from which the workers are forked
                executor = subprocess.check_output(["ps", "-o", "ppid=", "-p", str(os.getppid())])
                os.kill(int(executor), signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)
        yield from parts

    frame = spark.createDataFrame(list(zip(*ROWS.values(), strict=True)), list(ROWS))
    frame = frame.mapInPandas(killing, frame.schema)
    if is_always_killed:
        sentence = r"^the table cannot be read: Py4JJavaError ['\"]Job aborted due to stage failure: [^\n]+$"
        with pytest.raises(evalstats.EvalstatsError, match=sentence):
            outcome(frame)
    else:
        assert outcome(frame) == (True, outcome(ROWS)[1])
    assert first_kill.exists()


@pytest.mark.long
def test_cluster_of_dask_counts_where_it_keeps_the_rows(outcome: Callable[..., Any]) -> None:
    dd, distributed, pd = (import_module(name) for name in ("dask.dataframe", "distributed", "pandas"))
    settings = {"host": "127.0.0.1", "dashboard_address": None, "n_workers": 1, "threads_per_worker": 2}

    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster):
        was_counted, found = outcome(dd.from_pandas(pd.DataFrame(ROWS), npartitions=2))

    assert was_counted
    assert found == outcome(ROWS)[1]


@pytest.mark.long
@pytest.mark.parametrize("is_always_killed", [False, True])
def test_killed_worker_of_dask_changes_no_number(
    is_always_killed: bool, tmp_path: Path, outcome: Callable[..., Any]
) -> None:
    """Dask computes the partition again on another worker; if this worker is killed too, one sentence says so."""
    dask, distributed, pd = (import_module(name) for name in ("dask", "distributed", "pandas"))
    first_kill = tmp_path / "killed"
    settings = {"host": "127.0.0.1", "dashboard_address": None, "n_workers": 2, "threads_per_worker": 1}

    def killing(rows: Any) -> Any:  # a function in a function: it is sent to the workers with its code
        if is_always_killed or not first_kill.exists():
            first_kill.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return rows

    frame = import_module("dask.dataframe").from_pandas(pd.DataFrame(ROWS), npartitions=2)
    frame = frame.map_partitions(killing, meta=pd.DataFrame(ROWS).head(0))
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1 if is_always_killed else 3}),
        distributed.LocalCluster(**settings) as cluster,
        distributed.Client(cluster),
    ):
        if is_always_killed:
            with pytest.raises(evalstats.EvalstatsError, match=r"^the table cannot be read: KilledWorker [^\n]+$"):
                outcome(frame)
        else:
            assert outcome(frame) == (True, outcome(ROWS)[1])
    assert first_kill.exists()


def test_scores_in_a_lazy_frame_are_scores() -> None:
    pl = import_module("polars")
    long = {"dataset": ["x", "x", "y", "y"], "model": ["a", "b"] * 2, "auc": [0.5, 0.6, 0.7, 0.9]}

    assert evalstats.read_table(pl.LazyFrame(long)).scores.tolist() == [[0.5, 0.6], [0.7, 0.9]]


def _pandas(rows: Any) -> Any:
    return import_module("pandas").DataFrame(rows)


def _arrow(rows: Any) -> Any:
    return import_module("pyarrow").table(rows)


def _pandas_of_objects(rows: Any) -> Any:
    """As pandas has texts before 3."""
    frame = _pandas(rows)
    return frame.astype({name: object for name in frame if frame[name].dtype.kind not in "iufb"})


@pytest.mark.usefixtures("duckdb_counts_frames")
@pytest.mark.parametrize("framed", [_pandas, _pandas_of_objects, _arrow])
def test_duckdb_counts_large_frames_as_rows_are_read(
    framed: Callable[[Any], Any], generated: Callable[[int], Any], outcome: Callable[..., Any]
) -> None:
    for seed in range(4):
        rows = generated(seed)
        engine = frame_engine(framed(rows))

        assert engine is not None
        assert type(engine) is not FrameEngine
        assert outcome(framed(rows)) == (True, outcome(rows)[1])


@pytest.mark.usefixtures("duckdb_counts_frames")
@pytest.mark.parametrize("framed", [_pandas, _arrow])
@pytest.mark.parametrize(
    "change",
    [
        {"row": [0, *range(19)] * 2},
        {"y_pred": [None, *ROWS["y_pred"][1:]]},
        {"row": ["0", " 0", *map(str, range(2, 20))] * 2},
        {"classifier": ["a"] * 20 + [None] * 20},
    ],
)
def test_what_is_wrong_in_a_large_frame_is_told_by_its_rows(framed: Callable[[Any], Any], change: Any) -> None:
    with pytest.raises(evalstats.TableError) as small:
        evalstats.compare(ROWS | change)
    with pytest.raises(evalstats.TableError) as large:
        evalstats.compare(framed(ROWS | change))

    assert str(large.value) == str(small.value)


@pytest.mark.usefixtures("duckdb_counts_frames")
@pytest.mark.parametrize("framed", [_pandas, _arrow])
@pytest.mark.parametrize("odd", [None, float("nan"), float("inf"), -0.0])
def test_duckdb_ranks_large_frames_as_rows_are_read(framed: Callable[[Any], Any], odd: float | None) -> None:
    """Where a score is missing or not finite, both ways refuse it in the same words."""
    scores = [odd, *(round(0.05 * (7 * i % 19), 2) for i in range(39))]
    rows = {name: column for name, column in ROWS.items() if name != "y_pred"} | {"y_score": scores}

    assert _areas(framed(rows)) == _areas(rows)


def _areas(source: Any) -> Any:
    try:
        return evalstats.read_table(source, metric="roc_auc", pos_label="v").scores.tolist()
    except evalstats.EvalstatsError as error:
        return str(error)


@pytest.mark.usefixtures("duckdb_counts_frames")
def test_frames_of_other_cells_are_counted_where_they_are(outcome: Callable[..., Any]) -> None:
    """Categories, whose texts two engines may compare in two ways, and cells of several kinds."""
    pd = import_module("pandas")
    frame = pd.DataFrame(ROWS).astype({"y_true": "category", "y_pred": "category"})

    assert type(frame_engine(frame)) is FrameEngine
    assert outcome(frame) == (True, outcome(ROWS)[1])
    assert type(frame_engine(pd.DataFrame(ROWS | {"y_true": [0, *ROWS["y_true"][1:]]}))) is FrameEngine
