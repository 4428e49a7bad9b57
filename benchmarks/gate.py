"""A gate of 4,000 tasks, and 30,000 datasets of predictions, against the same steps with pandas and SciPy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats import compare
from evalstats.gating import gate

N_TASKS, N_ITEMS = 4_000, 50
N_DATASETS, N_ROWS = 30_000, 10
PANDAS = "pandas and SciPy"


def races() -> Iterator[Race]:
    import pandas as pd

    rng = np.random.default_rng(7)
    task, item = np.repeat(np.arange(N_TASKS), N_ITEMS), np.tile(np.arange(N_ITEMS), N_TASKS)

    def answers() -> Any:
        return pd.DataFrame({"task": task, "item": item, "correct": (rng.random(task.size) < 0.8).astype(int)})

    old, new = answers(), answers()

    def one_by_one() -> Any:
        """One exact interval for each task, which bounds the loss, but no decision over the tasks."""
        from scipy.stats import binomtest

        both = old.merge(new, on=["task", "item"], suffixes=("_old", "_new"))
        counts = pd.DataFrame(
            {"lost": both["correct_old"] > both["correct_new"], "won": both["correct_old"] < both["correct_new"]}
        )
        counts = counts.groupby(both["task"]).sum()
        return [binomtest(lost, max(lost + won, 1)).pvalue for lost, won in counts.to_numpy()]

    def same_number(ours: Any, theirs: Any, _peer: str) -> None:
        assert len(ours.tasks) == len(theirs)

    yield Race(
        job=f"gate of {N_TASKS:,} tasks with {N_ITEMS} questions each",
        ours=lambda: gate(old, new, margin=0.2),
        peers={PANDAS: one_by_one},
        agree=same_number,
        goal={},
        rounds=3,
        limit=3.0,
    )

    dataset = np.repeat(np.arange(N_DATASETS), N_ROWS)
    truth = rng.integers(0, 2, dataset.size)
    rows = pd.DataFrame(
        {"dataset": dataset, "id": np.tile(np.arange(N_ROWS), N_DATASETS), "y_true": truth}
        | {name: np.where(rng.random(dataset.size) < 0.8, truth, 1 - truth) for name in "abc"}
    )

    def by_pandas() -> Any:
        from scipy.stats import friedmanchisquare

        correct = rows[list("abc")].eq(rows["y_true"], axis=0)
        scores = correct.groupby(rows["dataset"]).mean()
        return scores, friedmanchisquare(*scores.to_numpy().T)

    def same_ranks(ours: Any, theirs: Any, _peer: str) -> None:
        ranks = (-theirs[0]).rank(axis=1).mean()
        np.testing.assert_allclose([ours.mean_rank(name) for name in "abc"], ranks, rtol=1e-12)

    yield Race(
        job=f"compare of predictions on {N_DATASETS:,} datasets with {N_ROWS} instances and 3 classifiers",
        ours=lambda: compare(rows),
        peers={PANDAS: by_pandas},
        agree=same_ranks,
        goal={},
        rounds=3,
        limit=6.0,
    )
