"""Generators of random inputs for the comparison with R.

A generator draws the arguments of one call from a `random.Random`. ``validate(fuzz=...)`` passes a seeded one; the test
suite passes one that Hypothesis controls, which then finds the smallest input that fails. A declared test describes its
inputs. For other functions, such as ``effects/dominance/cliffs_delta``, the generator is the function of the same name
in `evalstats.parity.generators`.
"""

from __future__ import annotations

__all__ = ["WRITTEN", "Generator", "find_generator", "generated"]

from collections.abc import Callable
from functools import partial
from random import Random

from evalstats._declarations import Declaration, Draw, all_declarations
from evalstats.parity import random_inputs
from evalstats.parity.generators import measurements, several_classifiers, two_classifiers
from evalstats.parity.random_inputs import Arguments

Generator = Callable[[Random], Arguments]
WRITTEN = {**two_classifiers.GENERATORS, **several_classifiers.GENERATORS, **measurements.GENERATORS}


def find_generator(name: str) -> Generator | None:
    """Return the generator of a function, ``room/stem/function``, or None if there is none."""
    room, _, function = name.split("/")
    found = generated(room)
    return found.get(name) or found.get(f"{room}/{function}")


def generated(room: str) -> dict[str, Generator]:
    """Return the generators of a subpackage; empty if it has none.

    They are named ``room/stem/function`` for declared tests, and ``room/function`` for other functions.
    """
    forms: dict[str, list[Declaration]] = {}
    for one in all_declarations():
        if one.package == room and one.inputs:
            stem = one.stem or one.function.__module__.rpartition(".")[2]
            forms.setdefault(f"{room}/{stem}/{one.function.__name__}", []).append(one)
    found: dict[str, Generator] = {name: partial(_drawn, of) for name, of in forms.items()}
    return found | {f"{room}/{one.__name__}": one for one in WRITTEN.get(room, ())}


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
