"""Mean and standard deviation of F1 aggregated over folds, exact or by Monte Carlo.

Given their class counts, folds are independent, and the outcome of a fold is a pair of binomial counts (TP, FP). The
five ways of Forman and Scholz depend only on sums over folds: of F1, of precision, of recall, and of the defined folds.
The generating function of a sum is the product of the generating functions of the folds. It is evaluated at roots of
unity. Two additional techniques are necessary:

- random numbers of positive instances are independent binomial counts, conditional on their total, which adds one more
  sum.
- the harmonic mean 2AB / (A + B) of two sums is not a sum. However, 1 / (A + B) equals a sum of about sixty
  exponentials exp(-t (A + B)) to floating-point accuracy. Each exponential factorizes over the folds.
"""

from __future__ import annotations

__all__ = [
    "FoldGroup",
    "Moments",
    "MonteCarlo",
    "Setting",
    "binomial_law",
    "cost",
    "exact_moments",
    "fold_positives",
    "monte_carlo_moments",
]

import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, reduce
from typing import Any, NamedTuple

import numpy as np

from evalstats._types import AnyArray, FloatArray, IntArray

# the total probability of omitted outcomes is below a rounding error
NEGLIGIBLE = 1e-20
# number of exponentials: 1 / s is then exact to the last bit
NODE_STEP, NODE_SCALE = 0.2, 4.0
# complex numbers in a chunk: a few arrays of this length fit into the cache
POINTS_AT_A_TIME = 2**14
CELLS_AT_A_TIME = 2**20


class FoldGroup(NamedTuple):
    """Folds of equal size. `n_positive` is None if the positive instances are assigned at random."""

    n_folds: int
    size: int
    n_positive: int | None


class Setting(NamedTuple):
    """A cross-validation of a classifier whose true recall and false positive rate are known.

    `folds` contains the actual folds. If there are no actual folds, the instances are assigned evenly.
    """

    n_positive: int
    n_negative: int
    n_folds: int
    recall: float
    false_positive_rate: float
    stratified: bool
    folds: tuple[FoldGroup, ...] = ()


class Moments(NamedTuple):
    """Mean and sd of the five ways, as in `F1Strategies`, and the distribution of the number of defined folds."""

    mean: FloatArray
    sd: FloatArray
    n_defined: FloatArray


class _FoldLaw(NamedTuple):
    """Moments of the outcome of one fold, for each possible number of positive instances (the last axis).

    Each moment is multiplied by the probability that the fold is defined and divided by the factorial of its degree.
    Sums of independent folds are then products.
    """

    n_alike: int
    n_positive: IntArray
    probability: FloatArray
    undefined: FloatArray  # probability that F is undefined
    f: FloatArray  # (3, 1, ...): degrees of F
    harmonic: FloatArray  # (3, 3, n_nodes, ...): degrees of precision and of recall, times exp(-t (precision + recall))


