"""Selections of datasets: a loop over all, laws, sampling."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import rankdata

from evalstats import EvalstatsError, example_table
from evalstats.design import dataset_selection_sensitivity

SCORES = np.round(np.random.default_rng(3).random((8, 4)), 1)


def test_shares_are_those_of_a_loop_over_all_selections():
    ranks = np.array([rankdata(-row) for row in SCORES])
    wins, n = np.zeros(4), 0
    for chosen in combinations(range(8), 3):
        sums = ranks[list(chosen)].sum(axis=0)
        wins += (sums == sums.min()) / (sums == sums.min()).sum()
        n += 1

    found = dataset_selection_sensitivity(SCORES, n_selected=3)

    assert found.win_proportion == pytest.approx(wins / n)
    assert (found.n_selections, found.is_exact, found.seed) == (n, True, None)


def test_best_selection_shows_each_classifier_in_its_best_light():
    found = dataset_selection_sensitivity(SCORES, n_selected=3)
    ranks = np.array([rankdata(-row) for row in SCORES])

    for i, chosen in enumerate(found.best_selection):
        sums = ranks[chosen].sum(axis=0)
        best = max(
            np.delete(ranks[list(other)].sum(axis=0), i).min() - ranks[list(other)].sum(axis=0)[i]
            for other in combinations(range(8), 3)
        )
        assert np.delete(sums, i).min() - sums[i] == best
        assert found.wins_somewhere[i] == (best > 0)


def test_all_datasets_are_one_selection():
    table = example_table("japkowicz-accuracy")
    found = dataset_selection_sensitivity(table.scores, n_selected=10)

    assert found.win_proportion.tolist() == [0, 0, 0, 1]
    assert found.best_selection[0].tolist() == list(range(10))


def test_order_of_datasets_does_not_matter_to_shares():
    one, other = (
        dataset_selection_sensitivity(SCORES, n_selected=2),
        dataset_selection_sensitivity(SCORES[::-1], n_selected=2),
    )

    assert one.win_proportion.tolist() == pytest.approx(other.win_proportion.tolist())


def test_direction():
    one = dataset_selection_sensitivity(SCORES, n_selected=2)
    other = dataset_selection_sensitivity(-SCORES, n_selected=2, greater_is_better=False)

    assert one.win_proportion.tolist() == other.win_proportion.tolist()


def test_many_selections_are_sampled():
    scores = np.random.default_rng(1).random((40, 3)) + np.array([0, 0, 0.05])
    one, other = (dataset_selection_sensitivity(scores, n_selected=20, rng=2) for _ in range(2))

    assert (one.is_exact, one.n_selections, one.seed) == (False, 20_000, 2)
    assert one.win_proportion.tolist() == other.win_proportion.tolist()
    assert one.win_proportion.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("choices", "message"),
    [({"n_selected": 9}, "n_selected must be at most the number of datasets, 8"), ({"n_selected": 0}, "at least 1")],
)
def test_bad_choices_are_refused(choices, message):
    with pytest.raises(EvalstatsError, match=message):
        dataset_selection_sensitivity(SCORES, **choices)
