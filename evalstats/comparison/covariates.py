"""Difference between two models after adjustment for covariates, by generalized estimating equations (statsmodels)."""

from __future__ import annotations

__all__ = ["AdjustedDifference", "adjusted_difference", "compare_adjusted"]

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidTypeError, InvalidValueError, listed, not_among
from evalstats._result import ConfidenceInterval, EstimateResult
from evalstats._types import AnyArray, FloatArray, IndexArray
from evalstats.comparison.option_checks import data_checksum, options_given
from evalstats.distributions import tail_probabilities as tails
from evalstats.io.reader.long_tables import read_answer_rows

TO_INSTALL = 'adjusted_difference requires statsmodels: pip install "classifier-evalstats[models]"'
# minimum number of clusters in addition to the number of coefficients
SPARE_CLUSTERS = 5
# maximum number of labels of a text covariate
MOST_LABELS = 20
# a larger linear predictor may result from separation, so separation is then checked
SUSPICIOUS = 8.0
# tolerances of the estimating equations, relative to their terms: for rounding errors, for the end of the iterations,
# and for a solution
_ROUNDING, _CONVERGED = 1e-15, 1e-9
ANSWERED_ALL = (
    "both models answered every question, so covariates of the questions hardly change the difference: a paired test "
    "without covariates is sufficient"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class AdjustedDifference(EstimateResult):
    """Result of `adjusted_difference`.

    Attributes
    ----------
    estimate : float
        Standardized difference: the mean over all questions of a difference between two predicted scores, candidate
        minus baseline. Both scores are predicted at the covariates of the question.
    standard_error : float
        Standard error by the delta method, for fixed questions.
    pvalue : float
        Two-sided p-value for the null hypothesis that the coefficient of the model is 0.
    baseline, candidate : str
        Names of the two models.
    coefficients : tuple of str
        Names of the coefficients: the constant, the model and the covariates.
    coefficient, coefficient_standard_error, coefficient_pvalue : ndarray of shape (p,)
        Coefficients, with their standard errors and p-values. A coefficient is a difference in the log-odds of a
        correct answer, or in the score if `family` is ``'gaussian'``.
    df : float
        Degrees of freedom of the t distribution.
    correlation : float
        Estimated correlation between two rows of a question. It is 0 if `working_correlation` is ``'independence'``.
    family : str
        ``'binomial'`` (logit link) for scores of 0 and 1, or ``'gaussian'`` (identity link) for other scores.
    working_correlation : str
        The value passed to the function.
    n_clusters, n_rows : int
        Number of questions (or clusters), and number of rows.
    reason : str or None
        A sentence if a simpler test is sufficient, otherwise None.
    options : dict
        The options of ``evalstats compare --adjust-for`` that differ from the defaults. The dict is empty for arrays.
    data_checksum : str or None
        SHA-256 of the file of the answers, or None if they are not from a file.
    """

    pvalue: float
    baseline: str
    candidate: str
    coefficients: tuple[str, ...]
    coefficient: FloatArray
    coefficient_standard_error: FloatArray
    coefficient_pvalue: FloatArray
    df: float
    correlation: float
    family: str
    working_correlation: str
    n_clusters: int
    n_rows: int
    options: Mapping[str, Any] = field(default_factory=dict)
    data_checksum: str | None = None
    _covariance: FloatArray = field(repr=False)
    _score: FloatArray
    _matrix: FloatArray  # the design: rows are answers, columns are coefficients
    _cluster: IndexArray

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the standardized difference.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats.comparison import adjusted_difference
        >>> question, model, length = [*range(20)] * 2, ["a"] * 20 + ["b"] * 20, [1, 2, 3, 4, 5] * 8
        >>> correct = [1, 0, 1, 0, 0] * 4 + [1, 1, 0, 1, 0] * 4
        >>> result = adjusted_difference(correct, model, question, {"length": length})
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.2f} to {high:.2f}")
        -0.18 to 0.66
        """
        level = _checks.confidence_level(confidence_level)
        half = self._quantile(level) * self.standard_error
        return ConfidenceInterval(
            low=self.estimate - half, high=self.estimate + half, confidence_level=level, attained_level=level
        )

    def odds_ratio_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the odds ratio of the candidate relative to the baseline.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval.

        Returns
        -------
        ConfidenceInterval

        Raises
        ------
        InvalidValueError
            If the scores are not 0 and 1.

        Examples
        --------
        >>> from evalstats.comparison import adjusted_difference
        >>> question, model, length = [*range(20)] * 2, ["a"] * 20 + ["b"] * 20, [1, 2, 3, 4, 5] * 8
        >>> correct = [1, 0, 1, 0, 0] * 4 + [1, 1, 0, 1, 0] * 4
        >>> result = adjusted_difference(correct, model, question, {"length": length})
        >>> low, high = result.odds_ratio_interval()
        >>> print(f"{low:.2f} to {high:.2f}")
        0.26 to 103.89
        """
        if self.family != "binomial":
            raise InvalidValueError("an odds ratio requires scores of 0 and 1")
        level = _checks.confidence_level(confidence_level)
        half = self._quantile(level) * self.coefficient_standard_error[1]
        low, high = (math.exp(self.coefficient[1] + sign * half) for sign in (-1, 1))
        return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=level)

    def _quantile(self, level: float) -> float:
        return float(tails.t_quantile(self.df, (1 + level) / 2))


