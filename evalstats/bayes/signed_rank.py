"""The Bayesian signed-rank test over datasets."""

from __future__ import annotations

__all__ = ["BayesSignedRankTestResult", "bayes_pairwise_signed_rank_test", "bayes_signed_rank_test"]

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import RandomSource
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences_and_edge, summands
from evalstats._types import FloatArray, IndexArray
from evalstats.bayes.posterior import (
    PLACES,
    PosteriorRegions,
    PosteriorResult,
    half_width,
    prior_strength_of,
    reason_of,
    regions_of,
)
from evalstats.distributions.dirichlet_process import UnorderedProcess, draws_of_weights

TIES = ("rope", "split")
PRIOR_AT = {"less": -np.inf, "rope": 0.0, "greater": np.inf}
SAME = 1e-12  # probabilities that differ by less than this are equal


class _Summands(NamedTuple):
    """Input of the Dirichlet processes along the last axis: differences, their noise, and one limit of the rope."""

    d: FloatArray
    noise: FloatArray
    edge: FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesSignedRankTestResult(PosteriorResult):
    """Result of `bayes_signed_rank_test` and `bayes_pairwise_signed_rank_test`.

    Consider two random datasets from the population. The mean of their two differences is below the rope, within it, or
    above it. The probabilities of these outcomes have a posterior distribution. `p_less`, `p_rope` and `p_greater` are
    the posterior probabilities that the respective outcome is the most probable one.

    Attributes
    ----------
    expected : PosteriorRegions
        Exact posterior mean of the probability of each outcome.
    standard_error : PosteriorRegions
        Monte Carlo standard errors of p_less, p_rope and p_greater.
    prior_strength : float
        Number of datasets to which the prior is equivalent.
    prior_place : str
        Position of the pseudo-datasets of the prior.
    ties : str
        ``'rope'`` or ``'split'``: treatment of a mean exactly on a limit of the rope.
    n_datasets : int
        Number of datasets.
    n_simulations : int
        Number of posterior draws.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    seed : int or None
        Seed of the draws, or None if `rng` was a Generator.
    """

    expected: PosteriorRegions
    standard_error: PosteriorRegions
    prior_strength: float
    prior_place: str
    ties: str
    n_datasets: int
    n_simulations: int
    tie_tolerance: float
    seed: int | None
    _summands: _Summands
    _seed: int

    @cached_property
    def samples(self) -> FloatArray:
        """Posterior draws of shape (..., n_simulations, 3): probabilities of less, rope and greater in each row."""
        *shape, n = self._summands.d.shape
        processes = _processes(self._summands, self.prior_place, self.ties, self.tie_tolerance)
        draws = draws_of_weights(n, self.prior_strength, self.n_simulations, self._seed)
        parts = [np.stack([process.shares(weights).T for process in processes]) for weights in draws]
        return np.concatenate(parts, axis=1).reshape(*shape, self.n_simulations, 3)


def bayes_signed_rank_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rope: float = 0.0,
    prior_strength: float = 0.5,
    prior_place: str = "rope",
    ties: str = "rope",
    n_simulations: int = 50_000,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> BayesSignedRankTestResult:
    """Compute posterior probabilities that x is better than, equivalent to or worse than y over datasets.

    There is no null hypothesis. The test is the Bayesian counterpart of `wilcoxon_test`. The differences x - y come
    from an unknown distribution with a Dirichlet process as its prior. The three numbers are the posterior
    probabilities that the mean of two differences is most often below the rope, within it, or above it.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n >= 1 datasets. Leading axes are batch dimensions and broadcast.
    rope : float, default: 0
        Half the width of the region of practical equivalence, in the unit of the scores. One percentage point of
        accuracy is 0.01, or 1 if accuracy is in percent.
    prior_strength : float, default: 0.5
        Number of datasets to which the prior is equivalent. With 0, there is no prior.
    prior_place : {'rope', 'less', 'greater'}, default: 'rope'
        Position of the pseudo-datasets of the prior: at a difference of 0, or far below or far above the rope. The last
        two choices show the influence of the prior.
    ties : {'rope', 'split'}, default: 'rope'
        Treatment of a mean of two differences that lies exactly on a limit of the rope. ``'rope'``: the mean is within
        the rope (Benavoli et al. 2017). ``'split'``: the mean counts half as within the rope and half as outside
        (Benavoli et al. 2014, and baycomp). With rope 0 and ``'split'``, p_rope is 0.
    n_simulations : int, default: 50000
        Number of draws from the posterior.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. All members of a batch have the same draws.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality.

    Returns
    -------
    BayesSignedRankTestResult
        `p_less`, `p_rope` and `p_greater` with their standard errors. The result also contains the expected
        probabilities, `samples`, and `decision`.

    Raises
    ------
    ValueError
        If x and y are not paired, or contain nan or infinity. If rope or prior_strength is negative, or if an option is
        unknown.
    TypeError
        If rope, prior_strength or n_simulations is not a number.

    See Also
    --------
    bayes_hierarchical_test : a test that also uses the folds of each dataset.

    Notes
    -----
    If x and y are equal on every dataset, p_rope is 1, unless the prior is assigned to a different outcome. In both
    cases, `reason` states the cause.

    References
    ----------
    Benavoli, A., Corani, G., Mangili, F., Zaffalon, M. & Ruggeri, F. (2014). A Bayesian Wilcoxon signed-rank test based
    on the Dirichlet process. ICML, PMLR 32(2), 1026-1034.

    Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017). Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77), 1-36, section 4.2.

    Examples
    --------
    >>> from evalstats import bayes_signed_rank_test
    >>> x = [0.91, 0.85, 0.73, 0.66, 0.95, 0.88, 0.70, 0.59]
    >>> y = [0.80, 0.71, 0.70, 0.66, 0.80, 0.79, 0.72, 0.51]
    >>> result = bayes_signed_rank_test(x, y, rope=0.01, rng=1)
    >>> print(f"{result.p_less:.2f} {result.p_rope:.2f} {result.p_greater:.2f}")
    0.00 0.00 1.00
    >>> print(f"{result.expected.less:.3f} {result.expected.rope:.3f} {result.expected.greater:.3f}")
    0.025 0.108 0.867
    """
    x, y, tie_tolerance = _checks.pairs_and_tolerance(x, y, tie_tolerance)
    choices = _understood(rope, prior_strength, prior_place, ties, n_simulations, rng, tie_tolerance)
    return _posterior(_summands(x, y, choices["rope"], choices["tie_tolerance"]), **choices)


