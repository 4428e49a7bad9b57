"""Data frames with names against arrays of the same numbers: the cost of names. A ratio of 0.95 is a cost of 5%.

pandas itself needs time to return the values and the names of the columns. The goal is for the rest: the call with
these values, after they were read from the data frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats import friedman_test, mcnemar_test, nemenyi_test, quade_test, wilcoxon_test
from evalstats.pairwise import pairwise_mcnemar_test, pairwise_wilcoxon_test

TABLES: tuple[tuple[Callable[..., Any], tuple[int, int]], ...] = tuple(
    (test, shape)
    for shape in ((30, 5), (100, 30), (1000, 100))
    for test in (friedman_test, nemenyi_test, quade_test, pairwise_wilcoxon_test)
)


def races() -> Iterator[Race]:
    import pandas as pd

    rng = np.random.default_rng(27)
    for test, (n, k) in TABLES:
        scores = rng.random((n, k))
        frame = pd.DataFrame(scores, index=[f"dataset {i}" for i in range(n)], columns=[f"c{i}" for i in range(k)])
        yield _race(test, (frame,), (scores,), f"{n} x {k}", _read(test, frame))
    correct = rng.random((10_000, 20)) < rng.uniform(0.7, 0.9, 20)
    answers = pd.DataFrame(correct, columns=[f"c{i}" for i in range(20)])
    yield _race(pairwise_mcnemar_test, (answers,), (correct,), "10,000 x 20", _read(pairwise_mcnemar_test, answers))
    first, second = answers["c0"], answers["c1"]
    yield _race(
        mcnemar_test,
        (first, second),
        (correct[:, 0].copy(), correct[:, 1].copy()),
        "10,000",
        lambda: mcnemar_test(first.to_numpy(), second.to_numpy()),
    )
    x, y = rng.random((2, 200))
    a, b = pd.Series(x, name="a"), pd.Series(y, name="b")
    yield _race(wilcoxon_test, (a, b), (x, y), "200", lambda: wilcoxon_test(a.to_numpy(), b.to_numpy()))


def _read(test: Callable[..., Any], frame: Any) -> Callable[[], Any]:
    """Return the call with the values of a data frame, after its values and names were read."""

    def call() -> Any:
        tuple(frame.columns.tolist())
        return test(np.ascontiguousarray(frame.to_numpy()))

    return call


def _race(
    test: Callable[..., Any], named: tuple[Any, ...], plain: tuple[Any, ...], size: str, read: Callable[[], Any]
) -> Race:
    def agree(mine: Any, theirs: Any, _: str) -> None:
        np.testing.assert_array_equal(mine.pvalue, theirs.pvalue)

    pandas = "the same call with what pandas returns"
    return Race(
        job=f"{test.__name__} of a data frame, {size}",
        ours=lambda: test(*named),
        peers={"the same call with arrays": lambda: test(*plain), pandas: read},
        agree=agree,
        goal={pandas: 0.95},
    )
