"""The pictures of the documentation are there, and the script that draws them still draws the same."""

from __future__ import annotations

import re
import runpy
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

FIGURES = Path(__file__).parents[1] / "docs" / "figures"
PAGES = Path(__file__).parents[1] / "docs" / "reference" / "plot"


@pytest.fixture(scope="module")
def script() -> dict:
    return runpy.run_path(str(FIGURES / "plots.py"))


@pytest.fixture(scope="module")
def drawn(script: dict, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("figures")
    script["draw"](folder)
    return folder


def structure(path: Path) -> tuple[list[str], Counter[str]]:
    """Texts in their order, and how many elements of each kind there are; not where they are."""
    elements = list(ET.parse(path).getroot().iter())
    texts = [e.text for e in elements if e.tag.endswith("}text") and e.text]
    return texts, Counter(e.tag for e in elements if e.tag.endswith(("}path", "}use", "}text")))


def test_pictures_regenerate_equal_in_structure(script: dict, drawn: Path) -> None:
    for name in script["PICTURES"]:
        assert structure(drawn / f"plot-{name}.svg") == structure(FIGURES / f"plot-{name}.svg"), name


def test_same_numbers_give_the_same_file(script: dict, drawn: Path, tmp_path: Path) -> None:
    script["draw"](tmp_path)

    for name in script["PICTURES"]:
        assert (tmp_path / f"plot-{name}.svg").read_bytes() == (drawn / f"plot-{name}.svg").read_bytes(), name


def test_every_picture_stands_on_a_page(script: dict) -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in PAGES.glob("*.md"))

    assert set(re.findall(r"figures/plot-([a-z-]+)\.svg", pages)) == set(script["PICTURES"])
    assert {path.stem.removeprefix("plot-") for path in FIGURES.glob("plot-*.svg")} == set(script["PICTURES"])
