"""Plots of the stability of a ranking: circles of frequencies, violins of tau, and the significance map."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure

from evalstats import compare, example_table
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.multiple import ConsensusRanking, RankingStability, consensus_ranking, ranking_stability
from evalstats.plot import podium_frequencies, rank_frequencies, ranking_correlations, significance_map

WORKED = np.array([[0.9, 0.8, 0.3], [0.6, 0.7, 0.5], [0.8, 0.5, 0.6], [0.7, 0.6, 0.8]])
DRAWN = (podium_frequencies, rank_frequencies, significance_map, ranking_correlations)


def some(k: int, n: int = 30) -> RankingStability:
    scores = np.random.default_rng(0).normal(size=(n, k)) - np.arange(k) / 4
    names = [f"classifier {i}" for i in range(k)]
    return ranking_stability(pd.DataFrame(scores, columns=names), n_resamples=200)


def tasks() -> ConsensusRanking:
    scores = np.random.default_rng(0).normal(size=(30, 4)) - np.arange(4) / 4
    frame = pd.DataFrame(scores, columns=["$a$", "b", "c", "d"])
    return consensus_ranking(frame, np.repeat(["liver", "$k$idney", "spleen"], 10), n_resamples=200)


@pytest.mark.sampled
@pytest.mark.parametrize("k", [2, 6, 40])
@pytest.mark.parametrize("draw", DRAWN)
def test_any_number_is_legible(draw: partial, k: int, assert_legible) -> None:
    assert_legible(draw(some(k), title="A title of the picture"))


def test_given_axes_are_legible(assert_legible) -> None:
    assert_legible(rank_frequencies(some(12), Figure(figsize=(6, 5), layout="constrained").add_subplot()))


@pytest.mark.parametrize("draw", [podium_frequencies, rank_frequencies, ranking_correlations])
def test_tasks_are_legible(draw: partial, assert_legible) -> None:
    assert_legible(draw(tasks()))


def test_circles_have_areas_of_the_frequencies() -> None:
    """The counts of 256 resamples by hand; a rank that does not occur has no circle."""
    ax = rank_frequencies(ranking_stability(WORKED))
    (circles,) = (one for one in ax.collections if isinstance(one, PathCollection))

    shown = {
        (int(x), int(y)): area for (x, y), area in zip(circles.get_offsets().tolist(), circles.get_sizes(), strict=True)
    }
    expected = {(1, 0): 238, (2, 0): 18, (1, 1): 37, (2, 1): 167, (3, 1): 52, (1, 2): 15, (2, 2): 55, (3, 2): 186}
    assert shown == pytest.approx({place: n / 238 * shown[1, 0] for place, n in expected.items()})


def test_bars_have_the_lengths_of_ranks_1_to_3() -> None:
    """The counts of 256 resamples by hand; a fourth classifier is last in all of them."""
    ax = podium_frequencies(ranking_stability(np.column_stack([WORKED[:, [2, 0, 1]], np.zeros(4)])))

    lengths = np.array([[bar.get_width() for bar in bars] for bars in ax.containers]).T
    assert lengths.tolist() == pytest.approx(np.array([[238, 18, 0], [37, 167, 52], [15, 55, 186], [0, 0, 0]]) / 256)
    starts = np.array([[bar.get_x() for bar in bars] for bars in ax.containers]).T
    assert starts.tolist() == pytest.approx(np.cumsum(lengths, axis=1) - lengths)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["2", "3", "1", "4"]
    assert [text.get_text() for text in ax.texts] == ["100", "100", "100", "0"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["rank 1", "rank 2", "rank 3"]


def test_crosses_are_the_ranks_and_lines_the_intervals() -> None:
    found = ranking_stability(WORKED[:, [2, 0, 1]])
    ax = rank_frequencies(found)

    (crosses,) = (line for line in ax.lines if line.get_label() == "_rank")
    assert crosses.get_xdata().tolist() == [1, 2, 3]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["2", "3", "1"]
    (lines,) = (one for one in ax.collections if one.get_label() == "_interval")
    assert [segment[:, 0].tolist() for segment in lines.get_segments()] == [[1, 2], [1, 3], [1, 3]]


def test_consensus_has_a_row_for_each_task_and_its_own() -> None:
    ax = ranking_correlations(tasks())

    assert [label.get_text() for label in ax.get_yticklabels()] == ["liver", "$k$idney", "spleen", "consensus"]
    means = [line.get_xdata()[0] for line in ax.lines if line.get_label() == "_mean"]
    assert means == pytest.approx([one.mean_tau for one in (*tasks().by_task, tasks())])


def test_tied_resamples_are_counted() -> None:
    caption = ranking_correlations(ranking_stability(WORKED)).get_xlabel().replace("\n", " ")

    assert "Resamples with a tie of all classifiers are left out (6)." in caption


def test_constant_tau_is_a_line() -> None:
    found = ranking_stability(WORKED + np.array([20.0, 10, 0]))

    assert [line.get_xdata()[0] for line in ranking_correlations(found).lines if line.get_label() == "_constant"] == [1]


def test_map_shows_the_adjusted_pvalues_in_the_order_of_the_ranking() -> None:
    scores = np.array([[x, x + 0.3, x - 0.01 * (x > 0.3)] for x in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)])
    found = ranking_stability(pd.DataFrame(scores, columns=["a", "b", "c"]))
    ax = significance_map(found)

    assert [label.get_text() for label in ax.get_yticklabels()] == ["b", "a", "c"]
    texts = {(round(t.get_position()[1]), round(t.get_position()[0])): t for t in ax.texts}
    assert {place: text.get_text() for place, text in texts.items()} == {
        (0, 1): "0.047",
        (0, 2): "0.047",
        (1, 0): "0.047",
        (1, 2): "0.125",
        (2, 0): "0.047",
        (2, 1): "0.125",
    }
    assert {place for place, text in texts.items() if text.get_fontweight() == "bold"} == {(0, 1), (0, 2)}


def test_comparison_is_plotted_as_its_stability() -> None:
    """Without the option, the datasets are drawn as the option draws them."""
    table = example_table("demsar-2006")
    found = compare(table, stability=True)

    texts = [[t.get_text() for t in rank_frequencies(one).texts] for one in (found.stability, found, compare(table))]
    assert texts[0] == texts[1] == texts[2]
    assert ranking_correlations(found).texts[0].get_text() == f"{found.stability.mean_tau:.2f}"
    assert "resamples of the 14 datasets" in rank_frequencies(found).get_xlabel().replace("\n", " ")


@pytest.mark.long
def test_of_many_classifiers_the_best_are_shown(assert_legible) -> None:
    """The ranks are those among all classifiers."""
    scores = np.random.default_rng(0).normal(0, 0.3, (30, 60)) + np.linspace(1, 0, 60)
    found = ranking_stability(scores, n_resamples=300)
    ax = rank_frequencies(found)

    assert_legible(ax)
    assert len(ax.get_yticklabels()) == 40
    assert "The plot shows the best 40 of 60 classifiers." in ax.get_xlabel().replace("\n", " ")
    assert ax.get_xlim()[1] == np.flatnonzero(found.frequencies[found.ranks <= 40].any(axis=0))[-1] + 1.6
    assert len(rank_frequencies(found, max_shown=3).get_yticklabels()) == 3


def test_refused() -> None:
    with pytest.raises(InvalidTypeError, match="must be a result of compare, ranking_stability or consensus_ranking"):
        rank_frequencies(WORKED)
    with pytest.raises(InvalidTypeError, match="found must be a result of ranking_stability"):
        significance_map(tasks())
    with pytest.raises(InvalidTypeError, match="or a mapping of names to results"):
        ranking_correlations(WORKED)
    with pytest.raises(InvalidValueError, match="at least one result"):
        ranking_correlations({})
    with pytest.raises(InvalidValueError, match="'mean' has none"):
        ranking_correlations(ranking_stability([[1.0, 1.0], [2.0, 2.0]]))
