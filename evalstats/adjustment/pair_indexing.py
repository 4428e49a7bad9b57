"""Indices of compared pairs of classifiers, and the result class of pairwise tests."""

from __future__ import annotations

__all__ = [
    "USUAL_ADJUSTMENT",
    "USUAL_TEST",
    "ComparedPairs",
    "Family",
    "PairwiseTestResult",
    "adjusted_family",
    "adjustment",
    "adjustments",
    "column_of",
    "compared_pairs",
    "control_column",
    "family_of",
    "joint_family",
    "reason_of_pairs",
    "smallest_adjusted",
    "tested",
]

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, not_among, short
from evalstats._labels import column_names, named
from evalstats._result import ClassifiersTestResult, unbatch
from evalstats._types import AnyArray, BoolArray, FloatArray, IndexArray
from evalstats.adjustment.pairwise import PAIRWISE_ONLY, adjust_pairwise
from evalstats.adjustment.pvalues import ADJUSTMENTS, adjust_pvalues

# default test of pairs over datasets, in every function
USUAL_TEST, USUAL_ADJUSTMENT = "wilcoxon", "holm"


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseTestResult(ClassifiersTestResult):
    """Result of a pairwise test. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k), or (..., k) with a control
        ``statistic[i, j]`` compares classifier i with j. With a control, ``statistic[i]`` compares i with the control
        and is nan for the control.
    pvalue : ndarray of the same shape
        p-values adjusted for all compared pairs. The matrix is symmetric, with 1 on the diagonal. The p-value is nan
        for the control and if the test does not apply to a pair.
    unadjusted_pvalue : ndarray of the same shape
        The p-value of each pair without adjustment.
    adjustment : str
        The adjustment of the p-values: a method of `adjust_pairwise` (with a control, of `adjust_pvalues`) or
        ``'none'``. ``'single-step'`` means that the p-values use the joint distribution of all statistics of the
        family.
    control : int, column name or None
        Name of the control, or its index from 0 if the scores have no names. None: all pairs are compared.
    n_classifiers : int
        Number k of classifiers.
    classifiers : tuple or None
        Names of the classifiers: the columns of the data frame, or None for an array.
    """

    unadjusted_pvalue: FloatArray
    adjustment: str
    control: Any
    n_classifiers: int

    def _axes(self) -> tuple[str, ...]:
        return ("first", "second") if self.control is None else ("first",)


def adjusted_family(unadjusted: FloatArray, adjustment: str, control: int | None) -> FloatArray:
    """Adjust the p-values of all pairs, (..., k, k), or of all comparisons with a control, (..., k).

    A p-value of nan stays nan, and its hypothesis counts in the family as not rejected.
    """
    if adjustment == "none":
        return unadjusted
    if control is None:
        return adjust_pairwise(unadjusted, adjustment, nan_policy="count")
    others = np.arange(unadjusted.shape[-1]) != control
    adjusted = np.full(unadjusted.shape, np.nan)
    adjusted[..., others] = adjust_pvalues(unadjusted[..., others], adjustment, nan_policy="count")
    return adjusted


NUMBERS_AT_ONCE = 2**18  # 2 MB


