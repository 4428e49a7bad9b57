"""Reduction of several answers of a model to one question to one score.

The question is the unit that is compared: answers to one question are not independent, and are reduced first.
"""

from __future__ import annotations

__all__ = ["is_reducer", "reduced", "unscored"]

import math
import re
import statistics
from collections import Counter
from collections.abc import Callable, Sequence

from evalstats._findings import Finding, warning

RIGHT = 1.0  # a score at or above this value counts as correct
_WITH_NUMBER = re.compile(r"(at_least|pass_at|pass_k)_(\d{1,6})")


def is_reducer(name: str) -> bool:
    """Return whether `reduced` supports a name."""
    return name in _WAYS or _WITH_NUMBER.fullmatch(name) is not None


def reduced(values: Sequence[float], name: str = "mean") -> float:
    """Return one score for the answers to one question.

    Parameters
    ----------
    values : sequence of float
        One for each answer; nan if it was not scored.
    name : str, default: 'mean'
        ``'mean'``, ``'median'``, ``'max'``, ``'mode'`` (the first of equals), ``'majority'`` (more than half of all
        answers, else nan), and with a number k: ``'at_least_k'`` (1 if k or more are correct), ``'pass_at_k'`` (the
        probability that at least one of k is correct: Chen et al. 2021, eq. 1) and ``'pass_k'`` (the probability that
        all k are correct).

    Returns
    -------
    float
        nan if no answer was scored, and for ``'pass_at_k'`` and ``'pass_k'`` if fewer than k were scored.

    Examples
    --------
    >>> from evalstats.tables.answer_reduction import reduced
    >>> [reduced([1, 0, 0, 1], name) for name in ("mean", "at_least_3", "pass_at_2", "pass_k_2")]
    [0.5, 0.0, 0.8333333333333334, 0.16666666666666666]
    """
    scored = [float(value) for value in values if not math.isnan(value)]
    if not scored:
        return math.nan
    if name == "majority":
        value, times = Counter(scored).most_common(1)[0]
        return value if 2 * times > len(values) else math.nan
    if name in _WAYS:
        return float(_WAYS[name](scored))
    with_number = _WITH_NUMBER.fullmatch(name)
    assert with_number is not None
    return _among(with_number[1], int(with_number[2]), len(scored), sum(value >= RIGHT for value in scored))


def unscored(n: int) -> list[Finding]:
    """Return a finding about questions with unscored answers."""
    words = f"For {n:,} questions some answers were not scored: their score is the mean of the other answers."
    return [warning("epochs-unscored", words)] if n else []


def _among(kind: str, k: int, n: int, n_right: int) -> float:
    """Return the score of k answers, of which n were given and n_right are right."""
    if kind == "at_least":
        return float(n_right >= k)
    if n < k:
        return math.nan
    n_chosen = math.comb(n, k)
    return math.comb(n_right, k) / n_chosen if kind == "pass_k" else 1 - math.comb(n - n_right, k) / n_chosen


_WAYS: dict[str, Callable[[list[float]], float]] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "max": max,
    "mode": statistics.mode,
    "majority": statistics.mode,
}
