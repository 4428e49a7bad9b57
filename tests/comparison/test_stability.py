"""Stability of the ranking of a comparison: what is drawn again in each design, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidValueError, compare, example_path, example_table, read_predictions, report
from evalstats.multiple import consensus_ranking, ranking_stability

RNG = np.random.default_rng(5)
SCORES = pd.DataFrame(
    RNG.normal([0.9, 0.6, 0.5, 0.0], size=(9, 4)).round(2),
    index=[f"set {i}" for i in range(9)],
    columns=["A", "B", "C", "D"],
)
TRUE = np.tile([0, 1, 2], 20)
IS_RIGHT = RNG.random((60, 3)) < [0.9, 0.8, 0.5]
PREDICTIONS = read_predictions(
    pd.DataFrame({"y_true": TRUE, **{m: np.where(IS_RIGHT[:, i], TRUE, (TRUE + 1) % 3) for i, m in enumerate("ABC")}})
)
SHARED = ("ranks", "frequencies", "podium", "tau", "ranks_by_rule", "same_winner_by_rule", "mean_tau_by_rule", "pvalue")


def answers(n_benchmarks: int, clusters: int = 0) -> dict[str, list[object]]:
    """Answers of three models to 30 questions of each benchmark."""
    keys = [
        (f"b{b}", m, f"q{q}", f"p{q % max(clusters, 1)}") for b in range(n_benchmarks) for q in range(30) for m in "ABC"
    ]
    names = ("benchmark", "model", "question", "passage")[: 4 if clusters else 3]
    columns = {name: [key[i] for key in keys] for i, name in enumerate(names)}
    right = np.random.default_rng(n_benchmarks).random(len(keys)) < np.tile([0.8, 0.7, 0.4], len(keys) // 3)
    return columns | {"correct": right.astype(int).tolist()}


CLUSTERS_OF_ONE_TASK = ["p"] * 90 + [f"q{i // 3}" for i in range(90)]


def assert_same(one, other) -> None:
    for name in SHARED:
        assert getattr(one, name) == pytest.approx(getattr(other, name), nan_ok=True), name


def test_datasets_are_ranked_by_the_mean_rank() -> None:
    """So the comparison ranks them too; the names of left-out datasets are those of the table."""
    found = compare(SCORES, stability=True, rng=3).stability
    alone = ranking_stability(SCORES, rule="mean-rank", rng=3)

    assert_same(found, alone)
    assert (found.unit, found.n_instances, found.seed) == ("dataset", 9, 3)
    assert {change.left_out for change in found.instance_changes} <= set(SCORES.index)
    assert [c.left_out for c in found.instance_changes] == [c.left_out for c in alone.instance_changes]
    assert found.instance_changes


def test_number_of_resamples_is_a_choice() -> None:
    assert compare(SCORES, stability=True, n_resamples=50).stability.n_resamples == 50
    assert compare(SCORES.iloc[:4], stability=True).stability.method == "exact"


def test_losses_have_the_ranks_of_the_negated_scores() -> None:
    one = compare(SCORES, stability=True).stability
    other = compare(-SCORES, stability=True, greater_is_better=False).stability

    assert_same(one, other)


def test_questions_are_drawn_in_their_clusters() -> None:
    c = compare(answers(1, clusters=6), stability=True, cluster="passage")
    items = c.table._items

    assert (c.stability.unit, c.stability.n_instances, c.stability.n_clusters) == ("question", 30, 6)
    assert_same(c.stability, ranking_stability(items.scores, clusters=items.cluster))


@pytest.mark.parametrize(("average", "unit", "n"), [("macro", "benchmark", 4), ("micro", "question", 120)])
def test_average_states_what_is_drawn(average: str, unit: str, n: int) -> None:
    """With equal weights of the benchmarks, the ranks are those of the comparison."""
    c = compare(answers(4), stability=True, average=average)

    assert (c.stability.unit, c.stability.n_instances) == (unit, n)
    assert [c.table.classifiers[i] for i in np.argsort(c.stability.ranks)] == list(c.ranking)


@pytest.mark.parametrize("metric", ["accuracy", "error_rate"])
def test_instances_of_one_test_set_are_drawn(metric: str) -> None:
    c = compare(PREDICTIONS, stability=True, metric=metric)

    assert c.stability.unit == "instance"
    assert_same(c.stability, ranking_stability(IS_RIGHT.astype(float)))


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html"])
def test_every_report_has_the_section(style: str) -> None:
    said = getattr(report, style)(compare(example_table("japkowicz-accuracy"), stability=True))

    assert "Is the ranking stable?" in said
    assert "Stability of the ranking" in " ".join(said.split())


def test_verdict_says_who_wins_how_often() -> None:
    c = compare(SCORES, stability=True)
    share = round(100 * c.stability.frequencies[c.table.position(c.ranking[0]), 0])

    assert f"Stability of the ranking: {c.ranking[0]} wins under" in c.verdict
    assert f"in {share}% of the resamples of 9 datasets." in c.verdict


def test_json_has_the_podium_and_the_left_out_datasets() -> None:
    c = compare(SCORES, stability=True)
    told = json.loads(report.json(c))["comparison"]["stability"]

    assert told["podium"] == c.stability.podium.tolist()
    assert [one["left_out"] for one in told["instance_changes"]] == [
        one.left_out for one in c.stability.instance_changes
    ]


def test_consensus_ranks_the_benchmarks_and_then_their_mean_ranks() -> None:
    """The questions are drawn within each benchmark, as by the function."""
    c = compare(answers(3), consensus=True, n_resamples=300, rng=2)
    items = c.table._items
    alone = consensus_ranking(items.scores, items.benchmark, n_resamples=300, rng=2)

    found = c.consensus
    assert found.tasks == c.table.datasets
    assert found.classifiers == c.table.classifiers
    assert found.ranks_by_task.tolist() == alone.ranks_by_task.tolist()
    assert found.mean_ranks.tolist() == alone.mean_ranks.tolist()
    assert found.frequencies.tolist() == alone.frequencies.tolist()
    assert [change.left_out for change in found.task_changes] == [f"b{one.left_out}" for one in alone.task_changes]
    assert c.stability is None


def test_consensus_draws_the_clusters_of_questions() -> None:
    c = compare(answers(2, clusters=6), consensus=True, cluster="passage", n_resamples=20)
    items = c.table._items
    alone = consensus_ranking(items.scores, items.benchmark, clusters=items.cluster, n_resamples=20)

    assert [one.n_clusters for one in c.consensus.by_task] == [6, 6]
    assert c.consensus.frequencies.tolist() == alone.frequencies.tolist()
    assert "The clusters of each task were drawn with replacement 20 times" in " ".join(report.text(c).split())


@pytest.mark.parametrize("metric", ["accuracy", "error_rate"])
def test_consensus_of_datasets_draws_their_instances(metric: str) -> None:
    """The second dataset holds the first 40 instances, with two models exchanged."""
    exchanged = IS_RIGHT[:40, [1, 0, 2]]
    right = np.concatenate([IS_RIGHT, exchanged])
    rows = [
        (f"d{int(row >= 60)}", model, row, 1, int(right[row, i])) for row in range(100) for i, model in enumerate("ABC")
    ]
    columns = ("dataset", "classifier", "instance", "y_true", "y_pred")
    predictions = read_predictions(dict(zip(columns, zip(*rows, strict=True), strict=True)))
    c = compare(predictions, consensus=True, metric=metric, n_resamples=200)
    alone = consensus_ranking(right.astype(float), [0] * 60 + [1] * 40, n_resamples=200)

    assert c.consensus.by_task[1].unit == "instance"
    assert c.consensus.ranks_by_task.tolist() == alone.ranks_by_task.tolist()
    assert c.consensus.ranks.tolist() == alone.ranks.tolist()
    assert c.consensus.frequencies == pytest.approx(alone.frequencies, abs=1e-12)


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "html"])
def test_every_report_has_the_consensus(style: str) -> None:
    said = getattr(report, style)(compare(answers(3), consensus=True, n_resamples=50))

    assert "What is the consensus of the tasks?" in said
    assert "Consensus ranking: " in " ".join(said.split())


def test_json_has_the_consensus() -> None:
    c = compare(answers(3), consensus=True, n_resamples=50)
    told = json.loads(report.json(c))["comparison"]["consensus"]

    assert told["tasks"] == ["b0", "b1", "b2"]
    assert told["ranks_by_task"] == c.consensus.ranks_by_task.tolist()
    assert told["by_task"][0]["unit"] == "question"


class TestRefusedConsensus:
    def test_scores_of_datasets(self) -> None:
        with pytest.raises(InvalidValueError, match=r"but the table holds only scores; use stability"):
            compare(SCORES, consensus=True)

    def test_one_task(self) -> None:
        with pytest.raises(InvalidValueError, match="consensus requires two or more benchmarks or datasets, but"):
            compare(answers(1), consensus=True)

    def test_task_of_one_cluster(self) -> None:
        with pytest.raises(InvalidValueError, match="consensus requires two or more clusters of each task, but 'b0'"):
            compare(answers(2, clusters=1) | {"passage": CLUSTERS_OF_ONE_TASK}, consensus=True, cluster="passage")

    def test_several_metrics(self) -> None:
        with pytest.raises(InvalidValueError, match="consensus is for one metric, not for"):
            compare(example_path("sklearn-predictions"), consensus=True, metric=["accuracy", "brier"])

    def test_word(self) -> None:
        with pytest.raises(TypeError, match="consensus must be True or False"):
            compare(SCORES, consensus="mean")


def folds() -> dict[str, list[object]]:
    keys = [(m, f) for m in "AB" for f in range(10)]
    scores = [0.7 + 0.01 * ((f * 7 + ord(m)) % 5) for m, f in keys]
    return {"dataset": ["d"] * 20, "classifier": [m for m, _ in keys], "fold": [f for _, f in keys], "score": scores}


class TestRefused:
    def test_folds(self) -> None:
        with pytest.raises(InvalidValueError, match=r"stability resamples datasets, .* but here the folds of"):
            compare(folds(), stability=True)

    def test_one_dataset(self) -> None:
        with pytest.raises(InvalidValueError, match="stability requires two or more datasets, but there is one"):
            compare(SCORES.iloc[:1], stability=True)

    def test_missing_scores(self) -> None:
        with pytest.raises(InvalidValueError, match="stability needs a score in every cell, but 3 are missing"):
            compare(SCORES.mask(SCORES < -1), stability=True, missing="skillings-mack")

    def test_metric_without_a_score_of_each_instance(self) -> None:
        with pytest.raises(InvalidValueError, match=r"requires accuracy or error rate, .* not balanced_accuracy"):
            compare(PREDICTIONS, stability=True, metric="balanced_accuracy")

    def test_several_metrics(self) -> None:
        with pytest.raises(InvalidValueError, match="stability is for one metric, not for"):
            compare(example_path("sklearn-predictions"), stability=True, metric=["accuracy", "brier"])

    def test_word(self) -> None:
        with pytest.raises(TypeError, match="stability must be True or False"):
            compare(SCORES, stability="mean")
