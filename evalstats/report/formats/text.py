"""Records as text for a terminal."""

from __future__ import annotations

__all__ = ["text"]

import unicodedata

from evalstats._checks import boolean, count
from evalstats._result import Record
from evalstats.report.blocks import Block, Cite, Column, Document, Figure, Listing, Paragraph, Sentences, Table
from evalstats.report.documents import document
from evalstats.report.formats.text_intervals import draw_figure
from evalstats.report.references import PUBLICATIONS, citation
from evalstats.report.text_width import columns, pad
from evalstats.wording import shorten, unbroken, wrap

_MOST_ROWS = 40
_SHORTEST_NAME = 6
_SHORTEST_PROSE = 24
_SHORTEST_WHOLE = 40  # longer texts are shortened so that no line is too long

_ASCII = {
    "α": "alpha", "ε": "epsilon", "χ": "chi", "²": "2", "−": "-", "–": "-", "·": "*", "√": "sqrt", "∞": "inf",
    "°": "'", "“": '"', "”": '"', "─": "-", "═": "=", "…": "~",
}  # fmt: skip


def text(
    record: Record | Document,
    *,
    width: int = 80,
    ascii: bool = False,  # noqa: A002  the word that users know
    methods: bool = False,
    part: str | None = None,
) -> str:
    """Render a record as plain text for a terminal.

    Parameters
    ----------
    record : Record or Document
        Any result of evalstats, or a document that was made from such a result.
    width : int, default: 80
        Maximum length of a line, in columns. If a table is too wide, it is split into parts, which are printed below
        each other.
    ascii : bool, default: False
        Whether to use only ASCII characters. A question mark replaces each non-ASCII letter of a name.
    methods : bool, default: False
        Whether to add the methods paragraph, if there is one, and the references, as in the formats for a paper.
    part : {'sentence', 'methods', 'scores', 'ranks', 'pairs', 'matrix', 'figure'}, optional
        For a comparison: only this part. In ``'scores'``, the table of datasets x classifiers, ``*`` marks the best
        score of each row, and ``+`` marks the second best.

    Returns
    -------
    str
        The text, which ends with a line break.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> print(report.text(c).splitlines()[0])
    Comparison of 4 classifiers on 14 datasets: AUC, higher is better
    """
    width = count(width, "width", minimum=40)
    ascii_only, methods = boolean(ascii, "ascii"), boolean(methods, "methods")
    page = _Page(width, ascii_only, methods)
    if part is not None:
        from evalstats.report.parts import part_of

        return "\n\n".join(map(page.block, part_of(record, part, max_rows=_MOST_ROWS))) + "\n"
    return page.write(document(record, max_rows=_MOST_ROWS, with_methods=methods))


