"""Of which level of each factor is each score, and which sets of factors have effects of their own?"""

from __future__ import annotations

__all__ = ["Design", "Term", "names_in", "understand_levels"]

import itertools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats._types import FloatArray, IndexArray
from evalstats.metrics.instance_clusters import numbered

MOST_FACTORS = 6

Term = frozenset[int]


class Design(NamedTuple):
    """Scores one by one, the level of each within those that its factor is nested in, and the terms."""

    scores: FloatArray
    names: tuple[str, ...]
    levels: list[IndexArray]
    parents: list[Term]  # of each factor: those it is nested in
    terms: list[Term]
    sizes: dict[str, float]
    complete: FloatArray | None  # the scores with an axis for each factor, if each combination has one

    def level_of(self, term: Term) -> IndexArray:
        """Return the number of the level of a term for each score."""
        return _combined([self.levels[axis] for axis in sorted(term)])

    def name_of(self, term: Term) -> str:
        """Return its factors, in their order."""
        return ":".join(self.names[axis] for axis in sorted(term))


def understand_levels(scores: Any, factors: Any, nested: Any) -> Design:
    """Return the design of scores that have an axis for each factor, or the level for each factor beside them."""
    array = _checks.moderate(_checks.finite(_checks.numbers(scores, "scores"), "scores"), "scores")
    array = np.ascontiguousarray(array)  # sums follow the order in memory
    if isinstance(factors, Mapping) or hasattr(factors, "columns"):
        return _listed(array, {name: factors[name] for name in getattr(factors, "columns", factors)}, nested, scores)
    names = _factor_names(factors)
    if len(names) != array.ndim:
        raise InvalidValueError(
            f"factors must name the axes of scores, of shape {array.shape}, but there are {len(names)}"
        )
    parents = _parents(nested, names)
    sizes: dict[str, float] = dict(zip(names, array.shape, strict=True))
    _refuse_single_levels(sizes)
    levels = [level.ravel() for level in np.indices(array.shape)]
    return Design(array.ravel(), names, levels, parents, _terms(parents), sizes, array)


def _listed(array: FloatArray, columns: Mapping[str, Any], nested: Any, scores: Any) -> Design:
    """Return the design of scores one by one."""
    names = _factor_names(list(columns))
    if array.ndim != 1 or not array.size:
        raise InvalidValueError(
            f"scores must be one list where factors tell the level of each, but their shape is {array.shape}"
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
    """Return the number of each combination of levels, from 0."""
    combined = np.zeros_like(levels[0])
    for level in levels:
        combined = np.unique(combined * (int(level.max()) + 1) + level, return_inverse=True)[1].astype(np.intp)
    return combined


def _within(codes: IndexArray, above: IndexArray | None) -> tuple[IndexArray, IndexArray]:
    """Return numbers of levels that begin at 0 within each level above, and how many there are in each."""
    if above is None:
        return codes, np.array([int(codes.max()) + 1])
    both = _combined([above, codes])
    first = np.unique(both, return_index=True)[1]
    counts = np.bincount(above[first])
    starts = np.cumsum(counts) - counts
    return both - starts[above], counts


def _complete(array: FloatArray, levels: list[IndexArray], sizes: Mapping[str, float]) -> FloatArray | None:
    """Return the scores with an axis for each factor, or None where combinations are missing."""
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
            f"each combination of levels must have one score, but {place} has {counts[of_score[at]]}; a factor that "
            f"numbers them, such as 'sample', tells them apart"
        )


def _refuse_single_levels(sizes: Mapping[str, float]) -> None:
    for name, n in sizes.items():
        if n < 2 and n == int(n):
            raise InvalidValueError(f"each factor must have 2 levels or more, but {short(name)} has {int(n)}")


def names_in(value: Any, name: str, known: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """Return names of factors, which must be some of those that are known."""
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
    """Return for each axis those within which its levels count, and those within which theirs do."""
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
            raise InvalidValueError(f"nested must not nest a factor in itself, as it does {short(names[axis])}")
    return parents


def _terms(parents: list[Term]) -> list[Term]:
    """Return the sets of factors that hold with each factor those it is nested in, the smaller ones first."""
    axes = range(len(parents))
    sets = (frozenset(s) for n in range(1, len(parents) + 1) for s in itertools.combinations(axes, n))
    return [s for s in sets if all(parents[axis] <= s for axis in s)]
