"""Data frames with names against arrays of the same numbers: the cost of names. A ratio of 0.95 is a cost of 5%."""

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
        yield _race(test, (frame,), (scores,), f"{n} x {k}")
    correct = rng.random((10_000, 20)) < rng.uniform(0.7, 0.9, 20)
    answers = pd.DataFrame(correct, columns=[f"c{i}" for i in range(20)])
    yield _race(pairwise_mcnemar_test, (answers,), (correct,), "10,000 x 20")
    yield _race(mcnemar_test, (answers["c0"], answers["c1"]), (correct[:, 0].copy(), correct[:, 1].copy()), "10,000")
    x, y = rng.random((2, 200))
    yield _race(wilcoxon_test, (pd.Series(x, name="a"), pd.Series(y, name="b")), (x, y), "200")


def _race(test: Callable[..., Any], named: tuple[Any, ...], plain: tuple[Any, ...], size: str) -> Race:
    def agree(mine: Any, theirs: Any, _: str) -> None:
        np.testing.assert_array_equal(mine.pvalue, theirs.pvalue)

    peer = "the same call with arrays"
    return Race(
        job=f"{test.__name__} of a data frame, {size}",
        ours=lambda: test(*named),
        peers={peer: lambda: test(*plain)},
        agree=agree,
        goal={peer: 0.95},
    )
