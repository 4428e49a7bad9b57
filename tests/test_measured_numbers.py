"""The numbers on the pages are those of the result files."""

from __future__ import annotations

import inspect
import re
import runpy
from pathlib import Path

import pytest
from public_names import public_functions

ROOT = Path(__file__).parents[1]
# a measured number: a sentence with a time, an amount of memory or a ratio, and a word for speed
SIZE = re.compile(
    r"(?<![\w.])\d[\d,.]*\s?"
    r"(?:x(?! \d)\b|times (?:as fast|faster|as long|slower|less)|[mµn]s\b|[MG]B\b|s\b(?=[ .,;):|])"
    r"|seconds?\b|minutes?\b|hours?\b)"
)
SPEED = re.compile(r"\b(?:takes?|took|faster|as fast|slower|times as long)\b")
# pages that are themselves the result of a program, with its command, versions and date
RESULTS = ("benchmarks.md", "comparison-with-r.md", "randomized-comparison-with-r.md", "other-packages")


@pytest.fixture(scope="module")
def figure() -> dict:
    return runpy.run_path(str(ROOT / "docs" / "figures" / "measured_numbers.py"))


def test_pages_hold_the_numbers_of_the_result_files(figure: dict) -> None:
    pages = figure["pages"]()

    assert {"README.md", "how-do-we-know.md"} <= {path.name for path in pages}
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert figure["filled"](text) == text, f"run python docs/figures/measured_numbers.py: {path.name} is old"


def test_every_mark_is_closed(figure: dict) -> None:
    for path in figure["pages"]():
        text = path.read_text(encoding="utf-8")
        assert text.count("<!-- n: ") == len(figure["MARK"].findall(text)) == text.count("<!-- / -->")


def test_unknown_name_is_an_error(figure: dict) -> None:
    with pytest.raises(KeyError, match=r"no\.such"):
        figure["filled"]("<!-- n: no.such -->1<!-- / -->")


def test_summary_for_referees_is_short() -> None:
    page = (ROOT / "docs" / "how-do-we-know.md").read_text(encoding="utf-8")

    assert len(page.splitlines()) <= 150
    assert re.search(r"^## What is not known$", page, re.MULTILINE)


def sentences(text: str) -> list[str]:
    """Return the sentences of a page outside code, marks and generated tables; a row of a table is a sentence."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    text = re.sub(r"<!-- ([\w-]+): begin -->.*?<!-- \1: end -->", "", text, flags=re.DOTALL)
    text = re.sub(r"<!-- n: .*?<!-- / -->", "", text)
    # limits in the code, not measurements
    text = re.sub(r"takes\s+(?:about\s+[\d.]+\s+s\s+or\s+less|at\s+most\s+about\s+[\d.]+\s+s)", "", text)
    parts = re.split(r"\n\n|\n(?=[-|])", text)
    return [one for part in parts for one in re.split(r"(?<=[.;:]) ", " ".join(part.split()))]


def test_no_time_or_ratio_is_typed() -> None:
    """Times and ratios are on the page of benchmarks, or between the marks of a result file."""
    pages = [ROOT / "README.md", ROOT / "paper" / "paper.md", *(ROOT / "docs").rglob("*.md")]
    texts = {str(page): page.read_text(encoding="utf-8") for page in pages if not set(RESULTS) & set(page.parts)}
    texts |= {name: inspect.getdoc(function) or "" for name, function in public_functions().items()}

    typed = [
        (name, one) for name, text in texts.items() for one in sentences(text) if SIZE.search(one) and SPEED.search(one)
    ]

    assert typed == []


def test_typed_time_is_found() -> None:
    page = "It is quick. The test takes 3 ms.\n\n```\nit took 4 s\n```\n\n<!-- n: a.b -->It takes 5 s<!-- / --> now."

    assert [one for one in sentences(page) if SIZE.search(one) and SPEED.search(one)] == ["The test takes 3 ms."]
