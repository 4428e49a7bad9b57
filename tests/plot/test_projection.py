"""The picture of a projection."""

from __future__ import annotations

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest

from evalstats import EvalstatsError, plot
from evalstats.multiple import project_classifiers

RNG = np.random.default_rng(1)


def some(k: int, *, folds: int = 0) -> np.ndarray:
    shape = (k, folds) if folds else (k,)
    rows = [[RNG.multinomial(30, p) for p in np.eye(3) * 0.7 + 0.1] for _ in range(int(np.prod(shape)))]
    return np.array(rows).reshape(*shape, 3, 3)


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def parts(ax, label):
    return [part for part in (*ax.lines, *ax.collections) if part.get_label() == label]


def test_points_and_edges_are_those_of_the_projection():
    found = project_classifiers(some(5), classifiers=list("abcde"))
    ax = plot.classifier_projection(found)

    np.testing.assert_allclose(parts(ax, "_classifiers")[0].get_offsets(), found.points)
    np.testing.assert_allclose(parts(ax, "_ideal")[0].get_offsets(), [[0, 0]])
    points = np.vstack([found.points, [0, 0]])
    drawn = [line.get_xydata() for line in parts(ax, "_tree")]
    np.testing.assert_allclose(drawn, points[found.tree])
    assert sorted(text.get_text() for text in ax.texts) == ["Ideal", *"abcde"]
    assert ax.get_aspect() == 1


def test_circle_of_equal_distance_is_a_circle():
    ax = plot.classifier_projection(project_classifiers(some(6)))
    ax.figure.draw_without_rendering()

    (x0, y0), (x1, y1) = ax.transData.transform([[0, 0], [1, 1]])
    assert x1 - x0 == pytest.approx(y1 - y0)


def test_folds_are_a_cloud_of_each_classifier():
    found = project_classifiers(some(3, folds=4), folds=True)
    ax = plot.classifier_projection(found)

    np.testing.assert_allclose(parts(ax, "_folds")[0].get_offsets(), found.fold_points.reshape(-1, 2))
    assert len(parts(ax, "_cloud")) == 3
    assert "Small dots: folds." in ax.get_xlabel().replace("\n", " ")


def test_of_many_the_closest_and_the_oddest_are_named():
    given = some(50)
    given[7] = np.roll(given[7], 1, axis=-1)
    found = project_classifiers(given)
    ax = plot.classifier_projection(found, max_shown=4)
    names = {text.get_text() for text in ax.texts}

    assert len(names) == 5
    assert {"Ideal", "classifier 8", found.ranking[0]} <= names
    assert "The map names 4 of 50 classifiers." in ax.get_xlabel().replace("\n", " ")


@pytest.mark.sampled
@pytest.mark.parametrize("method", ["mcst", "mds", "pca"])
def test_names_stay_off_the_scales(method):
    """Ten maps: a name that leaves the axes would lie on the numbers of the scale or be cut."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        rows = [[rng.multinomial(30, p) for p in np.eye(3) * 0.7 + 0.1] for _ in range(5)]
        found = project_classifiers(rows, method=method, classifiers=[f"naive Bayes {i}" for i in range(5)])
        ax = plot.classifier_projection(found)
        ax.figure.draw_without_rendering()
        inside = ax.get_window_extent()

        for text in ax.texts:
            box = text.get_window_extent()
            assert box.x0 >= inside.x0 - 2, text.get_text()
            assert box.x1 <= inside.x1 + 2, text.get_text()
        plt.close("all")


def test_tree_and_caption_can_be_left_out():
    ax = plot.classifier_projection(project_classifiers(some(3)), tree=False, caption=False)

    assert (parts(ax, "_tree"), ax.get_xlabel()) == ([], "")


def test_names_do_not_cover_each_other_where_there_is_room():
    found = project_classifiers(some(8))
    ax = plot.classifier_projection(found)
    ax.figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts]
    spread = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i] if a.overlaps(b)]

    assert len(spread) <= 2


def test_perfect_classifiers_and_one_classifier_are_drawn():
    plot.classifier_projection(project_classifiers({"a": np.eye(2), "b": np.eye(2)}))
    plot.classifier_projection(project_classifiers({"$x_1$": [[3, 1], [0, 4]]})).figure.draw_without_rendering()


def test_own_axes_are_used():
    _, ax = plt.subplots(figsize=(3, 3))

    assert plot.classifier_projection(project_classifiers(some(3)), ax) is ax


def test_other_things_are_refused():
    with pytest.raises(EvalstatsError, match="projection must be a result of project_classifiers"):
        plot.classifier_projection(np.eye(3))
    with pytest.raises(EvalstatsError, match="max_shown must be at least 0"):
        plot.classifier_projection(project_classifiers(some(3)), max_shown=-1)
