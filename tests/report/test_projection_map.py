"""The map in a report: places, names, and what a reader learns who points at it."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats import report
from evalstats.multiple import project_classifiers
from evalstats.multiple.projection import ClassifierProjection
from evalstats.report.projection_map import place_map, projection_map
from evalstats.report.text_width import font_sizes


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


@pytest.mark.parametrize("seed", range(10))
def test_names_keep_off_the_lines(seed):
    """A name that is struck through by an edge is hard to read; few points always leave another side."""
    counts = np.random.default_rng(seed).multinomial(30, [0.2, 0.5, 0.3], size=(3, 3))
    picture = place_map(projection_map(project_classifiers(counts)), font_sizes, longest_name=20)

    for text in picture.texts:
        left = text.x - {"start": 0, "middle": 0.5, "end": 1}[text.anchor] * font_sizes(text.text)
        for line in (s for s in picture.segments if s.kind == "leader"):
            t = np.linspace(0, 1, 400)
            x, y = line.x1 + t * (line.x2 - line.x1), line.y1 + t * (line.y2 - line.y1)
            struck = (x > left + 0.2) & (x < left + font_sizes(text.text) - 0.2) & (abs(y - text.y) < 0.4)
            assert not struck.any(), text.text


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
    assert "The map names 10 of 60 classifiers." in found.caption[0]


@pytest.mark.parametrize("given", [{"a": np.eye(2), "b": np.eye(2)}, {"a": [[3, 1], [0, 4]]}])
def test_one_place_and_one_line_are_placed(given):
    picture = place_map(projection_map(project_classifiers(given)), font_sizes, longest_name=20)

    assert all(np.isfinite([s.x1, s.y1]).all() for s in picture.segments)


def test_latex_draws_in_one_scale():
    drawn = report.latex(project_classifiers(some(4)))

    assert r"\begin{tikzpicture}[x=1em, y=-1em" in drawn
    assert drawn.count(r"\draw[line width=5pt") == 5


def with_folds(k: int, n: int) -> ClassifierProjection:
    return project_classifiers(np.random.default_rng(k).multinomial(30, [0.2, 0.8], size=(k, n, 2)), folds=True)


def test_folds_are_dots_that_tell_their_distance():
    found = with_folds(3, 4)
    drawn = projection_map(found)
    picture = place_map(drawn, font_sizes, longest_name=20)
    html = report.html(found)

    assert [(fold.of, fold.x, fold.y) for fold in drawn.folds] == [
        (i, *found.fold_points[i, j].tolist()) for i in range(3) for j in range(4)
    ]
    dots = {kind: [s for s in picture.segments if s.kind == kind] for kind in ("dot", "fold", "spoke")}
    scale = (dots["dot"][0].x1 - dots["dot"][-1].x1) / found.points[0, 0]
    assert [s.x1 - dots["dot"][-1].x1 for s in dots["fold"]] == pytest.approx([scale * fold.x for fold in drawn.folds])
    assert [s.of for s in dots["spoke"]] == [(fold.of,) for fold in drawn.folds]
    for fold in drawn.folds:
        assert f'<line class="fold" data-of="{fold.of}"' in html
        assert f"<title>{fold.told}</title></line>" in html
    assert drawn.folds[5].told.startswith("classifier 2, fold 2: ")
    assert "Small dots are folds." in drawn.caption[0]
    assert "·" in report.text(found)


def test_of_very_many_folds_some_are_drawn():
    drawn = projection_map(with_folds(60, 120))

    assert len(drawn.folds) == 40 * 40
    assert {drawn.points[fold.of].name for fold in drawn.folds} == {point.name for point in drawn.points[:-1]} - {""}
    assert "Small dots are 1600 of 7200 folds." in drawn.caption[0]
