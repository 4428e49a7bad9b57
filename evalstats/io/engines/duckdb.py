"""Row counts of a relation in DuckDB.

Queries contain values as expressions and columns by position, so no name from the user is part of a query.
"""

from __future__ import annotations

__all__ = ["DuckdbEngine", "engine_in_memory", "has_duckdb"]

import copy
import shutil
import tempfile
import weakref
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from evalstats._types import IntArray
from evalstats.io.engines import held

KINDS = {
    **dict.fromkeys(
        ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"), "integer"
    ),
    **dict.fromkeys(("FLOAT", "DOUBLE"), "float"),
    **dict.fromkeys(("VARCHAR", "ENUM"), "text"),
    "BOOLEAN": "boolean",
}
# memory limit of DuckDB; above it, DuckDB writes to a temporary folder
MEMORY_LIMIT = "1GB"
WIDTHS = {"UTINYINT": 8, "USMALLINT": 16, "UINTEGER": 32}
# bits for each row, of the numbers that may name them
MOST_BITS = 8
# a character that is not a visible one of ASCII: such names may be equal after trimming
ODD = "[^!-~]"
NUMBER = r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"

# for each metric: the term of an instance, and the values that it needs of other instances (also of equal scores); the
# names are our own, because the names of the table are in the relation
RANKINGS = """
    SELECT {keys}, sum({term}), sum(positive), count(*) - sum(positive), sum(odd) FROM (
        SELECT {keys}, score, positive, (score IS NULL OR NOT isfinite(score) OR {odd})::INTEGER AS odd{others}
        FROM ranked
    ) GROUP BY {keys}
"""
# twice the ordered pairs: 2 for each lower negative instance, and 1 for each negative instance with an equal score
BELOW = """,
    sum(1 - positive) OVER (PARTITION BY {keys} ORDER BY score RANGE UNBOUNDED PRECEDING) AS up_to,
    sum(1 - positive) OVER (PARTITION BY {keys} ORDER BY score RANGE BETWEEN CURRENT ROW AND CURRENT ROW) AS beside
"""
FROM_THE_TOP = """,
    sum(positive) OVER (PARTITION BY {keys} ORDER BY score DESC RANGE UNBOUNDED PRECEDING) AS n_found,
    count(*) OVER (PARTITION BY {keys} ORDER BY score DESC RANGE UNBOUNDED PRECEDING) AS n_named
"""
IN_UNITS = f"(({{}}) * {held.UNIT}.0::DOUBLE)::BIGINT"
OF_TRUE_CLASS = (
    f"greatest(least(CASE WHEN positive = 1 THEN score ELSE 1 - score END, 1 - {held.CERTAIN}), {held.CERTAIN})"
)
NO_SHARE = "score < 0 OR score > 1"
TERMS = {
    "roc_auc": ("positive * (2 * up_to - beside)", "false", BELOW),
    "average_precision": (IN_UNITS.format("positive * n_found::DOUBLE / n_named"), "false", FROM_THE_TOP),
    "brier": (IN_UNITS.format("(score - positive) * (score - positive)"), NO_SHARE, ""),
    "log_loss": (IN_UNITS.format(f"-ln({OF_TRUE_CLASS})"), NO_SHARE, ""),
}


def has_duckdb() -> bool:
    """Return whether DuckDB is installed."""
    try:
        import duckdb  # noqa: F401 (whether it can be)
    except ImportError:
        return False
    return True


@held.interruptible()
def engine_in_memory(relation_of: Callable[[Any], Any]) -> DuckdbEngine:
    """Open a connection, call `relation_of` with it, and return the engine of the resulting relation.

    The connection loads no extensions. Data that do not fit into memory are written to a temporary folder.
    """
    import duckdb

    folder = tempfile.mkdtemp(prefix="evalstats-")
    try:
        connection = duckdb.connect(
            config={
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "memory_limit": MEMORY_LIMIT,
                "temp_directory": folder,
            }
        )
        connection.execute("SET enable_progress_bar = false")
        engine = DuckdbEngine(relation_of(connection), connection)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(engine, shutil.rmtree, folder, ignore_errors=True)
    return engine


