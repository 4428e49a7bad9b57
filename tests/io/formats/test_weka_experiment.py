from __future__ import annotations

import csv
from pathlib import Path

import pytest

from evalstats.io.formats.weka_experiment import _direction_of
from evalstats.metrics.directions import direction_of

SAMPLES = Path(__file__).parents[2] / "data" / "formats" / "weka"


def measures(name: str) -> list[str]:
    with (SAMPLES / name).open(newline="") as file:
        header = next(csv.reader(file))
    sizes = ("Number_of_training_instances", "Number_of_testing_instances")
    return [one for one in header if one not in ("Date_time", "Summary", *sizes) and not one.startswith("Key_")]


@pytest.mark.parametrize("name", ["experiment.csv", "splits.csv"])
def test_every_measure_that_weka_writes_has_a_direction_unless_it_is_of_the_data(name) -> None:
    """The entropy of the prior classes is no merit of a classifier."""
    unknown = [one for one in measures(name) if _direction_of(one) is None]

    assert unknown == ["SF_prior_entropy", "SF_mean_prior_entropy"]


def test_directions_agree_with_the_words_of_the_names() -> None:
    told = {name: direction_of(name) for name in measures("experiment.csv")}

    assert [name for name, words in told.items() if words is not None and _direction_of(name) not in (words, None)] == [
        "SF_entropy_gain",
        "SF_mean_entropy_gain",
    ]


@pytest.mark.parametrize(
    ("name", "greater_is_better"),
    [
        ("Matthews_correlation", True),
        ("Weighted_avg_area_under_PRC", True),
        ("Unweighted_micro_avg_F_measure", True),
        ("Size_of_Predicted_Regions", False),
        ("measureTreeSize", None),
    ],
)
def test_measures_of_later_versions(name, greater_is_better) -> None:
    assert _direction_of(name) is greater_is_better
