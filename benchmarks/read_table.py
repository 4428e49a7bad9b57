"""Tables of scores: read_table() against pandas, which reads the same numbers and asks nothing about them.

read_table() finds the layout, the direction and the role of each row and column, checks every name and cell, and looks
for odd values.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import evalstats
from benchmarks.timing import Race

LONG = ("dataset", "classifier", "accuracy")
# times pandas' own, of a table of scores with this number of rows
GOALS = {121: 3, 1000: 2.5}
NAMES_KEPT = 10_000  # whose meaning is remembered


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="evalstats-benchmark-")


def _written(frame: Any, name: str) -> str:
    path = os.path.join(_folder().name, name)
    frame.to_csv(path, index=False)
    return path


def _wide(scores: Any, first: int = 0) -> Any:
    """Return a table of scores, whose rows and columns are numbered from `first` on."""
    import pandas as pd

    n, k = scores.shape
    wide = pd.DataFrame(scores, columns=[f"classifier {first + j}" for j in range(k)])
    wide.insert(0, "dataset", [f"data {first + i}" for i in range(n)])
    return wide


def agree(here: Any, there: Any, _peer: str) -> None:
    wide = there.set_index("dataset") if "dataset" in there else there
    np.testing.assert_array_equal(here.scores, wide.loc[list(here.datasets), list(here.classifiers)].to_numpy())


def races() -> Iterator[Race]:
    import pandas as pd

    rng = np.random.default_rng(0)
    for n, k in ((121, 179), (1000, 500)):
        scores = rng.random((n, k)).round(4)
        wide = _wide(scores)
        path = _written(wide, f"{n}.csv")
        yield Race(
            f"read_table() of CSV, {n} datasets x {k} classifiers",
            lambda path=path: evalstats.read_table(path),
            {"pandas.read_csv": lambda path=path: pd.read_csv(path)},
            agree,
            {"pandas.read_csv": 1 / GOALS[n]},
        )
        fresh = itertools.cycle(
            [_written(_wide(scores, 1000 * i), f"{n}-{i}.csv") for i in range(4 + NAMES_KEPT // (n + k))]
        )
        yield Race(
            f"read_table() of CSV, {n} datasets x {k} classifiers, names not read before",
            lambda fresh=fresh: evalstats.read_table(next(fresh)),
            {"pandas.read_csv": lambda path=path: pd.read_csv(path)},
            lambda here, there, _: np.testing.assert_array_equal(here.scores, there.iloc[:, 1:].to_numpy()),
            {"pandas.read_csv": 1 / GOALS[n]},
        )
        yield Race(
            f"read_table() of a frame, {n} datasets x {k} classifiers",
            lambda wide=wide: evalstats.read_table(wide),
            {"pandas, its numbers as one array": lambda wide=wide: _as_array(wide)},
            agree,
            {},
        )
    tall = _wide(rng.random((100_000, 10)).round(4))
    path = _written(tall, "tall.csv")
    yield Race(
        "read_table() of CSV, 100,000 datasets x 10 classifiers",
        lambda path=path: evalstats.read_table(path),
        {"pandas.read_csv": lambda path=path: pd.read_csv(path)},
        agree,
        {},
        rounds=3,
        limit=1.0,
    )
    n = 1000
    columns = (np.repeat([f"data {i}" for i in range(n)], n), np.tile([f"c{j}" for j in range(n)], n))
    long = pd.DataFrame(dict(zip(LONG, (*columns, rng.random(n * n).round(4)), strict=True)))
    path = _written(long, "long.csv")
    for what, source, peer in (
        ("CSV", path, lambda: pd.read_csv(path).pivot(index=LONG[0], columns=LONG[1])),
        ("a frame", long, lambda: long.pivot(index=LONG[0], columns=LONG[1])),
    ):
        yield Race(
            f"read_table() of {what}, 1,000,000 rows of dataset, classifier and score",
            lambda source=source: evalstats.read_table(source),
            {"pandas, with pivot": peer},
            lambda here, there, name: agree(here, there[LONG[2]], name),
            {},
            rounds=3,
        )


def _as_array(frame: Any) -> Any:
    frame.drop(columns="dataset").to_numpy(copy=True)
    return frame
