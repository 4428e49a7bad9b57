"""All pairs in subgroups are the single tests."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats.paired import subgroup_test
from evalstats.pairwise import pairwise_subgroup_test

RNG = np.random.default_rng(0)
SCORES = pd.DataFrame(RNG.random((90, 3)), columns=["a", "b", "c"])
GROUPS = np.tile(["x", "y", "z"], 30)


def test_every_pair_is_the_single_test() -> None:
    result = pairwise_subgroup_test(SCORES, GROUPS, adjust="none")

    for i, j in ((0, 1), (0, 2), (2, 1)):
        one = subgroup_test(SCORES.iloc[:, i], SCORES.iloc[:, j], GROUPS)
        assert result.statistic[i, j] == pytest.approx(one.statistic)
        assert result.pvalue[i, j] == pytest.approx(one.pvalue)
        assert result.crossover_pvalue[i, j] == pytest.approx(one.crossover_pvalue)
        assert result.worst_lower[i, j] == pytest.approx(one.worst_lower)
        np.testing.assert_allclose(result.difference[i, j], one.difference, atol=1e-15)
        np.testing.assert_allclose(result.standard_error[i, j], one.standard_error)


def test_names_and_control_stay() -> None:
    result = pairwise_subgroup_test(SCORES, GROUPS, control="b")

    assert (result.control, result.classifiers, result.subgroups) == ("b", ("a", "b", "c"), ("x", "y", "z"))
    assert result.difference.shape == (3, 3)
    assert np.isnan(result.pvalue[1])


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_matrix_of_numpy_is_the_same_table() -> None:
    scores = SCORES.to_numpy()

    here, there = (pairwise_subgroup_test(table, GROUPS, rng=0) for table in (np.matrix(scores), scores))

    np.testing.assert_array_equal(here.pvalue, there.pvalue)
