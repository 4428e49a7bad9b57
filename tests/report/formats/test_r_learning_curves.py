"""R's answers on learning curves: each size, the adjustments, and sizes without a variance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evalstats import report
from evalstats.comparison import LearningCurveComparison, compare_learning_curves

SIZES = (25, 50, 100, 200)
NUMBERS_OF_SIDAK, NUMBERS_OF_MAX_T = 11, 9  # at each size; for max-t, one level of the band in place of the limits


def curves(n_repeats: int, n_sizes: int, **choices: Any) -> LearningCurveComparison:
    scores = np.random.default_rng(n_repeats).normal(0.8, 0.02, (2, n_repeats, n_sizes)).round(4)
    return compared(scores, **choices)


def degenerate(**choices: Any) -> LearningCurveComparison:
    """Return curves that are equal at the first size, have a constant difference at the second, and then differ."""
    x = np.random.default_rng(1).normal(0.8, 0.02, (6, 4)).round(3)
    y = x.copy()
    y[:, 1] -= 0.1
    y[:, 2] = 0.7
    y[:, 3] = y[::-1, 3]
    return compared(np.stack([x, y]), n_instances=400, **choices)


def compared(scores: np.ndarray, **choices: Any) -> LearningCurveComparison:
    at = list(np.ndindex(scores.shape))
    rows = {
        "classifier": [('S"VM', "tree")[c] for c, _, _ in at],
        "repeat": [r for _, r, _ in at],
        "n_train": [SIZES[s] for _, _, s in at],
        "accuracy": [float(scores[where]) for where in at],
    }
    return compare_learning_curves(rows, n_test=20, **choices)


MADE: dict[str, tuple[Callable[[], LearningCurveComparison], int]] = {
    "one size": (lambda: curves(5, 1), NUMBERS_OF_SIDAK),
    "two repeats": (lambda: curves(2, 3, alpha=0.1), 3 * NUMBERS_OF_SIDAK),
    "parts of all instances": (lambda: curves(9, 4, n_instances=400), 4 * NUMBERS_OF_SIDAK),
    "max-t": (lambda: curves(30, 4, adjust="max-t"), 4 * NUMBERS_OF_MAX_T + 1),
    "max-t, more sizes than repeats": (lambda: curves(3, 4, adjust="max-t"), 4 * NUMBERS_OF_MAX_T + 1),
    "sizes without a variance": (degenerate, 4 * NUMBERS_OF_SIDAK),
    "max-t, sizes without a variance": (lambda: degenerate(adjust="max-t"), 4 * NUMBERS_OF_MAX_T + 1),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_r_agrees(name: str, in_r: Callable[[object], str]) -> None:
    make, n_agree = MADE[name]
    lines = in_r(make()).splitlines()

    assert [line for line in lines if not line.startswith("agrees ")] == []
    assert len(lines) == n_agree


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in MADE if "max-t" not in name])
def test_r_finds_each_edited_number(name: str, edited_in_r: Callable[[object], list[str]]) -> None:
    assert edited_in_r(MADE[name][0]()) == []


@pytest.mark.parametrize("adjust", ["sidak", "max-t"])
def test_r_finds_an_edited_number(adjust: str, in_r: Callable[[object], str]) -> None:
    comparison = curves(30, 2, adjust=adjust)
    script = report.r_script(comparison)
    largest = repr(float(comparison.test.pvalue.max()))

    assert script.count(largest) == 1
    assert in_r(script.replace(largest, "0.5")).count("DIFFERS") == 1


def test_package_that_is_missing_is_named(in_r: Callable[[object], str]) -> None:
    script = report.r_script(curves(30, 2, adjust="max-t")).replace(
        'requireNamespace("mvtnorm"', 'requireNamespace("no"'
    )

    assert in_r(script).splitlines()[-1] == (
        "NOT CHECKED: the max-t p-values and the band, because the package mvtnorm is not installed; "
        "install.packages('mvtnorm') installs it"
    )


def test_no_base_script_requires_a_package() -> None:
    assert "mvtnorm" not in report.r_script(curves(5, 2))
