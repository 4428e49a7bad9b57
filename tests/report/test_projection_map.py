"""The map in a report: places, names, and what a reader learns who points at it."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import project_classifiers, report
from evalstats.report.projection_map import place_map, projection_map
from evalstats.report.widths import font_sizes


def some(k: int) -> np.ndarray:
    return np.random.default_rng(k).multinomial(30, [0.2, 0.5, 0.3], size=(k, 3))


def test_places_keep_the_shape_of_the_plane():
    found = project_classifiers(some(6))
    picture = place_map(projection_map(found), font_sizes, longest_name=20)
    dots = [s for s in picture.segments if s.kind == "dot"]
    places, points = np.array([(s.x1, s.y1) for s in dots]), np.vstack([found.points, [0, 0]])

    scale = np.ptp(places[:, 0]) / np.ptp(points[:, 0])
    np.testing.assert_allclose(places[:, 0] - places[-1, 0], scale * points[:, 0], atol=1e-9)
    np.testing.assert_allclose(places[-1, 1] - places[:, 1], scale * points[:, 1], atol=1e-9)
    assert len([s for s in picture.segments if s.kind == "leader"]) == 6
    assert places.min() >= 0
    assert (places <= [picture.width, picture.height]).all()


def test_name_tells_the_distance():
    html = report.html(project_classifiers({"NB": [[8, 2], [1, 9]], "SVM": [[7, 3], [1, 9]]}))

    assert "<title>NB: 3.162 from the Ideal</title>NB</text>" in html
    assert 'class="diagram map"' in html


def test_dot_tells_the_distance_where_no_name_is_written():
    html = report.html(project_classifiers(some(60)))

    assert html.count(" from the Ideal</title></line>") == 60


def test_edges_belong_to_both_ends():
    html = report.html(project_classifiers(some(3)))

    assert html.count('class="leader" data-of="') == 3


def test_few_of_many_are_named():
    found = projection_map(project_classifiers(some(60)), most_names=10)

    assert sum(bool(point.name) for point in found.points) == 11
    assert "Named are 10 of 60 classifiers." in found.caption[0]


@pytest.mark.parametrize("given", [{"a": np.eye(2), "b": np.eye(2)}, {"a": [[3, 1], [0, 4]]}])
def test_one_place_and_one_line_are_placed(given):
    picture = place_map(projection_map(project_classifiers(given)), font_sizes, longest_name=20)

    assert all(np.isfinite([s.x1, s.y1]).all() for s in picture.segments)


def test_latex_draws_in_one_scale():
    drawn = report.latex(project_classifiers(some(4)))

    assert r"\begin{tikzpicture}[x=1em, y=-1em" in drawn
    assert drawn.count(r"\draw[line width=5pt") == 5
