"""The built wheel works on its own: the package, the example tables and R's answers are in it."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and unpack it where nothing else is."""
    folder = tmp_path_factory.mktemp("wheel")
    build = f"from hatchling.build import build_wheel; print(build_wheel({str(folder)!r}))"
    name = subprocess.run(
        [sys.executable, "-c", build], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()[-1]
    with zipfile.ZipFile(folder / name) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


def run(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=installed, env=environment, capture_output=True, text=True, check=False
    )


def test_wheel_is_what_is_imported(installed: Path) -> None:
    where = run(installed, "-c", "import evalstats; print(evalstats.__file__)").stdout

    assert where.startswith(str(installed))


def test_wheel_holds_no_tests_but_the_type_marker_and_every_stub(installed: Path) -> None:
    stubs = {path.relative_to(ROOT) for path in (ROOT / "evalstats").rglob("*.pyi")}

    assert (installed / "evalstats" / "py.typed").is_file()
    assert {path.relative_to(installed) for path in installed.rglob("*.pyi")} == stubs
    assert len(stubs) > 15
    assert sorted(p.name for p in installed.iterdir() if p.suffix not in (".dist-info", ".data")) == ["evalstats"]


def test_wheel_is_small(installed: Path) -> None:
    [wheel] = installed.parent.glob("*.whl")

    assert wheel.stat().st_size < 2_500_000


def test_modules_of_the_wheel_are_those_of_the_repository(installed: Path) -> None:
    """The wheel has no comments and no docstrings of private names, and the line numbers of errors stay."""

    def dumped(text: str) -> tuple[str, list[int]]:
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and re.match("_[^_]", node.name):
                node.body = [one for one in node.body if not _is_text(one)]
        return ast.dump(tree), [node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt | ast.expr)]

    for path in sorted((ROOT / "evalstats").rglob("*.py")):
        own, theirs = path.read_text("utf-8"), (installed / path.relative_to(ROOT)).read_text("utf-8")
        assert own.count("\n") == theirs.count("\n")
        assert dumped(own) == dumped(theirs)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_wheel_holds_the_manual_and_what_shells_read(installed: Path) -> None:
    from evalstats.cli.man_pages import SHELLS, completion_script, manual_pages

    [share] = installed.glob("*.data/data/share")
    held = {str(path.relative_to(share)): path.read_text("utf-8") for path in share.rglob("*") if path.is_file()}

    assert held == {f"man/man1/{name}": page for name, page in manual_pages().items()} | {
        place: completion_script(shell) for shell, place in SHELLS.items()
    }


def test_wheel_compares_a_bundled_table(installed: Path) -> None:
    scores = run(installed, "-m", "evalstats", "examples", "demsar-2006").stdout
    (installed / "scores.csv").write_text(scores, encoding="utf-8")

    done = run(installed, "-m", "evalstats", "compare", "scores.csv")

    (installed / "scores.csv").unlink()
    assert done.returncode == 0, done.stderr
    assert "C4.5+m+cf" in done.stdout


def test_wheel_holds_the_page(installed: Path) -> None:
    script = (
        "from evalstats.serving.server import PageServer, STATIC, _static\n"
        "from evalstats.serving.languages import LANGUAGES, page\n"
        "found = [_static(subpackage, name) for subpackage, name, _ in STATIC.values()]\n"
        "print(all(found + [page(one) for one in LANGUAGES]))\n"
    )

    assert run(installed, "-c", script).stdout == "True\n"


def test_wheel_validates_itself_against_frozen_r(installed: Path) -> None:
    done = run(installed, "-m", "evalstats", "validate", "--stored")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "wilcoxon_test" in done.stdout


def test_wheel_holds_what_adapters_share(installed: Path) -> None:
    """An installed copy asks R the same questions, and knows that its answers are answers to them."""
    script = (
        "from evalstats.parity.reference_values import read_answers\n"
        "from evalstats.parity.reference_cases import read_stem\n"
        "stem = read_stem('multiple/conover')\n"
        "print('family_of <- function' in stem.adapter, read_answers(stem.name).stale(stem))\n"
    )

    assert run(installed, "-c", script).stdout == "True None\n"
