"""Generators of random inputs for the comparison with R.

A generator draws the arguments of one call from a `random.Random`. ``validate(fuzz=...)`` passes a seeded one; the test
suite passes one that Hypothesis controls, which then finds the smallest input that fails. A declared test describes its
inputs. For other functions, such as ``effects/dominance/cliffs_delta``, the generator is the function of the same name
in `evalstats.parity.generators.effects`.
"""

from __future__ import annotations

__all__ = ["Generator", "find_generator", "generated"]

import importlib
import pkgutil
from collections.abc import Callable
from functools import partial
from random import Random

from evalstats._declarations import Declaration, Draw, all_declarations
from evalstats.parity import generators, random_inputs
from evalstats.parity.random_inputs import Arguments

Generator = Callable[[Random], Arguments]


def find_generator(name: str) -> Generator | None:
    """Return the generator of a function, ``room/stem/function``, or None if there is none."""
    room, _, function = name.split("/")
    return generated(room).get(function)


def generated(room: str) -> dict[str, Generator]:
    """Return the generators of a subpackage by the names of their functions; empty if it has none."""
    found: dict[str, Generator] = {
        one.name: partial(_drawn, one) for one in all_declarations() if one.package == room and one.inputs
    }
    if room in {module.name for module in pkgutil.iter_modules(generators.__path__)}:
        module = importlib.import_module(f"{generators.__name__}.{room}")
        found |= {function: getattr(module, function) for function in module.__all__}
    return found


def _drawn(declaration: Declaration, random: Random) -> Arguments:
    """Yield generated inputs of a declared test."""
    arguments: Arguments = {}
    for name, how in declaration.inputs.items():
        if isinstance(how, Draw):
            drawn = getattr(random_inputs, how.kind)(random, **how.parameters)
            arguments |= drawn if isinstance(drawn, dict) else {name: drawn}
        else:
            arguments[name] = how[0] if len(how) == 1 else random.choice(how)
    return arguments
