"""The Bayesian sign test over datasets."""

from __future__ import annotations

__all__ = ["BayesSignTestResult", "bayes_pairwise_sign_test", "bayes_sign_test"]

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences_and_edge
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.bayes.posterior import (
    PLACES,
    PosteriorRegions,
    PosteriorResult,
    half_width,
    prior_strength_of,
    reason_of,
    regions_of,
)
from evalstats.distributions.dirichlet_process import largest_share_probabilities


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesSignTestResult(PosteriorResult):
    """Result of `bayes_sign_test` and `bayes_pairwise_sign_test`.

    The probabilities of the three outcomes on a new dataset have a Dirichlet distribution. Its parameters are the
    counts of the outcomes plus the prior. `p_less`, `p_rope` and `p_greater` are the posterior probabilities that the
    respective outcome is the most probable one.

    Attributes
    ----------
    n_less, n_rope, n_greater : int or ndarray
        Numbers of datasets with a difference below, within and above the rope.
    expected : PosteriorRegions
        Posterior mean of the probability of each outcome, which is its probability on a new dataset.
    standard_deviation : PosteriorRegions
        Posterior standard deviation of the probability of each outcome.
    prior_strength : float
        Number of datasets to which the prior is equivalent.
    prior_place : str
        The outcome to which the prior is assigned.
    n_datasets : int
        Number of datasets.
    n_simulations : int
        Number of rows of `samples`. The probabilities do not depend on this number.
    seed : int or None
        Seed of `samples`, or None if `rng` was a Generator.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    n_less: Any
    n_rope: Any
    n_greater: Any
    expected: PosteriorRegions
    standard_deviation: PosteriorRegions
    prior_strength: float
    prior_place: str
    n_datasets: int
    n_simulations: int
    seed: int | None
    tie_tolerance: float
    _seed: int

    @cached_property
    def samples(self) -> FloatArray:
        """Posterior draws of shape (..., n_simulations, 3): probabilities of less, rope and greater in each row."""
        rng = np.random.default_rng(self._seed)
        counts = np.stack([self.n_less, self.n_rope, self.n_greater], axis=-1)
        alpha = _alpha(counts, self.prior_strength, self.prior_place)
        gammas = rng.standard_gamma(alpha[..., None, :], size=(*alpha.shape[:-1], self.n_simulations, 3))
        return np.asarray(gammas / gammas.sum(axis=-1, keepdims=True))


def bayes_sign_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    rope: float = 0.0,
    prior_strength: float = 1.0,
    prior_place: str = "rope",
    n_simulations: int = 50_000,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> BayesSignTestResult:
    """Compute posterior probabilities that x most probably wins, is equivalent or loses on a new dataset.

    There is no null hypothesis. Each dataset has one of three outcomes: x - y is below the rope, within it, or above
    it. The unknown probabilities of the outcomes have a Dirichlet prior. `p_less`, `p_rope` and `p_greater` are the
    posterior probabilities that the respective outcome is the most probable. The test does not use the sizes of the
    differences. `bayes_signed_rank_test` uses them.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n >= 1 datasets. Leading axes are batch dimensions and broadcast.
    rope : float, default: 0
        Half the width of the region of practical equivalence, in the unit of the scores. A difference of exactly rope
        is within the region. With a rope of 0, only ties are within it.
    prior_strength : float, default: 1
        Number of datasets to which the prior is equivalent. With 0, there is no prior.
    prior_place : {'rope', 'less', 'greater'}, default: 'rope'
        The outcome to which the prior is assigned. ``'rope'`` is conservative. The other two choices show the influence
        of the prior.
    n_simulations : int, default: 50000
        Number of rows of `samples`, for plots. The probabilities do not depend on this number.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. Only `samples` uses random numbers.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality.

    Returns
    -------
    BayesSignTestResult
        `p_less`, `p_rope` and `p_greater`. The result also contains the counts, the expected probabilities, `samples`,
        and `decision`.

    Raises
    ------
    ValueError
        If x and y are not paired, or contain nan or infinity. If rope or prior_strength is negative, or if an option is
        unknown.
    TypeError
        If rope, prior_strength or n_simulations is not a number.

    Notes
    -----
    The probabilities are integrals over three gamma variables. They are accurate up to rounding error, even in the far
    tail. If x and y are equal on every dataset, p_rope is 1, unless the prior is assigned to a different outcome. In
    both cases, `reason` states the cause.

    References
    ----------
    Benavoli, A., Corani, G., Mangili, F., Zaffalon, M. & Ruggeri, F. (2014). A Bayesian Wilcoxon signed-rank test based
    on the Dirichlet process. ICML, PMLR 32(2), 1026-1034.

    Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017). Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77), 1-36, section 4.1.

    Examples
    --------
    >>> from evalstats.bayes import bayes_sign_test
    >>> x = [0.91, 0.85, 0.73, 0.66, 0.95, 0.88, 0.70, 0.59]
    >>> y = [0.80, 0.71, 0.70, 0.66, 0.80, 0.79, 0.72, 0.51]
    >>> result = bayes_sign_test(x, y, rope=0.01)
    >>> print(f"{result.p_less:.3f} {result.p_rope:.3f} {result.p_greater:.3f}")
    0.013 0.061 0.926
    >>> result.n_less, result.n_rope, result.n_greater
    (1, 1, 6)
    """
    x, y, tie_tolerance = _checks.pairs_and_tolerance(x, y, tie_tolerance)
    rope = half_width(rope)
    prior_strength = prior_strength_of(prior_strength)
    prior_place = _checks.choice(prior_place, "prior_place", PLACES)
    n_simulations = _checks.count(n_simulations, "n_simulations")
    source = _checks.random_source(rng)

    counts, is_equal = _outcomes(x, y, rope, tie_tolerance)

    alpha = _alpha(counts, prior_strength, prior_place)
    p = largest_share_probabilities(alpha)
    mean = alpha / alpha.sum(axis=-1, keepdims=True)
    sd = np.sqrt(mean * (1 - mean) / (alpha.sum(axis=-1, keepdims=True) + 1))

    return BayesSignTestResult(
        p_less=p[..., 0],
        p_rope=p[..., 1],
        p_greater=p[..., 2],
        rope=rope,
        method=np.full(np.shape(is_equal), "quadrature"),
        reason=reason_of(is_equal),
        n_less=counts[..., 0],
        n_rope=counts[..., 1],
        n_greater=counts[..., 2],
        expected=regions_of(mean),
        standard_deviation=regions_of(sd),
        prior_strength=prior_strength,
        prior_place=prior_place,
        n_datasets=x.shape[-1],
        n_simulations=n_simulations,
        tie_tolerance=tie_tolerance,
        seed=source.seed,
        _seed=int(source.generator().integers(2**63)),
    )


def bayes_pairwise_sign_test(
    scores: ArrayLike,
    *,
    rope: float = 0.0,
    prior_strength: float = 1.0,
    prior_place: str = "rope",
    n_simulations: int = 50_000,
    rng: Any = None,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> BayesSignTestResult:
    """Compute posterior probabilities of the Bayesian sign test for all pairs of classifiers.

    Each pair has the same values as in `bayes_sign_test`. The posterior probabilities are not adjusted for the number
    of pairs. Among many classifiers with equal performance, at least one pair often has a high probability. The best of
    many classifiers appears better than it is.

    Parameters
    ----------
    scores : array_like of shape (..., n_datasets, n_classifiers)
        One row per dataset and one column per classifier. Leading axes are batch dimensions.
    rope : float, default: 0
        Half the width of the region of practical equivalence, in the unit of the scores.
    prior_strength : float, default: 1
        Number of datasets to which the prior is equivalent.
    prior_place : {'rope', 'less', 'greater'}, default: 'rope'
        The outcome to which the prior is assigned, for the classifier of the row against the classifier of the column.
    n_simulations : int, default: 50000
        Number of rows of `samples` for each pair. The rows are drawn on first use.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly. Only `samples` uses random numbers.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality.

    Returns
    -------
    BayesSignTestResult
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
    classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77), 1-36, section 4.1.

    Examples
    --------
    >>> from evalstats import example_table
    >>> from evalstats.bayes import bayes_pairwise_sign_test
    >>> accuracy = example_table("japkowicz-accuracy").scores  # naive Bayes, SVM, AdaBoost, random forest
    >>> bayes_pairwise_sign_test(accuracy, rope=1).p_greater.round(3)
    array([[0.   , 0.34 , 0.495, 0.006],
           [0.601, 0.   , 0.818, 0.402],
           [0.009, 0.048, 0.   , 0.   ],
           [0.905, 0.402, 0.828, 0.   ]])
    """
    columns = np.swapaxes(_checks.score_matrix(scores), -1, -2)
    result = bayes_sign_test(
        columns[..., :, None, :],
        columns[..., None, :, :],
        rope=rope,
        prior_strength=prior_strength,
        prior_place=prior_place,
        n_simulations=n_simulations,
        rng=rng,
        tie_tolerance=tie_tolerance,
    )
    return replace(result, classifiers=column_names(scores), _of_pairs=True)


def _outcomes(x: FloatArray, y: FloatArray, rope: float, tie_tolerance: float) -> tuple[IntArray, BoolArray]:
    """Count the datasets below, within and above the rope, and return a reason if x and y are equal."""
    d, edge = differences_and_edge(x, y, rope, tie_tolerance)
    less, greater = (d < -edge).sum(axis=-1), (d > edge).sum(axis=-1)
    return np.stack([less, d.shape[-1] - less - greater, greater], axis=-1), np.all(d == 0, axis=-1)


def _alpha(counts: IntArray, prior_strength: float, prior_place: str) -> FloatArray:
    """Return the parameters of the Dirichlet distribution of the outcome probabilities."""
    return np.asarray(counts + prior_strength * (np.array(PLACES) == prior_place))
