"""The rates on the page are those of the data, and no public test, adjustment or interval is forgotten."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from public_names import functions_by_name

import evalstats
import evalstats.metrics.delong
from evalstats._result import Record
from evalstats.adjustment.pairwise import PAIRWISE_ONLY
from evalstats.adjustment.pvalues import ADJUSTMENTS

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "simulate_error_rates.py"
PAGE = (ROOT / "docs" / "error-rates" / "all-methods.md").read_text(encoding="utf-8")
# functions that are called so, and test or estimate nothing of their own: advice, and pictures of what is counted here
ABOUT = {"which_test", "difference_intervals", "margin_intervals", "score_intervals"}


@pytest.fixture(scope="module")
def script() -> dict:
    return runpy.run_path(str(SCRIPT))


@pytest.fixture(scope="module")
def figure() -> dict:
    return runpy.run_path(str(ROOT / "docs" / "figures" / "error_rates.py"))


def section(heading: str) -> str:
    return PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def with_intervals() -> set[str]:
    """Return the names of the result classes that have a confidence interval, the last of each line."""
    for found in pkgutil.walk_packages(evalstats.__path__, "evalstats."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
    names, waiting = set(), [Record]
    while waiting:
        below = waiting.pop().__subclasses__()
        names |= {c.__name__ for c in below if hasattr(c, "confidence_interval") and not c.__subclasses__()}
        waiting += below
    return names


def class_of(name: str) -> str:
    """Return the class whose interval is counted: it is named, or the function that returns it."""
    function = functions_by_name().get(name) or getattr(evalstats.metrics.delong, name, None)
    return name if function is None else str(inspect.signature(function).return_annotation)


def test_page_is_that_of_the_data(figure: dict) -> None:
    assert figure["page"](PAGE, figure["read"]()) == PAGE


def test_every_public_test_is_here_or_excused(script: dict) -> None:
    """Also those that only a room shows, and functions that return an interval and no result with one."""
    names = {
        name
        for name, function in functions_by_name().items()
        if re.search("test|posthoc|interval", name) or "Interval" in str(inspect.signature(function).return_annotation)
    } - ABOUT
    tried = {setting.subject.removesuffix(".confidence_interval") for setting in script["settings"]()}
    excused = set(re.findall(r"`(\w+)`", section("Excluded methods")))

    assert names - tried - excused == set()
    assert tried & excused == set()


def test_every_interval_is_here_or_excused(script: dict) -> None:
    counted = (s.subject.removesuffix(".confidence_interval") for s in script["settings"]() if "." in s.subject)
    tried = {class_of(name) for name in counted}
    excused = set(re.findall(r"`(\w+)`", section("Excluded methods")))

    assert with_intervals() - tried - excused == set()
    assert tried & excused == set()


def test_every_adjustment_is_here(script: dict) -> None:
    tried = {(setting.subject, setting.variant) for setting in script["settings"]()}

    assert {("adjust_pvalues", method) for method in ADJUSTMENTS} <= tried
    assert {("adjust_pairwise", method) for method in (*ADJUSTMENTS, *PAIRWISE_ONLY)} <= tried


def test_every_setting_has_its_rates(script: dict, figure: dict) -> None:
    wanted = {(s.subject, s.variant, s.data, str(s.n), str(s.k), f"{s.lead:g}") for s in script["settings"]()}
    names = ("subject", "variant", "data", "n", "k", "lead")

    assert {tuple(row[name] for name in names) for row in figure["read"]()} == wanted


def test_what_is_off_its_level_is_named(figure: dict) -> None:
    """Under "What follows", with the reason."""
    off = {
        row["subject"].removesuffix(".confidence_interval")
        for row in figure["read"]()
        if figure["promises"](row) and figure["is_off"](row)
    }

    assert {subject for subject in off if f"`{subject}`" not in section("Results")} == set()


@pytest.mark.long
def test_chunks_can_be_made_again(script: dict, figure: dict) -> None:
    """The random numbers of a chunk depend on nothing but the seed, the setting and its number."""
    quick = next(one for one in script["settings"]() if one.subject == "paired_ttest")

    first, again = (script["chunk"](quick, 3, 1) for _ in range(2))

    assert first == again
    assert first != script["chunk"](quick, 4, 1) | {"chunk": 3}


@pytest.mark.long
def test_run_goes_on_where_it_was(tmp_path: Path) -> None:
    out, table = tmp_path / "run.jsonl", tmp_path / "table.csv"

    def go_on(minutes: float, *more: str) -> list[str]:
        command = [
            sys.executable,
            str(SCRIPT),
            "--out",
            str(out),
            "--minutes",
            str(minutes),
            "--only",
            "cohen_dz",
            *more,
        ]
        subprocess.run(command, check=True, capture_output=True)
        return out.read_text(encoding="utf-8").splitlines()

    begun = go_on(0.005)
    out.write_text("\n".join([*begun, begun[-1][:20]]), encoding="utf-8")  # killed while it wrote
    longer = go_on(0.005, "--table", str(table))

    assert longer[: len(begun)] == begun
    keys = [(line["setting"], line["chunk"]) for line in map(json.loads, longer[1:])]
    assert len(set(keys)) == len(keys) > len(begun) - 1
    assert "cohen_dz.confidence_interval" in table.read_text(encoding="utf-8")


def test_rates_of_settings_that_a_run_has_not_stay_as_they_are(script: dict, figure: dict) -> None:
    before = figure["read"]()
    quick = next(one for one in script["settings"]() if one.subject == "cohen_dz.confidence_interval")

    rows = script["table"]([script["chunk"](quick, 0, 1)], 1, before)

    new = [i for i, (row, old) in enumerate(zip(rows, before, strict=True)) if row != old]
    assert [(rows[i]["subject"], rows[i]["n"], rows[i]["seed"]) for i in new] == [(quick.subject, quick.n, 1)]


def test_scores_with_ties_have_the_probabilities_of_the_model(script: dict) -> None:
    """Of three, of which the best is first alone with probability e / (e + 1 + 1 / e + half the roots of products)."""
    drawn = script["ranked_with_ties"](np.random.default_rng(1), 4000, 3)
    worth = np.exp([1, 0, -1])

    alone = (drawn[:, 0] > drawn[:, 1:].max(axis=1)).mean()

    roots = sum(np.sqrt(worth[i] * worth[j]) for i, j in ((0, 1), (0, 2), (1, 2)))
    assert alone == pytest.approx(worth[0] / (worth.sum() + roots / 2), abs=0.025)


def test_file_of_another_run_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    out.write_text('{"seed": 1}\n', encoding="utf-8")
    command = [sys.executable, str(SCRIPT), "--out", str(out), "--minutes", "0"]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "give another file to --out" in done.stderr


@pytest.mark.parametrize("shares", [[0.8, 0.8], [0.75, 0.85]])
def test_answers_have_the_shares_and_the_correlation_that_the_page_tells(script: dict, shares: list[float]) -> None:
    drawn = script["right"](np.random.default_rng(1), (400, 500, 2), shares)

    assert drawn.mean(axis=(0, 1)) == pytest.approx(shares, abs=0.005)
    assert np.corrcoef(drawn.reshape(-1, 2).T)[0, 1] == pytest.approx(0.3, abs=0.06)


@pytest.mark.long
def test_ranked_cases_have_the_areas_that_are_asked_for(script: dict) -> None:
    y_true, drawn = script["ranked"](np.random.default_rng(1), 400, 200, [0.75, 0.85])

    areas = [evalstats.metrics.roc_auc_score(np.broadcast_to(y_true, (400, 200)), drawn[..., i]).mean() for i in (0, 1)]

    assert areas == pytest.approx([0.75, 0.85], abs=0.005)
