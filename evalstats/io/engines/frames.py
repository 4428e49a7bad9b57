"""Row counts of any data frame through narwhals."""

from __future__ import annotations

__all__ = ["FrameEngine", "frame_engine"]

import copy
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from evalstats._types import IntArray
from evalstats.io.engines import held
from evalstats.io.engines.duckdb import engine_in_memory, has_duckdb
from evalstats.tables.categorical import coded

FEWEST_OF_DUCKDB = 1_000_000  # minimum number of rows, below which loading DuckDB takes longer than it saves
# maximum number of distinct scores that are fetched with their counts
MOST_SCORES = 1_000_000
LOW = 2**30  # of the parts of `UNIT`, in the lower of two sums
# characters that are not visible ASCII: such names may be equal after trimming
ODD = r"[^!-~]"


def frame_engine(source: Any) -> held.Engine | None:
    """Return the engine of a data frame, or None if narwhals does not support it."""
    package = type(source).__module__.partition(".")[0]
    if package in ("duckdb", "_duckdb"):
        from evalstats.io.engines.duckdb import DuckdbEngine

        return DuckdbEngine(source) if hasattr(source, "aggregate") else None
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        return None
    names = getattr(getattr(source, "index", None), "names", None)
    if package in ("pandas", "modin", "cudf") and any(name is not None for name in names or ()):
        source = source.reset_index()
    try:
        if package.startswith("dask"):
            with warnings.catch_warnings():
                # narwhals warns that Dask will need a separate package; its own functions are sufficient here
                warnings.filterwarnings("ignore", "Dask support is moving out of Narwhals", FutureWarning)
                engine = FrameEngine(nw.from_native(source).lazy())
        else:  # without a change of the filters, which all threads of a process share
            engine = FrameEngine(nw.from_native(source).lazy())
    except (TypeError, ValueError):  # not a frame, or a frame whose columns do not have one text as name
        if hasattr(source, "columns") and not _is_in_memory(source):  # computing its columns may fail
            raise
        return None
    table = _plain_table(source, package)
    return engine if table is None else _CountedByDuckdb(engine, table)


def _is_in_memory(source: Any) -> bool:
    shape = getattr(source, "shape", None)
    return isinstance(shape, tuple) and all(isinstance(n, int) for n in shape)


def _plain_table(source: Any, package: str) -> Any:
    """Convert a large frame in memory to an Arrow table without copying its columns.

    DuckDB then counts its rows in all threads; pandas and Arrow use one thread. Return None if a column holds neither
    numbers nor texts.
    """
    if package not in ("pandas", "pyarrow") or source.shape[0] < FEWEST_OF_DUCKDB or not has_duckdb():
        return None
    try:
        import pyarrow as pa
    except ImportError:
        return None
    if package == "pandas":
        if not all(_is_plain(source.iloc[:, i]) for i in range(source.shape[1])):
            return None
        source = pa.Table.from_pandas(source, preserve_index=False)
    kinds = pa.types
    known = (kinds.is_integer, kinds.is_floating, kinds.is_boolean, kinds.is_string, kinds.is_large_string)
    are_known = all(any(is_so(kind) for is_so in known) and kind != pa.float16() for kind in source.schema.types)
    return source if are_known else None


def _is_plain(column: Any) -> bool:
    """Return whether a pandas column contains only NumPy numbers or only texts."""
    if column.dtype == object:  # texts too, before pandas 3
        from pandas.api.types import infer_dtype

        return bool(infer_dtype(column) == "string")
    return bool(column.dtype.kind in "iufb" if isinstance(column.dtype, np.dtype) else column.dtype == "string")


