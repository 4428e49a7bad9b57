"""What the theme leaves without a name, or under a role that does not fit, told as screen readers need it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MENDED = {
    '<summary><span class="toctree-toggle"': '<summary aria-label="Pages below this one"><span class="toctree-toggle"',
    '<div role="list" class="citation-list">': '<div class="citation-list">',
    ' role="doc-biblioentry"': "",
}


def mend(app: Sphinx, error: Exception | None) -> None:
    """Mend the pages when all are written."""
    if error or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        mended = page
        for written, told in MENDED.items():
            mended = mended.replace(written, told)
        if mended != page:
            path.write_text(mended, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect."""
    app.connect("build-finished", mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
