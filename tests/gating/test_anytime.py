"""A gate that is asked again whenever more cases have come."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evalstats import gate, report
from evalstats.paired import betting_test


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
    assert (task.pvalue_noninferiority, task.pvalue_inferiority) == (not_worse.pvalue, worse.pvalue)
    assert (task.low, task.high) == (low, high)
    assert task.difference == pytest.approx(NEW.mean() - OLD.mean())
    assert not_worse.pvalue < 0.1


def test_what_passed_once_goes_on_passing():
    """The p-value remembers; asked with fewer cases before, the gate said so already."""
    asked = [gate(answers(OLD[:n]), answers(NEW[:n]), margin=0.02, anytime=True) for n in range(500, 3001, 500)]

    pvalues = [result.tasks[0].pvalue_noninferiority for result in asked]
    assert pvalues == sorted(pvalues, reverse=True)
    assert [result.status for result in asked] == sorted((r.status for r in asked), key=["inconclusive", "pass"].index)
    assert (asked[0].status, asked[-1].status) == ("inconclusive", "pass")


def test_needs_more_cases_than_a_gate_that_is_asked_once():
    n = 600
    once, again = (gate(answers(OLD[:n]), answers(NEW[:n]), margin=0.02, anytime=a).tasks[0] for a in (False, True))

    assert once.pvalue_noninferiority < again.pvalue_noninferiority
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
    assert "may be repeated whenever there are more instances" in " ".join(report.text(result).split())
    assert "valid at any stopping time, so the gate may be repeated. It has less power" in report.sentence(result)


@pytest.mark.parametrize("metric", ["f1", "roc_auc", "log_loss"])
def test_what_is_no_mean_over_items_is_refused(metric):
    labels = {"y_true": [0, 1] * 10, "y_pred": [0, 1] * 10, "y_score": [0.2, 0.7] * 10}
    old = {"item_id": list(range(20)), **labels}

    with pytest.raises(ValueError, match=f"must be a mean of losses between 0 and 1, not {metric} of 'all questions'"):
        gate(old, old, margin=0.02, anytime=True, metric=metric)


@pytest.mark.parametrize(("metric", "column"), [("error_rate", "y_pred"), ("brier", "y_score")])
def test_losses_of_items_have_the_metric_as_mean(metric, column):
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 1500)
    chances = [np.clip(0.5 + (truth - 0.5) * 0.5 + rng.normal(0, 0.3, 1500), 0, 1).round(3) for _ in range(2)]
    given = [c if metric == "brier" else (c > 0.5).astype(int) for c in chances]
    sides = [{"item_id": range(1500), "y_true": truth.tolist(), column: side.tolist()} for side in given]

    once, again = (gate(*sides, metric=metric, margin=0.05, anytime=a).tasks[0] for a in (False, True))
    loss = [(side - truth) ** 2 for side in given]  # of labels: whether they are wrong

    assert (again.baseline, again.candidate) == pytest.approx((once.baseline, once.candidate))
    assert again.difference == pytest.approx(np.mean(loss[1] - loss[0]))
    expected = betting_test(*loss, null_difference=-0.05, alternative="greater")
    assert again.pvalue_noninferiority == pytest.approx(expected.pvalue, rel=1e-9)
    low, high = betting_test(loss[1], loss[0]).confidence_interval(0.9)
    assert (again.low, again.high) == pytest.approx((low, high))


def in_clusters(rng, n_clusters, *, worse=0.0):
    """Draw clusters of 1 to 9 cases, of which the large ones are hard; the candidate is worse in every one."""
    sizes = rng.integers(1, 10, n_clusters)
    of_case = np.repeat(np.arange(n_clusters), sizes)
    chance = np.clip(rng.beta(2, 1, n_clusters) - 0.03 * sizes, 0.1, 1)[of_case]
    return [f"c{c}" for c in of_case], rng.random(of_case.size) < chance, rng.random(of_case.size) < chance - worse


def test_a_cluster_is_one_step():
    clusters, old, new = in_clusters(np.random.default_rng(7), 400)
    order = np.argsort(np.random.default_rng(1).random(400))[[int(c[1:]) for c in clusters]]
    order = np.argsort(order, kind="stable")
    shuffled = [clusters[i] for i in order]
    old, new = old[order], new[order]
    result = gate(answers(old) | {"text": shuffled}, answers(new), margin=0.1, cluster="text", anytime=True)
    task = result.tasks[0]

    names = list(dict.fromkeys(shuffled))
    means = [[np.mean(side[np.array(shuffled) == name]) for name in names] for side in (old, new)]
    expected = betting_test(means[1], means[0], null_difference=-0.1, alternative="greater")
    assert task.pvalue_noninferiority == pytest.approx(expected.pvalue)
    assert (task.baseline, task.candidate) == pytest.approx((np.mean(means[0]), np.mean(means[1])))
    assert task.n_clusters == 400
    assert "all clusters have the same weight" in " ".join(report.text(result).split())


@pytest.mark.long
def test_clusters_at_the_margin_pass_at_most_as_often_as_alpha():
    """Asked after every cluster; bets on single cases of the same data would pass too often or be about other cases."""
    rng = np.random.default_rng(9)
    passed = []
    for _ in range(200):
        clusters, old, new = in_clusters(rng, 300, worse=0.1)
        sides = answers(old) | {"text": clusters}, answers(new)
        passed.append(gate(*sides, margin=0.1, cluster="text", anytime=True).passed)

    assert np.mean(passed) <= 0.05 + 3 * math.sqrt(0.05 / 200)


def of_tasks(right, sizes):
    tasks = [f"t{k}" for k, size in enumerate(sizes) for _ in range(size)]
    return answers(right) | {"task": tasks, "item_id": [i for size in sizes for i in range(size)]}


def test_a_step_of_a_macro_mean_is_the_next_case_of_every_task():
    sizes = (1000, 800, 1200)
    old, new = of_tasks(OLD, sizes), of_tasks(NEW, sizes)
    task = gate(old, new, margin=0.03, average="macro", anytime=True).tasks[0]

    starts = np.cumsum((0, *sizes[:-1]))
    steps = [np.mean([side[s : s + 800] for s in starts], axis=0) for side in (OLD, NEW)]
    expected = betting_test(steps[1], steps[0], null_difference=-0.03, alternative="greater")
    assert task.pvalue_noninferiority == pytest.approx(expected.pvalue)
    assert task.difference == pytest.approx(np.mean(steps[1] - steps[0]))
    assert (task.task, task.status) == ("mean of 3 tasks (macro)", "pass")


def test_a_step_of_a_micro_mean_is_a_case_and_tasks_must_be_mixed():
    sizes = (1000, 800, 1200)
    old, new = of_tasks(OLD, sizes), of_tasks(NEW, sizes)
    with pytest.raises(ValueError, match="needs the tasks mixed in random order, but the questions of 't0' come first"):
        gate(old, new, margin=0.03, average="micro", anytime=True)

    order = np.random.default_rng(3).permutation(3000)
    old, new = ({name: np.array(values)[order].tolist() for name, values in side.items()} for side in (old, new))
    task = gate(old, new, margin=0.03, average="micro", anytime=True).tasks[0]
    expected = betting_test(NEW[order], OLD[order], null_difference=-0.03, alternative="greater")
    assert task.pvalue_noninferiority == pytest.approx(expected.pvalue)

    with pytest.raises(ValueError, match="without clusters, because the size of the next cluster is unknown"):
        gate(old | {"text": old["item_id"]}, new, margin=0.03, average="micro", anytime=True, cluster="text")


@pytest.mark.parametrize("side", ["baseline", "candidate"])
@pytest.mark.parametrize(("step", "where"), [(1, "last"), (-1, "first")])
def test_items_that_are_sorted_are_refused(side, step, where):
    """The test would take the hard questions at one end for a change."""
    is_sorted = np.sort(OLD)[::step]
    old, new = (is_sorted, NEW) if side == "baseline" else (OLD, is_sorted)

    with pytest.raises(ValueError, match=f"correct answers of the {side} in 'all questions' come {where}"):
        gate(answers(old), answers(new), margin=0.02, anytime=True)


def test_random_orders_and_sides_without_a_spread_are_not_refused():
    rng = np.random.default_rng(2)
    for _ in range(30):
        order = rng.permutation(len(OLD))
        gate(answers(OLD[order]), answers(NEW[order]), margin=0.02, anytime=True)

    assert gate(answers([True] * 9), answers([True] * 9), margin=0.02, anytime=True).status == "inconclusive"
    assert gate(answers([True]), answers([False]), margin=0.02, anytime=True).status == "inconclusive"


def test_datasets_are_steps_where_the_metric_has_limits():
    rng = np.random.default_rng(6)
    first = rng.uniform(0.7, 0.9, 400)
    sides = [
        {"dataset": [f"d{i}" for i in range(400)], "model": [name] * 400, "accuracy": scores.tolist()}
        for name, scores in (("old", first), ("new", first + rng.normal(0, 0.01, 400)))
    ]
    task = gate(*sides, margin=0.05, anytime=True).tasks[0]

    expected = betting_test(sides[1]["accuracy"], sides[0]["accuracy"], null_difference=-0.05, alternative="greater")
    assert task.pvalue_noninferiority == pytest.approx(expected.pvalue)
    assert (task.status, task.unit) == ("pass", "dataset")
    assert task.low < task.difference < task.high


def test_datasets_without_limits_are_refused():
    old, new = ({"dataset": list("abc"), name: [0.8, 0.7, 0.9]} for name in ("old", "new"))

    with pytest.raises(ValueError, match="needs a metric with known limits, not 'score'"):
        gate(old, new, margin=0.02, anytime=True, greater_is_better=True)
    with pytest.raises(TypeError, match="anytime must be True or False"):
        gate(old, new, margin=0.02, anytime="yes")
