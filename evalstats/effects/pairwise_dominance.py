"""Vargha and Delaney's A for all pairs of classifiers, with simultaneous confidence intervals."""

from __future__ import annotations

__all__ = ["PairwiseVarghaDelaneyResult", "pairwise_vargha_delaney_a"]

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from evalstats import _checks
from evalstats._labels import column_names, named, place_of
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import ConfidenceInterval, EstimatedPair, EstimateResult, PairsByName
from evalstats._types import FloatArray
from evalstats.adjustment.pair_indexing import ComparedPairs, compared_pairs, control_column, reason_of_pairs
from evalstats.effects.dominance import DominanceEffectResult, vargha_delaney_a

N_DRAWS = 20_000  # number of simulations, which gives the critical value a standard error of about 0.01
BLOCK = 2**18  # random numbers at once
FAMILIES = ("single-step", "none")


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseVarghaDelaneyResult(PairsByName[EstimatedPair], EstimateResult):
    """Result of `pairwise_vargha_delaney_a`.

    Attributes
    ----------
    estimate : ndarray of shape (k, k), or (k,) with a control
        ``estimate[i, j]`` is the probability that a score of classifier i is above a score of j, plus half the
        probability of a tie. It is 0.5 on the diagonal and nan for the control.
    standard_error : ndarray of the same shape
        Square root of Cliff's consistent estimate of the variance. It is 0 on the diagonal, and nan if there is only
        one run.
    magnitude : ndarray of str, of the same shape
        Word for the size of the effect by the convention of Vargha and Delaney.
    reason : str or None
        A sentence if some pairs are degenerate, otherwise None.
    control : int, column name or None
        Name of the control, or its index from 0 if the scores have no names. None: all pairs are compared.
    n_runs, n_classifiers : int
        Numbers of rows and of columns.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    tie_tolerance : float
        Relative precision at which two values are treated as equal.
    """

    _of_pair: ClassVar[Any] = EstimatedPair

    magnitude: Any
    control: Any
    n_runs: int
    n_classifiers: int
    classifiers: tuple[Any, ...] | None
    tie_tolerance: float
    _of_pairs: DominanceEffectResult
    _values: FloatArray

    def _axes(self) -> tuple[str, ...]:
        return ("first", "second") if self.control is None else ("first",)

    def confidence_interval(self, confidence_level: float = 0.95, *, adjust: str = "single-step") -> ConfidenceInterval:
        """Compute a confidence interval for each pair.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the intervals in large samples.
        adjust : {'single-step', 'none'}, default: 'single-step'
            ``'single-step'``: the coverage is simultaneous for all compared pairs. ``'none'``: the coverage applies to
            each pair separately.

        Returns
        -------
        ConfidenceInterval
            Limits between 0 and 1. They are nan for a pair whose values are all equal, and for all pairs if there is
            only one run.

        Notes
        -----
        Each interval is the interval of `vargha_delaney_a` at a level that the joint normal distribution of the
        estimates determines. Let q be the quantile, at the confidence level, of the largest absolute deviation of the
        estimates in standard errors. It is simulated with a fixed seed. The level is the probability that the absolute
        value of a standard normal variable is at most q.

        Examples
        --------
        >>> from evalstats.effects import pairwise_vargha_delaney_a
        >>> runs = [[0.81, 0.78, 0.70], [0.84, 0.82, 0.79], [0.79, 0.80, 0.71], [0.90, 0.84, 0.75], [0.85, 0.83, 0.80]]
        >>> low, high = pairwise_vargha_delaney_a(runs).confidence_interval()
        >>> print(f"{low[0, 1]:.2f} to {high[0, 1]:.2f}")
        0.19 to 0.96
        """
        level = _checks.confidence_level(confidence_level)
        adjust = _checks.choice(adjust, "adjust", FAMILIES)
        pairs = compared_pairs(self.n_classifiers, place_of(self.control, self.classifiers))
        of_pair = self._level_of_pair(pairs, level) if adjust == "single-step" else level
        found = self._of_pairs.confidence_interval(of_pair)
        low, high = np.asarray(found.low), np.asarray(found.high)
        return ConfidenceInterval(
            low=pairs.placed(low, 1.0 - high, 0.5),
            high=pairs.placed(high, 1.0 - low, 0.5),
            confidence_level=level,
            attained_level=pairs.shared(np.where(np.isnan(low), np.nan, level), level),
        )

    def _level_of_pair(self, pairs: ComparedPairs, level: float) -> float:
        """Return the level of each interval for which the simultaneous coverage of all intervals is the given level."""
        from scipy.special import ndtr

        first, second = _influences(np.sort(self._values, axis=0), pairs)  # the runs have no order
        error = np.sqrt(np.sum(first**2, axis=-1) + np.sum(second**2, axis=-1))
        n, k = self._values.shape
        generator = np.random.default_rng(0)
        largest = np.empty(N_DRAWS)
        step = max(1, BLOCK // (n * k + len(pairs.i)))
        for start in range(0, N_DRAWS, step):
            size = min(step, N_DRAWS - start)
            draws = generator.standard_normal((k, size, n))
            alone = generator.standard_normal((size, len(pairs.i)))  # entries of a pair whose estimate has no variance
            sums = np.empty_like(alone)
            for p, (i, j) in enumerate(zip(pairs.i, pairs.j, strict=True)):
                joint = draws[i] @ first[p] + draws[j] @ second[p]
                sums[:, p] = joint / error[p] if error[p] > 0 else alone[:, p]
            largest[start : start + size] = np.abs(sums).max(axis=-1)
        return float(2 * ndtr(np.quantile(largest, level)) - 1)


def pairwise_vargha_delaney_a(
    scores: Any, *, control: Any = None, tie_tolerance: float = DEFAULT_TIE_TOLERANCE
) -> PairwiseVarghaDelaneyResult:
    """Compute Vargha and Delaney's A for all pairs of classifiers from independent runs.

    A = P(x > y) + P(x = y) / 2 is 1/2 if there is no effect. The coverage of the intervals is simultaneous for all
    pairs.

    Parameters
    ----------
    scores : array_like of shape (n_runs, n_classifiers)
        One row per run, one column per classifier, with at least two columns. The runs of a classifier are independent,
        and the runs of two classifiers are not paired.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    PairwiseVarghaDelaneyResult
        The fields `estimate`, `standard_error` and `magnitude` are matrices or, with a control, vectors. The method
        `confidence_interval` computes the intervals.

    Raises
    ------
    ValueError, TypeError
        If a score is not a finite number, the scores are not a table, or the control is not a column.

    See Also
    --------
    vargha_delaney_a : the effect size for two samples, whose sizes may differ.
    rank_biserial : the effect size for scores on the same datasets, which are not independent samples.

    References
    ----------
    Vargha, A. & Delaney, H. D. (2000). A critique and improvement of the CL common language effect size statistics of
    McGraw and Wong. Journal of Educational and Behavioral Statistics 25, 101-132.

    Konietschke, F., Hothorn, L. A. & Brunner, E. (2012). Rank-based multiple test procedures and simultaneous
    confidence intervals. Electronic Journal of Statistics 6, 738-759.

    Examples
    --------
    >>> from evalstats.effects import pairwise_vargha_delaney_a
    >>> runs = [[0.81, 0.78, 0.70], [0.84, 0.82, 0.79], [0.79, 0.80, 0.71], [0.90, 0.84, 0.75], [0.85, 0.83, 0.80]]
    >>> pairwise_vargha_delaney_a(runs).estimate
    array([[0.5 , 0.7 , 0.94],
           [0.3 , 0.5 , 0.9 ],
           [0.06, 0.1 , 0.5 ]])
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    table = _checks.score_matrix(scores, single=True)
    n, k = table.shape
    names, control = column_names(scores), control_column(control, scores, k)
    pairs = compared_pairs(k, control)

    values = rounded(table, tie_tolerance)
    of_pairs = vargha_delaney_a(values.T[pairs.i], values.T[pairs.j], tie_tolerance=0)
    estimate = np.asarray(of_pairs.estimate)
    all_tied = np.asarray(of_pairs.n_ties) == n * n
    separate = {"all values are equal in {of} pairs": all_tied}
    separate["every value of one classifier is above every value of the other in {of} pairs"] = (
        np.abs(estimate - 0.5) == 0.5
    )

    return PairwiseVarghaDelaneyResult(
        estimate=pairs.placed(estimate, 1.0 - estimate, 0.5),
        standard_error=pairs.shared(np.asarray(of_pairs.standard_error)),
        reason=reason_of_pairs(separate),
        magnitude=_words(pairs, np.asarray(of_pairs.magnitude)),
        control=named(control, names),
        n_runs=n,
        n_classifiers=k,
        classifiers=names,
        tie_tolerance=tie_tolerance,
        _of_pairs=of_pairs,
        _values=values,
    )


def _words(pairs: ComparedPairs, words: Any) -> Any:
    """Arrange the words by pair: negligible on the diagonal, and an empty text for the control."""
    if pairs.control is not None:
        return np.insert(words, pairs.control, "")
    matrix = np.full((pairs.k, pairs.k), "negligible", dtype=words.dtype)
    matrix[pairs.i, pairs.j] = matrix[pairs.j, pairs.i] = words
    return matrix


def _influences(values: FloatArray, pairs: ComparedPairs) -> tuple[FloatArray, FloatArray]:
    """Return the influences of the values of the first and the second classifier on the estimate of each pair.

    For a value of the first classifier, take the proportion of the values of the second classifier below it, minus the
    mean of these proportions. The influence is this difference divided by n. For a value of the second classifier, the
    influence is the negative of the corresponding quotient. Both arrays have the shape (n_pairs, n).
    """
    n = len(values)
    first, second = np.empty((len(pairs.i), n)), np.empty((len(pairs.i), n))
    ordered = np.sort(values, axis=0)
    for p, (i, j) in enumerate(zip(pairs.i, pairs.j, strict=True)):
        for of, own, other in ((first, i, j), (second, j, i)):
            below = sum(np.searchsorted(ordered[:, other], values[:, own], side=side) for side in ("left", "right"))
            of[p] = (below - np.mean(below)) / (2 * n * n)
    return first, -second
