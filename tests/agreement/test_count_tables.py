"""Tables of counts: whole numbers, as many rows as columns, the same labels on both sides."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import InvalidValueError
from evalstats.agreement import count_tables as tables


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
        ([[0, 0], [0, 0]], "at least one case, but table is all 0"),
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
