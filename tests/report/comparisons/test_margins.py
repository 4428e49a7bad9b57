"""The margin in words and in a table, in every format."""

from __future__ import annotations

import json

import pytest

import evalstats
from evalstats import report

TABLE = evalstats.example_table("demsar-2006")
CONTROL = evalstats.compare(TABLE, control="C4.5", margin=0.02)


def test_verdict_comparison_with_control():
    assert (
        "With a margin of 0.02, C4.5+m+cf and C4.5+m are better than C4.5 in the comparison itself; C4.5+cf is "
        "noninferior to C4.5 at that margin (one-sided Wilcoxon signed-rank test with Holm's method, family-wise α "
        "= 0.05)."
    ) in report.text(CONTROL).replace("\n", " ")


def test_verdict_of_all_pairs():
    text = report.text(evalstats.compare(TABLE, margin=0.02)).replace("\n", " ")

    assert (
        "the lower-ranked classifier of each of 6 pairs was tested against the other: in 6 it is undecided whether it "
        "is worse "
        "by more than the margin (one-sided Wilcoxon signed-rank test with Holm's method, family-wise α = 0.05)."
    ) in text


def test_of_one_pair_it_is_said_what_is_undecided():
    two = evalstats.compare(TABLE.select(["C4.5", "C4.5+cf"]), margin=0.001)

    assert "With a margin of 0.001, it is undecided whether C4.5" in two.verdict
    assert "by more than the margin (one-sided Wilcoxon signed-rank test, α = 0.05)." in two.verdict


def test_promise_is_about_the_margin():
    """What an adjustment keeps rare beside a margin is a false answer about the margin."""
    text = report.text(evalstats.compare(TABLE, margin=0.02)).replace("\n", " ")

    assert "the probability that any pair is falsely shown to be noninferior is at most 0.05" in text


def test_verdicts_of_pairs_are_not_shortened_on_a_terminal():
    named = evalstats.compare(TABLE, margin=0.02)

    shown = report.text(named, width=60)

    assert shown.partition("\nNoninferiority\n")[2].count(" undecided\n") == 6
    assert "…ded" not in shown


@pytest.mark.parametrize("style", ["text", "markdown", "html", "latex"])
def test_every_format_has_the_table(style):
    shown = getattr(report, style)(CONTROL)

    assert "Noninferiority" in shown
    assert "not worse" in shown
    assert "Wellek" in shown or "wellek2010" in shown


def test_json_has_the_numbers():
    margins = json.loads(report.json(CONTROL))["comparison"]["margins"]

    assert margins["margin"] == 0.02
    assert [pair["verdict"] for pair in margins["pairs"]] == ["better", "better", "not worse"]


def test_comparison_without_a_margin_does_not_speak_of_one():
    assert "margin" not in report.text(evalstats.compare(TABLE))
