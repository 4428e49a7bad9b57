"""Monte Carlo mean and standard deviation of F1 aggregated over folds.

A fold is drawn as one of its possible pairs (TP, FP), by the alias method: one random number and one look-up, where
drawing the two counts takes two calls of a binomial generator. If folds are equal and few pairs are possible, two or
four folds are drawn at once.
"""

from __future__ import annotations

__all__ = ["MonteCarlo", "monte_carlo_moments"]

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from evalstats._types import AnyArray, FloatArray, IntArray
from evalstats.metrics.forman_scholz_exact import FoldGroup, Setting, binomial_law, fold_groups, fold_positives

# repetitions at a time: their sums stay in the cache, and below the size of blocks that malloc gives back each time
REPETITIONS_AT_A_TIME = 2048
# outcomes of several folds that are drawn at once; outcomes of all folds, beyond which their counts are drawn
LARGEST_JOINT, LARGEST_TABLE = 2**13, 2**18
# never seen in any run
NEGLIGIBLE = 1e-18

Sampler = Callable[[np.random.Generator, int], FloatArray]


class MonteCarlo(NamedTuple):
    """Mean and sd of the five ways, in the order of `F1Strategies`, and the numbers behind them."""

    mean: FloatArray
    sd: FloatArray
    n_used: IntArray  # repetitions in which the way has a value
    n_defined: FloatArray  # share of the repetitions with 0, 1, ..., k defined folds
    n_simulations: int


class _Tally(NamedTuple):
    """Sums over the completed repeats; `error` is the estimate minus the true value."""

    error: Any = 0.0
    square: Any = 0.0
    n_used: Any = 0
    n_defined: Any = 0
    n_simulations: int = 0


class _Table(NamedTuple):
    """Outcomes to draw from: Walker's alias tables of one or several distributions, one after another."""

    keep: FloatArray
    alias: IntArray
    outcome: AnyArray
    start: IntArray
    size: IntArray

    def draw(self, rng: np.random.Generator, n: int, law: Any = 0) -> AnyArray:
        """Draw n outcomes from one distribution, or each from its own."""
        u = rng.random(n)
        u *= self.size[law]
        cell = u.astype(np.int64)
        u -= cell
        cell += self.start[law]
        return self.outcome.take(np.where(u < self.keep[cell], cell, self.alias[cell]), axis=0)


def monte_carlo_moments(
    setting: Setting,
    n_simulations: int,
    rng: np.random.Generator,
    progress: Callable[[int], object] | None = None,
) -> MonteCarlo:
    """Run the experiment; an interrupt (Ctrl-C) ends it early and keeps the completed part.

    `progress` is called about a hundred times, with the number of completed simulations.
    """
    draw = _sampler(setting)
    tally = _Tally()
    try:
        while tally.n_simulations < n_simulations:
            before = tally.n_simulations
            n = min(REPETITIONS_AT_A_TIME, n_simulations - before)
            tally = _added(tally, draw(rng, n), setting)
            if progress is not None and 100 * (before + n) // n_simulations > 100 * before // n_simulations:
                progress(before + n)
    except KeyboardInterrupt:
        if not tally.n_simulations:
            raise
    with np.errstate(invalid="ignore"):
        error = tally.error / tally.n_used
        variance = (tally.square - tally.error * error) / (tally.n_used - 1)
    return MonteCarlo(
        _true_f(setting) + error,
        np.sqrt(np.maximum(variance, 0)),
        tally.n_used,
        tally.n_defined / tally.n_simulations,
        tally.n_simulations,
    )


def _added(tally: _Tally, sums: FloatArray, setting: Setting) -> _Tally:
    """Return a new tally, so an interrupt leaves either the old or the new tally."""
    error = _five_ways(sums, setting) - _true_f(setting)
    n_used = np.full(5, len(sums))
    if (is_left_out := sums[:, 5] == 0).any():
        n_used[[2, 4]] -= np.count_nonzero(is_left_out)
        error[2::2, is_left_out] = 0
    return _Tally(
        tally.error + error.sum(axis=1),
        tally.square + np.einsum("ij,ij->i", error, error),
        tally.n_used + n_used,
        tally.n_defined + np.bincount(sums[:, 5].astype(np.int64), minlength=setting.n_folds + 1),
        tally.n_simulations + len(sums),
    )


