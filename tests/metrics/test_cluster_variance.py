"""Groups and strata of cases: their order, what is refused, and the variance by its definition."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalstats.metrics import delong_covariance
from evalstats.metrics.cluster_variance import (
    clustered_areas,
    combined,
    degrees_of_freedom,
    effective_clusters,
    jackknife_factors,
    moments,
    sums_by_group,
    understand_clusters,
    understand_groups,
)

GROUPS = ["p", "q", "p", "r", "s", "r", "q", "t"]
STRATA = ["a", "a", "a", "b", "b", "b", "a", "b"]
SCORES = np.array([1.0, 0, 1, 1, 0, 1, 1, 0])
RIGHT = np.array([[1, 0, 1, 1, 1], [0, 0, 1, 0, 1]], dtype=bool)


def test_groups_stand_together_within_their_strata() -> None:
    clusters = understand_clusters(GROUPS, STRATA, "micro", 8)

    assert clusters.strata == ("a", "b")
    assert clusters.n_clusters.tolist() == [2, 3]
    assert clusters.n_instances.tolist() == [4, 4]
    assert clusters.sizes.tolist() == [2, 2, 2, 1, 1]
    assert clusters.sums(SCORES).tolist() == [2, 1, 2, 0, 0]


def test_equal_clusters_count_one_each_and_unequal_ones_less() -> None:
    assert effective_clusters(np.full(20, 10)) == 20
    assert effective_clusters([2] * 18 + [40] * 2) == pytest.approx(116**2 / 3272, rel=1e-15)
    assert effective_clusters([1, 1, 1, 1e9]) == pytest.approx(1, abs=1e-8)


def test_effective_clusters_of_a_batch_are_those_of_each_member() -> None:
    sizes = np.random.default_rng(3).integers(0, 30, (4, 5, 12))
    sizes[0, 0] = 0

    found = effective_clusters(sizes)

    assert found.shape == (4, 5)
    assert found[0, 0] == 0
    assert found[2, 3] == pytest.approx(effective_clusters(sizes[2, 3]), rel=1e-15)
    assert (found <= np.count_nonzero(sizes, axis=-1) + 1e-9).all()


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_effective_clusters_do_not_depend_on_the_unit_of_the_sizes(scale: float) -> None:
    assert effective_clusters(np.array([3.0, 1, 1]) * scale) == pytest.approx(25 / 11, rel=1e-12)


def test_variance_is_that_of_the_jackknife_over_clusters() -> None:
    """(G - 1) / G times the sum of the squared distances from the mean of all of the means without one cluster."""
    rng = np.random.default_rng(1)
    values, groups = rng.random(40), rng.integers(0, 9, 40)

    means, errors, _ = moments(values, understand_clusters(groups, None, "micro", 40))

    names = set(groups.tolist())
    without = [values[groups != g].mean() for g in names]
    assert means[0] == pytest.approx(values.mean(), rel=1e-14)
    squares = np.square(np.array(without) - values.mean()).sum()
    assert errors[0] == pytest.approx(np.sqrt((len(names) - 1) / len(names) * squares), rel=1e-12)


def test_clusters_of_one_size_have_the_variance_of_their_sums() -> None:
    """G / (G - 1) times the sum of the squared sums of deviations, over the squared number of cases (CV1)."""
    values, groups = np.random.default_rng(1).random(40), np.arange(40) % 8

    _, errors, freedom = moments(values, understand_clusters(groups, None, "micro", 40))

    r = [(values[groups == g] - values.mean()).sum() for g in range(8)]
    assert errors[0] == pytest.approx(np.sqrt(8 / 7 * np.sum(np.square(r))) / 40, rel=1e-12)
    assert freedom[0] == 7


def literal_jackknife(sizes: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return G and X of Bell & McCaffrey (2002): the variance of the mean is the sum over clusters of (G_g' y)^2."""
    n = sum(sizes)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    x = np.ones((n, 1))
    hat = x @ np.linalg.inv(x.T @ x) @ x.T
    columns = []
    for g in range(len(sizes)):
        own = cluster == g
        a_g = np.linalg.inv(np.eye(own.sum()) - hat[np.ix_(own, own)])
        columns.append((np.eye(n) - hat)[own].T @ a_g @ x[own] @ np.linalg.inv(x.T @ x))
    return np.hstack(columns), cluster


