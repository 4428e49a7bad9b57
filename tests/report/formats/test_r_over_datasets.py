"""R's answers to every choice of tests and adjustments: each number agrees, and what R has not is said."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from evalstats import ScoreTable, compare, report
from evalstats.adjustment.pair_indexing import adjustments
from evalstats.comparison.registry import OMNIBUS_TESTS, POSTHOC_TESTS
from evalstats.report.formats import r_comparison

NOT_IN_R = {"rom", "shaffer-dynamic", "bergmann-hommel"}
CONTROL = "C"


def tied(*, missing: bool = False) -> ScoreTable:
    """Nine datasets, lower is better, with ties within and between datasets."""
    rng = np.random.default_rng(3)
    scores = np.round(rng.random((9, 1)) + rng.normal(0, 0.04, (9, 5)) + np.linspace(0, 0.1, 5), 2)
    if missing:
        scores[::3, 1] = np.nan
    cells = [(f"d{i}", "ABCDE"[j]) for i, j in np.argwhere(np.isnan(scores)).tolist()]
    names = {"datasets": [f"d{i}" for i in range(9)], "classifiers": list("ABCDE"), "missing": cells}
    return ScoreTable(scores=scores, metric="loss", greater_is_better=False, **names)


def choices() -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for name, test in POSTHOC_TESTS.items():
        found += [{"posthoc": name}] * test.pairs + [{"posthoc": name, "control": CONTROL}] * test.control
    found += [{"omnibus": name} for name in OMNIBUS_TESTS if name != "skillings-mack"]
    found += [{"posthoc": "conover", "adjust": name} for name in adjustments(None)]
    return found + [{"posthoc": "sign", "control": CONTROL, "adjust": name} for name in adjustments(2)]


@pytest.mark.sampled
@pytest.mark.parametrize("choice", choices(), ids=lambda choice: " ".join(choice.values()))
def test_r_agrees_with_every_choice(choice: dict[str, str], in_r: Callable[[object], str]) -> None:
    comparison = compare(tied(), rng=1, **choice)
    lines = in_r(comparison).splitlines()
    agreed, not_checked = ([line for line in lines if line.startswith(word)] for word in ("agrees ", "NOT CHECKED: "))

    assert [line for line in lines if line not in agreed + not_checked] == []
    # each mean rank, each pair, and at least one number of the leading test
    assert len(agreed) >= 5 + comparison.n_pairs + 2
    assert len(not_checked) == (comparison.omnibus.method in {"exact", "monte-carlo"}) + (
        choice.get("adjust") in NOT_IN_R or comparison.posthoc_test in {"steel", "romano-wolf", "range"}
    )


def scripts_agree(scripts: list[str], in_r: Callable[[object], str]) -> None:
    """Run scripts one after the other in one R: each line is a number that agrees, or says why there is none."""
    lines = in_r("\n".join(scripts)).splitlines()

    assert [line for line in lines if not line.startswith(("agrees ", "NOT CHECKED: "))] == []
    assert sum(line.startswith("agrees ") for line in lines) > 5 * len(scripts)


@pytest.mark.sampled
@pytest.mark.parametrize("control", [None, CONTROL])
@pytest.mark.parametrize("posthoc", [name for name, test in POSTHOC_TESTS.items() if test.adjusts])
def test_r_agrees_with_every_adjustment_of_every_test(
    posthoc: str, control: str | None, in_r: Callable[[object], str]
) -> None:
    methods = adjustments(None if control is None else 2)

    scripts_agree([report.r_script(compare(tied(), posthoc=posthoc, control=control, adjust=a)) for a in methods], in_r)


@pytest.mark.long
@pytest.mark.parametrize("omnibus", [name for name in OMNIBUS_TESTS if name != "skillings-mack"])
def test_r_agrees_with_every_pairing_of_tests_and_each_null_distribution(
    omnibus: str, in_r: Callable[[object], str]
) -> None:
    table = tied().select(["A", "B", "C"])
    methods = OMNIBUS_TESTS[omnibus].methods or ("auto",)
    made = [compare(table, omnibus=omnibus, method=method, rng=1, n_resamples=99) for method in methods]
    for name, test in POSTHOC_TESTS.items():
        for control in [None] * test.pairs + ["C"] * test.control:
            made.append(compare(table, omnibus=omnibus, posthoc=name, control=control, rng=1))

    scripts_agree([report.r_script(one) for one in made], in_r)


@pytest.mark.long
def test_what_stands_beside_the_tests_changes_none(in_r: Callable[[object], str]) -> None:
    """The tests against a margin agree, a rope is told to be not checked, and everything else agrees as without."""
    for choice in ({}, {"control": CONTROL}):
        alone, beside = (in_r(compare(tied(), **choice, **more)) for more in ({}, {"margin": 0.03, "rope": 0.01}))

        assert beside.splitlines()[: len(alone.splitlines())] == alone.splitlines()
        added = beside.splitlines()[len(alone.splitlines()) :]
        assert [line.partition(",")[0] for line in added if not line.startswith("agrees ")] == [
            "NOT CHECKED: the intervals against the margin",
            "NOT CHECKED: the posterior probabilities",
        ]
        assert all("by the margin, " in line for line in added if line.startswith("agrees "))


@pytest.mark.sampled
@pytest.mark.parametrize("posthoc", [name for name, test in POSTHOC_TESTS.items() if test.pairs])
def test_r_agrees_where_classifiers_are_far_apart(posthoc: str, in_r: Callable[[object], str]) -> None:
    """Where p-values are far below what R's own functions resolve, that is no difference."""
    rng = np.random.default_rng(1)
    scores = np.array([0.0, 1.0, 3.0, 20.0, 60.0]) + rng.normal(0, 0.5, (12, 5))
    names = {"datasets": [f"d{i}" for i in range(12)], "classifiers": list("ABCDE")}

    assert "DIFFERS" not in in_r(compare(ScoreTable(scores=scores, **names), posthoc=posthoc, rng=1))


