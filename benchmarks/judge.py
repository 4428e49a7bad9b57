"""Alternative annotator test of an LLM judge. Ours also computes the exact p-values, which the loops do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.agreement import alternative_annotator_test

N_ANNOTATORS, EPSILON = 6, 0.1
SIZES = (2_000, 20_000)  # for few instances, the exact p-values take most of the time


def races() -> Iterator[Race]:
    for n in SIZES:
        yield _race(n)


def _race(n_instances: int) -> Race:
    rng = np.random.default_rng(2025)
    truth = rng.integers(0, 3, n_instances)

    def noisy(accuracy: float, n: int) -> Any:
        wrong = rng.random((n_instances, n)) > accuracy
        return np.where(wrong, rng.integers(0, 3, (n_instances, n)), truth[:, None])

    labels, judge = noisy(0.75, N_ANNOTATORS), noisy(0.8, 1)[:, 0]

    def by_loops() -> Any:
        """Loop over annotators and instances, as the published procedure does."""
        from scipy.stats import ttest_1samp
        from statsmodels.stats.multitest import multipletests

        pvalues = []
        for j in range(N_ANNOTATORS):
            differences = []
            for i in range(n_instances):
                others = [labels[i, other] for other in range(N_ANNOTATORS) if other != j]
                of_judge, own = (sum(one == value for value in others) for one in (judge[i], labels[i, j]))
                differences.append(int(own >= of_judge) - int(of_judge >= own))
            pvalues.append(ttest_1samp(differences, EPSILON, alternative="less").pvalue)
        return pvalues, multipletests(pvalues, method="fdr_by")[1]

    def agree(mine: Any, theirs: Any, _: str) -> None:
        np.testing.assert_allclose(mine.pvalue, theirs[0], rtol=1e-9)
        np.testing.assert_allclose(mine.adjusted_pvalue, theirs[1], rtol=1e-9)

    peer = "SciPy and statsmodels, in loops"
    return Race(
        job=f"alternative annotator test, {N_ANNOTATORS} annotators of {n_instances:,} instances",
        ours=lambda: alternative_annotator_test(labels, judge, epsilon=EPSILON),
        peers={peer: by_loops},
        agree=agree,
        goal={peer: 1.0},
    )
