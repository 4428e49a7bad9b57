"""CPU time and memory for files that are larger than the memory of many computers: each program in its own process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.engines import BY_HAND, WIDE_NAMES, predictions_file, scores_file, wide_file
from benchmarks.timing import Row

N_PREDICTIONS, N_SCORES = 100_000_000, 10_000_000
MOST = 1.5  # GB
COMPARE = "import sys, evalstats; print(evalstats.compare(sys.argv[1]).n_test)"
READ = "import sys, evalstats; print(evalstats.read_table(sys.argv[1], metric={metric!r}).scores.sum())"
LONG = "import sys; from benchmarks.engines import by_hand; print(by_hand(f'read_parquet({sys.argv[1]!r})', 2)[1])"
WIDE = "import sys; from benchmarks.engines import wide_by_hand; print(wide_by_hand(sys.argv[1])[1])"
ROWS = """
import sys, pandas as pd
from sklearn import metrics
groups = pd.read_parquet(sys.argv[1]).groupby(["dataset", "classifier"])
print(sum(float(metrics.{function}(own["y_true"], own["y_score"])) for _, own in groups))
"""
METRICS = {
    "roc_auc": "roc_auc_score",
    "average_precision": "average_precision_score",
    "brier": "brier_score_loss",
    "log_loss": "log_loss",
}


def races() -> Iterator[Row]:
    n, k = N_PREDICTIONS, len(WIDE_NAMES)
    yield _row(
        f"compare() of Parquet, {n:,} predictions of 2 classifiers",
        predictions_file(n, 2, "parquet"),
        COMPARE,
        (BY_HAND, LONG),
    )
    yield _row(
        f"compare() of Parquet, {n:,} instances with a column for each of {k} classifiers",
        wide_file(n),
        COMPARE,
        (BY_HAND, WIDE),
    )
    for metric, function in METRICS.items():
        yield _row(
            f"{metric} of Parquet, {N_SCORES:,} scores of 2 classifiers on 2 datasets",
            scores_file(N_SCORES),
            READ.format(metric=metric),
            ("pandas and scikit-learn", ROWS.format(function=function)),
        )


def _row(job: str, path: str, ours: str, other: tuple[str, str]) -> Row:
    name, theirs = other
    said, seconds, memory = _measured(ours, path)
    their_said, their_seconds, their_memory = _measured(theirs, path)
    assert abs(float(said) - float(their_said)) < 1e-9 * abs(float(said))
    kept = "reached" if memory <= MOST else "MISSED"
    return (
        job,
        f"{seconds:.1f} s of CPU time, {memory:.2f} GB",
        name,
        f"{their_seconds:.1f} s, {their_memory:.2f} GB",
        f"{their_seconds / seconds:.1f}x",
        f"at most {MOST:g} GB: {kept}",
    )


def _measured(code: str, path: str) -> tuple[str, float, float]:
    """Return the last word that a program prints, its CPU time in seconds, and its maximum memory in GB."""
    process = subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, said
    return said.split()[-1], usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6
