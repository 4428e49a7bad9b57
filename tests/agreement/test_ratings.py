"""Ratings of several raters: missing ones are known whatever they are written as."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidValueError
from evalstats.agreement import ratings
from evalstats.agreement import ratings as tables


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_missing_ratings_are_known(nothing: object) -> None:
    """Text beside nan stays text beside nan; numpy alone would make it the label 'nan'."""
    understood = ratings.understand([["a", nothing], ["b", "a"]])

    np.testing.assert_array_equal(understood.is_given, [[True, False], [True, True]])


def test_masked_ratings_are_missing() -> None:
    understood = ratings.understand(np.ma.masked_array([[1, 2], [3, 1]], [[False, True], [False, False]]))

    np.testing.assert_array_equal(understood.is_given, [[True, False], [True, True]])


def test_counts_leave_out_what_is_missing() -> None:
    counts, labels = ratings.label_counts(ratings.understand([["a", None], ["b", "a"]]), None)

    np.testing.assert_array_equal(counts, [[1, 0], [1, 1]])
    assert labels == ("a", "b")


def test_listed_labels_may_not_occur() -> None:
    assert ratings.label_codes(ratings.understand([[1, 2], [2, 2]]), [1, 2, 3])[1] == (1, 2, 3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 2, 3], "with at least one instance"),
        ([[1], [2]], "two raters or more"),
        ([[None, None]], "all are missing"),
        (np.empty((0, 2)), "with at least one instance"),
    ],
)
def test_what_is_no_table_of_ratings_is_refused(given: object, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        ratings.understand(given)


def test_labels_of_a_frame_are_the_labels_of_the_table() -> None:
    frame = pd.DataFrame([[3, 1], [0, 4]], index=["no", "yes"], columns=["no", "yes"])

    table, labels = tables.square_table(frame)

    np.testing.assert_array_equal(table, [[3, 1], [0, 4]])
    assert labels == ("no", "yes")


def test_labels_of_an_array_are_numbers() -> None:
    assert tables.square_table([[1, 0], [0, 1]])[1] == (0, 1)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2]], "1 rows and 2 columns"),
        ([[0, 0], [0, 0]], "at least one instance, but table is all 0"),
        ([[[1, 0], [0, 1]], [[0, 0], [0, 0]]], r"table\[1\] is all 0"),
        ([[1, -1], [0, 1]], r"table\[0, 1\] is -1"),
        ([[1, 0.5], [0, 1]], r"table\[0, 1\] is 0.5"),
        ([1, 2], r"must have the shape \(..., k, k\)"),
        (pd.DataFrame([[1, 0], [0, 1]], index=["a", "b"], columns=["b", "a"]), "the same labels in the same order"),
    ],
)
def test_what_is_no_table_is_refused(table: object, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        tables.square_table(table)
