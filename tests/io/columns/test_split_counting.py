from __future__ import annotations

import numpy as np
import pytest

from evalstats import InvalidValueError, TableError
from evalstats.io.columns.roles import counted_splits, splits_by_cases, told_folds
from evalstats.io.options import Asked


@pytest.mark.parametrize(("k", "r"), [(2, 1), (2, 5), (5, 2), (10, 10)])
def test_folds_are_found_in_any_repeated_cross_validation(k, r) -> None:
    rng = np.random.default_rng(k * r)
    tests = [part for _ in range(r) for part in np.array_split(rng.permutation(37), k)]

    repeats, folds = splits_by_cases(tests)

    assert repeats == [i // k + 1 for i in range(k * r)]
    assert folds == [i % k + 1 for i in range(k * r)]


def test_leaving_one_out_is_one_cross_validation() -> None:
    assert splits_by_cases([[i] for i in range(7)]) == ([1] * 7, [1, 2, 3, 4, 5, 6, 7])


@pytest.mark.parametrize("tests", [[[0, 1], [1, 2]], [[0, 1], [2, 3], [0, 4], [1, 2]], [[0, 1]], [[0, 0], [1, 1]]])
def test_random_splits_are_repeats(tests) -> None:
    assert splits_by_cases(tests) == (list(range(1, len(tests) + 1)), [1] * len(tests))


def test_counted_splits_are_told_or_assumed_or_asked() -> None:
    assert counted_splits("x", 6, Asked(n_folds=3), is_one_dataset=True) == ([1, 1, 1, 2, 2, 2], [1, 2, 3] * 2, [])
    assert counted_splits("x", 30, Asked(), is_one_dataset=False)[2] == []
    assert [one.severity for one in counted_splits("x", 10, Asked(), is_one_dataset=True)[2]] == ["warning"]
    with pytest.raises(TableError, match="x has 11 splits"):
        counted_splits("x", 11, Asked(), is_one_dataset=True)
    with pytest.raises(InvalidValueError, match="n_folds must divide"):
        counted_splits("x", 10, Asked(n_folds=0), is_one_dataset=True)


def test_folds_of_one_dataset_may_be_splits_of_several_repeats() -> None:
    folds = [str(i) for i in range(12)]

    assert told_folds("x", folds, ["d"] * 12, Asked(n_folds=3))[0]["repeat"] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    assert told_folds("x", folds, ["d", "e"] * 6, Asked())[0] == {"fold": list(range(1, 13))}
    with pytest.raises(TableError, match="x has 12 splits"):
        told_folds("x", folds, ["d"] * 12, Asked())
