"""The rates on the page are those of the data, and the defaults keep their promise in them."""

from __future__ import annotations

import math
import runpy
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "error-rates-few-instances.md").read_text(encoding="utf-8")
PROMISED = {
    ("krippendorff_alpha", "type-I error"),
    ("light_kappa", "type-I error"),
    ("noninferiority_test, auc", "type-I error"),
    ("equivalence_test, auc", "type-I error"),
    ("ppi_mean", "coverage"),
    ("ppi_ttest", "coverage"),
}


@pytest.fixture(scope="module")
def script() -> dict:
    return runpy.run_path(str(ROOT / "scripts" / "few_cases.py"))


def test_table_of_the_page_is_that_of_the_data(script: dict) -> None:
    assert script["table"](script["read"]()) in PAGE


def test_every_subject_has_a_row_for_each_setting(script: dict) -> None:
    rows = script["read"]()

    assert len(rows) == sum(len(list(settings())) for *_, settings in script["SUBJECTS"])


@pytest.mark.long
def test_setting_can_be_simulated_again(script: dict) -> None:
    """The random numbers of a setting depend on nothing else."""
    *_, settings = script["SUBJECTS"][0]
    _, experiments, run = next(settings())
    row = script["read"]()[0]

    again = run(np.random.default_rng([script["SEED"], 0, 0]), experiments)

    assert (float(row["usual"]), float(row["default"])) == pytest.approx(again)


def test_defaults_keep_their_promise(script: dict) -> None:
    """A level of .05 within .01, a coverage of .95 within .015, and chance: 3.5 standard errors of the experiments."""
    for row in script["read"]():
        if (row["subject"], row["what"]) in PROMISED:
            rate, noise = float(row["default"]), 3.5 * math.sqrt(0.05 * 0.95 / int(row["experiments"]))
            if row["what"] == "coverage":
                assert rate >= 0.935 - noise, row
            else:
                assert rate <= 0.06 + noise, row
