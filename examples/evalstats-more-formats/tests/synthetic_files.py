"""Files in the layouts of the programs, which were not run: python tests/synthetic_files.py DIRECTORY.

Their columns, their order and their signs are those of the sources of each program; the numbers are drawn.
"""

import csv
import sys
from pathlib import Path

import numpy as np

ROOT = Path(sys.argv[1])
DATASETS = ("adult", "car", "heart", "iris", "sonar", "zoo")
SKILL = {"forest": 0.90, "boost": 0.93, "knn": 0.82}
RNG = np.random.default_rng(20)
WRITTEN_FROM = {
    "keel": "src/keel/Algorithms/Statistical_Tests/Shared/ParseFileList.java of SCI2SUGR/KEEL",
    "mlr3": "R/BenchmarkResult.R of mlr3, 2026",
    "tabarena": "packages/bencheval of autogluon/tabarena, 2026-08",
    "tabzilla": "TabZilla/tabzilla_results_aggregator.py of naszilla/tabzilla, 2024-03",
    "tidymodels": "R/collect.R of tune, 2026",
}


def score(base: float, d: int) -> float:
    return round(float(np.clip(base - 0.03 * d + RNG.normal(0, 0.012), 0, 1)), 4)


def write(name: str, header: list[str], rows: list[list[object]], delimiter: str = ",") -> None:
    path = ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows([header, *rows])


def keel() -> None:
    for name, base in SKILL.items():
        for dataset in DATASETS[:3]:
            for fold in (0, 1):
                right = RNG.permutation(20) < round(20 * base) - 2 * DATASETS.index(dataset)
                true = ["a", "b"] * 10
                pred = [t if r else {"a": "b", "b": "a"}[t] for t, r in zip(true, right, strict=True)]
                if name == "knn" and fold:
                    pred[3] = "unclassified"
                lines = [
                    f"@relation {dataset}",
                    "@attribute x real [0.0,1.0]",
                    "@attribute class {a,b}",
                    "@inputs x",
                    "@outputs class",
                    "@data",
                ]
                path = ROOT / f"keel/results/{name}/{dataset}/result{fold}.tst"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("\n".join([*lines, *(f"{t} {p}" for t, p in zip(true, pred, strict=True))]) + "\n")
                path.with_suffix(".tra").write_text("\n".join([*lines, "a a", "b b"]) + "\n")


def mlr3() -> None:
    rows, averages, nr = [], [], 0
    for d, task in enumerate(DATASETS):
        for name, base in SKILL.items():
            nr += 1
            own = [score(base, d) for _ in range(3)]
            for i, acc in enumerate(own, 1):
                rows.append(
                    [f"u{nr}", nr, task, f"classif.{name}", "cv", i, round(1 - acc, 4), min(1, round(acc + 0.04, 4))]
                )
            averages.append([nr, task, f"classif.{name}", "cv", 3, round(1 - float(np.mean(own)), 6)])
    write(
        "mlr3/score.csv",
        ["uhash", "nr", "task_id", "learner_id", "resampling_id", "iteration", "classif.ce", "classif.auc"],
        rows,
    )
    write("mlr3/aggregate.csv", ["nr", "task_id", "learner_id", "resampling_id", "iters", "classif.ce"], averages)
    losses = []
    for name, base in SKILL.items():
        for i in range(12):
            true = "MR"[i % 2]
            response = true if RNG.random() < base else "MR"[1 - i % 2]
            losses.append(
                [
                    "sonar",
                    f"classif.{name}",
                    "cv",
                    i // 4 + 1,
                    i + 1,
                    true,
                    response,
                    0.7 if response == "M" else 0.3,
                    0.3 if response == "M" else 0.7,
                    int(true != response),
                ]
            )
    write(
        "mlr3/predictions.csv",
        [
            "task_id",
            "learner_id",
            "resampling_id",
            "iteration",
            "row_ids",
            "truth",
            "response",
            "prob.M",
            "prob.R",
            "classif.ce",
        ],
        losses,
    )


