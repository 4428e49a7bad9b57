"""Both comparisons tell what a report may rely on, in one way."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import fields

import numpy as np
import pytest

from evalstats import Comparison, InvalidValueError, OneDatasetComparison, compare, example_table
from evalstats.comparison import ComparisonResult

NAN = float("nan")
FOLDS = {
    "dataset": ["d"] * 15,
    "classifier": ["A"] * 5 + ["B"] * 5 + ["C"] * 5,
    "fold": [*range(5)] * 3,
    "acc": [0.81, 0.84, 0.79, 0.90, 0.85, 0.78, 0.82, 0.80, 0.84, 0.83, 0.60, 0.61, 0.59, 0.63, 0.66],
}
MADE: dict[str, Callable[[], Comparison | OneDatasetComparison]] = {
    "pairs": lambda: compare(example_table("demsar-2006")),
    "control": lambda: compare(example_table("demsar-2006"), control="C4.5"),
    "two": lambda: compare(example_table("raeder-2010-seed-216")),
    "two with a control": lambda: compare(example_table("raeder-2010-seed-216"), control="C4.5"),
    "missing": lambda: compare([[1, 2, NAN], [1, 2, 3], [2, 3, NAN], [1, 2, 4], [4, 5, 9]], missing="skillings-mack"),
    "folds": lambda: compare(FOLDS),
    "folds, control": lambda: compare(FOLDS, control="B"),
}
each = pytest.mark.parametrize("name", MADE)


@each
def test_what_a_report_reads_stands_in_both(name: str) -> None:
    comparison = MADE[name]()
    said = comparison.to_dict()

    assert isinstance(comparison, ComparisonResult)
    assert {f.name for f in fields(ComparisonResult) if not f.name.startswith("_")} <= set(said)
    assert [pair["first"] for pair in said["pairs"]] == [pair.first for pair in comparison.pairs]
    assert said["advice"]["test"] == comparison.advice.test


@each
def test_pairs_are_found_in_either_order(name: str) -> None:
    comparison = MADE[name]()

    for pair in comparison.pairs:
        assert comparison.pair(pair.first, pair.second) is comparison.pair(pair.second, pair.first) is pair
    with pytest.raises(InvalidValueError, match="were not compared with each other"):
        comparison.pair(comparison.ranking[0], comparison.ranking[0])


@each
def test_decisions_on_pairs_are_those_of_the_matrix(name: str) -> None:
    comparison = MADE[name]()
    at = comparison.table.classifiers.index

    assert [pair.different for pair in comparison.pairs] == [
        comparison.different[at(pair.first), at(pair.second)] for pair in comparison.pairs
    ]
    assert (comparison.different == comparison.different.T).all()


@each
def test_groups_and_letters_are_of_all_pairs_only(name: str) -> None:
    """Beside a control the others are not compared with each other, also where there is a single other."""
    comparison = MADE[name]()

    if comparison.control is not None:
        assert (comparison.groups, comparison.loose_pairs, comparison.letters) == ((), (), ())
    else:
        assert len(comparison.letters) == comparison.n_classifiers
        for group in comparison.groups:
            at = [comparison.table.classifiers.index(one) for one in group]
            assert not comparison.different[np.ix_(at, at)].any()


@each
def test_record_survives_the_way_to_another_process(name: str) -> None:
    comparison = MADE[name]()

    again = pickle.loads(pickle.dumps(comparison))

    assert str(again.to_dict()) == str(comparison.to_dict())
