"""Records as Markdown."""

from __future__ import annotations

__all__ = ["markdown", "markdown_of"]

import re

from evalstats._result import Record
from evalstats.report.blocks import Block, Cite, Document, Figure, Listing, Paragraph, Sentences, Table
from evalstats.report.documents import document
from evalstats.report.formats.text import draw_figure
from evalstats.report.references import PUBLICATIONS, Publication, citation

_MOST_ROWS = 100
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&$])")
# text that some programs treat as a link
_LINK = re.compile(r"(?<=\w)(?=://)|(?<=\bwww)(?=\.)", re.IGNORECASE)
# characters that start a list, a heading or a line at the start of a paragraph
_START = re.compile(r"^(\d{1,9}(?=[.)])|(?=[-+=]))")


def markdown(record: Record | Document, *, part: str | None = None) -> str:
    """Render a record as Markdown, with pipe tables as in GitHub and Pandoc.

    Parameters
    ----------
    record : Record or Document
        Any result of evalstats, or a document that was made from such a result.
    part : {'sentence', 'methods', 'scores', 'ranks', 'pairs', 'matrix', 'figure'}, optional
        For a comparison: only this part. In ``'scores'``, the table of datasets x classifiers, the best score of each
        row is bold, and the second best is in italics.

    Returns
    -------
    str
        The Markdown text, which ends with a line break. Names are escaped, so no name can become markup.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> c = evalstats.compare(evalstats.example_table("demsar-2006"))
    >>> print(report.markdown(c).splitlines()[0])
    # Comparison of 4 classifiers on 14 datasets: AUC, higher is better
    """
    if part is not None:
        from evalstats.report.parts import part_of

        return markdown_of(part_of(record, part, max_rows=_MOST_ROWS))
    report = document(record, max_rows=_MOST_ROWS)
    parts = [f"# {_escaped(report.title)}", f"**{_sentences(report.verdict.content)}**"]
    for section in report.sections:
        parts.append(f"## {_escaped(section.heading)}")
        parts += [_block(block) for block in section.blocks if not isinstance(block, Figure) or block.in_text]
    if report.cited:
        parts.append("## References")
        parts.append("\n".join(f"- {_reference(PUBLICATIONS[key])}" for key in sorted(report.cited)))
    return "\n\n".join(parts) + "\n"


def markdown_of(blocks: tuple[Block, ...]) -> str:
    """Render blocks of a document as Markdown."""
    return "\n\n".join(map(_block, blocks)) + "\n"


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return _sentences(block.content)
    if isinstance(block, Listing):
        return "\n".join(f"- {_sentences(item)}" for item in block.items)
    return _table(block) if isinstance(block, Table) else _figure(block)


def _table(table: Table) -> str:
    heads = [_escaped(column.head) for column in table.columns]
    rules = ["---:" if column.numeric else "---" for column in table.columns]
    rows = [[_cell(table, i, j) for j in range(len(table.columns))] for i in range(len(table.rows))]
    lines = [f"| {' | '.join(row)} |" for row in (heads, rules, *rows)]
    return "\n".join([*lines, *(["", _opened(table.caption_with("bold", "in italics"))] if table.caption else [])])


def _cell(table: Table, i: int, j: int) -> str:
    text = _escaped(table.rows[i][j])
    if (i, j) in table.best or (table.stands_out(i) and table.rows[i][j] == "yes"):
        return f"**{text}**"
    return f"*{text}*" if (i, j) in table.second else text


def _figure(figure: Figure) -> str:
    lines = "\n".join(draw_figure(figure, width=100))
    fence = "`" * (max([2, *(len(run) for run in re.findall("`+", lines))]) + 1)
    drawing = f"{fence}text\n{lines}\n{fence}\n\n" if lines else ""
    return drawing + _opened(" ".join(figure.diagram.caption))


def _sentences(sentences: Sentences) -> str:
    return _opened("".join(citation(item.keys) if isinstance(item, Cite) else item for item in sentences))


def _reference(publication: Publication) -> str:
    return _opened(publication.long) + (f" <{publication.url}>" if publication.url else "")


def _opened(text: str) -> str:
    """Escape a string at the start of a line, where additional characters have a meaning in Markdown."""
    return _START.sub(r"\1\\", _escaped(text))


def _escaped(text: str) -> str:
    return _LINK.sub(r"\\", _SPECIAL.sub(r"\\\1", text))
