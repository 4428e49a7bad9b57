"""Write switcher.json: the versions that the version switch of each page offers, the newest first.

Each version of the site is in a folder with its number. The pages read the list in the folder above, which is a copy of
the list of the newest version, so an old site also offers newer versions.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HEADING = re.compile(r"^## (\d+\.\d+\.\d+)\b", re.MULTILINE)


def versions(changelog: str) -> list[dict[str, str]]:
    """Return the number and the folder of each version that has a heading in the changelog."""
    return [{"version": number, "url": f"{number}/"} for number in HEADING.findall(changelog)]


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the list next to the pages."""
    if error or app.builder.format != "html":
        return
    changelog = (Path(app.srcdir).parent / "CHANGELOG.md").read_text(encoding="utf-8")
    (Path(app.outdir) / "switcher.json").write_text(json.dumps(versions(changelog), indent=2) + "\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
