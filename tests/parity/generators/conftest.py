"""What a generator draws, seed after seed, and whether our functions take it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from repetitions import repetitions

from evalstats.parity.fuzz import find_generator, generated
from evalstats.parity.numeric_difference import answer
from evalstats.parity.reference_cases import Case, read_stem, stem_names


@cache
def _drawn(name: str, n: int) -> list[dict[str, Any]]:
    generator = generated(name.partition("/")[0]).get(name) or find_generator(name)
    return [generator(Random(seed)) for seed in range(n)]


@pytest.fixture(scope="session")
def drawn() -> Callable[[str, str], list[dict[str, Any]]]:
    """Return 300 inputs of ``subpackage/function``."""

    def drawn(subpackage: str, function: str) -> list[dict[str, Any]]:
        return _drawn(next(name for name in generated(subpackage) if name.endswith(f"/{function}")), 300)

    return drawn


@pytest.fixture(scope="session")
def values(drawn) -> Callable[[str, str, str], set[Any]]:
    """Return the values that an argument takes; None where it is left out."""

    def values(subpackage: str, function: str, argument: str) -> set[Any]:
        return {one.get(argument) for one in drawn(subpackage, function)}

    return values


@pytest.fixture(scope="session")
def refusals() -> Callable[[str], list[str]]:
    """Return what our functions raise on some inputs of every generator of a subpackage, and for which arguments."""

    def refusals(subpackage: str) -> list[str]:
        stems = [read_stem(name) for name in stem_names() if name.startswith(f"{subpackage}/")]
        cases = [
            Case.generated(stem.name, reference, arguments, number)
            for stem in stems
            for function, reference in stem.references.items()
            for number, arguments in enumerate(_drawn(f"{stem.name}/{function}", repetitions(20)))
        ]
        return [f"{case.identity}{dict(case.arguments)}: {why}" for case in cases for why in _refusals(case)]

    return refusals


def _refusals(case: Case) -> list[str]:
    try:
        left_over = answer(case).left_over()
    except Exception as error:  # whatever it raises is told
        return [f"{type(error).__name__}: {error}"]
    return [f"nothing takes {name}" for name in left_over]