def tidymodels() -> None:
    folds, summary, wide, predictions = [], [], [], []
    for name, base in SKILL.items():
        own = {metric: [] for metric in ("accuracy", "mn_log_loss")}
        for repeat in ("Repeat1", "Repeat2"):
            for fold in ("Fold1", "Fold2", "Fold3"):
                acc = score(base, 0)
                own["accuracy"].append(acc)
                own["mn_log_loss"].append(round(1.1 - acc, 4))
                for metric, kind in (("accuracy", "binary"), ("mn_log_loss", "binary")):
                    folds.append([f"rec_{name}", repeat, fold, metric, kind, own[metric][-1], "Preprocessor1_Model1"])
                wide.append([f"rec_{name}", repeat, fold, *(own[metric][-1] for metric in own), "Preprocessor1_Model1"])
        for metric, values in own.items():
            summary.append(
                [
                    f"rec_{name}",
                    "Preprocessor1_Model1",
                    "recipe",
                    name,
                    metric,
                    "binary",
                    round(float(np.mean(values)), 6),
                    6,
                    round(float(np.std(values, ddof=1)) / 6**0.5, 6),
                ]
            )
        for i in range(15):
            true = ("good", "poor")[i % 2]
            pred = true if RNG.random() < base else ("poor", "good")[i % 2]
            predictions.append(
                [
                    f"rec_{name}",
                    f"Fold{i % 3 + 1}",
                    i + 1,
                    pred,
                    0.8 if pred == "good" else 0.2,
                    0.2 if pred == "good" else 0.8,
                    true,
                    "Preprocessor1_Model1",
                ]
            )
    write("tidymodels/cells.csv", ["wflow_id", "id", "id2", ".metric", ".estimator", ".estimate", ".config"], folds)
    write("tidymodels/cells_wide.csv", ["wflow_id", "id", "id2", "accuracy", "mn_log_loss", ".config"], wide)
    write(
        "tidymodels/cells_summary.csv",
        ["wflow_id", ".config", "preproc", "model", ".metric", ".estimator", "mean", "n", "std_err"],
        summary,
    )
    write(
        "tidymodels/cells_predictions.csv",
        ["wflow_id", "id", ".row", ".pred_class", ".pred_good", ".pred_poor", "class", ".config"],
        predictions,
    )


def tables() -> None:
    arena, zilla = [], []
    for d, dataset in enumerate(DATASETS):
        for name, base in SKILL.items():
            for fold in (0, 1, 2):
                error = round(1 - score(base, d), 4)
                arena.append(
                    [name, dataset, fold, error, error, "roc_auc" if d % 2 else "log_loss", "binary", 3.1, 0.2, False]
                )
    for d, dataset in enumerate(DATASETS[:4]):
        for name, base in SKILL.items():
            for fold in (0, 1):
                for trial in (0, 1, 2):
                    acc, val = score(base, d), score(base, d)
                    source = "default" if trial == 0 else f"sampled_{trial}"
                    zilla.append(
                        [
                            f"openml__{dataset}__{d}__fold_{fold}",
                            f"openml__{dataset}__{d}",
                            "binary",
                            name,
                            source,
                            trial,
                            f"{name}__{trial}",
                            1.5,
                            round(1.1 - val, 4),
                            round(1.1 - acc, 4),
                            val,
                            acc,
                        ]
                    )
    write(
        "tabarena/results.csv",
        [
            "method",
            "dataset",
            "fold",
            "metric_error",
            "metric_error_val",
            "metric",
            "problem_type",
            "time_train_s",
            "time_infer_s",
            "imputed",
        ],
        arena,
    )
    write(
        "tabzilla/metadataset.csv",
        [
            "dataset_fold_id",
            "dataset_name",
            "target_type",
            "alg_name",
            "hparam_source",
            "trial_number",
            "alg_hparam_id",
            "time__train",
            "Log Loss__val",
            "Log Loss__test",
            "Accuracy__val",
            "Accuracy__test",
        ],
        zilla,
    )


for compose in (keel, mlr3, tidymodels, tables):
    compose()
for folder, source in WRITTEN_FROM.items():
    (ROOT / folder / "COMPOSED").write_text(f"composed after {source}: tests/synthetic_files.py\n")
