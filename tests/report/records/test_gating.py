"""The gate in words, with names that nobody should write."""

from __future__ import annotations

import json

import pytest

from evalstats import gate, report

OLD = {"item_id": [f"<b>{i}</b>" for i in range(300)], "task": ["$x_1$"] * 300, "correct": [1] * 240 + [0] * 60}
NEW = OLD | {"correct": [0] * 12 + [1] * 230 + [0] * 58}


@pytest.mark.parametrize(
    ("margin", "words"),
    [
        (0.1, "Pass: in $x_1$ the candidate is noninferior at the margin."),
        (0.03, "Inconclusive: in $x_1$ the candidate is neither shown to be noninferior"),
        (0.001, "Fail: in $x_1$ the candidate is worse by more than the margin."),
    ],
)
def test_verdict(margin, words):
    shown = report.text(gate(OLD, NEW, margin=margin)).replace("\n", " ")

    assert words in shown


def test_inconclusive_tells_how_many_cases_would_decide():
    result = gate(OLD, NEW, margin=0.04)

    assert (
        f"about {result.tasks[0].n_needed} instances are needed for a decision if the difference does not change"
        in report.sentence(result)
    )


@pytest.mark.parametrize("style", ["text", "markdown", "html", "latex"])
def test_flips_are_listed_and_nothing_is_executed(style):
    shown = getattr(report, style)(gate(OLD, NEW, margin=0.04))

    assert "lost: 12 instances" in shown
    assert style == "text" or "<b>0</b>" not in shown


def test_json():
    stored = json.loads(report.json(gate(OLD, NEW, margin=0.04)))

    assert stored["gating"]["status"] == "inconclusive"
    assert len(stored["gating"]["tasks"][0]["lost"]) == 12


def test_no_required_task():
    policy = {"gate": {"margin": 0.1}, "task": {"$x_1$": {"tier": "watched"}}}

    assert "no task is required" in report.sentence(gate(OLD, NEW, policy=policy))
