"""Variance components of scores."""

from __future__ import annotations

__all__ = ["VarianceComponentsResult", "variance_components"]

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._result import EstimateResult, reasons
from evalstats._types import FloatArray, IndexArray
from evalstats.metrics.cluster_variance import numbered
from evalstats.reproducibility.reml import moments_are_dependent, restricted_fit

NO_VARIANCE = "all scores are the same: there is no variance to decompose"
NEGATIVE = (
    "{of} components are estimated below 0: their true values are small, or scores with the same level are less "
    "similar than scores with different levels"
)
AT_ZERO = "{of} components are estimated as 0, the smallest possible variance, for which no standard error is defined"
ALIKE = "scores of the same {term} do not differ: the variances within a {term} are 0"
NO_REST = "the terms explain the scores completely, so the likelihood has no maximum"
NOT_FOUND = (
    "the maximum of the likelihood was not found: the scores contain too little information to separate the variances"
)
METHODS = ("auto", "anova", "reml")
ROUNDING = 1e-14  # rounding error of an effect, relative to the largest score
LEAST_REST = 1e-9  # smallest variance of single scores, relative to the largest variance
MOST_FACTORS = 6
Term = frozenset[int]


@dataclass(frozen=True, kw_only=True, eq=False)
class VarianceComponentsResult(EstimateResult):
    """Result of `variance_components`, whose arrays have an entry for each term.

    Attributes
    ----------
    estimate : ndarray of shape (n_terms,)
        Variance of each term, in squared units of the scores. With ``'anova'``, the estimates are unbiased and may be
        negative.
    standard_error : ndarray of shape (n_terms,)
        Standard errors of the variances, if the effects are normally distributed, or nan for a variance that ``'reml'``
        estimates as 0.
    reason : str or None
        A sentence if the input is degenerate or some estimates are not above 0, otherwise None.
    method : str
        ``'anova'``: expected mean squares. ``'reml'``: restricted maximum likelihood.
    terms : tuple of str
        Names of the terms: ``'question'``, ``'question:model'`` and so on. The last term includes the residual
        variation of single scores.
    proportion : ndarray of shape (n_terms,)
        Each variance as a proportion of the sum of the variances, with negative variances counted as 0. The proportions
        are nan if the sum is 0.
    sum_of_squares, mean_square, df : ndarray of shape (n_terms,)
        The columns of the analysis of variance table. They are nan if the method is ``'reml'``.
    log_likelihood : float
        The restricted log-likelihood for normally distributed effects. It is nan if the method is ``'anova'``.
    sizes : dict of str to float
        Number of levels of each factor. If a nested factor has different numbers of levels, the number is their
        harmonic mean.
    """

    method: str
    terms: tuple[str, ...]
    proportion: FloatArray
    sum_of_squares: FloatArray
    mean_square: FloatArray
    df: FloatArray
    log_likelihood: float
    sizes: dict[str, float]

    def standard_error_of_mean(self, sizes: Mapping[str, int] | None = None, *, fixed: Iterable[str] = ()) -> float:
        """Compute the standard error of a mean score for different numbers of levels.

        Parameters
        ----------
        sizes : dict of str to int, optional
            The numbers of levels of some factors, such as ``{"question": 500, "sample": 1}``. The other factors keep
            their numbers of levels.
        fixed : iterable of str, optional
            Factors with fixed levels. The mean is over one level of each fixed factor. For example, with ``['model']``,
            it is the mean score of one model, and the effect of the model is not part of the error.

        Returns
        -------
        float
            Standard error in the unit of the scores, for a design without missing combinations. Negative variances
            count as 0.

        Examples
        --------
        >>> import numpy as np
        >>> from evalstats.reproducibility import variance_components
        >>> scores = np.random.default_rng(1).normal(size=(50, 1)) + np.random.default_rng(2).normal(size=(50, 4))
        >>> result = variance_components(scores, factors=["question", "sample"], nested={"sample": ["question"]})
        >>> for n in (1, 4, 16):
        ...     print(f"{result.standard_error_of_mean({'sample': n}):.3f}")
        0.195
        0.153
        0.140
        """
        kept = names_in(fixed, "fixed", tuple(self.sizes))
        levels: dict[str, float] = dict(self.sizes)
        for name, n in dict(sizes or {}).items():
            if name not in levels:
                raise InvalidValueError(f"sizes must name factors ({', '.join(levels)}), not {short(name)}")
            levels[name] = _checks.count(n, f"the size of {name}")
        levels |= dict.fromkeys(kept, 1)
        variance = 0.0
        for term, component in zip(self.terms, self.estimate, strict=True):
            factors = term.split(":")
            if not set(factors) <= set(kept):
                variance += max(float(component), 0.0) / math.prod(levels[name] for name in factors)
        return math.sqrt(variance)


