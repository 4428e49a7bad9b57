"""Splits divide the cases as their scheme says, and the same seed divides them the same way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.study.splits import SCHEMES, Splitting, check_size, seeds_of, understand_splits


def splitting(scheme: str, **choices: Any) -> Splitting:
    usual = {"dataset": "d", "seed": 1, "folds": 5, "test_size": 0.25, "stratify": True}
    return Splitting(scheme=scheme, **(usual | choices))


def splits(scheme: str, codes: np.ndarray, repeat: int = 1, **choices: Any) -> list[tuple[np.ndarray, np.ndarray]]:
    return list(splitting(scheme, **choices).of_repeat(repeat, codes))


def test_57_cases_in_ten_folds() -> None:
    """The labour data of 57 rows: seven folds of 6 and three of 5."""
    sizes = [len(test) for _, test in splits("k-fold", np.zeros(57, dtype=int), folds=10)]

    assert sorted(sizes) == [5] * 3 + [6] * 7


@given(st.lists(st.integers(0, 3), min_size=5, max_size=60), st.integers(2, 5), st.booleans())
def test_folds_test_every_case_once_and_deal_out_classes_evenly(codes: list[int], folds: int, stratify: bool) -> None:
    y = np.array(codes)
    parts = splits("k-fold", y, folds=folds, stratify=stratify)

    np.testing.assert_array_equal(np.sort(np.concatenate([test for _, test in parts])), np.arange(len(y)))
    assert np.ptp([len(test) for _, test in parts]) <= 1
    for train, test in parts:
        np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(len(y)))
    if stratify:
        counts = np.array([np.bincount(y[test], minlength=4) for _, test in parts])
        assert np.ptp(counts, axis=0).max() <= 1


@given(st.lists(st.integers(0, 3), min_size=2, max_size=60), st.floats(0.05, 0.95))
def test_hold_out_keeps_the_shares_of_classes(codes: list[int], share: float) -> None:
    y = np.array(codes)
    ((train, test),) = splits("hold-out", y, test_size=share)

    np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(len(y)))
    assert len(train)
    assert len(test)
    assert abs(len(test) - share * len(y)) <= 1
    assert (np.abs(np.bincount(y[test], minlength=4) - share * np.bincount(y, minlength=4)) <= 1).all()


def test_bootstrap_sample_holds_63_percent_of_the_cases() -> None:
    """Efron & Tibshirani (1997): a case is in a sample of n from n with probability 1 - (1 - 1/n)^n, about .632."""
    y = np.zeros(500, dtype=int)
    samples = [splits("e0", y, repeat)[0] for repeat in range(1, 201)]

    assert all(len(train) == 500 for train, _ in samples)
    assert all(len(np.intersect1d(train, test)) == 0 for train, test in samples)
    assert np.mean([len(np.unique(train)) for train, _ in samples]) / 500 == pytest.approx(0.632, abs=0.003)


def test_bootstrap_sample_of_two_leaves_one_out() -> None:
    for repeat in range(1, 30):
        ((train, test),) = splits(".632", np.array([0, 1]), repeat)
        assert train[0] == train[1] == 1 - test.item()


def test_temporal_blocks_are_tested_by_what_came_before() -> None:
    parts = splits("temporal", np.zeros(9, dtype=int), folds=2)

    assert [(train.tolist(), test.tolist()) for train, test in parts] == [
        ([0, 1, 2], [3, 4, 5]),
        ([0, 1, 2, 3, 4, 5], [6, 7, 8]),
    ]


def test_leave_one_out() -> None:
    parts = splits("leave-one-out", np.array([0, 1, 1]))

    assert [(train.tolist(), test.tolist()) for train, test in parts] == [([1, 2], [0]), ([0, 2], [1]), ([0, 1], [2])]


def test_precomputed_splits_are_cut_into_repeats() -> None:
    pairs = understand_splits([([0], [1]), ([1], [0]), ([0], [2]), ([2], [0])], {"d": 3})["d"]
    second = splits("precomputed", np.zeros(3, dtype=int), 2, folds=2, given=pairs)

    assert [(train.tolist(), test.tolist()) for train, test in second] == [([0], [2]), ([2], [0])]


@pytest.mark.parametrize("scheme", [s for s in SCHEMES if s not in ("leave-one-out", "temporal", "precomputed")])
def test_splits_depend_on_seed_dataset_and_repeat_only(scheme: str) -> None:
    y = np.tile([0, 1], 30)

    def first(**changed: Any) -> list[int]:
        return splits(scheme, y, changed.pop("repeat", 1), **changed)[0][1].tolist()

    assert first() == first()
    assert all(first() != first(**changed) for changed in ({"repeat": 2}, {"seed": 2}, {"dataset": "e"}))


def test_seeds_do_not_touch_the_global_state() -> None:
    np.random.seed(1)  # noqa: NPY002 - the global state is what is tested
    before = np.random.get_state()[1].tolist()  # noqa: NPY002 - as above
    splits("k-fold", np.zeros(20, dtype=int))

    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002 - as above
    assert seeds_of(1, "a").generate_state(1) != seeds_of(1, "b").generate_state(1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "at least one pair"),
        ([([0], [9])], "row numbers below 3, but one is 9"),
        ([([0], [])], "one or more row numbers"),
        ([([0.5], [1])], "one or more row numbers"),
        ("all", "pairs of training and test instances"),
        ([1, 2], "pairs of training and test instances"),
        ({"other": []}, "'d' is missing"),
    ],
)
def test_wrong_splits_are_refused(given: Any, message: str) -> None:
    with pytest.raises((InvalidValueError, InvalidTypeError), match=message):
        understand_splits(given, {"d": 3})


def test_too_few_cases_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="dataset 'd' has 5 instances, but k-fold needs 10 or more"):
        check_size("k-fold", "d", 5, 10)