class ComparedPairs(NamedTuple):
    """The pairs that are compared, each once: classifier i against j."""

    i: IndexArray
    j: IndexArray
    k: int
    control: int | None

    def placed(self, of_i: AnyArray, of_j: AnyArray, diagonal: float) -> AnyArray:
        """Put the values of i against j and of j against i into (..., k, k); with a control, only of i into (..., k).

        The value of the control, which is not compared with itself, is nan, or 0 for integers.
        """
        batch = of_i.shape[:-1]
        if self.control is None:
            matrix = np.full((*batch, self.k, self.k), diagonal, dtype=of_i.dtype)
            matrix[..., self.i, self.j], matrix[..., self.j, self.i] = of_i, of_j
            return matrix
        row = np.full((*batch, self.k), np.nan if of_i.dtype.kind == "f" else 0, dtype=of_i.dtype)
        row[..., self.i] = of_i
        return row

    def opposed(self, of_i: FloatArray) -> FloatArray:
        """Put values whose sign depends on the order of a pair into the array, with 0 on the diagonal."""
        return self.placed(of_i, 0.0 - of_i, 0.0)

    def shared(self, of_pairs: AnyArray, diagonal: float = 0.0) -> AnyArray:
        """Put values that do not depend on the order of a pair into the array."""
        return self.placed(of_pairs, of_pairs, diagonal)

    def taken(self, placed: AnyArray) -> AnyArray:
        """Return the values of i against j from (..., k, k), or from (..., k) with a control."""
        return placed[..., self.i, self.j] if self.control is None else placed[..., self.i]

    def blocks(self, numbers: int, at_once: int = NUMBERS_AT_ONCE) -> Iterator[tuple[IndexArray, IndexArray]]:
        """Yield the indices i and j of the pairs, in blocks that fit into memory."""
        step = max(1, at_once // numbers)
        for start in range(0, len(self.i), step):
            yield self.i[start : start + step], self.j[start : start + step]


def compared_pairs(k: int, control: int | None) -> ComparedPairs:
    """Return all pairs of k classifiers, or the pairs of the control and each other classifier."""
    if control is None:
        return ComparedPairs(*np.triu_indices(k, 1), k, None)
    return ComparedPairs(np.delete(np.arange(k), control), np.full(k - 1, control), k, control)


Kind = TypeVar("Kind", bound=PairwiseTestResult)


class Family(NamedTuple):
    """The compared pairs, the alternative, and the adjustment of their p-values."""

    pairs: ComparedPairs
    adjust: str
    alternative: str
    classifiers: tuple[Any, ...] | None = None

    def result(
        self,
        kind: type[Kind],
        *,
        unadjusted: FloatArray,
        method: Any,
        adjusted: FloatArray | None = None,
        **fields: Any,
    ) -> Kind:
        """Return a result of this class with the fields of all pairwise tests and the given additional fields.

        `adjusted` has p-values from the joint distribution of the statistics, in the shape of the result.
        """
        control = self.pairs.control
        return kind(
            pvalue=adjusted_family(unadjusted, self.adjust, control) if adjusted is None else adjusted,
            alternative=self.alternative,
            method=np.full(unadjusted.shape[: -2 if control is None else -1], method),
            unadjusted_pvalue=unadjusted,
            adjustment=self.adjust,
            control=named(control, self.classifiers),
            classifiers=self.classifiers,
            n_classifiers=self.pairs.k,
            **fields,
        )


def family_of(
    scores: Any, k: int, control: Any, adjust: Any, alternative: Any = "two-sided", *, name: str = "scores"
) -> Family:
    """Check the control, the adjustment and the alternative. A one-sided alternative needs a control."""
    control = control_column(control, scores, k)
    adjust = adjustment(adjust, control)
    chosen = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    if control is None and chosen != "two-sided":
        raise InvalidValueError(f"alternative must be 'two-sided' without a control, not {short(chosen)}")
    return Family(compared_pairs(k, control), adjust, chosen, column_names(scores, name))


def joint_family(
    scores: Any, k: int, control: Any, *, alternative: Any = "two-sided", step_down: bool = False
) -> Family:
    """Check the arguments of a test that uses the joint distribution of its statistics."""
    family = family_of(scores, k, control, "none", alternative)
    return family._replace(adjust="step-down" if step_down else "single-step")


def control_column(control: Any, scores: Any, k: int) -> int | None:
    """Return the column of the control, given as an index or a name, or None if all pairs are compared."""
    return None if control is None else column_of(control, scores, k)


def column_of(control: Any, scores: Any, k: int) -> int:
    """Return the column of the control; if the columns have names, a name takes precedence over an index."""
    names = list(scores.columns) if hasattr(scores, "columns") else list(column_names(scores) or ())
    is_index = isinstance(control, int | np.integer) and not isinstance(control, bool)
    if not is_index and not (names and isinstance(control, Hashable)):
        other = " or the name of a column" if names else ""
        raise InvalidTypeError(f"control must be the index of a column{other}, not {short(control)}")
    if control in names:
        if names.count(control) > 1:
            raise InvalidValueError(f"control must name one column, but {short(control)} names {names.count(control)}")
        return names.index(control)
    if names and (not is_index or any(isinstance(name, int | np.integer) for name in names)):
        raise InvalidValueError(not_among("control", control, names))
    if not 0 <= control < k:
        raise InvalidValueError(f"control must be an index from 0 to {k - 1}, not {short(control)}")
    return int(control)


def adjustment(adjust: Any, control: int | None) -> str:
    """Return `adjust` if it is a valid adjustment for these pairs."""
    return _checks.choice(adjust, "adjust", adjustments(control))


def adjustments(control: int | None) -> tuple[str, ...]:
    """Return the adjustments for all pairs, or for all comparisons with a control."""
    return ("none", *ADJUSTMENTS, *(PAIRWISE_ONLY if control is None else ()))


def smallest_adjusted(smallest: float, family: Family) -> float:
    """Return the smallest possible adjusted p-value if no unadjusted p-value is below `smallest`.

    Because adjustments are monotone, the minimum is attained if all pairs have the smallest p-value. The first step of
    each adjustment for pairs is Holm's, because all hypotheses can be true together.
    """
    pairs, adjust = family.pairs, family.adjust
    if adjust == "none":
        return smallest
    if adjust in ("bonferroni", "holm", *PAIRWISE_ONLY):  # for millions of pairs, without an array of that size
        return min(1.0, len(pairs.i) * smallest)
    return float(adjust_pvalues(np.full(len(pairs.i), smallest), adjust).min())


def tested(
    pairs: ComparedPairs, by_classifier: FloatArray, test: Callable[..., Any], fields: Sequence[str], at_once: int
) -> list[AnyArray]:
    """Test each pair of the scores (..., k, n), and return the named fields of the results, of shape (..., n_pairs)."""
    found: list[list[AnyArray]] = [[] for _ in fields]
    for i, j in pairs.blocks(by_classifier[..., 0, :].size, at_once):
        result = test(by_classifier[..., i, :], by_classifier[..., j, :])
        for of_field, field in zip(found, fields, strict=True):  # the scores of many pairs need much memory
            of_field.append(getattr(result, field))
    return [np.concatenate(found.pop(0), axis=-1) for _ in fields]


def reason_of_pairs(sentences: Mapping[str, BoolArray]) -> Any:
    """Return, for each family, a sentence with the number of pairs for each cause, or None."""
    shape = next(iter(sentences.values())).shape
    reason = np.full(shape[:-1], None, dtype=object)
    for at in np.ndindex(reason.shape):
        said = [(sentence, int(holds[at].sum())) for sentence, holds in sentences.items()]
        reason[at] = "; ".join(s.format(of=f"{n} of {shape[-1]}") for s, n in said if n) or None
    return unbatch(reason)
