"""Tables of classifiers and several measures."""

from __future__ import annotations

import pandas as pd
import pytest

from evalstats.multiple.metric_table import understand_measures


def test_names_are_those_of_a_frame() -> None:
    frame = pd.DataFrame({"accuracy": [0.9, 0.8], "seconds": [3, 4]}, index=["NB", "SVM"])

    table = understand_measures(frame, [True, False], None, None)

    assert (table.classifiers, table.measures) == (("NB", "SVM"), ("accuracy", "seconds"))
    assert table.merits.tolist() == [[0.9, -3], [0.8, -4]]


def test_names_are_numbers_where_there_are_none() -> None:
    table = understand_measures([[1, 2]], True, None, ["a", "b"])

    assert (table.classifiers, table.measures) == (("classifier 1",), ("a", "b"))


class TestMessages:
    def test_shape(self) -> None:
        with pytest.raises(ValueError, match=r"scores must have the shape \(n_classifiers, n_measures\)"):
            understand_measures([1, 2], True, None, None)

    def test_directions(self) -> None:
        with pytest.raises(ValueError, match="one value for each of the 2 measures, but it holds 1"):
            understand_measures([[1, 2]], [True], None, None)
        with pytest.raises(TypeError, match="greater_is_better must be True or False, or one of them for each measure"):
            understand_measures([[1, 2]], "yes", None, None)

    def test_names(self) -> None:
        with pytest.raises(ValueError, match="classifiers must hold a name for each of 2, but it holds 1"):
            understand_measures([[1, 2], [2, 1]], True, ["a"], None)
        with pytest.raises(ValueError, match="measures must be different from each other, but 'a' is there twice"):
            understand_measures([[1, 2]], True, None, ["a", "a"])

    def test_nan(self) -> None:
        with pytest.raises(ValueError, match=r"scores must be finite, but scores\[0, 1\] is nan"):
            understand_measures([[1, float("nan")]], True, None, None)
