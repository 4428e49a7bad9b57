"""What a benchmark of sktime keeps: python scripts/format_samples/sktime_results.py DIRECTORY."""

import sys
from pathlib import Path

import sktime
from sklearn.metrics import accuracy_score
from sklearn.model_selection import KFold
from sktime.benchmarking.classification import ClassificationBenchmark
from sktime.classification.distance_based import KNeighborsTimeSeriesClassifier
from sktime.classification.dummy import DummyClassifier
from sktime.utils._testing.panel import make_classification_problem

directory = Path(sys.argv[1])


def made(seed):
    def load():
        return make_classification_problem(n_instances=30, random_state=seed)

    load.__name__ = f"problem_{seed}"
    return load


def benchmark():
    bench = ClassificationBenchmark()
    bench.add_estimator(DummyClassifier(), "dummy")
    bench.add_estimator(KNeighborsTimeSeriesClassifier(distance="euclidean"), "knn")
    for seed in (1, 2, 3):
        bench.add_task(made(seed), KFold(n_splits=3), [accuracy_score], task_id=f"problem_{seed}")
    return bench


for suffix in ("csv", "json", "parquet"):
    target = directory / f"results.{suffix}"
    target.unlink(missing_ok=True)
    frame = benchmark().run(str(target))
frame.to_csv(directory / "frame.csv", index=False)
(directory / "VERSION").write_text(f"sktime {sktime.__version__}, scripts/format_samples/sktime_results.py\n")
