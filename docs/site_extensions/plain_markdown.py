"""Pages stay plain Markdown that reads well on a code host; what Sphinx must know besides is found here.

- The links between ``<!-- contents -->`` and ``<!-- end of contents -->`` are the pages below a page.
  ``<!-- contents: *.md -->`` stands for the pages of a pattern.
- A link to a script, alone in its paragraph, is followed by the script.
- A picture with links in it becomes part of its page, so that they can be followed.
- Links to README, CONTRIBUTING and CHANGELOG, which stand outside of this folder, lead to pages of the site; links to
  other texts outside lead to copies of them.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parents[1]
LINK = re.compile(r"\]\(([^)\s#]+\.md)\)")
MARKED = re.compile(r"<!-- contents -->(.*?)<!-- end of contents -->", re.DOTALL)
PATTERN = re.compile(r"<!-- contents: (\S+) -->")
SCRIPT = re.compile(r"^\[[^\]]*\]\(([^)\s]+\.py)\)$", re.MULTILINE)
OUTSIDE = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)\s]+\.md)\)")
PAGES = {"../README.md": "index.md", "../CONTRIBUTING.md": "contributing.md", "../CHANGELOG.md": "changelog.md"}
PICTURE = re.compile(r"^!\[[^\]]*\]\(([^)\s]+\.svg)\)$", re.MULTILINE)
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)

TOCTREE = "\n```{{toctree}}\n:hidden:\n:glob:\n\n{}\n```\n"


def pages_below(folder: PurePosixPath, text: str) -> list[str]:
    """Return the pages and patterns that a page of a folder marks as its contents, as they are seen from there."""
    links = [link for part in MARKED.findall(text) for link in LINK.findall(part)] + PATTERN.findall(text)
    here = [link for link in links if not normpath((folder / link).as_posix()).startswith("..")]
    return list(dict.fromkeys(link.removesuffix(".md") for link in here))


def link(words: str, target: str, folder: PurePosixPath) -> str:
    """Return a link from a folder as Sphinx follows it."""
    path = normpath((folder / target).as_posix())
    if path in PAGES:
        return f"[{words}]({relpath(PAGES[path], folder)})"
    return f"{{download}}`{words} <{target}>`" if path.startswith("..") else f"[{words}]({target})"


def picture(shown: re.Match[str], folder: PurePosixPath) -> str:
    """Return a picture that stands on a page of a folder, itself where it has links."""
    path = PurePosixPath(normpath((folder / shown[1]).as_posix()))
    text = (DOCS / path).read_text(encoding="utf-8")
    if "<a href=" not in text:
        return shown[0]

    def page(link: re.Match[str]) -> str:
        return f'href="{relpath(normpath((path.parent / link[1]).as_posix()), folder)}.html"'

    drawn = re.sub(r'href="([^"]+)\.md"', page, text)
    return f'```{{raw}} html\n<div class="picture-with-links">{drawn}</div>\n```'


def for_sphinx(docname: str, text: str) -> str:
    """Return a page as Sphinx reads it."""
    folder = PurePosixPath(docname).parent
    below = "\n".join(pages_below(folder, text))

    def translated(part: str) -> str:
        if FENCED.fullmatch(part):
            return part
        part = PICTURE.sub(lambda m: picture(m, folder), part)
        part = OUTSIDE.sub(lambda m: link(m[1], m[2], folder), part)
        return SCRIPT.sub(lambda m: f"```{{literalinclude}} {m[1]}\n:language: python\n```", part)

    body = "".join(translated(part) for part in FENCED.split(text))
    return body + TOCTREE.format(below) * bool(below)


def read(app: Sphinx, docname: str, source: list[str]) -> None:
    """Translate a page when it is read."""
    if Path(app.env.doc2path(docname)).suffix == ".md":
        source[0] = for_sphinx(docname, source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect."""
    app.connect("source-read", read, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
