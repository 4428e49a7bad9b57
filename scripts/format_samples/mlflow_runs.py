"""What MLflow's search_runs and `mlflow experiments csv` write: python scripts/format_samples/mlflow_runs.py DIRECTORY."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import mlflow
import pandas as pd

os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"  # mlflow-skinny has no database
directory = Path(sys.argv[1])
with tempfile.TemporaryDirectory() as store:
    mlflow.set_tracking_uri(f"file://{store}/runs")
    mlflow.create_experiment("benchmark", artifact_location="mlflow-artifacts:/benchmark")
    mlflow.set_experiment("benchmark")
    for model, base in (("RF", 0.90), ("SVM", 0.87), ("kNN", 0.85)):
        for d, dataset in enumerate(("iris", "glass", "wine", "sonar", "heart", "zoo")):
            for seed in (0, 1):
                with mlflow.start_run(run_name=f"{model}-{dataset}-{seed}"):
                    mlflow.log_params({"model": model, "dataset": dataset, "seed": seed})
                    mlflow.log_metric("accuracy", round(base - 0.02 * d + 0.003 * seed * (d % 3), 4))
                    mlflow.log_metric("log_loss", round(1.2 - base + 0.03 * d, 4))
    try:
        with mlflow.start_run(run_name="broken"):
            mlflow.log_params({"model": "RF", "dataset": "iris", "seed": 2})
            raise RuntimeError
    except RuntimeError:
        pass
    runs = mlflow.search_runs(experiment_names=["benchmark"], order_by=["attributes.start_time ASC"])
    kept = [name for name in runs.columns if not name.startswith(("tags.mlflow.source", "tags.mlflow.user"))]
    runs[kept].to_csv(directory / "runs.csv", index=False)
    runs[kept].to_parquet(directory / "runs.parquet")  # its times are no texts
    command = ["mlflow", "experiments", "csv", "-x", runs["experiment_id"][0], "-o", str(directory / "exported.csv")]
    subprocess.run(command, check=True, env={**os.environ, "MLFLOW_TRACKING_URI": mlflow.get_tracking_uri()})
exported = pd.read_csv(directory / "exported.csv", dtype=str)
kept = [name for name in exported.columns if not name.startswith(("tags.mlflow.source", "tags.mlflow.user"))]
exported[kept].to_csv(directory / "exported.csv", index=False)
(directory / "VERSION").write_text(f"mlflow-skinny {mlflow.__version__}, scripts/format_samples/mlflow_runs.py\n")
