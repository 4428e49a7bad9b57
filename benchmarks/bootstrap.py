"""Bootstrap intervals of F1 and of the area under the ROC curve, against scipy and scikit-learn resampling rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.timing import Race
from evalstats.metrics.bootstrap import bootstrap_auc_scores, bootstrap_scores
from evalstats.metrics.counts import confusion_counts

SCIPY = "scipy.stats.bootstrap"
SKLEARN = "resampling rows with scikit-learn"


def predictions(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return true classes and scores."""
    rng = np.random.default_rng(n)
    y_true = rng.integers(0, 2, n, dtype=np.int8)
    return y_true, rng.normal(size=n) + y_true


def f1(y_true: np.ndarray, y_pred: np.ndarray, axis: int = -1) -> np.ndarray:
    both = np.count_nonzero(y_true & y_pred, axis=axis)
    return 2 * both / (np.count_nonzero(y_true, axis=axis) + np.count_nonzero(y_pred, axis=axis))


def by_scipy(y_true: np.ndarray, y_pred: np.ndarray, n_resamples: int) -> np.ndarray:
    from scipy import stats

    result = stats.bootstrap(
        (y_true, y_pred), f1, paired=True, n_resamples=n_resamples, batch=1, method="percentile", rng=0
    )
    return np.asarray(result.bootstrap_distribution)


def by_rows(score: Callable[..., float], y_true: np.ndarray, other: np.ndarray, n_resamples: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    n = len(y_true)
    return np.array([score(y_true[i], other[i]) for i in (rng.integers(0, n, n) for _ in range(n_resamples))])


def same_law(here: np.ndarray, there: np.ndarray, _peer: str) -> None:
    """Check that both samples of replicates can come from one distribution."""
    from scipy import stats

    assert stats.ks_2samp(here, there).pvalue > 1e-3


def races() -> Iterator[Race]:
    from sklearn.metrics import f1_score, roc_auc_score

    y_true, scores = predictions(1_000_000)
    y_pred = (scores > 0.5).astype(np.int8)
    n_resamples, share = 10_000, 20
    yield Race(
        "10,000 bootstrap replicates of F1 on 1,000,000 predictions, from the labels",
        lambda: bootstrap_scores("f1", confusion_counts(y_true, y_pred), n_resamples=n_resamples, rng=0),
        {
            SCIPY: lambda: by_scipy(y_true, y_pred, share),
            SKLEARN: lambda: by_rows(f1_score, y_true, y_pred, share // 4),
        },
        same_law,
        {SCIPY: 5000},
        {SCIPY: share / n_resamples, SKLEARN: share / 4 / n_resamples},
        rounds=3,
    )
    for n, decimals, ours, theirs, goal in (
        (10_000, None, 1000, 100, 15),
        (1_000_000, None, 50, 5, 5),
        (1_000_000, 2, 1000, 5, 300),
    ):
        y_true, scores = predictions(n)
        if decimals is not None:
            scores = scores.round(decimals)
        kind = "distinct scores" if decimals is None else f"{len(np.unique(scores)):,} distinct scores"
        yield Race(
            f"{ours:,} bootstrap replicates of AUC, {n:,} cases, {kind}",
            lambda y=y_true, s=scores, b=ours: bootstrap_auc_scores(y, s, n_resamples=b, rng=0),
            {SKLEARN: lambda y=y_true, s=scores, b=theirs: by_rows(roc_auc_score, y, s, b)},
            same_law,
            {SKLEARN: goal},
            {SKLEARN: theirs / ours},
            rounds=3,
        )