def _true_f(setting: Setting) -> float:
    tp, fp = setting.n_positive * setting.recall, setting.n_negative * setting.false_positive_rate
    return 2 * tp / (tp + fp + setting.n_positive)


def _five_ways(sums: FloatArray, setting: Setting) -> FloatArray:
    """Return the five ways of each repeat; the ways that skip folds are meaningless if no fold is left."""
    f, precision, recall, tp, fp, n_defined = np.ascontiguousarray(sums.T)
    nothing = np.finfo(float).tiny  # keeps 0/0 at 0
    harmonic = 2 * precision * recall / (precision + recall + nothing)
    per_fold, per_defined = 1 / setting.n_folds, 1 / np.maximum(n_defined, 1)
    pooled = 2 * tp / (tp + fp + setting.n_positive)
    return np.stack([pooled, f * per_fold, f * per_defined, harmonic * per_fold, harmonic * per_defined])


def _values(tp: Any, fp: Any, n_positive: Any) -> FloatArray:
    """Return the summands: F1, precision, recall (0 if undefined), TP, FP, and whether they are defined."""
    predicted = tp + fp
    is_defined = (predicted > 0) & (n_positive > 0)
    recall = tp / np.maximum(n_positive, 1)
    columns = (
        2 * tp / np.maximum(predicted + n_positive, 1),
        tp / np.maximum(predicted, 1),
        recall,
        tp,
        fp,
        is_defined,
    )
    return np.stack(np.broadcast_arrays(*columns), axis=-1).astype(np.float64)


def _sampler(setting: Setting) -> Sampler:
    """Return a function that draws repeats, each as its sums over the folds."""
    groups = fold_groups(setting)
    n_outcomes = 0
    for group in groups:
        for p in fold_positives(setting, group)[0].tolist():
            tp, fp = _counts_of_fold(setting, group, p)
            n_outcomes += len(tp[1]) * len(fp[1])
    if n_outcomes > LARGEST_TABLE:
        return _by_counts(setting, groups)
    return _stratified(setting, groups) if setting.stratified else _unstratified(setting, groups)


def _stratified(setting: Setting, groups: list[FoldGroup]) -> Sampler:
    """Draw one fold after another, or several equal folds at once."""
    plan = []
    for group in groups:
        outcomes = _outcomes(setting, group, group.n_positive or 0)
        plan += [_table([joint]) for joint in _joint_outcomes(outcomes, group.n_folds)]

    def draw(rng: np.random.Generator, n: int) -> FloatArray:
        total = plan[0].draw(rng, n)
        for table in plan[1:]:
            total += table.draw(rng, n)
        return total

    return draw


def _unstratified(setting: Setting, groups: list[FoldGroup]) -> Sampler:
    """Assign the positives first, then draw each fold from the table of its number of positives."""
    deal = _dealer(setting, groups)
    folds = []
    for group in groups:
        n_positive, _ = fold_positives(setting, group)
        table = _table([_outcomes(setting, group, p) for p in n_positive.tolist()])
        folds += [(table, n_positive[0])] * group.n_folds

    def draw(rng: np.random.Generator, n: int) -> FloatArray:
        return sum(  # type: ignore[return-value]  # mypy adds the 0 that sum begins with
            table.draw(rng, n, dealt - fewest) for (table, fewest), dealt in zip(folds, deal(rng, n), strict=True)
        )

    return draw


def _by_counts(setting: Setting, groups: list[FoldGroup]) -> Sampler:
    """Draw the counts directly, if there are too many possible pairs for a table."""
    size = np.repeat([g.size for g in groups], [g.n_folds for g in groups])
    dealt = np.repeat([g.n_positive or 0 for g in groups], [g.n_folds for g in groups])

    def draw(rng: np.random.Generator, n: int) -> FloatArray:
        n_positive = dealt
        if not setting.stratified:
            n_positive = rng.multivariate_hypergeometric(size, setting.n_positive, size=n, method="marginals")
        tp = rng.binomial(n_positive, setting.recall, (n, len(size)))
        fp = rng.binomial(size - n_positive, setting.false_positive_rate, (n, len(size)))
        sums: FloatArray = _values(tp, fp, n_positive).sum(axis=1)
        return sums

    return draw


