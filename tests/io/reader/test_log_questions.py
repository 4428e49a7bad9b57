"""Logs of programs that evaluate models, as a gate reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import evalstats
from evalstats import EvalstatsError, gate
from evalstats.io.reader.log_questions import log_answers

FORMATS = Path(__file__).parents[2] / "data" / "formats"
INSPECT, LM_EVAL = FORMATS / "inspect-ai", FORMATS / "lm-eval"
ALPHA, BETA = INSPECT / "addition_alpha.eval", INSPECT / "addition_beta.eval"


def answers(source: Any, **given: Any) -> Any:
    return log_answers(source, **{"classifier": None, "cluster": None, "metric": None, "argument": "name"} | given)


def test_right_and_wrong_of_one_task() -> None:
    found = answers(ALPHA)

    assert (set(found.task), len(found.item), found.metric) == ({"addition"}, 12, "accuracy")
    assert (found.y_true, sum(found.right)) == (None, round(12 * evalstats.read_table(ALPHA).scores[0, 0]))


def test_samples_and_clusters_are_kept() -> None:
    twice, clustered = answers(INSPECT / "sums_twice_alpha.json", metric="match"), answers(ALPHA, cluster="passage")

    assert set(twice.share) <= {0, 0.5, 1}
    assert len(clustered.cluster) == 12


def test_model_of_several_is_asked_for() -> None:
    with pytest.raises(EvalstatsError, match=r"holds 2 models .*choose one with"):
        answers(LM_EVAL, metric="acc")
    with pytest.raises(EvalstatsError, match="name must be one of acme/alpha, acme/beta, not 'acme/gamma'"):
        answers(LM_EVAL, metric="acc", classifier="acme/gamma")
    assert set(answers(LM_EVAL, metric="acc", classifier="acme/beta").task) == {"sums_easy", "sums_hard"}


@pytest.mark.parametrize("source", [{"id": [1], "correct": [1]}, FORMATS / "nothing.json", FORMATS / "weka"])
def test_other_sources_are_no_logs(source: Any) -> None:
    assert answers(source) is None


def test_what_is_no_share_of_right_answers_is_refused() -> None:
    with pytest.raises(EvalstatsError, match="'length_error' is not a proportion of correct answers"):
        answers(FORMATS / "openai-evals" / "alpha.jsonl", metric="length_error")


def test_answer_that_was_not_scored_never_passes() -> None:
    """A gate has no way to leave out what failed."""
    with pytest.raises(
        EvalstatsError, match=r"'q4' of 'mockllm/gamma' .not scored.; record a failed answer as incorrect"
    ):
        gate(ALPHA, INSPECT / "addition_gamma.eval", margin=0.1)


def test_gate_of_two_logs_is_that_of_their_answers() -> None:
    task = gate(ALPHA, BETA, margin=0.1).tasks[0]
    old, new = answers(ALPHA), answers(BETA)
    sides = [{"item_id": one.item, "correct": one.right} for one in (old, new)]

    expected = gate(*sides, margin=0.1).tasks[0]
    assert (task.status, task.pvalue_inferiority, task.lost) == (
        expected.status,
        expected.pvalue_inferiority,
        expected.lost,
    )


def test_gate_of_several_tasks_decides_their_mean() -> None:
    sides = (LM_EVAL / "acme__alpha", LM_EVAL / "acme__beta")

    result = gate(*sides, margin=0.1, metric="acc", average="macro")

    assert [task.task for task in result.tasks] == ["mean of 2 tasks (macro)", "sums_easy", "sums_hard"]
    assert (result.status, result.tasks[0].n) == ("inconclusive", 12)


def test_few_clusters_say_how_many_cases_would_decide() -> None:
    """The interval of four clusters is far wider than that of the cases that would decide."""
    task = gate(ALPHA, BETA, margin=0.05, cluster="passage", policy={"gate": {"average": "macro"}}).tasks[0]

    assert task.low < -0.5
    assert task.n_needed is not None
    assert task.n_needed > 12
