"""Records in notebooks."""

from __future__ import annotations

__all__ = ["notebook_html", "notebook_markdown"]

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any
from zlib import crc32

from evalstats._result import Record
from evalstats.comparison.by_metric import ComparisonByMetric
from evalstats.comparison.record import Comparison
from evalstats.report.blocks import Block, Figure, Table, paragraph
from evalstats.report.documents import document, without_unseen
from evalstats.report.formats.html import block
from evalstats.report.formats.markdown import markdown_of

# limits, because a notebook stores the output of each cell: rows, labels of a diagram, values of a list, characters in
# total
_MOST_ROWS, _MOST_LABELS, _MOST_VALUES, _LONGEST = 30, 40, 15, 20_000


def notebook_html(record: Record) -> str:
    """Render a record as HTML elements for a notebook: its verdict, its first table, and its diagram.

    The elements use the colors of the notebook, dark or light. The elements contain no script, and the tables require
    no style.

    Parameters
    ----------
    record : Record
        Any result of evalstats.

    Returns
    -------
    str
        HTML of at most 20 kB, in which every name is escaped.
    """
    blocks = _blocks(record)
    # ids must be unique on the page, which may contain several cells
    name = f"evalstats-{crc32(repr(blocks).encode()):08x}"
    left, parts = _LONGEST - len(_style()) - 100, []
    for one in blocks:
        written = block(one, links=False, name=name)
        if len(written) < left:
            parts.append(written)
            left -= len(written)
    drawn = (block(one, links=False, name=name) for one in _figures(record))
    parts += [next((written for written in drawn if len(written) < left), "")]
    return f'<div class="evalstats">\n<style>{_style()}</style>\n' + "\n".join(parts) + "\n</div>\n"


def notebook_markdown(record: Record) -> str:
    """Render a record as Markdown for a notebook: its verdict and its first table.

    Parameters
    ----------
    record : Record
        Any result of evalstats.

    Returns
    -------
    str
    """
    return markdown_of(tuple(_blocks(record)))


def _blocks(record: Record) -> list[Block]:
    """Return the first blocks of a record; long tables contain only their first rows."""
    blocks: list[Block] = []
    for one in _of_comparison(record) if isinstance(record, Comparison) else _of_document(record):
        if isinstance(one, Table) and len(one.rows) > _MOST_ROWS:
            left = len(one.rows) - _MOST_ROWS
            blocks += [_shortened(one), paragraph(f"… and {left} more rows.")]
        elif not isinstance(one, Figure):
            blocks.append(one)
    return blocks


def _shortened(table: Table) -> Table:
    return replace(table, rows=table.rows[:_MOST_ROWS], marked=table.marked[:_MOST_ROWS])


def _of_comparison(comparison: Any) -> list[Block]:
    from evalstats.report.parts import part_of

    return [*part_of(comparison, "sentence", max_rows=1), *part_of(comparison, "ranks", max_rows=1)]


def _of_document(record: Record) -> list[Block]:
    report = document(record, max_rows=_MOST_ROWS, with_methods=False)
    return [report.verdict, *(report.sections[0].blocks if report.sections else ())]


def _figures(record: Any) -> Iterator[Figure]:
    """Yield the diagram of a comparison, and then a smaller diagram for the case that the first one is too large."""
    if isinstance(record, Comparison):
        from evalstats.report.interval_list import drawing_of

        for most_labels in (_MOST_LABELS, 0):
            drawing = drawing_of(record, most_labels=most_labels, max_rows=_MOST_VALUES)
            if drawing is not None:
                yield _seen(drawing)
    elif isinstance(record, ComparisonByMetric):
        from evalstats.report.comparisons.by_metric import place_intervals

        yield _seen(place_intervals(record, _MOST_VALUES))
    else:
        report = document(record, max_rows=_MOST_ROWS, with_methods=False)
        yield from (one for section in report.sections for one in section.blocks if isinstance(one, Figure))


def _seen(drawing: Any) -> Figure:
    figure: Figure = without_unseen(Figure(diagram=drawing))
    return figure


@cache
def _style() -> str:
    return files(__package__).joinpath("notebook.css").read_text(encoding="utf-8")
