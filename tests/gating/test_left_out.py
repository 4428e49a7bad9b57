"""Questions that are left out, at worst."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from evalstats import gate, report
from evalstats.gating.tasks import Absent, left_out_of, worst_leads, worst_scores

RNG = np.random.default_rng(8)
N = 1000


def side(right, kept=None):
    kept = range(len(right)) if kept is None else kept
    return {"item_id": [f"q{i}" for i in kept], "correct": [int(right[i]) for i in kept]}


def test_what_is_left_out_is_described():
    old, new = np.array([1.0, 0, 1, 1]), np.array([0.0, 1, 1])

    found = left_out_of(Absent([0, 1], []), old, new)

    assert found == (2, 0, 0.5, None)


def test_no_answers_are_worse_than_the_worst():
    """All ways to complete four missing answers, two on each side."""
    old, new = RNG.integers(0, 2, 12).astype(float), RNG.integers(0, 2, 12).astype(float)
    both, absent = (range(8), range(8)), Absent([8, 9], [10, 11])

    worst = worst_scores(both, absent, old, new, None)

    known = new[:8].sum() - old[:8].sum() - old[8:10].sum() + new[10:].sum()
    leads = [known + sum(answers[:2]) - sum(answers[2:]) for answers in itertools.product((0, 1), repeat=4)]
    assert worst.new.sum() - worst.old.sum() == min(leads)


def test_datasets_that_are_left_out_are_the_farthest_behind():
    ahead, behind = worst_leads(np.array([0.9, 0.8]), np.array([0.7, 0.9]), 2, 0.05)
    lead = ahead - behind

    assert (lead[2:] < lead[:2].min()).all()


def test_few_missing_items_may_pass_and_many_do_not():
    right = RNG.random(N) < 0.8
    few, many = np.setdiff1d(range(N), range(5)), np.setdiff1d(range(N), range(50))

    assert gate(side(right), side(right, few), margin=0.02, intersect=True).passed
    assert gate(side(right), side(right, many), margin=0.02, intersect=True).status == "inconclusive"
    assert gate(side(right), side(right, many), margin=0.02, allow_missing=50).passed
    assert gate(side(right), side(right, many), margin=0.02, allow_missing=49).status == "inconclusive"


def test_items_that_the_baseline_lacks_count_too():
    right = RNG.random(N) < 0.8
    kept = np.setdiff1d(range(N), range(150))

    task = gate(side(right, kept), side(right), margin=0.02, intersect=True).tasks[0]

    assert (task.status, task.n_left_out_candidate, task.left_out_candidate) == (
        "inconclusive",
        150,
        right[:150].mean(),
    )
    assert "150 instances left out may hide" in task.reason


def test_left_out_wrong_answers_never_pass():
    """A candidate that is worse by two margins hides its wrong answers."""
    old = RNG.random(2000) < 0.8
    new = RNG.random(2000) < 0.74
    hidden = set(np.flatnonzero(~new)[:400].tolist())
    kept = [i for i in range(2000) if i not in hidden]

    result = gate(side(old), side(new, kept), margin=0.03, intersect=True)

    assert result.status == "inconclusive"
    shown = " ".join(report.text(result).split())
    assert "because the candidate lacks them: 400 instances; the score of the baseline is" in shown


@pytest.mark.parametrize("choices", [{"average": "macro"}, {"average": "micro"}, {"cluster": "text"}])
def test_means_and_clusters_count_the_worst(choices):
    right = RNG.random(N) < 0.8
    other = np.where(np.arange(N) % 40 == 3, ~right, right)
    columns = {"task": ["a"] * 500 + ["b"] * 500, "text": [f"t{i // 4}" for i in range(N)]}
    kept = [i for i in range(N) if not 100 <= i < 200]
    old = side(right) | columns
    new = side(other, kept) | {name: [values[i] for i in kept] for name, values in columns.items()}

    result = gate(old, new, margin=0.07, intersect=True, **choices)

    assert (result.status, result.tasks[0].n_left_out) == ("inconclusive", 100)
    assert gate(old, new, margin=0.07, allow_missing=100, **choices).passed


def test_metric_without_a_known_worst_needs_to_be_allowed():
    true = RNG.integers(0, 2, N)
    sides = [{"item_id": list(range(n)), "y_true": true[:n].tolist(), "y_pred": true[:n].tolist()} for n in (N, N - 1)]
    for one in sides:
        error = 9 + (len(one["y_pred"]) == N)
        one["y_pred"] = [1 - y if i % error == 0 else y for i, y in enumerate(one["y_pred"])]

    result = gate(*sides, margin=0.05, metric="f1", intersect=True)

    assert (result.status, result.tasks[0].pvalue_worst) == ("inconclusive", None)
    assert result.tasks[0].reason == "1 instance left out, whose worst effect on f1 is unknown"
    assert gate(*sides, margin=0.05, metric="f1", allow_missing=1).passed


def test_datasets_that_are_left_out_keep_a_gate_from_passing():
    names, scores = [f"d{i}" for i in range(12)], (0.8 + 0.01 * np.arange(12)).tolist()
    old = {"dataset": names, "accuracy": scores}
    new = {"dataset": names[:6], "accuracy": scores[:6]}

    task = gate(old, new, margin=0.02, intersect=True).tasks[0]

    assert (task.status, task.n_left_out, task.left_out_baseline) == ("inconclusive", 6, np.mean(scores[6:]))
    assert gate(old, new, margin=0.02, allow_missing=6).passed


def test_items_that_are_missing_for_a_reason_do_not_pass():
    """The candidate lacks what both get wrong: it is no worse on any question, but half of the score is gone."""
    right = RNG.random(N) < 0.8
    kept = np.flatnonzero(right | (np.cumsum(~right) > 100))

    found = gate(side(right), side(right, kept), margin=0.02, intersect=True)

    assert found.status == "inconclusive"
    assert "change the score of the baseline from" in found.tasks[0].reason
    assert gate(side(right), side(right, kept), margin=0.02, allow_missing=N - len(kept)).passed
