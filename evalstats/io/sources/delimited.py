"""Cells of text with delimited fields."""

from __future__ import annotations

__all__ = [
    "DELIMITERS",
    "MAX_LINE_LENGTH",
    "ONE_COLUMN",
    "grid_of_one_column",
    "grid_of_text",
    "header_of_line",
    "text_lines",
]

import csv
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from evalstats._errors import InvalidValueError, examples
from evalstats._findings import Finding
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS, is_called
from evalstats.io.sources.console_output import refuse_program_text
from evalstats.io.sources.fields import MAX_LINE_LENGTH, columns_of_lines, plain_lines, rows_of_printed
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.io.sources.table_region import laid_out, last_filled, refuse_numbers_as_names, rows_asked, titles_of
from evalstats.io.sources.text_encodings import not_decoded
from evalstats.tables.errors import TableError, first_line_of, short, visible
from evalstats.tables.names import text_of, texts_of

LinesAtHand = Sequence[tuple[int, str]]


DELIMITERS = "\t;,|"
ONE_COLUMN = "one-column"  # the code of text without a delimiter
# number of first lines from which the delimiter is inferred
_HEAD = 20
# maximum number of comment lines before the content of an ARFF file
_COMMENTS = 1000

_DIGITS = frozenset("0123456789.+-$\\*")
_CSV_RULES = {
    "field larger than field limit": "a field is far too long for a table of scores; check whether a quotation mark is "
    "never closed",
    "unexpected end of data": "a quotation mark is opened and never closed",
}
_OF_ANOTHER_LANGUAGE = re.compile(r"\\\\|\\(?:begin|end|tabularnewline|hline|midrule)\b|</?[a-z]", re.IGNORECASE)
_FRAMES = tuple("┌╭╔┏╒╓┍┎─━═")  # first characters of box-drawing corners and rules
_OF_TAR = slice(257, 262)  # the place of its sign
_UNDECODED_BYTE = re.compile("[\udc80-\udcff]")  # a byte that is not text is read as the code point 0xDC00 + byte

Lines = Iterable[tuple[int, str]]
_Reader = Callable[[str, Lines, str | None, int | None], Grid]
_Rest = Callable[[int], tuple[Sequence[str], Lines]]


def grid_of_text(
    stream: Any,
    name: str,
    delimiter: str | None,
    encoding: str,
    rows: str | None = None,
    header_rows: int | None = None,
) -> Grid:
    """Return the cells of text with delimited fields, or of a table in a different text format."""
    lines: Lines = text_lines(stream, name, encoding)
    if rows is not None:
        first, last = rows_asked(rows)
        lines = ((number, line) for number, line in lines if first <= number and (last is None or number <= last))
    head = list(itertools.islice(((number, line) for number, line in lines if line.strip()), 1))
    if not head:
        raise TableError(f"{name} is empty" if rows is None else f"{name} has no row {rows}")
    first_line = head[0][1]
    if delimiter is None and first_line.lstrip("\ufeff \t")[:1] in ("@", "%"):
        head += _comments_above(lines) if first_line.lstrip("\ufeff \t")[:1] == "%" else []
        from evalstats.io.sources.arff import grid_of_arff, looks_like_arff

        if looks_like_arff(head):
            return grid_of_arff(name, itertools.chain(head, lines), rows, header_rows)
    read = _other_language(first_line) if delimiter is None else None
    if read is None or _may_have_fields(first_line):
        head += itertools.islice(lines, _HEAD)
        read = None if read and _has_fields_only(head) else read
    if read or (delimiter is None and (read := _other_table(head, name) or _printed_table(head, name))):
        return read(name, itertools.chain(head, lines), rows, header_rows)
    used = most_frequent_delimiter(first_line) if delimiter is None else one_character(delimiter)
    if header_rows is None and (rows is not None or _is_even(head, used)):

        def rest(width: int) -> tuple[Sequence[str], Lines]:
            first, above = head[0][0] + 1, "".join(line for _, line in head[1:])
            plain, left = plain_lines(stream, above, width, used, name, first)
            return plain, text_lines(_Joined(left, stream), name, encoding, first=first + len(plain))

        return _plain_grid(head, lines, name, used, delimiter, rest if rows is None else None)

    return grid_of_uneven_text(head, lines, name, delimiter, header_rows, is_exact=rows is not None)