class DuckdbEngine:
    """Relation of DuckDB, with the connection that must stay open while the relation is used."""

    def __init__(self, relation: Any, connection: Any = None) -> None:
        self._connection = connection
        self._whole: DuckdbEngine | None = None
        self.header: list[str] = list(relation.columns)
        # by place: a ColumnExpression of "a.b" or of a name with a quote in it is another column before DuckDB 1.5.6
        self.relation = relation.project(", ".join(f"#{i + 1} AS column{i}" for i in range(len(self.header))))
        self._place = {name: i for i, name in enumerate(self.header)}
        self._types = dict(zip(self.header, map(str, relation.types), strict=True))

    @held.interruptible()
    def n_rows(self) -> int:
        """Return the number of rows."""
        return int(self.relation.aggregate([_expression("count_star")]).fetchall()[0][0])

    def kind(self, name: str) -> str:
        """Return the kind of a column."""
        return KINDS.get(self._types[name].partition("(")[0], "other")

    @held.interruptible()
    def first_row(self) -> list[Any]:
        """Return the cells of the first row, or an empty list if there are no rows."""
        return [cell for row in self.relation.limit(1).fetchall() for cell in row]

    @held.interruptible()
    def first_rows(self, n: int, where: tuple[str, Any] | None = None) -> Any:
        """Return the first n rows as an Arrow table. `where` selects the rows with one value in a column."""
        from duckdb import ConstantExpression

        rows = self.relation
        if where is not None:
            rows = rows.filter(self._column(where[0]) == ConstantExpression(where[1]))
        return rows.limit(n).to_arrow_table().rename_columns(self.header)

    def only(self, name: str, values: Sequence[Any]) -> DuckdbEngine:
        """Return an engine with the rows that have one of `values` in a column, without that column."""
        from duckdb import ConstantExpression

        left = copy.copy(self)
        left._whole = self  # keeps the engine that owns the temporary folder
        left.relation = self.relation.filter(self._column(name).isin(*map(ConstantExpression, values)))
        left.header = [other for other in self.header if other != name]
        return left

    @held.interruptible()
    def counts(self, names: Sequence[str], limit: int) -> tuple[list[list[Any]], IntArray] | None:
        """Return distinct rows of columns and their counts, or None if there are more than `limit`."""
        from duckdb import ColumnExpression

        renamed = [self._column(name).alias(f"k{i}") for i, name in enumerate(names)]
        groups = self.relation.select(*renamed).aggregate(
            [*(ColumnExpression(f"k{i}") for i in range(len(names))), _expression("count_star").alias("n")]
        )
        rows = groups.limit(limit + 1).fetchall()
        if len(rows) > limit:
            return None
        *keys, n = zip(*rows, strict=True) if rows else ((),) * (len(names) + 1)
        return [list(key) for key in keys], np.array(n, dtype=np.int64)

    @held.interruptible()
    def case_patterns(self, plan: held.CasePlan) -> held.CasePatterns:
        """Count the instances with each pattern of tested and correct classifiers."""
        from duckdb import ColumnExpression as Column

        words = [f"{what}{w}" for w in range(plan.n_words) for what in ("tested", "right")]
        lows = [f"low{i}" for i in range(len(plan.constants))]
        of_dataset = [] if plan.dataset is None else ["dataset"]
        of_cases = self._rows_of_cases(plan).aggregate(
            [
                *(Column(name) for name in (*of_dataset, "id")),
                _expression("count_star").alias("n_rows"),
                *(_expression("bit_or", Column(name)).alias(name) for name in words),
                *(_expression("min", Column(low)).alias(low) for low in lows),
                *(_expression("max", Column(low)).alias(f"high{i}") for i, low in enumerate(lows)),
            ]
        )
        keys = [Column(name) for name in (*of_dataset, "n_rows", *words)]
        constant = [(Column(low) == Column(f"high{i}")).alias(f"same{i}") for i, low in enumerate(lows)]
        groups = of_cases.select(*keys, *constant, self._is_odd(plan.case).alias("odd"))
        found = groups.aggregate([*map(Column, groups.columns), _expression("count_star").alias("n")]).fetchnumpy()
        return held.CasePatterns(
            dataset=np.asarray(found["dataset"] if of_dataset else np.zeros(len(found["n"])), dtype=np.int64),
            n_rows=np.asarray(found["n_rows"], dtype=np.int64),
            tested=[np.asarray(found[f"tested{w}"], dtype=np.int64) for w in range(plan.n_words)],
            right=[np.asarray(found[f"right{w}"], dtype=np.int64) for w in range(plan.n_words)],
            is_constant=np.all([np.asarray(found[f"same{i}"], dtype=bool) for i in range(len(lows))], axis=0),
            is_odd=np.asarray(found["odd"], dtype=bool),
            n_instances=np.asarray(found["n"], dtype=np.int64),
        )

    @held.interruptible()
    def right_words(
        self, true: str, bits: Sequence[Sequence[tuple[str, int]]], dataset: held.Codes | None
    ) -> tuple[IntArray, list[IntArray], IntArray]:
        """Count rows by dataset and by pattern. A column has its bit in the pattern if it equals the true label.

        Return the dataset, the words of bits, and the number of rows of each pattern.
        """
        from duckdb import CaseExpression
        from duckdb import ColumnExpression as Column

        words = []
        for w, of_word in enumerate(bits):
            kind = _narrowest(sum(bit for _, bit in of_word))
            own = [
                CaseExpression(self._column(true) == self._column(name), _number(bit, kind)).otherwise(_number(0, kind))
                for name, bit in of_word
            ]
            words.append(reduce(lambda one, other: _expression("|", one, other), own).alias(f"right{w}"))
        of_dataset = [] if dataset is None else [self._coded(dataset).alias("dataset")]
        rows = self.relation.select(*of_dataset, *words)
        found = rows.aggregate([*map(Column, rows.columns), _expression("count_star").alias("n")]).fetchnumpy()
        n = np.asarray(found["n"], dtype=np.int64)
        datasets = np.asarray(found["dataset"], dtype=np.int64) if of_dataset else np.zeros(len(n), dtype=np.int64)
        return datasets, [np.asarray(found[f"right{w}"], dtype=np.int64) for w in range(len(bits))], n

    @held.interruptible()
    def names_each_row(self, names: Sequence[str]) -> bool:
        """Return whether the columns together identify each row and the names in the last column are valid.

        A name with a comma is not valid, because it may be a number.
        """
        from duckdb import ColumnExpression as Column
        from duckdb import ConstantExpression

        keys = [self._column(name).alias(f"k{i}") for i, name in enumerate(names[:-1])]
        rows = self.relation.select(*keys, self._column(names[-1]).alias("id"))
        if not keys and self.kind(names[-1]) == "integer":
            counted = [_expression(name, Column("id")) for name in ("min", "max", "count")]
            low, high, n = rows.aggregate(counted).fetchall()[0]
            if high - low < MOST_BITS * n:  # a bit for each number takes less memory and time than groups
                limits = map(ConstantExpression, (low, high))
                bits = _expression("bit_count", _expression("bitstring_agg", Column("id"), *limits))
                return bool(n == self.n_rows() == rows.aggregate([bits]).fetchall()[0][0])
        of_names = rows.aggregate([*map(Column, rows.columns), _expression("count_star").alias("n")])
        has_comma = _expression("contains", Column("id").cast("VARCHAR"), ConstantExpression(","))
        is_odd = self._is_odd(names[-1]) | has_comma if self.kind(names[-1]) == "text" else self._is_odd(names[-1])
        wrong = of_names.filter((Column("n") > _number(1, "BIGINT")) | is_odd)
        return not wrong.limit(1).fetchall()

    def _rows_of_cases(self, plan: held.CasePlan) -> Any:
        """Return dataset, instance and classifier bits of each row; a second bit marks a correct prediction."""
        from duckdb import CaseExpression, ColumnExpression

        words = range(plan.n_words)
        rows = self.relation.select(
            self._column(plan.case).alias("id"),
            *([] if plan.dataset is None else [self._coded(plan.dataset).alias("dataset")]),
            *(_chosen(self._column(plan.classifier.column), plan.bits(w)).alias(f"tested{w}") for w in words),
            *(self._coded(codes).alias(f"low{i}") for i, codes in enumerate(plan.constants)),
            (self._column(plan.true) == self._column(plan.predicted)).alias("is_right"),
        )
        right = [
            CaseExpression(ColumnExpression("is_right"), ColumnExpression(f"tested{w}"))
            .otherwise(_number(0, _narrowest(max(bit for _, bit in plan.bits(w)))))
            .alias(f"right{w}")
            for w in words
        ]
        return rows.select(*(ColumnExpression(name) for name in rows.columns if name != "is_right"), *right)

    @held.interruptible()
    def rankings(self, plan: held.RankingPlan) -> list[held.Ranking] | None:
        """Compute the counts for each ranking that the metric needs, or None if a score is possibly not a number."""
        from duckdb import CaseExpression, ConstantExpression

        kind = self.kind(plan.score)
        if kind not in ("integer", "float", "text") or not plan.positives.code_of:
            return None
        score = self._column(plan.score)
        number = score.cast("DOUBLE")
        if kind == "text":  # a cell that is not a plain number stays missing, and the row reader rejects it
            number = CaseExpression(_expression("regexp_full_match", score, ConstantExpression(NUMBER)), number)
        rows = self.relation.select(
            *(self._coded(codes).alias(f"k{i}") for i, codes in enumerate(plan.keys)),
            (number + _number(0, "DOUBLE")).alias("score"),  # avoids negative zero
            self._coded(plan.positives).cast("TINYINT").alias("positive"),
        )
        keys = ", ".join(f"k{i}" for i in range(len(plan.keys)))
        term, odd, others = TERMS[plan.metric]
        query = RANKINGS.format(keys=keys, term=term, odd=odd, others=others.format(keys=keys))
        return list(map(held.ranking_of, rows.query("ranked", query).fetchall()))

    def _column(self, name: str) -> Any:
        from duckdb import ColumnExpression

        return ColumnExpression(f"column{self._place[name]}")

    def _coded(self, codes: held.Codes) -> Any:
        return _chosen(self._column(codes.column), list(codes.code_of.items()))

    def _is_odd(self, case: str) -> Any:
        from duckdb import ColumnExpression, ConstantExpression

        name = ColumnExpression("id")
        if self.kind(case) != "text":
            return name.isnull()
        shown = name.cast("VARCHAR")
        return (
            name.isnull()
            | _expression("regexp_matches", shown, ConstantExpression(ODD))
            | (shown == ConstantExpression(""))
        )

    @held.interruptible()
    def columns(self, names: Sequence[str]) -> list[Any]:
        """Return columns as arrays of numbers, or as codes with distinct cells."""
        rows = self.relation.select(*(self._column(name).alias(f"c{i}") for i, name in enumerate(names)))
        try:
            import pyarrow as pa  # noqa: F401 (whether it can be)
        except ImportError:  # it is not needed to count
            found = rows.fetchnumpy()
            return [_column_of_numpy(found[f"c{i}"]) for i in range(len(names))]
        table = rows.to_arrow_table()
        return [held.column_of_arrow(table.column(i)) for i in range(len(names))]