def variance_components(
    scores: ArrayLike,
    *,
    factors: Iterable[str] | Mapping[str, ArrayLike],
    nested: Mapping[str, Iterable[str]] | None = None,
    method: str = "auto",
) -> VarianceComponentsResult:
    """Estimate the variance components of scores, such as the variances of datasets and repeats.

    All factors are assumed to be random: their levels are a sample from a population.

    Parameters
    ----------
    scores : array_like with one axis for each factor, or of shape (n,)
        One axis for each factor, of length 2 or more, as in the shape (n_questions, n_models, n_samples). If
        combinations are missing or the numbers of samples differ, pass a list of the n scores.
    factors : iterable of str, or dict of str to array_like of shape (n,)
        The names of the axes. For a list of scores: the level of each score for each factor, such as the columns of a
        data frame.
    nested : dict of str to iterable of str, optional
        For each nested factor, the factors in which it is nested. Examples are ``{"sample": ["question", "model"]}``
        for sampled answers of one model to one question, and ``{"fold": ["repeat"]}`` for the folds of one repeat. By
        default, all factors are crossed, as are classifiers and the folds that they share.
    method : {'auto', 'anova', 'reml'}, default: 'auto'
        ``'anova'``: the variances are computed from the mean squares. These estimates are unbiased for any distribution
        and may be negative. Every combination needs a score. ``'reml'``: restricted maximum likelihood for normally
        distributed effects. These estimates are never negative, and equal the ``'anova'`` estimates in complete designs
        without negative estimates. ``'auto'``: ``'anova'`` if every combination has a score, and ``'reml'`` if a score
        is missing.

    Returns
    -------
    VarianceComponentsResult
        The variances with standard errors and proportions, the table of the analysis of variance, and
        `standard_error_of_mean`.

    Raises
    ------
    ValueError
        If a score is nan or infinite, a factor has fewer than 2 levels, or the names do not match the axes. If two
        factors are nested in each other, two scores belong to the same combination, or combinations are missing for
        ``'anova'``. If the design cannot separate the terms.
    TypeError
        If a name is not a string.

    See Also
    --------
    corrected_ttest : the comparison of two classifiers over folds, whose training sets overlap.

    Notes
    -----
    If each combination of levels has a single score, the interaction of all factors and the residual cannot be
    separated. The last term is then their sum. The scores of the folds of a cross-validation are correlated,
    because the folds share training data. The variance component of the folds is not the variance over independent
    training sets (Bengio & Grandvalet 2004).

    References
    ----------
    Searle, S. R., Casella, G. & McCulloch, C. E. (1992). Variance components. Wiley, chapters 4 and 6.

    Brennan, R. L. (2001). Generalizability theory. Springer, chapters 3 and 4.

    Examples
    --------
    >>> from evalstats.reproducibility import variance_components
    >>> repeated_folds = [[0.81, 0.84, 0.79], [0.90, 0.85, 0.88], [0.80, 0.79, 0.84], [0.83, 0.86, 0.85]]
    >>> result = variance_components(repeated_folds, factors=["repeat", "fold"], nested={"fold": ["repeat"]})
    >>> for term, proportion in zip(result.terms, result.proportion):
    ...     print(f"{term} {proportion:.2f}")
    repeat 0.59
    repeat:fold 0.41

    In the following list, the first question has three sampled answers, and the others have two:

    >>> question, sample = [1, 1, 1, 2, 2, 3, 3], [1, 2, 3, 1, 2, 1, 2]
    >>> result = variance_components(
    ...     [0.9, 0.8, 0.8, 0.4, 0.5, 0.7, 0.4], factors={"question": question, "sample": sample},
    ...     nested={"sample": ["question"]},
    ... )
    >>> print(result.method, result.proportion.round(2))
    reml [0.71 0.29]
    """
    method = _checks.choice(method, "method", METHODS)
    design = understand_levels(scores, factors, nested)
    if method == "auto":
        method = "reml" if design.complete is None else "anova"
    if method == "anova" and design.complete is None:
        raise InvalidValueError(
            "method='anova' needs a balanced design with a score for each combination of levels, but some are "
            "missing; use method='reml'"
        )

    unit = float(np.abs(design.scores).max()) or 1.0  # so that no square vanishes
    if method == "anova" and design.complete is not None:
        found = _of_mean_squares(design, design.complete / unit)
    else:
        found = _of_likelihood(design, design.scores / unit)
    positive = np.maximum(found.estimate, 0)
    total = positive.sum()
    return VarianceComponentsResult(
        estimate=found.estimate * unit**2,
        standard_error=found.standard_error * unit**2,
        reason=found.reason,
        method=method,
        terms=tuple(map(design.name_of, design.terms)),
        proportion=positive / total if total > 0 else np.full(len(design.terms), np.nan),
        sum_of_squares=found.squares * unit**2,
        mean_square=found.squares / found.df * unit**2,
        df=found.df,
        log_likelihood=found.log_likelihood - (design.scores.size - 1) * math.log(unit),
        sizes=design.sizes,
    )