def _comments_above(lines: Lines) -> list[tuple[int, str]]:
    """Return the leading comment lines, and the first line after them."""
    head: list[tuple[int, str]] = []
    for number, line in itertools.islice(lines, _COMMENTS):
        head.append((number, line))
        if line.strip() and not line.lstrip().startswith("%"):
            break
    return head


class _Joined:
    """Stream that returns the lines that were already read, and then the rest of a stream."""

    def __init__(self, lines: Sequence[str], stream: Any) -> None:
        self._lines, self._stream = iter(lines), stream

    def readline(self, size: int) -> str:
        """Return the next line."""
        line: str = next(self._lines, "") or self._stream.readline(size)
        return line

    def read(self, size: int) -> str:
        """Return the rest."""
        return "".join(self._lines) + str(self._stream.read(size))


def _plain_grid(
    head: Sequence[tuple[int, str]], lines: Lines, name: str, used: str, delimiter: str | None, rest: _Rest | None
) -> Grid:
    """Read text whose first line is the header; `rest` returns the following plain lines and the other lines.

    The slower parser for quotes, blank lines and uneven rows is used only for lines that need it.
    """
    start, first_line = head[0]
    numbers: list[int] = []
    rows: list[list[str]] = []
    if rest is not None and (known := _regular(head, used, name)):
        header = known[0]
        plain, lines = rest(len(header))
        if (following := next(iter(lines), None)) is None:
            columns = columns_of_lines(plain, len(header), used)
            return _grid_of_columns(header, columns, range(start + 1, start + 1 + len(plain)), name, used)
        records = records_of(itertools.chain(enumerate(plain, start + 1), [following], lines), used, name)
    else:
        records = records_of(itertools.chain(head, lines), used, name)
        _, header = next(records, (start, []))
    if len(header) < 2:
        raise one_column(f"{name}, line {start}", first_line.strip(), delimiter)
    for number, row in records:
        numbers.append(number)
        rows.append(row)
    if rows and (
        len(rows[-1]) == 1
        or len(set(header)) < len(header)
        or "" in header[1:]
        or not any(field[:1] in _DIGITS for field in rows[0][1:])  # perhaps the header
    ):
        return grid_of_rows([header, *rows], [start, *numbers], name, used)
    if len(header) > 1 and header[1][:1] in _DIGITS:
        refuse_numbers_as_names(header, f"{name}, line {numbers[0] - 1 if numbers else 1}")
    return grid_of_records(header, rows, numbers, name, used)


def grid_of_records(
    header: list[str],
    rows: list[list[str]],
    numbers: list[int],
    name: str,
    delimiter: str,
    findings: tuple[Finding, ...] = (),
    upper: tuple[str, ...] = (),
) -> Grid:
    """Return the grid of a header and of rows that are already split into fields."""
    width = _width(header, rows, numbers, delimiter, name)
    columns = [[row[j] if j < len(row) else "" for row in rows] for j in range(width)]
    grid = _grid_of_columns(header[:width], columns, numbers, name, delimiter)
    return replace(grid, findings=findings, upper=upper[:width])


def _grid_of_columns(header: list[str], columns: list[Any], numbers: Sequence[int], name: str, delimiter: str) -> Grid:
    return Grid(
        name=name,
        header=texts_of(header),
        columns=columns,
        word="line",
        numbers=numbers,
        must_name_datasets=True,
        delimiter=delimiter,
    )


def _regular(head: Sequence[tuple[int, str]], delimiter: str, name: str) -> list[list[str]]:
    """Return the fields of the first lines. If the lines are not regular, return an empty list."""
    if len(head) <= _HEAD or any('"' in line for _, line in head):
        return []
    numbers, records = zip(*records_of(head, delimiter, name), strict=True)
    if len(records) < 2:  # lines of delimiters and spaces only
        return []
    header, first = records[:2]
    is_regular = (
        len(header) > 1
        and len(set(header)) == len(header) == sum(map(bool, texts_of(header)))
        and {len(row) for row in records} == {len(header)}
        and numbers == tuple(range(numbers[0], numbers[0] + len(head)))
        and header[1][:1] not in _DIGITS
        and any(field[:1] in _DIGITS for field in first[1:])
    )
    return list(records) if is_regular else []


