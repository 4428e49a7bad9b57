"""Blocks of a report, independent of its format."""

from __future__ import annotations

__all__ = [
    "Block",
    "Cite",
    "Column",
    "Document",
    "Extent",
    "Figure",
    "Inline",
    "Listing",
    "Paragraph",
    "Section",
    "Sentences",
    "Table",
    "cited_in",
    "heads",
    "listing",
    "paragraph",
    "section",
    "sections",
]

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalstats.cd_layout import Diagram
    from evalstats.report.curve_figure import CurveFigure
    from evalstats.report.interval_list import IntervalList
    from evalstats.report.projection_map import ProjectionMap


@dataclass(frozen=True)
class Cite:
    """A citation of publications, by their keys in the bibliography."""

    keys: tuple[str, ...]


Inline = str | Cite
Sentences = tuple[Inline, ...]


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """Running text."""

    content: Sentences


@dataclass(frozen=True, kw_only=True)
class Listing:
    """A list of items."""

    items: tuple[Sentences, ...]


@dataclass(frozen=True, kw_only=True)
class Column:
    """Head of a column; numeric columns are right-aligned, and LaTeX can set them as mathematics.

    In a terminal, prose is wrapped, and other long texts are shortened unless the column is `whole`.
    """

    head: str
    numeric: bool = False
    prose: bool = False
    whole: bool = False


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of texts under column heads; `name` is a short word for links and identifiers.

    `marked` states for each row whether it is marked, such as a significantly different pair. `best` and `second` hold
    the positions (row, column) of the best and the second value of each row. If `foot` is true, the last row is
    separated from the others. `marked`, `best` and `second` are empty if no row or value is marked.
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: tuple[bool, ...] = ()
    best: frozenset[tuple[int, int]] = frozenset()
    second: frozenset[tuple[int, int]] = frozenset()
    foot: bool = False

    def caption_with(self, best: str, second: str) -> str:
        """Return the caption, with an explanation of the marks if the best and second-best cells are marked."""
        if not self.best:
            return self.caption
        return f"{self.caption} In each row, the best is {best} and the second best is {second}."

    def stands_out(self, row: int) -> bool:
        """Return whether a row is marked."""
        return bool(self.marked) and self.marked[row]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A critical-difference diagram, a list of values with their intervals, a map of points, or curves."""

    diagram: Diagram | IntervalList | ProjectionMap | CurveFigure

    @property
    def in_text(self) -> bool:
        """Whether plain text and Markdown show the figure; for curves, they show only the table."""
        return not hasattr(self.diagram, "curves")


Block = Paragraph | Listing | Table | Figure


@dataclass(frozen=True, kw_only=True)
class Section:
    """Blocks under a heading; `name` is a short word for links and identifiers."""

    name: str
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, kw_only=True)
class Extent:
    """Extent of a document: the maximum number of rows of a table, and whether it contains scores and methods."""

    max_rows: int = 1000
    with_scores: bool = False
    with_methods: bool = True


@dataclass(frozen=True, kw_only=True)
class Document:
    """A complete report: the title, the conclusions, and the sections with the details."""

    title: str
    verdict: Paragraph
    sections: tuple[Section, ...]

    @property
    def cited(self) -> tuple[str, ...]:
        """Keys of the cited publications, in the order of their first citation."""
        return cited_in([self.verdict, *(block for section in self.sections for block in section.blocks)])


def paragraph(*content: Inline) -> Paragraph:
    """Return running text."""
    return Paragraph(content=content)


def listing(items: Iterable[str | Sentences]) -> Listing:
    """Return a list of items."""
    return Listing(items=tuple((item,) if isinstance(item, str) else item for item in items))


def section(name: str, heading: str, *blocks: Block) -> Section:
    """Return blocks under a heading."""
    return Section(name=name, heading=heading, blocks=blocks)


def sections(blocks: Mapping[str, Block | None]) -> tuple[Section, ...]:
    """Return a section for each heading, except headings without content."""
    return tuple(
        section("-".join(re.findall("[a-z]+", heading.lower())), heading, block)
        for heading, block in blocks.items()
        if block not in (None, Listing(items=()))
    )


def heads(names: Iterable[str], numbers: Iterable[str]) -> tuple[Column, ...]:
    """Return the heads of the text columns, followed by the heads of the numeric columns."""
    return (*(Column(head=head) for head in names), *(Column(head=head, numeric=True) for head in numbers))


def cited_in(blocks: Iterable[Block]) -> tuple[str, ...]:
    """Return the keys of the publications that the blocks cite, in the order of their first citation."""
    keys: dict[str, None] = {}
    for block in blocks:
        for sentences in _sentences(block):
            keys.update((key, None) for item in sentences if isinstance(item, Cite) for key in item.keys)
    return tuple(keys)


def _sentences(block: Block) -> tuple[Sentences, ...]:
    if isinstance(block, Paragraph):
        return (block.content,)
    return block.items if isinstance(block, Listing) else ()
