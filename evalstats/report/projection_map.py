"""Layout of the points of a projection in the figure of a report."""

from __future__ import annotations

__all__ = ["MapFold", "MapPoint", "ProjectionMap", "place_map", "projection_map"]

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from evalstats._result import Record
from evalstats._types import FloatArray
from evalstats.cd_layout import Picture, PlacedText, Segment
from evalstats.report.describe import column
from evalstats.wording import Measure, shorten

if TYPE_CHECKING:
    from evalstats.multiple.projection import ClassifierProjection

# maximum number of names of points
MOST_NAMES = 40
# maximum number of folds
MOST_FOLDS = 2000
# in font sizes
_WIDTH, _LEAST, _BESIDE = 36.0, 8.0, 0.7


@dataclass(frozen=True, kw_only=True, eq=False)
class MapPoint(Record):
    """Point with its position, its name ('' if the figure does not show it), and its description."""

    x: float
    y: float
    name: str
    told: str


@dataclass(frozen=True, kw_only=True, eq=False)
class MapFold(Record):
    """Fold of the classifier at index `of`."""

    x: float
    y: float
    of: int
    told: str


@dataclass(frozen=True, kw_only=True, eq=False)
class ProjectionMap(Record):
    """Points in a plane (the Ideal is last), the edges between the points, and the sentences of the caption."""

    points: tuple[MapPoint, ...]
    edges: tuple[tuple[int, int], ...]
    folds: tuple[MapFold, ...]
    caption: tuple[str, ...]

    title: ClassVar[str] = "Map of classifiers"

    @property
    def description(self) -> str:
        """Text description of the figure for screen readers."""
        return "; ".join(point.told for point in self.points[:-1]) + ". " + " ".join(self.caption)


