"""A directory in which a program tracked its runs is called by the program, with the table that it exports."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalstats import read_table
from evalstats.tables.errors import TableError

RUN = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("file", "of", "way"),
    [
        (f"mlruns/0/{RUN}/metrics/accuracy", "MLflow", "mlflow.search_runs"),
        ("mlruns/760523573196814285/meta.yaml", "MLflow", "mlflow experiments csv"),
        (f"mlruns/1/{RUN}/artifacts/estimator.html", "MLflow", "to_csv"),  # beside a database
        (f"exp/{RUN}/artifacts/estimator.html", "MLflow", "to_csv"),
        ("wandb/run-20240101_010203-abc/files/wandb-summary.json", "Weights & Biases", "wandb sync"),
        ("wandb/offline-run-20240101_010203-abc/run-abc.wandb", "Weights & Biases", r"wandb.Api\(\).runs\(\)"),
        ("run-20240101_010203-abc/run-abc.wandb", "Weights & Biases", "wandb sync"),
        ("lightning_logs/version_0/metrics.csv", "Lightning", "last score of each run"),
        ("logs/events.out.tfevents.1700000000.host", "TensorBoard", "last score of each run"),
    ],
)
def test_runs_are_called_by_their_program(tmp_path: Path, file: str, of: str, way: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text("0.9")

    with pytest.raises(TableError, match=f" holds runs of {of}.*{way}"):
        read_table(tmp_path / file.split("/", maxsplit=1)[0])


@pytest.mark.parametrize("file", ["0/notes.txt", "abc/meta.yaml", "version_2/readme.md", "runs.doc", "12"])
def test_other_directories_are_none_of_them(tmp_path: Path, file: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("text")

    with pytest.raises(TableError, match="is a directory without a table"):
        read_table(tmp_path)
