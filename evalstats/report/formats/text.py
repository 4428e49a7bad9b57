"""How does a comparison read in a terminal?"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["document_text", "text"]

import unicodedata

from evalstats._checks import boolean, count
from evalstats.comparison.over_datasets import Comparison
from evalstats.report.contents import document
from evalstats.report.document import Block, Cite, Document, Figure, Listing, Paragraph, Sentences, Table
from evalstats.report.formats.characters import draw
from evalstats.report.references import PUBLICATIONS, citation
from evalstats.report.widths import columns, pad
from evalstats.wording import shorten, unbroken, wrap

if TYPE_CHECKING:
    from evalstats.comparison.one_dataset import OneDatasetComparison

_MOST_PAIRS = 40
_SHORTEST_NAME = 6

_ASCII = {
    "α": "alpha", "χ": "chi", "²": "2", "−": "-", "–": "-", "·": "*", "√": "sqrt", "∞": "inf",
    "“": '"', "”": '"', "─": "-", "═": "=", "…": "~",
}  # fmt: skip


def text(
    comparison: Comparison | OneDatasetComparison,
    *,
    width: int = 80,
    ascii: bool = False,  # noqa: A002  the word that users know
    methods: bool = False,
) -> str:
    """Return a comparison as plain text for a terminal.

    Parameters
    ----------
    comparison : Comparison or OneDatasetComparison
        What `compare` returned.
    width : int, default: 80
        No line is longer, in columns, unless a table cannot be narrower.
    ascii : bool, default: False
        Use ASCII characters only; letters of names that have none become a question mark.
    methods : bool, default: False
        End with the methods paragraph and the references, as the formats for a paper do.

    Returns
    -------
    str
        Ends with a line break.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> print(report.text(c).splitlines()[0])
    Comparison of 4 classifiers on 14 datasets: AUC
    """
    ascii_only, methods = boolean(ascii, "ascii"), boolean(methods, "methods")
    shown = document(comparison, most_pairs=_MOST_PAIRS, with_methods=methods)
    return document_text(shown, width=width, ascii_only=ascii_only, references=methods)


def document_text(document: Document, *, width: int = 80, ascii_only: bool = False, references: bool = False) -> str:
    """Return a document as plain text for a terminal, with the publications that it cites or without."""
    return _Page(count(width, "width", minimum=40), ascii_only, references).write(document)


class _Page:
    def __init__(self, width: int, ascii_only: bool, references: bool) -> None:
        self.width, self.ascii_only, self.references = width, ascii_only, references

    def write(self, report: Document) -> str:
        parts = [self.heading(report.title, "═"), self.paragraph(report.verdict)]
        for section in report.sections:
            parts.append(self.heading(section.heading, "─"))
            parts += [self.block(block) for block in section.blocks]
        if self.references:
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
        lines = draw(figure.diagram, width=self.width, ascii_only=self.ascii_only)
        if not lines:
            lines = ["(The diagram does not fit into this width.)"]
        caption = self.wrapped(" ".join(figure.diagram.caption))
        return "\n".join([*(self.plain(line) for line in lines), "", *caption])

    def table(self, table: Table) -> str:
        rows = [[self.plain(cell) for cell in row] for row in table.rows]
        heads = [self.plain(column.head) for column in table.columns]
        numeric = [column.numeric for column in table.columns]
        widths = [
            max([columns(word) for word in head.split()] + [columns(row[j]) for row in rows])
            for j, head in enumerate(heads)
        ]
        widths, gap = self.fitted(widths, numeric, [max(map(columns, head.split())) for head in heads])
        for j, width in enumerate(widths):
            for row, cell in zip(rows, shorten([row[j] for row in rows], columns, width), strict=True):
                row[j] = self.plain(cell)
        wrapped = [wrap(head, columns, width) for head, width in zip(heads, widths, strict=True)]
        depth = max(map(len, wrapped))
        head_rows = [[([""] * (depth - len(head)) + head)[i] for head in wrapped] for i in range(depth)]
        rule = self.plain("─") * (sum(widths) + gap * (len(widths) - 1))
        lines = [
            (gap * " ").join(pad(cell, w, right=n) for cell, w, n in zip(row, widths, numeric, strict=True)).rstrip()
            for row in [*head_rows, *rows]
        ]
        return "\n".join([*lines[:depth], rule, *lines[depth:], "", *self.wrapped(table.caption)])

    def wrapped(self, words: str, width: int | None = None) -> list[str]:
        return [line.replace("\u00a0", " ") for line in wrap(unbroken(self.plain(words)), columns, width or self.width)]

    def fitted(self, widths: list[int], numeric: list[bool], smallest: list[int]) -> tuple[list[int], int]:
        """Take what is too much from the gaps and from the widest columns of names; return the widths and the gap."""
        gap = 2 if sum(widths) + 2 * (len(widths) - 1) <= self.width else 1
        widths = list(widths)
        floor = [w if n else min(w, max(_SHORTEST_NAME, s)) for w, n, s in zip(widths, numeric, smallest, strict=True)]
        while sum(widths) + gap * (len(widths) - 1) > self.width and widths != floor:
            widest = max((j for j in range(len(widths)) if widths[j] > floor[j]), key=lambda j: widths[j])
            widths[widest] -= 1
        return widths, gap

    def sentences(self, sentences: Sentences) -> str:
        return "".join(citation(item.keys) if isinstance(item, Cite) else item for item in sentences)

    def plain(self, words: str) -> str:
        if not self.ascii_only or words.isascii():
            return words
        spelled = unicodedata.normalize("NFKD", "".join(_ASCII.get(c, c) for c in words))
        return "".join(c if c.isascii() else "?" for c in spelled if not unicodedata.combining(c))
