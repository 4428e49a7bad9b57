"""Predictions and results.csv of the AutoML Benchmark: python scripts/format_samples/amlb_results.py DIRECTORY.

Run in a clone of openml/automlbenchmark (tried at dfe8d218, with NumPy 1), whose classes write the files; the
predictions are drawn.
"""

import os
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np

sys.path.insert(0, os.getcwd())
from amlb.resources import from_configs
from amlb.results import NoResult, Scoreboard, TaskResult
from amlb.utils import Namespace, config_load

ROOT = Path(sys.argv[1])
DATASETS = ("adult", "car", "heart", "iris", "sonar", "zoo")
SKILL = {"forest": 0.9, "boost": 0.95, "knn": 0.8}
RNG = np.random.default_rng(20)
from_configs(
    config_load("resources/config.yaml"),
    Namespace(
        input_dir=str(ROOT),
        output_dir=str(ROOT),
        user_dir=str(ROOT),
        root_dir=os.getcwd(),
        script="x",
        run_mode="local",
        sid="x",
    ),
)


def predictions(path: Path, skill: float) -> None:
    """Write the answers of a framework to the same test instances by the benchmark's own function."""
    truth = np.array(["no", "yes"] * 10)
    right = RNG.random(20) < skill
    answers = np.where(right, truth, np.where(truth == "yes", "no", "yes"))
    positive = np.where(answers == "yes", RNG.uniform(0.55, 0.95, 20), RNG.uniform(0.05, 0.45, 20)).round(3)
    path.parent.mkdir(parents=True)
    TaskResult.save_predictions(
        SimpleNamespace(),
        str(path),
        predictions=answers,
        truth=truth,
        probabilities=np.column_stack([1 - positive, positive]),
        probabilities_labels=["no", "yes"],
    )


entries = []
for d, dataset in enumerate(DATASETS):
    for name, base in SKILL.items():
        for fold in (0, 1):
            folder = (
                (ROOT if d < 2 else Path(tempfile.mkdtemp()))
                / "runs"
                / f"{name}.small.1h8c.local.20260801T000000"
                / "predictions"
            )
            predictions(folder / dataset / str(fold) / "predictions.csv", base - 0.03 * d)
            about = Namespace(
                type_="binary",
                framework=name,
                framework_version="1.0",
                framework_params={},
                seed=11,
                metric="logloss",
                metrics=["logloss", "acc", "auc", "balacc"],
            )
            task = SimpleNamespace(id=f"openml.org/t/{d}", name=dataset)
            result = TaskResult(task, fold, "1h8c", str(folder), about)
            failed = dataset == "zoo" and name == "knn" and fold == 1
            measured = Namespace(training_duration=50.0, predict_duration=1.0, models_count=3)
            entries.append(result.compute_score(NoResult("NoResultError: too slow") if failed else None, measured))
for name, chosen in (("failed", entries), ("results", entries[:-6])):
    board = Scoreboard(chosen, scores_dir=str(ROOT))
    Scoreboard.save_df(board.as_data_frame(), str(ROOT / f"{name}.csv"))
(ROOT / "VERSION").write_text("automlbenchmark dfe8d218, its classes, scripts/format_samples/amlb_results.py\n")
