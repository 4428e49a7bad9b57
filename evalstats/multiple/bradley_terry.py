"""The Bradley-Terry model with ties: strengths of classifiers from paired comparisons."""

from __future__ import annotations

__all__ = ["BradleyTerryResult", "bradley_terry_from_counts", "bradley_terry_model"]

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import EvalstatsError, InvalidValueError
from evalstats._labels import column_names
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, rounded
from evalstats._result import ConfidenceInterval, EstimateResult, interval_of
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.distributions.tail_probabilities import t_quantile
from evalstats.multiple.battle_model.covariance import errors_of_differences

TIES = ("davidson", "rao-kupper", "split", "drop")
COVARIANCES = ("datasets", "model")
NOT_LINKED = "the classifiers form groups that were never compared, or only in one direction"
SEPARATED = (
    f"{NOT_LINKED}; classifiers above the largest group never lost or tied against this group, and classifiers below "
    "it never won or tied, so their strengths are infinite"
)
ORDERED = NOT_LINKED + ", and no group has two members, so no finite strengths exist"
NO_UPSET = (
    "some strengths explain every win and every tie without an upset, so the estimates are infinite; with "
    "ties='split', the estimates are finite even without an upset"
)
NO_SPREAD = (
    "all datasets give the same results for some classifiers, so the standard errors of their strengths cannot be "
    "estimated"
)
NUMBERS_AT_ONCE = 2**22
NEGLIGIBLE = 1e-12  # a variance that is this small, relative to the model variance, is rounding error
MOST_STEPS, MOST_HALVINGS = 200, 60
LARGEST_COUNT = 2**50


