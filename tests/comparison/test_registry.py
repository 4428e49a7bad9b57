"""What is declared of each test is what its function takes: the one is held to the other."""

from __future__ import annotations

import itertools
from importlib import import_module
from inspect import signature
from typing import Any

import numpy as np
import pytest

from evalstats import InvalidValueError
from evalstats.comparison.registry import (
    ANALYSES,
    OMNIBUS_TESTS,
    PARAMETRIC,
    POSTHOC_TESTS,
    TESTS_OF_DIFFERENCES,
    TESTS_OF_TWO,
    OmnibusTest,
    PairTest,
)

SCORES = np.random.default_rng(0).random((6, 4))
LEADING = [*TESTS_OF_TWO.values(), *OMNIBUS_TESTS.values()]


def function_of(test: Any) -> Any:
    return getattr(import_module(f"evalstats.{test.package}"), test.function)


def parameters(test: Any) -> set[str]:
    return set(signature(function_of(test)).parameters)


def test_leading_tests_take_what_they_declare() -> None:
    asked = {"method", "n_resamples", "rng"}
    declared = {test.function: set(test.taken({"method": "auto", "n_resamples": 9, "rng": 0})) for test in LEADING}

    assert declared == {test.function: parameters(test) & asked for test in LEADING}


def test_omnibus_tests_that_are_directed_take_the_direction() -> None:
    declared = {test.function: test.is_directed for test in OMNIBUS_TESTS.values()}

    assert declared == {test.function: "greater_is_better" in parameters(test) for test in OMNIBUS_TESTS.values()}


def test_posthoc_tests_take_what_they_declare() -> None:
    asked = {"control", "adjust", "greater_is_better", "n_resamples", "rng"}
    declared: dict[str, set[str]] = {}  # a method of a function may take less than another
    for test in POSTHOC_TESTS.values():
        names = ("control", "adjust", "greater_is_better")
        takes = (test.control, test.adjusts, not test.compares_scores)
        of_function = declared.setdefault(test.function, set())
        of_function |= {*test.taken({"n_resamples": 9, "rng": 0}), *itertools.compress(names, takes)}

    assert declared == {test.function: parameters(test) & asked for test in POSTHOC_TESTS.values()}


@pytest.mark.parametrize("test", [test for test in LEADING if test.methods], ids=lambda test: test.function)
def test_methods_are_those_that_the_function_knows(test: OmnibusTest | PairTest) -> None:
    """The function accepts each that is declared, and its refusal of another one lists the same words."""
    data = (SCORES[:, 0], SCORES[:, 1]) if isinstance(test, PairTest) else (SCORES,)
    for method in test.methods:
        function_of(test)(*data, method=method)

    with pytest.raises(InvalidValueError) as refused:
        function_of(test)(*data, method="astrology")

    listed = str(refused.value).removeprefix("method must be ").removesuffix(", not 'astrology'").split(" or ")
    assert {word.strip("'") for word in listed} == set(test.methods)


def test_tests_of_differences_that_simulate_say_so() -> None:
    simulating = {name for name, test in TESTS_OF_DIFFERENCES.items() if test.simulates}

    assert simulating == {"metric_permutation_test", "clustered_permutation_test", "pairwise_max_t_test", "range"}


def test_tests_of_differences_are_replaced_by_one_of_their_design() -> None:
    for test in TESTS_OF_DIFFERENCES.values():
        assert not test.instead or TESTS_OF_DIFFERENCES[test.instead].design == test.design


def test_every_analysis_of_one_dataset_has_its_name() -> None:
    assert {one for test in TESTS_OF_DIFFERENCES.values() for one in test.analyses} == set(ANALYSES)


def test_tests_that_assume_normal_differences_are_declared_once() -> None:
    assert set(PARAMETRIC) == {"rm-anova", "tukey", "dunnett", "paired-t"}
    assert {OMNIBUS_TESTS[test.omnibus].assumes_normality for test in POSTHOC_TESTS.values() if test.assumes_normality}