class _Components(NamedTuple):
    estimate: FloatArray
    standard_error: FloatArray
    reason: str | None
    squares: FloatArray
    df: FloatArray
    log_likelihood: float


def _of_mean_squares(design: Design, array: FloatArray) -> _Components:
    """Solve the expected mean squares: Searle et al. (1992), sections 4.4 and 4.5."""
    terms = design.terms
    squares, df = _sums_of_squares(array, terms, design.parents)
    mean_square = squares / df
    inverse = np.linalg.inv(_expected_mean_squares(terms, array.shape))
    estimate = inverse @ mean_square
    # an unbiased estimate of the variance of each estimate
    error = np.sqrt(inverse**2 @ (2 * mean_square**2 / (df + 2)))
    n_negative = int((estimate < 0).sum())
    reason = NEGATIVE.format(of=f"{n_negative} of {len(terms)}") if n_negative else None
    reason = reason if (estimate > 0).any() else NO_VARIANCE
    return _Components(estimate, error, reason, squares, df, math.nan)


def _of_likelihood(design: Design, scores: FloatArray) -> _Components:
    """Estimate the variance components by restricted maximum likelihood."""
    levels = [design.level_of(term) for term in design.terms]
    _refuse_what_cannot_be_told_apart(design, levels)
    nothing = np.full(len(levels), np.nan)
    if np.ptp(scores) <= ROUNDING * np.abs(scores).max():
        zeros = np.zeros(len(levels))
        return _Components(zeros, nothing, NO_VARIANCE, nothing, nothing, math.nan)
    last = _where_scores_are_alike(scores, levels)
    rows = np.unique(levels[last], return_index=True)[1]
    kept = [k for k, term in enumerate(design.terms) if term < design.terms[last]]
    fit = restricted_fit(scores[rows], [levels[k][rows] for k in kept])
    estimate, error = np.zeros(len(levels)), nothing.copy()
    estimate[[*kept, last]], error[[*kept, last]] = fit.variances, fit.standard_errors
    if not fit.has_converged:
        reason = NO_REST if fit.variances[-1] <= LEAST_REST * fit.variances.max() else NOT_FOUND
        return _Components(nothing, nothing, reason, nothing, nothing, math.nan)
    n_zero, is_alike = int((estimate == 0).sum()), last < len(levels) - 1
    reason = reasons(
        (),
        (is_alike, ALIKE.format(term=design.name_of(design.terms[last]))),
        (n_zero > 0, AT_ZERO.format(of=f"{n_zero} of {len(levels)}")),
    )
    return _Components(estimate, error, reason, nothing, nothing, fit.log_likelihood)


def _where_scores_are_alike(scores: FloatArray, levels: list[IndexArray]) -> int:
    """Return the index of the term with the fewest levels among the terms in whose levels all scores are equal."""
    width = ROUNDING * np.abs(scores).max()
    found, fewest = len(levels) - 1, scores.size
    for k, level in enumerate(levels[:-1]):
        n = int(level.max()) + 1
        largest, smallest = np.full(n, -np.inf), np.full(n, np.inf)
        np.maximum.at(largest, level, scores)
        np.minimum.at(smallest, level, scores)
        if n < fewest and (largest - smallest <= width).all():
            found, fewest = k, n
    return found