@pytest.mark.parametrize("sizes", [[3, 3, 3], [1, 2, 3, 4, 20], [1] * 9 + [30], [2] * 18 + [40] * 2, [1, 1]])
def test_variance_and_degrees_of_freedom_are_those_of_the_matrices(sizes: list[int]) -> None:
    """A_g = (I - H_gg)^-1, and tr(P)^2 / tr(P^2) of P = G'G."""
    columns, cluster = literal_jackknife(sizes)
    y = np.random.default_rng(4).normal(size=cluster.size)
    p = columns.T @ columns

    _, errors, freedom = moments(y, understand_clusters(cluster, None, "micro", y.size))

    g = len(sizes)
    assert errors[0] == pytest.approx(np.sqrt((g - 1) / g * ((columns.T @ y) ** 2).sum()), rel=1e-10)
    assert freedom[0] == pytest.approx(np.trace(p) ** 2 / np.trace(p @ p), rel=1e-9)


def test_degrees_of_freedom_lie_between_one_and_one_less_than_the_clusters() -> None:
    sizes = np.random.default_rng(5).integers(0, 2000, (300, 7)).astype(float)
    sizes[:, :2] += 1

    found = degrees_of_freedom(sizes)

    assert (found >= 1).all()
    assert (found <= (sizes > 0).sum(axis=-1) - 1 + 1e-9).all()
    assert degrees_of_freedom(np.array([1, 1, 1, 1e9])) == pytest.approx(1, rel=1e-6)
    assert degrees_of_freedom(np.array([5.0, 5, 0, 5])) == 2
    of_two = np.array(list(itertools.product(range(1, 60), repeat=2)), dtype=np.float64)
    assert degrees_of_freedom(of_two).min() == 1
    assert degrees_of_freedom(of_two) == pytest.approx(1, rel=1e-14)
    assert jackknife_factors(np.array([5.0, 5, 5])).tolist() == [1, 1, 1]


def test_stratum_of_two_clusters_leaves_few_degrees_of_freedom() -> None:
    """However small its variance comes out: two clusters that agree by chance do not vanish from the sum."""
    groups = np.repeat(np.arange(22), 5)
    strata = np.repeat(["a", "b"], [100, 10])
    values = np.random.default_rng(6).random(110)
    values[105:] = values[100:105]  # the two clusters of b have the same mean
    clusters = understand_clusters(groups, strata, "macro", 110)

    df = combined(moments(values, clusters), clusters).df

    expected = (1 / 100 + 1 / 10) ** 2 / (1 / 100**2 / 19 + 1 / 10**2)
    assert df == pytest.approx(expected, rel=1e-12)


def test_clusters_count_with_their_weight_in_the_mean() -> None:
    """Ten single questions of each of two benchmarks are 20; of 5 and 300 each benchmark counts as a half."""
    strata = np.repeat(["a", "b"], [5, 300])

    assert understand_clusters(None, np.repeat([0, 1], 10), "macro", 20).effective == pytest.approx(20)
    assert understand_clusters(None, strata, "micro", 305).effective == pytest.approx(305)
    assert understand_clusters(None, strata, "macro", 305).effective == pytest.approx(1 / (0.25 / 5 + 0.25 / 300))


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_strata_are_added_with_their_weights(average: str) -> None:
    rng = np.random.default_rng(2)
    values, strata = rng.random(30), np.repeat([0, 1, 2], [5, 10, 15])
    weights = np.array([5, 10, 15]) / 30 if average == "micro" else np.full(3, 1 / 3)

    clusters = understand_clusters(None, strata, average, 30)
    mean, error, df = combined(moments(values, clusters), clusters)

    parts = [values[strata == s] for s in range(3)]
    squares = weights**2 * [part.var(ddof=1) / part.size for part in parts]
    assert mean == pytest.approx(weights @ [part.mean() for part in parts], rel=1e-14)
    assert error == pytest.approx(np.sqrt(squares.sum()), rel=1e-12)
    found = squares.sum() ** 2 / (squares**2 / [4, 9, 14]).sum()
    sizes = weights**2 / [5, 10, 15]
    assert df == pytest.approx(min(found, sizes.sum() ** 2 / (sizes**2 / [4, 9, 14]).sum()), rel=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1e149])
def test_size_of_the_scores_does_not_matter(scale: float) -> None:
    clusters = understand_clusters(GROUPS, STRATA, "macro", 8)

    mean, error, df = combined(moments(SCORES * scale, clusters), clusters)

    expected = combined(moments(SCORES, clusters), clusters)
    np.testing.assert_allclose([mean / scale, error / scale, df], expected, rtol=1e-12)


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e9 + 0.1, -7.0])
def test_rounding_is_no_variance(value: float) -> None:
    clusters = understand_clusters(np.arange(300) // 7, None, "micro", 300)

    means, errors, _ = moments(np.full(300, value), clusters)

    assert errors[0] == 0
    assert means[0] == pytest.approx(value, rel=1e-15)


def test_single_group_has_no_standard_error() -> None:
    clusters = understand_clusters(GROUPS, ["a", "b", "a", "b", "b", "b", "b", "b"], "micro", 8)

    assert np.isnan(moments(SCORES, clusters).standard_errors).tolist() == [True, False]
    assert np.isnan(combined(moments(SCORES, clusters), clusters).standard_error)


def test_group_in_two_strata_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="cluster 'q' has instances in strata 'a' and 'b'"):
        understand_clusters(GROUPS, [*STRATA[:6], "b", "b"], "micro", 8)


