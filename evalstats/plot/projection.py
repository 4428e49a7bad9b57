"""Projection of classifiers to points around the Ideal."""

from __future__ import annotations

__all__ = ["classifier_projection"]

from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._types import FloatArray, IntArray
from evalstats.multiple.projection import ClassifierProjection
from evalstats.plot import style
from evalstats.plot.style import caption as write_caption
from evalstats.wording import LONGEST_NAME, Measure, wrap_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# in font sizes: a new figure, the space around the points, the longest name, the distance of a name from its point
_SIDE, _ROOM, _BESIDE = 46.0, 0.12, 0.75
# area of a name that another name may cover; this area is its margin
_COVERED = 0.02
# fraction of the width of a new figure for its axes
_OF_WIDTH = 0.92
WORDS = {"mcst": "spanning-tree projection", "mds": "classical scaling", "pca": "principal components"}
DISTANCE_WORDS = {"euclidean": "Euclidean", "cityblock": "Manhattan", "callable": "own"}


def classifier_projection(
    projection: ClassifierProjection,
    ax: Axes | None = None,
    *,
    tree: bool = True,
    max_shown: int = 40,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the classifiers as points around the Ideal, with the spanning tree between them.

    Classifiers with similar errors are close together. A larger distance from the Ideal means more errors. An isolated
    point shows an unusual classifier. In a spanning-tree projection, only the distances to the Ideal and along the tree
    are exact. Classifiers whose points are close together, but not joined by an edge, may differ strongly. In a
    projection with folds, each classifier has a cloud of small dots.

    Parameters
    ----------
    projection : ClassifierProjection
        Result of `evalstats.multiple.project_classifiers` or `evalstats.multiple.project_vectors`.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    tree : bool, default: True
        Whether to draw the edges of the tree.
    max_shown : int, default: 40
        Maximum number of named points, which are closest to the Ideal or most isolated. A name without a
        free position is left out.
    title : str, optional
        Title above the plot.
    caption : bool, default: True
        Whether to write an explanation below the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes
        Both axes have the same scale, in the unit of the distance.

    Raises
    ------
    InvalidTypeError
        If `projection` is not a result of `project_classifiers` or `project_vectors`.
    InvalidValueError
        If an argument has an invalid value.

    References
    ----------
    Japkowicz, N., Sanghi, P. & Tischer, P. (2008). A projection-based framework for classifier performance evaluation.
    ECML PKDD, 548-563.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> from evalstats.multiple import project_classifiers
    >>> found = project_classifiers({"NB": [[7, 3], [2, 8]], "SVM": [[9, 1], [4, 6]]})
    >>> ax = plot.classifier_projection(found)
    >>> sorted(text.get_text() for text in ax.texts)
    ['Ideal', 'NB', 'SVM']
    """
    projection = _checks.instance(projection, "projection", ClassifierProjection, "a result of project_classifiers")
    max_shown = _checks.count(max_shown, "max_shown", minimum=0)
    size = style.font_size_of(font_size, title, tree=tree, caption=caption)
    points = np.vstack([projection.points, [0.0, 0.0]])
    clouds = projection.fold_points
    limits = _limits(points if clouds is None else np.vstack([points, clouds.reshape(-1, 2)]))
    width, height = limits[:, 1] - limits[:, 0]
    unit = _SIDE * size / style.POINTS_PER_INCH
    ax = style.axes_to_draw_on(
        ax, unit, unit * (_OF_WIDTH * height / width + (0.12 if caption else 0.04) + (0.06 if title else 0.0))
    )
    ax.set(xlim=limits[0], ylim=limits[1])
    ax.set_aspect("equal", adjustable="box")
    style.write_title(ax, title, size)
    if caption:
        write_caption(ax, _sentences(projection, tree, max_shown), size=size)

    if clouds is not None:
        for at, cloud in zip(points, clouds, strict=False):
            lines = np.insert(cloud, range(len(cloud)), at, axis=0)
            ax.plot(lines[:, 0], lines[:, 1], color=style.ink(0.15), linewidth=0.05 * size, zorder=0, label="_cloud")
        ax.scatter(clouds[..., 0], clouds[..., 1], s=(0.25 * size) ** 2, color=style.GREY, zorder=1, label="_folds")
    for start, end in projection.tree.tolist() if tree else ():
        ax.plot(*points[[start, end]].T, color=style.ink(0.35), linewidth=0.08 * size, zorder=0, label="_tree")
    ax.scatter(points[:-1, 0], points[:-1, 1], s=(0.6 * size) ** 2, color=style.BLUE, zorder=2, label="_classifiers")
    ax.scatter([0.0], [0.0], s=(1.1 * size) ** 2, color=style.RED, marker="*", zorder=3, label="_ideal")
    ax.tick_params(labelsize=0.85 * size)
    ax.spines[["top", "right"]].set_visible(False)
    edges = projection.tree if tree else projection.tree[:0]
    n_without = _name_points(ax, points, edges, _named(projection, max_shown), size)
    if caption and n_without:
        style.add_to_caption(ax, f"{n_without} name{'s have' if n_without > 1 else ' has'} no space.")
    return ax


def _named(projection: ClassifierProjection, max_shown: int) -> dict[int, str]:
    """Return the points to label: half of them are the closest to the Ideal, and half are the most isolated."""
    k = len(projection.classifiers)
    by_rank = np.argsort(projection.ranks, kind="stable").tolist()
    by_oddness = np.argsort(-np.nan_to_num(projection.nearest_distance), kind="stable").tolist()
    order = list(dict.fromkeys(i for both in zip(by_oddness, by_rank, strict=True) for i in both))
    return {k: "Ideal", **{i: projection.classifiers[i] for i in order[:max_shown]}}


def _limits(points: FloatArray) -> FloatArray:
    """Return the limits of both axes, of shape (2, 2)."""
    low, high = points.min(axis=0), points.max(axis=0)
    size = float((high - low).max()) or 1.0
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, 0.2 * size) + _ROOM * size
    return np.stack([middle - half, middle + half], axis=1)


def _name_points(ax: Axes, points: FloatArray, tree: IntArray, names: dict[int, str], size: float) -> int:
    """Write each name next to its point, at the position with the least overlap.

    Names that would cover another name or leave the axes are omitted. Return the number of omitted names.
    """
    measure: Measure = style.measure_of_font()
    shown = dict(zip(names, wrap_names(list(names.values()), measure, LONGEST_NAME), strict=True))
    style.points_of(ax)  # compute the layout before positions are used
    ax.apply_aspect()
    scale = ax.figure.figure.dpi / style.POINTS_PER_INCH * size
    places = ax.transData.transform(points) / scale  # in font sizes
    boxes = [np.r_[place - 0.35, place + 0.35] for place in places]
    written = _outside(ax.bbox.get_points() / scale)
    boxes += written
    n_without = 0
    for start, end in places[tree]:
        share = np.linspace(0, 1, 2 + int(np.hypot(*(end - start))))[1:-1, None]
        boxes += [np.r_[at - 0.1, at + 0.1] for at in start + share * (end - start)]
    for i, name in shown.items():
        shape = measure(name), style.LINE_HEIGHT * (1 + name.count("\n"))
        choices = [_box(places[i], shape, across, up) for across, up in _SIDES]
        taken, names_before = np.array(boxes), np.array(written)
        covered = [_overlap(box, names_before) for box in choices]
        around = [_overlap(box, np.delete(taken, i, axis=0)) for box in choices]
        best = min(range(len(choices)), key=lambda side: (covered[side] > _COVERED, around[side]))
        if covered[best] > _COVERED:
            n_without += 1
            continue
        boxes.append(choices[best])
        written.append(choices[best])
        across, up = _SIDES[best]
        ax.annotate(
            name,
            points[i],
            (_BESIDE * size * across, _BESIDE * size * up),
            textcoords="offset points",
            fontsize=size,
            ha={1: "left", 0: "center", -1: "right"}[across],
            va={1: "bottom", 0: "center" if "\n" in name else "center_baseline", -1: "top"}[up],
            **style.as_written(),
            zorder=4,
        )
    return n_without


def _outside(axes: FloatArray) -> list[FloatArray]:
    """Return four boxes around the axes that cover the tick labels and the edges of the figure."""
    (left, bottom), (right, top) = axes
    far = 1e3
    return [
        np.array([-far, -far, left, far]),
        np.array([right, -far, far, far]),
        np.array([left, -far, right, bottom]),
        np.array([left, top, right, far]),
    ]


_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))


def _box(place: FloatArray, shape: tuple[float, float], across: int, up: int) -> FloatArray:
    width, height = shape
    left = place[0] + _BESIDE * across - width * (1 - across) / 2
    bottom = place[1] + _BESIDE * up - height * (1 - up) / 2
    return np.array([left, bottom, left + width, bottom + height])


def _overlap(box: FloatArray, others: FloatArray) -> float:
    common = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])
    return float(np.prod(np.maximum(common, 0.0), axis=1).sum())


def _sentences(projection: ClassifierProjection, tree: bool, max_shown: int) -> tuple[str, ...]:
    distance: Any = DISTANCE_WORDS.get(projection.distance, projection.distance)
    said = [f"{WORDS[projection.method].capitalize()} of the {distance} distances; stress {projection.stress:.3f}."]
    if projection.method == "mcst":
        said.append(
            "Only distances to the Ideal, and along the tree, are exact."
            if tree
            else "Only distances to the Ideal are exact."
        )
    if projection.fold_points is not None:
        said.append("Small dots: folds.")
    if max_shown < len(projection.classifiers):
        said.append(f"The map names {max_shown} of {len(projection.classifiers)} classifiers.")
    return tuple(said)
