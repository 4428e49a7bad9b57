"""The page of stopping rules says what its simulation says, and the simulation uses the rules themselves."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evalstats.reproducibility import AnytimeValid

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "simulate_stopping_rules.py"
PAGE = (ROOT / "docs" / "stopping-rules.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> dict:
    return runpy.run_path(str(SCRIPT))


@pytest.fixture(scope="module")
def rows(script: dict) -> list[dict[str, str]]:
    return script["read"]()


@pytest.fixture(scope="module")
def experiments(script: dict) -> tuple[np.ndarray, dict]:
    return script["experiments"]("large", 4, 1)


def test_tables_are_of_the_data(script: dict, rows: list[dict[str, str]]) -> None:
    assert script["page"](PAGE, rows) == PAGE


def test_data_is_whole(script: dict, rows: list[dict[str, str]]) -> None:
    """Every setting and level, the same ways to stop in each."""
    procedures = {row["procedure"] for row in rows}

    assert len(rows) == len(script["SETTINGS"]) * len(script["ALPHAS"]) * len(procedures)
    assert {row["setting"]: int(row["n_experiments"]) for row in rows} == script["N_EXPERIMENTS"]
    assert {row["seed"] for row in rows} == {str(script["SEED"])}


@pytest.mark.long
def test_seed_decides_everything(tmp_path: Path) -> None:
    tables = []
    for name in ("once", "again"):
        command = [sys.executable, str(SCRIPT), "--experiments", "2", "--seed", "5", "--table", str(tmp_path / name)]
        subprocess.run(command, check=True, capture_output=True)
        tables.append((tmp_path / name).read_text(encoding="utf-8"))

    assert tables[0] == tables[1]


def test_pvalues_are_those_of_scipy(script: dict, experiments: tuple[np.ndarray, dict]) -> None:
    x, y = np.moveaxis(experiments[0], -1, 0)

    t, sign = script["t_pvalues"](x - y), script["sign_pvalues"](x - y)

    for n in (5, 60, 500):
        wins, losses = int((x[0, :n] > y[0, :n]).sum()), int((x[0, :n] < y[0, :n]).sum())
        assert t[0, n - 1] == pytest.approx(stats.ttest_rel(x[0, :n], y[0, :n]).pvalue, rel=1e-9)
        assert sign[0, n - 1] == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-9)


@pytest.mark.parametrize(("name", "bounds"), [("AnytimeValid()", None), ("AnytimeValid(bounds=(-1, 1))", (-1, 1))])
def test_rule_itself_stops_in_the_same_run(
    script: dict, experiments: tuple[np.ndarray, dict], name: str, bounds: tuple[float, float] | None
) -> None:
    accuracies, stops = experiments
    found, ended = {p: (f, n) for p, f, n in script["procedures"](accuracies, stops, 0.05)}[name]

    for runs, is_found, n in zip(accuracies, found, ended, strict=True):
        rule = AnytimeValid(0.05, bounds=bounds)
        for run in runs:
            if rule.update(run):
                break
        assert (rule.stopped, rule.n_runs) == (is_found, n)


def test_classifiers_without_a_lead_are_exchangeable_and_the_others_are_not(rows: list[dict[str, str]]) -> None:
    leads = {row["setting"]: float(row["lead"]) for row in rows}

    assert abs(leads["none"]) < 0.0005
    assert leads["none"] < leads["small"] < leads["medium"] < leads["large"]


def test_page_says_what_the_data_say(script: dict, rows: list[dict[str, str]]) -> None:
    """Only looking with a test that is not made for it breaks the level, and that at every level."""
    above = {(row["procedure"], row["alpha"]) for row in rows if row["setting"] == "none" and row["rate"]
             and script["is_above"](row)}  # fmt: skip
    looks = ("t-test after every run", "sign test after every run")
    at = {(row["setting"], row["procedure"]): row for row in rows if row["alpha"] == "0.05"}

    assert above == {(name, str(alpha)) for name in looks for alpha in script["ALPHAS"]}
    for setting, told in (("medium", "120 and 111"), ("large", "33 and 33")):
        mean = float(at[setting, "AnytimeValid()"]["mean_runs"])
        planned = at[setting, "sign test, planned"]["runs_for_power"]
        assert f"{mean:.0f} and {planned}" == told
        assert told in PAGE
