"""Each exit status means what the manual says."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalstats.cli.command_group import COMMANDS
from evalstats.cli.gate_command import STATUS
from evalstats.cli.man_pages import OF_COMMANDS, statuses

TABLE = "dataset,a,b\n" + "".join(f"d{i},.{5 + i % 3}0,.{5 + i % 4}1\n" for i in range(8))
PREDICTIONS = {
    name: "item,y_true,y_pred\n" + "".join(f"{i},1,{int(i % 10 >= wrong)}\n" for i in range(n))
    for name, wrong, n in (("good", 1, 400), ("bad", 4, 400), ("few", 1, 4))
}


def status(folder: Path, *words: str, **choices: Any) -> int:
    command = [sys.executable, "-m", "evalstats", *words]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, check=False, timeout=120, **choices
    ).returncode


@pytest.fixture
def here(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Return the status of a command in this process, in the folder."""
    monkeypatch.chdir(folder)
    return lambda *words: run(*words).exit_code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scores.csv").write_text(TABLE)
    for name, text in PREDICTIONS.items():
        (tmp_path / f"{name}.csv").write_text(text)
    (tmp_path / "few-worse.csv").write_text("item,y_true,y_pred\n0,1,0\n1,1,1\n2,1,1\n3,1,1\n")
    (tmp_path / "ranks.csv").write_text("classifier,mean rank\na,1.2\nb,1.8\n")
    (tmp_path / "wrong.csv").write_text("classifier,mean rank\na,1.20\nb,1.95\n")
    return tmp_path


def test_gate(here, folder: Path) -> None:
    margin = ("--margin", "0.05")

    assert here("gate", "good.csv", "good.csv", *margin) == STATUS["pass"] == 0
    assert here("gate", "good.csv", "bad.csv", *margin) == STATUS["fail"] == 1
    assert status(folder, "gate", "few.csv", "few-worse.csv", *margin) == STATUS["inconclusive"] == 3
    assert here("gate", "good.csv", "nothing.csv", *margin) == 2
    assert set(STATUS.values()) == set(OF_COMMANDS["gate"])


def test_audit(here, folder: Path) -> None:
    assert here("audit", "ranks.csv", "--datasets", "10") == 0
    assert status(folder, "audit", "wrong.csv", "--datasets", "10") == 1
    assert here("audit", "nothing.csv", "--datasets", "10") == 2


def test_verify(here, folder: Path) -> None:
    direction = ("--higher-is-better", "--output", "report.json")
    assert here("compare", "scores.csv", *direction) == 0
    assert here("verify", "report.json") == 0

    path = folder / "report.json"
    path.write_text(path.read_text().replace('"alpha": 0.05', '"alpha": 0.06', 1))

    assert status(folder, "verify", "report.json") == 1
    path.write_text(json.dumps([]))
    assert here("verify", "report.json") == 2


def test_validate(here, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    from evalstats import parity
    from evalstats.cli import validate_command

    assert status(folder, "validate", "paired/sign", "--stored") == 0
    assert here("validate", "nothing", "--stored") == 2
    monkeypatch.setattr(validate_command, "show", lambda *_: None)
    for complete, expected in ((True, 1), (False, 130)):
        monkeypatch.setattr(parity, "validate", lambda n=complete, **_: SimpleNamespace(ok=False, complete=n))
        assert here("validate") == expected


def test_unknown_option_is_2_and_help_is_0(here, folder: Path) -> None:
    assert {command: here(command, "--nothing") for command in COMMANDS} == dict.fromkeys(COMMANDS, 2)
    assert {command: here(command, "--help") for command in COMMANDS} == dict.fromkeys(COMMANDS, 0)
    assert status(folder, "compare", "--nothing") == 2
    assert status(folder, "compare", "--help") == 0


def test_unknown_command_is_2(folder: Path) -> None:
    assert status(folder, "nothing") == 2


def test_interrupt_is_130_and_that_of_the_page_is_0(folder: Path, interruptible: None) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}

    def interrupted(*words: str, ready: Callable[[subprocess.Popen[str]], None]) -> int:
        command = [sys.executable, "-m", "evalstats", *words]
        with subprocess.Popen(
            command, cwd=folder, env=environment, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, text=True
        ) as process:
            ready(process)
            process.send_signal(signal.SIGINT)
            return process.wait(60)

    # it waits for a table that does not come
    assert interrupted("compare", "-", ready=lambda _: time.sleep(3)) == 130
    assert interrupted("serve", "--no-browser", ready=lambda process: process.stdout.readline()) == 0


def test_reader_that_has_gone_is_141(folder: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "evalstats", "formats", "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, stdout=write, stderr=-1, env=environment) as process:
        os.close(write)
        told = process.communicate(timeout=60)[1]

    assert (process.returncode, told) == (141, b"")


def test_page_of_the_command_line_tells_them_all() -> None:
    docs = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (\w[\w-]*|every command) \| (.*) \|$", docs.split("## Exit status")[1], re.MULTILINE))
    told = {name: [int(number) for number in re.findall(r"\b(\d+):", row)] for name, row in rows.items()}

    of_all = told.pop("every command")
    assert {n: sorted({*of_all, *told.get(n, [])}) for n in COMMANDS if n != "serve"} == {
        n: list(statuses(n)) for n in COMMANDS if n != "serve"
    }


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_error_that_cannot_be_printed_has_its_status(folder: Path) -> None:
    """Status 1 would mean that the candidate fails."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "evalstats", "gate", "good.csv", "nothing.csv", "--margin", "0.05"],
            cwd=folder,
            # as on most machines, Python keeps unwritten output until it ends
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONUNBUFFERED": ""},
            stderr=full,
            check=False,
            timeout=60,
        )

    assert done.returncode == 2


def test_fault_of_the_program_is_no_decision(folder: Path) -> None:
    """Status 1 would mean that the candidate fails; the traceback is printed."""
    script = "import sys, evalstats.gating.decision as d; d.gate = 1; sys.argv[1:] = 'gate a b --margin 1'.split(); "
    done = subprocess.run(
        [sys.executable, "-c", f"{script}from evalstats.cli import main; main()"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert (done.returncode, b"TypeError" in done.stderr) == (2, True)
