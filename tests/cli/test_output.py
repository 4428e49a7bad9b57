"""What is printed is what the terminal or the pipe can show."""

from __future__ import annotations

import fcntl
import io
import os
import struct
import subprocess
import sys
import termios
from dataclasses import replace
from pathlib import Path

import pytest

from evalstats import report
from evalstats.cli import output as printing
from evalstats.cli.output import REPORTS
from evalstats.comparison.advice.recommendation import which_test
from evalstats.comparison.analysis import compare
from evalstats.design.plan import plan_design
from evalstats.examples import example_path
from evalstats.io.reader.predictions import read_predictions
from evalstats.io.reader.tables import read_table
from evalstats.tables.prediction_report import analyze_predictions

PROGRAM = [sys.executable, "-m", "evalstats"]
PREDICTIONS = str(example_path("sklearn-predictions"))


def test_csv_holds_no_order_to_a_terminal() -> None:
    made = analyze_predictions(read_predictions(PREDICTIONS), metric="f1")
    hostile = replace(made, scores=replace(made.scores, metric="f1 \x1b]0;pwned\x07"))

    text = printing.written(hostile, "csv")

    assert r"f1 \x1b]0;pwned\x07" in text
    assert text.count("\n") == made.to_csv().count("\n")


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    with printing.shown_progress() as progress:
        progress(1, 2, "sign_test")
    shown = sys.stderr.getvalue()
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with printing.shown_progress() as progress:
        assert progress is None

    assert shown == "\r\033[K1/2 sign_test\r\033[K"


@pytest.mark.parametrize("style", REPORTS)
def test_advice_and_plans_have_every_format(run, written, style: str) -> None:
    advice = run("which-test", "--classifiers", "3", "--datasets", "9", "--format", style)
    plan = run("plan", "sign", "--datasets", "10", "--format", style)

    assert advice.stdout == written(which_test(n_classifiers=3, n_datasets=9), style)
    assert plan.stdout == written(plan_design("sign", n=10), style)


@pytest.mark.sampled
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams_do_no_harm(closed: str, folder: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *PROGRAM, "compare", "scores.csv"],
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.sampled
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_text_is_what_the_output_can_show(program, encoding: str, folder: Path) -> None:
    (folder / "scores.csv").write_text("dataset,Naïve,Дерево\nx,1,2\ny,2,1\nz,3,4\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}

    done = program("compare", "scores.csv", env=environment)
    text = done.stdout.decode(encoding)

    assert (done.returncode, done.stderr) == (0, b"")
    assert ("Дерево" in text) == (encoding == "utf-8")


@pytest.mark.parametrize("style", ["html", "json"])
def test_documents_are_utf_8_whatever_the_output_is(program, style: str, folder: Path) -> None:
    (folder / "scores.csv").write_text("dataset,Naïve,Дерево\nx,1,2\ny,2,1\n", encoding="utf-8")

    done = program("compare", "scores.csv", "--format", style, env={**os.environ, "PYTHONIOENCODING": "ascii"})

    assert done.stdout.decode() == getattr(report, style)(compare("scores.csv"))


def test_terminal_gets_its_width_and_no_color(shown_on, folder: Path) -> None:
    main, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 50, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    with subprocess.Popen([*PROGRAM, "compare", "scores.csv"], stdout=terminal, env=environment) as process:
        os.close(terminal)
        shown = shown_on(main)

    assert process.returncode == 0
    assert shown.decode().splitlines() == report.text(compare(read_table("scores.csv")), width=50).splitlines()
    assert b"\x1b" not in shown
