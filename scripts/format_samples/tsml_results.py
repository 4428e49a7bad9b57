"""What tsml-eval writes of each estimator and dataset: python scripts/format_samples/tsml_results.py DIRECTORY."""

import shutil
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
from sklearn.metrics import accuracy_score
from tsml_eval.evaluation import evaluate_classifiers_by_problem
from tsml_eval.utils.results_writing import write_classification_results

directory = Path(sys.argv[1])
rng = np.random.default_rng(0)
for dataset, n in (("Chinatown", 24), ("Coffee", 12), ("GunPoint", 20)):
    for resample in (0, 1):
        true = np.repeat([0, 1], n // 2)
        for estimator, skill in (("ROCKET", 1.2), ("1NN-DTW", 0.6), ("Dummy", 0.0)):
            logit = skill * (2 * true - 1) + rng.normal(size=n)
            one = np.round(1 / (1 + np.exp(-logit)), 3)
            predicted = (one > 0.5).astype(int)
            write_classification_results(
                predicted,
                np.column_stack([1 - one, one]),
                true,
                estimator,
                dataset,
                str(directory),
                full_path=False,
                split="TEST",
                resample_id=resample,
                first_line_comment="Encoder dictionary: {'1': 0, '2': 1}",
                parameter_info=str({"random_state": resample, "kernels": 10}),
                accuracy=accuracy_score(true, predicted),
                time_unit="MILLISECONDS",
                fit_time=12,
                predict_time=3,
                n_classes=2,
            )
evaluate_classifiers_by_problem(
    str(directory),
    ["ROCKET", "1NN-DTW", "Dummy"],
    ["Chinatown", "Coffee", "GunPoint"],
    str(directory.parent / "aeon" / "evaluation"),
    resamples=2,
)
tables = directory.parent / "aeon" / "evaluation"
for measure in ("accuracy", "logloss"):
    for path in sorted(tables.rglob(f"*_{measure}.csv")):
        path.rename(directory.parent / "aeon" / path.name)
shutil.rmtree(tables)
for name in ("tsml-results", "aeon"):
    made = f"tsml-eval {version('tsml-eval')}, scripts/format_samples/tsml_results.py\n"
    (directory.parent / name / "VERSION").write_text(made)
