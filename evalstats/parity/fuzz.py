"""Which inputs that nobody thought of are put to R?

A generator draws the arguments of one call from a `random.Random`. ``validate(fuzz=...)`` gives it a seeded one; the
test suite gives it one that Hypothesis controls, which then finds the smallest input that fails. The generator of
``paired/sign/sign_test`` is ``sign_test`` of `evalstats.parity.generators.paired`.
"""

from __future__ import annotations

__all__ = ["Generator", "find_generator", "generated"]

import importlib
import pkgutil
from collections.abc import Callable
from random import Random

from evalstats.parity import generators
from evalstats.parity.random_inputs import Arguments

Generator = Callable[[Random], Arguments]


def find_generator(name: str) -> Generator | None:
    """Return the generator of a function, ``room/stem/function``, or None where there is none."""
    room, _, function = name.split("/")
    return generated(room).get(function)


def generated(room: str) -> dict[str, Generator]:
    """Return the generators of a room by the names of their functions; none where the room has no module of them."""
    if room not in {module.name for module in pkgutil.iter_modules(generators.__path__)}:
        return {}
    module = importlib.import_module(f"{generators.__name__}.{room}")
    return {function: getattr(module, function) for function in module.__all__}
