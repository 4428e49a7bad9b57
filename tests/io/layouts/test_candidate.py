"""What every layout makes of its cells."""

from __future__ import annotations

import io

import numpy as np
import pytest

from evalstats import read_table
from evalstats.io.layouts.candidate import is_better_greater
from evalstats.tables.errors import TableError


@pytest.mark.parametrize(
    ("metric", "expected"), [("score", True), ("AUC", True), ("test error", False), ("NLL", False)]
)
def test_more_is_better_unless_the_name_says_otherwise(metric: str, expected: bool) -> None:
    assert is_better_greater(metric) is expected


def test_all_scores_or_none_have_a_percent_sign() -> None:
    with pytest.raises(TableError, match="written with % or none"):
        read_table(io.StringIO("fold,NB,SVM\n1,93%,0.9\n2,91%,0.8\n"))
    assert read_table(io.StringIO("fold,NB,SVM\n1,93%,90%\n2,91%,80%\n")).unit == "%"


def test_places_of_missing_scores_are_named() -> None:
    with pytest.raises(TableError, match="'b' / 'SVM'"):
        read_table({"dataset": ["a", "b"], "NB": [0.9, 0.8], "SVM": [0.7, np.nan]})
