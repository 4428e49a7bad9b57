"""Cells of a Markdown table."""

from __future__ import annotations

__all__ = ["grid_of_markdown"]

import itertools
import re
from collections.abc import Iterable

from evalstats.io.sources.grid import Around, Grid
from evalstats.io.sources.numbers import plain_name, written_in
from evalstats.io.sources.table_region import one_table, titles_of
from evalstats.tables.errors import TableError

# of Markdown, and of tables that databases, tabulate and Emacs draw with + and =
_RULE = re.compile(r"\s*[|+]?\s*:?[-=]+:?\s*(?:[|+]\s*:?[-=]+:?\s*)*[|+]?\s*")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!~|<>])")
_CAPTION = re.compile(r"(?:Table|Tab\.|Caption)\b", re.IGNORECASE)
_MOST_ABOVE = 6  # lines of a paragraph, and a heading
_BAR = re.compile(r"(?<!\\)\|")


def grid_of_markdown(
    name: str, lines: Iterable[tuple[int, str]], rows: str | None = None, header_rows: int | None = None
) -> Grid:
    """Return the cells of the only table in a Markdown text."""
    found: list[list[tuple[int, list[str]]]] = []
    around: list[list[Around]] = []
    above: list[str] = []
    inside, below_header = False, 0
    for (number, line), (_, below) in itertools.pairwise(itertools.chain(lines, [(0, "")])):
        if not inside and "|" in line and "|" in below + line and _RULE.fullmatch(below):
            found.append([(number, _cells(line))])
            around.append(titles_of(above[-_MOST_ABOVE:]))
            inside, below_header = True, number + 1
        elif inside and ("|" in line or _RULE.fullmatch(line)):
            # a row of labels such as "-" or "---" looks like a rule, but only one below the header is certain
            if number != below_header and not ("+" in line and _RULE.fullmatch(line)):
                found[-1].append((number, _row(name, number, line, found[-1][0][1])))
        else:
            inside = False
            text = plain_name(line.strip("#>*_ \t\r\n"))
            above.append(text)
            if text and around and (text.startswith(":") or _CAPTION.match(text)) and not any(above[:-1]):
                around[-1].append(Around("caption", text.lstrip(": "), "the caption"))
        above = [] if inside else above
    return one_table(name, found, "Markdown", header_rows=header_rows, around=around)


def _row(name: str, number: int, line: str, header: list[str]) -> list[str]:
    """Return the cells of a row; raise an error if it has more cells than the header."""
    cells = _cells(line)
    if any(cells[len(header) :]):
        problem = f"{name}, line {number} has {len(cells)} cells, but the header has {len(header)}"
        raise TableError(f"{problem}; write a bar within a cell as \\|")
    return cells


def _cells(line: str) -> list[str]:
    """Split a row at bars; a bar after a backslash is an ordinary character."""
    text = line.strip()
    text = text.removeprefix("|")
    if text.endswith("|") and not text.endswith("\\|"):
        text = text[:-1]
    return [_cell(cell.replace("\\|", "|").strip()) for cell in _BAR.split(text)]


def _cell(text: str) -> str:
    """Remove emphasis and backslashes from a name; decorated numbers stay unchanged."""
    if any(map(str.isdigit, text)) and written_in(text, ".") is not None:
        return text
    return _ESCAPE.sub(r"\1", plain_name(text))