@pytest.mark.parametrize("posthoc", ["wilcoxon", "sign"])
@pytest.mark.parametrize("control", [None, CONTROL])
def test_r_agrees_where_scores_are_missing(posthoc: str, control: str | None, in_r: Callable[[object], str]) -> None:
    printed = in_r(compare(tied(missing=True), posthoc=posthoc, control=control))

    assert "DIFFERS" not in printed
    assert "Skillings-Mack statistic" in printed
    assert printed.count("agrees ") >= 5 + 2 + 4


def test_random_signs_are_not_checked(in_r: Callable[[object], str]) -> None:
    """Base R cannot draw the same numbers; fourteen datasets are the most of which all signs are tried."""
    scores = np.random.default_rng(2).random((16, 3))
    printed = in_r(compare(scores, posthoc="max-t"))
    of_means = in_r(compare(scores, posthoc="max-t-means"))

    why = "because base R cannot reproduce these random signs"
    for said in (printed, of_means):
        assert f"NOT CHECKED: the p-values of the max-T test of the pairs, {why}" in said
        assert "DIFFERS" not in said
    assert printed.count("z of signed ranks of classifier") == of_means.count("t of classifier") == 3


def test_all_permutations_within_queries_are_checked(in_r: Callable[[object], str]) -> None:
    """Exact p-values of the randomized Tukey HSD test agree with R; of drawn ones, R checks the mean differences."""
    exact = in_r(compare(np.random.default_rng(2).random((5, 3)).round(1), posthoc="range"))
    drawn = in_r(compare(np.random.default_rng(2).random((16, 3)), posthoc="range"))

    assert "DIFFERS" not in exact + drawn
    assert "randomized Tukey" not in exact
    assert drawn.count("mean difference of classifier") == 3
    assert "NOT CHECKED: the p-values of the randomized Tukey HSD test" in drawn


def test_a_bootstrap_is_not_checked(in_r: Callable[[object], str]) -> None:
    printed = in_r(compare(np.random.default_rng(2).random((16, 3)), posthoc="romano-wolf"))

    why = "because base R cannot reproduce these resamples"
    assert f"NOT CHECKED: the p-values of the bootstrap test of the pairs, {why}" in printed
    assert "DIFFERS" not in printed
    assert printed.count("t of classifier") == 3


def test_a_wrong_number_differs(in_r: Callable[[object], str]) -> None:
    """The script can fail: a score that is changed in it makes ranks and p-values differ."""
    comparison = compare(tied())
    script = report.r_script(comparison)
    first = ", ".join(map(repr, comparison.table.scores[0].tolist()))
    changed = script.replace(first, ", ".join(map(repr, sorted(comparison.table.scores[0].tolist(), reverse=True))), 1)

    assert changed != script
    assert "DIFFERS" in in_r(changed)


def test_every_test_of_pairs_has_its_code() -> None:
    assert set(r_comparison._PAIR_TESTS) == set(POSTHOC_TESTS) - {"romano-wolf"}
    assert set(r_comparison._OMNIBUS) == set(OMNIBUS_TESTS)


def odd_tables() -> dict[str, tuple[object, dict[str, float]]]:
    """Tables on which a script may go wrong: other units, other precisions, two datasets, nothing but ties."""
    rng = np.random.default_rng(5)
    scores = rng.random((8, 1)) + rng.normal(0, 0.05, (8, 4))
    single = pd.DataFrame(scores.round(2).astype("float32"), columns=list("ABCD"), index=[f"d{i}" for i in range(8)])
    tables = {
        "all digits": scores,
        "tiny": 1e-9 * scores,
        "negative": (scores - 1).round(3),
        "two datasets": scores[:2].round(2),
        "two are one": scores[:, [0, 0, 1, 2]].round(2),
        "one order": scores[:, :1] + np.array([0, 0.1, 0.2, 0.3]),
        "nothing but ties": np.full((6, 4), 0.5),
    }
    found: dict[str, tuple[object, dict[str, float]]] = {
        name: (
            ScoreTable(scores=values, datasets=[f"d{i}" for i in range(len(values))], classifiers=list("ABCD")),
            {"tie_tolerance": 0} if name == "all digits" else {},
        )
        for name, values in tables.items()
    }
    return found | {"single precision": (single, {})}


@pytest.mark.long
@pytest.mark.parametrize("name", odd_tables())
@pytest.mark.parametrize(
    "posthoc", ["quade", "friedman-aligned", "wilcoxon", "paired-t", "tukey", "rank-sum", "max-t", "max-t-means"]
)
def test_r_agrees_on_odd_tables(name: str, posthoc: str, in_r: Callable[[object], str]) -> None:
    table, choice = odd_tables()[name]
    lines = in_r(compare(table, posthoc=posthoc, rng=1, **choice)).splitlines()

    assert [line for line in lines if not line.startswith(("agrees ", "NOT CHECKED: "))] == []
    assert sum(line.startswith("agrees ") for line in lines) >= 4
