"""Permutation distribution of the disagreement of ratings.

For a unit with m ratings, sum the differences of all pairs of its ratings and divide the sum by m - 1. The
*disagreement* is the total over the units. For any sizes of units, the mean over all arrangements is half the number of
ratings times the mean difference of a pair. Krippendorff's alpha is therefore 1 minus the disagreement divided by this
mean.
"""

from __future__ import annotations

__all__ = ["Shuffled", "disagreement", "number_of_draws", "shuffled_pvalue"]

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from operator import sub
from typing import Any, NamedTuple

import numpy as np

from evalstats._checks import RandomSource
from evalstats._errors import InvalidValueError
from evalstats._types import FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails

AUTO_STEPS, MOST_STEPS = 5e4, 2e7  # up to about 0.03 s, and 10 s
STEPS_OF_DRAW = 10  # time of a draw, in additions of probabilities
MOST_RATINGS = 4096  # maximum number of ratings for which all arrangements are enumerated
FEWEST_DRAWS, MOST_DRAWS, RATINGS_IN_ALL = 999, 9999, 2**26  # about 2 s
AT_ONCE = 2**20  # number of ratings that are drawn at a time
STEPS_OF_MEAN = 2.0**40  # sums of differences are integer multiples of this fraction of the mean
ROUNDING = 1e-9  # relative to the mean: disagreements that are closer than this are equal

# maps the ratings (..., m) of units to the sums (...) of the differences of their pairs
Within = Callable[[FloatArray], FloatArray]


class Shuffled(NamedTuple):
    """A p-value and the method of its computation."""

    pvalue: float
    method: str
    n_resamples: int | None


def number_of_draws(n_resamples: int | None, n_ratings: int) -> int:
    """Return the requested number of arrangements, or a number that takes at most a few seconds."""
    return n_resamples or max(FEWEST_DRAWS, min(MOST_DRAWS, RATINGS_IN_ALL // n_ratings))


def disagreement(units: list[FloatArray], within: Within) -> float:
    """Return the disagreement of units, each an array of its ratings."""
    return float(sum(float(within(unit)) / (unit.size - 1) for unit in units if unit.size > 1))


def shuffled_pvalue(
    values: FloatArray,
    sizes: IntArray,
    within: Within,
    observed: float,
    mean: float,
    *,
    alternative: str,
    method: str,
    n_resamples: int | None,
    source: RandomSource,
) -> Shuffled:
    """Return the p-value of a permutation test of the disagreement.

    ``'greater'`` means more agreement, and therefore less disagreement. The caller must pass the values in an order
    that does not depend on irrelevant properties of the input. The sizes of the units are sorted here. With n_resamples
    None, the number of random arrangements depends on the number of ratings.
    """
    sizes = np.sort(sizes)
    chances = None
    if method != "monte-carlo":
        chances = _exact(values, sizes, within, mean, AUTO_STEPS if method == "auto" else MOST_STEPS)
    if chances is not None:
        sums, weights = chances
        is_extreme = _is_extreme(sums, observed, mean, alternative)
        pvalue = 1.0 if is_extreme.all() else float(tails.as_pvalue(weights[is_extreme].sum()))
        return Shuffled(pvalue, "exact", None)
    if method == "exact":
        raise InvalidValueError(
            f"method='exact' would take more than {MOST_STEPS:.0e} steps for {sizes.size} units with {values.size} "
            "ratings; use method='monte-carlo'"
        )
    n_draws = number_of_draws(n_resamples, values.size)
    n_extreme = 0
    for drawn in _random(values, sizes, within, n_draws, source.generator()):
        n_extreme += int(_is_extreme(drawn, observed, mean, alternative).sum())
    return Shuffled((n_extreme + 1) / (n_draws + 1), "monte-carlo", n_draws)


def _is_extreme(sums: FloatArray, observed: float, mean: float, alternative: str) -> Any:
    """Return which sums are at least as extreme as the observed sum. A small sum means agreement."""
    above, reference = (mean - sums, mean - observed)
    if alternative == "less":
        above, reference = -above, -reference
    elif alternative == "two-sided":
        above, reference = np.abs(above), abs(reference)
    return above >= reference - ROUNDING * mean


def _random(
    values: FloatArray, sizes: IntArray, within: Within, n_resamples: int, generator: np.random.Generator
) -> Iterator[FloatArray]:
    step = max(1, AT_ONCE // values.size)
    blocks = [(int(m), int(n)) for m, n in zip(*np.unique(sizes, return_counts=True), strict=True)]
    for start in range(0, n_resamples, step):
        n = min(step, n_resamples - start)
        drawn, first, total = generator.permuted(np.broadcast_to(values, (n, values.size)), axis=1), 0, np.zeros(n)
        for m, n_units in blocks:
            block = drawn[:, first : first + m * n_units].reshape(n, n_units, m)
            total += within(block).sum(axis=-1) / (m - 1)
            first += m * n_units
        yield total


def _exact(
    values: FloatArray, sizes: IntArray, within: Within, mean: float, most: float
) -> tuple[FloatArray, FloatArray] | None:
    """Return all possible disagreements and their probabilities, or None if the enumeration takes too many steps.

    The units are filled one after the other from the remaining values. The state consists of the remaining values and
    the sum so far.
    """
    distinct, counts = np.unique(values, return_counts=True)
    if _fewest_steps(counts, sizes) > most:
        return None
    steps, costs = 0, dict[tuple[int, ...], int]()
    states: dict[tuple[int, ...], dict[int, float]] = {tuple(counts.tolist()): {0: 1.0}}
    for m in sizes[::-1].tolist():
        following: dict[tuple[int, ...], dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for left, chances in states.items():
            for taken, chance in _draws(left, m):
                if taken not in costs:
                    share = float(within(np.repeat(distinct, taken))) / ((m - 1) * mean)
                    costs[taken] = round(share * STEPS_OF_MEAN)
                rest, cost = following[tuple(map(sub, left, taken))], costs[taken]
                for total, chance_before in chances.items():
                    rest[total + cost] += chance * chance_before
                steps += STEPS_OF_DRAW + len(chances)
            if steps > most:
                return None
        states = following
    (final,) = states.values()
    return np.array(list(final)) * (mean / STEPS_OF_MEAN), np.array(list(final.values()))


def _draws(left: tuple[int, ...], m: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield the possible counts of each value in a unit of m ratings, and their probabilities."""
    places, n_ways = range(len(left)), math.comb(sum(left), m)
    for chosen in itertools.combinations_with_replacement([i for i in places if left[i]], m):
        taken = tuple(chosen.count(i) for i in places)
        if ways := math.prod(map(math.comb, left, taken)):
            yield taken, ways / n_ways


def _fewest_steps(counts: IntArray, sizes: IntArray) -> float:
    """Return the number of different states, a lower bound for the number of steps in the enumeration."""
    if counts.sum() > MOST_RATINGS:
        return math.inf
    ways = np.ones(1)
    for n in counts.tolist():
        ways = np.convolve(ways, np.ones(n + 1))
        if ways.max() > MOST_STEPS:
            return math.inf
    return float(ways[np.cumsum(sizes)].sum())
