"""Cells of a table in an HTML page."""

from __future__ import annotations

__all__ = ["grid_of_html"]

from collections.abc import Iterable
from html.parser import HTMLParser

from evalstats.io.sources.console_output import refuse_program_text
from evalstats.io.sources.grid import Around, Grid
from evalstats.io.sources.table_region import one_table

_LARGEST_SPAN = 500
_LOOKED_AT = 200  # number of first lines that are checked for console output
_MOST_ABOVE = 2  # a heading, and a paragraph
_WORDS = {
    "caption": ("caption", "the caption"),
    "figcaption": ("caption", "the caption"),
    "p": ("paragraph", "the paragraph above the table"),
    **{f"h{n}": ("title", "the heading above the table") for n in range(1, 7)},
}


def grid_of_html(
    name: str, lines: Iterable[tuple[int, str]], rows: str | None = None, header_rows: int | None = None
) -> Grid:
    """Return the cells of the only table in an HTML page."""
    parser = _Tables()
    lines = list(lines)
    refuse_program_text(lines[:_LOOKED_AT], name)
    first = None
    for number, line in lines:
        first = number if first is None else first
        parser.feed(line)
    parser.close()
    parser.end_row()
    tables = [_filled_down(table) for table in parser.tables]
    numbered = [[(n + (first or 1) - 1, row) for n, row in table] for table in tables]
    return one_table(name, numbered, "HTML", header_rows=header_rows, around=parser.around)


class _Tables(HTMLParser):
    """Parser that collects the rows of all tables in a page; nested tables are separate tables."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[tuple[int, list[_Cell]]]] = []
        self._row: list[_Cell] | None = None
        self._line = 0
        self._is_mark = False
        self.around: list[list[Around]] = []
        self._above: list[Around] = []
        self._words, self._of = "", ""  # text of the current heading, paragraph or caption, and its tag

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.end_row()
            self.tables.append([])
            self.around.append(self._above[::-1])
            self._above = []
        elif tag in _WORDS:
            self._words, self._of = "", tag
        elif tag == "tr" and self.tables:
            self.end_row()
            self._row, self._line = [], self.getpos()[0]
        elif tag in ("td", "th") and self._row is not None:
            given = dict(attrs)
            self._row.append(_Cell(_span(given.get("colspan")), _span(given.get("rowspan"))))
        elif tag == "sup":
            self._is_mark = True
        elif tag == "br":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("tr", "table", "thead", "tbody"):
            self.end_row()
        elif tag == "sup":
            self._is_mark = False
        elif tag == self._of:
            self._keep_words()

    def _keep_words(self) -> None:
        kind, where = _WORDS[self._of]
        said = Around(kind, " ".join(self._words.split()), where)
        if said.text and kind == "caption" and self.around:
            self.around[-1].insert(0, said)
        elif said.text:
            self._above = [*self._above, said][-_MOST_ABOVE:]
        self._of = ""

    def handle_data(self, data: str) -> None:
        if self._row and not self._is_mark:
            self._row[-1].text += data
        elif self._of:
            self._words += data

    def end_row(self) -> None:
        """Store the current row, which is complete."""
        if self._row:
            self.tables[-1].append((self._line, self._row))
        self._row = None


class _Cell:
    def __init__(self, columns: int, rows: int) -> None:
        self.text, self.columns, self.rows = "", columns, rows


def _span(value: str | None) -> int:
    is_number = value is not None and value.isascii() and value.isdigit() and len(value) < 4
    return min(max(int(value or 1), 1), _LARGEST_SPAN) if is_number else 1


def _filled_down(rows: list[tuple[int, list[_Cell]]]) -> list[tuple[int, list[str]]]:
    """Return the texts of rows; a cell that spans columns or rows is repeated in each of them."""
    waiting: dict[int, tuple[int, str]] = {}
    filled = []
    for number, cells in rows:
        row: list[str] = []
        below: dict[int, tuple[int, str]] = {}
        queue = list(cells)
        while queue or len(row) in waiting:
            if len(row) in waiting:
                left, text = waiting[len(row)]
                if left > 1:
                    below[len(row)] = left - 1, text
                row.append(text)
                continue
            cell = queue.pop(0)
            text = " ".join(cell.text.split())
            for _ in range(cell.columns):
                if cell.rows > 1:
                    below[len(row)] = cell.rows - 1, text
                row.append(text)
        waiting = below
        filled.append((number, row))
    return filled