@pytest.mark.parametrize(
    ("groups", "strata", "average", "message"),
    [
        (
            GROUPS,
            STRATA[:3],
            "micro",
            r"strata must name one stratum for each of the 8 instances, but its shape is \(3,\)",
        ),
        ([1], None, "micro", r"clusters must name one cluster for each of the 8 instances"),
        (None, None, "mean", "average must be 'micro' or 'macro', not 'mean'"),
    ],
)
def test_what_does_not_fit_is_refused(groups: object, strata: object, average: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        understand_clusters(groups, strata, average, 8)


def test_without_groups_each_case_is_one() -> None:
    alone = understand_clusters(GROUPS, STRATA, "micro", 8).without_groups()

    assert alone.n_clusters.tolist() == alone.n_instances.tolist() == [4, 4]
    np.testing.assert_array_equal(
        moments(SCORES, alone).means, moments(SCORES, understand_clusters(None, STRATA, "micro", 8)).means
    )


@pytest.mark.parametrize(
    "groups",
    [
        list("abacb"),
        [7, 2, 7, 5, 2],
        np.array([7.0, 2.0, 7.0, 5.0, 2.0]),
        pd.Series(list("xyxzy")),
        [(1,), (2,), (1,), (3,), (2,)],
    ],
    ids=["text", "numbers", "whole floats", "series", "tuples"],
)
def test_groups_are_counted_in_the_order_of_their_first_cases(groups: Sequence[Any]) -> None:
    if isinstance(groups[0], tuple):
        groups = np.fromiter(groups, dtype=object, count=5)

    sums = sums_by_group(RIGHT, understand_groups(groups, 5))

    np.testing.assert_array_equal(sums, [[2, 1, 1], [1, 1, 0]])


def test_sums_are_those_of_a_loop() -> None:
    rng = np.random.default_rng(1)
    right, groups = rng.random((3, 400)) < 0.5, rng.integers(0, 60, 400)

    sums = sums_by_group(right, understand_groups(groups, 400))

    names = list(dict.fromkeys(groups.tolist()))
    np.testing.assert_array_equal(sums, np.stack([right[:, groups == g].sum(axis=1) for g in names], axis=1))


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ([1, 2], r"clusters must name one cluster for each of the 5 instances, but its shape is \(2,\)"),
        ([1, None, 1, 1, 1], r"clusters must not contain missing labels, but clusters\[1\] is None"),
        ([0.5, 1, 1, 1, 1], r"clusters\[0\] is 0.5"),
    ],
)
def test_what_names_no_groups_is_refused(groups: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        understand_groups(groups, 5)


def test_series_must_have_the_index_of_the_data() -> None:
    with pytest.raises(ValueError, match="x and clusters must have equal indexes"):
        understand_groups(pd.Series([1, 2]), 2, x=pd.Series([1, 0], index=[1, 0]))


RNG = np.random.default_rng(3)
POSITIVE = RNG.random((2, 30)) < 0.4
RANKING_SCORES = RNG.normal(POSITIVE[:, None], 1, (2, 3, 30)).round(1)


def test_clusters_of_one_instance_have_the_covariance_of_delong() -> None:
    found, plain = clustered_areas(POSITIVE, RANKING_SCORES, np.arange(30)), delong_covariance(POSITIVE, RANKING_SCORES)

    np.testing.assert_allclose(found.auc, plain.auc, rtol=1e-13)
    np.testing.assert_allclose(found.covariance, plain.covariance, rtol=1e-11, atol=1e-16)


def test_variance_of_the_difference_is_that_of_the_covariance() -> None:
    found = clustered_areas(POSITIVE, RANKING_SCORES, np.arange(30) // 3)
    c = found.covariance

    np.testing.assert_allclose(found.variance_of_difference, c[:, 0, 0] + c[:, 1, 1] - 2 * c[:, 0, 1], rtol=1e-10)


def test_single_cluster_of_a_class_has_no_covariance() -> None:
    positive = np.arange(6)[np.newaxis] < 2

    found = clustered_areas(positive, np.arange(12.0).reshape(1, 2, 6), np.array([0, 0, 1, 1, 2, 2]))

    assert np.isnan(found.covariance).all()
