"""The probabilities in words and in a table beside the p-values, in every format."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import evalstats
from evalstats import report

TABLE = evalstats.example_table("demsar-2006")
CONTROL = evalstats.compare(TABLE, control="C4.5", rope=0.01)


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_verdict_comparison_with_control() -> None:
    assert (
        "With a rope of 0.01, C4.5+m+cf is better than C4.5 and C4.5+m and C4.5+cf are undecided (Bayesian signed-rank "
        "test; an answer needs a probability above 0.95)."
    ) in CONTROL.verdict


def test_verdict_of_all_pairs() -> None:
    assert evalstats.compare(TABLE, rope=0.01).verdict.endswith(
        "Of 6 pairs, in 1 the higher-ranked classifier is better and 5 are undecided (Bayesian signed-rank test with "
        "a rope "
        "of 0.01; an answer needs a probability above 0.95)."
    )


def test_verdict_of_two_begins_with_the_likelier() -> None:
    frame = pd.DataFrame(TABLE.scores[:, [0, 3]], columns=["old", "new"], index=TABLE.datasets)

    assert (
        "With a rope of 0.01, new is better than old with probability 0.962, old than new with < 0.001, and both are "
        "practically equivalent with 0.038 (Bayesian signed-rank test)."
    ) in evalstats.compare(frame, rope=0.01).verdict


def test_verdict_of_folds() -> None:
    frame = pd.DataFrame({"a": [0.8, 0.82, 0.81, 0.83, 0.79], "b": [0.7, 0.73, 0.7, 0.74, 0.7]})
    frame.index.name = "fold"
    said = evalstats.compare(frame.reset_index(), rope=0.01).verdict

    assert "With a rope of 0.01, a is better than b with probability > 0.999" in said
    assert said.endswith("(Bayesian correlated t-test).")


@pytest.mark.parametrize("style", ["text", "markdown", "html", "latex"])
def test_every_format_has_the_table_beside_the_pvalues(style: str) -> None:
    shown = one_line(getattr(report, style)(CONTROL))

    assert "Posterior probabilities" in shown
    assert "0.0249" in shown  # p of the Wilcoxon test with Holm's method
    assert "0.962" in shown
    assert "Benavoli et al., 2014" in shown or "benavoli2014" in shown
    assert "These probabilities are not p-values" in shown


def test_json_has_the_numbers() -> None:
    posteriors = json.loads(report.json(CONTROL))["comparison"]["posteriors"]

    assert (posteriors["rope"], posteriors["test"], posteriors["seed"]) == (0.01, "signed-rank", 0)
    assert [pair["outcome"] for pair in posteriors["pairs"]] == ["better", "undecided", "undecided"]
    assert json.loads(report.json(evalstats.compare(TABLE)))["comparison"]["posteriors"] is None


def test_pairs_that_are_not_shown_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalstats.comparison.optional_analyses.MOST_PAIRS", 2)
    text = one_line(report.text(evalstats.compare(TABLE, rope=0.01)))

    assert "The table shows 2 of 6 pairs with the smallest p-values." in text


def test_comparison_without_a_rope_does_not_speak_of_one() -> None:
    assert "rope" not in report.text(evalstats.compare(TABLE))
