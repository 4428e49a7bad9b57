"""A test is declared once: a new one is written in eight files, and everything else follows from its declaration."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# `normal_sign_test`: new files, and lines for files that exist; R wrote the one that ends in json
SAMPLE = ROOT / "tests" / "data" / "sample_test"
COPIED = ("CHANGELOG.md", "README.md", "docs", "evalstats", "pyproject.toml", "r_reference", "scripts", "tests")
MOST_FILES = 8


def written() -> list[Path]:
    """Return the files of the sample that somebody writes by hand."""
    return [path for path in sorted(SAMPLE.rglob("*.*")) if path.is_file() and path.suffix != ".json"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project with the new test."""
    copy = tmp_path_factory.mktemp("project")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "sample_test"))
        else:
            shutil.copy(ROOT / name, copy / name)
    for path in filter(Path.is_file, SAMPLE.rglob("*.*")):
        place = copy / path.relative_to(SAMPLE)
        if path.suffix == ".lines":
            with place.with_suffix("").open("a", encoding="utf-8") as file:
                file.write(path.read_text(encoding="utf-8"))
        else:
            shutil.copy(path, place)
    run(copy, "docs/figures/list_of_tests.py")
    return copy


def run(project: Path, *arguments: str) -> str:
    """Run Python in the copy, and return what it prints."""
    environment = os.environ | {"PYTHONPATH": str(project), "PYTHONDONTWRITEBYTECODE": ""}  # modules are compiled once
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_new_test_is_written_in_eight_files() -> None:
    assert len(written()) <= MOST_FILES


@pytest.mark.long
def test_nothing_of_the_new_test_is_forgotten(project: Path) -> None:
    """The house tests find its page, its cases, its sentence, its generator and its data in every common test."""
    wanted = "forgotten or every_public or every_function or everything_that or every_result_class"
    files = [
        *("test_project_structure.py", "test_common.py", "test_arguments.py"),
        *("report/test_sentences.py", "parity/test_fuzz.py"),
    ]

    told = run(project, "-m", "pytest", "-q", "-n0", "-k", wanted, *(f"tests/{file}" for file in files))

    assert " passed" in told


@pytest.mark.long
def test_common_laws_hold_the_new_test(project: Path) -> None:
    """Among them the exchange, the alternatives, identical classifiers, batches and p-values above 0."""
    own = "tests/paired/test_normal_sign.py"

    told = run(project, "-m", "pytest", "-v", "-n0", "-k", "normal_sign", "tests/test_common.py", own)

    tried = set(re.findall(r"::(\w+)(?:\[.*\])? PASSED", told))
    assert {
        *("test_swapping_x_and_y_mirrors_the_result", "test_one_sided_pvalues_point_the_right_way"),
        *("test_identical_classifiers_give_p_one_and_a_reason", "test_batch_equals_the_loop_over_its_members"),
        *("test_no_pvalue_is_zero", "test_statistic_counted_by_hand"),
    } <= tried


@pytest.mark.long
def test_tables_words_and_simulations_see_the_new_test(project: Path) -> None:
    """Its row of invariants, its sentence, its inputs for R, its settings, and its row on the landing page."""
    script = """
import random, runpy, sys
import evalstats
from evalstats import report
from evalstats.parity.fuzz import find_generator
invariants = runpy.run_path("docs/figures/invariants.py")
sys.path.insert(0, "scripts")
simulated = runpy.run_path("scripts/simulate_error_rates.py")["settings"]()
page = invariants["page"](invariants["invariants"]())
print([line[:20] for line in page.splitlines() if line.startswith("| `normal_sign_test`")])
print(report.sentence(evalstats.normal_sign_test([7, 8, 9, 8], [6, 7, 7, 7])))
print(sorted(find_generator("paired/normal_sign/normal_sign_test")(random.Random(1))))
print(sum(one.subject == "normal_sign_test" for one in simulated))
print("| [`normal_sign_test`](normal_sign.md) | " in open("docs/reference/paired/index.md").read())
"""

    assert run(project, "-W", "ignore", "-c", script).splitlines() == [
        "['| `normal_sign_test`']",
        "Normal sign test: x is larger in 4 pairs, smaller in 0, p = 0.0455 (normal approximation).",
        "['alternative', 'x', 'y']",
        "20",
        "True",
    ]