def _column_of_numpy(column: Any) -> Any:
    from evalstats.tables.categorical import coded

    if not isinstance(column, np.ma.MaskedArray):
        return column if column.dtype.kind in "iuf" else coded(np.asarray(column).tolist())
    if column.dtype.kind in "iuf":
        return np.ma.filled(column.astype(np.float64), np.nan)
    return coded(column.tolist())


def _expression(function: str, *arguments: Any) -> Any:
    from duckdb import FunctionExpression

    return FunctionExpression(function, *arguments)


def _chosen(column: Any, numbers: Sequence[tuple[Any, int]]) -> Any:
    """Return an expression that maps values of a column to numbers, in the narrowest type, and other values to 0.

    The lookup is faster than CASE: DuckDB looks up each distinct value once per block of rows.
    """
    from duckdb import CoalesceOperator, ConstantExpression

    kind = _narrowest(max(number for _, number in numbers))
    values, codes = map(list, zip(*numbers, strict=True))
    place = _expression("list_position", ConstantExpression(values), column)
    chosen = _expression("list_extract", ConstantExpression(codes).cast(f"{kind}[]"), place)
    return CoalesceOperator(chosen, _number(0, kind))


def _narrowest(largest: int) -> str:
    """Return the narrowest integer type that holds `largest`. It saves memory when instances are grouped."""
    return next((kind for kind, n_bits in WIDTHS.items() if largest < 1 << n_bits), "BIGINT")


def _number(number: int, kind: str) -> Any:
    from duckdb import ConstantExpression

    return ConstantExpression(number).cast(kind)
