"""The rates on the page are those of the data, and the simulation does what the page says."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from evalstats import clustered_ttest
from evalstats.comparison.validity import ENOUGH_FOR_UNLIKE_MODELS, LEVEL_OF_UNLIKE_MODELS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "error-rates-questions.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> dict:
    return runpy.run_path(str(ROOT / "scripts" / "simulate_question_error_rates.py"))


@pytest.fixture(scope="module")
def unequal() -> dict:
    return runpy.run_path(str(ROOT / "scripts" / "simulate_unequal_clusters.py"))


def test_table_of_the_page_is_that_of_the_data(script: dict) -> None:
    assert script["table"](script["read"]()) in PAGE


def test_answers_have_the_correlation_and_the_share_that_are_asked_for(script: dict) -> None:
    x, y = script["answers"](np.random.default_rng(1), 400, 200, 0.3, 1, 0.8)
    clusters = x.reshape(-1, 4)

    assert np.corrcoef(clusters[:, 0], clusters[:, 1])[0, 1] == pytest.approx(0.3, abs=0.02)
    assert np.corrcoef(x.ravel(), y.ravel())[0, 1] == pytest.approx(0.3, abs=0.02)
    assert x.mean() == pytest.approx(0.8, abs=0.005)


@pytest.mark.long
def test_setting_can_be_simulated_again(script: dict) -> None:
    """The random numbers of a setting depend on nothing else."""
    setting = next(script["settings"]())
    row = script["read"]()[0]

    again = script["rates"](np.random.default_rng([script["SEED"], 0]), script["EXPERIMENTS"], setting)

    assert {name: row[name] for name in again} == pytest.approx(again)


def test_tests_keep_their_level(script: dict) -> None:
    """But for chance: 4 standard errors of as many experiments as there were."""
    for row in script["read"]():
        for name, n in (("t_test", row["experiments"]), ("signs", row["experiments"] / script["OF_SIGNS"])):
            assert row[name] <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / n)


def test_tables_of_unequal_clusters_are_those_of_the_data(unequal: dict) -> None:
    for table in unequal["tables"](unequal["read"]()).values():
        assert table in PAGE


@pytest.mark.long
@pytest.mark.parametrize("number", [0, 337, 661])
def test_setting_of_unequal_clusters_can_be_simulated_again(unequal: dict, number: int) -> None:
    """A level, a coverage and a margin."""
    setting = list(unequal["settings"]())[number]
    row = unequal["read"]()[number]

    again = unequal["rates"](number, setting, unequal["EXPERIMENTS"])

    assert row["asked"] == setting[0]
    numbers = {name: value for name, value in again.items() if name != "chosen"}
    assert {name: float(row[name]) for name in numbers} == pytest.approx(numbers)


@pytest.mark.parametrize("name", ["t", "signs"])
def test_level_holds_for_unequal_clusters(unequal: dict, name: str) -> None:
    """At most .06 but for chance: 2 standard errors of as many experiments as there were."""
    rows = [row for row in unequal["read"]() if row["asked"] == "level"]
    share = 1 / unequal["OF_SIGNS"] if name == "signs" else 1

    above = {
        (row["design"], row["scores"], row["correlation"]): row[name]
        for row in rows
        if float(row[name]) > 0.06 + 2 * np.sqrt(0.06 * 0.94 / (float(row["experiments"]) * share))
    }
    assert above == {}


def test_variance_of_equal_clusters_was_too_small(unequal: dict) -> None:
    before = [float(row["before"]) for row in unequal["read"]() if row["asked"] == "level"]

    assert max(before) > 0.3


def test_interval_covers_for_unequal_clusters(unequal: dict) -> None:
    rows = [row for row in unequal["read"]() if row["asked"] == "coverage"]

    assert min(float(row["covers"]) for row in rows) > 0.9


@pytest.fixture(scope="module")
def candidates(monkeypatch_of_module: pytest.MonkeyPatch) -> dict:
    monkeypatch_of_module.syspath_prepend(str(ROOT / "scripts"))
    return runpy.run_path(str(ROOT / "scripts" / "cluster_variance_candidates.py"))


@pytest.fixture(scope="module")
def monkeypatch_of_module() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.mark.long
def test_table_of_variances_is_that_of_the_data_and_can_be_made_again(candidates: dict) -> None:
    rows, settings = candidates["read"](), candidates["settings"]()
    assert candidates["table"](rows) in PAGE

    for number in (0, 150):
        again = candidates["rates"](number, settings[number], candidates["EXPERIMENTS"])
        assert {name: float(rows[number][name]) for name in again} == pytest.approx(again)


def test_variance_that_was_chosen_is_that_of_the_function(candidates: dict) -> None:
    sizes = np.array([1, 2, 3, 10, 30])
    cluster = np.repeat(np.arange(5), sizes)
    x = np.random.default_rng(5).normal(0.4, 1, (300, cluster.size))
    totals = np.stack([x[:, cluster == g].sum(axis=1) for g in range(5)], axis=1)

    rejected = clustered_ttest(x, np.zeros_like(x), clusters=cluster).pvalue <= 0.05

    assert candidates["rejections"](totals, sizes)["cv3"] == rejected.mean()


@pytest.fixture(scope="module")
def unlike_models(monkeypatch_of_module: pytest.MonkeyPatch) -> dict:
    monkeypatch_of_module.syspath_prepend(str(ROOT / "scripts"))
    return runpy.run_path(str(ROOT / "scripts" / "simulate_unlike_models.py"))


def test_rates_of_unlike_models_are_those_of_the_data_and_can_be_made_again(unlike_models: dict) -> None:
    rows, settings = unlike_models["read"](), unlike_models["settings"]()
    assert unlike_models["table"](rows) in PAGE
    for number in (2, 14):
        again = unlike_models["rates"](number, settings[number], unlike_models["EXPERIMENTS"])
        assert float(rows[number]["rejects"]) == again["rejects"]

    of = {n: max(float(row["rejects"]) for row in rows if int(row["clusters"]) == n) for n in unlike_models["CLUSTERS"]}
    assert {n: of[n] for n in LEVEL_OF_UNLIKE_MODELS} == LEVEL_OF_UNLIKE_MODELS
    assert max(rate for n, rate in of.items() if n >= ENOUGH_FOR_UNLIKE_MODELS) < 0.08


@pytest.fixture(scope="module")
def at_the_margin(monkeypatch_of_module: pytest.MonkeyPatch) -> dict:
    monkeypatch_of_module.syspath_prepend(str(ROOT / "scripts"))
    return runpy.run_path(str(ROOT / "scripts" / "simulate_unlike_models_at_margin.py"))


def test_rates_at_the_margin_are_those_of_the_data(at_the_margin: dict) -> None:
    for table in at_the_margin["tables"](at_the_margin["read"]()).values():
        assert table in PAGE


@pytest.mark.parametrize("rule", ["t_now", "score_now"])
def test_candidates_at_the_margin_pass_no_more_often_than_the_level(at_the_margin: dict, rule: str) -> None:
    """At most .06 but for chance: 2 standard errors; the tests alone pass in more than .2."""
    own = [row for row in at_the_margin["read"]() if at_the_margin["MODELS"][row["models"]].loss > 0]

    assert max(float(row[rule.removesuffix("_now")]) for row in own) > 0.2
    most = 0.06 + 2 * np.sqrt(0.06 * 0.94 / at_the_margin["EXPERIMENTS"])
    assert {row["models"]: row[rule] for row in own if float(row[rule]) > most} == {}


def test_equal_candidates_of_a_hundred_clusters_still_pass(at_the_margin: dict) -> None:
    """At least half as often as by the test alone, with a hundred clusters that count as as many."""
    of_equal = [
        row
        for row in at_the_margin["read"]()
        if at_the_margin["MODELS"][row["models"]].loss == 0
        and (row["sizes"], int(row["clusters"])) in {("10 each", 100), ("10 each", 200), ("log-normal", 200)}
    ]

    assert len(of_equal) == 9
    assert all(float(row["t_now"]) >= float(row["t"]) / 2 for row in of_equal)


@pytest.mark.long
def test_setting_at_the_margin_can_be_simulated_again(at_the_margin: dict) -> None:
    rows, settings = at_the_margin["read"](), at_the_margin["settings"]()
    again = at_the_margin["rates"](4, settings[4], at_the_margin["EXPERIMENTS"])

    assert {name: float(rows[4][name]) for name in again} == again
