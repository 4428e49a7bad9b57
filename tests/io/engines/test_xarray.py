"""Labeled arrays of xarray are tables by their dimensions."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

import evalstats
from evalstats.io.engines.opening import frame_grid

xr = import_module("xarray")
SCORES = np.array([[0.1, 0.2], [0.5, 0.4], [0.3, 0.9]])


def test_array_of_two_dimensions_is_a_wide_table() -> None:
    labels = {"dataset": ["x", "y", "z"], "classifier": ["a", "b"]}
    table = evalstats.read_table(xr.DataArray(SCORES, dims=list(labels), coords=labels))

    assert (table.scores == SCORES).all()
    assert (table.datasets, table.classifiers) == (("x", "y", "z"), ("a", "b"))


def test_array_of_three_dimensions_has_folds() -> None:
    labels = {"dataset": ["x", "y"], "fold": [1, 2, 3], "classifier": ["a", "b"]}
    folds = np.stack([SCORES, 2 * SCORES])
    table = evalstats.read_table(xr.DataArray(folds, dims=list(labels), coords=labels, name="accuracy"))

    assert table.metric == "accuracy"
    assert table.scores == pytest.approx(folds.mean(axis=1))


def test_variables_of_a_dataset_are_columns() -> None:
    cases = {"classifier": ["a", "b"], "row": [0, 1, 2]}
    right = xr.Dataset(
        {
            "y_true": (("row",), ["u", "v", "u"]),
            "y_pred": (("classifier", "row"), [["u", "v", "u"], ["v", "v", "u"]]),
            "dataset": ((), "d"),
        },
        coords=cases,
    )

    assert evalstats.read_table(right).scores.round(3).tolist() == [[1.0, 0.667]]


def test_single_value_is_no_table() -> None:
    with pytest.raises(evalstats.InvalidValueError, match="it is a single value"):
        frame_grid(xr.DataArray(1.0))
