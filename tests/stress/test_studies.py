"""A study that is stopped at any moment, by anything, goes on to the numbers of one that was never stopped.

EVALSTATS_TRIALS=200 is the long run, with as many stops.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from repetitions import repetitions

from evalstats.study import StudyResult, read_study

pytestmark = pytest.mark.long

STOPS = repetitions(4)
SEED = 7
N_RUNS = 60
PROGRAM = """
import os, sys, time
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from evalstats import run_study

if os.environ.get("NUMBER"):  # of this process, as in a container
    os.getpid = lambda: int(os.environ["NUMBER"])

def main():
    classifiers = {"NB": GaussianNB(), "tree": DecisionTreeClassifier(max_features=1)}
    print("begins", flush=True)
    run_study(classifiers, {"iris": load_iris(return_X_y=True)}, n_folds=2, n_repeats=30, rng=5, directory=sys.argv[1],
        predictions=True, n_jobs=int(sys.argv[2]), progress=lambda *_: time.sleep(float(sys.argv[3])))

if __name__ == "__main__":
    main()
"""


def begin(
    folder: Path, *, n_jobs: int = 1, pause: float = 0.0, before: Callable[[], None] | None = None
) -> subprocess.Popen:
    script = folder / "study.py"
    script.write_text(PROGRAM)
    process = subprocess.Popen(
        [sys.executable, str(script), str(folder / "runs"), str(n_jobs), str(pause)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=before,  # noqa: PLW1509  # no thread is there yet
        start_new_session=True,
    )
    process.stdout.readline()  # all is imported
    return process


def end(process: subprocess.Popen) -> tuple[int, str]:
    _, told = process.communicate(timeout=120)
    return process.returncode, told.decode()


def kept(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in (folder / "runs").glob("scores/*.parquet")}


def numbers(study: StudyResult) -> pd.DataFrame:
    frame = study.to_frame()
    return frame.drop(columns=[name for name in frame if "seconds" in name or "time" in name])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    folder = tmp_path_factory.mktemp("whole")
    assert end(begin(folder)) == (0, "")
    study = read_study(folder / "runs")
    assert (len(kept(folder)), study.complete) == (N_RUNS, True)
    return study


def same(folder: Path, whole: StudyResult) -> None:
    study = read_study(folder / "runs")
    assert study.complete
    assert len(kept(folder)) == N_RUNS
    pd.testing.assert_frame_equal(numbers(study), numbers(whole))
    pd.testing.assert_frame_equal(study.predictions_to_frame(), whole.predictions_to_frame())


@pytest.mark.usefixtures("interruptible")
def test_stopped_study_loses_no_run_and_doubles_none(tmp_path: Path, whole: StudyResult) -> None:
    """Killed, told to end or interrupted, with one worker and with two, which gives the same numbers."""
    chance, done, n_studies = random.Random(SEED), 0, 0
    while done < STOPS:
        folder = tmp_path / str(n_studies)
        folder.mkdir()
        n_studies += 1
        for _ in range(4):  # the fourth time it may come to its end
            process = begin(folder, n_jobs=chance.choice([1, 2]), pause=0.02)
            before = kept(folder)
            time.sleep(chance.uniform(0, 1.2))
            if process.poll() is None:
                done += 1
                os.killpg(process.pid, chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
            process.communicate(timeout=60)
            after = kept(folder)
            assert {path: after[path] for path in before} == before, (folder, done)
            if done == STOPS:
                break
        assert end(begin(folder, n_jobs=chance.choice([1, 2]))) == (0, "")
        same(folder, whole)


def test_two_processes_that_write_one_study_give_one_study(tmp_path: Path, whole: StudyResult) -> None:
    """Both begin at once; each run is there once, whoever wrote it."""
    first, second = begin(tmp_path), begin(tmp_path, n_jobs=2)

    assert [end(first)[0], end(second)[0]] == [0, 0]
    same(tmp_path, whole)


def test_two_processes_with_one_number_write_one_study(
    tmp_path: Path, whole: StudyResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs in two containers may both be number 1, and share a directory."""
    monkeypatch.setenv("NUMBER", "1")
    both = begin(tmp_path), begin(tmp_path)

    assert [end(one) for one in both] == [(0, "")] * 2
    same(tmp_path, whole)


def test_study_on_a_full_disk_stops_and_goes_on_when_there_is_room(
    tmp_path: Path, whole: StudyResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file may have more than 1,500 bytes: what was cut is no run."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # compiled modules would be cut off, too

    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1500, resource.RLIM_INFINITY))

    status, told = end(begin(tmp_path, before=no_room))

    assert status == 1
    assert "File too large" in told
    assert end(begin(tmp_path)) == (0, "")
    same(tmp_path, whole)
