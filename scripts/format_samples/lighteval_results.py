"""Make the results and details of lighteval that the tests read, by its own tracker: two mock models on two tasks.

pip install "lighteval==0.13.0" torch
python scripts/format_samples/lighteval_results.py tests/data/formats/lighteval
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.models.dummy.dummy_model import DummyModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc

WRONG = {"acme/alpha": {3}, "acme/beta": {2, 3, 5, 7}}
TASKS = {"sums|0": range(1, 9), "doubles:large|0": range(9, 14)}


def _log(tracker: EvaluationTracker, name: str) -> None:
    for task, numbers in TASKS.items():
        for i, n in enumerate(numbers):
            doc = Doc(query=f"{n}+{n}=", choices=[str(2 * n), str(2 * n + 1)], gold_index=0, task_name=task, id=str(i))
            answer = str(2 * n + (n in WRONG[name]))
            right = int(answer == str(2 * n))
            metrics = {"acc": right, "token_f1": right / 2 + 0.25 + n / 100}
            tracker.details_logger.log(task, doc, ModelResponse(input=doc.query, text=[answer]), metrics)
            tracker.metrics_logger.log(task, metrics)


def _aggregate(tracker: EvaluationTracker) -> None:
    """Take means, as the pipeline of lighteval does from the registry of its tasks."""
    found = tracker.metrics_logger.metric_aggregated
    for task, metrics in tracker.metrics_logger.metrics_values.items():
        for metric, values in metrics.items():
            mean = sum(values) / len(values)
            found[task][metric] = mean
            variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
            found[task][f"{metric}_stderr"] = (variance / len(values)) ** 0.5
    for metric in ("acc", "acc_stderr", "token_f1", "token_f1_stderr"):
        found["doubles:_average|0"][metric] = found["doubles:large|0"][metric]
    for metric in ("acc", "acc_stderr", "token_f1", "token_f1_stderr"):
        found["all"][metric] = sum(found[task][metric] for task in TASKS) / len(TASKS)


def main(out: Path) -> None:
    """Write the results and the details of each model."""
    for name in WRONG:
        tracker = EvaluationTracker(output_dir=str(out), save_details=True)
        tracker.general_config_logger.log_args_info(1, None, "0")
        config = DummyModelConfig(seed=0, model_name=name)
        tracker.general_config_logger.log_model_info(config)
        _log(tracker, name)
        tracker.details_logger.aggregate()
        _aggregate(tracker)
        tracker.general_config_logger.log_end_time()
        tracker.save()
    for path in out.rglob("details_*.parquet"):
        path.rename(path.with_name(path.name.replace(":", "_").replace("|", "_")))
    text = f"lighteval {version('lighteval')}, its tracker and its classes, scripts/format_samples/lighteval_results.py"
    (out / "VERSION").write_text(f"{text}; the characters : and |, which not every file system takes, are _ in names\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