@dataclass(frozen=True, kw_only=True, eq=False)
class BradleyTerryResult(EstimateResult):
    """Result of `bradley_terry_model` and `bradley_terry_from_counts`.

    Attributes
    ----------
    estimate : ndarray of shape (k,)
        Log-strength of each classifier. The mean over the classifiers is 0. The difference between two log-strengths is
        the log-odds that the first classifier beats the second, given that there is no tie. If no finite estimate
        exists, the value is infinite and `reason` states the cause.
    standard_error : ndarray of shape (k,)
        The square roots of the diagonal of `covariance`. They are nan for infinite strengths.
    reason : str or None
        A sentence if a strength is infinite or has no standard error, otherwise None.
    covariance : ndarray of shape (k, k)
        Covariance matrix of the log-strengths, computed with `covariance_method`.
    covariance_method : str
        ``'datasets'``: from the differences between datasets. ``'model'``: from the information matrix, for independent
        comparisons.
    df : int or None
        Degrees of freedom for `confidence_interval`: the number of informative datasets minus one. For the model
        covariance, it is None, and the normal distribution is used.
    tie_parameter : float or None
        Davidson's nu (0 means no ties) or Rao and Kupper's theta (1 means no ties), or None if ties are split or
        dropped.
    log_likelihood : float
        Maximum of the log-likelihood, without constants that depend only on the counts. It is nan if strengths are
        infinite.
    ties : str
        Treatment of ties.
    n_wins, n_ties : ndarray of shape (k, k)
        Number of comparisons in which classifier i won against classifier j, and number of their ties.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    """

    covariance: FloatArray
    covariance_method: str
    df: int | None
    tie_parameter: float | None
    log_likelihood: float
    ties: str
    n_wins: IntArray
    n_ties: IntArray
    classifiers: tuple[Any, ...] | None = None

    def _axes(self) -> tuple[str, ...]:
        return ("classifier",)

    @property
    def differences(self) -> FloatArray:
        """Differences of the log-strengths, of shape (k, k): row minus column. The diagonal is 0."""
        with np.errstate(invalid="ignore"):
            d = self.estimate[:, None] - self.estimate[None]
        np.fill_diagonal(d, 0.0)
        return np.asarray(d)

    @property
    def differences_standard_error(self) -> FloatArray:
        """Standard errors of `differences`, of shape (k, k)."""
        return errors_of_differences(self.covariance)

    @property
    def win_probabilities(self) -> FloatArray:
        """Probability that the row beats the column in one comparison, of shape (k, k). It is nan on the diagonal."""
        from scipy.special import expit

        d = self.differences
        if self.ties == "davidson":
            finite = np.where(np.isinf(d), 0.0, d)
            with np.errstate(over="ignore"):
                wins = 1 / (1 + np.exp(-finite) + float(self.tie_parameter or 0) * np.exp(-finite / 2))
            wins = np.where(np.isinf(d), d > 0, wins)
        else:
            wins = expit(d - np.log(self.tie_parameter or 1.0))
        np.fill_diagonal(wins, np.nan)
        return np.asarray(wins)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for each log-strength.

        The interval uses Student's t distribution for the covariance over datasets, and the normal distribution for the
        model covariance.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval. For the covariance over datasets, 95% intervals have a coverage of 95% to
            100% in simulated tables (5 to 20 datasets, 3 or 10 classifiers). Intervals from the model covariance are
            valid only if the comparisons are independent of each other. The comparisons on one dataset are not
            independent. In the simulated tables, the coverage of the model intervals is 92% to 96% with 3 classifiers
            and 64% to 75% with 10.

        Returns
        -------
        ConfidenceInterval
            The limits are nan if the strength is infinite or has no standard error.
        """
        level = _checks.confidence_level(confidence_level)
        quantile = t_quantile(math.inf if self.df is None else max(self.df, 1), (1 + level) / 2)
        with np.errstate(invalid="ignore"):
            margin = quantile * self.standard_error
            return interval_of(self.estimate - margin, self.estimate + margin, level)


def bradley_terry_model(
    scores: Any,
    *,
    ties: str = "davidson",
    covariance: str = "datasets",
    greater_is_better: bool = True,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> BradleyTerryResult:
    """Estimate the strength of each classifier from pairwise wins on datasets (Bradley-Terry model).

    Only wins and losses count, not the sizes of differences, so the scores of datasets may have different scales. The
    comparisons on one dataset use the same scores, so they are not independent. Therefore, the standard errors and
    intervals treat only the datasets as independent.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_classifiers)
        One row per dataset and one column per classifier.
    ties : {'davidson', 'rao-kupper', 'split', 'drop'}, default: 'davidson'
        ``'davidson'`` and ``'rao-kupper'``: a parameter determines the probability of a tie. ``'split'``: a tie is half
        a win for each classifier. ``'drop'``: a tie is ignored.
    covariance : {'datasets', 'model'}, default: 'datasets'
        ``'datasets'``: the sandwich estimate over the datasets, times n / (n - 1). Its inner matrix is the sum over
        datasets of outer products of the log-likelihood derivatives. ``'model'``: the inverse information for
        independent comparisons, as in BradleyTerry2 of R.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    tie_tolerance : float, default: 1e-12
        Scores that agree after rounding to this relative precision are tied. The value 0 requires exact equality.

    Returns
    -------
    BradleyTerryResult
        Log-strengths with standard errors and covariances, `win_probabilities`, and `confidence_interval`.

    Raises
    ------
    ValueError
        If scores have the wrong shape or contain nan or infinity, or if an option is unknown.

    See Also
    --------
    nemenyi_test : test which classifiers differ in mean rank.

    References
    ----------
    Bradley, R. A. & Terry, M. E. (1952). Rank analysis of incomplete block designs: I. The method of paired
    comparisons. Biometrika 39, 324-345.

    Davidson, R. R. (1970). On extending the Bradley-Terry model to accommodate ties in paired comparison experiments.
    Journal of the American Statistical Association 65, 317-328.

    Rao, P. V. & Kupper, L. L. (1967). Ties in paired-comparison experiments: a generalization of the Bradley-Terry
    model. Journal of the American Statistical Association 62, 194-204.

    Zeileis, A., Köll, S. & Graham, N. (2020). Various versatile variances: an object-oriented implementation of
    clustered covariances in R. Journal of Statistical Software 95(1).

    Examples
    --------
    >>> from evalstats import example_table
    >>> from evalstats.multiple import bradley_terry_model
    >>> accuracy = example_table("japkowicz-accuracy").scores  # naive Bayes, SVM, AdaBoost, random forest
    >>> bradley_terry_model(accuracy).estimate.round(2)
    array([-0.18,  0.33, -1.15,  1.  ])
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    table = _checks.score_matrix(scores, single=True)
    ties = _checks.choice(ties, "ties", TIES)
    covariance = _checks.choice(covariance, "covariance", COVARIANCES)
    sign = 1 if _checks.boolean(greater_is_better, "greater_is_better") else -1
    table = sign * rounded(table, tie_tolerance)
    found = _fitted(*_counted(table), ties, table if covariance == "datasets" else None)
    return replace(found, classifiers=column_names(scores))


