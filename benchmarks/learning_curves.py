"""Learning curves of two classifiers on many datasets, against a loop over datasets and sizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.paired import learning_curve_test

N_TRAIN, N_TEST = 25 * 2 ** np.arange(8), 100
PEER = "scikit-learn's gallery formula and statsmodels, in loops"


def races() -> Iterator[Race]:
    for n_datasets in (1, 500):
        yield _race(n_datasets)


def _race(n_datasets: int) -> Race:
    rng = np.random.default_rng(8)
    x, y = rng.normal(0.8, 0.03, (2, n_datasets, 10, len(N_TRAIN)))

    def by_loops() -> Any:
        from scipy import stats
        from statsmodels.stats.multitest import multipletests

        found = []
        for ours, theirs in zip(x, y, strict=True):
            pvalues = []
            for j, n_train in enumerate(N_TRAIN):
                d = ours[:, j] - theirs[:, j]
                t = d.mean() / np.sqrt(d.var(ddof=1) * (1 / len(d) + N_TEST / n_train))
                pvalues.append(2 * stats.t.sf(abs(t), len(d) - 1))
            found.append(multipletests(pvalues, method="sidak")[1])
        return np.array(found)

    def agree(mine: Any, theirs: Any, _: str) -> None:
        np.testing.assert_allclose(mine.pvalue, theirs, rtol=1e-10)

    return Race(
        job=f"learning curves, {n_datasets} dataset{'s' * (n_datasets > 1)} x 10 repeats x 8 sizes",
        ours=lambda: learning_curve_test(x, y, n_train=N_TRAIN, n_test=N_TEST),
        peers={PEER: by_loops},
        agree=agree,
        goal={PEER: 1.0 if n_datasets == 1 else 20.0},
    )
