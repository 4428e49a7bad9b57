"""What DuckDB counts of a relation."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import pytest

from evalstats.io.engines.duckdb import DuckdbEngine
from evalstats.io.engines.held import CasePlan, Codes, interruptible

duckdb = import_module("duckdb")

# names that would do harm in the text of a query
ODD = 'a"; DROP TABLE x; -- .b'
ROWS = f"""
    SELECT * FROM (VALUES
        (1, 'm', 'u', 'u'), (1, 'n', 'u', 'v'), (2, 'm', 'v', 'v'), (2, 'n', 'v', 'v'),
        (3, 'm', 'u', 'u'), (3, 'n', 'u', 'v')
    ) rows("{ODD.replace('"', '""')}", c, t, p)
"""


def engine(rows: str = ROWS) -> DuckdbEngine:
    connection = duckdb.connect()
    return DuckdbEngine(connection.sql(rows), connection)


def plan(**changed: Any) -> CasePlan:
    usual = CasePlan(ODD, Codes("c", {"m": 0, "n": 0}), Codes("c", {"m": 0, "n": 1}), "t", "p", ())
    return usual._replace(**changed)


def test_names_are_quoted_wherever_they_stand() -> None:
    own = engine()

    assert own.header == [ODD, "c", "t", "p"]
    assert own.n_rows() == 6
    keys, n = own.counts([ODD, "p"], 10) or ([], [])
    assert sorted(zip(*keys, n, strict=True)) == [(1, "u", 1), (1, "v", 1), (2, "v", 2), (3, "u", 1), (3, "v", 1)]


def test_too_many_groups_are_no_counts() -> None:
    assert engine().counts([ODD, "p"], 4) is None


def test_patterns_of_cases() -> None:
    found = engine().case_patterns(plan(constants=(Codes("t", {"u": 0, "v": 1}),)))

    assert sorted(zip(found.tested[0], found.right[0], found.n_rows, found.n_instances, strict=True)) == [
        (3, 1, 2, 2),
        (3, 3, 2, 1),
    ]
    assert found.is_constant.all()
    assert not found.is_odd.any()


def test_what_differs_within_a_case_is_seen() -> None:
    found = engine().case_patterns(plan(constants=(Codes("p", {"u": 0, "v": 1}),)))

    assert sorted(zip(found.is_constant.tolist(), found.n_instances.tolist(), strict=True)) == [(False, 2), (True, 1)]


@pytest.mark.parametrize("name", ["NULL", "' x'", "'é'", "''"])
def test_names_that_may_be_spelled_otherwise_are_odd(name: str) -> None:
    rows = f"SELECT {name}::VARCHAR AS id, 'm' AS c, 'u' AS t, 'u' AS p UNION ALL SELECT 'plain', 'm', 'u', 'u'"

    found = engine(rows).case_patterns(plan(case="id"))

    assert sorted(found.is_odd.tolist()) == [False, True]


def test_columns_come_as_numbers_or_with_their_distinct_cells() -> None:
    case, classifier = engine().columns([ODD, "c"])

    assert case.tolist() == [1, 1, 2, 2, 3, 3]
    assert sorted(classifier.values) == ["m", "n"]
    assert list(classifier) == ["m", "n"] * 3


def test_columns_come_without_arrow_too(monkeypatch: pytest.MonkeyPatch) -> None:

    rows = "SELECT * FROM (VALUES (1, 'x', 1.5, NULL), (NULL, NULL, 2.5, 3)) rows(a, b, c, d)"
    with_arrow = [[str(cell) for cell in column] for column in engine(rows).columns(["a", "b"])]
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    without = engine(rows).columns(["a", "b"])

    assert [[str(cell) for cell in column] for column in without] == [
        [c.replace("None", "") for c in with_arrow[0]],
        ["x", ""],
    ]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *(("INTEGER", "integer"), ("UBIGINT", "integer"), ("FLOAT", "float"), ("VARCHAR", "text"), ("DATE", "other")),
        *(("BOOLEAN", "boolean"), ("HUGEINT", "other"), ("DECIMAL(9, 2)", "other"), ("ENUM('a')", "text")),
    ],
)
def test_kinds_of_columns(kind: str, name: str) -> None:
    assert engine(f"SELECT NULL::{kind} AS a").kind("a") == name


def test_ctrl_c_is_no_fault_of_the_table() -> None:
    """DuckDB makes a RuntimeError of it, after which the rows would be read one by one."""
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="out of memory"), interruptible():
        raise RuntimeError("out of memory")
