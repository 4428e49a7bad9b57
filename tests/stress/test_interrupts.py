"""Ctrl-C ends every command that takes long, at any moment, with status 130, without a word of Python, and soon.

What was computed until then is kept where it means something: the runs of a study, the tables of a calibration, what
was compared with R. EVALSTATS_TRIALS=20 interrupts each command 20 times.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from repetitions import repetitions

pytestmark = pytest.mark.long

MOMENTS = repetitions(1)
SOON = 10.0  # seconds; it is one or two where nothing else goes on
STUDY = """
folds = 5
repeats = 4000
[classifiers]
NB.class = "sklearn.naive_bayes.GaussianNB"
[datasets]
iris.loader = "load_iris"
"""
# the program, which presses Ctrl-C by itself some time after its modules are there
PROGRAM = """
import os, signal, sys, threading, time
import numpy
from evalstats.cli import main

*words, after, mark = sys.argv[1:]

def press():
    with open(mark, "w") as file:
        file.write(repr(time.time()))
    os.kill(os.getpid(), signal.SIGINT)

sys.argv[1:] = words
pressing = threading.Timer(float(after), press)
pressing.daemon = True
pressing.start()
main()
"""
WIDE, LONG, FOLDS = "scores.csv", "predictions.csv", "folds.csv"
COMMANDS: dict[str, tuple[str, ...]] = {
    "validate": ("validate", "--stored"),
    "validate live": ("validate", "--live"),
    "validate fuzz": ("validate", "--fuzz", "1000000"),
    "error-rates": ("error-rates", WIDE, "--simulations", "100000000", "--higher-is-better"),
    "study": ("study", "study.toml", "--directory", "runs"),
    "plan": ("plan", "wilcoxon", "--datasets", "30", "--effect", "0.5", "--simulations", "100000000"),
    "robustness": ("compare", WIDE, "--robustness", "--higher-is-better", "--output", "report.html"),
    "compare": ("compare", LONG, "--metric", "f1_macro", "--output", "report.html"),
    "metrics": ("metrics", LONG, "--metric", "f1_macro"),
    "reproducibility": ("reproducibility", FOLDS, "--metric", "accuracy"),
}
ARE_LIVE = ("validate live", "validate fuzz")
# what each says of what it has done, if it has done anything; the others say all or nothing
KEPT = {
    "validate": "cases so far",
    "validate live": "cases so far",
    "validate fuzz": "cases so far",
    "error-rates": "of 100000000 tables",
    "study": "The study was not finished.",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, rng = tmp_path_factory.mktemp("long"), np.random.default_rng(1)
    (folder / "study.toml").write_text(STUDY)
    wide = [",".join(["dataset", *(f"c{i}" for i in range(30))])]
    wide += [",".join([f"d{i}", *map(str, rng.random(30).round(3))]) for i in range(300)]
    (folder / WIDE).write_text("\n".join(wide) + "\n")
    long = ["dataset,classifier,row,y_true,y_pred"]
    long += [f"d,{c},{i},{i % 3},{p}" for c in "ab" for i, p in enumerate(rng.integers(0, 3, 400_000).tolist())]
    (folder / LONG).write_text("\n".join(long) + "\n")
    folds = ["dataset,classifier,repeat,fold,n_train,n_test,accuracy"]
    folds += [f"d{d},c{c},{r},{f},90,10,{rng.random():.3f}" for d, c, r, f in np.ndindex(20, 12, 10, 10)]
    (folder / FOLDS).write_text("\n".join(folds) + "\n")
    return folder


def interrupted(words: Sequence[str], folder: Path, after: float) -> tuple[int, str, str, float]:
    """Return the status, what was said on both channels, and how many seconds it took to end."""
    mark = folder / "pressed"
    mark.unlink(missing_ok=True)
    command = [sys.executable, "-c", PROGRAM, *words, str(after), str(mark)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=after + 120)
    seconds = time.time() - float(mark.read_text()) if mark.exists() else 0.0
    return done.returncode, done.stdout, done.stderr, seconds


def answer(name: str, folder: Path) -> str:
    """Return what the command prints if nobody interrupts it."""
    command = [sys.executable, "-m", "evalstats", *COMMANDS[name]]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.live] if name in ARE_LIVE else []) for name in COMMANDS]
)
def test_ctrl_c_ends_a_long_command_soon_and_without_a_traceback(
    name: str, folder: Path, record_property, request: pytest.FixtureRequest
) -> None:
    if name in ARE_LIVE:
        request.getfixturevalue("r")
    chance, longest = random.Random(f"{name} {MOMENTS}"), 0.0
    for _ in range(MOMENTS):
        (folder / "report.html").write_text("old")

        status, shown, told, seconds = interrupted(COMMANDS[name], folder, chance.uniform(0.2, 5))

        longest = max(longest, seconds)
        whole = (folder / "report.html").read_text()
        assert seconds < SOON
        assert whole == "old" or whole.rstrip().endswith("</html>")
        if status == 0:  # it was done before
            assert name in {"validate", "robustness", "compare", "metrics", "reproducibility"}
            continue
        assert (status, "Traceback" in told, "Exception ignored" in told) == (130, False, False), told
        assert shown == "" or (KEPT[name] in " ".join(shown.split()) if name in KEPT else shown == answer(name, folder))
    record_property("longest", longest)
    sys.stdout.write(json.dumps({"command": name, "longest": round(longest, 2)}) + "\n")


@pytest.mark.usefixtures("interruptible")
def test_what_was_computed_is_shown(folder: Path) -> None:
    """Pressed until something was done: a study has a run, a calibration a table."""
    for name in ("study", "error-rates"):
        found = (interrupted(COMMANDS[name], folder, after) for after in (3, 6, 12, 24, 48))

        assert any(KEPT[name] in " ".join(shown.split()) for _, shown, _, _ in found), name
