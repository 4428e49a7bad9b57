"""Where does the variance of scores come from, and what would more runs, questions or samples buy?"""

from __future__ import annotations

__all__ = ["VarianceComponentsResult", "variance_components"]

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats._result import EstimateResult
from evalstats._types import FloatArray, IntArray

NO_VARIANCE = "all scores are the same: there is no variance to divide"
NEGATIVE = (
    "{of} components are estimated below 0: their true values are small, or scores of one group are less alike than "
    "others"
)
MOST_FACTORS = 6
ROUNDING = 1e-14  # of an effect, relative to the largest score

Term = frozenset[int]


@dataclass(frozen=True, kw_only=True, eq=False)
class VarianceComponentsResult(EstimateResult):
    """What `variance_components` returns: an entry for each term.

    Attributes
    ----------
    estimate : ndarray of shape (n_terms,)
        The variance of each term, in squared units of the scores. Unbiased, and so below 0 at times.
    standard_error : ndarray of shape (n_terms,)
        Of the variances, if the effects are normally distributed.
    reason : str or None
        None, or a sentence when the input was degenerate or some estimates are below 0.
    terms : tuple of str
        Names of the terms: ``'question'``, ``'question:model'`` and so on. The last is that of single scores.
    share : ndarray of shape (n_terms,)
        Each variance as a share of their sum, those below 0 as 0; nan without variance.
    sum_of_squares, mean_square : ndarray of shape (n_terms,)
        The table of the analysis of variance.
    df : ndarray of int, of shape (n_terms,)
        Degrees of freedom.
    sizes : dict of str to int
        Number of levels of each factor.
    """

    terms: tuple[str, ...]
    share: FloatArray
    sum_of_squares: FloatArray
    mean_square: FloatArray
    df: IntArray
    sizes: dict[str, int]

    def standard_error_of_mean(self, sizes: Mapping[str, int] | None = None, *, fixed: Iterable[str] = ()) -> float:
        """Return how far a mean score would be from its true value, with other numbers of levels.

        Parameters
        ----------
        sizes : dict of str to int, optional
            The number of levels of factors, such as ``{"question": 500, "sample": 1}``; the others keep theirs.
        fixed : iterable of str, optional
            Factors whose levels are the ones that one cares about, with one level in the mean: with ``['model']`` it is
            the mean of one model, whose own effect is no error.

        Returns
        -------
        float
            In the unit of the scores. Variances below 0 count as 0.

        Examples
        --------
        >>> import numpy as np
        >>> from evalstats import variance_components
        >>> scores = np.random.default_rng(1).normal(size=(50, 1)) + np.random.default_rng(2).normal(size=(50, 4))
        >>> result = variance_components(scores, factors=["question", "sample"], nested={"sample": ["question"]})
        >>> for n in (1, 4, 16):
        ...     print(f"{result.standard_error_of_mean({'sample': n}):.3f}")
        0.195
        0.153
        0.140
        """
        kept = _names(fixed, "fixed", tuple(self.sizes))
        levels = dict(self.sizes)
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
    scores: ArrayLike, *, factors: Iterable[str], nested: Mapping[str, Iterable[str]] | None = None
) -> VarianceComponentsResult:
    """Tell how much of the variance of scores is due to datasets, classifiers, repeats, folds, questions or samples.

    All factors are taken to be random: their levels are a sample of those one cares about. The design must be balanced,
    with a score for each combination.

    Parameters
    ----------
    scores : array_like with one axis for each factor
        One axis for each factor, at least 2 long: of shape (n_questions, n_models, n_samples), for example.
    factors : iterable of str
        The names of the axes.
    nested : dict of str to iterable of str, optional
        Of each factor whose levels are not the same everywhere, the factors within which they count: the samples of one
        answer, ``{"sample": ["question", "model"]}``; the folds of one repetition, ``{"fold": ["repeat"]}``. Without it
        all factors are crossed, as the classifiers are that are tried on the same folds.

    Returns
    -------
    VarianceComponentsResult
        The variances with standard errors and shares, the table of the analysis of variance, and
        `standard_error_of_mean`.

    Raises
    ------
    ValueError
        If a score is nan or infinite, an axis is shorter than 2, the names do not fit the axes, or factors are nested
        in each other.
    TypeError
        If a name is not text.

    See Also
    --------
    corrected_ttest : compares two classifiers over folds, whose training sets overlap.

    Notes
    -----
    Where single scores are not repeated, the last term is their interaction and what is left, which cannot be told
    apart. Folds of a cross-validation share training data, which makes them alike or unlike: their component describes
    these folds, and is no variance over independent training sets (Bengio & Grandvalet, 2004).

    References
    ----------
    Searle, S. R., Casella, G. & McCulloch, C. E. (1992). Variance components. Wiley, chapter 4.

    Brennan, R. L. (2001). Generalizability theory. Springer, chapters 3 and 4.

    Examples
    --------
    >>> from evalstats import variance_components
    >>> repeated_folds = [[0.81, 0.84, 0.79], [0.90, 0.85, 0.88], [0.80, 0.79, 0.84], [0.83, 0.86, 0.85]]
    >>> result = variance_components(repeated_folds, factors=["repeat", "fold"], nested={"fold": ["repeat"]})
    >>> for term, share in zip(result.terms, result.share):
    ...     print(f"{term} {share:.2f}")
    repeat 0.59
    repeat:fold 0.41
    """
    array = _checks.moderate(_checks.finite(_checks.numbers(scores, "scores"), "scores"), "scores")
    names = _factor_names(factors, array.shape)
    parents = _parents(nested, names)

    terms = _terms(parents)
    unit = float(np.abs(array).max()) or 1.0  # so that no square vanishes
    squares, df = _sums_of_squares(array / unit, terms, parents)
    mean_square = squares / df
    inverse = np.linalg.inv(_expected_mean_squares(terms, array.shape))
    estimate = inverse @ mean_square
    # an unbiased estimate of the variance of each: Searle et al. (1992), section 4.5
    error = np.sqrt(inverse**2 @ (2 * mean_square**2 / (df + 2)))

    positive = np.maximum(estimate, 0)
    total, n_negative = positive.sum(), int((estimate < 0).sum())
    has_variance = bool(total > 0)
    reason = NO_VARIANCE if not has_variance else None
    if has_variance and n_negative:
        reason = NEGATIVE.format(of=f"{n_negative} of {len(terms)}")
    return VarianceComponentsResult(
        estimate=estimate * unit**2,
        standard_error=error * unit**2,
        reason=reason,
        terms=tuple(":".join(names[axis] for axis in sorted(term)) for term in terms),
        share=positive / total if has_variance else np.full(len(terms), np.nan),
        sum_of_squares=squares * unit**2,
        mean_square=mean_square * unit**2,
        df=df,
        sizes=dict(zip(names, array.shape, strict=True)),
    )