def _refuse_what_cannot_be_told_apart(design: Design, levels: list[IndexArray]) -> None:
    n = design.scores.size
    for k, one in enumerate(levels[:-1]):
        if int(one.max()) + 1 == n:
            raise InvalidValueError(
                f"the design must separate {design.name_of(design.terms[k])} and single scores, but none of its "
                f"levels has two scores"
            )
    if moments_are_dependent(levels[:-1], n):
        raise InvalidValueError(
            f"the design must separate its terms ({', '.join(map(design.name_of, design.terms))}), but the levels of "
            "one follow from the levels of others; pass nested= if factors are nested"
        )


def _sums_of_squares(array: FloatArray, terms: list[Term], parents: list[Term]) -> tuple[FloatArray, FloatArray]:
    """Return the sum of squares and the degrees of freedom of each term; pool terms that nesting does not separate."""
    places = {term: i for i, term in enumerate(terms)}
    squares, df = np.zeros(len(terms)), np.zeros(len(terms))
    axes = range(array.ndim)
    for n in range(1, array.ndim + 1):
        for chosen in itertools.combinations(axes, n):
            effect = array
            for axis in axes:
                mean = effect.mean(axis=axis, keepdims=True)
                effect = effect - mean if axis in chosen else mean
            place = places[frozenset(chosen).union(*(parents[axis] for axis in chosen))]
            squares[place] += np.sum(effect**2) * math.prod(array.shape[axis] for axis in axes if axis not in chosen)
            df[place] += math.prod(array.shape[axis] - 1 for axis in chosen)
    return np.where(squares <= array.size * ROUNDING**2, 0.0, squares), df


def _expected_mean_squares(terms: list[Term], shape: tuple[int, ...]) -> FloatArray:
    """Return the coefficient of each variance in each expected mean square: Searle et al. (1992), section 4.2."""
    often = [math.prod(n for axis, n in enumerate(shape) if axis not in term) for term in terms]
    return np.array(
        [[n if one <= term else 0 for term, n in zip(terms, often, strict=True)] for one in terms], dtype=float
    )


class Design(NamedTuple):
    """Scores in long layout, the level of each score within the levels of the nesting factors, and the terms."""

    scores: FloatArray
    names: tuple[str, ...]
    levels: list[IndexArray]
    parents: list[Term]  # nesting factors of each factor
    terms: list[Term]
    sizes: dict[str, float]
    complete: FloatArray | None  # the scores with an axis for each factor, if each combination has a score

    def level_of(self, term: Term) -> IndexArray:
        """Return the index of the level of a term for each score."""
        return _combined([self.levels[axis] for axis in sorted(term)])

    def name_of(self, term: Term) -> str:
        """Return the factors of a term, in order."""
        return ":".join(self.names[axis] for axis in sorted(term))


def understand_levels(scores: Any, factors: Any, nested: Any) -> Design:
    """Return the design of scores with an axis for each factor, or with the level for each factor."""
    array = _checks.moderate(_checks.finite(_checks.numbers(scores, "scores"), "scores"), "scores")
    array = np.ascontiguousarray(array)  # the order in memory determines the order of summation
    if isinstance(factors, Mapping) or hasattr(factors, "columns"):
        return _listed(array, {name: factors[name] for name in getattr(factors, "columns", factors)}, nested, scores)
    names = _factor_names(factors)
    if len(names) != array.ndim:
        raise InvalidValueError(
            f"factors must name the axes of scores, of shape {array.shape}, but there are {len(names)} names"
        )
    parents = _parents(nested, names)
    sizes: dict[str, float] = dict(zip(names, array.shape, strict=True))
    _refuse_single_levels(sizes)
    levels = [level.ravel() for level in np.indices(array.shape)]
    return Design(array.ravel(), names, levels, parents, _terms(parents), sizes, array)


def _listed(array: FloatArray, columns: Mapping[str, Any], nested: Any, scores: Any) -> Design:
    """Return the design of scores in long layout, with the levels of each score."""
    names = _factor_names(list(columns))
    if array.ndim != 1 or not array.size:
        raise InvalidValueError(
            f"scores must be one list if factors contains the level of each score, but their shape is {array.shape}"
        )
    parents = _parents(nested, names)
    given = [numbered(columns[n], f"factors[{n!r}]", "level", array.size, scores=scores) for n in names]
    _refuse_combinations_that_repeat(names, given)
    levels: list[IndexArray] = []
    sizes: dict[str, float] = {}
    for (codes, _), name, above in zip(given, names, parents, strict=True):
        own, counts = _within(codes, _combined([given[axis][0] for axis in sorted(above)]) if above else None)
        levels.append(own)
        sizes[name] = int(counts[0]) if (counts == counts[0]).all() else float(1 / np.mean(1 / counts))
    _refuse_single_levels(sizes)
    return Design(array, names, levels, parents, _terms(parents), sizes, _complete(array, levels, sizes))


