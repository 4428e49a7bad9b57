"""Scores of hard labels: repeated cross-validation on twenty datasets, against scikit-learn and pandas."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.timing import Race

N_REPEATS, N_FOLDS, N_CLASSIFIERS = 500, 10, 6
# cases and classes of twenty datasets of the size that comparisons of classifiers use
DATASETS = [
    *[(150, 3), (178, 3), (214, 5), (270, 2), (303, 5), (351, 2), (435, 2), (569, 2), (625, 3), (683, 2)],
    *[(690, 2), (768, 2), (846, 5), (958, 2), (1000, 2), (1473, 3), (1728, 5), (1797, 10), (2310, 10), (3020, 10)],
]
FOLDS_SHARE = 120  # folds that scikit-learn scores in each round, out of 600,000
SCORES = {
    "accuracy": {},
    "precision": {"average": "macro"},
    "recall": {"average": "macro"},
    "f1": {"average": "macro"},
    "matthews_corrcoef": {},
    "cohen_kappa": {},
}


class Predictions(NamedTuple):
    y_true: np.ndarray  # (n,)
    y_pred: np.ndarray  # (repeats, classifiers, n)
    fold: np.ndarray  # (repeats, 1, n)
    n_classes: int


@functools.cache
def predictions() -> list[Predictions]:
    rng = np.random.default_rng(1)
    made = []
    for n, k in DATASETS:
        y_true = rng.integers(0, k, n, dtype=np.int8)
        wrong = rng.random((N_REPEATS, N_CLASSIFIERS, n), dtype=np.float32) < 0.2
        y_pred = np.where(wrong, rng.integers(0, k, wrong.shape, dtype=np.int8), y_true)
        fold = rng.permuted(np.broadcast_to((np.arange(n) % N_FOLDS).astype(np.int8), (N_REPEATS, n)), axis=1)
        made.append(Predictions(y_true, y_pred, fold[:, None, :], k))
    return made


def ours() -> list[dict[str, np.ndarray]]:
    from evalstats.metrics import confusion_counts, score_from_counts

    scores = []
    for d in predictions():
        counts = confusion_counts(d.y_true, d.y_pred, n_classes=d.n_classes, fold=d.fold, n_folds=N_FOLDS)
        scores.append({name: score_from_counts(name, counts, undefined="zero", **c) for name, c in SCORES.items()})
    return scores


def some_folds() -> list[tuple[int, int, int, int]]:
    """Dataset, repeat, classifier and fold of the folds that the loop scores: each dataset equally often."""
    rng = np.random.default_rng(2)
    return [
        (i % len(DATASETS), *map(int, rng.integers(0, (N_REPEATS, N_CLASSIFIERS, N_FOLDS)))) for i in range(FOLDS_SHARE)
    ]


def sklearn_loop() -> list[list[float]]:
    """Six calls for each fold."""
    from sklearn import metrics

    scores = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for dataset, repeat, classifier, fold in some_folds():
            d = predictions()[dataset]
            rows = d.fold[repeat, 0] == fold
            y_true, y_pred = d.y_true[rows], d.y_pred[repeat, classifier, rows]
            macro = {"labels": range(d.n_classes), "average": "macro", "zero_division": 0}
            scores.append(
                [
                    metrics.accuracy_score(y_true, y_pred),
                    metrics.precision_score(y_true, y_pred, **macro),
                    metrics.recall_score(y_true, y_pred, **macro),
                    metrics.f1_score(y_true, y_pred, **macro),
                    metrics.matthews_corrcoef(y_true, y_pred),
                    metrics.cohen_kappa_score(y_true, y_pred),
                ]
            )
    return scores


def scores_agree(here: list[dict[str, np.ndarray]], there: list[list[float]], _peer: str) -> None:
    for (dataset, *fold), scores in zip(some_folds(), there, strict=True):
        mine = [float(s[tuple(fold)]) for s in here[dataset].values()]
        np.testing.assert_allclose(mine, np.nan_to_num(scores), atol=1e-12)


def our_counts() -> np.ndarray:
    from evalstats.metrics import confusion_counts

    d = predictions()[-1]
    return confusion_counts(d.y_true, d.y_pred[:50], n_classes=d.n_classes, fold=d.fold[:50], n_folds=N_FOLDS)


@functools.cache
def long_table():
    import pandas as pd

    d = predictions()[-1]
    shape = d.y_pred[:50].shape
    repeat, classifier, _ = np.indices(shape, dtype=np.int16)
    columns = {
        "repeat": repeat,
        "classifier": classifier,
        "fold": d.fold[:50],
        "true": d.y_true,
        "predicted": d.y_pred[:50],
    }
    return pd.DataFrame({name: np.broadcast_to(values, shape).ravel() for name, values in columns.items()})


def pandas_counts() -> np.ndarray:
    frame = long_table()
    sizes = frame.groupby(list(frame.columns)).size()
    k = predictions()[-1].n_classes
    counts = np.zeros((50, N_CLASSIFIERS, N_FOLDS, k, k), dtype=np.int64)
    counts[tuple(sizes.index.get_level_values(i) for i in range(5))] = sizes
    return counts


def counts_agree(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
    np.testing.assert_array_equal(here, there)


def one_sample(dtype: type) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    y_true, y_pred = rng.integers(0, 5, (2, 1_000_000))
    return (y_true, y_pred) if dtype is int else (np.array(list("abcde"))[y_true], np.array(list("abcde"))[y_pred])


def one_score(dtype: type, goal: float) -> Race:
    from sklearn import metrics

    from evalstats.metrics import f1_score

    y_true, y_pred = one_sample(dtype)
    return Race(
        job=f"macro F1 of 1,000,000 predictions, 5 classes that are {dtype.__name__}",
        ours=lambda: f1_score(y_true, y_pred, average="macro"),
        peers={"scikit-learn": lambda: metrics.f1_score(y_true, y_pred, average="macro")},
        agree=lambda here, there, _peer: np.testing.assert_allclose(here, there, rtol=1e-12),
        goal={"scikit-learn": goal},
        rounds=3,
    )


def races() -> Iterator[Race]:
    n_predictions = sum(d.y_pred.size for d in predictions())
    n_folds = N_REPEATS * N_CLASSIFIERS * N_FOLDS * len(DATASETS)
    yield Race(
        job=f"counts and six scores of {n_folds:,} folds, {n_predictions / 1e6:.0f} million predictions",
        ours=ours,
        peers={"scikit-learn, six calls per fold": sklearn_loop},
        agree=scores_agree,
        goal={"scikit-learn, six calls per fold": 3000},
        shares={"scikit-learn, six calls per fold": FOLDS_SHARE / n_folds},
    )
    yield Race(
        job=f"counts of {long_table().shape[0]:,} predictions, 10 classes",
        ours=our_counts,
        peers={"pandas groupby": pandas_counts},
        agree=counts_agree,
        goal={"pandas groupby": 5},
        rounds=3,
    )
    yield one_score(int, goal=7)
    yield one_score(str, goal=2)
