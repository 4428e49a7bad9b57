"""Frames of skore's comparison reports.

pip install skore
python scripts/format_samples/skore_frames.py tests/data/formats/skore
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from skore import ComparisonReport, CrossValidationReport, EstimatorReport


def main(out: Path) -> None:
    """Write the metrics of three classifiers on test data and in five folds."""
    out.mkdir(parents=True, exist_ok=True)
    cases, labels = load_breast_cancer(return_X_y=True)
    models = {
        "LR": LogisticRegression(max_iter=10_000),
        "NB": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    train, test, train_labels, test_labels = train_test_split(cases, labels, random_state=0)
    data = {"X_train": train, "X_test": test, "y_train": train_labels, "y_test": test_labels, "pos_label": 1}
    one = ComparisonReport({name: EstimatorReport(model, **data) for name, model in models.items()})
    one.metrics.summarize().frame().to_csv(out / "test_data.csv")
    several = ComparisonReport(
        {name: CrossValidationReport(model, cases, labels, splitter=5, pos_label=1) for name, model in models.items()}
    )
    several.metrics.summarize().frame().to_csv(out / "folds.csv")
    several.metrics.summarize().frame(aggregate=None).to_csv(out / "each_fold.csv")
    (out / "VERSION").write_text(f"skore {version('skore')}; scripts/format_samples/skore_frames.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
