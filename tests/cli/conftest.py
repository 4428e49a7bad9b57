"""The program, called in this process or in one of its own, in a folder with a table of scores."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evalstats import report
from evalstats._result import Record
from evalstats.cli import cli


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, with a table of two classifiers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text("dataset,NB,SVM\niris,0.93,0.95\nglass,0.71,0.50\nwine,0.8,0.9\n")
    return tmp_path


@pytest.fixture(scope="session")
def run() -> Callable[..., Result]:
    """Call a command in this process."""

    def run(*arguments: str, **options) -> Result:
        return CliRunner().invoke(cli, list(arguments), prog_name="evalstats", **options)

    return run


@pytest.fixture(scope="session")
def program() -> Callable[..., subprocess.CompletedProcess]:
    """Call a command in a process of its own."""

    def program(*arguments: str, **options) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "evalstats", *arguments]
        return subprocess.run(command, capture_output=True, check=False, timeout=60, **options)

    return program


@pytest.fixture(scope="session")
def refused(run: Callable[..., Result]) -> Callable[..., str]:
    """Return the one line that a mistake is answered with."""

    def refused(*arguments: str, **options) -> str:
        result = run(*arguments, **options)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("evalstats: error: ")
        assert result.stderr.count("\n") == 1
        return result.stderr.removeprefix("evalstats: error: ").rstrip("\n")

    return refused


@pytest.fixture(scope="session")
def written() -> Callable[[Record, str], str]:
    """Write a record in one of the formats that a command prints."""

    def written(record: Record, style: str) -> str:
        return record.to_csv() if style == "csv" else getattr(report, style)(record)

    return written


@pytest.fixture(scope="session")
def shown_on() -> Callable[[int], bytes]:
    """Read what a program wrote to a terminal, until the program closes its side."""

    def shown_on(descriptor: int) -> bytes:
        shown = b""
        while chunk := _read(descriptor):
            shown += chunk
        os.close(descriptor)
        return shown

    return shown_on


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux tells so that the other side of a terminal is closed
        return b""