def bayes_pairwise_signed_rank_test(
    scores: ArrayLike,
    *,
    rope: float = 0.0,
    prior_strength: float = 0.5,
    prior_place: str = "rope",
    ties: str = "rope",
    n_simulations: int = 50_000,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> BayesSignedRankTestResult:
    """Compute posterior probabilities of the Bayesian signed-rank test for all pairs of classifiers.

    Each pair has the same values as in `bayes_signed_rank_test` with the same seed, because all pairs share the same
    draws. The posterior probabilities are not adjusted for the number of pairs. In simulations, ten classifiers had
    equal performance on 20 datasets, and the rope was 0. In about nine of ten tables, at least one pair had a
    probability of 0.95 or more. The best of many classifiers appears better than it is.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier. Leading axes are batch dimensions.
    rope : float, default: 0
        Half the width of the region of practical equivalence, in the unit of the scores.
    prior_strength : float, default: 0.5
        Number of datasets to which the prior is equivalent.
    prior_place : {'rope', 'less', 'greater'}, default: 'rope'
        Position of the pseudo-datasets of the prior, for the classifier of the row against the classifier of the
        column.
    ties : {'rope', 'split'}, default: 'rope'
        Whether a mean of two differences that lies exactly on a limit of the rope is within the rope (``'rope'``) or
        counts half (``'split'``).
    n_simulations : int, default: 50000
        Number of draws from the posterior.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. All pairs have the same draws.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality.

    Returns
    -------
    BayesSignedRankTestResult
        A batch of shape (..., n_classifiers, n_classifiers): x is the classifier of the row, and y is the classifier of
        the column.

    Raises
    ------
    ValueError
        If scores have the wrong shape, or contain nan or infinity. If rope or prior_strength is negative, or if an
        option is unknown.
    TypeError
        If rope, prior_strength or n_simulations is not a number.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017). Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77), 1-36, section 4.2.

    Examples
    --------
    >>> from evalstats import example_table
    >>> from evalstats.bayes import bayes_pairwise_signed_rank_test
    >>> accuracy = example_table("japkowicz-accuracy").scores  # naive Bayes, SVM, AdaBoost, random forest
    >>> bayes_pairwise_signed_rank_test(accuracy, rope=1, rng=1).p_greater.round(2)
    array([[0.  , 0.24, 0.86, 0.  ],
           [0.76, 0.  , 0.98, 0.47],
           [0.01, 0.01, 0.  , 0.  ],
           [0.94, 0.52, 0.99, 0.  ]])
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    matrix = _checks.score_matrix(scores)
    choices = _understood(rope, prior_strength, prior_place, ties, n_simulations, rng, tie_tolerance)
    columns = np.ascontiguousarray(np.swapaxes(matrix, -1, -2))
    x, y = columns[..., :, None, :], columns[..., None, :, :]
    found = _posterior(_summands(x, y, choices["rope"], choices["tie_tolerance"]), is_all_pairs=True, **choices)
    return replace(found, classifiers=column_names(scores))


def _understood(
    rope: Any, prior_strength: Any, prior_place: Any, ties: Any, n_simulations: Any, rng: Any, tie_tolerance: float
) -> dict[str, Any]:
    return {
        "rope": half_width(rope),
        "prior_strength": prior_strength_of(prior_strength),
        "prior_place": _checks.choice(prior_place, "prior_place", PLACES),
        "ties": _checks.choice(ties, "ties", TIES),
        "n_simulations": _checks.count(n_simulations, "n_simulations"),
        "source": _checks.random_source(rng),
        "tie_tolerance": tie_tolerance,
    }


def _posterior(
    given: _Summands,
    *,
    rope: float,
    prior_strength: float,
    prior_place: str,
    ties: str,
    n_simulations: int,
    source: RandomSource,
    tie_tolerance: float,
    is_all_pairs: bool = False,
) -> BayesSignedRankTestResult:
    """Return the posterior for every row of differences; compute each pair only once, not again in reversed order."""
    *shape, n = given.d.shape
    i, j = np.triu_indices(shape[-1]) if is_all_pairs else np.empty((2, 0), dtype=np.intp)
    is_mirrored = is_all_pairs and prior_place == "rope"
    some = _Summands(*(values[..., i, j, :] for values in given)) if is_mirrored else given
    processes = _processes(some, prior_place, ties, tie_tolerance)

    seed = int(source.generator().integers(2**63))
    p = np.zeros((len(processes), 3))
    for weights in draws_of_weights(n, prior_strength, n_simulations, seed):
        p += [_times_largest(process.shares(weights)) for process in processes]
    p /= n_simulations
    is_symmetric = np.array([process.is_symmetric for process in processes])
    p[is_symmetric] = (p[is_symmetric] + p[is_symmetric, ::-1]) / 2  # ties do not favor either side
    expected = np.array([process.expected(np.array([prior_strength] + n * [1.0])) for process in processes])

    p, expected = (
        _with_mirror_images(values, (*shape, 3), i, j) if is_mirrored else values.reshape(*shape, 3)
        for values in (p, expected)
    )
    is_equal = np.all(given.d == 0, axis=-1)

    return BayesSignedRankTestResult(
        p_less=p[..., 0],
        p_rope=p[..., 1],
        p_greater=p[..., 2],
        rope=rope,
        method=np.full(np.shape(is_equal), "monte-carlo"),
        reason=reason_of(is_equal),
        expected=regions_of(expected),
        standard_error=regions_of(np.sqrt(np.maximum(p * (1 - p), 0) / n_simulations)),
        prior_strength=prior_strength,
        prior_place=prior_place,
        ties=ties,
        n_datasets=n,
        n_simulations=n_simulations,
        tie_tolerance=tie_tolerance,
        seed=source.seed,
        _summands=given,
        _seed=seed,
        _of_pairs=is_all_pairs,
    )


def _summands(x: FloatArray, y: FloatArray, rope: float, tie_tolerance: float) -> _Summands:
    """Return the differences in a form that makes sums of two differences comparable with the rope."""
    d, noise = summands(x, y, tie_tolerance)
    edge = np.full((*d.shape[:-1], 1), rope)
    if tie_tolerance > DEFAULT_TIE_TOLERANCE:  # the rope is rounded to the number of digits of the differences
        edge = differences_and_edge(x, y, rope, tie_tolerance)[1]
    return _Summands(d, noise, edge)


def _processes(given: _Summands, prior_place: str, ties: str, tie_tolerance: float) -> list[UnorderedProcess]:
    rows = zip(*(values.reshape(-1, values.shape[-1]) for values in given), strict=True)
    return [
        UnorderedProcess(d, edge.item(), PRIOR_AT[prior_place], ties, is_rounded=tie_tolerance > 0, noise=noise)
        for d, noise, edge in rows
    ]


def _with_mirror_images(values: FloatArray, shape: Sequence[int], i: IndexArray, j: IndexArray) -> FloatArray:
    """Put values of pairs i <= j into an array (..., k, k, 3), and their mirror images for j, i."""
    matrix = np.empty(shape)
    values = values.reshape(*shape[:-3], len(i), 3)
    matrix[..., j, i, :] = values[..., ::-1]
    matrix[..., i, j, :] = values
    return matrix


def _times_largest(shares: FloatArray) -> FloatArray:
    """Count how often each of three probabilities (3, S) is the largest; divide a draw equally among ties."""
    is_largest = shares >= shares.max(axis=0) - SAME
    n_largest = is_largest.sum(axis=0)
    return np.asarray((is_largest / n_largest).sum(axis=1) if (n_largest > 1).any() else is_largest.sum(axis=1))
