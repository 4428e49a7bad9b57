"""Tables that libraries write as they are: frames of polars, and what lazypredict returns.

pip install polars lazypredict scikit-learn
python scripts/format_samples/plain_tables.py tests/data/formats/plain-tables
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

import polars as pl
from lazypredict.Supervised import LazyClassifier
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier


def main(out: Path) -> None:
    """Write a frame of polars in each of its ways, and the scores and the predictions of lazypredict."""
    out.mkdir(parents=True, exist_ok=True)
    scores = {"dataset": ["iris", "wine", "heart"], "LR": [0.90, 0.95, 0.81], "RF": [0.93, 0.97, None]}
    frame = pl.DataFrame(scores)
    frame.write_csv(out / "polars.csv")
    frame.write_parquet(out / "polars.parquet")
    frame.write_ipc(out / "polars.arrow")
    frame.write_json(out / "polars.json")
    frame.write_ndjson(out / "polars.ndjson")
    (out / "polars_printed.txt").write_text(f"{frame}\n", encoding="utf-8")

    cases, labels = load_breast_cancer(return_X_y=True)
    parts = train_test_split(cases, labels, test_size=40, random_state=0)
    lazy = LazyClassifier(ignore_warnings=True, predictions=True)
    lazy.classifiers = [LogisticRegression, GaussianNB, DecisionTreeClassifier]
    found, predicted = lazy.fit(*parts)
    found.assign(**{"Time Taken": 0.1}).to_csv(out / "lazypredict_scores.csv")
    predicted.to_csv(out / "lazypredict_predictions.csv", index=False)
    predicted.assign(y_true=parts[3]).to_csv(out / "lazypredict_predictions_with_truth.csv", index=False)
    versions = ", ".join(f"{name} {version(name)}" for name in ("polars", "lazypredict"))
    (out / "VERSION").write_text(f"{versions}; scripts/format_samples/plain_tables.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
