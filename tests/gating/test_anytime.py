"""A gate that is asked again whenever more cases have come."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evalstats import betting_test, gate, report


def answers(right):
    return {"item_id": [f"q{i}" for i in range(len(right))], "correct": np.asarray(right).astype(int).tolist()}


def draw(rng, n, loss=0.03, gain=0.03, both=0.75):
    """Draw right answers of the old and the new side, which differ in a few cases."""
    of_case = rng.choice(4, p=[both, loss, gain, 1 - both - loss - gain], size=n)
    return np.isin(of_case, (0, 1)), np.isin(of_case, (0, 2))


OLD, NEW = draw(np.random.default_rng(3), 3000)


def test_pvalues_and_interval_are_those_of_the_test_by_betting():
    task = gate(answers(OLD), answers(NEW), margin=0.02, alpha=0.1, anytime=True).tasks[0]

    not_worse = betting_test(NEW, OLD, null_difference=-0.02, alternative="greater", alpha=0.1)
    worse = betting_test(NEW, OLD, null_difference=-0.02, alternative="less", alpha=0.1)
    low, high = betting_test(NEW, OLD, alpha=0.1).confidence_interval(0.8)
    assert (task.pvalue_not_worse, task.pvalue_worse) == (not_worse.pvalue, worse.pvalue)
    assert (task.low, task.high) == (low, high)
    assert task.difference == pytest.approx(NEW.mean() - OLD.mean())
    assert not_worse.pvalue < 0.1


def test_what_passed_once_goes_on_passing():
    """The p-value remembers; asked with fewer cases before, the gate said so already."""
    asked = [gate(answers(OLD[:n]), answers(NEW[:n]), margin=0.02, anytime=True) for n in range(500, 3001, 500)]

    pvalues = [result.tasks[0].pvalue_not_worse for result in asked]
    assert pvalues == sorted(pvalues, reverse=True)
    assert [result.status for result in asked] == sorted((r.status for r in asked), key=["inconclusive", "pass"].index)
    assert (asked[0].status, asked[-1].status) == ("inconclusive", "pass")


def test_needs_more_cases_than_a_gate_that_is_asked_once():
    n = 600
    once, again = (gate(answers(OLD[:n]), answers(NEW[:n]), margin=0.02, anytime=a).tasks[0] for a in (False, True))

    assert once.pvalue_not_worse < again.pvalue_not_worse
    assert again.low < once.low < once.high < again.high


def test_candidate_at_the_margin_passes_at_most_as_often_as_alpha():
    """Worse by exactly the margin, and asked after each of 2000 cases, 300 times."""
    rng = np.random.default_rng(8)
    sides = np.array([draw(rng, 2000, loss=0.07, gain=0.05) for _ in range(300)])
    old, new = sides[:, 0], sides[:, 1]

    anytime = betting_test(new, old, null_difference=-0.02, alternative="greater").pvalue <= 0.05
    looks = [
        gate(answers(o), answers(v), margin=0.02, anytime=True).passed for o, v in zip(old[:5], new[:5], strict=True)
    ]

    assert looks == anytime[:5].tolist()
    assert anytime.mean() <= 0.05 + 3 * math.sqrt(0.05 / 300)


def test_report_says_that_it_may_be_asked_again():
    result = gate(answers(OLD), answers(NEW), margin=0.02, policy={"gate": {"anytime": True}})

    assert result.anytime
    assert "may be asked again whenever more cases have come" in " ".join(report.text(result).split())


@pytest.mark.parametrize(
    ("choices", "what"),
    [
        ({"metric": "f1"}, "f1 of 'all items'"),
        ({"cluster": "text"}, "items in clusters"),
    ],
)
def test_what_has_no_such_test_is_refused(choices, what):
    old = answers(OLD[:20]) | {"text": ["a", "b"] * 10, "y_true": [0, 1] * 10, "y_pred": [0, 1] * 10}
    new = answers(NEW[:20]) | {"y_true": [0, 1] * 10, "y_pred": [0, 1] * 10}

    with pytest.raises(ValueError, match=f"anytime is of the accuracy of single items, not of {what}"):
        gate(old, new, margin=0.02, anytime=True, **choices)


@pytest.mark.parametrize("side", ["baseline", "candidate"])
@pytest.mark.parametrize(("step", "where"), [(1, "last"), (-1, "first")])
def test_items_that_are_sorted_are_refused(side, step, where):
    """The test would take the hard items at one end for a change."""
    is_sorted = np.sort(OLD)[::step]
    old, new = (is_sorted, NEW) if side == "baseline" else (OLD, is_sorted)

    with pytest.raises(ValueError, match=f"right answers of the {side} in 'all items' come {where}"):
        gate(answers(old), answers(new), margin=0.02, anytime=True)


def test_random_orders_and_sides_without_a_spread_are_not_refused():
    rng = np.random.default_rng(2)
    for _ in range(30):
        order = rng.permutation(len(OLD))
        gate(answers(OLD[order]), answers(NEW[order]), margin=0.02, anytime=True)

    assert gate(answers([True] * 9), answers([True] * 9), margin=0.02, anytime=True).status == "inconclusive"
    assert gate(answers([True]), answers([False]), margin=0.02, anytime=True).status == "inconclusive"


def test_scores_of_datasets_are_refused():
    old, new = ({"dataset": list("abc"), name: [0.8, 0.7, 0.9]} for name in ("old", "new"))

    with pytest.raises(ValueError, match="not of scores of datasets"):
        gate(old, new, margin=0.02, anytime=True)
    with pytest.raises(TypeError, match="anytime must be True or False"):
        gate(old, new, margin=0.02, anytime="yes")