# --- which language is it written in? ---------------------------------------------------------------------------------


def _other_language(line: str) -> _Reader | None:
    """Return the reader for a different text format, recognized by the first line, or None for delimited fields."""
    begin = line.lstrip("\ufeff \t")
    if begin[:1] in ("{", "["):
        from evalstats.io.sources.json import grid_of_json_text, looks_like_json

        return grid_of_json_text if looks_like_json(begin) else None
    if begin[:1] == "<":
        from evalstats.io.sources.html import grid_of_html

        return grid_of_html
    if "\\" in begin or begin[:1] == "%":
        from evalstats.io.sources.latex import grid_of_latex, looks_like_latex

        return grid_of_latex if looks_like_latex(begin) else None
    return None


def _may_have_fields(line: str) -> bool:
    r"""Return whether a line that looks like a different format may be a header of delimited fields."""
    return line.lstrip("\ufeff \t")[:1] not in ("{", "[") and any(sign in line for sign in DELIMITERS)


def _has_fields_only(head: Sequence[tuple[int, str]]) -> bool:
    """Return whether the lines below the first have equal numbers of fields and no other format."""
    below = [line for _, line in head[1:] if line.strip()]
    if not below or any(map(_OF_ANOTHER_LANGUAGE.search, below)):
        return False
    return _is_even(head, most_frequent_delimiter(head[0][1]))


def _printed_table(head: LinesAtHand, name: str) -> _Reader | None:
    """Return the reader of a table with aligned columns, if the first lines are such a table."""
    return (
        None if any(sign in head[0][1] for sign in DELIMITERS) or not rows_of_printed(head, name) else _grid_of_printed
    )


def _grid_of_printed(name: str, lines: Lines, rows: str | None, header_rows: int | None) -> Grid:
    at_hand = list(lines)
    if (printed := rows_of_printed(at_hand, name)) is None:
        raise one_column(f"{name}, line {at_hand[0][0]}", at_hand[0][1].strip(), None)
    return grid_of_rows(printed.rows, printed.numbers, name, " ", header_rows)


def _other_table(head: Sequence[tuple[int, str]], name: str) -> _Reader | None:
    """Return the reader of a Markdown or LaTeX table that begins below the first line."""
    refuse_program_text(head, name)
    if any(line.lstrip()[:1] in _FRAMES for _, line in head[:4]):
        problem = f"{name} is a printed table with lines around its cells"
        raise TableError(f"{problem}: numbers may be rounded and rows left out; write it as CSV")
    for (_, line), (_, below) in itertools.pairwise(head):
        if "|" in line and not {*"-="}.isdisjoint(below) and set(below.strip()) <= set("|+-=: "):
            from evalstats.io.sources.markdown import grid_of_markdown

            return grid_of_markdown
        if "\\begin{" in below or ("&" in line and line.rstrip().endswith("\\\\")):
            from evalstats.io.sources.latex import grid_of_latex

            return grid_of_latex
        if below.lstrip()[:6].casefold() == "<table":
            from evalstats.io.sources.html import grid_of_html

            return grid_of_html
    return None


# --- lines and fields -------------------------------------------------------------------------------------------------