class _Design(NamedTuple):
    """Columns of the regression model, and their names."""

    matrix: FloatArray
    names: tuple[str, ...]


def adjusted_difference(
    score: ArrayLike,
    model: ArrayLike,
    question: ArrayLike,
    covariates: Mapping[str, ArrayLike],
    *,
    baseline: str | None = None,
    working_correlation: str = "exchangeable",
) -> AdjustedDifference:
    """Estimate the difference between two models at equal covariates, such as the length of a question.

    Use this function if the models answered different questions, or to determine whether the difference remains at
    equal length, language or difficulty. Each row is one answer. Answers to the same question are correlated. The null
    hypothesis is that the coefficient of the model is 0.

    Parameters
    ----------
    score : array_like of shape (n,)
        Score of each answer: 1 for correct and 0 for incorrect, or any numbers.
    model : array_like of shape (n,)
        Name of the model that gave each answer, one of two models.
    question : array_like of shape (n,)
        Name of the question, or of its cluster.
    covariates : dict of array_like of shape (n,)
        One or more covariates, each with its name. A covariate contains numbers, or text with up to 20 distinct labels.
        The first label in sorted order is the reference.
    baseline : str, optional
        Name of the baseline. The default is the first name in natural sort order.
    working_correlation : {'exchangeable', 'independence'}, default: 'exchangeable'
        Assumed correlation between the rows of a question. The standard errors are valid even if this assumption is
        incorrect.

    Returns
    -------
    AdjustedDifference
        The standardized difference, with `confidence_interval` and `odds_ratio_interval`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If the arrays differ in length, if there are not exactly two models, or if there are too few questions. If a
        covariate is constant, is a combination of other columns, or separates correct from incorrect answers.
    ImportError
        If statsmodels is not installed.

    Notes
    -----
    The function solves generalized estimating equations. For scores of 0 and 1, logit P(correct) = a + b model + g
    covariates. For other scores, the link is the identity. The covariance is robust to correlation within questions and
    bias-reduced (Mancl and DeRouen). The tests and intervals use the t distribution with n_clusters - p degrees of
    freedom. Without the bias reduction and the t distribution, the intervals are too short for few questions.

    The standardized difference treats the questions as fixed: its standard error does not include the variation between
    samples of questions. A covariate may depend on the language model itself, such as the length of the answer. The
    result is then a difference "at equal length of the answers".

    References
    ----------
    Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using generalized linear models. Biometrika 73,
    13-22.

    Mancl, L. A. & DeRouen, T. A. (2001). A covariance estimator for GEE with improved small-sample properties.
    Biometrics 57, 126-134.

    Examples
    --------
    >>> from evalstats.comparison import adjusted_difference
    >>> question = [1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 8]
    >>> model = ["new" if i else "old" for i in [0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1]]
    >>> length = [2, 9, 7, 5, 4, 6, 1, 8, 3, 3, 5, 9, 2, 6, 2, 4, 7, 1, 4, 5]
    >>> correct = [1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1]
    >>> result = adjusted_difference(correct, model, question, {"length": length}, baseline="old")
    >>> low, high = result.confidence_interval()
    >>> print(f"{result.estimate:.3f} ({low:.3f} to {high:.3f}), p = {result.pvalue:.3f}")
    0.197 (-0.180 to 0.573), p = 0.252
    """
    try:
        from statsmodels.genmod.generalized_estimating_equations import GEE
    except ImportError:
        raise ImportError(TO_INSTALL) from None
    from statsmodels.genmod import cov_struct, families

    structure = _checks.choice(working_correlation, "working_correlation", ("exchangeable", "independence"))
    y = _checks.moderate(_checks.finite(_checks.numbers(score, "score"), "score"), "score")
    if y.ndim != 1 or not len(y):
        raise InvalidValueError(f"score must have one axis with one value for each row, not the shape {y.shape}")
    if np.ptp(y) == 0:
        raise InvalidValueError(f"score must vary, but all its values are {y[0]:g}")
    given: Any = covariates
    columns = given.items() if isinstance(given, Mapping) else ()
    beside: dict[str, Any] = {f"covariates[{name!r}]": values for name, values in columns}
    _labels.same_labels(rows=(), score=score, model=model, question=question, **beside)
    names, is_candidate = _two_models(model, len(y), baseline)
    cluster = _clusters(question, len(y))
    design = _design(covariates, is_candidate, names)
    n_clusters = int(cluster.max()) + 1
    _refuse_few(design, n_clusters)
    family = "binomial" if np.isin(y, (0, 1)).all() else "gaussian"

    order = np.argsort(cluster, kind="stable")
    equations = GEE(
        y[order],
        design.matrix[order],
        groups=cluster[order],
        family=families.Binomial() if family == "binomial" else families.Gaussian(),
        cov_struct=cov_struct.Exchangeable() if structure == "exchangeable" else cov_struct.Independence(),
    )
    fit = _fitted(equations, y, design, family)
    beta = np.asarray(fit.params)
    covariance = np.asarray(fit.cov_params())
    df = float(n_clusters - len(beta))
    error = np.sqrt(np.diag(covariance))
    estimate, gradient = _standardized(design.matrix, beta, cluster, family)
    pvalues = tails.t_pvalue(beta / error, df)
    return AdjustedDifference(
        estimate=estimate,
        standard_error=float(math.sqrt(gradient @ covariance @ gradient)),
        pvalue=float(pvalues[1]),
        reason=ANSWERED_ALL if _answered_all(cluster, is_candidate) else None,
        baseline=names[0],
        candidate=names[1],
        coefficients=design.names,
        coefficient=beta,
        coefficient_standard_error=error,
        coefficient_pvalue=pvalues,
        df=df,
        correlation=float(fit.cov_struct.dep_params) if structure == "exchangeable" else 0.0,
        family=family,
        working_correlation=structure,
        n_clusters=n_clusters,
        n_rows=len(y),
        _covariance=covariance,
        _score=y,
        _matrix=design.matrix,
        _cluster=cluster,
    )


