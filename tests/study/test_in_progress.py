"""What was under way when a worker process died is what its notes say that are still there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from evalstats.study.single_run import Notes


def test_note_of_the_last_fold_stays_until_the_repeat_is_finished() -> None:
    with Notes.kept() as notes:
        notes.begun("iris", "NB", 3, 1)
        notes.begun("iris", "NB", 3, 2)
        assert notes.left() == "'NB' on 'iris' (repeat 3, fold 2)"

        notes.finished()
        assert notes.left() == ""


def test_each_worker_has_its_own_note() -> None:
    with Notes.kept() as notes:
        other = threading.Thread(target=notes.begun, args=("iris", "SVM", 0, 0))
        notes.begun("iris", "NB", 1, 1)
        other.start()
        other.join()

        assert "'NB' on 'iris' (repeat 1, fold 1)" in notes.left()
        assert "'SVM' on 'iris' (trained on the whole dataset)" in notes.left()


def test_worker_without_the_folder_and_a_note_that_was_cut_are_passed_over(tmp_path: Path) -> None:
    elsewhere = Notes(str(tmp_path / "gone"))
    elsewhere.begun("iris", "NB", 1, 1)
    elsewhere.finished()
    (tmp_path / "1-1").write_text('["iris", "NB')

    assert Notes(str(tmp_path)).left() == ""


HANGING = """
import os, sys, time
from pathlib import Path
from sklearn.dummy import DummyClassifier
from sklearn.datasets import load_iris
import evalstats

class Hanging(DummyClassifier):
    def fit(self, X, y):
        if len(y) < 150:
            Path(f"{os.getpid()}.worker").touch()
            time.sleep(300)
        return super().fit(X, y)

if __name__ == "__main__":
    X, y = load_iris(return_X_y=True)
    if sys.argv[1] == "study":
        evalstats.run_study({"a": Hanging(), "b": Hanging()}, {"iris": (X, y)}, n_folds=2, n_repeats=2, n_jobs=2)
    else:
        evalstats.study.label_permutation_test(Hanging(), X, y, n_folds=2, n_resamples=9, n_jobs=2)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way")
@pytest.mark.parametrize("what", ["study", "permutation"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_workers_that_hang_end_with_the_process_that_asked(tmp_path: Path, what: str, how: signal.Signals) -> None:
    (tmp_path / "hanging.py").write_text(HANGING)
    with subprocess.Popen([sys.executable, "hanging.py", what], cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        end = time.monotonic() + 90
        while len(workers := list(tmp_path.glob("*.worker"))) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        process.send_signal(how)
        process.wait(30)

    left = [int(path.stem) for path in workers]
    end = time.monotonic() + 20
    while any(map(is_running, left)) and time.monotonic() < end:
        time.sleep(0.1)
    still = list(filter(is_running, left))
    for pid in still:
        os.kill(pid, signal.SIGKILL)
    assert len(workers) == 2
    assert still == []


def is_running(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
