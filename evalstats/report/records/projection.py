"""Report of a projection of classifiers: sentences, a table and a map."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import numpy as np

from evalstats.multiple.projection import ClassifierProjection
from evalstats.report.blocks import Cite, Document, Extent, Figure, Table, heads, listing, paragraph, section
from evalstats.report.describe import column, count, decimal
from evalstats.report.projection_map import projection_map
from evalstats.wording import written_list

METHODS = {
    "mcst": "a projection along the minimum-cost spanning tree",
    "mds": "classical multidimensional scaling",
    "pca": "the first two principal components",
}
DISTANCES = {"euclidean": "Euclidean", "cityblock": "Manhattan", "callable": "given"}
# the nearest distance of an isolated classifier is above this multiple of the median nearest distance
_ODD = 3.0
# maximum number of listed classifiers with the best rank
_MOST_NAMES = 3


def verdict(projection: ClassifierProjection) -> str:
    """Name the classifiers that are closest to the Ideal, and the isolated classifiers."""
    if projection.reason:
        return f"{projection.reason[0].upper()}{projection.reason[1:]}."
    k = len(projection.classifiers)
    best = [projection.classifiers[i] for i in np.flatnonzero(projection.ranks == projection.ranks.min())]
    d = projection.distance_to_ideal
    words = (
        f"Closest to the Ideal, a classifier without errors, {'is' if len(best) == 1 else 'are'} "
        f"{written_list(best, at_most=_MOST_NAMES)}, at a distance of {column([float(d.min())], digits=4)[0]}"
    )
    if k > 1 and len(best) < k:
        last = projection.classifiers[int(np.argmax(d))]
        words += f"; the farthest is {last}, at {column([float(d.max())], digits=4)[0]}"
    return f"{words}.{_odd_words(projection)}"


def _odd_words(projection: ClassifierProjection) -> str:
    """Name the classifiers that are far from all others, or return '' if there are fewer than four classifiers."""
    near = projection.nearest_distance
    if len(near) < 4 or not np.median(near) > 0:
        return ""
    odd = [projection.classifiers[i] for i in np.argsort(-near, kind="stable") if near[i] > _ODD * np.median(near)]
    if not odd:
        return ""
    return (
        f" {written_list(odd, at_most=_MOST_NAMES)} {'is' if len(odd) == 1 else 'are'} isolated: no other classifier "
        f"is within {_ODD:g} times the median distance to the nearest one."
    )


def document(projection: ClassifierProjection, extent: Extent) -> Document:
    """Return the map and the distances."""
    k, n = len(projection.classifiers), len(projection.domains)
    of = f" on {count(n, 'dataset')}" if n else ""
    told = [
        section("map", "Map", Figure(diagram=projection_map(projection))),
        section("distances", "Distances", _table(projection, extent.max_rows)),
        section("how", "Projection", listing(_how(projection))),
    ]
    return Document(
        title=f"{count(k, 'classifier')}{of}, and the Ideal",
        verdict=paragraph(verdict(projection)),
        sections=tuple(told),
    )


def _table(projection: ClassifierProjection, max_rows: int) -> Table:
    order = np.argsort(projection.ranks, kind="stable")[:max_rows].tolist()
    k = len(projection.classifiers)
    others = projection.distances + np.diag(np.full(k, np.inf))
    distance = column(projection.distance_to_ideal.tolist(), digits=4)
    apart = column(projection.nearest_distance.tolist(), digits=4) if k > 1 else [""]
    rows = tuple(
        (
            projection.classifiers[i],
            projection.classifiers[int(np.argmin(others[i]))] if k > 1 else "",
            f"{projection.ranks[i]:g}",
            distance[i],
            apart[i],
        )
        for i in order
    )
    few = (
        f" The table shows the {len(order)} of {k} classifiers that are closest to the Ideal." if len(order) < k else ""
    )
    return Table(
        name="distances",
        caption=f"Distances of the performance vectors; rank 1 is the closest to the Ideal.{few}",
        columns=heads(("Classifier", "Most alike"), ("Rank", "To the Ideal", "To the nearest")),
        rows=rows,
    )


def _how(projection: ClassifierProjection) -> list[tuple[str | Cite, ...]]:
    distance = DISTANCES.get(projection.distance, projection.distance)
    entries = {
        "none": "counts",
        "all": "proportions of the instances of their dataset",
        "true": "proportions of the instances of their true class",
    }[projection.normalize]
    what = f"A classifier is represented by all entries of its confusion matrices, as {entries}"
    kept = f"{projection.n_preserved} of {count(projection.n_pairs, 'distance')}"
    lost = f"its stress is {decimal(projection.stress, 3)}, where 0 is a perfect fit"
    return [
        (f"{what}; the Ideal has all instances on the diagonals ", Cite(keys=("japkowicz2008",)), "."),
        (f"The plane is {METHODS[projection.method]} of the {distance} distances.",),
        (f"It keeps {kept} exactly; {lost}.",),
        ("The map is descriptive; it is not a test.",),
    ]
