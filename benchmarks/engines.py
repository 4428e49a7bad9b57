"""Predictions of any size: compare() against DuckDB doing the same two group-by operations, on the same file or frame.

The first group-by counts the confusions, the second who is right together: these are the integers that the tests need.
compare() also checks that each classifier predicted each case once, and that the case has one true label.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import evalstats
from benchmarks.timing import Race

BY_HAND = "DuckDB, two group-by operations"
# EVALSTATS_ROWS=1e8 asks for other sizes; the files need about 4 bytes for each row
SIZES = tuple(int(float(size)) for size in os.environ.get("EVALSTATS_ROWS", "1e6,1e7").split(","))
# times DuckDB's own, by the number of rows
GOALS = {1_000_000: 4, 10_000_000: 2, 100_000_000: 1.5}
GOAL_OF_TEXT = 3
MOST_IN_MEMORY = 10_000_000  # rows of a frame

MADE = """
    SELECT 'test' AS dataset, 'model ' || (i % {k}) AS classifier, i // {k} AS row,
        'class ' || (hash(i // {k}) % 10) AS y_true,
        CASE WHEN hash(7 * i + 3) % 1000 < 800 + 2 * (i % {k}) THEN 'class ' || (hash(i // {k}) % 10)
        ELSE 'class ' || (hash(13 * i + 1) % 10) END AS y_pred
    FROM range({n}) rows(i)
"""
CONFUSIONS = "SELECT dataset, classifier, y_true, y_pred, count(*) FROM {source} GROUP BY ALL"
PATTERNS = """
    SELECT is_right, count(*) FROM (
        SELECT row, sum(CASE WHEN y_true = y_pred THEN {bits} ELSE 0 END) AS is_right FROM {source} GROUP BY row
    ) GROUP BY is_right
"""


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="evalstats-benchmark-")


@cache
def predictions_file(n: int, k: int, kind: str) -> str:
    """Write n predictions of k classifiers, and return the name of the file."""
    import duckdb

    path = os.path.join(_folder().name, f"{n}-{k}.{kind}")
    duckdb.connect().execute(f"COPY ({MADE.format(n=n, k=k)}) TO '{path}' (FORMAT {kind})")
    return path


def by_hand(source: str, k: int, **frames: Any) -> tuple[float, int, dict[int, int]]:
    """Return the accuracy of the first classifier, the number of cases, and how many show each pattern."""
    import duckdb

    connection = duckdb.connect()
    for name, frame in frames.items():
        connection.register(name, frame)
    bits = "CASE classifier " + " ".join(f"WHEN 'model {j}' THEN {1 << j}" for j in range(k)) + " END"
    confusions = connection.execute(CONFUSIONS.format(source=source)).fetchall()
    patterns = connection.execute(PATTERNS.format(source=source, bits=bits)).fetchall()
    own = [(true == predicted, n) for _, name, true, predicted, n in confusions if name == "model 0"]
    right = sum(n for is_right, n in own if is_right)
    return right / sum(n for _, n in own), sum(n for _, n in patterns), {int(p): n for p, n in patterns}


# the same with a row for each instance and a column for each classifier
WIDE = """
    SELECT i AS row, 'class ' || (hash(i) % 10) AS y_true, {heads} FROM range({n}) rows(i)
"""
HEAD = """
    CASE WHEN hash(7 * i + {j}) % 1000 < 800 + 2 * {j} THEN 'class ' || (hash(i) % 10)
    ELSE 'class ' || (hash(13 * i + {j}) % 10) END AS "{name}"
"""
WIDE_NAMES = ("NB", "SVM", "RF")


@cache
def wide_file(n: int) -> str:
    """Write the predictions of 3 classifiers for n instances, and return the name of the file."""
    import duckdb

    path = os.path.join(_folder().name, f"wide-{n}.parquet")
    heads = ", ".join(HEAD.format(j=j, name=name) for j, name in enumerate(WIDE_NAMES))
    duckdb.connect().execute(f"COPY ({WIDE.format(n=n, heads=heads)}) TO '{path}' (FORMAT parquet)")
    return path


def wide_by_hand(path: str) -> tuple[list[float], int]:
    """Return the accuracy of each classifier and the number of instances, with the patterns of correct predictions."""
    import duckdb

    connection, source = duckdb.connect(), f"read_parquet('{path}')"
    accuracies = []
    for name in WIDE_NAMES:
        found = connection.execute(f'SELECT y_true, "{name}", count(*) FROM {source} GROUP BY ALL').fetchall()
        accuracies.append(sum(n for true, own, n in found if true == own) / sum(n for *_, n in found))
    bits = " + ".join(f'(y_true = "{name}")::INT * {1 << j}' for j, name in enumerate(WIDE_NAMES))
    patterns = connection.execute(
        f"SELECT is_right, count(*) FROM (SELECT {bits} AS is_right FROM {source}) GROUP BY ALL"
    )
    return accuracies, sum(n for _, n in patterns.fetchall())


def wide_agree(here: Any, there: tuple[list[float], int], _peer: str) -> None:
    accuracies, n = there
    assert here.n_test == n
    own = [here.table.scores[0, here.table.classifiers.index(name)] for name in WIDE_NAMES]
    np.testing.assert_array_equal(own, accuracies)


def ours(source: Any) -> Any:
    return evalstats.compare(source)


def agree(here: Any, there: tuple[float, int, dict[int, int]], _peer: str) -> None:
    accuracy, n, patterns = there
    assert here.n_test == n
    assert here.table.scores[0, here.table.classifiers.index("model 0")] == accuracy
    for pair in here.pairs:
        first, second = (int(name.removeprefix("model ")) for name in (pair.first, pair.second))
        only_first = sum(m for p, m in patterns.items() if p >> first & 1 and not p >> second & 1)
        only_second = sum(m for p, m in patterns.items() if p >> second & 1 and not p >> first & 1)
        np.testing.assert_allclose(pair.difference, (only_first - only_second) / n, rtol=1e-9)


SCORES = """
    SELECT 'data ' || (i % 2) AS dataset, 'model ' || (i // 2 % 2) AS classifier, hash(i // 4) % 3 = 0 AS y_true,
        (0.69 * (hash(7 * i + 3) % 1000000007) / 1e9 + 0.3 * (hash(i // 4) % 3 = 0)::INT) AS y_score
    FROM range({n}) rows(i)
"""


@cache
def scores_file(n: int) -> str:
    """Write n scores of 2 classifiers on 2 datasets, nearly all of them different, and return the name of the file."""
    import duckdb

    path = os.path.join(_folder().name, f"scores-{n}.parquet")
    duckdb.connect().execute(f"COPY ({SCORES.format(n=n)}) TO '{path}' (FORMAT parquet)")
    return path


def areas_by_hand(path: str) -> dict[tuple[str, str], float]:
    """Return the areas under the ROC curves, from scikit-learn on all rows of a data frame."""
    import pandas as pd
    from sklearn.metrics import roc_auc_score

    groups = pd.read_parquet(path).groupby(["dataset", "classifier"])
    return {key: float(roc_auc_score(own["y_true"], own["y_score"])) for key, own in groups}


def areas_agree(here: Any, there: dict[tuple[str, str], float], _peer: str) -> None:
    assert here._scored._predictions._counted is not None
    for (dataset, classifier), area in there.items():
        own = here.scores[here.datasets.index(dataset), here.classifiers.index(classifier)]
        np.testing.assert_allclose(own, area, rtol=1e-12)


def races() -> Iterator[Race]:
    for n in SIZES:
        for k in (2, 4):
            yield _race(f"Parquet, {n:,} predictions of {k} classifiers", n, k, "parquet")
        path = wide_file(n)
        yield Race(
            f"compare() of Parquet, {n:,} instances with a column for each of 3 classifiers",
            lambda path=path: ours(path),
            {BY_HAND: lambda path=path: wide_by_hand(path)},
            wide_agree,
            {BY_HAND: 1 / GOALS[n]} if n in GOALS else {},
            rounds=3,
        )
    yield _race("CSV, 1,000,000 predictions of 2 classifiers", 1_000_000, 2, "csv")
    for n in (size for size in SIZES if size <= MOST_IN_MEMORY):
        for k in (2, 4):
            yield from _frames(n, k)
    for n in SIZES:
        path = scores_file(n)
        yield Race(
            f"AUC of Parquet, {n:,} scores of 2 classifiers on 2 datasets",
            lambda path=path: evalstats.read_table(path, metric="roc_auc"),
            {"pandas and scikit-learn": lambda path=path: areas_by_hand(path)},
            areas_agree,
            {},
            rounds=3,
        )


def _race(job: str, n: int, k: int, kind: str) -> Race:
    path = predictions_file(n, k, kind)
    source = f"read_{kind}('{path}')"
    goal = GOAL_OF_TEXT if kind == "csv" else GOALS.get(n)
    return Race(
        f"compare() of {job}",
        lambda: ours(path),
        {BY_HAND: lambda: by_hand(source, k)},
        agree,
        {} if goal is None else {BY_HAND: 1 / goal},
        rounds=3,
    )


def _frames(n: int, k: int) -> Iterator[Race]:
    import pandas as pd
    import polars as pl
    import pyarrow.parquet as pq

    path = predictions_file(n, k, "parquet")
    for name, frame, seen in (
        ("a pandas frame", pd.read_parquet(path), lambda frame: frame),
        ("a polars frame", pl.read_parquet(path), lambda frame: frame.to_arrow()),
        ("an Arrow table", pq.read_table(path), lambda frame: frame),
    ):
        yield Race(
            f"compare() of {name}, {n:,} predictions of {k} classifiers",
            lambda frame=frame: ours(frame),
            {BY_HAND: lambda frame=frame, seen=seen: by_hand("frame", k, frame=seen(frame))},
            agree,
            {BY_HAND: 1 / GOALS[n]} if n in GOALS else {},
            rounds=3,
        )
