"""Generators of random inputs for the comparison with R, and the reduction of an input that shows a mismatch.

A generator draws the arguments of one call from a `random.Random`. ``validate(fuzz=...)`` passes a seeded source. The
test suite passes a source that Hypothesis controls. Hypothesis then finds the smallest input that fails. A declared
test describes its inputs. For other functions, such as ``effects/dominance/cliffs_delta``, the generator is the
function of the same name in `evalstats.parity.generators`.
"""

from __future__ import annotations

__all__ = ["MOST_TRIALS", "WRITTEN", "Generator", "find_generator", "generated", "shrunk"]

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

import numpy as np

from evalstats._declarations import Declaration, Draw, all_declarations
from evalstats.parity import random_inputs
from evalstats.parity.generators import measurements, several_classifiers, two_classifiers
from evalstats.parity.random_inputs import Arguments

Generator = Callable[[Random], Arguments]
WRITTEN = {**two_classifiers.GENERATORS, **several_classifiers.GENERATORS, **measurements.GENERATORS}
# maximum number of calls of R for one mismatch
MOST_TRIALS = 300


def find_generator(name: str) -> Generator | None:
    """Return the generator of a function, ``subpackage/module/function``, or None if there is none."""
    subpackage, _, function = name.split("/")
    found = generated(subpackage)
    return found.get(name) or found.get(f"{subpackage}/{function}")


def generated(subpackage: str) -> dict[str, Generator]:
    """Return the generators of a subpackage, or an empty result if it has none.

    They are named ``subpackage/module/function`` for declared tests, and ``subpackage/function`` for other functions.
    """
    forms: dict[str, list[Declaration]] = {}
    for one in all_declarations():
        if one.package == subpackage and one.inputs:
            stem = one.stem or one.function.__module__.rpartition(".")[2]
            forms.setdefault(f"{subpackage}/{stem}/{one.function.__name__}", []).append(one)
    found: dict[str, Generator] = {name: partial(_drawn, of) for name, of in forms.items()}
    return found | {f"{subpackage}/{one.__name__}": one for one in WRITTEN.get(subpackage, ())}


def _drawn(forms: list[Declaration], random: Random) -> Arguments:
    """Generate inputs of a declared test in one of its forms."""
    arguments: Arguments = {}
    for name, how in random.choice(forms).inputs.items():
        if isinstance(how, Draw):
            drawn = getattr(random_inputs, how.kind)(random, **how.parameters)
            arguments |= drawn if isinstance(drawn, dict) else {name: drawn}
        else:
            arguments[name] = how[0] if len(how) == 1 else random.choice(how)
    return arguments


# --- reduction of an input --------------------------------------------------------------------------------------------


def shrunk(arguments: Mapping[str, Any], fails: Callable[[Arguments], bool], most: int = MOST_TRIALS) -> Arguments:
    """Return smaller arguments that also fail: fewer rows, columns and options, and simpler numbers.

    Failing arguments are reduced until no smaller arguments fail, or `most` candidates were tried.
    """
    smallest, trials = dict(arguments), 0
    found = True
    while found:
        found = False
        for candidate in _smaller(smallest):
            if trials == most:
                return smallest
            trials += 1
            if fails(candidate):
                smallest, found = candidate, True
                break
    return smallest


def _smaller(arguments: Arguments) -> Iterator[Arguments]:
    """Yield arguments that are smaller in one respect, in order of decreasing reduction."""
    yield from _fewer_rows(arguments)
    yield from _fewer_columns(arguments)
    for name, value in arguments.items():
        if not isinstance(value, list):
            yield {other: kept for other, kept in arguments.items() if other != name}
    yield from _simpler_numbers(arguments)


def _fewer_rows(arguments: Arguments) -> Iterator[Arguments]:
    """Yield arguments without some rows; lists with the same number of rows lose the same rows."""
    lists = {name: value for name, value in arguments.items() if isinstance(value, list)}
    for n in sorted({len(value) for value in lists.values()}, reverse=True):
        alike = {name: value for name, value in lists.items() if len(value) == n}
        size = n // 2
        while size:
            for start in range(0, n, size):
                yield arguments | {name: value[:start] + value[start + size :] for name, value in alike.items()}
            size //= 2


def _fewer_columns(arguments: Arguments) -> Iterator[Arguments]:
    """Yield tables without one column. The column of the control is kept, and its position is updated."""
    control = arguments.get("control")
    for name, value in arguments.items():
        if not value or not isinstance(value, list) or not isinstance(value[0], list) or len(value[0]) == 1:
            continue
        for j in range(len(value[0])):
            if j == control:
                continue
            smaller = arguments | {name: [row[:j] + row[j + 1 :] for row in value]}
            yield smaller | {"control": control - 1} if isinstance(control, int) and j < control else smaller


def _simpler_numbers(arguments: Arguments) -> Iterator[Arguments]:
    """Yield arguments whose numbers are replaced by small integers in the same order, or have fewer digits."""
    numeric = {name: np.array(value) for name, value in arguments.items() if isinstance(value, list)}
    numeric = {name: value for name, value in numeric.items() if value.dtype.kind == "f" and value.size}
    if not numeric:
        return
    every = np.concatenate([value.ravel() for value in numeric.values()])
    ranks = np.unique(every, return_inverse=True)[1]
    ends = np.cumsum([value.size for value in numeric.values()])
    pieces = np.split(ranks, ends[:-1])
    of_ranks = {
        name: piece.reshape(value.shape).astype(float).tolist()
        for (name, value), piece in zip(numeric.items(), pieces, strict=True)
    }
    rounded = (
        {name: np.round(value, digits).tolist() for name, value in numeric.items()} for digits in (0, 1, 2, 3, 6, 9)
    )
    for simpler in itertools.chain([of_ranks], rounded):
        if any(simpler[name] != value.tolist() for name, value in numeric.items()) and _is_simpler(simpler, numeric):
            yield arguments | simpler


def _is_simpler(simpler: Mapping[str, Any], numeric: Mapping[str, Any]) -> bool:
    """Return whether the numbers have a shorter decimal form, so the reduction terminates."""
    return len(repr(list(simpler.values()))) < len(repr([value.tolist() for value in numeric.values()]))
