"""A mean difference of cases that vary together against a margin: its test, its limits, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from evalstats import clustered_permutation_test, clustered_ttest, equivalence_test, noninferiority_test
from evalstats.paired.clustered_noninferiority import expecting_another_cluster

RNG = np.random.default_rng(8)
X, Y = (RNG.random((2, 90)) < [[0.7], [0.68]]).astype(float)
GROUPS, STRATA = np.arange(90) // 3, np.arange(90) // 45
CLUSTERS: dict[str, Any] = {"groups": GROUPS, "strata": STRATA, "average": "macro"}


@pytest.mark.parametrize("greater_is_better", [True, False])
def test_test_is_that_of_moved_scores(greater_is_better: bool) -> None:
    """Scores of y that are lower by the margin are beaten, or not."""
    result = noninferiority_test(X, Y, margin=0.1, test="clustered-t", greater_is_better=greater_is_better, **CLUSTERS)

    sign = 1 if greater_is_better else -1
    moved = clustered_ttest(X, Y - sign * 0.1, alternative="greater" if sign > 0 else "less", **CLUSTERS)
    assert tuple(result) == pytest.approx(tuple(moved), rel=1e-9)


def test_interval_is_that_of_clustered_ttest() -> None:
    result = equivalence_test(X, Y, margin=0.1, test="clustered-t", **CLUSTERS)

    assert tuple(result.confidence_interval(0.95)) == pytest.approx(
        tuple(clustered_ttest(X, Y, **CLUSTERS).confidence_interval(0.95)), rel=1e-12
    )


@pytest.mark.parametrize("test", ["clustered-t", "clustered-permutation"])
def test_smallest_margin_is_where_the_test_begins_to_reject(test: str) -> None:
    few = slice(0, 36)
    choices: dict[str, Any] = {"groups": GROUPS[few], "test": test}
    smallest = noninferiority_test(Y[few], X[few], margin=0.1, **choices).smallest_margin(0.05)

    assert noninferiority_test(Y[few], X[few], margin=smallest + 1e-6, **choices).pvalue <= 0.05
    assert noninferiority_test(Y[few], X[few], margin=smallest - 1e-6, **choices).pvalue > 0.05


def test_permutation_is_that_of_moved_scores() -> None:
    few = slice(0, 36)
    result = noninferiority_test(X[few], Y[few], margin=0.2, test="clustered-permutation", groups=GROUPS[few])

    moved = clustered_permutation_test(X[few], Y[few] - 0.2, groups=GROUPS[few], alternative="greater")
    assert result.pvalue == moved.pvalue


def test_batch_is_the_loop() -> None:
    batch = RNG.random((3, 90))
    result = noninferiority_test(batch, Y, margin=0.3, test="clustered-t", groups=GROUPS)

    alone = [noninferiority_test(row, Y, margin=0.3, test="clustered-t", groups=GROUPS).pvalue for row in batch]
    np.testing.assert_allclose(result.pvalue, alone, rtol=1e-12)


def test_difference_that_is_the_same_in_every_group_shows_nothing() -> None:
    """A p-value of nan never passes, and one at the margin is 1."""
    x, y = np.ones(8), np.zeros(8)
    groups = np.arange(8) // 2

    above = noninferiority_test(x, y, margin=0.5, test="clustered-t", groups=groups)
    at = noninferiority_test(y, x / 2, margin=0.5, test="clustered-t", groups=groups)

    assert math.isnan(above.pvalue)
    assert "t distribution does not apply" in above.reason
    assert at.pvalue == 1
    assert "exactly at the margin" in at.reason


def test_one_group_shows_nothing() -> None:
    result = noninferiority_test([1, 0, 1], [1, 1, 0], margin=0.5, test="clustered-t", groups=["a"] * 3)

    assert math.isnan(result.pvalue)
    assert "single group" in result.reason


@pytest.mark.parametrize("name", ["groups", "strata"])
def test_groups_are_of_clustered_tests(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is of test='clustered-t'"):
        noninferiority_test(X, Y, margin=0.1, **{name: GROUPS})


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_one_cluster_of_another_kind_is_expected_by_definition(average: str) -> None:
    """One case more, of any stratum, differs by 1 and takes its whole cluster of m with it: sum m^2 / n^3."""
    groups, strata = np.arange(90) // 4, np.arange(90) // 60
    choices: dict[str, Any] = {"groups": groups, "strata": strata, "average": average}
    found = expecting_another_cluster(X, Y, **choices)

    added = []
    for stratum in (0, 1):
        sizes = np.unique(groups[strata == stratum], return_counts=True)[1]
        n = int(sizes.sum())
        share = 1 / 2 if average == "macro" else n / 90
        added.append(share**2 * (sizes**2).sum() / n**3)
    expected = math.sqrt(clustered_ttest(X, Y, **choices).standard_error ** 2 + sum(added) / 2)
    assert float(found.standard_error) == pytest.approx(expected, rel=1e-12)
