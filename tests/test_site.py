"""The site builds without a warning, and holds what people look for."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from inspect import ismodule
from pathlib import Path
from threading import Thread

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

import evalstats

ROOT = Path(__file__).parents[1]
LARGEST_PAGE = 300_000  # bytes, without pictures


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as ``tox -e docs`` does: a warning is an error, and notebooks run."""
    folder = tmp_path_factory.mktemp("site")
    command = ["sphinx", "--quiet", "--jobs", "2", "--fail-on-warning", "--keep-going", "docs", str(folder)]
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    # a page that cannot be written ends one of two processes without a word
    written = {path.relative_to(folder).with_suffix("") for path in folder.rglob("*.html")}
    assert {
        path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")
    } - written == set()
    return folder


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_public_name_stands_in_full_on_one_page(site: Path) -> None:
    packed = (
        (site / "objects.inv").read_bytes().split(b"\n", maxsplit=4)[4]
    )  # four lines of comment, then the inventory
    entries = zlib.decompress(packed).decode("utf-8").splitlines()
    names = {entry.split()[0] for entry in entries if " py:" in entry}
    subpackages = {name: getattr(evalstats, name) for name in evalstats.__all__ if ismodule(getattr(evalstats, name))}
    shown = {name for name in evalstats.__all__ if name not in subpackages and name != "__version__"}
    below = {
        (subpackage, name)
        for subpackage, module in subpackages.items()
        for name in module.__all__
        if name not in evalstats.__all__
    }

    assert {f"evalstats.{name}" for name in shown} - names == set()
    assert {f"evalstats.{subpackage}.{name}" for subpackage, name in below} - names == set()


def test_pages_are_small(site: Path) -> None:
    sizes = {str(page.relative_to(site)): page.stat().st_size for page in pages(site)}

    assert {name: size for name, size in sizes.items() if size > LARGEST_PAGE} == {}


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    """The site works without a network: scripts, styles, fonts and pictures are in it."""
    outside = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"(?:https?:)?//[^\"]*\"")

    found = {match for page in pages(site) for match in outside.findall(page.read_text(encoding="utf-8"))}

    assert found == set()


def test_text_for_programs_lists_every_page(site: Path) -> None:
    listed = set(re.findall(r"\]\(([^)]+\.html)\)", (site / "llms.txt").read_text(encoding="utf-8")))
    sources = {str(path.relative_to(ROOT / "docs").with_suffix(".html")) for path in (ROOT / "docs").rglob("*.md")}

    assert sources - {"index.html"} == listed


def test_screen_readers_find_a_name_for_what_opens_and_no_role_without_its_parts(site: Path) -> None:
    found = {
        (str(page.relative_to(site)), text)
        for page in pages(site)
        for text in ('<summary><span class="toctree-toggle"', "doc-biblioentry", 'role="list" class="citation-list"')
        if text in page.read_text(encoding="utf-8")
    }

    assert found == set()


def test_versions_are_the_headings_of_the_changelog() -> None:
    """The newest version is first, and a heading of an area is not a version."""
    extension = runpy.run_path(str(ROOT / "docs" / "site_extensions" / "version_switch.py"))

    assert extension["versions"]("# Changelog\n\n## 1.1.0\n\n### Added\n\n## 1.0.0 (2026-12-01)\n") == [
        {"version": "1.1.0", "url": "1.1.0/"},
        {"version": "1.0.0", "url": "1.0.0/"},
    ]


@pytest.fixture
def published(site: Path, tmp_path: Path) -> Iterator[str]:
    """Serve two versions of the site; the newer version has one page less."""
    newer = tmp_path / "9.9.9"
    newer.mkdir()
    for entry in site.iterdir():
        if entry.name != "quickstart.html":
            (newer / entry.name).symlink_to(entry)
    (tmp_path / evalstats.__version__).symlink_to(site)
    versions = [{"version": "9.9.9", "url": "9.9.9/"}, *json.loads((site / "switcher.json").read_text("utf-8"))]
    (tmp_path / "switcher.json").write_text(json.dumps(versions), encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(tmp_path))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(("page", "shown"), [("glossary.html", "glossary.html"), ("quickstart.html", "")])
def test_version_switch_opens_the_same_page_or_the_home(
    published: str, chromium: webdriver.Chrome, screen: Callable[[int, bool], None], page: str, shown: str
) -> None:
    screen(1280, False)
    chromium.get(f"{published}/{evalstats.__version__}/{page}")
    switch = Select(chromium.find_element(By.CSS_SELECTOR, ".bd-header .version-switch select"))
    WebDriverWait(chromium, 20).until(lambda _: len(switch.options) == 2)

    switch.select_by_value("9.9.9")
    WebDriverWait(chromium, 20).until(lambda browser: "/9.9.9/" in browser.current_url)

    assert chromium.current_url == f"{published}/9.9.9/{shown}"


# a page of each kind
KINDS = (
    *("index", "quickstart", "how-to/a_published_table", "concepts/ranks", "which-test", "glossary", "search"),
    *(
        "gallery/index",
        "gallery/latex_report",
        "teaching/two-seeds",
        "reference/index",
        "reference/paired/sign",
        "validation",
    ),
)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_nothing_keeps_anybody_from_reading_a_page(
    site: Path,
    width: int,
    dark: bool,
    chromium: webdriver.Chrome,
    screen: Callable[[int, bool], None],
    serious: Callable[[], list[str]],
) -> None:
    screen(width, dark)

    found = {}
    for name in KINDS:
        chromium.get((site / f"{name}.html").as_uri())
        found[name] = serious()

    assert {name: problems for name, problems in found.items() if problems} == {}


def test_every_page_is_three_clicks_away(site: Path) -> None:
    """By the links of the text of a page; the navigation beside it and the search lead there too."""
    home = site / "index.html"
    reached, last = {home}, {home}
    for _ in range(3):
        last = {page for one in last for page in linked(one)} - reached
        reached |= last

    assert {str(page.relative_to(site)) for page in pages(site) if is_text(page)} == {
        str(page.relative_to(site)) for page in reached if is_text(page)
    }


def linked(page: Path) -> set[Path]:
    """Return the pages to which the text of a page links."""
    text = page.read_text(encoding="utf-8")
    article = text[text.index("<article") : text.rindex("</article>")] if "<article" in text else ""
    links = {link.partition("#")[0] for link in re.findall(r'href="([^":]+\.html[^":]*)"', article)}
    return {path for link in links if (path := (page.parent / link).resolve()).is_file()}


def is_text(page: Path) -> bool:
    """Tell whether a page was written, and is not a report or index that the site adds."""
    return "_static" not in page.parts and page.stem not in ("genindex", "search", "py-modindex", "report")
