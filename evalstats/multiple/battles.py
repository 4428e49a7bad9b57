"""The Bradley-Terry model of individual battles, with robust and clustered standard errors."""

from __future__ import annotations

__all__ = ["BattleStrengths", "bradley_terry_from_battles"]

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._result import ConfidenceInterval, EstimateResult, interval_of
from evalstats._types import FloatArray, IntArray
from evalstats.distributions.tail_probabilities import t_quantile
from evalstats.multiple.battle_model import cells as battles
from evalstats.multiple.battle_model.covariance import errors_of_differences
from evalstats.multiple.battle_model.estimation import Battles, estimated

COVARIANCES = ("robust", "model", "bootstrap")
SMALL_SAMPLES = ("cr1", "cr0", "cr2")
TWO_WAY = "CR2 is available for only one clustering; for two clusterings, use small_sample='cr1'"
POSITION = "position"


@dataclass(frozen=True, kw_only=True, eq=False)
class BattleStrengths(EstimateResult):
    """Result of `bradley_terry_from_battles`.

    Attributes
    ----------
    models : tuple
        Names of the k models.
    estimate : ndarray of shape (k,)
        Log-strength of each model. The mean over the models is 0. The difference between two log-strengths is the
        log-odds that the first model wins, where a tie counts as half a win. The value is infinite or nan if no finite
        estimate exists; `reason` then states the cause.
    standard_error : ndarray of shape (k,)
        The square roots of the diagonal of `covariance`.
    reason : str or None
        A sentence if a strength is infinite or has no standard error, otherwise None.
    covariance : ndarray of shape (k, k)
        Covariance matrix of the log-strengths.
    covariance_method : str
        ``'model'``: inverse information. ``'HC0'``: robust, for independent battles. ``'CR0'``, ``'CR1'``, ``'CR2'``:
        cluster-robust covariance. ``'bootstrap'``: bootstrap of battles or clusters.
    df : float
        Degrees of freedom for all differences together: the number of clusters minus one or, for CR2, the smallest of
        Satterthwaite's degrees of freedom. Infinity means the normal distribution.
    strength_df : ndarray of shape (k,)
        Degrees of freedom for each log-strength.
    differences_df : ndarray of shape (k, k)
        Degrees of freedom for each difference.
    terms : tuple of str
        Names of the additional terms: ``'position'`` and the covariates.
    coefficients : ndarray of shape (n_terms,)
        Effects on the log-odds that model_a wins: the effect of the position, and the effect of one unit of each
        standardized covariate.
    coefficients_standard_error : ndarray of shape (n_terms,)
        Standard errors of the coefficients.
    log_likelihood : float
        Maximum of the log-likelihood.
    win_totals : ndarray of shape (k, k)
        Weighted sum of the outcomes for the model in the row against the model in the column. A tie counts one half for
        each model.
    n_battles, n_ties, n_both_bad : int
        Numbers of all battles, of ties, and of ties that were recorded as ``'both_bad'``.
    battles_of_model : ndarray of int, of shape (k,)
        Number of battles of each model.
    n_clusters : tuple of int
        Number of clusters of each clustering, or an empty tuple without clusters.
    is_clipped : bool
        Whether negative eigenvalues of the covariance of two clusterings were set to 0.
    n_resamples : int or None
        Number of bootstrap samples, or None without a bootstrap.
    n_infinite : int or None
        Number of bootstrap samples in which a strength is infinite or undefined, or None without a bootstrap.
    seed : int or None
        Seed of the bootstrap, or None without a bootstrap or if `rng` was a Generator.
    """

    models: tuple[Any, ...]
    covariance: FloatArray
    covariance_method: str
    df: float
    strength_df: FloatArray
    differences_df: FloatArray
    terms: tuple[str, ...]
    coefficients: FloatArray
    coefficients_standard_error: FloatArray
    log_likelihood: float
    win_totals: FloatArray
    n_battles: int
    n_ties: int
    n_both_bad: int
    battles_of_model: IntArray
    n_clusters: tuple[int, ...]
    is_clipped: bool
    n_resamples: int | None
    n_infinite: int | None
    seed: int | None
    _draws: FloatArray | None = None

    @property
    def differences(self) -> FloatArray:
        """Differences of the log-strengths, of shape (k, k): row minus column. The diagonal is 0."""
        return _differences(self.estimate)

    @property
    def differences_standard_error(self) -> FloatArray:
        """Standard errors of `differences`, of shape (k, k)."""
        return errors_of_differences(self.covariance)

    @property
    def win_rates(self) -> FloatArray:
        """Observed proportion of the battles that the row wins against the column, (k, k), or nan without battles."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.win_totals / (self.win_totals + self.win_totals.T))

    @property
    def win_probabilities(self) -> FloatArray:
        """Estimated probability that the row beats the column, (k, k), at equal covariates; the diagonal is nan."""
        from scipy.special import expit

        found = expit(self.differences)
        np.fill_diagonal(found, np.nan)
        return np.asarray(found)

    def elo(self, *, mean: float = 1000.0) -> FloatArray:
        """Return the strengths on the scale of Elo ratings: 400 / ln 10 times the log-strength, plus a mean.

        Parameters
        ----------
        mean : float, default: 1000
            Mean of the ratings of all models.

        Returns
        -------
        ndarray of shape (k,)
        """
        return np.asarray(_checks.finite_real(mean, "mean") + 400 / math.log(10) * self.estimate)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for each log-strength (Student's t for clusters, percentiles for bootstrap).

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval, for each model separately.

        Returns
        -------
        ConfidenceInterval
            The limits are nan if the strength has no standard error.
        """
        draws = None if self._draws is None else self._draws
        return self._interval(self.estimate, self.standard_error, self.strength_df, draws, confidence_level)

    def differences_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for each difference of two log-strengths, for each pair separately.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval.

        Returns
        -------
        ConfidenceInterval
            Limits of shape (k, k).
        """
        draws = None if self._draws is None else np.stack([_differences(one) for one in self._draws])
        error = self.differences_standard_error
        return self._interval(self.differences, error, self.differences_df, draws, confidence_level)

    def _interval(
        self, estimate: FloatArray, error: FloatArray, df: FloatArray, draws: FloatArray | None, level: float
    ) -> ConfidenceInterval:
        level = _checks.confidence_level(level)
        if draws is not None:
            known = np.where(np.isnan(draws), np.inf, draws), np.where(np.isnan(draws), -np.inf, draws)
            tail = (1 - level) / 2
            high = np.quantile(known[0], 1 - tail, axis=0, method="inverted_cdf")
            low = np.quantile(known[1], tail, axis=0, method="inverted_cdf")
        else:
            with np.errstate(invalid="ignore"):
                margin = t_quantile(df, (1 + level) / 2) * error
                low, high = estimate - margin, estimate + margin
        return interval_of(low, high, level, seed=self.seed)


def bradley_terry_from_battles(
    model_a: ArrayLike,
    model_b: ArrayLike,
    winner: ArrayLike,
    *,
    clusters: Any = None,
    weight: ArrayLike | None = None,
    covariates: Mapping[str, ArrayLike] | None = None,
    center: bool = False,
    position: bool = False,
    models: Any = None,
    covariance: str = "robust",
    small_sample: str = "cr1",
    n_resamples: int = 1000,
    rng: Any = None,
) -> BattleStrengths:
    """Estimate the strength of each model from battles of two models (Bradley-Terry model).

    The log-odds that model_a wins are the difference between the two log-strengths, plus the effects of `position` and
    `covariates`. A tie is half a win for each model. The standard errors do not assume that this model is correct.
    Battles of one cluster, such as one prompt or one annotator, may be correlated.

    Parameters
    ----------
    model_a, model_b : array_like of shape (n_battles,)
        Names of the two models of each battle.
    winner : array_like of shape (n_battles,)
        ``'model_a'``, ``'model_b'``, ``'tie'`` or ``'both_bad'`` (a tie that is counted separately). Alternatively, the
        outcome of model_a as a number: 1 for a win, 0.5 for a tie, 0 for a loss, or a fraction.
    clusters : array_like of shape (n_battles,), or a tuple of two of them, optional
        The cluster of each battle. Two clusterings, such as prompts and annotators, may cross. None: each battle is
        independent.
    weight : array_like of shape (n_battles,), optional
        Positive weight of each battle.
    covariates : mapping of str to array_like of shape (n_battles,), optional
        Difference between the two answers in a property such as length, model_a minus model_b. Each covariate is
        divided by its root mean square. The strengths apply to pairs of answers whose properties are equal.
    center : bool, default: False
        True: subtract the mean of each covariate and divide by its standard deviation, as FastChat does. The fit then
        depends on the order of the two models in each battle.
    position : bool, default: False
        Whether to estimate the effect of being in the position of model_a.
    models : sequence, optional
        Order of the models. Default: sorted by name.
    covariance : {'robust', 'model', 'bootstrap'}, default: 'robust'
        ``'robust'``: the sandwich estimate, over battles (HC0) or over clusters. ``'model'``: the inverse information,
        which is valid only if the battles are independent and the model is correct. ``'bootstrap'``: battles or
        clusters are drawn with replacement, and the limits of intervals are percentiles.
    small_sample : {'cr1', 'cr0', 'cr2'}, default: 'cr1'
        Small-sample correction for clusters. ``'cr1'``: the factor G / (G - 1) for G clusters, and Student's t with G -
        1 degrees of freedom. ``'cr0'``: no factor, and the normal distribution. ``'cr2'``: the bias-reduced covariance,
        with Satterthwaite's degrees of freedom.
    n_resamples : int, default: 1000
        Number of bootstrap samples.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    BattleStrengths
        Log-strengths with their covariance, win rates, and the effects of position and covariates.

    Raises
    ------
    ValueError, TypeError
        If a winner is unknown, a model has a battle against itself, or lengths differ. If a weight is not positive and
        finite, a covariate is constant, or an option is unknown.

    See Also
    --------
    rank_confidence_sets : confidence sets for the ranks of the models.
    bradley_terry_from_counts : the model for a table of wins, with or without a separate probability of ties.

    References
    ----------
    Bradley, R. A. & Terry, M. E. (1952). Rank analysis of incomplete block designs: I. The method of paired
    comparisons. Biometrika 39, 324-345.

    White, H. (1982). Maximum likelihood estimation of misspecified models. Econometrica 50, 1-25.

    Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models. Biometrika 73,
    13-22.

    Bell, R. M. & McCaffrey, D. F. (2002). Bias reduction in standard errors for linear regression with multi-stage
    samples. Survey Methodology 28, 169-181.

    Cameron, A. C., Gelbach, J. B. & Miller, D. L. (2011). Robust inference with multiway clustering. Journal of
    Business & Economic Statistics 29, 238-249.

    Examples
    --------
    >>> from evalstats.multiple import bradley_terry_from_battles
    >>> a = ["A", "A", "B", "B", "C", "C", "A", "B"]
    >>> b = ["B", "C", "C", "A", "A", "B", "B", "C"]
    >>> winner = ["model_a", "model_a", "tie", "model_a", "model_b", "model_a", "model_a", "model_a"]
    >>> result = bradley_terry_from_battles(a, b, winner, clusters=[1, 1, 1, 2, 2, 2, 3, 3])
    >>> result.models, result.estimate.round(2)
    (('A', 'B', 'C'), array([ 0.96, -0.26, -0.7 ]))
    """
    _labels.same_labels(model_a=model_a, model_b=model_b, winner=winner, weight=weight)
    first, second, names = battles.understood_models(model_a, model_b, models)
    n = len(first)
    outcome, both_bad = battles.outcomes_of(winner, n)
    groups = battles.understood_clusters(clusters, n, model_a)
    covariance = _checks.choice(covariance, "covariance", COVARIANCES)
    small_sample = _checks.choice(small_sample, "small_sample", SMALL_SAMPLES)
    if len(groups) == 2 and (small_sample == "cr2" or covariance == "bootstrap"):
        raise InvalidValueError(
            TWO_WAY if covariance == "robust" else "covariance='bootstrap' accepts only one clustering"
        )
    weights = np.ones(n) if weight is None else _weights(weight, n)
    terms = _terms(covariates, n, model_a, center=_checks.boolean(center, "center"))
    if _checks.boolean(position, "position"):
        terms = {POSITION: np.ones(n), **terms}
    n_resamples, source = _checks.resampling(n_resamples, rng, minimum=2)

    cells = battles.grouped(first, second, outcome, weights, list(terms.values()), len(names))
    of_first = np.where(first > second, 1 - outcome, outcome)
    own = Battles(cells, of_first, weights, groups)
    totals = cells.totals(cells.points) + cells.totals(cells.n - cells.points).T
    is_drawn = covariance == "bootstrap"
    found = estimated(own, names, covariance, small_sample, n_resamples, source.generator() if is_drawn else None)
    return BattleStrengths(
        models=names,
        terms=tuple(terms),
        win_totals=totals,
        n_battles=n,
        n_ties=int((outcome == 0.5).sum()),
        n_both_bad=int(both_bad.sum()),
        battles_of_model=np.bincount(first, minlength=len(names)) + np.bincount(second, minlength=len(names)),
        n_clusters=tuple(int(one.max()) + 1 for one in groups),
        n_resamples=n_resamples if is_drawn else None,
        seed=source.seed if is_drawn else None,
        **found,
    )


def _weights(weight: Any, n: int) -> FloatArray:
    weights = _checks.numbers(weight, "weight")
    if weights.shape != (n,):
        raise InvalidValueError(
            f"weight must have one value for each of the {n} battles, but its shape is {weights.shape}"
        )
    if (wrong := np.flatnonzero(~((weights > 0) & (weights < np.inf)))).size:
        row = int(wrong[0])
        raise InvalidValueError(f"weight must be positive and finite, but weight[{row}] is {weights[row]:g}")
    return weights


def _terms(covariates: Any, n: int, model_a: Any, *, center: bool) -> dict[str, FloatArray]:
    """Return the standardized covariates by their names."""
    if covariates is None:
        return {}
    if not isinstance(covariates, Mapping):
        raise InvalidValueError(
            "covariates must be a dict from the name of each covariate to its values for the battles"
        )
    found = {}
    for name, value in covariates.items():
        _labels.same_labels(model_a=model_a, **{str(name): value})
        column = _checks.finite(_checks.numbers(value, str(name)), str(name))
        if column.shape != (n,):
            raise InvalidValueError(
                f"covariate {name!r} must have one value for each of the {n} battles, but its shape is {column.shape}"
            )
        if np.ptp(column) == 0 or (np.abs(column).max() == 0):
            raise InvalidValueError(f"covariate {name!r} is the same in all battles, so its effect cannot be estimated")
        column = column - column.mean() if center else column
        found[str(name)] = column / math.sqrt(float((column * column).mean()))
    return found


def _differences(strengths: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore"):
        found = strengths[:, None] - strengths[None]
    np.fill_diagonal(found, 0.0)
    return np.asarray(found)
