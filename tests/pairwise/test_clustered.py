"""All pairs at once must be the loop over pairs of the clustered t-test."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from evalstats import adjust_pairwise, clustered_ttest
from evalstats.pairwise import pairwise_clustered_ttest

RNG = np.random.default_rng(4)
N, K = 90, 6
GROUPS = RNG.integers(0, 20, N)
STRATA = np.array(["law", "maths", "reading"])[GROUPS % 3]
SCORES = RNG.random((N, K))
SCORES[:, 3] = SCORES[:, 2]
SCORES[:, 4] = SCORES[:, 2] + 0.5
SCORES[:, 5] = SCORES[:, 1] + 1e-5 * RNG.random(N)
CORRECT = (RNG.random((N, 4)) < [0.5, 0.6, 0.6, 0.9]).astype(int)
SINGLE = ("statistic", "mean_difference", "standard_error", "df")


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("scores", [SCORES, CORRECT, CORRECT.astype(bool), 1e-200 * SCORES, 1e140 * SCORES])
def test_each_pair_is_the_clustered_ttest(average: str, scores: np.ndarray) -> None:
    choices = {"clusters": GROUPS, "strata": STRATA, "average": average}
    result = pairwise_clustered_ttest(scores, **choices)

    for i, j in np.ndindex(scores.shape[1], scores.shape[1]):
        if i != j:
            one = clustered_ttest(scores[:, i], scores[:, j], **choices)
            ours = [getattr(result, name)[i, j] for name in SINGLE]
            size = np.abs(scores).max() * 1e-13
            np.testing.assert_allclose(ours, [getattr(one, name) for name in SINGLE], rtol=1e-9, atol=min(size, 1e-12))
            assert result.unadjusted_pvalue[i, j] == pytest.approx(one.pvalue, rel=1e-9, nan_ok=True)


def test_pvalues_are_adjusted_for_all_pairs() -> None:
    result = pairwise_clustered_ttest(CORRECT, clusters=GROUPS, adjust="shaffer")

    np.testing.assert_array_equal(result.pvalue, adjust_pairwise(result.unadjusted_pvalue, "shaffer"))


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_each_other_against_the_control(alternative: str) -> None:
    frame = pd.DataFrame(CORRECT, columns=list("abcd"))

    result = pairwise_clustered_ttest(frame, clusters=GROUPS, control="c", alternative=alternative, adjust="none")

    assert result.control == "c"
    assert np.isnan(result.pvalue[2])
    for i in (0, 1, 3):
        one = clustered_ttest(CORRECT[:, i], CORRECT[:, 2], clusters=GROUPS, alternative=alternative)
        assert result.pvalue[i] == pytest.approx(one.pvalue, rel=1e-11)
        interval = result.confidence_interval(0.9)
        np.testing.assert_allclose((interval.low[i], interval.high[i]), tuple(one.confidence_interval(0.9)), rtol=1e-10)


def test_batch_of_tables_is_the_loop() -> None:
    tables = RNG.random((2, 3, N, 3))

    batch = pairwise_clustered_ttest(tables, clusters=GROUPS, strata=STRATA)

    for at in np.ndindex(2, 3):
        one = pairwise_clustered_ttest(tables[at], clusters=GROUPS, strata=STRATA)
        np.testing.assert_array_equal(one.pvalue, batch.pvalue[at])
        assert one.reason == batch.reason[at]


def test_pairs_without_a_t_are_counted() -> None:
    result = pairwise_clustered_ttest(SCORES, clusters=GROUPS)

    assert (result.unadjusted_pvalue[2, 3], result.standard_error[2, 3]) == (1, 0)
    assert np.isnan(result.pvalue[2, 4])
    assert result.reason.startswith(
        "in 1 of 15 pairs, the scores are equal on every instance; in 2 of 15 pairs, the mean difference"
    )


def test_single_group_has_no_t() -> None:
    result = pairwise_clustered_ttest(CORRECT, clusters=np.zeros(N, dtype=int))

    assert np.isnan(result.pvalue[0, 1])
    assert "in 6 of 6 pairs, a stratum has a single cluster" in result.reason


def test_exchanged_classifiers_mirror_the_result() -> None:
    here = pairwise_clustered_ttest(SCORES, clusters=GROUPS)
    there = pairwise_clustered_ttest(SCORES[:, ::-1], clusters=GROUPS)

    np.testing.assert_allclose(there.mean_difference[::-1, ::-1], here.mean_difference, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(there.pvalue[::-1, ::-1], here.pvalue, rtol=1e-9)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[1, 0]], "scores must hold at least 2 datasets"),
        (np.zeros((3, 1), dtype=bool), "2 classifiers"),
        (np.zeros(3, dtype=bool), r"shape \(n_datasets, n_classifiers\)"),
        ([[1, 0], [np.nan, 1]], r"scores\[1, 0\] is nan"),
    ],
)
def test_what_is_no_table_is_refused(scores: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pairwise_clustered_ttest(scores)
