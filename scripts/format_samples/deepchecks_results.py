"""What deepchecks writes of checks of models on one dataset.

Version 0.19.1 fails with scikit-learn 1.5 or later. For several classes, it writes the class instead of the score in
the column Value of the report of several models.

pip install "deepchecks==0.19.1" "scikit-learn<1.5" "numpy<2" "pandas<2.2"
python scripts/format_samples/deepchecks_results.py tests/data/formats/deepchecks
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from deepchecks.tabular import Dataset, Suite
from deepchecks.tabular.checks import MultiModelPerformanceReport, SimpleModelComparison, TrainTestPerformance
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split


def main(out: Path) -> None:
    """Write the reports of three models, and the checks of one model, alone and as a suite."""
    out.mkdir(parents=True, exist_ok=True)
    frames = train_test_split(load_iris(as_frame=True).frame, random_state=1)
    train, test = (Dataset(frame, label="target", cat_features=[]) for frame in frames)
    models = [
        model.fit(train.data.drop(columns="target"), train.data.target)
        for model in (
            RandomForestClassifier(10, random_state=0),
            AdaBoostClassifier(random_state=0),
            LogisticRegression(),
        )
    ]
    report = MultiModelPerformanceReport().run(train, test, models)
    report.value.to_csv(out / "several_models.csv")
    (out / "several_models.json").write_text(report.to_json(with_display=False))
    check = SimpleModelComparison().run(train, test, models[0])
    (out / "check.json").write_text(check.to_json())
    performance = TrainTestPerformance().run(train, test, models[0])
    performance.value.to_csv(out / "train_and_test.csv", index=False)
    suite = Suite("performance", TrainTestPerformance(), SimpleModelComparison()).run(train, test, models[0])
    (out / "suite.json").write_text(suite.to_json(with_display=False))
    (out / "VERSION").write_text(f"deepchecks {version('deepchecks')}; scripts/format_samples/deepchecks_results.py\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
