"""Write the index of the file formats and their lists in the documentation, from their declarations.

python scripts/format_index.py

Run the script after you add or change a format. A test fails if the index is out of date.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from generated_tables import filled

import evalstats.io.formats
from evalstats.io.formats.format import Format

PACKAGE = Path(evalstats.io.formats.__file__).parent
INDEX = PACKAGE / "index.json"
PAGES = Path(__file__).parents[1] / "docs" / "reference" / "tables"
OF_PAGES = {"experiments": PAGES / "formats.md", "logs": PAGES / "evaluation_formats.md"}


def declared() -> list[tuple[str, Format]]:
    """Return each format with its module below `evalstats.io.formats`, sorted by name."""
    modules = [f"{path.parent.name}.{path.stem}" for path in PACKAGE.glob("*/[!_]*.py")]
    found = [(module, one) for module in modules for one in import_module(f"evalstats.io.formats.{module}").FORMATS]
    return sorted(found, key=lambda pair: pair[1].name)


def index() -> str:
    """Return the index, with a line for each format."""
    rows = [json.dumps(_entry(module, one), ensure_ascii=False) for module, one in declared()]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def _entry(module: str, one: Format) -> dict[str, Any]:
    return {
        "name": one.name,
        "module": module,
        "recognises": [[sign.of, sign.names, sign.without] for sign in one.recognises],
        "each_file": one.each_file,
        "takes": one.takes,
    }


def table(folder: str) -> str:
    """Return the table of the formats of a folder for a page of the documentation."""
    rows = ["| format | program and kind of results | what is read |", "| --- | --- | --- |"]
    rows += [
        f"| `{one.name}` | {one.title} | {one.description} |"
        for module, one in declared()
        if module.startswith(f"{folder}.")
    ]
    return "\n".join(rows)


def pages() -> dict[Path, str]:
    """Return the pages with their tables."""
    return {
        path: filled(path.read_text(encoding="utf-8"), {"formats": table(folder)}) for folder, path in OF_PAGES.items()
    }


if __name__ == "__main__":
    INDEX.write_text(index(), encoding="utf-8")
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
