"""Logs of programs that evaluate models, as a gate reads them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import evalstats
from evalstats import EvalstatsError, gate
from evalstats.io.reader.answers import log_answers

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


@pytest.fixture
def sides(tmp_path: Path) -> dict[str, Path]:
    """Return copies of the logs of both models on one task, by the name of the model."""
    found = {}
    for model in ("alpha", "beta"):
        own = LM_EVAL / f"acme__{model}"
        found[model] = tmp_path / own.name
        found[model].mkdir()
        for path in [*own.glob("samples_sums_easy_*"), *own.glob("results_*")]:
            shutil.copy(path, found[model])
    return found


def changed(folder: Path, change: Any) -> None:
    (path,) = folder.glob("samples_*")
    lines = [change(json.loads(line)) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_gate_of_different_questions_is_refused(sides: dict[str, Path]) -> None:
    """Otherwise the answers to two versions of a benchmark would be paired by their numbers."""
    changed(sides["beta"], lambda line: line | {"doc_hash": line["doc_hash"][::-1]})

    with pytest.raises(EvalstatsError, match="'0' of 'sums_easy' differs between baseline and candidate"):
        gate(sides["alpha"], sides["beta"], margin=0.1, metric="acc")


def test_gate_of_different_metrics_is_refused(sides: dict[str, Path]) -> None:
    for model, kept, gone in (("alpha", "acc", "acc_norm"), ("beta", "acc_norm", "acc")):
        changed(sides[model], lambda line, kept=kept, gone=gone: line | {"metrics": [kept], gone: None})

    with pytest.raises(EvalstatsError, match="one is 'acc,none' and the other 'acc_norm,none'"):
        gate(sides["alpha"], sides["beta"], margin=0.1)


def test_gate_tells_what_differs_and_what_is_left_out(sides: dict[str, Path]) -> None:
    changed(sides["beta"], lambda line: line | {"prompt_hash": "other"})

    prompts = gate(sides["alpha"], sides["beta"], margin=0.1, metric="acc").findings
    tasks = gate(LM_EVAL / "acme__alpha", LM_EVAL / "acme__beta", margin=0.1, metric="acc").findings

    assert [one.code for one in prompts] == ["metric", "prompts-differ"]
    assert "5 of 5 questions were asked in different words" in prompts[1].sentence
    assert [one.code for one in tasks] == ["corpus-metrics", "metric", "tasks-left-out"]


def test_gate_reads_results_of_tasks(sides: dict[str, Path]) -> None:
    """Without samples, the scores of the tasks are compared over the tasks."""
    for folder in sides.values():
        next(folder.glob("samples_*")).unlink()

    task = gate(sides["alpha"], sides["beta"], margin=0.1, metric="acc").tasks[0]

    table = evalstats.read_table(LM_EVAL.joinpath("*", "results_*"), metric="acc")
    assert (task.unit, task.n, task.metric) == ("dataset", 2, "acc,none")
    assert [task.baseline, task.candidate] == pytest.approx(table.scores.mean(axis=0))


def test_gate_names_the_metric_of_a_log(tmp_path: Path) -> None:
    """Scores between 0 and 1, such as ndcg of queries, are not accuracies."""
    for name, more in (("old", 0.0), ("new", 0.1)):
        scores = {f"q{i}": i / 10 + more + i % 2 / 100 * more for i in range(8)}
        (tmp_path / f"{name}.json").write_text(json.dumps({"ndcg@10": scores}))

    task = gate(tmp_path / "old.json", tmp_path / "new.json", margin=0.1).tasks[0]

    assert (task.metric, task.difference) == ("ndcg@10", pytest.approx(0.1, rel=0.01))
