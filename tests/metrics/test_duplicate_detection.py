"""Near copies across folds: all comparisons, texts by hand, what is refused."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from evalstats import EvalstatsError
from evalstats.metrics import near_duplicates

RNG = np.random.default_rng(0)
CASES = np.round(RNG.random((60, 2)), 1)
FOLD = RNG.integers(0, 3, 60)


@pytest.mark.parametrize("tolerance", [0.0, 0.05, 0.2])
def test_pairs_of_numbers_are_those_of_all_comparisons(tolerance):
    unit = (CASES - CASES.min(axis=0)) / np.ptp(CASES, axis=0)
    wanted = [
        (i, j)
        for i, j in combinations(range(60), 2)
        if FOLD[i] != FOLD[j] and abs(unit[i] - unit[j]).max() <= tolerance + 1e-9
    ]
    found = near_duplicates(CASES, FOLD, tolerance=tolerance)

    assert sorted(map(tuple, found.pairs.tolist())) == wanted
    assert found.has_near_duplicate.tolist() == [any(i in pair for pair in wanted) for i in range(60)]
    assert found.proportion == found.has_near_duplicate.mean()


def test_pairs_of_texts_are_those_of_all_comparisons():
    words = ["cat", "dog", "sat", "mat", "on", "the"]
    texts = [" ".join(RNG.choice(words, 5)) for _ in range(40)]
    fold = np.arange(40) % 4

    def pieces(text):
        return {text[i : i + 3] for i in range(len(text) - 2)}

    wanted = [
        (i, j)
        for i, j in combinations(range(40), 2)
        if fold[i] != fold[j]
        and len(pieces(texts[i]) & pieces(texts[j])) >= 0.6 * len(pieces(texts[i]) | pieces(texts[j]))
    ]
    found = near_duplicates(texts, fold, similarity=0.6, shingle=3)

    assert sorted(map(tuple, found.pairs.tolist())) == wanted
    assert wanted


def test_rounding_does_not_part_twins():
    """.49999 and .50001 round to different tenths, and are nearly the same."""
    assert near_duplicates([[0.49999], [0.50001], [0.0], [1.0]], [0, 1, 0, 1], tolerance=1e-4).pairs.tolist() == [
        [0, 1]
    ]


def test_twins_of_one_fold_do_no_harm():
    found = near_duplicates([[1.0], [1.0], [2.0]], [0, 0, 1])

    assert (found.proportion, found.n_pairs_within_folds) == (0, 1)


def test_contradicting_labels_are_counted():
    assert near_duplicates([[1.0], [1.0], [2.0]], [0, 1, 1], y_true=["a", "b", "a"]).n_conflicting == 1


def test_case_and_spaces_do_not_matter_in_texts():
    assert near_duplicates(["A  cat\n", "a cat"], ["x", "y"], similarity=1).proportion == 1


@pytest.mark.parametrize(
    ("cases", "choices", "message"),
    [
        ([[1.0], [2.0]], {}, "must have the same length"),
        ([[1.0], [np.nan], [2.0]], {}, "X must be finite"),
        ([[1.0]] * 3, {"tolerance": 1}, "tolerance must be at least 0"),
        (["a"] * 3, {"similarity": 0}, "similarity must be greater than 0"),
        (["a"] * 3, {"shingle": 0}, "shingle must be at least 1"),
        ("abc", {}, "not one string"),
        ([["a"]] * 3, {}, "one string for each instance"),
        ([[1.0]] * 3, {"y_true": [1]}, "must have the same length"),
    ],
)
def test_bad_input_is_refused(cases, choices, message):
    with pytest.raises(EvalstatsError, match=message):
        near_duplicates(cases, [0, 1, 1], **choices)


def test_fold_of_every_case_must_be_known():
    with pytest.raises(EvalstatsError, match=r"fold must be finite, but fold\[0\] is nan"):
        near_duplicates(["a b", "a b"], [np.nan, 1])
    with pytest.raises(EvalstatsError, match="fold must not contain missing labels"):
        near_duplicates(["a b", "a b"], ["one", None])


def test_few_kinds_of_case_are_refused_before_the_memory_is_full():
    with pytest.raises(EvalstatsError, match="X must hold mostly different instances"):
        near_duplicates(np.zeros((10_000, 1)), np.arange(10_000) % 2)
