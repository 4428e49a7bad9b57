"""docs/references.bib contains each source that a docstring or a page cites, with the same title."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from source_trees import source_tree

from evalstats import report

ROOT = Path(__file__).parents[1]
BIBLIOGRAPHY = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
ENTRY = re.compile(r"^@\w+\{(\S+),\n(.*?)\n\}$", re.DOTALL | re.MULTILINE)
YEAR = re.compile(r"\((\d{4})\)[.,:]?\s*")
# the authors at the end of the text between two years, if a paragraph contains several sources
LAST_AUTHORS = re.compile(r".*[.\d)]\s+(?=[A-Z][\w-]+(?: [A-Z][\w-]+)?(?:,? (?:[A-Z]\.|& |and )|$))")
INITIALS = re.compile(r"^(?:[A-Z]\.[ -]?)+")
OF_DOCSTRING = re.compile(r"\nReferences\n-+\n(.*?)(?=\n\w[^\n]*\n-{3,}\n|\Z)", re.DOTALL)
OF_PAGE = re.compile(r"\n#+ References?\n(.*?)(?=\n#+ |\n</details>|\n```|\Z)", re.DOTALL)
PLACE = re.compile(r"section|table|figure", re.IGNORECASE)


def plain(text: str) -> str:
    """Return the letters and digits of a text, in lower case, without accents and LaTeX commands."""
    text = re.sub(r"\\[vcuHk]\{|\\[`'\"^~=.]", "", text.replace(r"$\times$", "x").replace(r"\i", "i"))
    letters = unicodedata.normalize("NFKD", text)
    return re.sub(r"[^a-z0-9]", "", letters.casefold())


def entries(text: str) -> dict[str, dict[str, str]]:
    """Return the fields of each entry of a BibTeX file by its key."""
    return {key: dict(re.findall(r"^  (\w+) = \{(.*)\},?$", body, re.MULTILINE)) for key, body in ENTRY.findall(text)}


def first_author(names: str) -> str:
    """Return the surname of the first author, given as ``A. Surname`` or as ``Surname, A.``."""
    first = re.split(r" & | and |,", INITIALS.sub("", names.strip()))[0]
    return plain(first.removesuffix("et al."))


def sources(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the first author, the year, and the text that begins with the title, for each source of a paragraph."""
    years = list(YEAR.finditer(text))
    for i, year in enumerate(years):
        before = text[years[i - 1].end() if i else 0 : year.start()].strip()
        after = text[year.end() : years[i + 1].start() if i + 1 < len(years) else None]
        yield first_author(LAST_AUTHORS.sub("", before) if i else before), year[1], after


def cited() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each paragraph of references of the docstrings and pages."""
    for path in sorted((ROOT / "evalstats").rglob("*.py")):
        for node in ast.walk(source_tree(path)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                for part in OF_DOCSTRING.findall(ast.get_docstring(node) or ""):
                    yield from ((path.name, text) for text in paragraphs(part))
    for path in sorted((ROOT / "docs").rglob("*.md")):
        page = path.read_text(encoding="utf-8")
        for part in OF_PAGE.findall(page):
            yield from ((path.name, text) for text in paragraphs(part))


def paragraphs(part: str) -> Iterator[str]:
    for text in re.split(r"\n\s*\n|\n(?=- |\.\. \[)", part):
        joined = " ".join(text.split()).replace("*", "")
        yield re.sub(r"^(?:- |\.\. \[\d+\] )", "", joined)


def test_each_cited_source_is_in_the_bibliography_with_its_title() -> None:
    known: dict[tuple[str, str], list[str]] = {}
    for entry in entries(BIBLIOGRAPHY).values():
        author = first_author(entry["author"].strip("{}"))
        # a citation may leave out the subtitle
        known.setdefault((author, entry["year"]), []).append(plain(entry["title"].partition(":")[0]))

    missing = [
        f"{place}: {author} ({year}), {text[:60]}"
        for place, paragraph in cited()
        for author, year, text in sources(paragraph)
        if not any(plain(text).startswith(title) or PLACE.match(text) for title in known.get((author, year), []))
    ]

    assert missing == []


def test_entries_are_in_alphabetical_order_and_occur_once() -> None:
    keys = [key for key, _ in ENTRY.findall(BIBLIOGRAPHY)]

    assert keys == sorted(set(keys))
    assert len(keys) == BIBLIOGRAPHY.count("\n@") + 1


def test_sources_of_reports_have_the_same_key_and_title() -> None:
    of_reports, of_pages = entries(report.bibliography()), entries(BIBLIOGRAPHY)

    assert {key: entry["title"] for key, entry in of_reports.items()} == {
        key: of_pages.get(key, {}).get("title") for key in of_reports
    }


def test_citation_keys_of_the_guide_are_in_the_bibliography() -> None:
    pages = sorted((ROOT / "docs" / "guide").glob("*.md"))
    lines = [line for page in pages for line in re.findall(r"^Citation keys?: (.*)$", page.read_text("utf-8"), re.M)]
    keys = {key for line in lines for key in re.findall(r"`(\w+)`", line)}

    assert len(lines) >= 10
    assert keys - set(entries(BIBLIOGRAPHY)) == set()
