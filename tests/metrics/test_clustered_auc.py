from __future__ import annotations

import numpy as np

from evalstats.metrics import delong_covariance
from evalstats.metrics.clustered_auc import clustered_areas

RNG = np.random.default_rng(3)
POSITIVE = RNG.random((2, 30)) < 0.4
SCORES = RNG.normal(POSITIVE[:, None], 1, (2, 3, 30)).round(1)


def test_clusters_of_one_instance_have_the_covariance_of_delong() -> None:
    found, plain = clustered_areas(POSITIVE, SCORES, np.arange(30)), delong_covariance(POSITIVE, SCORES)

    np.testing.assert_allclose(found.auc, plain.auc, rtol=1e-13)
    np.testing.assert_allclose(found.covariance, plain.covariance, rtol=1e-11, atol=1e-16)


def test_variance_of_the_difference_is_that_of_the_covariance() -> None:
    found = clustered_areas(POSITIVE, SCORES, np.arange(30) // 3)
    c = found.covariance

    np.testing.assert_allclose(found.variance_of_difference, c[:, 0, 0] + c[:, 1, 1] - 2 * c[:, 0, 1], rtol=1e-10)


def test_single_cluster_of_a_class_has_no_covariance() -> None:
    positive = np.arange(6)[np.newaxis] < 2

    found = clustered_areas(positive, np.arange(12.0).reshape(1, 2, 6), np.array([0, 0, 1, 1, 2, 2]))

    assert np.isnan(found.covariance).all()
