"""The frame of runs that the documentation of Weights & Biases shows: python scripts/format_samples/wandb_runs.py DIRECTORY.

pip install "wandb==0.31.0" pandas; its class of runs parses answers as the server gives them, which is not asked. The
charts and the table of runs that the web page exports cannot be had without the server; the first line of page.csv is
that of such an export.
"""

import csv
import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
from wandb.apis.public import Run

ROOT = Path(sys.argv[1])
DATASETS = ("adult", "car", "heart", "iris", "sonar", "zoo")
SKILL = {"forest": 0.90, "boost": 0.93, "knn": 0.82}
RNG = np.random.default_rng(20)


def run(dataset: str, name: str, accuracy: float, state: str) -> Run:
    config = {"model": {"value": name}, "dataset": {"value": dataset}, "seed": {"value": 0}, "_wandb": {"value": {}}}
    summary = {"accuracy": accuracy, "_step": 10, "_runtime": 3.2, "_timestamp": 1764000000.5}
    answer = {"name": f"{name}{dataset}", "displayName": f"{name}-{dataset}", "state": state}
    answer |= {"config": json.dumps(config), "summaryMetrics": json.dumps(summary)}
    return Run(None, "acme", "project", f"{name}{dataset}", answer)


runs = []
for d, dataset in enumerate(DATASETS):
    for name, base in SKILL.items():
        runs.append(run(dataset, name, round(float(base - 0.03 * d + RNG.normal(0, 0.012)), 4), "finished"))
# as on the page "Import and export data"
summary_list, config_list, name_list = [], [], []
for one in runs:
    summary_list.append(one.summary._json_dict)
    config_list.append({k: v for k, v in one.config.items() if not k.startswith("_")})
    name_list.append(one.name)
frame = pd.DataFrame({"summary": summary_list, "config": config_list, "name": name_list})
frame.to_csv(ROOT / "project.csv")
head = [
    "Name",
    "Agent",
    "State",
    "Notes",
    "User",
    "Tags",
    "Created",
    "Runtime",
    "Sweep",
    "dataset",
    "model",
    "accuracy",
]
rows = [
    [
        one.name,
        "",
        one.state,
        "-",
        "",
        "",
        "2026-08-01T00:00:00.000Z",
        "3",
        "",
        one.config["dataset"],
        one.config["model"],
        one.summary["accuracy"],
    ]
    for one in [*runs, run("zoo", "knn", 0.1, "failed")]
]
with (ROOT / "page.csv").open("w", newline="") as file:
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([head, *rows])
step = "Step,forest - accuracy,forest - accuracy__MIN,forest - accuracy__MAX\n0,0.5,0.5,0.5\n1,0.6,0.6,0.6\n2,0.7,0.7,0.7\n"
(ROOT / "chart.csv").write_text(step)
about = "scripts/format_samples/wandb_runs.py; page.csv and chart.csv are composed"
(ROOT / "VERSION").write_text(f"wandb {version('wandb')}, {about}\n")
