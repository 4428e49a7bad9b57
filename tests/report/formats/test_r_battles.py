"""R's answers on battles: strengths, robust and clustered errors, pairs, and win rates at equal length."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evalstats import compare, report
from evalstats.comparison import BattleComparison
from evalstats.report.formats import r_battles

STRENGTHS = {"orca": 1.0, 'ly"nx': 0.5, "newt": -1.0}


def battles(n: int = 240, n_models: int = 3, lengths: bool = False, clusters: int = 1, **choices: Any) -> Any:
    rng = np.random.default_rng(n_models)
    names = list(STRENGTHS)[:n_models]
    rows: dict[str, list[Any]] = {name: [] for name in ("model_a", "model_b", "winner")}
    for _ in range(n):
        a, b = rng.choice(names, 2, replace=False)
        wins = rng.random() < 1 / (1 + math.exp(STRENGTHS[b] - STRENGTHS[a] - 0.2))
        word = "tie" if rng.random() < 0.1 else "model_a" if wins else "model_b"
        for column, value in zip(rows.values(), (str(a), str(b), word), strict=True):
            column.append(value)
    ways = {"question_id": [i // 8 for i in range(n)], "judge": [i % 15 for i in range(n)]}
    chosen = list(ways)[:clusters]
    rows |= {name: ways[name] for name in chosen}
    if lengths:
        rows |= {name: rng.integers(10, 200, n).tolist() for name in ("length_a", "length_b")}
    return compare(rows, **({"cluster": chosen} if clusters == 2 else {}), **choices)


OF_PAIRS = "the p-values and intervals of the pairs, and the sets of ranks"
MADE: dict[str, tuple[Callable[[], BattleComparison], str, int, list[str]]] = {
    # the covariance, numbers that agree (with the position: 8; 6 strengths; 9 of pairs), and what R has not
    "clusters": (battles, "CR1", 8 + 6 + 9, [OF_PAIRS]),
    "clusters without a factor": (lambda: battles(small_sample="cr0"), "CR0", 8 + 6 + 9, [OF_PAIRS]),
    "bias-reduced": (lambda: battles(small_sample="cr2"), "CR2", 8 + 6 + 6, [OF_PAIRS]),
    "independent": (lambda: battles(clusters=0, control="newt"), "HC0", 8 + 6 + 6, [OF_PAIRS]),
    "two clusterings": (lambda: battles(clusters=2), "CR1", 8 + 6 + 9, [OF_PAIRS]),
    "position": (lambda: battles(covariates=["position"]), "CR1", 6 + 8 + 9, [OF_PAIRS]),
    "lengths": (
        lambda: battles(lengths=True, control="orca", covariates=["length", "position"], alpha=0.1),
        "CR1",
        6 + 10 + 6 + 2 * 4,
        [OF_PAIRS],
    ),
    "two models": (lambda: battles(n_models=2), "CR1", 6 + 4 + 3 + 3, []),
    "one cluster": (lambda: battles(8, cluster="question_id"), "CR1", 3 + 6, ["the standard errors"]),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_r_agrees(name: str, in_r: Callable[[object], str]) -> None:
    make, method, n_agree, left = MADE[name]
    comparison = make()
    lines = in_r(comparison).splitlines()
    others = [line for line in lines if not line.startswith("agrees ")]

    assert comparison.strengths.covariance_method == method
    assert [line.removeprefix("NOT CHECKED: ").partition(", because ")[0] for line in others] == left
    assert len(lines) - len(others) == n_agree


def test_r_agrees_on_weighted_fractions(in_r: Callable[[object], str]) -> None:
    """The verdicts of Arena-Hard have weights, the preferences of AlpacaEval are fractions."""
    rng = np.random.default_rng(4)
    rows = {"generator_1": ["b"] * 40, "generator_2": ["m"] * 40, "preference": rng.uniform(1, 2, 40).tolist()}

    lines = in_r(compare(rows)).splitlines()

    assert [line for line in lines if not line.startswith("agrees ")] == []
    assert len(lines) > 6


def test_infinite_strengths_are_named(in_r: Callable[[object], str]) -> None:
    rows = {"model_a": list("AABC"), "model_b": list("BCCB"), "winner": ["model_a"] * 4}

    assert in_r(compare(rows)).splitlines()[-1] == (
        "NOT CHECKED: the strengths, because 'A' never lost or tied against the other models, so these strengths are "
        "infinite"
    )


@pytest.mark.sampled
@pytest.mark.parametrize("name", MADE)
def test_r_finds_each_edited_number(name: str, edited_in_r: Callable[[object], list[str]]) -> None:
    assert edited_in_r(MADE[name][0]()) == []


def test_package_that_is_missing_is_named(in_r: Callable[[object], str]) -> None:
    script = report.r_script(battles(small_sample="cr2")).replace(
        'requireNamespace("clubSandwich"', 'requireNamespace("no"'
    )

    assert in_r(script).count("because the package clubSandwich is not installed; install.packages(") == 2


def test_too_many_battles_are_not_written(monkeypatch: pytest.MonkeyPatch, in_r: Callable[[object], str]) -> None:
    monkeypatch.setattr(r_battles, "MOST_CELLS", 700)

    assert in_r(battles()) == (
        "NOT CHECKED: the strengths, because R would need a matrix of 240 battles and 3 models\n"
    )
