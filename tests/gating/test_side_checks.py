"""What baseline and candidate must agree in, and the option that answers each question."""

from __future__ import annotations

import numpy as np
import pytest

import evalstats
from evalstats import EvalstatsError, gate, report

NAMES = [f"d{i}" for i in range(8)]
OLD = np.linspace(0.81, 0.89, 8)


def scores(values, metric="accuracy"):
    return {"dataset": NAMES, "classifier": ["m"] * len(NAMES), metric: list(values)}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (scores(OLD), scores(OLD * 60), r"may have different units: .* pass accept_scores=True"),
        (scores(OLD), scores(OLD + 1), "may have different units"),
        (scores([f"{x:.0%}" for x in OLD]), scores(OLD), "must have one unit, but the baseline is in '%' and the cand"),
        (
            scores(OLD, "foutpercentage"),
            scores(OLD + 0.1, "foutpercentage"),
            "higher or lower 'foutpercentage' is better; pass",
        ),
        (scores(OLD, "mcc") | {"mcc": [-1.3, *OLD[1:]]}, scores(OLD, "mcc"), "may have different units"),
        (scores(OLD, "AUC"), scores(OLD, "F1"), "one is 'AUC', for which higher is better, and the other 'F1'"),
    ],
)
def test_scores_that_may_be_read_in_two_ways_are_refused(old, new, message):
    with pytest.raises(EvalstatsError, match=message):
        gate(old, new, margin=0.02)


def test_column_that_is_called_like_the_model_tells_no_direction():
    sides = [{"dataset": NAMES, name: (OLD + add).tolist()} for name, add in (("old", 0), ("new", 0.001))]

    with pytest.raises(EvalstatsError, match="the metric of the scores of 'old', 'new' is unknown"):
        gate(*sides, margin=0.02)
    assert gate(*sides, margin=0.02, greater_is_better=True).passed
    assert gate(*sides, margin=0.02, metric="accuracy").passed
    assert (
        gate(*sides, policy={"gate": {"margin": 0.02, "greater_is_better": False}}).tasks[0].greater_is_better is False
    )


def test_answers_settle_the_questions():
    assert (
        gate(
            scores(OLD, "foutpercentage"), scores(OLD + 0.1, "foutpercentage"), margin=0.02, greater_is_better=False
        ).status
        == "fail"
    )
    assert gate(scores(OLD * 5), scores(OLD * 5), margin=0.02, accept_scores=True).passed
    with pytest.raises(EvalstatsError, match="lie between 0 and 1"):
        gate(scores(OLD * 200), scores(OLD * 200), margin=0.02, accept_scores=True)


def test_table_of_another_metric_is_refused():
    table = evalstats.read_table(scores(OLD, "AUC"))

    assert gate(table, table, margin=0.02, metric="roc_auc").passed
    with pytest.raises(EvalstatsError, match="metric must be 'AUC', the metric of the scores of 'm', not 'accuracy'"):
        gate(table, table, margin=0.02, metric="accuracy")


def test_numbers_of_answers_must_be_equal():
    right = [int(i % 5 > 0) for i in range(100)]
    failed = [i for i in range(100) if not right[i]]
    again = {"item_id": [*range(100), *failed], "sample": [1] * 100 + [2] * 20, "correct": right + [1] * 20}
    old = {"item_id": list(range(100)), "correct": right}

    with pytest.raises(
        EvalstatsError,
        match=r"every question of the candidate must have the same number of answers, but '0' has 2 and '1'",
    ):
        gate(old, again, margin=0.1)
    result = gate(old, again, margin=0.1, allow_unequal_samples=True)

    assert "if incorrect answers were sampled again" in " ".join(report.text(result).split())


def test_direction_of_right_answers_is_known():
    old = {"item_id": list(range(100)), "correct": [1] * 100}

    with pytest.raises(EvalstatsError, match="baseline and candidate have correct and incorrect answers"):
        gate(old, old, margin=0.1, greater_is_better=False)


def answers(column, share):
    return {"item": [f"q{i}" for i in range(200)], column: [int(i % 10 < 10 * share) for i in range(200)]}


@pytest.mark.parametrize("column", ["refused", "blocked", "attack_success", "jailbroken"])
def test_gate_asks_what_1_means_in_a_column_that_does_not_say_it(column):
    baseline, candidate = answers(column, 0.2), answers(column, 0.6)

    with pytest.raises(EvalstatsError, match=r"pass greater_is_better=.*greater_is_better="):
        gate(baseline, candidate, margin=0.02)
    assert gate(baseline, candidate, margin=0.02, greater_is_better=False).status == "fail"
    assert gate(baseline, candidate, margin=0.02, greater_is_better=True).status == "pass"


@pytest.mark.parametrize("names", [("gpt-4", "gpt-4"), ("old", "new"), ("score", "score"), ("bleu", "bleu")])
def test_names_of_models_and_metrics_say_what_1_means(names):
    baseline, candidate = (answers(name, share) for name, share in zip(names, (0.4, 0.8), strict=True))

    assert gate(baseline, candidate, margin=0.02).status == "pass"
