"""Save one small report of each kind for verification by later versions: ``python scripts/save_release_reports.py``.

The reports are written to a folder of tests/data/reports with the name of the version of evalstats. Existing reports
are not changed. If a report does not contain all data for its recomputation, a CSV file with the data is saved next to
it.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import evalstats
from evalstats import analyze_runs, compare, example_table, report, run_study
from evalstats.reproducibility import FixedRuns

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "data" / "reports"
MODELS = {"a": 0.9, "b": 0.75, "c": 0.6}


def demsar(**choices: Any) -> Callable[[Path], Any]:
    """Return a comparison of the classifiers of Demšar's example."""
    return lambda _: compare(example_table("demsar-2006"), **choices)


def saved(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    """Write a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
    return path


def folds(path: Path) -> Any:
    """Compare classifiers on the folds of one dataset."""
    rng = np.random.default_rng(1)
    runs = itertools.product("abc", range(1, 3), range(1, 6))
    rows = [(c, r, f, round(MODELS[c] + rng.normal(0, 0.05), 3)) for c, r, f in runs]
    return compare(saved(path, ("classifier", "repeat", "fold", "accuracy"), rows), margin=0.05, rope=0.01)


def cases(path: Path) -> Any:
    """Compare predictions for the instances of one test set."""
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 2, 60)
    rows = [(y, *(y if rng.random() < share else 1 - y for share in MODELS.values())) for y in labels.tolist()]
    return compare(saved(path, ("y_true", *MODELS), rows))


def questions(path: Path) -> Any:
    """Compare models on the questions of three benchmarks, in clusters."""
    rng = np.random.default_rng(3)
    asked = itertools.product(("algebra", "law", "logic"), range(24), MODELS)
    rows = [(b, f"{b}-{q}", f"{b}-{q // 2}", m, int(rng.random() < MODELS[m])) for b, q, m in asked]
    data = saved(path, ("benchmark", "question", "passage", "model", "correct"), rows)
    return compare(data, question="question", cluster="passage", stratum="benchmark", control="c", margin=0.05)


def metrics(path: Path) -> Any:
    """Compare classifiers by several metrics."""
    rng = np.random.default_rng(4)
    told = itertools.product(("accuracy", "AUC"), MODELS, range(8))
    rows = [(f"d{i}", c, metric, round(MODELS[c] + rng.normal(0, 0.05), 3)) for metric, c, i in told]
    return compare(saved(path, ("dataset", "classifier", "metric", "score"), rows), metric=["accuracy", "AUC"])


def runs(path: Path) -> Any:
    """Analyze the runs of an experiment."""
    rng = np.random.default_rng(5)
    told = itertools.product(("p", "q", "r"), range(1, 7), MODELS)
    rows = [(d, r, c, round(MODELS[c] + rng.normal(0, 0.06), 3)) for d, r, c in told]
    data = saved(path, ("dataset", "repeat", "classifier", "accuracy"), rows)
    return analyze_runs(data, stopping_rule=FixedRuns(4), n_resamples=20, rng=6)


def study(_: Path) -> Any:
    """Compare the results of a study."""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(7)
    labels = np.repeat([0, 1], 20)
    datasets = {name: (rng.normal(size=(40, 3)) + labels[:, None], labels) for name in "xy"}
    classifiers = {"NB": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
    return compare(run_study(classifiers, datasets, n_folds=4, n_repeats=2, rng=8))


KINDS: dict[str, Callable[[Path], Any]] = {
    "comparison": demsar(control="C4.5", method="monte-carlo", n_resamples=999, rng=7, margin=0.01),
    "control": demsar(control="C4.5", alpha=0.1),
    "nemenyi": demsar(posthoc="nemenyi", alpha=0.1),
    "bonferroni-dunn": demsar(control="C4.5", posthoc="bonferroni-dunn"),
    "max-t": demsar(posthoc="max-t", method="chi2", n_resamples=999),
    "margin": demsar(margin=0.01),
    "rope": demsar(rope=0.01, rng=9),
    "robustness": demsar(robustness=True),
    "folds": folds,
    "cases": cases,
    "questions": questions,
    "metrics": metrics,
    "runs": runs,
    "study": study,
}


def main() -> None:
    """Write the missing reports."""
    folder = FOLDER / evalstats.__version__
    folder.mkdir(exist_ok=True)
    for name, make in KINDS.items():
        path = folder / f"{name}.json"
        if not path.exists():
            path.write_text(report.json(make(path.with_suffix(".csv"))), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
