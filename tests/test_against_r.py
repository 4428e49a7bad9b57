"""Every case of every stem against R: frozen answers, live answers, and inputs that nobody wrote."""

from __future__ import annotations

import importlib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from evalstats.parity.answers import read_answers
from evalstats.parity.cases import DEFAULT_TOLERANCE, Case, Reference, Stem, read_stem, stem_names
from evalstats.parity.difference import answer, compare
from evalstats.parity.fuzz import GENERATORS, NO_ANSWER, why_unanswered
from evalstats.parity.live import R, RFailedError

ROOT = Path(__file__).parents[1]
STEMS = {name: read_stem(name) for name in stem_names()}
CASES = {case.identity: case for stem in STEMS.values() for case in stem.cases}
FUNCTIONS = {f"{stem.name}/{function}": (stem, function) for stem in STEMS.values() for function in stem.references}

each_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
each_stem = pytest.mark.parametrize("stem", STEMS.values(), ids=STEMS.keys())


def mismatches(case: Case, theirs: Mapping[str, Any], source: str) -> list[dict[str, Any]]:
    return [mismatch.to_dict() for mismatch in compare(case, answer(case), theirs, source)[1]]


def need_packages(r: R, reference: Reference) -> None:
    """Skip, and say so, where R lacks a package; fail if EVALSTATS_REQUIRE_R=1."""
    if missing := [package for package in reference.packages if r.package_version(package) is None]:
        stop = pytest.fail if os.environ.get("EVALSTATS_REQUIRE_R") == "1" else pytest.skip
        stop(f"NOT CHECKED AGAINST LIVE R: package {', '.join(missing)} is missing")


@each_case
def test_we_agree_with_the_frozen_answer(case: Case) -> None:
    kept = read_answers(case.stem).answer(case)

    assert kept is not None
    assert mismatches(case, kept.fields, "frozen") == []


@pytest.mark.live
@each_case
def test_we_agree_with_live_r(case: Case, r: R) -> None:
    need_packages(r, case.reference)
    theirs = r.ask(STEMS[case.stem], case.function, case.arguments)

    assert mismatches(case, theirs.fields, "live") == []


@pytest.mark.live
@pytest.mark.parametrize("name", GENERATORS)
def test_we_agree_with_live_r_on_generated_inputs(name: str, r: R) -> None:
    """Ties, zeros, tiny samples and extreme scales; an error of R needs a documented reason."""
    stem, function = FUNCTIONS[name]
    need_packages(r, stem.references[function])

    @settings(max_examples=100, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False))
    def check(random: Random) -> None:
        case = Case.generated(stem.name, stem.references[function], GENERATORS[name](random), 0)
        note(f"arguments: {dict(case.arguments)}")
        try:
            theirs = r.ask(stem, function, case.arguments)
        except RFailedError as error:
            if why_unanswered(name, error):
                return
            raise
        assert mismatches(case, theirs.fields, "generated") == []

    check()


@each_stem
def test_frozen_answers_are_fresh(stem: Stem) -> None:
    """Arguments and adapter are those that were answered; needs no R."""
    frozen = read_answers(stem.name)

    assert frozen is not None
    assert frozen.stale(stem) is None


@each_case
def test_r_answers_every_case(case: Case) -> None:
    """A case to which R has no answer shows nothing."""
    assert read_answers(case.stem).answer(case).fields


def test_every_function_with_answers_has_a_generator() -> None:
    assert set(GENERATORS) == set(FUNCTIONS)
    assert set(NO_ANSWER) <= set(GENERATORS)


@each_stem
def test_every_function_has_enough_cases(stem: Stem) -> None:
    few = [name for name in stem.references if sum(case.function == name for case in stem.cases) < 3]

    assert few == []


@each_stem
def test_every_wider_tolerance_has_a_reason(stem: Stem) -> None:
    said = [
        *((c.identity, c.tolerance) for c in stem.cases),
        *((r.function, r.tolerance) for r in stem.references.values()),
    ]

    silent = [
        name
        for name, tolerance in said
        if not tolerance.reason
        and (tolerance.absolute or max(tolerance.relative or 0, *tolerance.fields.values(), 0) > DEFAULT_TOLERANCE)
    ]

    assert silent == []


def test_what_r_cannot_answer_has_an_oracle() -> None:
    """Each entry of without_r.toml gives a reason and names the tests that stand in for R."""
    entries = tomllib.loads((ROOT / "r_reference" / "without_r.toml").read_text(encoding="utf-8"))
    asked = {function for stem in STEMS.values() for function in stem.references}

    for function, entry in entries.items():
        file, _, test = entry["oracle"].partition("::")
        assert function not in asked
        assert entry["reason"]
        assert f"def {test or 'test_'}" in (ROOT / file).read_text(encoding="utf-8")


def test_every_adapter_function_is_the_namesake_of_ours() -> None:
    """The reference tables name functions that exist, with arguments that R's adapter knows by the same names."""
    for stem in STEMS.values():
        module = importlib.import_module(f"evalstats.{stem.name.replace('/', '.')}")

        assert all(callable(getattr(module, name, None)) for name in stem.references)