def fold_groups(setting: Setting) -> list[FoldGroup]:
    """Assign the instances in turn, positive instances first, so the sizes of folds differ by at most one."""
    if setting.folds:
        return list(setting.folds)
    n, p, k = setting.n_positive + setting.n_negative, setting.n_positive, setting.n_folds
    dealt = Counter((-(-(n - i) // k), -(-(p - i) // k) if setting.stratified else None) for i in range(k))
    return [FoldGroup(count, size, positives) for (size, positives), count in dealt.items()]


def fold_positives(setting: Setting, group: FoldGroup) -> tuple[IntArray, FloatArray]:
    """Return the possible numbers of positive instances of a fold, with their unconditional probabilities."""
    if group.n_positive is not None:
        return np.array([group.n_positive]), np.ones(1)
    first, law = binomial_law(group.size, setting.n_positive / (setting.n_positive + setting.n_negative))
    law = law[: setting.n_positive + 1 - first]
    return np.arange(first, first + len(law)), law


def exact_moments(setting: Setting) -> Moments:
    """Return the mean and the sd of the five ways, accurate to about twelve digits.

    The ways that skip folds are undefined if no fold is defined. Their moments are conditional on at least one defined
    fold.
    """
    k = setting.n_folds
    n_defined, *sums = _sums_by_defined_folds(setting)

    inverse = np.zeros(k + 1)
    inverse[1:] = 1 / np.arange(1, k + 1)
    some = n_defined[1:].sum()
    moments = [_pooled_moments(setting)]
    for first, second in sums:
        moments += [(first.sum() / k, second.sum() / k**2), (first @ inverse / some, second @ inverse**2 / some)]

    mean, mean_square = np.array(moments).T
    return Moments(mean, np.sqrt(np.maximum(mean_square - mean**2, 0)), n_defined)


def cost(setting: Setting) -> float:
    """Return the approximate number of multiplications of `exact_moments`."""
    n_nodes = len(_reciprocal_rule(setting)[0])
    total = _width(setting.n_positive, setting.recall) * _width(setting.n_negative, setting.false_positive_rate)
    groups = fold_groups(setting)
    for group in groups:
        n_positive, _ = fold_positives(setting, group)
        n_tp = _width(int(n_positive[-1]), setting.recall) + len(n_positive)
        n_fp = _width(group.size, setting.false_positive_rate)
        total += 3 * n_nodes * n_tp * len(n_positive) * (n_fp + 3)
    n_points = n_nodes * _n_frequencies(setting) * (setting.n_folds + 1)
    return total + 72 * n_points * sum(math.log2(group.n_folds + 1) for group in groups)


def binomial_law(n: int, probability: float) -> tuple[int, FloatArray]:
    """Return the first outcome that is not negligible, and the probabilities from there on.

    Ratios of adjacent probabilities are multiplied from the mode outwards, which keeps full precision for every n.
    """
    if probability in (0, 1):
        return int(n * probability), np.ones(1)
    reach = _reach(n * probability * (1 - probability))
    low, high = max(0, math.floor(n * probability - reach)), min(n, math.ceil(n * probability + reach))
    i = np.arange(low, high)
    ratio = (n - i) / (i + 1) * (probability / (1 - probability))
    mode = int(np.count_nonzero(ratio >= 1))
    law = np.concatenate([np.cumprod(1 / ratio[:mode][::-1])[::-1], [1.0], np.cumprod(ratio[mode:])])
    law /= law.sum()
    kept = np.flatnonzero(law > NEGLIGIBLE)
    return low + int(kept[0]), law[kept[0] : kept[-1] + 1]


def _sums_by_defined_folds(setting: Setting) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the probabilities of 0, 1, ..., k defined folds, each with the mean and the mean square of two quantities.

    The quantities are the sum of F1 over the defined folds, and 2AB / (A + B). Here, A is the sum of precision, and B
    is the sum of recall.
    """
    k = setting.n_folds
    t, weight = _reciprocal_rule(setting)
    laws = [_fold_law(setting, group, t) for group in fold_groups(setting)]
    root = np.exp(2j * np.pi / (k + 1) * (np.outer(np.arange(k + 1), np.arange(k + 1)) % (k + 1)))
    f, harmonic = np.zeros((3, k + 1)), np.zeros((2, k + 1))
    for turns, back in _frequency_blocks(setting, laws, len(t)):
        at = [_generating_functions(law, turn, root[1].conj()) for law, turn in zip(laws, turns, strict=True)]
        of_f, of_both = (reduce(_times, factors) for factors in zip(*at, strict=True))
        coefficient = back @ (np.stack([of_f[0, 0], of_f[1, 0], 2 * of_f[2, 0]]) @ root)
        f += coefficient.real / (k + 1)
        # 1 / s is the sum of w exp(-ts) over the nodes, and 1 / s**2 the sum of w t exp(-ts)
        means = np.einsum("qt,qt...->q...", [2 * weight, 16 * weight * t], np.stack([of_both[1, 1], of_both[2, 2]]))
        harmonic += (back @ (means @ root)).real / (k + 1)
    total = f[0].sum()
    return f[0] / total, f[1:] / total, harmonic / total


def _fold_law(setting: Setting, group: FoldGroup, t: FloatArray) -> _FoldLaw:
    """Return the moments of one fold by summation over the pairs (TP, FP)."""
    n_positive, probability = fold_positives(setting, group)
    tp, tp_law = _binomial_laws(n_positive, setting.recall)
    fp, fp_law = _binomial_laws(group.size - n_positive, setting.false_positive_rate)

    f, harmonic = np.zeros((3, 1, len(n_positive))), np.zeros((3, 3, len(t), len(n_positive)))
    none_found = tp_law[0] if tp[0] == 0 else np.zeros(len(n_positive))
    nothing_predicted = none_found * (fp_law[0] if fp[0] == 0 else 0.0)
    undefined = np.where(n_positive > 0, nothing_predicted, 1.0)
    f[0, 0] = none_found - nothing_predicted
    f[0, 0, n_positive == 0] = 0
    harmonic[0, 0] = f[0, 0]

    at_least_one = np.maximum(n_positive, 1)
    for found, law in zip(tp[tp > 0].tolist(), tp_law[tp > 0], strict=True):
        f[:, 0] += law * _powers(2 * found / (found + fp[:, None] + at_least_one), fp_law).sum(axis=1)
        precision, recall = found / (found + fp), found / at_least_one
        of_precision = _powers(precision, np.exp(-np.outer(t, precision))) @ fp_law
        of_recall = _powers(recall, law * np.exp(-np.outer(t, recall)))
        harmonic += of_precision[:, None] * of_recall
    return _FoldLaw(group.n_folds, n_positive, probability, undefined, f, harmonic)


def _binomial_laws(n: IntArray, probability: float) -> tuple[IntArray, FloatArray]:
    """Return the outcomes of binomial variables, and a column of probabilities for each n."""
    laws = [binomial_law(int(m), probability) for m in n]
    first, last = min(low for low, _ in laws), max(low + len(law) for low, law in laws)
    columns = np.zeros((last - first, len(n)))
    for j, (low, law) in enumerate(laws):
        columns[low - first : low - first + len(law), j] = law
    return np.arange(first, last), columns


def _powers(x: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the weights times x to the powers 0, 1, 2, divided by their factorials."""
    return np.stack([weight, weight * x, weight * (x * x / 2)])


def _frequency_blocks(
    setting: Setting, laws: list[_FoldLaw], n_nodes: int
) -> Iterator[tuple[list[AnyArray], AnyArray]]:
    """Yield frequencies in chunks, as factors for each number of positives, and the factors that select the total.

    The sum over all frequencies is real, so only half of the frequencies are used and counted twice.
    """
    n = 2 * _n_frequencies(setting) - 1
    step = max(1, POINTS_AT_A_TIME // (n_nodes * (setting.n_folds + 1)))
    for start in range(0, (n + 1) // 2, step):
        frequency = np.arange(start, min(start + step, (n + 1) // 2))
        turns = [
            law.probability[:, None] * np.exp(-2j * np.pi / n * (np.outer(law.n_positive, frequency) % n))
            for law in laws
        ]
        back = np.exp(2j * np.pi / n * (setting.n_positive * frequency % n))
        yield turns, back * np.where(frequency == 0, 1, 2) / n


def _generating_functions(law: _FoldLaw, turn: AnyArray, mark: AnyArray) -> list[AnyArray]:
    """Return the generating functions of the sums over all equal folds. Defined folds are marked."""
    undefined = (law.undefined @ turn)[:, None]
    functions = []
    for moments in (law.f, law.harmonic):
        # two real products: a complex product would convert the moments and start threads that wait for each other
        of_one = (moments @ turn.real + 1j * (moments @ turn.imag))[..., None] * mark
        of_one[0, 0] += undefined
        functions.append(_power(of_one, law.n_alike))
    return functions


def _times(a: AnyArray, b: AnyArray) -> AnyArray:
    """Multiply polynomials in two variables. The first two axes are degrees, and higher degrees are dropped."""
    product = np.zeros_like(a)
    for i, j in np.ndindex(a.shape[:2]):
        product[i:, j:] += a[i, j] * b[: a.shape[0] - i, : a.shape[1] - j]
    return product


def _power(a: AnyArray, n: int) -> AnyArray:
    if n == 1:
        return a
    half = _power(a, n // 2)
    square = _times(half, half)
    return _times(square, a) if n % 2 else square


def _reciprocal_rule(setting: Setting) -> tuple[FloatArray, FloatArray]:
    """Return the nodes t and weights w for which 1 / s = sum of w exp(-ts) for all positive sums s over folds.

    The nodes are from the trapezoidal rule for the integral of exp(-ts), with the substitution t = exp(u - exp(-u)).
    """
    largest = 2.0 * setting.n_folds
    smallest = 1 / max(int(fold_positives(setting, group)[0][-1]) for group in fold_groups(setting))
    u = np.arange(-20, 200) * NODE_STEP
    t = np.exp(u - np.exp(-u)) * (NODE_SCALE / largest)
    weight = NODE_STEP * t * (1 + np.exp(-u))
    kept = (weight * largest > 1e-17) & (t * smallest < 40)
    return t[kept], weight[kept]


def _pooled_moments(setting: Setting) -> tuple[float, float]:
    """Return mean and mean square of F1 of the summed counts, which do not depend on the folds."""
    first_tp, tp_law = binomial_law(setting.n_positive, setting.recall)
    first_fp, fp_law = binomial_law(setting.n_negative, setting.false_positive_rate)
    fp = np.arange(first_fp, first_fp + len(fp_law))
    step = max(1, CELLS_AT_A_TIME // len(fp))
    mean = mean_square = 0.0
    for i in range(0, len(tp_law), step):
        law = tp_law[i : i + step]
        tp = np.arange(first_tp + i, first_tp + i + len(law))[:, None]
        f = 2 * tp / (tp + fp + setting.n_positive)
        mean += float(law @ f @ fp_law)
        mean_square += float(law @ (f * f) @ fp_law)
    return mean, mean_square


def _n_frequencies(setting: Setting) -> int:
    """Return the number of frequencies that separate the true total of positives from all other totals in its range."""
    if setting.stratified:
        return 1
    n = setting.n_positive + setting.n_negative
    share = setting.n_positive / n
    return min(n, math.ceil(_reach(n * share * (1 - share)))) // 2 + 1


def _width(n: int, probability: float) -> float:
    return min(n + 1.0, 1 + 2 * _reach(n * probability * (1 - probability)))


def _reach(variance: float) -> float:
    """Return a range around the mean of a binomial count; the probability outside is at most 6e-19 per side."""
    return 14 + math.sqrt(196 + 84 * variance)


# --- Monte Carlo ------------------------------------------------------------------------------------------------------


# repeats in a chunk: their sums fit into the cache and are smaller than blocks that malloc releases each time
REPETITIONS_AT_A_TIME = 2048
# limits: joint outcomes of several folds drawn at once; outcomes of all folds, above which counts are drawn directly
LARGEST_JOINT, LARGEST_TABLE = 2**13, 2**18
# smaller probabilities do not occur in any run
NEGLIGIBLE_TAIL = 1e-18

Sampler = Callable[[np.random.Generator, int], FloatArray]


class MonteCarlo(NamedTuple):
    """Mean and sd of the five ways, in the order of `F1Strategies`, and the numbers from which they are computed."""

    mean: FloatArray
    sd: FloatArray
    n_used: IntArray  # repeats in which the way has a value
    n_defined: FloatArray  # proportion of the repeats with 0, 1, ..., k defined folds
    n_simulations: int


class _Tally(NamedTuple):
    """Sums over the completed repeats. `error` is the estimate minus the true value."""

    error: Any = 0.0
    square: Any = 0.0
    n_used: Any = 0
    n_defined: Any = 0
    n_simulations: int = 0


class _Table(NamedTuple):
    """Walker's alias tables of one or several distributions, concatenated."""

    keep: FloatArray
    alias: IntArray
    outcome: AnyArray
    start: IntArray
    size: IntArray

    def draw(self, rng: np.random.Generator, n: int, law: Any = 0) -> AnyArray:
        """Draw n outcomes from one distribution, or each outcome from its own distribution."""
        u = rng.random(n)
        u *= self.size[law]
        cell = u.astype(np.int64)
        u -= cell
        cell += self.start[law]
        return self.outcome.take(np.where(u < self.keep[cell], cell, self.alias[cell]), axis=0)


def monte_carlo_moments(
    setting: Setting, n_simulations: int, rng: np.random.Generator, progress: Callable[[int], object] | None = None
) -> MonteCarlo:
    """Run the experiment. An interrupt (Ctrl-C) ends it early and keeps the completed part.

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
    """Return a new tally with more repeats, so an interrupt cannot leave an incomplete tally."""
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
    """Return the five aggregated values of each repeat. A value is undefined if all folds are skipped."""
    f, precision, recall, tp, fp, n_defined = np.ascontiguousarray(sums.T)
    nothing = np.finfo(float).tiny  # 0/0 gives 0
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
    """Return a function that simulates repeats and returns their sums over the folds."""
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
    """Simulate stratified folds one by one, or several equal folds at once."""
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
    """Simulate folds without stratification: assign the positive instances, then draw each fold from its table."""
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
    """Simulate the counts directly if there are too many possible pairs of counts for a table."""
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
    """Return a function that randomly assigns the positive instances to folds, by recursive halving of the folds."""
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
    """Return the hypergeometric distribution of the number of positive instances in this part, given the total."""
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
    seen = probability > NEGLIGIBLE_TAIL
    return probability[seen], values.reshape(len(probability), -1)[seen]


def _joint_outcomes(one: tuple[FloatArray, FloatArray], n_folds: int) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the outcomes of 1, 2, 4, ... folds that add up to n folds."""
    joint = [one]
    while 2 ** len(joint) <= n_folds and len(joint[-1][0]) ** 2 < 2 * LARGEST_JOINT:
        probability, values = joint[-1]
        i, j = np.triu_indices(len(probability))  # the order of the two parts does not matter
        of_two = probability[i] * probability[j] * np.where(i == j, 1, 2)
        seen = of_two > NEGLIGIBLE_TAIL
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
