"""The same cases for all classifiers: sorted rows, and what is said where they differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from evalstats import EvalstatsWarning, TableError
from evalstats.io.layouts.predictions import CaseKeys, _check_cases, sorted_rows
from evalstats.io.reader.opening import grid_of

GRID = grid_of({"a": list(range(1, 9)), "b": list(range(1, 9))}, None, "utf-8", None)


def keys(**changed: list[int] | None) -> CaseKeys:
    """Two classifiers on four cases in two folds."""
    usual: dict[str, Any] = {
        "dataset": [0] * 8,
        "classifier": [0] * 4 + [1] * 4,
        "repeat": [0] * 8,
        "case": [0, 1, 2, 3] * 2,
        "fold": [0, 1, 0, 1] * 2,
        "label": [0, 0, 1, 1] * 2,
        "n_instances": None,
    }
    return CaseKeys(**{name: None if v is None else np.array(v) for name, v in {**usual, **changed}.items()})


def check(found: CaseKeys, *, has_cases: bool = True) -> None:
    _check_cases(GRID, found, sorted_rows(found, None, None), ["d"], ["x", "y"], has_cases=has_cases, is_told=False)


def test_rows_in_order_are_left_where_they_are() -> None:
    assert sorted_rows(keys(), None, None) is None


@pytest.mark.parametrize("huge", [False, True])
def test_rows_are_sorted_by_their_keys_whatever_their_size(huge: bool) -> None:
    """Keys that no whole number of 64 bits can join are sorted one by one."""
    rng = np.random.default_rng(3)
    order = rng.permutation(8)
    found = keys().sorted_by(order)
    if huge:
        found = CaseKeys(*(key * 2**20 for key in found.columns), None)

    rows = sorted_rows(found, np.arange(8), np.arange(8.0))

    assert rows is not None
    assert order[rows].tolist() == list(range(8))


def test_scores_decide_where_all_else_is_equal() -> None:
    found = keys(case=[0] * 8, classifier=[0] * 8, fold=[0] * 8, label=[0] * 8)
    scores = np.array([3.0, 1, 2, 8, 7, 6, 5, 4])

    rows = sorted_rows(found, None, scores)

    assert rows is not None
    assert scores[rows].tolist() == sorted(scores)


def test_same_cases_pass() -> None:
    check(keys())
    check(keys(case=[0] * 8), has_cases=False)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"case": [0, 0, 2, 3] * 2, "fold": [0] * 8}, "rows 1 and 2 are the same for 'd' / 'x'"),
        ({"label": [0, 0, 1, 1, 1, 0, 1, 1]}, "the instance of rows 1 and 5 of dataset 'd' has two"),
        ({"case": [0, 1, 2, 3, 0, 1, 2, 4]}, "the instance of row 4 of 'x' is not among the instances of 'y'"),
    ],
)
def test_cases_that_differ_are_named(changed: Any, message: str) -> None:
    with pytest.raises(TableError, match=message):
        check(keys(**changed))


def test_labels_are_counted_where_cases_have_no_names() -> None:
    changed = keys(case=[0] * 8, label=[0, 0, 1, 1, 0, 1, 1, 1])

    with pytest.raises(TableError, match="'x' and 'y' have different counts of the true labels"):
        check(changed, has_cases=False)


def test_a_row_may_stand_for_many_cases() -> None:
    """One row for two cases is what two rows for one case each are."""
    found = keys(case=[0] * 8, fold=[0] * 8, label=[0, 1, 2, 3, 0, 1, 2, 3], n_instances=[5, 1, 2, 3, 5, 1, 2, 3])
    check(found, has_cases=False)

    with pytest.raises(TableError, match="different counts of the true labels"):
        check(found._replace(n_instances=np.array([5, 1, 2, 3, 4, 1, 2, 3])), has_cases=False)


def test_other_folds_are_warned_of() -> None:
    with pytest.warns(EvalstatsWarning, match="'x' and 'y' were tested in different folds of dataset 'd'"):
        check(keys(fold=[0, 1, 0, 1, 1, 0, 0, 1]))
