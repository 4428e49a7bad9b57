"""Pass, fail, or too few cases to tell."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import adjust_pvalues, gate
from evalstats.paired import noninferiority_test

# cases that both, only the old, only the new, and neither gets right
PASSING, FAILING, UNSURE = (700, 8, 9, 283), (600, 120, 10, 270), (70, 4, 3, 23)


def sides(**tables):
    old, new = {"item_id": [], "task": [], "correct": []}, {"item_id": [], "task": [], "correct": []}
    for task, (both, only_old, only_new, neither) in tables.items():
        right_old = [1] * both + [1] * only_old + [0] * only_new + [0] * neither
        right_new = [1] * both + [0] * only_old + [1] * only_new + [0] * neither
        for side, right in ((old, right_old), (new, right_new)):
            side["item_id"] += [f"{task}{i}" for i in range(len(right))]
            side["task"] += [task] * len(right)
            side["correct"] += right
    return old, new


@pytest.mark.parametrize(("table", "status"), [(PASSING, "pass"), (FAILING, "fail"), (UNSURE, "inconclusive")])
def test_three_answers(table, status):
    result = gate(*sides(a=table), margin=0.02)

    assert result.status == result.tasks[0].status == status
    assert result.passed == (status == "pass")


def test_pvalues_are_those_of_the_score_test():
    both, only_old, only_new, neither = FAILING
    expected = noninferiority_test(counts=[[both, only_new], [only_old, neither]], margin=0.02, test="accuracy")

    task = gate(*sides(a=FAILING), margin=0.02).tasks[0]

    assert task.pvalue_noninferiority == pytest.approx(expected.pvalue)
    assert (task.baseline, task.candidate, task.difference) == pytest.approx((0.72, 0.61, -0.11))
    assert len(task.lost) == 120
    assert len(task.won) == 10
    assert task.lost[0] == "a600"


@pytest.mark.parametrize(
    ("tables", "status"),
    [
        ({"a": PASSING, "b": PASSING}, "pass"),
        ({"a": PASSING, "b": UNSURE}, "inconclusive"),
        ({"a": PASSING, "b": FAILING, "c": UNSURE}, "fail"),
    ],
)
def test_every_required_task_must_pass(tables, status):
    assert gate(*sides(**tables), margin=0.02).status == status


def test_watched_tasks_do_not_decide():
    policy = {"gate": {"margin": 0.02}, "task": {"b": {"tier": "watched"}}}

    result = gate(*sides(a=PASSING, b=FAILING), policy=policy)

    assert (result.status, result.tasks[1].status) == ("pass", "fail")


def test_nothing_required_is_nothing_shown():
    policy = {"gate": {"margin": 0.02}, "task": {"a": {"tier": "watched"}}}

    assert gate(*sides(a=PASSING), policy=policy).status == "inconclusive"


def test_failures_are_adjusted_for_all_required_tasks():
    tables = {"a": (80, 9, 1, 10), "b": PASSING, "c": (85, 6, 1, 8)}
    alone = [gate(*sides(a=table), margin=0.02).tasks[0].pvalue_inferiority for table in tables.values()]

    together = gate(*sides(**tables), margin=0.02)

    assert [task.pvalue_inferiority for task in together.tasks] == pytest.approx(adjust_pvalues(alone, "holm"))


def test_number_of_cases_that_would_decide_decides():
    """With so many times the same cases, the task passes."""
    old, new = sides(a=UNSURE)
    task = gate(old, new, margin=0.05).tasks[0]
    assert task.status == "inconclusive"
    times = int(np.ceil(task.n_needed / 100))

    again = gate(*sides(a=tuple(times * count for count in UNSURE)), margin=0.05)

    assert task.n_needed > 100
    assert again.status == "pass"


@pytest.mark.parametrize("margin", [0.02, 0.005])
def test_same_answers_need_as_many_cases_as_the_limits_say(margin):
    """Without a difference the upper limit is z^2 / (n + z^2), so n = z^2 (1 - m) / m: no 1 / n^2 of it."""
    needed = gate(*sides(a=(90, 0, 0, 10)), margin=margin).tasks[0].n_needed

    assert needed == pytest.approx(1.6448536**2 * (1 - margin) / margin, abs=1)
    assert gate(*sides(a=(needed + 1, 0, 0, 0)), margin=margin).passed
    assert not gate(*sides(a=(needed - 2, 0, 0, 0)), margin=margin).passed


def test_same_answers_pass_with_enough_cases_only():
    assert gate(*sides(a=(900, 0, 0, 100)), margin=0.01).passed
    few = gate(*sides(a=(9, 0, 0, 1)), margin=0.01)
    assert few.status == "inconclusive"
    assert few.tasks[0].n_needed > 10


def test_undefined_test_is_no_pass():
    """The bootstrap of a metric says nothing where both predict the same; that is told, and passes nothing."""
    same = {"item_id": list(range(50)), "y_true": [0, 1] * 25, "y_pred": [0, 1] * 20 + [1, 0] * 5}

    result = gate(same, same, margin=0.05, metric="f1")

    assert result.status == "inconclusive"
    assert "have the same prediction for every instance" in result.tasks[0].reason


@pytest.mark.long
def test_a_worse_candidate_is_rarely_passed():
    """At a true loss of just the margin, at most about 5 % of gates pass."""
    rng = np.random.default_rng(1)
    passed = 0
    for _ in range(400):
        counts = rng.multinomial(500, [0.75, 0.05, 0.03, 0.17])
        passed += gate(*sides(a=tuple(counts.tolist())), margin=0.02).passed

    assert passed / 400 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
