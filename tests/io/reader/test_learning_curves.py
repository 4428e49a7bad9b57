"""Learning curves are read from long rows and from the output of scikit-learn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats.io import read_learning_curves
from evalstats.tables.errors import TableError

TEST = np.arange(6).reshape(2, 3) / 10
LONG = pd.DataFrame(
    [("svm", n, j, TEST[i, j]) for i, n in enumerate([20, 40]) for j in range(3)],
    columns=["Model", "n_train", "split", "test_score"],
)


def test_order_of_rows_does_not_matter() -> None:
    scores, n_train = read_learning_curves(LONG.sort_values(["split", "n_train"], ascending=[True, False]))

    assert n_train == [20, 40]
    np.testing.assert_array_equal(scores["svm"], TEST)


def test_output_of_scikit_learn_is_the_third_array() -> None:
    scores, n_train = read_learning_curves({"svm": (np.array([20, 40]), TEST + 1, TEST)})

    assert n_train == [20, 40]
    np.testing.assert_array_equal(scores["svm"], TEST)


def test_sizes_of_two_outputs_must_agree() -> None:
    with pytest.raises(TableError, match="'b' has other training sizes than 'a'"):
        read_learning_curves({"a": ([20, 40], TEST, TEST), "b": ([20, 80], TEST, TEST)})
    with pytest.raises(TableError, match="'a' must have the sizes, the training scores and the test scores"):
        read_learning_curves({"a": ([20, 40], TEST)})