def compare_adjusted(
    source: Any, *, adjust_for: Sequence[str] = (), control: str | None = None, **read_kwargs: Any
) -> AdjustedDifference:
    """Estimate the adjusted difference between two models from the rows of a file or data frame.

    Parameters
    ----------
    source : path or data frame
        One row for each answer.
    adjust_for : sequence of str
        Columns of the covariates.
    control : str, optional
        Name of the baseline.
    **read_kwargs
        Arguments of `read_answer_rows`.

    Returns
    -------
    AdjustedDifference
    """
    given = locals()
    if not adjust_for:
        raise InvalidValueError("adjust_for must name at least one column of a covariate, but it is empty")
    rows = read_answer_rows(source, adjust_for, **read_kwargs)
    return replace(
        adjusted_difference(rows.score, rows.model, rows.question, rows.covariates, baseline=control),
        options=options_given(given, compare_adjusted.__kwdefaults__ or {}),
        data_checksum=data_checksum(source),
    )


def _fitted(equations: Any, y: FloatArray, design: _Design, family: str) -> Any:
    """Solve the estimating equations, or raise an error if they have no finite solution or do not converge."""
    fit, unit = None, float(np.linalg.norm(np.abs(design.matrix.T) @ np.abs(y)))  # scale of the terms whose sum is zero
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # the conditions of the statsmodels warnings raise an error below
        try:
            fit = equations.fit(maxiter=200, ctol=max(unit * _ROUNDING, np.finfo(float).tiny), cov_type="bias_reduced")
        except (np.linalg.LinAlgError, ValueError):
            fit = None
    is_far = fit is None or not np.abs(design.matrix @ np.asarray(fit.params)).max() <= SUSPICIOUS
    if family == "binomial" and is_far:
        _refuse_separation(y, design)
    # without separation, the iterations can also diverge or end without a solution
    if (
        fit is None
        or not (np.isfinite(fit.params).all() and np.isfinite(fit.cov_params()).all())
        or not fit.score_norm <= unit * _CONVERGED
        or (np.diag(fit.cov_params()) <= 0).any()
    ):
        raise InvalidValueError("the estimating equations have no solution for these rows; use fewer covariates")
    return fit


def _one_axis(values: Any, name: str, n: int) -> AnyArray:
    array = _checks.regular(values, name)
    if array.shape != (n,):
        raise InvalidValueError(f"{name} must have one value for each of the {n} rows, but its shape is {array.shape}")
    return array


def _two_models(model: Any, n: int, baseline: str | None) -> tuple[tuple[str, str], FloatArray]:
    array = np.array([_checks.label_text(one) for one in _one_axis(model, "model", n)])
    names = sorted(set(array.tolist()))
    if len(names) != 2:
        raise InvalidValueError(f"model must hold two names, but it holds {listed(names)}")
    first = names[0] if baseline is None else _checks.label_text(baseline)
    if first not in names:
        raise InvalidValueError(not_among("baseline", baseline, names))
    second = names[1 - names.index(first)]
    return (first, second), (array == second).astype(np.float64)


