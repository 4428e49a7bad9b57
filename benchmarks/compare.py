"""A whole comparison: in process against the scikit-posthocs chain, as a command against autorank and scikit-posthocs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.side_by_side import Race

N_DATASETS, N_CLASSIFIERS = 100, 30


def scores() -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.round(0.7 + 0.1 * rng.random((N_DATASETS, 1)) + 0.05 * rng.random((N_DATASETS, N_CLASSIFIERS)), 4)


def ours() -> tuple[float, np.ndarray]:
    import evalstats

    comparison = evalstats.compare(scores(), method="chi2")
    return comparison.omnibus.pvalue, comparison.posthoc.pvalue


def ours_with_effect_sizes() -> tuple[float, np.ndarray]:
    import evalstats

    comparison = evalstats.compare(scores(), method="chi2")
    assert len(comparison.pairs) == N_CLASSIFIERS * (N_CLASSIFIERS - 1) // 2
    return comparison.omnibus.pvalue, comparison.posthoc.pvalue


def posthocs_chain() -> tuple[float, np.ndarray]:
    """Chain the calls of its documentation for a critical-difference diagram, without drawing it."""
    import pandas as pd
    import scikit_posthocs as sp
    from scipy import stats

    frame = pd.DataFrame(scores())
    ranks = frame.rank(axis=1, ascending=False).mean()
    assert len(ranks) == N_CLASSIFIERS
    return stats.friedmanchisquare(*frame.to_numpy().T).pvalue, sp.posthoc_nemenyi_friedman(frame).to_numpy()


def agree(here: tuple[float, np.ndarray], there: tuple[float, np.ndarray], _peer: str) -> None:
    np.testing.assert_allclose(here[0], there[0], rtol=1e-10)
    np.testing.assert_allclose(here[1], there[1], rtol=1e-9, atol=1e-12)


AUTORANK = """
import sys, pandas, autorank
frame = pandas.read_csv(sys.argv[1], index_col=0)
autorank.create_report(autorank.autorank(frame, force_mode="nonparametric"))
"""
POSTHOCS = """
import sys, pandas, scipy.stats, scikit_posthocs
frame = pandas.read_csv(sys.argv[1], index_col=0)
print(frame.rank(axis=1, ascending=False).mean())
print(scipy.stats.friedmanchisquare(*frame.to_numpy().T))
print(scikit_posthocs.posthoc_nemenyi_friedman(frame))
"""


def process(*arguments: str) -> str:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True).stdout


def something_printed(here: str, there: str, _peer: str) -> None:
    assert here
    assert there


def races() -> Iterator[Race]:
    yield Race(
        job=f"compare {N_DATASETS} x {N_CLASSIFIERS}, in process (effect sizes are computed when asked for)",
        ours=ours,
        peers={"scikit-posthocs chain": posthocs_chain},
        agree=agree,
        goal={"scikit-posthocs chain": 80},
    )
    yield Race(
        job=f"compare {N_DATASETS} x {N_CLASSIFIERS}, in process, with 435 effect sizes that the peer does not compute",
        ours=ours_with_effect_sizes,
        peers={"scikit-posthocs chain": posthocs_chain},
        agree=agree,
        goal={},
    )
    folder = Path(tempfile.mkdtemp())
    path = folder / "scores.csv"
    rows = [["dataset", *(f"classifier {j + 1}" for j in range(N_CLASSIFIERS))]]
    rows += [[f"dataset {i + 1}", *map(str, row)] for i, row in enumerate(scores())]
    path.write_text("\n".join(map(",".join, rows)) + "\n", encoding="utf-8")
    yield Race(
        job=f"compare {N_DATASETS} x {N_CLASSIFIERS} as a command, from the CSV to the printed report",
        ours=lambda: process("-m", "evalstats", "compare", str(path)),
        peers={
            "autorank": lambda: process("-c", AUTORANK, str(path)),
            "scikit-posthocs": lambda: process("-c", POSTHOCS, str(path)),
        },
        agree=something_printed,
        goal={"autorank": 4, "scikit-posthocs": 4},
    )