def _dealer(setting: Setting, groups: list[FoldGroup]) -> Callable[[np.random.Generator, int], list[IntArray]]:
    """Return a function that assigns the positives at random: to half of the folds, and so on within each half."""
    sizes = [group.size for group in groups for _ in range(group.n_folds)]
    share = setting.n_positive / sum(sizes)

    @cache
    def split(here: int, there: int) -> tuple[_Table, int]:
        first, law = binomial_law(here + there, share)
        totals = range(first, min(first + len(law), setting.n_positive + 1))
        if here + there == sum(sizes):
            totals = range(setting.n_positive, setting.n_positive + 1)
        return _table([_part_of(total, here, there, share) for total in totals]), totals[0]

    def deal(rng: np.random.Generator, total: IntArray, folds: list[int]) -> list[IntArray]:
        if len(folds) == 1:
            return [total]
        half = len(folds) // 2
        table, fewest = split(sum(folds[:half]), sum(folds[half:]))
        part = table.draw(rng, len(total), total - fewest)
        return deal(rng, part, folds[:half]) + deal(rng, total - part, folds[half:])

    return lambda rng, n: deal(rng, np.full(n, setting.n_positive), sizes)


def _part_of(total: int, here: int, there: int, share: float) -> tuple[FloatArray, IntArray]:
    """Return the hypergeometric distribution of the positives of this part, given their total."""
    (low, law), (other_low, other_law) = binomial_law(here, share), binomial_law(there, share)
    first, last = max(low, total - other_low - len(other_law) + 1), min(low + len(law) - 1, total - other_low)
    part = np.arange(first, last + 1)
    return law[part - low] * other_law[total - part - other_low], part


def _counts_of_fold(setting: Setting, group: FoldGroup, n_positive: int) -> tuple[tuple[int, FloatArray], ...]:
    """Return the distributions of TP and FP."""
    n_negative = group.size - n_positive
    return binomial_law(n_positive, setting.recall), binomial_law(n_negative, setting.false_positive_rate)


def _outcomes(setting: Setting, group: FoldGroup, n_positive: int) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities of the pairs (TP, FP) of a fold, and the contribution of each to the sums."""
    (tp, tp_law), (fp, fp_law) = _counts_of_fold(setting, group, n_positive)
    probability = np.outer(tp_law, fp_law).ravel()
    values = _values(np.arange(tp, tp + len(tp_law))[:, None], np.arange(fp, fp + len(fp_law)), n_positive)
    seen = probability > NEGLIGIBLE
    return probability[seen], values.reshape(len(probability), -1)[seen]


def _joint_outcomes(one: tuple[FloatArray, FloatArray], n_folds: int) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield outcomes of one, two, four, ... folds; together they make n folds."""
    joint = [one]
    while 2 ** len(joint) <= n_folds and len(joint[-1][0]) ** 2 < 2 * LARGEST_JOINT:
        probability, values = joint[-1]
        i, j = np.triu_indices(len(probability))  # the order of the two does not matter
        of_two = probability[i] * probability[j] * np.where(i == j, 1, 2)
        seen = of_two > NEGLIGIBLE
        joint.append((of_two[seen], (values[i] + values[j])[seen]))
    largest = 2 ** (len(joint) - 1)
    for _ in range(n_folds // largest):
        yield joint[-1]
    for power, outcomes in enumerate(joint[:-1]):
        if n_folds % largest >> power & 1:
            yield outcomes


def _table(laws: list[tuple[FloatArray, AnyArray]]) -> _Table:
    """Build the alias tables of distributions that are given as probabilities and outcomes."""
    size = np.array([len(probability) for probability, _ in laws])
    start = np.cumsum(size) - size
    keep, alias = zip(*(_alias(probability) for probability, _ in laws), strict=True)
    return _Table(
        np.concatenate(keep),
        np.concatenate([a + offset for a, offset in zip(alias, start, strict=True)]),
        np.concatenate([outcome for _, outcome in laws]),
        start,
        size,
    )


def _alias(probability: FloatArray) -> tuple[FloatArray, IntArray]:
    """Fill cells of equal size: an outcome that is too rare for its cell is complemented by a frequent outcome."""
    share = (probability * (len(probability) / probability.sum())).tolist()
    alias = list(range(len(share)))
    rare = [i for i, s in enumerate(share) if s < 1]
    frequent = [i for i, s in enumerate(share) if s >= 1]
    while rare and frequent:
        i, j = rare.pop(), frequent[-1]
        alias[i] = j
        share[j] -= 1 - share[i]
        if share[j] < 1:
            rare.append(frequent.pop())
    return np.array(share), np.array(alias)