def text_lines(stream: Any, name: str, encoding: str, longest: int = 0, *, first: int = 1) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers; reject a line that exceeds the maximum length."""
    longest = longest or MAX_LINE_LENGTH
    for number in itertools.count(first):
        try:
            line = stream.readline(longest + 1)
        except UnicodeError as error:
            raise TableError(f"{name}, near line {number}: {first_line_of(error)}") from None
        if not line:
            return
        if len(line) > longest:
            raise TableError(
                f"{name}, line {number} has more than {longest:,} characters, so the file is not a table of scores"
            )
        if "\0" in line:
            raise _no_text(name, number, line)
        if byte := _UNDECODED_BYTE.search(line):
            place = f"{name}, line {number}, character {byte.start() + 1}"
            raise not_decoded(place, line, stream, ord(byte.group()) - 0xDC00, encoding)
        yield number, line


def _no_text(name: str, number: int, line: str) -> TableError:
    """Return the error for a line with a NUL character: a different encoding, or no text."""
    for i, half in enumerate(("be", "le")):
        width = "32" if line[i : i + 3] == "\0" * 3 else "16" if line[i:10:2] == "\0" * 5 else ""
        if width:
            problem = f"{name} looks like text in UTF-{width}"
            return TableError(problem, "pass {}", "encoding", f"utf-{width}-{half}")
    if line[_OF_TAR].startswith("ustar"):
        return TableError(f"{name} is a tar archive; unpack it, and read the table in it")
    if number == 1 and line.startswith("MZ"):
        return TableError(f"{name} is a program; write the table as CSV or Parquet")
    return TableError(f"{name}, line {number} holds a NUL character, so the file is not a text file")


def records_of(lines: Lines, delimiter: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each record, with the number of its first line; skip blank records."""
    at = iter(lines)
    start, first = next(at)
    reader = csv.reader(
        itertools.chain([first], (line for _, line in at)), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    number = start
    try:
        for fields in reader:
            if any(field and not field.isspace() for field in fields):
                yield number, fields
            number = start + reader.line_num
    except csv.Error as error:
        rule = _CSV_RULES.get(str(error).partition(" (")[0], visible(str(error)))
        raise TableError(f"{name}, line {number}: {rule}") from None


def _is_even(head: Sequence[tuple[int, str]], delimiter: str) -> bool:
    """Return whether the first lines have the same number of delimiters."""
    lines = [line for _, line in head if not line.isspace()]
    if any('"' in line for line in lines):
        if any(line.count('"') % 2 for line in lines):
            return delimiter in lines[0]  # a field of several lines, unless a title has the sign of inches
        lines = ["".join(line.split('"')[::2]) for line in lines]
    counts = {line.count(delimiter) for line in lines}
    return len(counts) == 1 and 0 not in counts


def header_of_line(line: str, delimiter: str | None) -> list[str]:
    """Return the column names in a header line; return an empty list if the line cannot be parsed."""
    used = most_frequent_delimiter(line) if delimiter is None else one_character(delimiter)
    try:
        fields = next(csv.reader([line], delimiter=used, skipinitialspace=True), [])
    except csv.Error:
        return []
    return texts_of(fields)


def most_frequent_delimiter(line: str) -> str:
    """Return the most frequent delimiter of a line outside quotation marks; for ties, the first."""
    outside_quotes = "".join(line.split('"')[::2])
    return max(DELIMITERS, key=outside_quotes.count)


def one_character(delimiter: Any) -> str:
    """Return the delimiter of the caller; raise an error unless it is a single character."""
    if isinstance(delimiter, str) and len(delimiter) == 1 and delimiter not in '"\r\n\0':
        return delimiter
    raise InvalidValueError(f"delimiter must be one character, not {short(delimiter)}")


def one_column(place: str, line: str, delimiter: str | None) -> TableError:
    """Return the error for a header without a delimiter."""
    problem = f"{place}: {short(line)} has only one column"
    if delimiter is not None:
        problem += f" with the delimiter {delimiter!r}"
    better = next((c for c in (most_frequent_delimiter(line), " ") if c in line and c != delimiter), None)
    if better is None:
        problem += "; a table has a column of names and at least one column of scores"
        return TableError(problem, code=ONE_COLUMN)
    return TableError(problem, "for a different delimiter, pass {}", "delimiter", better)


def grid_of_one_column(stream: Any, name: str, encoding: str) -> Grid:
    """Return the grid of text with one column; the first line is the header unless it is a number."""
    lines = [(number, line.strip().strip('"')) for number, line in text_lines(stream, name, encoding) if line.strip()]
    header = "score" if number_in(lines[0][1], ".") is not None else lines.pop(0)[1]
    return grid_of_records([header], [[cell] for _, cell in lines], [number for number, _ in lines], name, ",")


def _width(header: list[str], rows: list[list[str]], numbers: list[int], delimiter: str, name: str) -> int:
    """Return the number of columns; delimiters at the end of lines add no column."""
    width = named = last_filled(header)
    for number, row in zip(numbers, rows, strict=True):
        filled = len(row) if len(row) == named else last_filled(row)
        if len(row) < named or filled > len(header):
            problem = (
                f"{name}, line {number} has {len(row)} fields between {delimiter!r}, but the header has {len(header)}"
            )
            hint = "put names that hold the delimiter into quotation marks" if filled > len(header) else ""
            raise TableError(problem, hint)
        width = max(width, filled)
    return width


def grid_of_uneven_text(
    head: LinesAtHand,
    rest: Iterable[tuple[int, str]],
    name: str,
    delimiter: str | None,
    header_rows: int | None,
    *,
    is_exact: bool,
) -> Grid:
    """Read text whose first lines have different numbers of fields, such as a table below a title."""
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
    grid = grid_of_rows(rows, numbers, name, used, header_rows, tuple(_told(titles)))
    return replace(grid, around=(*grid.around, *titles_of(line.strip("#% \t\r\n") for _, line in titles)))


def grid_of_rows(
    rows: list[list[str]],
    numbers: list[int],
    name: str,
    delimiter: str,
    header_rows: int | None = None,
    findings: tuple[Finding, ...] = (),
) -> Grid:
    """Return the grid of split rows, which may begin with titles and end with notes."""
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
    grid = grid_of_records(header, body, own, name, delimiter, (*findings, *laid.findings), laid.upper)
    return replace(grid, around=laid.around)


def _delimiter_of(head: LinesAtHand) -> str:
    """Return the delimiter with the same count in the largest number of lines."""
    lines = [line for _, line in head if line.strip()]

    def evenness(delimiter: str) -> tuple[int, int]:
        counts = Counter("".join(line.split('"')[::2]).count(delimiter) for line in lines)
        del counts[0]
        return max(((n, count) for count, n in counts.items()), default=(0, 0))

    best = max(DELIMITERS, key=evenness)
    # two lines or fewer do not show whether the rows are even
    return best if evenness(best)[0] > 2 else most_frequent_delimiter(lines[0])


def _top(head: LinesAtHand, delimiter: str, name: str) -> int:
    """Return the index of the line where the table begins, below titles and comments."""
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


def _refuse_title(head: LinesAtHand, counts: Sequence[int], top: int, usual: int, delimiter: str, name: str) -> None:
    """Reject a line whose number of fields differs from the rows, if a later line looks like the header."""
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
    """Add a name to a header that has one fewer name than each row has fields, as in files written by R."""
    first, *others = rows
    if not others or any(len(row) != len(first) + 1 for row in others) or not any(row[-1].strip() for row in others):
        return rows  # a delimiter at the end of each row adds no column
    # a decimal comma between commas looks so too, unless other numbers have points
    may_number = delimiter != "," or any("." in field and _is_number(field) for row in others for field in row[1:])
    numbers = [str(i) for i in range(len(others) + 1)]
    if may_number and [row[0] for row in others] in (numbers[1:], numbers[:-1]):
        return [["", *first], *others]  # R numbers rows without names, as pandas does from 0
    is_named = all(row[0] and not _is_number(row[0]) for row in others) and not any(map(_is_number, first))
    if is_called(text_of(first[0]), (*DATASET_COLUMNS, *CLASSIFIER_COLUMNS)) or not any(
        "." in f for f in others[0][1:]
    ):
        return rows
    return [["", *first], *others] if is_named else rows


def _refuse_other_end(
    header: Sequence[str], rows: list[list[str]], numbers: list[int], name: str, delimiter: str
) -> None:
    """Reject last lines with fewer fields and without numbers; the message names the option `rows`."""
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


def _told(titles: LinesAtHand) -> list[Finding]:
    if not titles:
        return []
    texts = examples([short(line.strip()) for _, line in titles], 3)
    what = "The line above the table holds" if len(titles) == 1 else f"The {len(titles)} lines above the table hold"
    return [Finding(code="title-rows", severity="note", sentence=f"{what} no scores: {texts}.")]
