"""What is shipped: the same source gives the same bits, and nothing asks the network."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUILT_FROM = ("pyproject.toml", "README.md", "LICENSE")
OF_THE_MACHINE = shutil.ignore_patterns("__pycache__", "*.pyc")

# in every process that Python starts with it: sockets of the internet are noted, and refused
NO_NETWORK = """
import os, sys

def watch(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.connect", "socket.bind"):
        address = arguments[1] if event.split(".")[1] in ("connect", "bind", "sendto") else arguments[0]
        if isinstance(address, (str, bytes)) and event in ("socket.connect", "socket.bind"):
            return  # a file: how processes of one machine talk
        with open(os.environ["NETWORK_LOG"], "a") as log:
            log.write(f"{event} {address} by {sys.argv}\\n")
        raise OSError("there is no network")

sys.addaudithook(watch)
"""
EVERYTHING = """
import importlib, pkgutil, evalstats
for found in pkgutil.walk_packages(evalstats.__path__, "evalstats."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
for name in evalstats.__all__:
    getattr(evalstats, name)
"""
STUDY = """
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
import evalstats
classifiers = {"NB": GaussianNB(), "tree": DecisionTreeClassifier()}
study = evalstats.run_study(classifiers, {"iris": load_iris(return_X_y=True)}, n_jobs=2, directory="runs")
print(study)
"""


def shipped() -> list[str]:
    """Return the files and folders that the source distribution is made of."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        included = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    return [*BUILT_FROM, *(name.removeprefix("/") for name in included)]


def build(source: Path, out: Path, *, mask: int) -> dict[str, str]:
    """Build in a copy of the source; the digest of each distribution."""
    for name in shipped():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=OF_THE_MACHINE)
        else:
            source.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    for path in source.rglob("*"):
        path.chmod((0o777 if path.is_dir() or os.access(path, os.X_OK) else 0o666) & ~mask)
        os.utime(path, (mask * 10**6, mask * 10**6))
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "TZ": "UTC" if mask == 0o22 else "Asia/Tokyo"}
    done = subprocess.run(command, cwd=source, env=environment, umask=mask, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in out.iterdir()}


@pytest.mark.long
def test_same_source_gives_the_same_bits(tmp_path: Path) -> None:
    """In another folder, with other times and permissions, in another time zone."""
    one = build(tmp_path / "one", tmp_path / "built-one", mask=0o22)
    other = build(tmp_path / "another" / "deeper", tmp_path / "built-other", mask=0o77)

    assert one == other
    assert sorted(name[-7:] for name in one) == [".tar.gz", "any.whl"]


@pytest.fixture
def offline(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(NO_NETWORK)
    log = tmp_path / "network.log"
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path / 'hook'}{os.pathsep}{ROOT}", "NETWORK_LOG": str(log)}
    return log, environment


def test_hook_sees_the_network(offline: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    log, environment = offline
    ask = "import socket; socket.create_connection(('example.org', 80))"

    done = subprocess.run([sys.executable, "-c", ask], env=environment, cwd=tmp_path, capture_output=True, check=False)

    assert done.returncode != 0
    assert "example.org" in log.read_text()


@pytest.mark.long
def test_nothing_asks_the_network(offline: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    log, environment = offline
    command = [sys.executable, "-m", "evalstats"]
    lines = [
        [sys.executable, "-W", "ignore", "-c", EVERYTHING],
        [sys.executable, "-W", "ignore", "-c", STUDY],
        [*command, "compare", "scores.csv", "--output", "report.html"],
        [*command, "compare", "scores.csv", "--format", "latex"],
        [*command, "compare", "scores.csv", "--plot", "picture.png"],
        [*command, "compare", "scores.csv", "--output", "report.json"],
        [*command, "verify", "report.json"],
        [*command, "validate", "--stored"],
    ]
    table = subprocess.run([*command, "examples", "demsar-2006"], capture_output=True, check=True, env=environment)
    (tmp_path / "scores.csv").write_bytes(table.stdout)

    for line in lines:
        done = subprocess.run(line, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (line, done.stdout[-1000:] + done.stderr[-1000:])

    assert not log.exists(), log.read_text()


@pytest.mark.long
def test_reports_load_nothing(offline: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    """A page of a report has no address that a browser would ask for."""
    _, environment = offline
    command = [sys.executable, "-m", "evalstats"]
    table = subprocess.run([*command, "examples", "demsar-2006"], capture_output=True, check=True, env=environment)
    (tmp_path / "scores.csv").write_bytes(table.stdout)
    subprocess.run([*command, "compare", "scores.csv", "--output", "r.html"], check=True, env=environment, cwd=tmp_path)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")

    assert re.findall(r"(?:src|srcset|data|action)\s*=\s*[\"']?\s*(?:https?:)?//", page) == []
    assert re.findall(r"<link[^>]*href\s*=\s*[\"']?\s*(?:https?:)?//|@import|url\(\s*[\"']?(?:https?:)?//", page) == []