def projection_map(projection: ClassifierProjection, most_names: int = MOST_NAMES) -> ProjectionMap:
    """Lay out the points of a projection, with names for points that are closest to the Ideal or most isolated."""
    k = len(projection.classifiers)
    told = column(projection.distance_to_ideal.tolist(), digits=4)
    odd = np.argsort(-np.nan_to_num(projection.nearest_distance), kind="stable")[: most_names // 2].tolist()
    close = np.argsort(projection.ranks, kind="stable").tolist()
    named = set(odd) | set([i for i in close if i not in odd][: most_names - len(odd)])
    points = [
        MapPoint(x=x, y=y, name=name if i in named else "", told=f"{name}: {text} from the Ideal")
        for i, ((x, y), name, text) in enumerate(
            zip(projection.points.tolist(), projection.classifiers, told, strict=True)
        )
    ]
    folds, n_folds = _folds(projection, sorted(named))
    small = " Small dots are folds." if len(folds) == n_folds else f" Small dots are {len(folds)} of {n_folds} folds."
    few = f" The map names {len(named)} of {k} classifiers." if len(named) < k else ""
    read = "Classifiers that make similar errors lie close together; an open dot marks the Ideal."
    exact = (
        " Only distances to the Ideal, and along the spanning tree, are exact." if projection.method == "mcst" else ""
    )
    return ProjectionMap(
        points=(*points, MapPoint(x=0.0, y=0.0, name="Ideal", told="Ideal")),
        edges=tuple((start, end) for start, end in projection.tree.tolist()),
        folds=folds,
        caption=(f"{read}{small if folds else ''}{exact}{few}",),
    )


def _folds(projection: ClassifierProjection, named: list[int]) -> tuple[tuple[MapFold, ...], int]:
    """Return the folds in the figure and the number of all folds; if there are many, only named points have folds."""
    if projection.fold_points is None or projection.fold_distance_to_ideal is None:
        return (), 0
    k, n = projection.fold_points.shape[:2]
    are_all = k * n <= MOST_FOLDS
    step = 1 if are_all else -(-len(named) * n // MOST_FOLDS)
    whose, which = range(k) if are_all else named, range(0, n, step)
    of = [(i, j) for i in whose for j in which]
    told = column([float(projection.fold_distance_to_ideal[at]) for at in of], digits=4)
    return tuple(
        MapFold(
            x=float(projection.fold_points[i, j, 0]),
            y=float(projection.fold_points[i, j, 1]),
            of=i,
            told=f"{projection.classifiers[i]}, fold {j + 1}: {text} from the Ideal",
        )
        for (i, j), text in zip(of, told, strict=True)
    ), k * n


def place_map(drawn: ProjectionMap, measure: Measure, *, longest_name: float, width: float = _WIDTH) -> Picture:
    """Convert a map to lines and texts, with the same scale in both directions; y increases downwards."""
    shown: list[MapPoint | MapFold] = [*drawn.points, *drawn.folds]
    at = np.array([(one.x, -one.y) for one in shown])
    low, size = at.min(axis=0), np.ptp(at, axis=0)
    scale = min(width / size[0], width / size[1]) if size.all() else width / (float(size.max()) or 1.0)
    names = shorten([point.name for point in drawn.points], measure, longest_name)
    wide = max(map(measure, names)) + _BESIDE
    places = (at - low) * scale + [wide, 1.2]
    places, clouds = places[: len(drawn.points)], places[len(drawn.points) :].tolist()
    picture_width = float(size[0] * scale + 2 * wide)

    segments = [
        Segment(kind="spoke", x1=places[fold.of, 0], y1=places[fold.of, 1], x2=x, y2=y, of=(fold.of,))
        for fold, (x, y) in zip(drawn.folds, clouds, strict=True)
    ]
    segments += [
        Segment(kind="fold", x1=x, y1=y, x2=x, y2=y, of=(fold.of,), full=fold.told)
        for fold, (x, y) in zip(drawn.folds, clouds, strict=True)
    ]
    segments += [
        Segment(kind="leader", x1=x1, y1=y1, x2=x2, y2=y2, of=(start, end))
        for (start, end), ((x1, y1), (x2, y2)) in zip(drawn.edges, places[list(drawn.edges)].tolist(), strict=True)
    ]
    texts, last = [], len(places) - 1
    boxes = [(x - 0.4, y - 0.4, x + 0.4, y + 0.4) for x, y in places.tolist()]
    boxes += [box for start, end in places[list(drawn.edges)] for box in _along(start, end)]
    for i, ((x, y), name, point) in enumerate(zip(places.tolist(), names, drawn.points, strict=True)):
        for kind in ("dot",) if i < last else ("dot", "hole"):
            segments.append(Segment(kind=kind, x1=x, y1=y, x2=x, y2=y, of=(i,), full=point.told))
        if name:
            anchor, left, top = _least_covered(x, y, measure(name), boxes)
            boxes.append((left, top, left + measure(name), top + 1.2))
            beside = {"start": left, "middle": x, "end": left + measure(name)}[anchor]
            kind = "name" if i < last else "control"
            placed = {"x": beside, "y": top + 0.6, "text": name, "anchor": anchor}
            texts.append(PlacedText(kind=kind, **placed, size=1.0, full=point.told, of=(i,)))
    height = max(float(size[1] * scale) + 2.4, _LEAST)
    return Picture(width=picture_width, height=height, segments=tuple(segments), texts=tuple(texts))


def _along(start: FloatArray, end: FloatArray) -> list[tuple[float, float, float, float]]:
    """Return a chain of small boxes along a line, which names must not cover."""
    share = np.linspace(0, 1, 2 + int(2 * np.hypot(*(end - start))))[1:-1, None]
    return [(x - 0.1, y - 0.1, x + 0.1, y + 0.1) for x, y in (start + share * (end - start)).tolist()]


def _least_covered(
    x: float, y: float, wide: float, boxes: list[tuple[float, float, float, float]]
) -> tuple[str, float, float]:
    """Return the anchor and the upper left corner of the position at which a name overlaps least."""
    choices = [
        ("start", x + _BESIDE, y - 0.6),
        ("end", x - _BESIDE - wide, y - 0.6),
        ("middle", x - wide / 2, y - 1.7),
        ("middle", x - wide / 2, y + 0.5),
    ]
    taken = np.array(boxes)

    def covered(choice: tuple[str, float, float]) -> float:
        _, left, top = choice
        across = np.minimum(left + wide, taken[:, 2]) - np.maximum(left, taken[:, 0])
        down = np.minimum(top + 1.2, taken[:, 3]) - np.maximum(top, taken[:, 1])
        return float((np.maximum(across, 0) * np.maximum(down, 0)).sum())

    return min(choices, key=covered)
