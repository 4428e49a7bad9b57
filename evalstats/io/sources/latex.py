"""Cells of a LaTeX tabular environment."""

from __future__ import annotations

__all__ = ["grid_of_latex", "looks_like_latex"]

import re
from collections.abc import Iterable, Iterator

from evalstats.io.sources.grid import Around, Grid
from evalstats.io.sources.numbers import without_markup, without_thousands, written_in
from evalstats.io.sources.table_region import one_table

_ENVIRONMENT = r"(?:tabular[xy*]?|longtable|tabu|tblr|supertabular|array|NiceTabular)"
_BEGIN, _END = re.compile(rf"\\begin\s*\{{{_ENVIRONMENT}\}}"), re.compile(rf"\\end\s*\{{{_ENVIRONMENT}\}}")
_COMMENT = re.compile(r"(?<!\\)%.*")
_RULE = re.compile(
    r"\\(?:top|mid|bottom|h?dash|specialc?)?(?:rule|line)\b(?:\s*\[[^\]]*\])?|\\addlinespace\b(?:\s*\[[^\]]*\])?"
    r"|\\(?:cline|cmidrule|cdashline|hhline|specialrule|noalign|arrayrulecolor|rowcolor|caption|label|vspace|centering)"
    r"\b\s*(?:\([^)]*\))?(?:\[[^\]]*\])?(?:\s*\([^)]*\))?(?:\s*\{(?:[^{}]|\{[^{}]*\})*\})*"
    r"|\\(?:hline|endhead|endfirsthead|endfoot|endlastfoot|small|footnotesize|scriptsize|centering)\b"
)
_CAPTION = re.compile(r"\\caption\*?\s*(?:\[[^\]]*\])?\s*\{((?:[^{}]|\{[^{}]*\})*)\}", re.DOTALL)
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_SPAN = re.compile(r"\s*\\multicolumn\s*\{\s*(\d{1,3})\s*\}\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*(.*)", re.DOTALL)
_TALL = re.compile(
    r"\s*\\multirow\s*(?:\[[^\]]*\])?\s*\{\s*(-?\d{1,4})\s*\}\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}\s*(.*)", re.DOTALL
)
_STACKED = re.compile(r"\\(?:makecell|shortstack|thead)\s*(?:\[[^\]]*\])?\{([^{}]*)\}")
_ROW_END = re.compile(r"\\\\\*?(?:\s*\[[^\]]*\])?|\\tabularnewline\b")
_CELL_END = re.compile(r"(?<!\\)&")
_BRACED = re.compile(r"\s*\{((?:[^{}]|\{[^{}]*\})*)\}\s*")
_ONLY_ESCAPED = re.compile(r"(?:[^\\${}^~]|\\[$%&#_])*")  # text whose only commands are signs: 5\\%
# what is written in front of a command that needs no table: a document, a table, a row of cells
_STARTS = re.compile(
    r"\s*(?:%|\\(?:begin|documentclass|usepackage|toprule|hline|multicolumn|multirow|text|math|bf|it|em)\b)"
)


def looks_like_latex(line: str) -> bool:
    """Return whether the first line of text may be LaTeX."""
    return bool(_STARTS.match(line)) or bool(_ROW_END.search(line)) or bool(_CELL_END.search(line) and "\\" in line)


def grid_of_latex(
    name: str, lines: Iterable[tuple[int, str]], rows: str | None = None, header_rows: int | None = None
) -> Grid:
    """Return the cells of the only tabular environment in a LaTeX text, or of rows without one."""
    found: list[list[tuple[int, list[str]]]] = []
    lines = list(lines)
    for table in _tables(lines):
        cells = [(number, _cells(row)) for number, row in _rows(table)]
        found.append(_filled_down([(number, own) for number, own in cells if any(cell.strip() for cell in own)]))
    return one_table(
        name,
        [_plain_names(table) for table in found],
        "LaTeX",
        header_rows=header_rows,
        around=[_around(lines)] * len(found),
    )


