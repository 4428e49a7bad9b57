"""A report that cannot be written leaves what was there, says why in one line, and leaves nothing else behind."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import evalstats

pytestmark = pytest.mark.long

PROGRAM = [sys.executable, "-m", "evalstats", "compare", "scores.csv", "--output"]
NAMES = ("report.html", "report.tex", "report.json", "report.md", "report.txt", "report.r")
PICTURES = ("picture.pdf", "picture.svg", "picture.png")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # a full disk would cut off compiled modules, too
    table = Path(evalstats.example_path("demsar-2006")).read_text()
    (tmp_path / "scores.csv").write_text(table)
    for name in (*NAMES, *PICTURES):
        (tmp_path / name).write_text("old")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def asked(name: str) -> list[str]:
    return [*PROGRAM, name] if name in NAMES else [*PROGRAM[:-1], "--plot", name]


def full() -> None:
    """Let no file have more than 100 bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))


@pytest.mark.parametrize("name", NAMES + PICTURES)
def test_full_disk_leaves_the_old_file(name: str, folder: Path) -> None:
    before = contents(folder)

    done = subprocess.run(asked(name), cwd=folder, capture_output=True, check=False, timeout=120, preexec_fn=full)

    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"File too large" in done.stderr
    assert contents(folder) == before


def on_a_small_disk(folder: Path, command: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a disk of 64 kB of its own, which is full but for 4 kB; it shows what stands there then."""
    script = (
        f"mount -t tmpfs -o size=64k none disk && cp scores.csv disk/ && echo old > disk/{command[-1]} && cd disk && "
        'head -c 45000 /dev/zero > filler; "$@"; status=$?; ls >&2; cat ' + command[-1] + " >&2; exit $status"
    )
    (folder / "disk").mkdir()
    whole = ["unshare", "--mount", "sh", "-c", script, "sh", *command]
    return subprocess.run(whole, cwd=folder, capture_output=True, check=False, timeout=120)


@pytest.mark.parametrize("name", ["report.html", "picture.png"])
def test_disk_without_room_keeps_the_old_file_and_no_other(name: str, folder: Path) -> None:
    if not shutil.which("unshare") or subprocess.call(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL):
        pytest.skip("NOT TRIED ON A FULL DISK: only root may mount one")

    done = on_a_small_disk(folder, asked(name))

    assert done.returncode == 2
    error, *listed = done.stderr.decode().splitlines()
    assert error.endswith("No space left on device")
    assert listed == [*sorted(["filler", name, "scores.csv"]), "old"]


@pytest.mark.parametrize("name", ["report.html", "picture.pdf"])
def test_folder_that_may_not_be_written_is_one_line(name: str, folder: Path) -> None:
    """Root may write anywhere, and gives that right away."""
    before = contents(folder)
    folder.chmod(0o555)
    like_anybody = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []

    done = subprocess.run([*like_anybody, *asked(name)], cwd=folder, capture_output=True, check=False, timeout=120)
    folder.chmod(0o755)

    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1), done.stderr
    assert b"Permission denied" in done.stderr
    assert contents(folder) == before


def test_two_that_write_one_report_leave_a_whole_one(folder: Path) -> None:
    alone = subprocess.run([*PROGRAM, "alone.html"], cwd=folder, capture_output=True, check=True, timeout=120)
    whole = (folder / "alone.html").read_bytes()
    (folder / "alone.html").unlink()

    writers = [subprocess.Popen([*PROGRAM, "report.html"], cwd=folder, stderr=subprocess.PIPE) for _ in range(3)]

    assert [(one.communicate(timeout=120)[1], one.returncode) for one in writers] == [(alone.stderr, 0)] * 3
    assert contents(folder)["report.html"] == whole
    assert set(contents(folder)) == {"scores.csv", *NAMES, *PICTURES}


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_report_whose_writer_is_stopped_is_the_old_or_the_new_one(how: signal.Signals, folder: Path) -> None:
    """At moments from the first line of the program to its end."""
    subprocess.run([*PROGRAM, "new.html"], cwd=folder, capture_output=True, check=True, timeout=120)
    new = (folder / "new.html").read_bytes()

    for moment in (0.2, 0.6, 0.9, 1.2):
        (folder / "report.html").write_text("old")
        with subprocess.Popen([*PROGRAM, "report.html"], cwd=folder, stderr=subprocess.DEVNULL) as process:
            time.sleep(moment)
            process.send_signal(how)
        assert (folder / "report.html").read_bytes() in {b"old", new}