def _combined(levels: list[IndexArray]) -> IndexArray:
    """Return the index of each combination of levels, from 0."""
    combined = np.zeros_like(levels[0])
    for level in levels:
        combined = np.unique(combined * (int(level.max()) + 1) + level, return_inverse=True)[1].astype(np.intp)
    return combined


def _within(codes: IndexArray, above: IndexArray | None) -> tuple[IndexArray, IndexArray]:
    """Assign numbers from 0 to the levels of a factor within each level of its nesting factors; count the levels."""
    if above is None:
        return codes, np.array([int(codes.max()) + 1])
    both = _combined([above, codes])
    first = np.unique(both, return_index=True)[1]
    counts = np.bincount(above[first])
    starts = np.cumsum(counts) - counts
    return both - starts[above], counts


def _complete(array: FloatArray, levels: list[IndexArray], sizes: Mapping[str, float]) -> FloatArray | None:
    """Return the scores as an array with an axis for each factor, or None if combinations are missing."""
    shape = tuple(sizes.values())
    if any(n != int(n) for n in shape) or np.prod(shape) != array.size:
        return None
    filled = np.empty(tuple(map(int, shape)))
    filled[tuple(levels)] = array
    return filled


def _refuse_combinations_that_repeat(names: tuple[str, ...], given: list[tuple[IndexArray, list[Any]]]) -> None:
    of_score = _combined([codes for codes, _ in given])
    counts = np.bincount(of_score)
    if counts.max() > 1:
        at = int(np.argmax(counts[of_score] > 1))
        place = ", ".join(
            f"{name} {short(known[codes[at]])}" for name, (codes, known) in zip(names, given, strict=True)
        )
        raise InvalidValueError(
            f"each combination of levels must have one score, but {place} has {counts[of_score[at]]}; add a factor "
            "that numbers these scores, such as 'sample'"
        )


def _refuse_single_levels(sizes: Mapping[str, float]) -> None:
    for name, n in sizes.items():
        if n < 2 and n == int(n):
            raise InvalidValueError(f"each factor must have 2 levels or more, but {short(name)} has {int(n)}")


def names_in(value: Any, name: str, known: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """Return names of factors, or raise an error for an unknown name."""
    listed = tuple(_checks.text(one, f"a name in {name}") for one in _checks.listed(value, name, "names"))
    if known is not None and (unknown := [one for one in listed if one not in known]):
        raise InvalidValueError(f"{name} must name factors ({', '.join(known)}), not {short(unknown[0])}")
    return listed


def _factor_names(factors: Any) -> tuple[str, ...]:
    names = names_in(factors, "factors")
    if not 1 <= len(names) <= MOST_FACTORS:
        raise InvalidValueError(f"there must be 1 to {MOST_FACTORS} factors, not {len(names)}")
    if len(set(names)) < len(names) or not all(name and ":" not in name for name in names):
        raise InvalidValueError(f"factors must have different names without ':', not {short(names)}")
    return names


def _parents(nested: Any, names: tuple[str, ...]) -> list[Term]:
    """Return, for each axis, the axes in which the axis is nested and the axes that are nested in it."""
    if nested is None:
        nested = {}
    if not isinstance(nested, Mapping):
        raise InvalidTypeError(f"nested must be a dict of factors, not {short(nested)}")
    direct = {child: names_in(above, "nested", names) for child, above in nested.items()}
    names_in(direct, "nested", names)
    parents = [frozenset(names.index(one) for one in direct.get(name, ())) for name in names]
    for _ in names:
        parents = [above.union(*(parents[axis] for axis in above)) for above in parents]
    for axis, above in enumerate(parents):
        if axis in above:
            raise InvalidValueError(f"nested must not nest a factor in itself, as it does for {short(names[axis])}")
    return parents


def _terms(parents: list[Term]) -> list[Term]:
    """Return the sets of factors that include the nesting factors of each factor, smaller sets first."""
    axes = range(len(parents))
    sets = (frozenset(s) for n in range(1, len(parents) + 1) for s in itertools.combinations(axes, n))
    return [s for s in sets if all(parents[axis] <= s for axis in s)]