def _around(lines: Iterable[tuple[int, str]]) -> list[Around]:
    """Return the caption and the label of text; with several tables, return nothing."""
    text = "".join(_COMMENT.sub("", line) for _, line in lines)
    found = []
    for kind, pattern in (("caption", _CAPTION), ("label", _LABEL)):
        if len(said := pattern.findall(text)) == 1:
            plain = without_markup(" ".join(said[0].split()))
            found.append(Around(kind, (said[0] if plain is None else plain).replace("\\%", "%"), f"the {kind}"))
    return found


def _tables(lines: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines of each tabular environment without comments; without such an environment, yield all lines."""
    clean = [(number, _STACKED.sub(_unstacked, _COMMENT.sub("", line))) for number, line in lines]
    begins = [(i, found) for i, (_, line) in enumerate(clean) if (found := _BEGIN.search(line))]
    if not begins:
        yield clean
    for i, found in begins:
        number, line = clean[i]
        yield list(_until_end([(number, _without_columns(line[found.end() :])), *clean[i + 1 :]]))


def _unstacked(found: re.Match[str]) -> str:
    """Join the lines of a stacked cell."""
    return _ROW_END.sub(" ", found[1])


def _until_end(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    for number, line in lines:
        if end := _END.search(line):
            yield number, line[: end.start()]
            return
        yield number, line


def _without_columns(text: str) -> str:
    """Remove the position and the column specification of a tabular: ``[t]{lcc}``."""
    rest = text.lstrip()
    while rest[:1] in ("{", "["):
        depth, end = 0, len(rest)
        for at, character in enumerate(rest):
            depth += (character in "{[") - (character in "}]")
            if not depth:
                end = at + 1
                break
        rest = rest[end:].lstrip()
    return rest


def _rows(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    r"""Yield the rows, which end with ``\\``, with the number of their first line."""
    row, start = "", 0
    for number, line in lines:
        *ended, rest = _ROW_END.split(_RULE.sub(" ", line))
        for part in ended:
            yield (start if row.strip() else number), row + part
            row = ""
        start = start if row.strip() else number
        row += rest if rest.endswith("\n") else rest + "\n"
    if row.strip():
        yield start, row


def _cells(row: str) -> list[str]:
    """Split a row into cells; repeat a cell that spans several columns in each of them."""
    cells: list[str] = []
    for cell in _CELL_END.split(row):
        spans = _SPAN.match(cell)
        cells += [spans[2]] * min(int(spans[1]), 500) if spans else [cell]
    return cells


def _filled_down(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    r"""Copy a cell of ``\multirow`` to the blank cells below that it spans."""
    open_cells: dict[int, tuple[int, str]] = {}
    for _, cells in rows:
        for j, cell in enumerate(cells):
            if tall := _TALL.match(cell):
                cells[j] = tall[2]
                open_cells[j] = int(tall[1]) - 1, tall[2]
            elif j in open_cells:
                left, text = open_cells[j]
                if left > 0 and not cell.strip():
                    cells[j] = text
                open_cells[j] = left - 1, text
    return rows


def _plain_names(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Convert names to plain text; decorated numbers stay unchanged."""
    header = {id(cells) for _, cells in rows[:1]}
    return [
        (
            number,
            [
                _plain(cell) if id(cells) in header or j == 0 or not _is_decorated(cell) else _without_braces(cell)
                for j, cell in enumerate(cells)
            ],
        )
        for number, cells in rows
    ]


def _is_decorated(cell: str) -> bool:
    """Return whether a cell is a decorated number; an escaped sign does not count as decoration."""
    cell = _without_braces(cell)
    if not any(map(str.isdigit, cell)) or ("\\" in cell and _ONLY_ESCAPED.fullmatch(cell)):
        return False
    plain = without_thousands(cell)
    return any(written_in(plain, decimal) is not None for decimal in (".", ","))


def _without_braces(cell: str) -> str:
    """Remove braces around a whole cell, which group it or protect it from siunitx."""
    while braced := _BRACED.fullmatch(cell):
        cell = braced[1]
    return cell.replace("{,}", ",").strip()  # no space after a comma in a formula


def _plain(cell: str) -> str:
    plain = without_markup(" ".join(_without_braces(cell).split()))
    return cell.strip() if plain is None else plain
