"""Two samples must have the same columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import EvalstatsError
from evalstats.shift.sample_checks import two_samples

FRAME = pd.DataFrame({"a": [1.0, 2, 3], "b": [4.0, 5, 6]})


def test_one_column_may_be_a_vector():
    a, b = two_samples([1, 2, 3], [[4], [5]], minimum=2)

    assert (a.shape, b.shape) == ((3, 1), (2, 1))


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (FRAME, FRAME.rename(columns={"b": "c"}), "the same columns, but only one has 'b'"),
        (FRAME, FRAME[["b", "a"]], "in another order"),
        (np.ones((3, 2)), np.ones((3, 3)), "x has 2 columns and y has 3"),
        (np.ones((1, 2)), np.ones((3, 2)), "x must have at least 2 cases, but it has 1"),
        ([[1.0, np.nan]] * 3, np.ones((3, 2)), "x must be finite"),
        (np.ones((2, 2, 2)), np.ones((3, 2)), "x must have the shape"),
        ([["a"]] * 3, np.ones((3, 1)), "x must be numbers"),
    ],
)
def test_what_does_not_fit_is_refused(x, y, message):
    with pytest.raises(EvalstatsError, match=message):
        two_samples(x, y, minimum=2)
