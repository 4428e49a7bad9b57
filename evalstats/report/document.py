"""What is a report made of, before anyone decides how it looks?"""

from __future__ import annotations

__all__ = [
    "Block",
    "Cite",
    "Column",
    "Document",
    "Figure",
    "Inline",
    "Listing",
    "Paragraph",
    "Section",
    "Sentences",
    "Table",
]

from dataclasses import dataclass

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
    """The head of a column; numeric columns are set flush right and may be set as mathematics."""

    head: str
    numeric: bool = False


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


def _sentences(block: Block) -> tuple[Sentences, ...]:
    if isinstance(block, Paragraph):
        return (block.content,)
    return block.items if isinstance(block, Listing) else ()