def _names(value: Any, name: str, known: tuple[str, ...] | None = None) -> tuple[str, ...]:
    listed = tuple(_checks.text(one, f"a name in {name}") for one in _checks.listed(value, name, "names"))
    if known is not None and (unknown := [one for one in listed if one not in known]):
        raise InvalidValueError(f"{name} must name factors ({', '.join(known)}), not {short(unknown[0])}")
    return listed


def _factor_names(factors: Any, shape: tuple[int, ...]) -> tuple[str, ...]:
    names = _names(factors, "factors")
    if len(names) != len(shape):
        raise InvalidValueError(f"factors must name the axes of scores, of shape {shape}, but there are {len(names)}")
    if not 1 <= len(names) <= MOST_FACTORS:
        raise InvalidValueError(f"there must be 1 to {MOST_FACTORS} factors, not {len(names)}")
    if len(set(names)) < len(names) or not all(name and ":" not in name for name in names):
        raise InvalidValueError(f"factors must have different names without ':', not {short(names)}")
    for name, n in zip(names, shape, strict=True):
        if n < 2:
            raise InvalidValueError(f"each factor must have 2 levels or more, but {short(name)} has {n}")
    return names


def _parents(nested: Any, names: tuple[str, ...]) -> list[Term]:
    """Return for each axis those within which its levels count, and those within which theirs do."""
    if nested is None:
        nested = {}
    if not isinstance(nested, Mapping):
        raise InvalidTypeError(f"nested must be a dict of factors, not {short(nested)}")
    direct = {child: _names(above, "nested", names) for child, above in nested.items()}
    _names(direct, "nested", names)
    parents = [frozenset(names.index(one) for one in direct.get(name, ())) for name in names]
    for _ in names:
        parents = [above.union(*(parents[axis] for axis in above)) for above in parents]
    for axis, above in enumerate(parents):
        if axis in above:
            raise InvalidValueError(f"nested must not nest a factor in itself, as it does {short(names[axis])}")
    return parents


def _terms(parents: list[Term]) -> list[Term]:
    """Return the sets of factors that hold with each factor those it is nested in, the smaller ones first."""
    axes = range(len(parents))
    sets = (frozenset(s) for n in range(1, len(parents) + 1) for s in itertools.combinations(axes, n))
    return [s for s in sets if all(parents[axis] <= s for axis in s)]


def _sums_of_squares(array: FloatArray, terms: list[Term], parents: list[Term]) -> tuple[FloatArray, IntArray]:
    """Return sum of squares and degrees of freedom of each term, pooled over what nesting does not tell apart."""
    places = {term: i for i, term in enumerate(terms)}
    squares, df = np.zeros(len(terms)), np.zeros(len(terms), dtype=np.int64)
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
    """Return how often each variance is in each expected mean square: Searle et al. (1992), section 4.2."""
    often = [math.prod(n for axis, n in enumerate(shape) if axis not in term) for term in terms]
    return np.array(
        [[n if one <= term else 0 for term, n in zip(terms, often, strict=True)] for one in terms], dtype=float
    )
