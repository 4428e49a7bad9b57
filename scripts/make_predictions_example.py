"""Make the bundled example of predictions: four scikit-learn classifiers on ten tasks from datasets of scikit-learn.

python scripts/make_predictions_example.py > evalstats/examples/sklearn-predictions.csv
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator

import numpy as np
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

SEED = 20061
N_FOLDS = 10
N_DIGITS = 200

CLASSIFIERS = {
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(7)),
    "naive Bayes": GaussianNB(var_smoothing=1e-3),
    "tree": DecisionTreeClassifier(max_depth=3, min_samples_leaf=5, random_state=SEED),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000)),
}


def tasks() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield the name, the features and the labels of each task: 1 for the class of the name and 0 for other classes."""
    features, y = load_breast_cancer(return_X_y=True)
    chosen = np.random.default_rng(SEED).permutation(len(y))[:250]
    yield "breast cancer: malignant", features[chosen], (y[chosen] == 0).astype(int)
    iris = load_iris()
    for label in (1, 2):
        yield f"iris: {iris.target_names[label]}", iris.data, (iris.target == label).astype(int)
    wine = load_wine()
    for label in (0, 1, 2):
        # only the two features without chemical analysis, so the classifiers make errors
        yield f"wine: cultivar {label}", wine.data[:, [0, 1]], (wine.target == label).astype(int)
    features, y = load_digits(return_X_y=True)
    chosen = np.random.default_rng(SEED).permutation(len(y))[:N_DIGITS]
    for label in (3, 5, 8, 9):
        yield f"digits: {label}", features[chosen], (y[chosen] == label).astype(int)


def main() -> None:
    """Write the predictions as CSV to standard output."""
    print(f"scikit-learn {sklearn.__version__}, seed {SEED}", file=sys.stderr)  # noqa: T201 - a script may print
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["dataset", "classifier", "fold", "row", "y_true", "y_pred", "y_score"])
    for dataset, features, y in tasks():
        folds = list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=SEED).split(features, y))
        for name, classifier in CLASSIFIERS.items():
            for fold, (train, test) in enumerate(folds, 1):
                model = clone(classifier).fit(features[train], y[train])
                predicted, score = model.predict(features[test]), model.predict_proba(features[test])[:, 1]
                for i, label, guess, p in zip(test, y[test], predicted, score, strict=True):
                    out.writerow([dataset, name, fold, i, label, guess, f"{p:.3f}".replace("0.", ".", 1)])


if __name__ == "__main__":
    main()
