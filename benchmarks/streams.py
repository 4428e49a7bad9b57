"""Streams of 100,000 cases at once, and case by case, against river."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from river import drift, metrics, utils

from benchmarks.timing import Race
from evalstats.metrics import DDM, PageHinkley, PrequentialError, ddm, page_hinkley, prequential_errors

RIVER = "river"
N = 100_000


def stream() -> np.ndarray:
    rng = np.random.default_rng(1)
    return rng.random(N) < np.where(np.arange(N) // 5000 % 2, 0.3, 0.1)


def alarms(method: Any, values: list[Any]) -> list[int]:
    found = []
    for i, value in enumerate(values):
        method.update(value)
        if method.drift_detected:
            found.append(i)
    return found


def of_page() -> Any:
    return drift.PageHinkley(min_instances=30, delta=0.005, threshold=50, alpha=1.0, mode="up")


def rolling(values: list[bool]) -> list[float]:
    error = utils.Rolling(metrics.Accuracy(), window_size=1000)
    found = []
    for value in values:
        error.update(y_true=True, y_pred=not value)
        found.append(1 - error.get())
    return found


def equal(here: Any, there: Any, _peer: str) -> None:
    np.testing.assert_allclose(getattr(here, "alarms", here), there, atol=1e-9)


def races() -> Iterator[Race]:
    """Compare batches first, and then the same work case by case."""
    errors = stream()
    numbers, truths = errors.astype(float), errors.tolist()
    listed = numbers.tolist()

    def by_case(method: Any, values: list[Any], alarm: Any) -> list[int]:
        update = method.update
        return [i for i, value in enumerate(values) if update(value) == alarm]

    yield Race(
        "Page-Hinkley of 100,000 cases at once",
        lambda: page_hinkley(numbers),
        {RIVER: lambda: alarms(of_page(), listed)},
        equal,
        {RIVER: 10},
    )
    yield Race(
        "DDM of 100,000 cases at once",
        lambda: ddm(errors),
        {RIVER: lambda: alarms(drift.binary.DDM(), truths)},
        equal,
        {RIVER: 10},
    )
    yield Race(
        "prequential error of 100,000 cases at once, window of 1,000",
        lambda: prequential_errors(numbers, window=1000),
        {RIVER: lambda: rolling(truths)},
        equal,
        {RIVER: 10},
    )
    yield Race(
        "Page-Hinkley, 100,000 cases one by one",
        lambda: by_case(PageHinkley(), listed, True),
        {RIVER: lambda: alarms(of_page(), listed)},
        equal,
        {RIVER: 1},
    )
    yield Race(
        "DDM, 100,000 cases one by one",
        lambda: by_case(DDM(), truths, "alarm"),
        {RIVER: lambda: alarms(drift.binary.DDM(), truths)},
        equal,
        {RIVER: 1},
    )

    def windowed() -> list[float]:
        update = PrequentialError(window=1000).update
        return [update(value) for value in listed]

    yield Race(
        "prequential error, 100,000 cases one by one, window of 1,000",
        windowed,
        {RIVER: lambda: rolling(truths)},
        equal,
        {RIVER: 1},
    )
