"""Contrast estimation by medians."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from evalstats.effects import contrast_estimation
from evalstats.examples import example_table

tables = hnp.arrays(
    float, st.tuples(st.integers(1, 6), st.integers(2, 5)), elements=st.floats(-1, 1).map(lambda x: round(x, 3))
)


def test_three_classifiers_by_hand() -> None:
    """Medians of the differences 1, 5 and 4; effects (1 + 5) / 3, (4 - 1) / 3 and (-5 - 4) / 3."""
    result = contrast_estimation([[6, 5, 0], [7, 6, 2], [9, 1, 9]])

    assert result.medians[0].tolist() == [0, 1, 5]
    assert result.medians[1].tolist() == [-1, 0, 4]
    assert result.effects == pytest.approx([2, 1, -3], rel=1e-15)
    assert result.contrasts[0] == pytest.approx([0, 1, 5], rel=1e-15)


def test_medians_need_not_add_up_and_contrasts_do() -> None:
    """A cycle of three: each is above the next by 1 on two datasets of three."""
    result = contrast_estimation([[2, 1, 0], [0, 2, 1], [1, 0, 2]])

    assert result.medians.tolist() == [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]
    assert not result.contrasts.any()


@given(tables)
def test_matrix_is_the_definition(scores: np.ndarray) -> None:
    k = scores.shape[1]
    z = [[float(np.median(scores[:, u] - scores[:, v])) for v in range(k)] for u in range(k)]
    m = [sum(row) / k for row in z]

    result = contrast_estimation(scores)

    assert result.medians == pytest.approx(np.array(z), abs=1e-15)
    assert result.contrasts == pytest.approx(np.array([[a - b for b in m] for a in m]), abs=1e-14)


@given(tables, st.integers(0, 1000))
def test_constants_of_datasets_do_not_matter(scores: np.ndarray, seed: int) -> None:
    moved = scores + np.random.default_rng(seed).integers(0, 9, (len(scores), 1))

    assert contrast_estimation(moved).contrasts == pytest.approx(contrast_estimation(scores).contrasts, abs=1e-12)


def test_one_odd_dataset_moves_nothing() -> None:
    scores = np.array(example_table("demsar-2006").scores)
    odd = scores.copy()
    odd[3] = [9.0, 8.0, 7.0, 6.0]

    moved = contrast_estimation(odd).contrasts - contrast_estimation(scores).contrasts

    assert np.abs(moved).max() < 0.02


def test_batch_is_the_loop() -> None:
    batch = np.random.default_rng(1).random((2, 3, 7, 4))

    result = contrast_estimation(batch)

    for at in np.ndindex(2, 3):
        np.testing.assert_array_equal(result.contrasts[at], contrast_estimation(batch[at]).contrasts)


def test_table_has_a_row_for_each_pair() -> None:
    table = contrast_estimation([[3, 1, 2], [5, 1, 1]]).to_columns()

    assert (table["first"], table["second"]) == ([0, 0, 1], [1, 2, 2])
    assert table["medians"] == [3, 2.5, -0.5]


def test_scores_must_be_finite() -> None:
    frame = pd.DataFrame({"a": [1.0, np.nan], "b": [1.0, 2.0]}, index=["iris", "wine"])

    with pytest.raises(ValueError, match="classifier 'a'"):
        contrast_estimation(frame)
