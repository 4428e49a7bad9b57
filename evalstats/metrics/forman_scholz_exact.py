"""Exact mean and standard deviation of F1 aggregated over folds.

Given their class counts, folds are independent, and the outcome of a fold is a pair of binomial counts (TP, FP). The
five ways of Forman and Scholz depend only on sums over folds: of F1, of precision, of recall, and of the defined folds.
The generating function of a sum is the product over folds; it is evaluated at roots of unity. Two additional techniques
are necessary:

- random numbers of positive instances are independent binomial counts, conditional on their total, which adds one more
  sum;
- the harmonic mean 2AB / (A + B) of two sums is not a sum, but 1 / (A + B) equals a sum of about sixty exponentials
  exp(-t (A + B)) to floating-point accuracy, and each of them factorizes over the folds.
"""

from __future__ import annotations

__all__ = ["FoldGroup", "Moments", "Setting", "binomial_law", "cost", "exact_moments", "fold_groups", "fold_positives"]

import math
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

import numpy as np

from evalstats._types import AnyArray, FloatArray, IntArray

# what is left out because it is less probable than this adds up to less than a rounding error
NEGLIGIBLE = 1e-20
# of the exponentials: chosen so that 1 / s is right to the last bit
NODE_STEP, NODE_SCALE = 0.2, 4.0
# complex numbers at a time: a few arrays of this length stay in the cache
POINTS_AT_A_TIME = 2**14
CELLS_AT_A_TIME = 2**20


class FoldGroup(NamedTuple):
    """Equal folds; `n_positive` is None if the positive instances are assigned at random."""

    n_folds: int
    size: int
    n_positive: int | None


class Setting(NamedTuple):
    """A cross-validation of a classifier whose true recall and false positive rate are known.

    `folds` are the actual folds; without them, the instances are assigned evenly.
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
    """Distribution of the outcome of one fold, for each possible number of positive instances (the last axis).

    The moments are the moments of a defined fold times the probability that it is defined. They are divided by the
    factorials of their degrees, so sums of independent folds are products.
    """

    n_alike: int
    n_positive: IntArray
    probability: FloatArray
    undefined: FloatArray  # probability that F is
    f: FloatArray  # (3, 1, ...): degrees of F
    harmonic: FloatArray  # (3, 3, n_nodes, ...): degrees of precision and of recall, times exp(-t (precision + recall))


def fold_groups(setting: Setting) -> list[FoldGroup]:
    """Assign the instances in turn, positives first: folds and, if stratified, their classes differ by at most one."""
    if setting.folds:
        return list(setting.folds)
    n, p, k = setting.n_positive + setting.n_negative, setting.n_positive, setting.n_folds
    dealt = Counter((-(-(n - i) // k), -(-(p - i) // k) if setting.stratified else None) for i in range(k))
    return [FoldGroup(count, size, positives) for (size, positives), count in dealt.items()]


def fold_positives(setting: Setting, group: FoldGroup) -> tuple[IntArray, FloatArray]:
    """Return the possible numbers of positives of a fold, with their unconditional probabilities."""
    if group.n_positive is not None:
        return np.array([group.n_positive]), np.ones(1)
    first, law = binomial_law(group.size, setting.n_positive / (setting.n_positive + setting.n_negative))
    law = law[: setting.n_positive + 1 - first]
    return np.arange(first, first + len(law)), law


def exact_moments(setting: Setting) -> Moments:
    """Return the mean and the sd of the five ways, accurate to about twelve digits.

    The ways that skip folds are undefined if no fold is defined; their moments are conditional on at least one defined
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

    Ratios of neighbors are multiplied from the mode outwards, which does not lose digits for any n.
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
    """Return probabilities of 0, 1, ..., k defined folds; for each, mean and mean square of two quantities.

    The quantities are the sum of F1 over the defined folds, and 2AB / (A + B), where A is the sum of precision and B
    the sum of recall.
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
        # 1 / s is the sum of w exp(-ts) over the nodes, and 1 / s**2 that of w t exp(-ts)
        means = np.einsum("qt,qt...->q...", [2 * weight, 16 * weight * t], np.stack([of_both[1, 1], of_both[2, 2]]))
        harmonic += (back @ (means @ root)).real / (k + 1)
    total = f[0].sum()
    return f[0] / total, f[1:] / total, harmonic / total


def _fold_law(setting: Setting, group: FoldGroup, t: FloatArray) -> _FoldLaw:
    """Sum over the pairs (TP, FP) of one fold."""
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
    """Return outcomes, and a column of probabilities for each n."""
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
    """Yield frequencies in chunks, as factors for each number of positives; and the selection of their total.

    The sum over all frequencies is real, so half of them, counted twice, are sufficient.
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
    """Return the generating functions of the sums over all equal folds; defined folds are marked."""
    undefined = (law.undefined @ turn)[:, None]
    functions = []
    for moments in (law.f, law.harmonic):
        # as two real products: a complex one would convert the moments, and start threads that wait for each other
        of_one = (moments @ turn.real + 1j * (moments @ turn.imag))[..., None] * mark
        of_one[0, 0] += undefined
        functions.append(_power(of_one, law.n_alike))
    return functions


def _times(a: AnyArray, b: AnyArray) -> AnyArray:
    """Multiply polynomials in two variables; the first two axes are degrees, and higher degrees are dropped."""
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
    """Return t and w with 1 / s = sum of w exp(-ts), for each positive sum s of precision and recall over folds.

    The trapezoidal rule for the integral of exp(-ts), with the substitution t = exp(u - exp(-u)).
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
    """Return the number of frequencies that separate the true total of positives from all others in its range."""
    if setting.stratified:
        return 1
    n = setting.n_positive + setting.n_negative
    share = setting.n_positive / n
    return min(n, math.ceil(_reach(n * share * (1 - share)))) // 2 + 1


def _width(n: int, probability: float) -> float:
    return min(n + 1.0, 1 + 2 * _reach(n * probability * (1 - probability)))


def _reach(variance: float) -> float:
    """Return the range of a binomial count around its mean: 6e-19 is beyond on each side, by Bernstein's inequality."""
    return 14 + math.sqrt(196 + 84 * variance)
