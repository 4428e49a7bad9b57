from __future__ import annotations

import math

import numpy as np
import pytest

from evalstats import delong_test
from evalstats.paired import clustered_delong_test

# five patients: diseased and healthy units
Y = np.array([1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1])
A = np.array([0.9, 0.3, 0.2, 0.7, 0.6, 0.5, 0.4, 0.1, 0.8, 0.65, 0.55, 0.35])
B = np.array([0.8, 0.4, 0.1, 0.9, 0.5, 0.2, 0.6, 0.3, 0.4, 0.45, 0.7, 0.6])
PATIENT = np.array([1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5])


def variance_by_definition(y: np.ndarray, a: np.ndarray, b: np.ndarray, cluster: np.ndarray) -> float:
    """Obuchowski (1997): sums of the components of the difference within each cluster."""
    pairs = np.array(
        [
            [np.sign(a[i] - a[j]) / 2 - np.sign(b[i] - b[j]) / 2 for j in np.flatnonzero(y == 0)]
            for i in np.flatnonzero(y == 1)
        ]
    )
    m, n = pairs.shape
    of_positive, of_negative = pairs.mean(axis=1) - pairs.mean(), pairs.mean(axis=0) - pairs.mean()
    names = np.unique(cluster)
    d10 = np.array([of_positive[cluster[y == 1] == c].sum() for c in names])
    d01 = np.array([of_negative[cluster[y == 0] == c].sum() for c in names])
    i10, i01, i = (len(np.unique(one)) for one in (cluster[y == 1], cluster[y == 0], cluster))
    return float(
        i10 / (i10 - 1) * d10 @ d10 / m**2 + i01 / (i01 - 1) * d01 @ d01 / n**2 + 2 * i / (i - 1) * d10 @ d01 / (m * n)
    )


def test_worked_patients() -> None:
    result = clustered_delong_test(Y, A, B, PATIENT)

    assert (result.auc_x, result.auc_y) == pytest.approx((31 / 36, 32 / 36), rel=1e-14)
    assert result.standard_error**2 == pytest.approx(0.0164216107, abs=5e-11)
    assert (result.n_clusters, result.n_positive, result.n_negative, result.reason) == (5, 6, 6, None)


@pytest.mark.parametrize("seed", range(5))
def test_variance_is_that_of_a_loop_over_the_clusters(seed: int) -> None:
    """With ties, in clusters of any sizes."""
    rng = np.random.default_rng(seed)
    y, cluster = rng.integers(0, 2, 40), rng.integers(0, 9, 40)
    a, b = rng.normal(y, 1, (2, 40)).round(1)

    result = clustered_delong_test(y, a, b, cluster)

    assert result.standard_error**2 == pytest.approx(variance_by_definition(y, a, b, cluster), rel=1e-11)


def test_clusters_of_one_instance_are_the_test_of_delong() -> None:
    single, plain = clustered_delong_test(Y, A, B, range(12)), delong_test(Y, A, B, df="infinite")

    assert single.standard_error**2 == pytest.approx(0.0191358025, abs=5e-11)
    assert tuple(single) == pytest.approx(tuple(plain), rel=1e-12)
    assert tuple(single.confidence_interval()) == pytest.approx(tuple(plain.confidence_interval()), rel=1e-12)
    np.testing.assert_allclose(single.covariance, plain.covariance, rtol=1e-12)


def test_laws() -> None:
    """Swapping mirrors; the order of the instances and the names of the clusters do not matter."""
    here, there = clustered_delong_test(Y, A, B, PATIENT), clustered_delong_test(Y, B, A, PATIENT)
    order = np.random.default_rng(1).permutation(12)
    shuffled = clustered_delong_test(Y[order], A[order], B[order], np.array(list("?vwxyz"))[PATIENT[order]])

    assert (there.statistic, there.pvalue) == pytest.approx((-here.statistic, here.pvalue), rel=1e-12)
    assert shuffled.pvalue == pytest.approx(here.pvalue, rel=1e-12)
    assert clustered_delong_test(Y, A, B, PATIENT, alternative="less").pvalue == pytest.approx(
        here.pvalue / 2, rel=1e-12
    )


def test_degenerate_scores_and_clusters() -> None:
    """The same scores: p = 1. Constant scores: area 0.5 and no variance. One cluster: nan."""
    same, constant = clustered_delong_test(Y, A, A, PATIENT), clustered_delong_test(Y, A * 0, B * 0, PATIENT)
    single = clustered_delong_test(Y, A, B, [1] * 12)

    assert (same.statistic, same.pvalue) == (0.0, 1.0)
    assert "no variance" in same.reason
    assert (constant.auc_x, constant.pvalue) == (0.5, 1.0)
    assert (constant.covariance == 0).all()
    assert math.isnan(single.pvalue)
    assert "at least two clusters" in single.reason
    assert np.isnan(single.confidence_interval().low)


def test_correlated_copies_do_not_add_information() -> None:
    """Each instance twice: the clustered error hardly changes, and the unclustered one shrinks by the root of 2."""
    rng = np.random.default_rng(4)
    y = np.arange(200) % 2
    a, b = rng.normal(y, 1, (2, 200))
    once, twice = (
        delong_test(y, a, b, df="infinite"),
        clustered_delong_test(np.tile(y, 2), np.tile(a, 2), np.tile(b, 2), np.tile(range(200), 2)),
    )

    assert twice.standard_error == pytest.approx(once.standard_error, rel=0.01)
    twice = delong_test(np.tile(y, 2), np.tile(a, 2), np.tile(b, 2), df="infinite")
    assert twice.standard_error < 0.75 * once.standard_error


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": A[:-1]}, "x and y must be paired"),
        ({"clusters": [1, 2]}, "clusters must name one cluster for each of the 12 instances"),
        ({"y_true": Y * 0}, "all instances belong to one class"),
        ({"x": [A, A]}, "must have the same shape"),
    ],
)
def test_bad_input_is_named(change: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        clustered_delong_test(**{"y_true": Y, "x": A, "y": B, "clusters": PATIENT} | change)