def bradley_terry_from_counts(
    n_wins: ArrayLike, *, n_ties: ArrayLike | None = None, ties: str = "davidson"
) -> BradleyTerryResult:
    """Estimate the strength of each classifier from a table of wins (Bradley-Terry model).

    Parameters
    ----------
    n_wins : array_like of int, of shape (k, k)
        Number of wins of the row against the column. It is 0 on the diagonal. A data frame must have the same labels as
        rows and as columns.
    n_ties : array_like of int, of shape (k, k), optional
        Number of ties of each pair, as a symmetric table. None: no ties.
    ties : {'davidson', 'rao-kupper', 'split', 'drop'}, default: 'davidson'
        As in `bradley_terry_model`.

    Returns
    -------
    BradleyTerryResult
        As in `bradley_terry_model`, with standard errors for independent comparisons.

    Raises
    ------
    ValueError, TypeError
        If a table is not square, contains values other than nonnegative integers, or is not 0 on the diagonal. If the
        ties are not symmetric.

    Examples
    --------
    >>> from evalstats.multiple import bradley_terry_from_counts
    >>> result = bradley_terry_from_counts([[0, 7, 9], [3, 0, 6], [1, 4, 0]])
    >>> result.estimate.round(3)
    array([ 0.944, -0.16 , -0.783])
    """
    wins = _square(n_wins, "n_wins")
    drawn = np.zeros_like(wins) if n_ties is None else _square(n_ties, "n_ties")
    _labels.same_labels(n_wins=n_wins, n_ties=n_ties)
    if drawn.shape != wins.shape:
        raise InvalidValueError(f"n_ties must have the shape of n_wins, {wins.shape}, not {drawn.shape}")
    if (drawn != drawn.T).any():
        i, j = np.argwhere(drawn != drawn.T)[0]
        raise InvalidValueError(
            f"n_ties must be symmetric, but n_ties[{i}, {j}] is {drawn[i, j]} and n_ties[{j}, {i}] is {drawn[j, i]}"
        )
    found = _fitted(wins, drawn, _checks.choice(ties, "ties", TIES), None)
    return replace(found, classifiers=column_names(n_wins, "n_wins"))


def _square(value: Any, name: str) -> IntArray:
    _labels.square_labels(value, name, missing=0)
    table = _checks.finite(_checks.numbers(value, name), name)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or len(table) < 2:
        raise InvalidValueError(f"{name} must have the shape (k, k), with k of 2 or more, not {table.shape}")
    wrong = (table < 0) | (table != np.floor(table)) | (table > LARGEST_COUNT)
    wrong |= np.eye(len(table), dtype=bool) & (table != 0)
    if wrong.any():
        i, j = (int(at) for at in np.argwhere(wrong)[0])
        rule = "be 0 on the diagonal" if i == j else "hold whole numbers from 0 to 2^50"
        raise InvalidValueError(f"{name} must {rule}, but {name}[{i}, {j}] is {table[i, j]:g}")
    return table.astype(np.int64)


