"""What scikit-learn's searches write: python scripts/format_samples/sklearn_results.py DIRECTORY."""

import sys
from pathlib import Path

import pandas as pd
import sklearn
from sklearn.datasets import load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401 - scikit-learn offers the search once this is imported
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

directory = Path(sys.argv[1])
x, y = load_iris(return_X_y=True)
x = x[:, :2]
grid = {"n_neighbors": [1, 5], "weights": ["uniform", "distance"]}

search = GridSearchCV(KNeighborsClassifier(), grid, cv=5, scoring=["accuracy", "neg_log_loss"], refit=False).fit(x, y)
pd.DataFrame(search.cv_results_).to_csv(directory / "grid.csv", index=False)

splits = RepeatedStratifiedKFold(n_splits=3, n_repeats=4, random_state=0)
search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=splits).fit(x, y)
pd.DataFrame(search.cv_results_).to_csv(directory / "repeated.csv")

# compared within one iteration only
halving = HalvingGridSearchCV(
    KNeighborsClassifier(), {"n_neighbors": [1, 3, 5, 7]}, cv=3, random_state=0, min_resources=30
)
pd.DataFrame(halving.fit(x, y).cv_results_).to_csv(directory / "halving.csv", index=False)

# 140 neighbours do not exist in a training set of 100 cases: such scores are nan
failing = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 140]}, cv=3, return_train_score=True)
pd.DataFrame(failing.fit(x, y).cv_results_).to_csv(directory / "failed.csv", index=False)
(directory / "VERSION").write_text(f"scikit-learn {sklearn.__version__}, scripts/format_samples/sklearn_results.py\n")
