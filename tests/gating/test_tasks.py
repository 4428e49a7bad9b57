"""Tasks one by one, and thousands of them."""

from __future__ import annotations

import numpy as np
import pytest

import evalstats
from evalstats import gate, mcnemar_test, report


def many(n_tasks, n_items, seed=0):
    rng = np.random.default_rng(seed)
    tasks = np.repeat([f"t{i}" for i in range(n_tasks)], n_items).tolist()
    return [
        {
            "task": tasks,
            "item_id": list(range(len(tasks))),
            "correct": (rng.random(len(tasks)) < 0.8).astype(int).tolist(),
        }
        for _ in range(2)
    ]


def only(side, task):
    return {
        name: [v for v, own in zip(values, side["task"], strict=True) if own == task] for name, values in side.items()
    }


def test_tasks_together_are_tested_as_each_alone():
    old, new = many(30, 40)
    together = gate(old, new, margin=0.1)
    fields = ("difference", "low", "high", "pvalue_noninferiority", "lost", "won")

    for task in together.tasks[::7]:
        (alone,) = gate(only(old, task.task), only(new, task.task), margin=0.1).tasks
        assert [getattr(task, name) for name in fields] == [getattr(alone, name) for name in fields]


def test_pvalue_without_a_margin_is_that_of_the_exact_test_and_adjusted():
    old, new = many(4, 100, seed=3)
    result = gate(old, new, margin=0.1)

    raw = [mcnemar_test(only(new, t.task)["correct"], only(old, t.task)["correct"]).pvalue for t in result.tasks]
    assert [task.pvalue_different for task in result.tasks] == pytest.approx(evalstats.adjust_pvalues(raw, "holm"))


@pytest.mark.parametrize(
    ("margin", "status", "words"),
    [
        (0.02, "pass", "shown to be worse (two-sided p = 1.21e-04), by less than the margin."),
        (0.012, "inconclusive", "shown to be worse (two-sided p = 1.21e-04), the data do not show by how much"),
    ],
)
def test_candidate_that_is_worse_is_called_so(margin, status, words):
    """20 answers lost and 2 won of 2,000: p = 2 P(X <= 2), X binomial with 22 draws."""
    old = {"item_id": list(range(2000)), "correct": [1] * 1600 + [0] * 400}
    new = {"item_id": list(range(2000)), "correct": [0] * 20 + [1] * 1582 + [0] * 398}
    result = gate(old, new, margin=margin)

    assert result.tasks[0].pvalue_different == pytest.approx(2 * (1 + 22 + 231) / 2**22)
    assert (result.status, result.tasks[0].shown()) == (status, "worse")
    for style in ("text", "markdown", "sentence"):
        assert words in " ".join(getattr(report, style)(result).replace("\\", "").split())
    assert '"pvalue_different": 0.00012111' in report.json(result)


def test_direction_of_a_loss_is_minded():
    """Fewer errors are better, and more of them worse."""
    names = [f"d{i}" for i in range(10)]
    old = {"dataset": names, "error rate": np.linspace(0.1, 0.2, 10).tolist()}
    new = {"dataset": names, "error rate": np.linspace(0.105, 0.206, 10).tolist()}

    assert gate(old, new, margin=0.02).tasks[0].shown() == "worse"
    assert gate(new, old, margin=0.02).tasks[0].shown() == "better"


def test_a_test_that_does_not_apply_never_passes():
    """The same answers of each question in every sample: a difference without any variance has no t."""
    constant = {"item_id": [i for i in range(30) for _ in "ab"], "sample": [1, 2] * 30}
    sides = [{**constant, "correct": one * 30} for one in ([1, 0], [1, 1])]

    task = gate(*sides, margin=0.9).tasks[0]

    assert task.status == "inconclusive" or task.reason is None
    assert not (np.isnan(task.pvalue_noninferiority) and task.status == "pass")


def test_datasets_in_common_are_named_where_they_are_too_few():
    old, new = ({"dataset": ["a", name], "accuracy": [0.8, 0.9]} for name in "bc")

    with pytest.raises(
        evalstats.EvalstatsError,
        match="scores of two or more datasets in common, but they have 1: 'a'; to compare them question",
    ):
        gate(old, new, margin=0.1, intersect=True)
