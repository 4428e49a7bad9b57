"""R's answers on two models at equal covariates: the estimating equations and the standardized difference."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evalstats import InvalidValueError, report, verify_report
from evalstats.comparison import AdjustedDifference, adjusted_difference


def adjusted(per_question: int, unit: float = 0, **choices: Any) -> AdjustedDifference:
    """Return the difference of scores in this unit; 0: correct and incorrect answers."""
    rng = np.random.default_rng(per_question)
    n = 40 * per_question
    question = rng.permutation(np.arange(n) // per_question)
    score = rng.integers(0, 2, n) if unit == 0 else unit * (rng.random(n) + 0.1 * (question % 3))
    covariates = {"length": rng.integers(10, 2000, n), 'la"ng': rng.choice(["de", "en", "fr"], n)}
    return adjusted_difference(score, rng.choice(["new", "old"], n), question, covariates, baseline="old", **choices)


N_NUMBERS = 1 + 3 * 5 + 4  # correlation; estimate, error and p of each coefficient; difference, error and limits
MADE: dict[str, Callable[[], AdjustedDifference]] = {
    "correct answers": lambda: adjusted(3),
    "independence": lambda: adjusted(3, working_correlation="independence"),
    "scores": lambda: adjusted(3, 1),
    "scores in a small unit": lambda: adjusted(2, 1e-9),
    "scores in a large unit": lambda: adjusted(4, 1e9, working_correlation="independence"),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_r_agrees(name: str, in_r: Callable[[object], str]) -> None:
    lines = in_r(MADE[name]()).splitlines()

    assert [line for line in lines if not line.startswith("agrees ")] == []
    assert len(lines) == N_NUMBERS


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_r_finds_each_edited_number(name: str, edited_in_r: Callable[[object], list[str]]) -> None:
    assert edited_in_r(MADE[name]()) == []


def test_report_of_arrays_names_no_columns() -> None:
    saved = io.StringIO(report.json(adjusted(3)))

    with pytest.raises(InvalidValueError, match="adjust_for must name at least one column of a covariate"):
        verify_report(saved, data={"question_id": [1], "model": ["a"], "correct": [1]})
