"""Consensus rankings: worked values, enumeration of all resamples, weights, left-out tasks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from evalstats._errors import EvalstatsError
from evalstats.multiple import consensus_ranking, ranking_stability

FIRST = np.array([[0.9, 0.8, 0.3], [0.6, 0.7, 0.5], [0.8, 0.5, 0.6], [0.7, 0.6, 0.8]])
SECOND = np.array([[0.4, 0.6, 0.5], [0.3, 0.5, 0.6]])
SCORES, TASKS = np.vstack([FIRST, SECOND]), ["liver"] * 4 + ["spleen"] * 2


def test_consensus_is_the_mean_rank_of_tasks() -> None:
    """Means of the second task: .35, .55, .55."""
    result = consensus_ranking(SCORES, TASKS, n_resamples=99)

    assert result.tasks == ("liver", "spleen")
    assert result.ranks_by_task.tolist() == [[1, 2, 3], [3, 1, 1]]
    assert result.mean_ranks.tolist() == [2, 1.5, 2]
    assert result.ranks.tolist() == [2, 1, 2]
    assert result.task_agreement[0, 1] == pytest.approx(stats.kendalltau([1, 2, 3], [3, 1, 1]).statistic)


def test_weights_change_the_consensus() -> None:
    result = consensus_ranking(SCORES, TASKS, weights={"spleen": 1, "liver": 3}, n_resamples=99)

    assert result.weights.tolist() == [0.75, 0.25]
    assert result.mean_ranks.tolist() == [1.5, 1.75, 2.5]
    assert result.ranks.tolist() == [1, 2, 3]


def test_frequencies_are_near_those_of_all_resamples() -> None:
    """All 256 x 4 pairs of resamples; five standard errors of a share of 100,000 are below 0.008."""
    of_first, of_second = (
        [
            stats.rankdata((-part[list(drawn)].mean(axis=0)).round(9), method="min")
            for drawn in itertools.product(range(len(part)), repeat=len(part))
        ]
        for part in (FIRST, SECOND)
    )
    drawn = np.array([stats.rankdata(a + b, method="min") for a in of_first for b in of_second])
    expected = [[np.mean(own == rank) for rank in (1, 2, 3)] for own in drawn.T]

    result = consensus_ranking(SCORES, TASKS, n_resamples=100_000)

    assert result.frequencies == pytest.approx(np.array(expected), abs=0.008)
    tau = [stats.kendalltau(own, result.ranks).statistic for own in drawn]
    assert result.mean_tau == pytest.approx(np.nanmean(tau), abs=0.008)


def test_each_task_is_analyzed_alone() -> None:
    result = consensus_ranking(SCORES, TASKS, n_resamples=50_000)
    alone = ranking_stability(FIRST)

    assert result.by_task[0].ranks.tolist() == alone.ranks.tolist()
    assert result.by_task[0].frequencies == pytest.approx(alone.frequencies, abs=0.012)
    assert result.by_task[0].instance_changes[0].pairs == alone.instance_changes[0].pairs


def test_tasks_are_left_out() -> None:
    """Without either task, the consensus is the ranking of the other."""
    result = consensus_ranking(SCORES, TASKS, n_resamples=9)

    assert [change.left_out for change in result.task_changes] == ["liver", "spleen"]
    assert result.task_changes[1].pairs == ((1, 0), (0, 2))
    assert result.task_changes[1].winner_changes


def test_rows_in_another_order_give_the_same_numbers() -> None:
    order = [5, 2, 0, 4, 1, 3]
    one = consensus_ranking(SCORES, TASKS, n_resamples=99)
    other = consensus_ranking(SCORES[order], [TASKS[i] for i in order], n_resamples=99)

    assert np.array_equal(one.frequencies, other.frequencies)


def test_clusters_are_drawn_within_tasks() -> None:
    """Two clusters of the first task give four resamples, in one of two they are the same cluster twice."""
    clusters = ["p", "p", "q", "q", "r", "s"]
    result = consensus_ranking(SCORES, TASKS, clusters=clusters, n_resamples=99)

    assert [one.n_clusters for one in result.by_task] == [2, 2]


@pytest.mark.parametrize(
    ("tasks", "asked", "message"),
    [
        (["a"] * 6, {}, "at least two different values; for one task, use ranking_stability"),
        (["a"] * 5 + ["b"], {}, "at least two instances each, but 'b' has one"),
        (TASKS, {"weights": {"liver": 1}}, "weights must have the keys 'liver', 'spleen', but they have 'liver'"),
        (TASKS, {"weights": {"liver": -1, "spleen": 1}}, "weights must be at least 0"),
        (TASKS, {"weights": [1, 2]}, "weights must be a mapping"),
    ],
)
def test_refused(tasks: list[str], asked: dict, message: str) -> None:
    with pytest.raises(EvalstatsError, match=message):
        consensus_ranking(SCORES, tasks, **asked)
