"""Projections of classifiers: Anneal, slide 90, laws, clouds, and what is no distance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist

from evalstats import EvalstatsError
from evalstats.multiple import performance_vectors, project_classifiers, project_vectors
from evalstats.multiple.projection import (
    DISTANCES,
    PROJECTIONS,
    classical_scaling,
    place_by_tree,
    principal_components,
    spanning_tree,
)

# Japkowicz's tutorial, slide 95; rows are the true classes a to f, and d has no case
ADABOOST = np.zeros((6, 6))
ADABOOST[:, 2], ADABOOST[4, 4] = [8, 99, 684, 0, 0, 40], 67
BAYES = np.diag([7.0, 99, 564, 0, 67, 38])
BAYES[0, 2], BAYES[2, 0], BAYES[2, 1], BAYES[2, 5], BAYES[5, 2] = 1, 3, 38, 79, 2
ANNEAL = {"NB": BAYES, "AdaBoost": ADABOOST}


def confusions(seed: int, k: int = 7, sizes: tuple[int, ...] = (2, 3, 5)) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [
        np.array([[rng.multinomial(40 + 9 * i, rng.dirichlet(np.ones(c))) for i in range(c)] for _ in range(k)])
        for c in sizes
    ]


def test_anneal_by_both_distances():
    """Slides 95 and 96: by L2 the two are about as far from the Ideal, by L1 NB is closer, and they are far apart."""
    euclidean, manhattan = project_classifiers(ANNEAL), project_classifiers(ANNEAL, distance="cityblock")

    assert euclidean.distance_to_ideal.round(2).tolist() == [148.67, 151.43]
    assert manhattan.distance_to_ideal.tolist() == [246, 294]
    assert euclidean.distances[0, 1] == pytest.approx(211.381172)
    assert [BAYES.trace() / 898, ADABOOST.trace() / 898] == pytest.approx([0.8630, 0.8363], abs=5e-5)
    assert euclidean.ranking == ("NB", "AdaBoost")


def test_manhattan_distance_counts_each_error_twice():
    found = project_classifiers(ANNEAL, distance="l1")

    assert found.distance_to_ideal.tolist() == [2 * (898 - BAYES.trace()), 2 * (898 - ADABOOST.trace())]


@pytest.mark.parametrize("distance", ["euclidean", "cityblock", "chebyshev", "canberra"])
def test_tree_projection_keeps_twice_as_many_distances_as_there_are_classifiers_but_one(distance):
    found = project_classifiers(confusions(1), distance=distance)
    got = np.hypot(*found.points.T)

    np.testing.assert_allclose(got, found.distance_to_ideal, rtol=1e-9)
    assert found.n_preserved >= 2 * 7 - 1
    assert found.n_pairs == 28


@pytest.mark.parametrize("method", PROJECTIONS)
def test_stress_is_what_its_definition_says(method):
    found = project_classifiers(confusions(2), method=method)
    vectors = performance_vectors(confusions(2))
    rows = np.vstack([vectors.vectors, vectors.ideal])
    wanted, got = cdist(rows, rows), cdist(*[np.vstack([found.points, [0, 0]])] * 2)

    assert found.stress == pytest.approx(np.sqrt(((wanted - got) ** 2).sum() / (wanted**2).sum()))


@pytest.mark.parametrize("method", PROJECTIONS)
@pytest.mark.parametrize("distance", ["euclidean", "cityblock"])
def test_order_of_classifiers_changes_their_order_alone(method, distance):
    """Distances between points stay as they are; a plane may be turned or mirrored."""
    given = confusions(3)
    order = np.random.default_rng(0).permutation(7)
    one = project_classifiers(given, method=method, distance=distance)
    other = project_classifiers([part[order] for part in given], method=method, distance=distance)

    np.testing.assert_allclose(other.distance_to_ideal, one.distance_to_ideal[order], rtol=1e-12)
    assert other.tree_length == pytest.approx(one.tree_length)
    assert other.stress == pytest.approx(one.stress)


def test_scale_of_the_counts_scales_the_plane():
    given = confusions(4)
    one, other = project_classifiers(given), project_classifiers([part * 1e6 for part in given])

    np.testing.assert_allclose(other.points, one.points * 1e6, rtol=1e-9)
    assert other.stress == pytest.approx(one.stress)


@pytest.mark.parametrize("method", PROJECTIONS)
def test_same_classifiers_are_one_point(method):
    found = project_classifiers({"a": BAYES, "b": BAYES, "c": ADABOOST}, method=method)

    assert found.points[0] == pytest.approx(found.points[1], abs=1e-6)
    assert found.ranks.tolist() == [1.5, 1.5, 3]
    assert found.nearest_distance.tolist()[:2] == [0, 0]


def test_odd_classifier_is_far_from_its_nearest_one():
    given = confusions(5, sizes=(3,))[0].astype(float)
    near = np.array([np.diag([40.0, 49, 58]) + m - np.diag(m.sum(axis=1)) for m in given // 8])
    odd = np.array([[0, 40, 0], [0, 0, 49], [58, 0, 0]])
    found = project_classifiers([np.concatenate([near, [odd]])])

    assert int(np.argmax(found.nearest_distance)) == 7


@pytest.mark.parametrize("method", PROJECTIONS)
def test_clouds_lie_around_their_classifiers(method):
    rng = np.random.default_rng(6)
    each = np.array([[[rng.multinomial(20, p) for p in np.eye(3) * 0.5 + 1 / 6] for _ in range(5)] for _ in range(4)])
    found = project_classifiers(each, folds=True, method=method)
    whole = project_classifiers(each.sum(axis=1), method=method)

    assert found.fold_points.shape == (4, 5, 2)
    np.testing.assert_allclose(found.points, whole.points)
    if method == "mcst":
        np.testing.assert_allclose(np.hypot(*found.fold_points.T).T, found.fold_distance_to_ideal, rtol=1e-9)
    else:
        np.testing.assert_allclose(found.fold_points.mean(axis=1), found.points, atol=1e-6)


def test_any_function_of_two_vectors_is_a_distance():
    own = project_classifiers(ANNEAL, distance=lambda u, v: float(abs(u - v).sum()))

    assert own.distance == "callable"
    assert own.distance_to_ideal.tolist() == [246, 294]


def test_one_classifier_and_perfect_ones():
    one = project_classifiers({"NB": BAYES})
    perfect = project_classifiers({"a": np.eye(2), "b": np.eye(2)})

    assert one.points.round(2).tolist() == [[148.67, 0]]
    assert (one.stress, one.n_preserved, np.isnan(one.nearest_distance).all()) == (0, 1, True)
    assert (perfect.stress, perfect.distance_to_ideal.tolist()) == (0, [0, 0])
    assert "every classifier has the vector of the Ideal" in perfect.reason
    assert "the same vector" in project_classifiers({"a": BAYES, "b": BAYES}).reason


def test_rows_of_a_frame_bring_their_names():
    frame = pd.DataFrame([[1.0, 2], [3, 4]], index=["NB", "SVM"])

    assert project_vectors(frame, [0, 0]).classifiers == ("NB", "SVM")


@pytest.mark.parametrize("name", DISTANCES)
def test_every_distance_is_taken(name):
    found = project_classifiers(ANNEAL, distance=name)

    assert np.isfinite(found.points).all()
    assert found.distance == DISTANCES[name]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"distance": "hamming"}, "distance must be 'euclidean' or .* or a function of two vectors, not 'hamming'"),
        ({"distance": lambda u, v: -1.0}, "finite nonnegative numbers"),
        ({"distance": lambda u, v: float(u[0])}, "must be symmetric"),
        ({"distance": lambda u, v: "far"}, "what distance gives must be a number"),
        ({"method": "tsne"}, "method must be 'mcst' or 'mds' or 'pca'"),
        ({"folds": 1}, "folds must be True or False"),
    ],
)
def test_bad_choices_are_refused(choices, message):
    with pytest.raises(EvalstatsError, match=message):
        project_classifiers(ANNEAL, **choices)


@pytest.mark.parametrize(
    ("vectors", "ideal", "message"),
    [
        ([1, 2], [1, 2], r"vectors must have the shape \(n_classifiers, n_entries\)"),
        ([[1, 2]], [1, 2, 3], "ideal must have one value for each of 2 entries"),
        ([[1, np.inf]], [1, 2], "vectors must be finite"),
        ([[1, 2]], [1, np.nan], "ideal must be finite"),
        ([[1, 1e200]], [1, 2], "vectors must lie between"),
        (np.ones((0, 2)), [1, 2], "vectors must have the shape"),
    ],
)
def test_bad_vectors_are_refused(vectors, ideal, message):
    with pytest.raises(EvalstatsError, match=message):
        project_vectors(vectors, ideal)


@pytest.mark.parametrize("names", [["NB", "NB"], ["NB"], ["NB", "SVM", "C4.5"], ["NB", "NB", "SVM"]])
def test_names_are_as_many_as_vectors_and_all_different(names):
    with pytest.raises(EvalstatsError, match="classifiers must hold 2 different names"):
        project_vectors([[1.0, 2.0], [2.0, 1.0]], [0, 0], classifiers=names)


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
