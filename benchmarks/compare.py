"""A whole comparison: in process against scikit-posthocs, as a command against autorank and scikit-posthocs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.timing import Race

N_DATASETS, N_CLASSIFIERS = 100, 30


def scores() -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.round(0.7 + 0.1 * rng.random((N_DATASETS, 1)) + 0.05 * rng.random((N_DATASETS, N_CLASSIFIERS)), 4)


PAIRS = np.triu_indices(N_CLASSIFIERS, 1)


def ours() -> tuple[float, np.ndarray, np.ndarray]:
    """Compare, with Nemenyi's test and the asymptotic Wilcoxon test that the peer's chain has too."""
    import evalstats

    table = scores()
    comparison = evalstats.compare(table, rows_are="datasets")
    first, second = table.T[PAIRS[0]], table.T[PAIRS[1]]
    wilcoxon = evalstats.wilcoxon_test(first, second, method="asymptotic", correction=False)
    nemenyi = evalstats.nemenyi_test(table)
    return comparison.omnibus.pvalue, nemenyi.pvalue, evalstats.adjust_pvalues(wilcoxon.pvalue, "holm")


def posthocs_chain() -> tuple[float, np.ndarray, np.ndarray]:
    """Chain ranks, Friedman, Nemenyi and Wilcoxon for all pairs with Holm's adjustment."""
    import pandas as pd
    import scikit_posthocs as sp
    from scipy import stats

    frame = pd.DataFrame(scores())
    ranks = frame.rank(axis=1, ascending=False).mean()
    assert len(ranks) == N_CLASSIFIERS
    wilcoxon = sp.posthoc_wilcoxon(frame.to_numpy().T, p_adjust="holm").to_numpy()
    nemenyi = sp.posthoc_nemenyi_friedman(frame).to_numpy()
    return stats.friedmanchisquare(*frame.to_numpy().T).pvalue, nemenyi, wilcoxon[PAIRS]


def agree(here: tuple[float, ...], there: tuple[float, ...], _peer: str) -> None:
    for mine, theirs in zip(here, there, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-12)


def ours_with_effect_sizes() -> list[float]:
    import evalstats

    return [pair.hodges_lehmann for pair in evalstats.compare(scores(), rows_are="datasets").pairs]


def effect_sizes_by_numpy() -> list[float]:
    """Compute the Hodges-Lehmann estimates as one would by hand, zeros dropped as R does; no library has them."""
    columns = scores().T
    estimates = []
    for d in np.round(columns[PAIRS[0]] - columns[PAIRS[1]], 12):
        kept = d[d != 0]
        estimates.append(float(np.median(np.add.outer(kept, kept)[np.triu_indices(len(kept))])) / 2)
    return estimates


def agree_on_sizes(here: list[float], there: list[float], _peer: str) -> None:
    np.testing.assert_allclose(sorted(np.abs(here)), sorted(np.abs(there)), atol=1e-12)


AUTORANK = """
import sys, pandas, autorank
frame = pandas.read_csv(sys.argv[1], index_col=0)
autorank.create_report(autorank.autorank(frame, force_mode="nonparametric"))
"""
# ranks, Friedman, Nemenyi, and the signed-rank tests of all pairs, which our report has the effect sizes of
POSTHOCS = """
import sys, pandas, scipy.stats, scikit_posthocs
frame = pandas.read_csv(sys.argv[1], index_col=0)
print(frame.rank(axis=1, ascending=False).mean())
print(scipy.stats.friedmanchisquare(*frame.to_numpy().T))
print(scikit_posthocs.posthoc_nemenyi_friedman(frame))
print(scikit_posthocs.posthoc_wilcoxon(frame.to_numpy().T, p_adjust="holm"))
"""


def process(*arguments: str) -> str:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True).stdout


def something_printed(here: str, there: str, _peer: str) -> None:
    assert here
    assert there


def races() -> Iterator[Race]:
    yield Race(
        job=f"compare {N_DATASETS} x {N_CLASSIFIERS}, and Wilcoxon with Holm for all pairs, in process",
        ours=ours,
        peers={"scikit-posthocs chain": posthocs_chain},
        agree=agree,
        goal={"scikit-posthocs chain": 5},
    )
    yield Race(
        job=f"compare {N_DATASETS} x {N_CLASSIFIERS} with its effect sizes, against the 435 estimates alone",
        ours=ours_with_effect_sizes,
        peers={"numpy loop": effect_sizes_by_numpy},
        agree=agree_on_sizes,
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
    yield Race(
        job="evalstats --help",
        ours=lambda: process("-m", "evalstats", "--help"),
        peers={"python -c 'import numpy'": lambda: process("-c", "import numpy; print(numpy)")},
        agree=something_printed,
        goal={},
    )
