"""The page starts at once, tells its address, and ends cleanly."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "evalstats", "serve", "--no-browser"]


def started(tmp_path: Path, *arguments: str) -> tuple[subprocess.Popen, str]:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    return process, process.stdout.readline().strip()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_page_is_shown_until_it_is_stopped(tmp_path: Path, interruptible: None, how: signal.Signals) -> None:
    process, address = started(tmp_path)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}", address)
    with urllib.request.urlopen(address, timeout=10) as page:
        assert b"Nothing leaves this machine" in page.read()

    process.send_signal(how)
    out, err = process.communicate(timeout=20)

    assert (process.returncode, err) == (0, "")
    assert out.endswith("Stopped.\n")
    assert list(tmp_path.iterdir()) == []


def test_terminal_that_hangs_up_leaves_nothing_behind(tmp_path: Path, interruptible: None) -> None:
    """Nobody reads its last words any more."""
    process, _ = started(tmp_path)
    process.stdout.close()
    process.stderr.close()
    process.send_signal(signal.SIGHUP)

    assert process.wait(timeout=20) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_interrupt_while_pages_are_sent_is_clean(tmp_path: Path, interruptible: None) -> None:
    """The signal comes at any moment of a request, and is never lost."""
    for _ in range(5):
        process, address = started(tmp_path)
        for _ in range(8):
            threading.Thread(target=_load, args=(address,), daemon=True).start()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)

        assert (process.returncode, err) == (0, "")
    assert list(tmp_path.iterdir()) == []


def _load(address: str) -> None:
    with contextlib.suppress(OSError, http.client.HTTPException), urllib.request.urlopen(address, timeout=10) as page:
        page.read()


def test_processes_end_with_the_server_that_was_killed(tmp_path: Path) -> None:
    process, _ = started(tmp_path)
    time.sleep(1)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    process.communicate(timeout=20)

    for _ in range(100):
        if not any(
            Path(f"/proc/{child}").exists() and "Z" not in Path(f"/proc/{child}/stat").read_text().split()[2]
            for child in children
        ):
            break
        time.sleep(0.1)
    else:
        pytest.fail(f"{children} still run")


def test_port_can_be_chosen(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process, address = started(tmp_path, "--port", str(port))
    process.terminate()
    process.communicate(timeout=20)

    assert address.startswith(f"http://127.0.0.1:{port}/")


def test_port_that_is_taken_is_told(refused) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        message = refused("serve", "--no-browser", "--port", str(port))

    assert message.startswith(f"--port {port} cannot be used (Address already in use); omit it to use a free port")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "70000"],
        ["--port", "x"],
        ["--host", "0.0.0.0"],
        *(["--time-limit", value] for value in ("0", "-1", "nan", "inf", "-inf", "x")),
    ],
)
def test_mistakes_are_one_line(refused, arguments: list[str]) -> None:
    assert refused("serve", *arguments)
