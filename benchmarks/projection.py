"""Maps of 200 classifiers, against plain loops over points and scikit-learn's components."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Race
from evalstats.multiple.confusion_vectors import performance_vectors
from evalstats.multiple.projection import ClassifierProjection, project_classifiers

LOOPS = "plain loops"
SKLEARN = "scikit-learn PCA"


def confusions(k: int) -> list[np.ndarray]:
    rng = np.random.default_rng(k)
    return [
        np.array([[rng.multinomial(50, rng.dirichlet(np.ones(c))) for _ in range(c)] for _ in range(k)])
        for c in (2, 3, 6)
    ]


def by_loops(rows: np.ndarray) -> list[tuple[float, float]]:
    """Place points along the tree, one after the other, with nothing but floats."""
    points = [tuple(row) for row in rows.tolist()]
    root = len(points) - 1
    d = [[math.dist(a, b) for b in points] for a in points]
    place, waiting = {root: (0.0, 0.0)}, set(range(root))
    order = [root]
    while waiting:
        parent, new = min(((i, j) for i in order for j in waiting), key=lambda pair: d[pair[0]][pair[1]])
        waiting.discard(new)
        own = d[new][root]
        other = [i for i in order if d[i][root] > 0]
        beside = parent if d[parent][root] > 0 else min(other, key=lambda i: d[new][i]) if other else None
        if beside is None:
            place[new] = (own, 0.0)
        else:
            x, y = place[beside]
            r = d[beside][root]
            cosine = max(-1.0, min(1.0, (own**2 + r**2 - d[new][beside] ** 2) / (2 * own * r)))
            sine = math.sqrt(1 - cosine**2)
            both = [(own * (cosine * x - s * y) / r, own * (cosine * y + s * x) / r) for s in (sine, -sine)]
            place[new] = min(both, key=lambda at: sum((math.dist(at, place[i]) - d[new][i]) ** 2 for i in order))
        order.append(new)
    return [place[i] for i in range(root)]


def by_sklearn(rows: np.ndarray) -> np.ndarray:
    from sklearn.decomposition import PCA

    found = PCA(2).fit_transform(rows)
    return found[:-1] - found[-1]


def agree(here: ClassifierProjection, there: object, _peer: str) -> None:
    other = np.array(there)
    np.testing.assert_allclose(np.hypot(*here.points.T), np.hypot(*other.T), rtol=1e-6)


def races() -> Iterator[Race]:
    given = confusions(200)
    made = performance_vectors(given)
    rows = np.vstack([made.vectors, made.ideal])
    yield Race(
        "spanning-tree map of 200 classifiers on 3 domains",
        lambda: project_classifiers(given),
        {LOOPS: lambda: by_loops(rows)},
        agree,
        {LOOPS: 5},
        rounds=3,
    )
    yield Race(
        "the same by principal components",
        lambda: project_classifiers(given, method="pca"),
        {SKLEARN: lambda: by_sklearn(rows)},
        agree,
        {},
    )
