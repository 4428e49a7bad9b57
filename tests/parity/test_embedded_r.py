"""The process that holds R answers questions and nothing else, and ends when nobody asks any more."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
from typing import Any

import pytest

from evalstats.parity.embedded_r import _GRACE
from evalstats.parity.live_r import R

ADAPTER = """
speak <- function() { cat("one"); system("echo two"); write("three", stdout()); list(value = 1) }
listen <- function() list(value = length(readLines(file("stdin"))))
slow <- function() { Sys.sleep(60); list(value = 1) }
fail <- function() stop("this is wrong")
"""


def served(*functions: str, seconds: float = 60) -> tuple[list[Any], int]:
    """Ask for each of the functions, and return all that was answered and the exit status."""
    questions = [(seconds, "ask", ("demo/bridge", ADAPTER, function, {})) for function in functions]
    done = subprocess.run(
        [sys.executable, "-c", "from evalstats.parity.embedded_r import serve; serve()"],
        input=b"".join(map(pickle.dumps, questions)),
        capture_output=True,
        timeout=120,
        check=False,
    )
    stream, answers = io.BytesIO(done.stdout), []
    while stream.tell() < len(done.stdout):
        answers.append(pickle.load(stream))
    return answers, done.returncode


@pytest.mark.live
def test_version_comes_first_and_the_process_ends_without_questions(r: R) -> None:
    assert served() == ([("answer", r.version)], 0)


@pytest.mark.live
def test_what_r_prints_or_reads_is_no_answer_and_no_question(r: R) -> None:
    assert served("speak", "listen", "fail", "speak") == (
        [
            ("answer", r.version),
            ("answer", ({"value": 1.0}, ())),
            ("answer", ({"value": 0.0}, ())),
            ("error", "this is wrong"),
            ("answer", ({"value": 1.0}, ())),
        ],
        0,
    )


@pytest.mark.live
def test_process_that_nobody_stops_stops_itself(r: R) -> None:
    assert served("slow", seconds=1 - _GRACE) == ([("answer", r.version)], 1)
