"""The page on installation is true, and files of the other project called evalstats over this one are one sentence."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "evalstats"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = ("__init__.py", "__init__.pyi", "_lazy_names.py", "cli", "io", "paired")
SENTENCE = (
    "another project with the import name evalstats (on PyPI: evalstats) has replaced files of classifier-evalstats; "
    "run: pip uninstall evalstats classifier-evalstats, and then: pip install classifier-evalstats"
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Copy as much of the package as it takes to be imported."""
    package = tmp_path / "evalstats"
    package.mkdir()
    for name in NEEDED:
        copy = shutil.copytree if (PACKAGE / name).is_dir() else shutil.copy
        copy(PACKAGE / name, package / name)
    return package


def last_line(package: Path, code: str) -> tuple[int, str]:
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    command = [sys.executable, "-S", "-c", code]  # without the installed packages
    done = subprocess.run(
        command, cwd=package.parent, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    return done.returncode, done.stderr.strip().rpartition("\n")[2]


def test_package_alone_is_imported(package: Path) -> None:
    assert last_line(package, "import evalstats.io") == (0, "")


def test_this_package_over_the_other_one_is_refused(package: Path) -> None:
    (package / "io.py").write_text("def from_dataframe(frame): ...\n")

    assert last_line(package, "import evalstats") == (1, f"ImportError: {SENTENCE}")


def test_the_other_package_over_this_one_is_refused(package: Path) -> None:
    """Its module is imported first, and takes what it imports from the folder of this one."""
    (package / "io.py").write_text("def from_dataframe(frame): ...\n")
    (package / "__init__.py").write_text("from evalstats.io import from_dataframe\n")

    assert last_line(package, "import evalstats") == (1, f"ImportError: {SENTENCE}")


def test_what_is_left_after_the_other_package_was_removed_is_refused(package: Path) -> None:
    (package / "__init__.py").unlink()

    assert last_line(package, "import evalstats.paired") == (1, f"ImportError: {SENTENCE}")


def test_command_says_it_in_one_line_with_the_status_of_an_error(package: Path) -> None:
    (package / "__init__.py").unlink()

    assert last_line(package, "from evalstats.cli import main; main()") == (2, f"Error: {SENTENCE}")


def table(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the first table below a heading, without its first two lines."""
    section = (ROOT / "docs" / page).read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    rows = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE)[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_every_extra_stands_in_the_table_with_what_it_installs() -> None:
    extras = PROJECT["optional-dependencies"]
    *single, whole = table("installation.md", "Optional packages")
    told = {name.strip("`"): sorted(re.findall(r"`([^`]+)`", installs)) for name, installs, _ in single}

    assert told == {name: sorted(wanted) for name, wanted in extras.items() if name != "all"}
    assert whole == ["`all`", "all packages of the other extras, except `r`", "all functions that do not need R"]
    together = extras["all"][0].removeprefix("classifier-evalstats[").removesuffix("]").split(",")
    assert {*together, "r", "all"} == set(extras)


def test_supported_versions_are_those_of_the_package() -> None:
    told = {program: lowest for program, lowest, _ in table("versions.md", "Supported versions")}
    wanted = dict(requirement.split(">=") for requirement in PROJECT["dependencies"])
    answers = (ROOT / "r_reference" / "paired" / "wilcoxon.json").read_text(encoding="utf-8")

    assert told == {
        "Python": PROJECT["requires-python"].removeprefix(">="),
        "NumPy": wanted["numpy"],
        "SciPy": wanted["scipy"],
        "click": wanted["click"],
        "R": re.search(r'"r": "([\d.]+)"', answers)[1],
    }


def test_pages_that_speak_of_pip_warn_of_the_other_project() -> None:
    """`pip install evalstats` would install the other project: no page says so, but to warn of it."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    said = [
        f"{page.name}: {line}"
        for page in pages
        for line in page.read_text(encoding="utf-8").splitlines()
        if re.search(r"(?:pip|pipx|uv tool) (?:install|run) evalstats\b|uvx evalstats\b", line)
    ]

    assert [line.partition(":")[0] for line in said] == ["installation.md", "installation.md"], said


def test_pages_name_targets_of_the_dockerfile_and_its_port() -> None:
    pages = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("installation.md", "hosting.md")]
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    targets = re.findall(r"(?:--target |target: )(\w+)", "".join(pages))

    assert len(targets) > 3
    assert set(targets) <= set(re.findall(r"^FROM .* AS (\w+)$", dockerfile, re.MULTILINE))
    assert re.search(r'"--port", "(\d+)"', dockerfile)[1] == re.search(r"evalstats serve --port (\d+)", pages[1])[1]
