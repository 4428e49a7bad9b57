"""Scores that may be in two units, and scores that their metric cannot have."""

from __future__ import annotations

import math

import numpy as np
import pytest

import evalstats
from evalstats.metrics import METRICS
from evalstats.tables.score_checks import _limits_of_metric, range_findings, scale_doubts

NAMES = ("baseline", "candidate")
OLD = np.array([0.85, 0.81, 0.89, 0.83, 0.86, 0.84])


def doubts(old, new, metric="accuracy", unit="", *, greater_is_better=True):
    scores = np.stack([old, new], axis=1)
    datasets = [f"d{i}" for i in range(len(scores))]
    found = scale_doubts(scores, datasets, NAMES, metric=metric, unit=unit, greater_is_better=greater_is_better)
    return [one.code for one in found]


def test_limits_are_those_of_the_catalogue():
    """By the words of the name, without the metrics being loaded; targets of a regression have none."""
    finite = {name: one.range for name, one in METRICS.items() if math.isfinite(one.range[1] - one.range[0])}
    finite["root_mean_squared_error"] = None

    assert {name: _limits_of_metric(name) for name in METRICS} == {name: finite.get(name) for name in METRICS}


@pytest.mark.parametrize(
    "name", ["neg_error_rate", "accuracy loss", "AUC rank", "log_loss", "rmse", "1 - kappa", "speed"]
)
def test_names_that_tell_no_limits(name):
    assert _limits_of_metric(name) is None


@pytest.mark.parametrize("metric", ["accuracy", "score", "reward", "MCC"])
@pytest.mark.parametrize("factors", [(1, 100), (100, 1)])
def test_shares_against_percentages_are_doubted(metric, factors):
    assert doubts(OLD * factors[0], (OLD - 0.3) * factors[1], metric)


@pytest.mark.parametrize("metric", ["accuracy", "error rate", "score", "reward", "wer", "MCC"])
@pytest.mark.parametrize("factor", [1, 100])
def test_one_unit_is_not_doubted(metric, factor):
    assert doubts(OLD * factor, (OLD - 0.1) * factor, metric) == []


def test_one_dataset_in_another_unit_is_doubted():
    new = OLD.copy()
    new[2] = 54

    assert doubts(OLD, new) == doubts(OLD, new, "reward") == ["beyond-the-scale"]
    assert doubts(OLD * 100, np.where(new > 1, 0.5, new * 100)) == ["another-scale"]


def test_small_percentages_of_errors_are_no_doubt():
    """Error rates of 2 to 4 per cent are usual, accuracies of so much are shares that went wrong."""
    few = OLD * 4

    assert doubts(few, few + 0.1, "error rate", greater_is_better=False) == []
    assert doubts(few, few + 0.1) == ["out-of-range"]


def test_sign_of_per_cent_settles_it():
    assert doubts(OLD, OLD + 50, unit="%") == []
    assert doubts(OLD, OLD + 150, unit="%") == ["out-of-range"]


@pytest.mark.parametrize(
    ("metric", "score", "found"), [("mcc", -3.0, 1), ("accuracy", 130.0, 1), ("brier", 2.5, 1), ("accuracy", 55.0, 0)]
)
def test_scores_that_a_metric_cannot_have(metric, score, found):
    scores = np.array([[score, 0.5], [60.0 if score > 2.5 else 0.5, 0.6]])

    assert len(range_findings(scores, ["a", "b"], NAMES, metric, "")) == (found if metric != "mcc" else 0)
    assert len(range_findings(scores / 100, ["a", "b"], NAMES, metric, "")) == 0


def test_compare_notes_them():
    rows = {"dataset": list("abcdef"), "x": [0.8, 0.7, 0.9, 0.8, 0.7, -0.2], "y": [0.7, 0.8, 0.6, 0.7, 0.7, 0.8]}

    found = evalstats.read_table(rows, metric="accuracy").findings

    assert any(
        "must lie between 0 and 1, or 0 and 100 in percent, but these do not: 'f' / 'x' (-0.2)" in one.sentence
        for one in found
    )
