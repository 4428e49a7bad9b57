"""Every null distribution keeps the accuracy that docs/numerical-accuracy.md states, down to 1e-300."""

from __future__ import annotations

import importlib
import pkgutil
import runpy
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from evalstats import distributions

ROOT = Path(__file__).parents[1]
PICTURES = runpy.run_path(str(ROOT / "docs" / "figures" / "numerical_accuracy.py"))
CONTENT = PICTURES["read"]()
NAMES = list(CONTENT["distributions"])
# sums, orders and random draws of scores: no probability is computed
WITHOUT_PROBABILITIES: set[str] = set()
# made of others that are looked at (binomial, signed_rank, t), or compared with counts or integrals by its own tests
MADE_OF_OTHERS = {
    "discordant_groups", "multivariate_t", "shuffled_ratings", "sign_flips", "small_sample_limits",
    "subgroup_permutations",
}  # fmt: skip

DIGITS, DIGITS_OF_A_SEARCH = Decimal("1e-48"), Decimal("1e-25")
SEARCHED = {"t-quantile", "erfc-inverse", "studentized-range-quantile", "noncentrality-limit"}
FAR = ("normal", "chi2", "f", "t", "binomial", "studentized-range", "largest-of-m", "rank-sums-agreement")


@pytest.fixture(scope="module")
def health(monkeypatch_of_module: pytest.MonkeyPatch) -> dict:
    monkeypatch_of_module.syspath_prepend(str(ROOT / "scripts"))
    return runpy.run_path(str(ROOT / "scripts" / "numerical_accuracy.py"))


@pytest.fixture(scope="module")
def monkeypatch_of_module() -> pytest.MonkeyPatch:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_every_value_is_as_accurate_as_stated(name: str, health: dict) -> None:
    distribution = health["DISTRIBUTIONS"][name]
    cases = CONTENT["distributions"][name]["cases"]

    errors = [health["error"](distribution.ours(**c["arguments"]), c["value"], distribution.kind) for c in cases]

    worst = max(range(len(cases)), key=errors.__getitem__)
    assert errors[worst] <= distribution.stated, cases[worst]


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_references_come_out_again(name: str, health: dict) -> None:
    """Three of each: 30 digits of a quantile, which is searched, and 48 of a probability."""
    high_precision_values = importlib.import_module("high_precision_values")
    cases = CONTENT["distributions"][name]["cases"]
    oracle = getattr(high_precision_values, health["DISTRIBUTIONS"][name].reference)

    for case in Random(1).sample(cases[:20], min(3, len(cases))):
        again = Decimal(high_precision_values.text(oracle(**case["arguments"])))
        assert abs(again / Decimal(case["value"]) - 1) < (DIGITS_OF_A_SEARCH if name in SEARCHED else DIGITS), case


def test_mpmath_says_the_same() -> None:
    """Its own functions, where it has them: another algorithm, other people."""
    mpmath = importlib.import_module("mpmath")
    health_of = CONTENT["distributions"]

    def hold(name: str, function: Callable[..., Any]) -> None:
        for case in Random(2).sample(health_of[name]["cases"], 25):
            with mpmath.workdps(60):
                again = Decimal(mpmath.nstr(function(**case["arguments"]), 52))
            assert abs(again / Decimal(case["value"]) - 1) < DIGITS, (name, case)

    def chi2(x: float, df: int) -> Any:
        return mpmath.gammainc(mpmath.mpf(df) / 2, mpmath.mpf(x) / 2, regularized=True)

    hold("normal", lambda z: mpmath.ncdf(-mpmath.mpf(z)))
    hold("chi2", chi2)


def test_far_tails_are_looked_at() -> None:
    """Each relative law that goes so far has references below 1e-250."""
    short = [name for name in FAR if min(Decimal(c["value"]) for c in CONTENT["distributions"][name]["cases"]) > 1e-250]

    assert short == []


def test_no_distribution_is_forgotten(health: dict) -> None:
    modules = {module.name for module in pkgutil.iter_modules(distributions.__path__)}
    looked_at = {distribution.function.split(".")[0] for distribution in health["DISTRIBUTIONS"].values()}

    assert set(health["DISTRIBUTIONS"]) == set(NAMES)
    assert modules - looked_at == WITHOUT_PROBABILITIES | MADE_OF_OTHERS


def test_file_says_what_it_holds(health: dict) -> None:
    for name, at in CONTENT["distributions"].items():
        distribution = health["DISTRIBUTIONS"][name]

        assert (at["stated"], at["kind"]) == (distribution.stated, distribution.kind)
        assert at["errors"] == health["summary"](at["cases"])
        assert all(case["error"] <= at["stated"] for case in at["cases"])


def test_page_is_that_of_the_file() -> None:
    text = PICTURES["PAGE"].read_text(encoding="utf-8")

    assert PICTURES["page"](text, CONTENT) == text


@pytest.mark.long
def test_pictures_are_those_of_the_file(tmp_path: Path) -> None:
    PICTURES["draw"](CONTENT, tmp_path)

    drawn = {path.name: texts(path) for path in tmp_path.iterdir()}
    assert drawn == {path.name: texts(path) for path in PICTURES["HERE"].glob("numerical-accuracy-*.svg")}
    assert len(drawn) > 15


def texts(picture: Path) -> tuple[list[str | None], int]:
    """Return the texts of a picture, and how many marks it has."""
    elements = list(ET.parse(picture).getroot().iter())
    return [e.text for e in elements if e.tag.endswith("}text")], sum(e.tag.endswith("}use") for e in elements)