def _clusters(question: Any, n: int) -> IndexArray:
    array = _one_axis(question, "question", n)
    return np.asarray(np.unique(array.astype(str), return_inverse=True)[1].reshape(n), dtype=np.intp)


def _design(covariates: Any, is_candidate: FloatArray, names: tuple[str, str]) -> _Design:
    """Return the columns of the constant, the model and the covariates; text labels become indicator columns."""
    if not isinstance(covariates, Mapping) or not covariates:
        raise InvalidTypeError("covariates must be a dict of one or more arrays, {name: values}")
    n = len(is_candidate)
    columns, titles = [np.ones(n), is_candidate], ["constant", f"model {names[1]}"]
    for name, values in covariates.items():
        array = _one_axis(values, f"covariates[{name!r}]", n)
        if array.dtype.kind in "biuf":
            number = _checks.finite(array.astype(np.float64), f"covariates[{name!r}]")
            added, told = [number], [str(name)]
        else:
            labels = np.array([str(one) for one in array])
            kinds = sorted(set(labels.tolist()))
            if len(kinds) > MOST_LABELS:
                raise InvalidValueError(
                    f"covariates[{name!r}] must have at most {MOST_LABELS} labels, but it has {len(kinds)}"
                )
            added = [(labels == kind).astype(np.float64) for kind in kinds[1:]]
            told = [f"{name} = {kind}" for kind in kinds[1:]]
        if not added or any(np.ptp(column) == 0 for column in added):
            raise InvalidValueError(f"covariates[{name!r}] must vary, but all its values are equal")
        columns, titles = [*columns, *added], [*titles, *told]
    matrix = np.column_stack(columns)
    for j in range(2, matrix.shape[1]):
        basis = matrix[:, :j] / np.abs(matrix[:, :j]).max(axis=0)
        column = matrix[:, j] / np.abs(matrix[:, j]).max()
        rest = column - basis @ np.linalg.lstsq(basis, column, rcond=None)[0]
        if np.abs(rest).max() < 1e-9:
            raise InvalidValueError(
                f"the covariate {titles[j]!r} is a combination of {listed(titles[:j])}; leave it out"
            )
    return _Design(matrix, tuple(titles))


def _refuse_few(design: _Design, n_clusters: int) -> None:
    needed = len(design.names) + SPARE_CLUSTERS
    if n_clusters < needed:
        raise InvalidValueError(
            f"question must hold {needed} questions or more for {len(design.names)} coefficients, not {n_clusters}"
        )


def _refuse_separation(y: FloatArray, design: _Design) -> None:
    """Raise an error if a combination of columns separates correct from incorrect answers.

    The maximum likelihood estimate is then infinite (Albert & Anderson 1984). A linear program finds such a
    combination.
    """
    from scipy.optimize import linprog

    scaled = design.matrix / np.abs(design.matrix).max(axis=0)
    signed = np.unique(np.where(y[:, np.newaxis] == 1, scaled, -scaled), axis=0)
    found = linprog(-signed.sum(axis=0), A_ub=-signed, b_ub=np.zeros(len(signed)), bounds=(-1, 1), method="highs")
    if found.status == 0 and found.fun is not None and -found.fun > 1e-7:
        at = [
            name
            for name, size in zip(design.names, np.asarray(found.x), strict=True)
            if abs(size) > 1e-7 and name != "constant"
        ]
        raise InvalidValueError(
            f"{listed(at or ['constant'])} separates correct from incorrect answers, so no finite coefficient "
            "fits; leave it out, or merge its labels"
        )


def _standardized(matrix: FloatArray, beta: FloatArray, cluster: IndexArray, family: str) -> tuple[float, FloatArray]:
    """Return the mean predicted difference over questions with equal weights, and the gradient of this mean."""
    weight = 1 / np.bincount(cluster)[cluster] / (cluster.max() + 1)
    sides = []
    for is_candidate in (1.0, 0.0):
        at = matrix.copy()
        at[:, 1] = is_candidate
        linear = at @ beta
        if family == "gaussian":
            sides.append((float(weight @ linear), weight @ at))
        else:
            p = 1 / (1 + np.exp(-linear))
            sides.append((float(weight @ p), (weight * p * (1 - p)) @ at))
    return sides[0][0] - sides[1][0], sides[0][1] - sides[1][1]


def _answered_all(cluster: IndexArray, is_candidate: FloatArray) -> bool:
    n = cluster.max() + 1
    return bool(np.bincount(cluster, is_candidate, n).all() and np.bincount(cluster, 1 - is_candidate, n).all())
