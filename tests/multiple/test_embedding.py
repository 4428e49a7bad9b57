"""Trees and planes: a tree by another library, exact triangles, scaling that rebuilds what is flat."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist

from evalstats.multiple.embedding import classical_scaling, place_by_tree, principal_components, spanning_tree


def distances(seed: int, n: int = 12, p: int = 5, metric: str = "euclidean") -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(n, p))
    return cdist(rows, rows, metric)


@pytest.mark.parametrize("seed", range(5))
def test_tree_is_as_short_as_that_of_scipy(seed):
    d = distances(seed)
    tree = spanning_tree(d, 11)

    assert d[tree[:, 0], tree[:, 1]].sum() == pytest.approx(minimum_spanning_tree(d).sum())
    seen = {11}
    for start, end in tree.tolist():  # each edge leads from a point that is there to one that is not
        assert (start in seen, end in seen) == (True, False)
        seen.add(end)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "chebyshev"])
def test_tree_and_root_are_kept_exactly(metric):
    d = distances(3, metric=metric)
    tree = spanning_tree(d, 11)
    points, _ = place_by_tree(d, tree, None)

    got = cdist(points, points)
    np.testing.assert_allclose(got[11], d[11], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(got[tree[:, 0], tree[:, 1]], d[tree[:, 0], tree[:, 1]], rtol=1e-9)


def test_points_of_a_plane_are_placed_without_loss():
    d = distances(1, p=2)

    for points, _ in (place_by_tree(d, spanning_tree(d, 11), None), classical_scaling(d, None)):
        np.testing.assert_allclose(cdist(points, points), d, atol=1e-9)


def test_three_by_hand():
    """A right angle at the root: 3, 4, 5."""
    d = np.array([[0, 5, 3], [5, 0, 4], [3, 4, 0]], dtype=float)

    points, _ = place_by_tree(d, spanning_tree(d, 2), None)

    np.testing.assert_allclose(points, [[3, 0], [0, 4], [0, 0]], atol=1e-12)


def test_circles_that_do_not_meet_keep_the_root():
    """1 and 1 from the root, but 9 from each other: no triangle; they stand opposite each other."""
    d = np.array([[0, 9, 1], [9, 0, 1], [1, 1, 0]], dtype=float)

    points, _ = place_by_tree(d, spanning_tree(d, 2), None)

    np.testing.assert_allclose(points, [[1, 0], [-1, 0], [0, 0]], atol=1e-12)


def test_equal_points_and_points_on_the_root():
    d = np.array([[0, 0, 2, 2], [0, 0, 2, 2], [2, 2, 0, 0], [2, 2, 0, 0]], dtype=float)

    points, _ = place_by_tree(d, spanning_tree(d, 3), None)

    np.testing.assert_allclose(cdist(points, points), d, atol=1e-12)


def test_scaling_of_euclidean_distances_is_principal_components():
    rows = np.random.default_rng(2).normal(size=(9, 6))

    scaled, of_folds = classical_scaling(cdist(rows, rows), cdist(rows[:3] + 1, rows))
    components, projected = principal_components(rows, rows[:3] + 1)

    np.testing.assert_allclose(abs(scaled), abs(components), atol=1e-9)
    np.testing.assert_allclose(abs(of_folds), abs(projected), atol=1e-9)


def test_added_point_that_is_there_already_gets_its_place():
    d = distances(5)

    points, added = classical_scaling(d, d[:11])
    np.testing.assert_allclose(added, points[:11], atol=1e-9)
    tree = spanning_tree(d, 11)
    points, added = place_by_tree(d, tree, d[:11])
    np.testing.assert_allclose(added, points[:11], atol=1e-6)


@pytest.mark.parametrize("factor", [1e-120, 1e120])
def test_no_size_overflows(factor):
    rows = np.random.default_rng(2).normal(size=(6, 4)) * factor
    d = cdist(rows / factor, rows / factor) * factor

    for points in (
        place_by_tree(d, spanning_tree(d, 5), None)[0],
        classical_scaling(d, None)[0],
        principal_components(rows, None)[0],
    ):
        assert np.isfinite(points).all()
        assert np.hypot(*points[0]) > 0.01 * d[0, 5]


def test_vectors_on_a_line_have_one_component_and_no_noise_of_another() -> None:
    points, _ = principal_components(np.array([[0.1, 0.2], [0.3, 0.6], [0.7, 1.4]]), None)

    assert np.ptp(points[:, 0]) > 0
    assert points[:, 1].tolist() == [0, 0, 0]
