"""Tests of a shifted difference: estimates, limits, and a pseudo-cluster of another kind."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from evalstats import clustered_ttest
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats.metrics.cluster_variance import understand_clusters
from evalstats.paired.shifted_scores import ShiftedScores, expecting_another_cluster

X_OF_CASES, Y_OF_CASES = (np.random.default_rng(8).random((2, 90)) < [[0.7], [0.68]]).astype(float)


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_one_cluster_of_another_kind_is_expected_by_definition(average: str) -> None:
    """One case more, of any stratum, differs by 1 and takes its whole cluster of m with it: sum m^2 / n^3."""
    groups, strata = np.arange(90) // 4, np.arange(90) // 60
    choices: dict[str, Any] = {"clusters": groups, "strata": strata, "average": average}
    found = expecting_another_cluster(X_OF_CASES, Y_OF_CASES, **choices)

    added = []
    for stratum in (0, 1):
        sizes = np.unique(groups[strata == stratum], return_counts=True)[1]
        n = int(sizes.sum())
        share = 1 / 2 if average == "macro" else n / 90
        added.append(share**2 * (sizes**2).sum() / n**3)
    expected = math.sqrt(clustered_ttest(X_OF_CASES, Y_OF_CASES, **choices).standard_error ** 2 + sum(added) / 2)
    assert float(found.standard_error) == pytest.approx(expected, rel=1e-12)


def shifted(d, test, **choices):
    d = np.asarray(d, dtype=float)
    return ShiftedScores(d, np.zeros_like(d), test, DEFAULT_TIE_TOLERANCE, **choices)


def test_sign_limits_are_order_statistics():
    """With 8 differences P(B <= 1) is 9/256 = .035 and P(B <= 2) is .145: the second from either end."""
    assert [float(limit) for limit in shifted([8, 1, 6, 3, 4, 5, 2, 7], "sign").limits(0.05)] == [2, 7]


def test_signed_rank_limits_are_walsh_averages():
    """Of 6 differences P(W <= 2) is 3/64 = .047: the third smallest and the third largest of 21 averages."""
    d = np.array([1.0, 2.5, 4.2, 7.9, 11.3, 19.0])
    averages = np.sort(np.add.outer(d, d)[np.triu_indices(6)] / 2)

    assert [float(limit) for limit in shifted(d, "wilcoxon").limits(0.05)] == pytest.approx([averages[2], averages[-3]])


def test_signed_rank_limit_at_half_confidence_may_be_the_largest_difference():
    """Of 2 differences P(W <= 2) is 3/4: at that level every shift below the larger is rejected."""
    assert float(shifted([1.0, 4.0], "wilcoxon").limits(0.75)[0]) == 4


def test_tied_signed_ranks_have_the_limits_of_their_own_law():
    """Every shift below the lower limit is rejected by the exact law with its ties, and none above."""
    d = [1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 5.0]
    problem = shifted(d, "wilcoxon")
    low = float(problem.limits(0.05)[0])

    assert problem.one_sided(low - 1e-9, "greater").pvalue <= 0.05 < problem.one_sided(low + 1e-9, "greater").pvalue


@pytest.mark.parametrize(
    ("test", "estimate"), [("sign", 3.0), ("wilcoxon", 4.0), ("permutation", 5.2), ("paired-t", 5.2)]
)
def test_each_test_has_its_own_estimate(test, estimate):
    """Of 1, 2, 3, 4 and 16: the median, the middle of the averages of two, the mean."""
    d = np.array([1.0, 2, 3, 4, 16])
    expected = np.median(np.add.outer(d, d)[np.triu_indices(5)] / 2) if test == "wilcoxon" else estimate

    assert shifted(d, test).difference == pytest.approx(expected)


def test_strata_weigh_their_clusters_as_the_mean_does() -> None:
    """Two benchmarks of 10 and 90 questions count the same; x is right in all of the first, y in none."""
    stratum = np.repeat([0, 1], [10, 90])
    group = np.arange(100) // 5
    x = np.where(stratum == 0, 1.0, 0.0)

    leads = expecting_another_cluster(x, np.zeros(100), clusters=group, strata=stratum, average="macro").leads

    assert leads.effective == pytest.approx(understand_clusters(group, stratum, "macro", 100).effective)
    assert leads.pvalue(0.5, "greater") > 0.3 > leads.pvalue(0.1, "greater")
