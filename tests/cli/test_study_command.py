"""evalstats study runs a file, keeps the runs, and shows what it has."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evalstats.io.reader.tables import read_table

PROGRAM = [sys.executable, "-m", "evalstats"]
STUDY = """
seed = 1
folds = 3
repeats = 2
[classifiers]
NB.class = "sklearn.naive_bayes.GaussianNB"
dummy.class = "sklearn.dummy.DummyClassifier"
[datasets]
iris.loader = "load_iris"
"""


def test_study_runs_a_file_and_compare_reads_what_it_kept(run, folder: Path) -> None:
    (folder / "study.toml").write_text(STUDY)
    result = run("study", "study.toml", "--directory", "runs")
    again = run("study", "study.toml", "--directory", "runs", "--format", "csv")

    assert (result.exit_code, result.stderr) == (0, "")
    assert "12 runs (k-fold), seed 1" in result.stdout
    assert again.stdout.startswith("dataset,classifier,repeat,fold,metric,score,")
    assert again.stdout.count("\n") == 13
    assert json.loads(run("study", "study.toml", "--format", "json").stdout)["study"]["complete"] is True
    assert read_table("runs").classifiers == ("dummy", "NB")


def test_study_until_decided(run, refused, folder: Path) -> None:
    """Naive Bayes wins every repeat: 8 of them for 0.05, 11 for 0.01; and never more than the file says."""
    (folder / "study.toml").write_text(STUDY.replace("repeats = 2", "repeats = 20"))
    decided = json.loads(run("study", "study.toml", "--until-decided", "--format", "json").stdout)["study"]
    strict = json.loads(run("study", "study.toml", "--until-decided", "--alpha", "0.01", "--format", "json").stdout)

    assert max(decided["columns"]["repeat"]) == 8
    assert max(strict["study"]["columns"]["repeat"]) == 11
    message = refused("study", "study.toml", "--alpha", "0.01")
    assert message == "--alpha requires --until-decided (see evalstats study --help)"
    assert "alpha must lie between 0 and 1" in refused("study", "study.toml", "--until-decided", "--alpha", "5")


def test_study_refuses_in_one_line(run, refused, folder: Path) -> None:
    (folder / "study.toml").write_text(STUDY)
    run("study", "study.toml", "--directory", "runs")

    message = refused("study", "study.toml", "--directory", "runs", "--seed", "2")
    assert message == "directory 'runs' holds a different study: seed is 1 in the directory and 2 in this call"
    assert refused("study", "no.toml") == "there is no file no.toml"


@pytest.mark.long
@pytest.mark.usefixtures("interruptible")
def test_interrupted_study_shows_what_it_has(folder: Path) -> None:
    (folder / "study.toml").write_text(STUDY.replace("repeats = 2", "repeats = 2000"))
    process = subprocess.Popen([*PROGRAM, "study", "study.toml", "--directory", "runs"], stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not list(folder.glob("runs/scores/*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)

    assert process.returncode == 130
    assert b"The study was not finished." in output


def test_what_classifiers_print_is_none_of_the_record(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(folder)
    (folder / "talking.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\n"
        "class Talking(GaussianNB):\n"
        "    def fit(self, X, y):\n"
        "        print('fitting')\n"
        "        return super().fit(X, y)\n"
    )
    (folder / "study.toml").write_text(STUDY.replace("sklearn.naive_bayes.GaussianNB", "talking.Talking"))
    result = run("study", "study.toml", "--format", "json")

    assert json.loads(result.stdout)["kind"] == "evalstats study"
    assert "fitting" in result.stderr
