"""value_findings(): scores that look wrong are noted, others are not."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import read_table
from evalstats.tables.score_checks import value_findings

SCORES = np.array([[0.81, 0.79, 0.70], [0.64, 0.66, 0.60], [0.70, 0.65, 0.62], [0.93, 0.91, 0.90], [0.55, 0.50, 0.52]])
NAMES = ("a", "b", "c")
DATASETS = tuple("vwxyz")


def codes(scores: np.ndarray) -> list[str]:
    return [finding.code for finding in value_findings(scores, DATASETS[: len(scores)], NAMES)]


@pytest.mark.parametrize("scale", [1, 100, -1, 1e-6, 1e300])
def test_usual_scores_are_not_noted(scale: float) -> None:
    assert codes(SCORES * scale) == []


def test_shares_beside_percentages() -> None:
    assert codes(SCORES * [100, 1, 100]) == ["another-scale"]


def test_copies() -> None:
    assert codes(SCORES[:, [0, 1, 1]]) == ["equal-columns"]
    assert codes(SCORES[:2, [0, 1, 1]]) == []


def test_zeros_of_failed_runs_are_named_with_their_place() -> None:
    scores = SCORES.copy()
    scores[2, 1] = 0

    (found,) = value_findings(scores, DATASETS, NAMES)

    assert found.code == "zeros"
    assert "'x' / 'b' (0)" in found.sentence


def test_missing_scores_do_not_matter() -> None:
    scores = SCORES.copy()
    scores[2, 1] = np.nan

    assert codes(scores) == []


def test_datasets_on_another_scale_are_noted() -> None:
    scores = np.array([[93.0, 95.0, 91.0], [0.7, 0.75, 0.8], [88.0, 80.0, 85.0]])

    (found,) = value_findings(scores, ["a", "b", "c"], ["x", "y", "z"])

    assert found.code == "rows-of-another-scale"
    assert found.sentence == "The scores of the dataset 'b' are on a different scale from the other scores."
    assert value_findings(scores[[0, 2]], ["a", "c"], ["x", "y", "z"]) == ()


def test_another_scale_is_seen_beside_a_few_low_percentages() -> None:
    scores = np.array([[93.0, 95.0, 5.0], [0.7, 0.75, 0.8], [88.0, 80.0, 8.5], [60.0, 70.0, 65.0]])

    assert [one.code for one in value_findings(scores, list("abcd"), ["x", "y", "z"])] == ["rows-of-another-scale"]


@pytest.mark.parametrize("mark", [-1.0, -999.0])
def test_a_negative_mark_of_a_failed_run_is_noted(mark: float) -> None:
    scores = np.full((4, 3), [60.0, 70.0, 80.0]) + np.arange(4)[:, None]
    scores[2, 1] = mark

    (found,) = value_findings(scores, list("abcd"), ["x", "y", "z"])

    assert found.code == "negative-marks"
    assert found.sentence.startswith(f"All negative scores are {mark:g}, which may mark failed runs: 'c' / 'y'")


def test_metrics_that_may_be_negative_are_not_noted() -> None:
    scores = np.full((4, 3), [0.6, 0.7, 0.8]) + np.arange(4)[:, None] / 100
    scores[2, 1] = -0.03  # a correlation that is hardly one

    assert value_findings(scores, list("abcd"), ["x", "y", "z"]) == ()


def test_small_scores_of_an_unknown_metric_are_noted() -> None:
    rows = {"dataset": ["a", "b"], "LR": [0.1, 0.19], "NB": [0.05, 0.0]}

    assert [one.code for one in read_table(rows).findings] == ["small-scores"]
    for known in ({"metric": "error"}, {"metric": "kappa"}, {"greater_is_better": True}):
        assert not any(one.code == "small-scores" for one in read_table(rows, **known).findings)  # type: ignore[arg-type]  # names of arguments
    assert not read_table({**rows, "NB": [0.05, 0.3]}).findings


def test_one_number_far_beyond_the_others_is_noted_in_a_small_table() -> None:
    scores = np.array([[93.0, 95.0, 91.0], [88.0, 99.1, 75.0], [88.0, 80.0, 85.0], [71.0, 64.0, 66.0]])
    odd = np.where(scores == 99.1, 991, scores)

    assert codes(odd) == codes(odd / 100) == ["beyond-the-scale"]
    assert codes(scores) == codes(np.where(scores == 99.1, 150, scores)) == []
    assert codes(np.where(odd == 75, 750, odd)) == []


@pytest.mark.parametrize("scale", [1, 100])
def test_sizes_among_scores(scale: float) -> None:
    """A row or a column of file sizes, speeds or prices is neither a dataset nor a classifier."""
    row, column = SCORES * scale, np.c_[SCORES * scale, [830.0, 1200, 910, 2400, 700]]
    row[2] = [830, 1200, 2400]

    (of_row,) = value_findings(row, DATASETS, NAMES)
    (of_column,) = value_findings(column, DATASETS, (*NAMES, "price"))

    assert of_row.code == of_column.code == "another-unit"
    assert f"at most {scale}, but the scores of the dataset 'x' are far above" in of_row.sentence
    assert "the scores of the classifier 'price' are far above" in of_column.sentence
