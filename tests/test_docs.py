"""The docs hang together: every link leads somewhere, every page is reached from the index."""

from __future__ import annotations

import re
import runpy
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *(ROOT / "r_reference").glob("*.md")])
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def targets(page: Path) -> list[Path]:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link.partition("#")[0] for link in LINK.findall(text) if not link.startswith(("http", "mailto:", "#"))]
    return [(page.parent / link).resolve() for link in links if link]


def test_every_link_leads_somewhere() -> None:
    missing = [f"{page.relative_to(ROOT)}: {t}" for page in PAGES for t in targets(page) if not t.exists()]

    assert missing == []


def test_every_page_is_reached_from_the_index() -> None:
    reached, waiting = set(), [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            waiting += targets(page)

    assert set((ROOT / "docs").rglob("*.md")) - reached == set()


def test_every_page_stands_in_a_table_of_contents() -> None:
    """The site is read by its navigation: ``<!-- contents -->`` in some page marks the link to every other page."""
    docs = ROOT / "docs"
    pages_below = runpy.run_path(str(docs / "site_extensions" / "plain_markdown.py"))["pages_below"]
    reached, waiting = set(), [docs / "index.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            below = pages_below(PurePosixPath(page.relative_to(docs).parent), page.read_text(encoding="utf-8"))
            waiting += [path.resolve() for link in below for path in page.parent.glob(f"{link}.md")]

    assert sorted(str(page.relative_to(docs)) for page in set(docs.rglob("*.md")) - reached) == []