class _Page:
    def __init__(self, width: int, ascii_only: bool, references: bool) -> None:
        self.width, self.ascii_only, self.references = width, ascii_only, references

    def write(self, report: Document) -> str:
        parts = [self.heading(report.title, "═"), self.paragraph(report.verdict)]
        for section in report.sections:
            parts.append(self.heading(section.heading, "─"))
            parts += [self.block(block) for block in section.blocks]
        if self.references and report.cited:
            parts.append(self.heading("References", "─"))
            parts.append("\n".join(self.hanging(PUBLICATIONS[key].long) for key in sorted(report.cited)))
        return "\n\n".join(part for part in parts if part) + "\n"

    def heading(self, words: str, line: str) -> str:
        lines = self.wrapped(words)
        return "\n".join([*lines, self.plain(line) * max(map(columns, lines))])

    def block(self, block: Block) -> str:
        if isinstance(block, Paragraph):
            return self.paragraph(block)
        if isinstance(block, Listing):
            return "\n".join(self.hanging(self.sentences(item), "- ") for item in block.items)
        return self.table(block) if isinstance(block, Table) else self.figure(block)

    def paragraph(self, paragraph: Paragraph) -> str:
        return "\n".join(self.wrapped(self.sentences(paragraph.content)))

    def hanging(self, words: str, first: str = "") -> str:
        lines = self.wrapped(words, self.width - 2)
        return "\n".join([first + lines[0], *(f"  {line}" for line in lines[1:])])

    def figure(self, figure: Figure) -> str:
        if not figure.in_text:
            return ""
        lines = draw_figure(figure, width=self.width, ascii_only=self.ascii_only)
        if not lines:
            lines = ["(The diagram does not fit into this width.)"]
        caption = self.wrapped(" ".join(figure.diagram.caption))
        return "\n".join([*(self.plain(line) for line in lines), "", *caption])

    def table(self, table: Table) -> str:
        numeric = [column.numeric for column in table.columns]
        heads = [self.plain(column.head) for column in table.columns]
        cells = [[self.plain(text) for text in _column(table, j)] for j in range(len(heads))]
        longest = [max(map(columns, head.split()), default=0) for head in heads]
        widths = [max([longest[j], *map(columns, cells[j])]) for j in range(len(heads))]
        floor = [
            width if column.numeric else min(width, max(_shortest(column), word))
            for width, column, word in zip(widths, table.columns, longest, strict=True)
        ]
        widths, gap, parts = self.fitted(widths, floor, numeric)
        laid = [
            [wrap(head, columns, width), *self.cells(own, width, prose=column.prose)]
            for head, own, width, column in zip(heads, cells, widths, table.columns, strict=True)
        ]
        blocks = []
        for part in parts:
            shown = [[laid[j][i] for j in part] for i in range(len(table.rows) + 1)]
            blocks.append(self.rows(shown, [widths[j] for j in part], [numeric[j] for j in part], gap))
        blocks += [self.wrapped(table.caption_with("marked by *", "marked by +"))] if table.caption else []
        return "\n\n".join("\n".join(lines) for lines in blocks)

    def cells(self, texts: list[str], width: int, *, prose: bool) -> list[list[str]]:
        """Return the lines of each cell: prose is wrapped, and other text is shortened to one line."""
        if prose:
            return [wrap(text, columns, width) for text in texts]
        return [[self.plain(text)] for text in shorten(texts, columns, width)]

    def rows(self, rows: list[list[list[str]]], widths: list[int], numeric: list[bool], gap: int) -> list[str]:
        """Lay out the cells as lines of text, with a rule below the first row, which contains the heads."""
        rule = self.plain("─") * (sum(widths) + gap * (len(widths) - 1))
        lines = []
        for row in rows:
            depth = max(map(len, row))
            for i in range(depth):
                at = [i - depth + len(cell) if row is rows[0] else i for cell in row]
                words = [cell[k] if 0 <= k < len(cell) else "" for cell, k in zip(row, at, strict=True)]
                own = zip(words, widths, numeric, strict=True)
                lines.append((gap * " ").join(pad(word, width, right=right) for word, width, right in own).rstrip())
            if row is rows[0]:
                lines.append(rule)
        return lines

    def wrapped(self, words: str, width: int | None = None) -> list[str]:
        return [line.replace("\u00a0", " ") for line in wrap(unbroken(self.plain(words)), columns, width or self.width)]

    def fitted(
        self, widths: list[int], floor: list[int], numeric: list[bool]
    ) -> tuple[list[int], int, list[list[int]]]:
        """Return the column widths, the gap between columns, and the columns in each part of the table.

        If the table is too wide, the gaps and the widest columns of names are reduced. If it is then still too wide,
        the table is split into parts below each other, each of which repeats the first columns with the names.
        """
        n = len(widths)
        gap = 2 if sum(widths) + 2 * (n - 1) <= self.width else 1
        if sum(floor) + gap * (n - 1) <= self.width or n == 1:
            return _narrowed(widths, floor, self.width - gap * (n - 1)), gap, [list(range(n))]
        keys = max(numeric.index(True) if True in numeric else 1, 1)
        widest = max(floor[keys:], default=0)
        names = _narrowed(widths[:keys], floor[:keys], self.width - keys * 2 - widest)
        room = self.width - sum(names) - 2 * (keys - 1)
        others = [max(min(width, room - 2), own) for width, own in zip(widths[keys:], floor[keys:], strict=True)]
        parts: list[list[int]] = []
        left = 0
        for j, width in enumerate(others, start=keys):
            if not parts or width + 2 > left:
                parts.append(list(range(keys)))
                left = room
            parts[-1].append(j)
            left -= width + 2
        return [*names, *others], 2, parts or [list(range(n))]

    def sentences(self, sentences: Sentences) -> str:
        return "".join(citation(item.keys) if isinstance(item, Cite) else item for item in sentences)

    def plain(self, words: str) -> str:
        if not self.ascii_only or words.isascii():
            return words
        spelled = unicodedata.normalize("NFKD", "".join(_ASCII.get(c, c) for c in words))
        return "".join(c if c.isascii() else "?" for c in spelled if not unicodedata.combining(c))


def _shortest(column: Column) -> int:
    """Return the minimum width of a column in characters, which depends on the type of text in the column."""
    return _SHORTEST_WHOLE if column.whole else _SHORTEST_PROSE if column.prose else _SHORTEST_NAME


def _column(table: Table, j: int) -> list[str]:
    """Return the cells of a column, with marks for the best and second-best values of a row."""
    cells = [row[j] for row in table.rows]
    if not (table.best or table.second) or not table.columns[j].numeric:
        return cells
    marks = ("*" if (i, j) in table.best else "+" if (i, j) in table.second else " " for i in range(len(cells)))
    return [cell + mark for cell, mark in zip(cells, marks, strict=True)]


def _narrowed(widths: list[int], floor: list[int], room: int) -> list[int]:
    """Reduce the widest columns until the table fits into the available width or all have their minimum width."""
    widths = list(widths)
    while sum(widths) > room and widths != floor:
        widest = max((j for j in range(len(widths)) if widths[j] > floor[j]), key=lambda j: widths[j])
        widths[widest] -= 1
    return widths
