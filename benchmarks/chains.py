"""Analyses of critdd, pingouin, rliable, and of PMCMRplus and scmamp in R: diagrams, tests and the mean over runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import evalstats
from benchmarks.compare import N_CLASSIFIERS, N_DATASETS, PAIRS, scores
from benchmarks.timing import Race, r_function
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


def in_r(package: str, code: str, table: np.ndarray) -> Callable[[], np.ndarray]:
    """Return a call of R with the scores in the matrix `x`."""

    def call() -> np.ndarray:
        test = r_function(
            package,
            f"""function(scores, n) {{
              x <- matrix(scores, n, byrow = TRUE)
              dimnames(x) <- list(seq_len(n), paste0("c", seq_len(ncol(x))))
              {package}::{code}
            }}""",
        )
        from rpy2.robjects import FloatVector

        return np.asarray(test(FloatVector(table.ravel()), len(table)))

    return call


def races() -> Iterator[Race]:
    table = np.random.default_rng(4).random((N_DATASETS, N_CLASSIFIERS))
    lower = np.tril_indices(N_CLASSIFIERS - 1)
    yield Race(
        f"Nemenyi's test, {SIZE}",
        lambda: evalstats.nemenyi_test(table).pvalue,
        {"R PMCMRplus": in_r("PMCMRplus", "frdAllPairsNemenyiTest(x)$p.value", table)},
        lambda here, there, _: np.testing.assert_allclose(here[1:, :-1][lower], there[lower], atol=1e-6),
        {},
    )
    yield Race(
        f"Friedman's test, {SIZE}",
        lambda: evalstats.friedman_test(table).pvalue,
        {"R scmamp": in_r("scmamp", "friedmanTest(x)$p.value", table)},
        lambda here, there, _: np.testing.assert_allclose(here, there.item(), rtol=1e-9),
        {},
    )
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
