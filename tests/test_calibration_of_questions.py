"""The rates on the page are those of the data, and the simulation does what the page says."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "calibration-of-questions.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def script() -> dict:
    return runpy.run_path(str(ROOT / "scripts" / "question_calibration.py"))


def test_table_of_the_page_is_that_of_the_data(script: dict) -> None:
    assert script["table"](script["read"]()) in PAGE


def test_answers_have_the_correlation_and_the_share_that_are_asked_for(script: dict) -> None:
    x, y = script["answers"](np.random.default_rng(1), 400, 200, 0.3, 1, 0.8)
    clusters = x.reshape(-1, 4)

    assert np.corrcoef(clusters[:, 0], clusters[:, 1])[0, 1] == pytest.approx(0.3, abs=0.02)
    assert np.corrcoef(x.ravel(), y.ravel())[0, 1] == pytest.approx(0.3, abs=0.02)
    assert x.mean() == pytest.approx(0.8, abs=0.005)


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