class FrameEngine:
    """Engine for a lazy frame of narwhals."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self._schema = frame.collect_schema()
        self.header: list[str] = list(self._schema)

    def n_rows(self) -> int:
        """Return the number of rows."""
        import narwhals.stable.v2 as nw

        return int(_collected(self.frame.select(nw.len().alias("n")))["n"].to_list()[0])

    def kind(self, name: str) -> str:
        """Return the kind of a column."""
        import narwhals.stable.v2 as nw

        dtype = self._schema[name]
        if dtype.is_integer():
            return "integer"
        if dtype.is_float():
            return "float"
        if dtype in (nw.String, nw.Categorical) or isinstance(dtype, nw.Enum):
            return "text"
        return "boolean" if dtype == nw.Boolean else "other"

    def first_row(self) -> list[Any]:
        """Return the cells of the first row, or an empty list if there are no rows."""
        found = _collected(self.frame.head(1))
        return [found[name].to_list()[0] for name in self.header] if len(found) else []

    def only(self, name: str, values: Sequence[Any]) -> FrameEngine:
        """Return an engine with the rows that have one of `values` in a column, without that column."""
        left = copy.copy(self)
        left.frame = self.frame.filter(self._column(name).is_in(values))
        left.header = [other for other in self.header if other != name]
        return left

    def counts(self, names: Sequence[str], limit: int) -> tuple[list[list[Any]], IntArray] | None:
        """Return distinct rows of columns and their counts, or None if there are more than `limit`."""
        import narwhals.stable.v2 as nw

        renamed = [self._column(name).alias(f"k{i}") for i, name in enumerate(names)]
        keys = [f"k{i}" for i in range(len(names))]
        found = _collected(self.frame.select(*renamed).group_by(*keys).agg(nw.len().alias("n")).head(limit + 1))
        if len(found) > limit:
            return None
        return [found[key].to_list() for key in keys], np.asarray(found["n"].to_numpy(), dtype=np.int64)

    def case_patterns(self, plan: held.CasePlan) -> held.CasePatterns:
        """Count the instances with each pattern of tested and correct classifiers."""
        import narwhals.stable.v2 as nw

        words = [f"{what}{w}" for w in range(plan.n_words) for what in ("tested", "right")]
        lows = [f"low{i}" for i in range(len(plan.constants))]
        keys = ["id"] if plan.dataset is None else ["dataset", "id"]
        of_cases = (
            self._rows_of_cases(plan)
            .group_by(*keys)
            .agg(
                nw.len().alias("n_rows"),
                *(nw.col(name).sum().alias(f"{name}_sum") for name in words),
                *(nw.col(low).min().alias(f"{low}_min") for low in lows),
                *(nw.col(low).max().alias(f"{low}_max") for low in lows),
            )
            .with_columns(
                self._is_odd(plan.case).alias("odd"),
                *((nw.col(f"{low}_min") == nw.col(f"{low}_max")).alias(f"same{i}") for i, low in enumerate(lows)),
            )
        )
        same = [f"same{i}" for i in range(len(lows))]
        groups = [*keys[:-1], "n_rows", *(f"{name}_sum" for name in words), *same, "odd"]
        found = _collected(of_cases.group_by(*groups).agg(nw.len().alias("n")))
        of = {name: np.asarray(found[name].to_numpy()) for name in (*groups, "n")}
        n = len(of["n"])
        return held.CasePatterns(
            dataset=of["dataset"].astype(np.int64) if "dataset" in of else np.zeros(n, dtype=np.int64),
            n_rows=of["n_rows"].astype(np.int64),
            tested=[of[f"tested{w}_sum"].astype(np.int64) for w in range(plan.n_words)],
            right=[of[f"right{w}_sum"].astype(np.int64) for w in range(plan.n_words)],
            is_constant=np.all([np.ones(n, dtype=bool), *(of[name].astype(bool) for name in same)], axis=0),
            is_odd=of["odd"].astype(bool),
            n_instances=of["n"].astype(np.int64),
        )

    def rankings(self, plan: held.RankingPlan) -> list[held.Ranking] | None:
        """Compute the counts for each ranking that the metric needs, or None if scores are not numbers."""
        import narwhals.stable.v2 as nw

        is_number = self.kind(plan.score) in ("integer", "float")
        if not is_number or not plan.positives.code_of:
            return None
        keys = [f"k{i}" for i in range(len(plan.keys))]
        score = nw.col(plan.score).cast(nw.Float64)
        is_share = (score >= 0.0) & (score <= 1.0)
        rows = self.frame.select(
            *(self._coded(codes).alias(key) for codes, key in zip(plan.keys, keys, strict=True)),
            (score + 0.0).alias("score"),  # avoids negative zero
            self._coded(plan.positives).alias("positive"),
            nw.when(score.is_finite() & is_share if plan.metric in TERMS else score.is_finite())
            .then(nw.lit(0, dtype=nw.Int64))
            .otherwise(nw.lit(1, dtype=nw.Int64))
            .alias("odd"),
        )
        if plan.metric in TERMS:
            found = _collected(self._sums_of_terms(rows, keys, TERMS[plan.metric](nw)))
            columns = [found[name].to_list() for name in (*keys, "high", "low", "positive", "negative", "odd")]
            return [_ranking_of_parts(row) for row in zip(*columns, strict=True)]
        counted = (
            rows.group_by(*keys, "score")
            .agg(nw.col("positive").sum(), nw.col("odd").sum(), nw.len().alias("n"))
            .with_columns((nw.col("n").cast(nw.Int64) - nw.col("positive")).alias("negative"))
        )
        return self._ordered(counted, keys, plan.metric)

    def _ordered(self, counted: Any, keys: list[str], metric: str) -> list[held.Ranking] | None:
        """Compute the counts of a metric that orders the scores, from the counts of each score."""
        counts = ["positive", "negative", "odd"]
        try:
            found = _collected((_pairs_in_order if metric == "roc_auc" else _precisions)(counted, keys))
        except Exception:  # the engine has no cumulative sums, so the counts of each score are fetched
            found = _collected(counted.select(*keys, "score", *counts).head(MOST_SCORES + 1))
            if len(found) > MOST_SCORES:
                return None
            scores = (np.asarray(found[name].to_numpy()) for name in ("score", *counts))
            return held.rankings_of_counts([found[key].to_list() for key in keys], *scores, metric=metric)
        columns = [found[name].to_list() for name in (*keys, "high", "low", *counts)]
        return [_ranking_of_parts(row) for row in zip(*columns, strict=True)]

    def _sums_of_terms(self, rows: Any, keys: Sequence[str], term: Any) -> Any:
        """Return one row for each ranking, with the sum of `term` over instances in two integer columns."""
        import narwhals.stable.v2 as nw

        of_case = nw.when(nw.col("odd") == 0).then(term).otherwise(nw.lit(0.0))
        return (
            _in_parts(rows.with_columns(of_case.alias("term")))
            .group_by(*keys)
            .agg(*(nw.col(name).sum() for name in ("high", "low", "positive", "odd")), nw.len().alias("n"))
            .with_columns((nw.col("n").cast(nw.Int64) - nw.col("positive")).alias("negative"))
        )

    def _rows_of_cases(self, plan: held.CasePlan) -> Any:
        """Return dataset, instance and classifier bits of each row; a second bit marks a correct prediction."""
        import narwhals.stable.v2 as nw

        words = range(plan.n_words)
        rows = self.frame.select(
            self._column(plan.case).alias("id"),
            *([] if plan.dataset is None else [self._coded(plan.dataset).alias("dataset")]),
            *(self._chosen(plan.classifier.column, plan.bits(w)).alias(f"tested{w}") for w in words),
            *(self._coded(codes).alias(f"low{i}") for i, codes in enumerate(plan.constants)),
            (self._column(plan.true) == self._column(plan.predicted)).alias("is_right"),
        )
        right = [
            nw.when(nw.col("is_right"))
            .then(nw.col(f"tested{w}"))
            .otherwise(nw.lit(0, dtype=nw.Int64))
            .alias(f"right{w}")
            for w in words
        ]
        return rows.with_columns(*right).drop("is_right")

    def _column(self, name: str) -> Any:
        """Return a column expression. Categories are cast to text, which all engines group in the same way."""
        import narwhals.stable.v2 as nw

        dtype = self._schema[name]
        is_category = dtype == nw.Categorical or isinstance(dtype, nw.Enum)
        return nw.col(name).cast(nw.String) if is_category else nw.col(name)

    def _coded(self, codes: held.Codes) -> Any:
        return self._chosen(codes.column, list(codes.code_of.items()))

    def _chosen(self, column: str, numbers: Sequence[tuple[Any, int]]) -> Any:
        """Return an expression that maps values of a column to numbers, and other values to 0."""
        import narwhals.stable.v2 as nw

        # a literal of its own has no length in some engines: a condition has one
        (value, number), *others = reversed(numbers)
        chosen = (
            nw.when(self._column(column) == nw.lit(value))
            .then(nw.lit(number, dtype=nw.Int64))
            .otherwise(nw.lit(0, dtype=nw.Int64))
        )
        for value, number in others:
            chosen = (
                nw.when(self._column(column) == nw.lit(value)).then(nw.lit(number, dtype=nw.Int64)).otherwise(chosen)
            )
        return chosen

    def _is_odd(self, case: str) -> Any:
        import narwhals.stable.v2 as nw

        name = nw.col("id")
        if self.kind(case) != "text":
            return name.is_null()
        return name.is_null() | name.str.contains(ODD) | (name == nw.lit(""))

    def columns(self, names: Sequence[str]) -> list[Any]:
        """Return columns as arrays of numbers, or as codes with distinct cells."""
        found = _collected(self.frame.select(*names))
        return [_column_of_series(found[name]) for name in names]


class _CountedByDuckdb(FrameEngine):
    """Engine for a large frame in memory: DuckDB counts the rows, and the frame returns individual rows."""

    def __init__(self, frame: FrameEngine, table: Any) -> None:
        super().__init__(frame.frame)
        self._counting = engine_in_memory(lambda connection: connection.from_arrow(table))

    def only(self, name: str, values: Sequence[Any]) -> FrameEngine:
        """Return an engine with the rows that have one of `values` in a column, without that column."""
        left = super().only(name, values)
        assert isinstance(left, _CountedByDuckdb)
        left._counting = self._counting.only(name, values)
        return left

    def counts(self, names: Sequence[str], limit: int) -> tuple[list[list[Any]], IntArray] | None:
        """Return distinct rows of columns and their counts, or None if there are more than `limit`."""
        return self._counting.counts(names, limit)

    def case_patterns(self, plan: held.CasePlan) -> held.CasePatterns:
        """Count the instances with each pattern of tested and correct classifiers."""
        return self._counting.case_patterns(plan)

    def rankings(self, plan: held.RankingPlan) -> list[held.Ranking] | None:
        """Compute the counts that the metric needs for each ranking."""
        return self._counting.rankings(plan)


def _pairs_in_order(counted: Any, keys: Sequence[str]) -> Any:
    """Return twice the number of correctly ordered pairs of each ranking, from the counts of each score."""
    import narwhals.stable.v2 as nw

    below = nw.col("negative").cum_sum().over(*keys, order_by="score") - nw.col("negative")
    return (
        counted.with_columns(below.alias("below"))
        .with_columns((nw.col("positive") * (2 * nw.col("below") + nw.col("negative"))).alias("low"))
        .group_by(*keys)
        .agg(*(nw.col(name).sum() for name in ("low", "positive", "negative", "odd")))
        .with_columns((nw.col("odd") * 0).alias("high"))
    )


def _precisions(counted: Any, keys: Sequence[str]) -> Any:
    """Return, for each ranking, the sum over positive instances of the precision at their score."""
    import narwhals.stable.v2 as nw

    from_the_top = [
        nw.col(name).cum_sum(reverse=True).over(*keys, order_by="score").cast(nw.Float64).alias(f"{name}_above")
        for name in ("positive", "negative")
    ]
    precision = nw.col("positive_above") / (nw.col("positive_above") + nw.col("negative_above"))
    parts = _in_parts(counted.with_columns(*from_the_top).with_columns(precision.alias("term")))
    return (
        parts.with_columns(*((nw.col("positive") * nw.col(part)).alias(part) for part in ("high", "low")))
        .group_by(*keys)
        .agg(*(nw.col(name).sum() for name in ("high", "low", "positive", "negative", "odd")))
    )


def _in_parts(rows: Any) -> Any:
    """Split `term` into two integer columns with sums below 64 bits: `high` * LOW + `low`."""
    import narwhals.stable.v2 as nw

    scaled = nw.col("term") * float(held.UNIT // LOW)
    rows = rows.with_columns(scaled.alias("scaled"), scaled.round(0).alias("whole"))
    return rows.with_columns(
        nw.col("whole").cast(nw.Int64).alias("high"),
        ((nw.col("scaled") - nw.col("whole")) * float(LOW)).round(0).cast(nw.Int64).alias("low"),
    )


def _ranking_of_parts(row: Sequence[Any]) -> held.Ranking:
    *key, high, low, n_positive, n_negative, n_odd = row
    return held.ranking_of((*key, int(high) * LOW + int(low), n_positive, n_negative, n_odd))


def _log_loss(nw: Any) -> Any:
    of_true = nw.when(nw.col("positive") == 1).then(nw.col("score")).otherwise(1.0 - nw.col("score"))
    return of_true.clip(held.CERTAIN, 1 - held.CERTAIN).log() * -1.0  # narwhals 2.0 has no minus sign


# term of each instance, by metric; the terms do not depend on the order of the scores
TERMS: dict[str, Callable[[Any], Any]] = {
    "brier": lambda nw: (nw.col("score") - nw.col("positive")) * (nw.col("score") - nw.col("positive")),
    "log_loss": _log_loss,
}


@held.interruptible()
def _collected(frame: Any) -> Any:
    return frame.collect()


def _column_of_series(series: Any) -> Any:
    if series.dtype.is_integer() or series.dtype.is_float():
        return np.asarray(series.to_numpy())
    try:
        return held.column_of_arrow(series.to_arrow())
    except (ImportError, TypeError, ValueError):  # pyarrow is not installed, or the cells have several types
        return coded(series.to_list())
