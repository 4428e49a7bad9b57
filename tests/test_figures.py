"""The pictures of the documentation are there, and the script that draws them still draws the same."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

FIGURES = Path(__file__).parents[1] / "docs" / "figures"
PAGES = {
    "plot": FIGURES.parent / "reference" / "plot",
    "concept": FIGURES.parent / "concepts",
    "gallery": FIGURES.parent / "gallery",
}
SCRIPTS = {"plot": "plots.py", "concept": "concepts.py", "gallery": "gallery.py"}


@pytest.fixture(scope="module", params=PAGES)
def kind(request: pytest.FixtureRequest) -> str:
    """Return what the names of some pictures begin with."""
    return request.param


@pytest.fixture(scope="module")
def script(kind: str) -> dict:
    return runpy.run_path(str(FIGURES / SCRIPTS[kind]))


@pytest.fixture(scope="module")
def drawn(script: dict, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("figures")
    script["draw"](folder)
    return folder


def structure(path: Path) -> tuple[list[str], Counter[str]]:
    """Words in their order, and how many elements of each kind there are; not where they are.

    Versions of Matplotlib measure texts differently, so a line may end one word earlier.
    """
    elements = list(ET.parse(path).getroot().iter())
    words = [word for e in elements if e.tag.endswith("}text") and e.text for word in e.text.split()]
    return words, Counter(e.tag for e in elements if e.tag.endswith(("}path", "}use")))


@pytest.mark.long
def test_pictures_regenerate_equal_in_structure(kind: str, script: dict, drawn: Path) -> None:
    for name in script["PICTURES"]:
        assert structure(drawn / f"{kind}-{name}.svg") == structure(FIGURES / f"{kind}-{name}.svg"), name


@pytest.mark.long
def test_same_numbers_give_the_same_file(kind: str, script: dict, drawn: Path, tmp_path: Path) -> None:
    script["draw"](tmp_path)

    for name in script["PICTURES"]:
        assert (tmp_path / f"{kind}-{name}.svg").read_bytes() == (drawn / f"{kind}-{name}.svg").read_bytes(), name


def test_every_picture_stands_on_a_page(kind: str, script: dict) -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in PAGES[kind].glob("*.md"))

    assert set(re.findall(rf"figures/{kind}-([a-z-]+)\.svg", pages)) == set(script["PICTURES"])
    assert {path.stem.removeprefix(f"{kind}-") for path in FIGURES.glob(f"{kind}-*.svg")} == set(script["PICTURES"])


def has_tex() -> bool:
    styles = ["kpsewhich", "lmodern.sty", "siunitx.sty", "tikz.sty"]
    return bool(shutil.which("pdflatex")) and subprocess.run(styles, capture_output=True, check=False).returncode == 0


@pytest.mark.long
@pytest.mark.skipif(not has_tex(), reason="pdflatex, lmodern, siunitx or tikz is not installed")
def test_report_for_print_is_typeset_by_its_script(tmp_path: Path) -> None:
    """Every citation and reference is found; what the script prints is a PDF."""
    script = runpy.run_path(str(FIGURES / SCRIPTS["gallery"]))

    printed = script["typeset"](tmp_path)

    assert printed.startswith(b"%PDF")
    assert "undefined" not in (tmp_path / "report.log").read_text(encoding="latin-1")


def test_report_for_print_is_shown_with_its_page_and_script() -> None:
    page = (PAGES["gallery"] / "latex_report.md").read_text(encoding="utf-8")

    linked = re.findall(r"\]\(([^)]*latex[^)]*|report\.pdf)\)", page)
    assert len(linked) == 3
    assert all((PAGES["gallery"] / path).is_file() for path in linked)
