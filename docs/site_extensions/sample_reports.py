"""Reports to look at, made when the site is built: the page docs/gallery/reports.md leads to them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import evalstats
from evalstats import report

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAGE = "gallery/reports"
MARK = "<!-- the files -->"
FILES = {
    "report.html": report.html,
    "report.tex": lambda comparison: report.latex(comparison, standalone=True),
    "report.md": report.markdown,
    "report.txt": report.text,
    "report.json": report.json,
    "check.R": report.r_script,
}


def link(app: Sphinx, docname: str, source: list[str]) -> None:
    """Write the links to the files where their page says so."""
    if docname == PAGE:
        links = "".join(f'<li><a href="{name}">{name}</a></li>' for name in FILES)
        source[0] = source[0].replace(MARK, f"```{{raw}} html\n<ul>{links}</ul>\n```")


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the files beside their page."""
    if error or app.builder.format != "html":
        return
    comparison = evalstats.compare(evalstats.example_path("japkowicz-accuracy"), metric="accuracy")
    for name, made in FILES.items():
        (Path(app.outdir) / PAGE).with_name(name).write_text(made(comparison), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect."""
    app.connect("source-read", link, priority=300)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
