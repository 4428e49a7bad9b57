"""R's answers on several readers: the areas, the components of the variance, F and the intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evalstats.comparison import ReaderComparison, compare_readers
from evalstats.report.formats import r_readers


def readers(n_treatments: int, n_readers: int, **choices: Any) -> ReaderComparison:
    rng = np.random.default_rng(n_readers)
    shown = rng.normal(size=(n_treatments, 40))
    return compared(
        n_treatments, n_readers, lambda t, r, i: i % 2 * (1 + t / 2) + shown[t, i] + round(rng.normal(), 1), **choices
    )


def compared(
    n_treatments: int, n_readers: int, rating: Callable[[int, int, int], float], **choices: Any
) -> ReaderComparison:
    at = list(np.ndindex(n_treatments, n_readers, 40))
    rows = {
        "reader": [f'r"{r}' for _, r, _ in at],
        "treatment": [f"t{t}" for t, _, _ in at],
        "case": [i for *_, i in at],
        "truth": [i % 2 for *_, i in at],
        "rating": [float(rating(*where)) for where in at],
    }
    return compare_readers(rows, **choices)


MADE: dict[str, tuple[Callable[[], ReaderComparison], int, int]] = {
    # numbers that agree, and lines that say why there is no test
    "one reader": (lambda: readers(2, 1), 2 + 2 + 6 + 3 + 4, 0),
    "new readers and instances": (lambda: readers(2, 4), 8 + 2 + 6 + 2 * 3 + 4, 0),
    "readers and instances vary": (
        lambda: compared(3, 3, lambda t, r, i: (7 * i + 3 * t * i + r) % 11 + i % 2 * (3 + t * r)),
        9 + 3 + 6 + 2 * 3 + 10,
        0,
    ),
    "three treatments": (lambda: readers(3, 5, alpha=0.1), 15 + 3 + 6 + 2 * 3 + 10, 0),
    "new readers": (lambda: readers(2, 3, sampled="readers"), 6 + 2 + 6 + 2 * 3 + 4, 0),
    "these readers": (lambda: readers(3, 2, sampled="cases"), 6 + 3 + 6 + 3 + 10, 0),
    "equal readers": (lambda: compared(2, 3, lambda t, r, i: i * (3 + 4 * t) % 11 + i % 2), 6 + 2 + 6 + 2 * 3 + 4, 0),
    "equal readers only": (
        lambda: compared(2, 3, lambda t, r, i: i * (3 + 4 * t) % 11 + i % 2, sampled="readers"),
        6 + 2 + 6 + 3 + 1,
        1,
    ),
    "equal treatments": (lambda: compared(2, 3, lambda t, r, i: i * (3 + r) % 11), 6 + 2 + 6 + 1, 2),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_r_agrees(name: str, in_r: Callable[[object], str]) -> None:
    make, n_agree, n_not_checked = MADE[name]
    lines = in_r(make()).splitlines()

    assert [line for line in lines if not line.startswith(("agrees ", "NOT CHECKED: the test for "))] == []
    assert sum(line.startswith("agrees ") for line in lines) == n_agree
    assert len(lines) == n_agree + n_not_checked


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_r_finds_each_edited_number(name: str, edited_in_r: Callable[[object], list[str]]) -> None:
    assert edited_in_r(MADE[name][0]()) == []


def test_too_many_instances_are_not_written(monkeypatch: pytest.MonkeyPatch, in_r: Callable[[object], str]) -> None:
    monkeypatch.setattr(r_readers, "MOST_PAIRS", 399)

    assert in_r(readers(2, 3)) == (
        "NOT CHECKED: the areas and the tests, because R would need a matrix of 400 pairs of a positive and a negative "
        "instance\n"
    )
