"""What is a report made of, before anyone decides how it looks?"""

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
    from evalstats.diagram import Diagram


@dataclass(frozen=True)
class Cite:
    """A place where publications are cited, by their keys in the bibliography."""

    keys: tuple[str, ...]


Inline = str | Cite
Sentences = tuple[Inline, ...]


@dataclass(frozen=True, kw_only=True)
class Paragraph:
    """Running text."""

    content: Sentences


@dataclass(frozen=True, kw_only=True)
class Listing:
    """Items that stand one below the other."""

    items: tuple[Sentences, ...]


@dataclass(frozen=True, kw_only=True)
class Column:
    """The head of a column; numeric columns are set flush right and may be set as mathematics.

    A terminal shortens texts that are too long for it, as it does with names, and breaks them into lines where they are
    prose.
    """

    head: str
    numeric: bool = False
    prose: bool = False


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of texts under column heads; `name` is a short word for links and labels."""

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A critical-difference diagram."""

    diagram: Diagram


Block = Paragraph | Listing | Table | Figure


@dataclass(frozen=True, kw_only=True)
class Section:
    """Blocks under a heading; `name` is a short word for links and labels."""

    name: str
    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, kw_only=True)
class Extent:
    """How much of a record its document shows: rows of a long table, the scores themselves, a methods paragraph."""

    most_rows: int = 1000
    with_scores: bool = False
    with_methods: bool = True


@dataclass(frozen=True, kw_only=True)
class Document:
    """A whole report: the title, what follows from the data, and the sections that show why."""

    title: str
    verdict: Paragraph
    sections: tuple[Section, ...]

    @property
    def cited(self) -> tuple[str, ...]:
        """Keys of the publications cited, in the order of the first citation."""
        keys: dict[str, None] = {}
        for part in (self.verdict, *(block for section in self.sections for block in section.blocks)):
            for sentences in _sentences(part):
                keys.update((key, None) for item in sentences if isinstance(item, Cite) for key in item.keys)
        return tuple(keys)


def paragraph(*content: Inline) -> Paragraph:
    """Return running text."""
    return Paragraph(content=content)


def listing(items: Iterable[str | Sentences]) -> Listing:
    """Return items that stand one below the other."""
    return Listing(items=tuple((item,) if isinstance(item, str) else item for item in items))


def section(name: str, heading: str, *blocks: Block) -> Section:
    """Return blocks under a heading."""
    return Section(name=name, heading=heading, blocks=blocks)


def sections(blocks: Mapping[str, Block | None]) -> tuple[Section, ...]:
    """Return a section for each heading that has something below it."""
    return tuple(
        section("-".join(re.findall("[a-z]+", heading.lower())), heading, block)
        for heading, block in blocks.items()
        if block not in (None, Listing(items=()))
    )


def heads(names: Iterable[str], numbers: Iterable[str]) -> tuple[Column, ...]:
    """Return the heads of columns of names, and of columns of numbers after them."""
    return (*(Column(head=head) for head in names), *(Column(head=head, numeric=True) for head in numbers))


def _sentences(block: Block) -> tuple[Sentences, ...]:
    if isinstance(block, Paragraph):
        return (block.content,)
    return block.items if isinstance(block, Listing) else ()
