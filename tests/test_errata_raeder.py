"""The printed tables of Raeder, Hoens & Chawla (2010) are those of the paper, and say what the page says."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from evalstats.reproducibility import estimation_bias

FOLDER = Path(__file__).parents[1] / "docs" / "errata-raeder-2010"

# of the numbers as printed: a cell that is changed by accident shows
SUMS = {
    "table-1": [32.80, 21.88, 17.24],
    "table-3": [47.22, 53.84, 55.24, 55.12, 51.60, 3104.46, 3100.46, 11814.12, 14099.16, 2709.20, 4444.28],
    "table-4": [5.969, 5.899, 5.785, 6.050, 5.988, 5.876, 6.052, 6.021, 5.875, 6.251, 6.205, 6.319],
    "table-5": [5.942, 5.867, 5.808, 6.031, 5.983, 5.855, 6.060, 6.009, 5.884, 6.251, 6.205, 6.319],
}
# mean squared errors, computed once from the printed numbers
SQUARED = {
    "table-4": [2.745714e-3, 4.558571e-3, 1.132486e-2, 2.033e-3, 3.355857e-3, 8.368714e-3, 2.231571e-3, 2.769429e-3,
                8.571714e-3],
    "table-5": [3.453e-3, 5.671143e-3, 1.009157e-2, 2.336e-3, 3.522571e-3, 9.158286e-3, 2.013571e-3, 3.157714e-3,
                8.266714e-3],
}  # fmt: skip


def read(name: str) -> tuple[list[str], np.ndarray, list[str]]:
    """Return the header, the numbers, and the row that is called MSE."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    mse = next((row for row in rows if row[0] == "row MSE"), [])
    n_words = 1 if mse else 2
    return header, np.array([row[n_words:] for row in rows if row != mse], dtype=float), mse[1:10]


@pytest.mark.parametrize("name", SUMS)
def test_columns_add_up(name: str) -> None:
    _, numbers, _ = read(name)

    np.testing.assert_allclose(numbers.sum(axis=0), SUMS[name], atol=1e-9)


@pytest.mark.parametrize("name", SQUARED)
def test_row_called_mse_is_the_mean_absolute_error(name: str) -> None:
    """Within the rounding of the estimates and the truth, and of the row itself; squared errors are a tenth of it."""
    _, numbers, printed = read(name)

    error = estimation_bias(numbers[:, :9].T, np.tile(numbers[:, 9:], 3).T)

    np.testing.assert_allclose(error.mean_absolute_error, np.array(printed, dtype=float), atol=0.0011)
    np.testing.assert_allclose(error.mean_squared_error, SQUARED[name], rtol=1e-6)


def test_shapes_are_those_of_the_paper() -> None:
    assert read("table-1")[1].shape == (12, 3)
    assert read("table-3")[1].shape == (57, 11)
    assert read("table-4")[1].shape == read("table-5")[1].shape == (7, 12)
