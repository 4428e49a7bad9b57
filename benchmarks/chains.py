"""Analyses that users of critdd, pingouin and rliable run: the diagram, the tests of all pairs, the mean over runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import evalstats
from benchmarks.compare import N_CLASSIFIERS, N_DATASETS, PAIRS, scores
from benchmarks.timing import Race
from evalstats.pairwise import pairwise_wilcoxon_test
from evalstats.reproducibility import interquartile_mean

SIZE = f"{N_DATASETS} x {N_CLASSIFIERS}"
N_RESAMPLES = 2000


def diagram() -> tuple[str, np.ndarray]:
    """Return the LaTeX report, which contains the critical-difference diagram in TikZ, and the mean ranks."""
    comparison = evalstats.compare(scores(), rows_are="datasets")
    return evalstats.report.latex(comparison), comparison.omnibus.mean_ranks


def diagram_of_critdd() -> tuple[str, np.ndarray]:
    from critdd import Diagram

    made = Diagram(scores(), maximize_outcome=True)
    return made.to_str(), made.average_ranks


def pairs_of_pingouin() -> np.ndarray:
    import pandas as pd
    import pingouin

    frame = pd.DataFrame(scores()).rename_axis("dataset").reset_index()
    long = frame.melt(id_vars="dataset", var_name="classifier", value_name="score")
    found = pingouin.pairwise_tests(
        data=long, dv="score", within="classifier", subject="dataset", parametric=False, padjust="holm"
    )
    return np.asarray(found["p_corr"])


def races() -> Iterator[Race]:
    yield Race(
        f"compare {SIZE}, and the LaTeX report with the diagram in TikZ; critdd: tests and diagram",
        diagram,
        {"critdd": diagram_of_critdd},
        lambda here, there, _: np.testing.assert_allclose(here[1], there[1]),
        {},
    )
    yield Race(
        f"Wilcoxon's test with Holm's adjustment, all pairs, {SIZE}",
        lambda: pairwise_wilcoxon_test(scores(), method="asymptotic").pvalue[PAIRS],
        {"pingouin": pairs_of_pingouin},
        lambda here, there, _: np.testing.assert_allclose(here, there, rtol=1e-9),
        {},
    )
    runs = np.random.default_rng(3).random((20, 50))

    def of_rliable() -> Any:
        from rliable import library, metrics

        means, _ = library.get_interval_estimates(
            {"A": runs}, lambda x: np.array([metrics.aggregate_iqm(x)]), reps=N_RESAMPLES
        )
        return means["A"][0]

    yield Race(
        f"interquartile mean of 20 runs on 50 datasets, with its interval from {N_RESAMPLES:,} resamples",
        lambda: interquartile_mean(runs, n_resamples=N_RESAMPLES, rng=1).estimate,
        {"rliable": of_rliable},
        lambda here, there, _: np.testing.assert_allclose(here, there),
        {},
    )
