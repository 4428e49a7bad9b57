"""Which lines of a text are the table, where titles, comments or notes stand beside it?"""

from __future__ import annotations

__all__ = ["grid_of_rows", "grid_of_uneven_text"]

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

from evalstats._findings import Finding
from evalstats.tables.columns import CLASSIFIER_COLUMNS, DATASET_COLUMNS, is_called, number_in
from evalstats.tables.grid import Grid, TableError, examples, short, text_of
from evalstats.tables.text_table import (
    DELIMITERS,
    grid_of_records,
    most_frequent_delimiter,
    one_character,
    one_column,
    records_of,
)
from evalstats.tables.title_rows import laid_out

Lines = Sequence[tuple[int, str]]


def grid_of_uneven_text(
    head: Lines,
    rest: Iterable[tuple[int, str]],
    name: str,
    delimiter: str | None,
    header_rows: int | None,
    *,
    is_exact: bool,
) -> Grid:
    """Read a text whose first lines have different numbers of fields: the table begins below titles and comments."""
    used = _delimiter_of(head) if delimiter is None else one_character(delimiter)
    top = 0 if is_exact else _top(head, used, name)
    titles = [(number, line) for number, line in head[:top] if line.strip()]
    if top == len(head) or used not in head[top][1]:
        start, line = next((n, text) for n, text in head if text.strip())
        raise one_column(f"{name}, line {start}", line.strip(), delimiter)
    start, header = head[top]
    if header.startswith("#") and titles[-1:] != [(start, header)]:
        header = header.lstrip("# ")  # the header of a comment, with as many names as there are columns
    lines = itertools.chain([(start, header)], head[top + 1 :], rest)
    records = list(records_of(lines, used, name))
    numbers, rows = [number for number, _ in records], [row for _, row in records]
    if not rows or len(rows[0]) < 2:
        raise one_column(f"{name}, line {start}", header.strip(), delimiter)
    return grid_of_rows(rows, numbers, name, used, header_rows, tuple(_told(titles)))


def grid_of_rows(
    rows: list[list[str]],
    numbers: list[int],
    name: str,
    delimiter: str,
    header_rows: int | None = None,
    findings: tuple[Finding, ...] = (),
) -> Grid:
    """Return the grid of rows that were split at a delimiter, of which the first and the last may be none."""
    rows = _with_corner(rows, delimiter)
    laid = laid_out(rows, numbers, name=name, word="line", header_rows=header_rows)
    # a plain header keeps its blank fields at the end
    above = rows[laid.first - 1] if laid.first else []
    is_plain = [name for name in laid.header if name] == [name for name in map(text_of, above) if name]
    header = above if is_plain and not laid.upper else laid.header
    body, own = rows[laid.first : laid.end], numbers[laid.first : laid.end]
    if body and len(body[0]) == 1 < len(header):  # a heading above a group of rows; the last rows may be notes
        body = [[*row, *[""] * (len(header) - 1)] if len(row) == 1 else row for row in body]
    _refuse_other_end(header, body, own, name, delimiter)
    return grid_of_records(header, body, own, name, delimiter, (*findings, *laid.findings), laid.upper)


def _delimiter_of(head: Lines) -> str:
    """Return the delimiter that most of the lines have in the same number."""
    lines = [line for _, line in head if line.strip()]

    def evenness(delimiter: str) -> tuple[int, int]:
        counts = Counter("".join(line.split('"')[::2]).count(delimiter) for line in lines)
        del counts[0]
        return max(((n, count) for count, n in counts.items()), default=(0, 0))

    best = max(DELIMITERS, key=evenness)
    # two lines or fewer say nothing about evenness
    return best if evenness(best)[0] > 2 else most_frequent_delimiter(lines[0])


def _top(head: Lines, delimiter: str, name: str) -> int:
    """Return the line where the table begins; titles are lines without a delimiter, and comments."""
    counts = ["".join(line.split('"')[::2]).count(delimiter) for _, line in head]
    usual = Counter(count for count, (_, line) in zip(counts, head, strict=True) if count and line.strip())
    if not usual:
        return len(head)
    most, n = usual.most_common(1)[0]
    top = 0
    while top < len(head) and (
        not counts[top] or not head[top][1].strip() or (counts[top] != most and head[top][1].startswith("#"))
    ):
        top += 1
    _refuse_title(head, counts, top, most if n > 1 else counts[top], delimiter, name)
    return top


def _refuse_title(head: Lines, counts: Sequence[int], top: int, usual: int, delimiter: str, name: str) -> None:
    """Refuse a line that has other fields than the rows where one below it looks like their header."""
    if counts[top] == usual:
        return
    for i in range(top + 1, len(head) - 1):
        if counts[i] == counts[i + 1] == usual:
            fields, below = (head[at][1].split(delimiter) for at in (i, i + 1))
            if not any(map(_is_number, fields)) and any(map(_is_number, below)):
                problem = (
                    f"{name}, line {head[top][0]} has {counts[top] + 1} fields between {delimiter!r}, but line "
                    f"{head[i][0]} looks like the header of {usual + 1} columns"
                )
                raise TableError(problem, "if the table begins there, pass {}", "rows", f"{head[i][0]}-")
            return


def _with_corner(rows: list[list[str]], delimiter: str) -> list[list[str]]:
    """Give the header a name more where it has one fewer than all rows have fields, as R writes row names."""
    first, *others = rows
    if not others or any(len(row) != len(first) + 1 for row in others):
        return rows
    if delimiter != "," and [row[0] for row in others] == [str(i + 1) for i in range(len(others))]:
        return [["", *first], *others]  # R numbers rows without names
    is_named = all(row[0] and not _is_number(row[0]) for row in others) and not any(map(_is_number, first))
    if is_called(text_of(first[0]), (*DATASET_COLUMNS, *CLASSIFIER_COLUMNS)) or not any(
        "." in f for f in others[0][1:]
    ):
        return rows  # a decimal comma between commas looks so too
    return [["", *first], *others] if is_named else rows


def _refuse_other_end(
    header: Sequence[str], rows: list[list[str]], numbers: list[int], name: str, delimiter: str
) -> None:
    """Refuse last lines with fewer fields, none of them a number, with what to type."""
    last = len(rows)
    while last > 1 and len(rows[last - 1]) < len(header) and not any(map(_is_number, rows[last - 1])):
        last -= 1
    if last < len(rows):
        problem = (
            f"{name}, line {numbers[last]} has {len(rows[last])} fields between {delimiter!r}, but the header has "
            f"{len(header)}"
        )
        raise TableError(problem, "if the table ends above it, pass {}", "rows", f"-{numbers[last] - 1}")


def _is_number(field: str) -> bool:
    return text_of(field) != "" and number_in(field, ".") is not None


def _told(titles: Lines) -> list[Finding]:
    if not titles:
        return []
    texts = examples([short(line.strip()) for _, line in titles], 3)
    what = "The line above the table is" if len(titles) == 1 else f"The {len(titles)} lines above the table are"
    return [Finding(code="title-rows", severity="note", sentence=f"{what} not read: {texts}.")]
