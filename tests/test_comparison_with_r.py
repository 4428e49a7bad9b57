"""The page of parity shows, of every function, a call in both languages, and what publications print."""

from __future__ import annotations

import re
import runpy
import subprocess
from pathlib import Path

import numpy as np
import pytest

import evalstats
import evalstats.distributions.studentized_range
from evalstats.parity.reference_cases import reference_directory

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "comparison-with-r.md").read_text(encoding="utf-8")
CALLS = re.findall(r"^```text\n(.+)\n(.+)\n```$", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def figure() -> dict:
    return runpy.run_path(str(ROOT / "docs" / "figures" / "comparison_with_r.py"))


def test_page_holds_what_comes_out_now(figure: dict) -> None:
    assert "\n".join([*figure["published"](), *figure["calls"]()]) in PAGE


def test_every_printed_number_comes_out_here_and_in_r(figure: dict) -> None:
    rows = [line.strip("| ").split(" | ") for line in figure["published"]() if line.startswith("| ")][2:]

    assert len(rows) == len(figure["PUBLISHED"]) > 20
    for *_, printed, here, in_r in rows:
        assert printed == here == in_r


def test_every_function_that_r_has_is_called_in_both_languages(figure: dict) -> None:
    functions = [name.rpartition("/")[2] for name in figure["functions"]()]

    assert re.findall(r"^### (\w+)$", PAGE, re.MULTILINE) == functions
    assert len(CALLS) == len(functions)


@pytest.mark.filterwarnings("ignore::evalstats.EvalstatsWarning")
@pytest.mark.parametrize("python", [python for python, _ in CALLS], ids=lambda line: line.partition("(")[0])
def test_calls_run_in_python(python: str) -> None:
    words = {"evalstats": evalstats, "numpy": np, "nan": np.nan, "inf": np.inf}

    assert eval(python, words) is not None  # a line of our own page


@pytest.mark.long
@pytest.mark.live
@pytest.mark.usefixtures("r")
def test_calls_run_in_r(tmp_path: Path) -> None:
    script = tmp_path / "calls.R"
    script.write_text("\n".join([*(f"invisible({{{r}}})" for _, r in CALLS), 'cat("all of them")']), encoding="utf-8")

    done = subprocess.run(
        ["Rscript", "--vanilla", str(script)],
        cwd=str(reference_directory()),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "all of them"), done.stderr
