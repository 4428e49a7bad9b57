"""Every case of every stem against R: frozen answers, live answers, and inputs that nobody wrote."""

from __future__ import annotations

import importlib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats.parity.fuzz import find_generator
from evalstats.parity.live_r import R, RFailedError
from evalstats.parity.numeric_difference import answer, compare
from evalstats.parity.reference_cases import DEFAULT_TOLERANCE, Case, Reference, read_stem, stem_names
from evalstats.parity.reference_values import read_answers
from evalstats.parity.unsupported_inputs import NO_ANSWER, why_unanswered

ROOT = Path(__file__).parents[1]
STEMS = {name: read_stem(name) for name in stem_names()}
CASES = {case.identity: case for stem in STEMS.values() for case in stem.cases}
FUNCTIONS = {f"{stem.name}/{function}": (stem, function) for stem in STEMS.values() for function in stem.references}

each_function = pytest.mark.parametrize("name", FUNCTIONS)


def mismatches(case: Case, theirs: Callable[[], Mapping[str, Any]], source: str) -> list[dict[str, Any]]:
    """Return where we differ from an answer of R; an error, of R or of ours, is a difference too."""
    try:
        return [mismatch.to_dict() for mismatch in compare(case, answer(case), theirs(), source)[1]]
    except Exception as error:  # the other cases of the function are still asked
        return [{"case": case.identity, "source": source, "error": repr(error), "arguments": dict(case.arguments)}]


def cases_of(name: str) -> list[Case]:
    stem, function = FUNCTIONS[name]
    return [case for case in stem.cases if case.function == function]


def asked_live(name: str) -> list[Case]:
    """Return the cases of a function for the R that is here: all in a long run, and a part of them in a short one."""
    cases = cases_of(name)
    return cases[:: max(1, len(cases) // repetitions(len(cases)))]


def need_packages(r: R, reference: Reference) -> None:
    """Skip, and say so, where R lacks a package; fail if EVALSTATS_REQUIRE_R=1."""
    if missing := [package for package in reference.packages if r.package_version(package) is None]:
        stop = pytest.fail if os.environ.get("EVALSTATS_REQUIRE_R") == "1" else pytest.skip
        stop(f"NOT CHECKED AGAINST LIVE R: package {', '.join(missing)} is missing")


@each_function
def test_we_agree_with_the_frozen_answers(name: str) -> None:
    frozen = read_answers(FUNCTIONS[name][0].name)

    found = [
        one for case in cases_of(name) for one in mismatches(case, lambda c=case: frozen.answer(c).fields, "frozen")
    ]

    assert found == []


@pytest.mark.sampled
@pytest.mark.live
@each_function
def test_we_agree_with_live_r(name: str, r: R) -> None:
    stem, function = FUNCTIONS[name]
    need_packages(r, stem.references[function])

    found = [
        one
        for case in asked_live(name)
        for one in mismatches(case, lambda c=case: r.ask(stem, function, c.arguments).fields, "live")
    ]

    assert found == []


@pytest.mark.long
@pytest.mark.live
@each_function
def test_we_agree_with_live_r_on_generated_inputs(name: str, r: R) -> None:
    """Ties, zeros, tiny samples and extreme scales; an error of R needs a documented reason."""
    stem, function = FUNCTIONS[name]
    generator = find_generator(name)
    assert generator is not None, f"{name} has no generator of inputs"
    need_packages(r, stem.references[function])

    @settings(suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False))
    def check(random: Random) -> None:
        case = Case.generated(stem.name, stem.references[function], generator(random), 0)
        note(f"arguments: {dict(case.arguments)}")
        try:
            theirs = r.ask(stem, function, case.arguments)
        except RFailedError as error:
            if why_unanswered(name, error):
                return
            raise
        assert [mismatch.to_dict() for mismatch in compare(case, answer(case), theirs.fields, "generated")[1]] == []

    check()


def test_frozen_answers_are_fresh() -> None:
    """Arguments and adapter are those that were answered; needs no R."""
    frozen = {name: read_answers(name) for name in STEMS}

    stale = {
        name: "no frozen answers" if frozen[name] is None else frozen[name].stale(stem) for name, stem in STEMS.items()
    }

    assert {name: why for name, why in stale.items() if why is not None} == {}


def test_r_answers_every_case() -> None:
    """A case to which R has no answer shows nothing."""
    frozen = {name: read_answers(name) for name in STEMS}

    assert [name for name, case in CASES.items() if not frozen[case.stem].answer(case).fields] == []


def test_every_function_with_answers_has_a_generator() -> None:
    assert [name for name in FUNCTIONS if find_generator(name) is None] == []
    assert set(NO_ANSWER) <= set(FUNCTIONS)


def test_every_function_has_enough_cases() -> None:
    assert [name for name in FUNCTIONS if len(cases_of(name)) < 3] == []


def test_every_wider_tolerance_has_a_reason() -> None:
    said = [
        *((case.identity, case.tolerance) for case in CASES.values()),
        *((name, stem.references[function].tolerance) for name, (stem, function) in FUNCTIONS.items()),
    ]

    silent = [
        name
        for name, tolerance in said
        if not tolerance.reason
        and (tolerance.absolute or max(tolerance.relative or 0, *tolerance.fields.values(), 0) > DEFAULT_TOLERANCE)
    ]

    assert silent == []


def test_what_r_cannot_answer_has_an_oracle() -> None:
    """Each entry of functions_without_r.toml gives a reason and names the tests that stand in for R."""
    entries = tomllib.loads((ROOT / "r_reference" / "functions_without_r.toml").read_text(encoding="utf-8"))
    asked = {function for stem in STEMS.values() for function in stem.references}

    for function, entry in entries.items():
        file, _, test = entry["oracle"].partition("::")
        assert function not in asked
        assert entry["reason"]
        assert f"def {test or 'test_'}" in (ROOT / file).read_text(encoding="utf-8")


def test_every_formula_of_ours_has_a_second_source() -> None:
    """The test that a reference names exists."""
    named = [
        one.second_source for stem in STEMS.values() for one in stem.references.values() if one.source == "formula"
    ]

    assert named
    for second in named:
        file, test = re.fullmatch(r".+: (tests/[\w/]+\.py)::(\w+)", second).groups()
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")


def test_every_adapter_function_is_the_namesake_of_ours() -> None:
    """The reference tables name functions that exist, with arguments that R's adapter knows by the same names."""
    for stem in STEMS.values():
        module = importlib.import_module(f"evalstats.{stem.name.replace('/', '.')}")
        subpackage = importlib.import_module(
            f"evalstats.{stem.name.partition('/')[0]}"
        )  # a function may have several forms

        assert all(callable(getattr(module, name, None) or getattr(subpackage, name, None)) for name in stem.references)