def _counted(table: FloatArray) -> tuple[IntArray, IntArray]:
    """Count the wins and ties of each pair over the rows of a table."""
    n, k = table.shape
    n_wins = np.zeros((k, k), dtype=np.int64)
    step = max(1, NUMBERS_AT_ONCE // (k * k))
    for start in range(0, n, step):
        rows = table[start : start + step]
        n_wins += np.count_nonzero(rows[:, :, None] > rows[:, None, :], axis=0)
    n_ties = n - n_wins - n_wins.T
    np.fill_diagonal(n_ties, 0)
    return n_wins, n_ties


class _Fit(NamedTuple):
    """Log-strengths with mean 0, their covariance, the logarithm of the tie parameter, and the log-likelihood."""

    strengths: FloatArray
    covariance: FloatArray
    log_tie: float
    log_likelihood: float
    inverse: FloatArray  # inverse information of the strengths and, with ties, of the tie parameter


def _fitted(n_wins: IntArray, n_ties: IntArray, ties: str, table: FloatArray | None) -> BradleyTerryResult:
    """Fit the largest group of classifiers that are connected in both directions by chains of wins."""
    k = len(n_wins)
    if table is not None and ties == "drop":
        table = table[(table != table[:, :1]).any(axis=1)]  # omit datasets with ties only
    counted = n_ties if ties != "drop" else np.zeros_like(n_ties)
    above, main, below = linked_groups(n_wins + counted > 0)
    estimate, covariance = np.full(k, np.nan), np.full((k, k), np.nan)
    log_tie, likelihood, reason = np.nan, np.nan, None
    if not main.all():
        reason = SEPARATED if main.sum() > 1 else ORDERED
    among = np.ix_(main, main)
    if ties in ("davidson", "rao-kupper") and not _has_upset(n_wins[among], counted[among]):
        reason = NO_UPSET
    elif main.sum() > 1:
        fit = _maximum(n_wins[among].astype(np.float64), counted[among].astype(np.float64), ties)
        estimate[main], covariance[among], log_tie = fit.strengths, fit.covariance, fit.log_tie
        if table is not None:
            covariance[among] = _over_datasets(table[:, main], fit, ties)
            if np.isnan(covariance[among]).any():
                reason = reason or NO_SPREAD
        estimate[above], estimate[below] = np.inf, -np.inf
        likelihood = fit.log_likelihood if main.all() else np.nan
    has_parameter = ties in ("davidson", "rao-kupper")
    return BradleyTerryResult(
        estimate=estimate,
        standard_error=np.sqrt(np.diag(covariance)),
        reason=reason,
        covariance=covariance,
        covariance_method="model" if table is None else "datasets",
        df=None if table is None else len(table) - 1,
        tie_parameter=float(np.exp(log_tie)) if has_parameter else None,
        log_likelihood=float(likelihood),
        ties=ties,
        n_wins=n_wins,
        n_ties=n_ties,
    )


def linked_groups(beats: BoolArray) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Return the classifiers above, in and below the largest group linked in both directions: Ford (1957)."""
    from scipy.sparse.csgraph import connected_components, shortest_path

    _, group = connected_components(beats, directed=True, connection="strong")
    main = group == np.bincount(group).argmax()
    if main.all():
        return np.zeros_like(main), main, np.zeros_like(main)
    reaches = np.isfinite(shortest_path(beats, unweighted=True))
    above, below = reaches[:, main].any(axis=1) & ~main, reaches[main].any(axis=0) & ~main
    return above, main, below


def _has_upset(wins: IntArray, ties: IntArray) -> bool:
    """Return True unless there are strengths whose difference is at least 1 for each win and at most 1 for each tie.

    If such strengths exist, multiplying them and the logarithm of the tie parameter by any factor increases the
    likelihood. Such strengths exist if the required differences have no cycle of negative length.
    """
    from scipy.sparse.csgraph import NegativeCycleError, bellman_ford

    if not ties.any():
        return True
    # largest allowed excess of j over i: -1 if i won, 1 if the two tied
    most = np.where(wins > 0, -1.0, np.where(ties > 0, 1.0, np.inf))
    try:
        bellman_ford(np.ma.masked_invalid(most).filled(0.0), directed=True)
    except NegativeCycleError:
        return True
    return False


def _maximum(wins: FloatArray, ties: FloatArray, way: str) -> _Fit:
    """Maximize the concave likelihood by Newton's method with step halving."""
    k = len(wins)
    if way == "split":
        wins, ties = wins + ties / 2, np.zeros_like(ties)
    has_ties = bool(ties.any())
    derivatives = _rao_kupper if way == "rao-kupper" and has_ties else _davidson
    # the last parameter is log nu, or log theta, which is above 0
    at = np.append(np.zeros(k), 0.5 if way == "rao-kupper" else 0.0)
    free = np.append(np.ones(k, dtype=bool), has_ties)
    if not has_ties:
        at[-1] = -np.inf
    value, gradient, information = derivatives(wins, ties, at)
    for _ in range(MOST_STEPS):
        step = np.zeros(k + 1)
        step[free] = np.linalg.solve(_with_mean(information, k)[np.ix_(free, free)], gradient[free])
        size, decrement = 1.0, float(step[free] @ gradient[free])
        for _ in range(MOST_HALVINGS):
            new = at.copy()
            new[free] += size * step[free]
            if derivatives is _davidson or new[-1] > 0:
                found = derivatives(wins, ties, new)
                if found[0] >= value - 1e-12 * abs(value):
                    break
            size /= 2
        at, (value, gradient, information) = new, found
        if decrement < 1e-22 * max(1.0, wins.sum() + ties.sum()) or np.abs(size * step).max() < 1e-15:
            break
    else:
        raise EvalstatsError("Newton's method found no maximum of the likelihood of the Bradley-Terry model")
    inverse = np.linalg.inv(_with_mean(information, k)[np.ix_(free, free)])
    covariance = inverse[:k, :k] - 1 / (k**2 * _weight_of_mean(information, k))
    strengths = at[:k] - at[:k].mean()
    log_tie = at[-1] if has_ties else (0.0 if way == "rao-kupper" else -np.inf)
    return _Fit(strengths, covariance, float(log_tie), value, inverse)


def _over_datasets(table: FloatArray, fit: _Fit, ties: str) -> FloatArray:
    """Return the sandwich covariance over the rows of a table, times n / (n - 1), or nan if all rows are equal.

    The derivatives add up to 0 over the classifiers, so the weight of the mean has no effect.
    """
    n, k = table.shape
    of_win, of_tie = _scores_of_outcomes(fit.strengths, fit.log_tie, ties)
    scores = np.zeros((n, len(fit.inverse)))
    step = max(1, NUMBERS_AT_ONCE // (k * k))
    for start in range(0, n, step):
        rows = table[start : start + step]
        beats = (rows[:, :, None] > rows[:, None, :]).astype(np.float64)
        tied = 1 - beats - beats.swapaxes(1, 2) - np.eye(k)
        here = slice(start, start + len(rows))
        for_d = beats * of_win[0] - (beats * of_win[0]).swapaxes(1, 2) + tied * of_tie[0]
        scores[here, :k] = for_d.sum(axis=2)
        if scores.shape[1] > k:
            scores[here, k] = (beats * of_win[1]).sum(axis=(1, 2)) + (tied * of_tie[1]).sum(axis=(1, 2)) / 2
    influence = (scores @ fit.inverse)[:, :k]
    with np.errstate(divide="ignore", invalid="ignore"):
        covariance = influence.T @ influence * (n / np.float64(n - 1))
    is_unknown = ~(np.diag(covariance) > NEGLIGIBLE * np.diag(fit.covariance))
    covariance[is_unknown] = covariance[:, is_unknown] = np.nan
    return np.asarray(covariance)


def _scores_of_outcomes(strengths: FloatArray, log_tie: float, ties: str) -> tuple[list[FloatArray], list[FloatArray]]:
    """Return the derivatives of the log-probabilities of a win of i over j and of a tie, each of shape (k, k).

    The derivatives are with respect to the difference of i and j, and to the logarithm of the tie parameter.
    """
    from scipy.special import expit

    d = strengths[:, None] - strengths[None]
    if ties == "rao-kupper" and log_tie > 0:
        missed = expit(log_tie - d)
        excess = -np.expm1(-2 * log_tie)
        return [missed, -missed], [missed - missed.T, 2 / excess - missed - missed.T]
    nu = log_tie if ties == "davidson" else -np.inf
    log_sum = np.logaddexp(np.logaddexp(d / 2, -d / 2), nu)
    p_tie = np.exp(nu - log_sum)
    share = np.exp(d / 2 - log_sum) + p_tie / 2
    return [1 - share, -p_tie], [0.0 * d if ties == "drop" else 0.5 - share, 1 - p_tie]


def _with_mean(information: FloatArray, k: int) -> FloatArray:
    """Add a term that fixes the mean of the strengths at 0, so the matrix is invertible."""
    fixed = information.copy()
    fixed[:k, :k] += _weight_of_mean(information, k)
    return fixed


def _weight_of_mean(information: FloatArray, k: int) -> float:
    """Return a weight for the mean of the same magnitude as the information matrix."""
    return float(np.trace(information[:k, :k])) / k**2


def _davidson(wins: FloatArray, ties: FloatArray, at: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Return log-likelihood, gradient and information: a logit model of win, tie and loss. Davidson (1970), eq. 2.1."""
    k = len(wins)
    d = at[:k, None] - at[None, :k]
    # logarithms of the weights exp(d / 2), nu and exp(-d / 2), relative to the largest
    log_sum = np.logaddexp(np.logaddexp(d / 2, -d / 2), at[-1])
    p_win, p_tie = np.exp(d / 2 - log_sum), np.exp(at[-1] - log_sum)
    n = wins + wins.T + ties
    log_tie = 0.0 if np.isneginf(at[-1]) else at[-1]
    value = np.sum(wins * (d / 2 - log_sum)) + np.sum(ties * (log_tie - log_sum)) / 2
    share = p_win + p_tie / 2
    gradient = np.append((wins + ties / 2 - n * share).sum(axis=1), np.sum(ties - n * p_tie) / 2)
    of_d, of_both = n * (p_win + p_tie / 4 - share**2), n * (p_tie / 2 - share * p_tie)
    return float(value), gradient, _assembled(of_d, of_both, np.sum(n * p_tie * (1 - p_tie)) / 2)


def _rao_kupper(wins: FloatArray, ties: FloatArray, at: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Return log-likelihood, gradient and information: P(tie) = P(win) P(loss) (theta^2 - 1). Rao & Kupper (1967)."""
    from scipy.special import expit, log_expit

    k = len(wins)
    d = at[:k, None] - at[None, :k]
    log_theta, n_ties = at[-1], ties.sum() / 2
    weight, missed = wins + ties, expit(log_theta - d)  # 1 - P(win)
    excess = -np.expm1(-2 * log_theta)  # (theta^2 - 1) / theta^2
    value = np.sum(weight * log_expit(d - log_theta)) + n_ties * (2 * log_theta + np.log(excess))
    of_pair = weight * missed
    gradient = np.append((of_pair - of_pair.T).sum(axis=1), -of_pair.sum() + 2 * n_ties / excess)
    curved = of_pair * (1 - missed)
    of_tie = curved.sum() + 4 * n_ties * (1 - excess) / excess**2
    return float(value), gradient, _assembled(curved + curved.T, curved.T - curved, of_tie)


def _assembled(of_d: FloatArray, of_both: FloatArray, of_tie: float) -> FloatArray:
    """Combine the information of all pairs into the information matrix of the strengths and the tie parameter."""
    k = len(of_d)
    information = np.empty((k + 1, k + 1))
    np.fill_diagonal(of_d, 0)
    np.fill_diagonal(of_both, 0)
    information[:k, :k] = np.diag(of_d.sum(axis=1)) - of_d
    information[:k, -1] = information[-1, :k] = of_both.sum(axis=1)
    information[-1, -1] = of_tie
    return information
