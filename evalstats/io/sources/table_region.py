"""Choice and position of the table in text that another program wrote, between titles and notes."""

from __future__ import annotations

__all__ = [
    "Laid",
    "grid_of_laid_rows",
    "is_number",
    "is_one_text",
    "laid_out",
    "last_filled",
    "merged_levels",
    "of_level",
    "one_table",
    "refuse_numbers_as_names",
    "rows_asked",
    "titles_of",
]

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from evalstats import _lexicon
from evalstats._errors import InvalidValueError, examples, listed
from evalstats._findings import Finding
from evalstats.io.sources.grid import Around, Grid
from evalstats.io.sources.numbers import number_in, without_thousands, written_in
from evalstats.metrics.directions import direction_of
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of, texts_of

# number of rows that are searched for a header below other content
_SEARCHED = 20
_LONGEST_NAME = 5  # maximum number of words of a name in its own row; a longer text is a sentence
_WORD_OF_NOTE = (
    rf"(?:{_lexicon.one_of('summaries.note').replace('_', ' ')}|{_lexicon.one_of('summaries.note_stem')}\w*)"
)
_NOTE = re.compile(rf"{_WORD_OF_NOTE}\b.*[\s:].|[*†‡§¶#(\[]|[a-z]\)\s", re.IGNORECASE)
_MOST_LEVELS = 6  # maximum number of rows of names that are recognized
_LEVELS = (*_lexicon.CLASSIFIER_COLUMNS, *_lexicon.DATASET_COLUMNS, *_lexicon.METRIC_COLUMNS, *_lexicon.RUN_COLUMNS)
_MEASURES = _lexicon.word_list("levels.mean", "levels.spread", "levels.rank")
_RANGE = re.compile(r"\s*(\d{0,9})\s*-\s*(\d{0,9})\s*", re.ASCII)


class Laid(NamedTuple):
    """Position and names of a table that was found among rows of cells."""

    header: list[str]
    upper: tuple[str, ...]  # an upper row of the header; empty if there is none
    first: int  # row of cells
    end: int  # index of the row after the last row of cells
    findings: tuple[Finding, ...]
    around: tuple[Around, ...]


def rows_asked(rows: Any) -> tuple[int, int | None]:
    """Return the first and the last row of a range such as '3-15'; None means the end of the source."""
    found = _RANGE.fullmatch(rows) if isinstance(rows, str) else None
    if not found or (found[1] and found[2] and int(found[1]) > int(found[2])) or not any(found.groups()):
        raise InvalidValueError(
            f"rows must be the first and the last row of the table, such as '3-15', not {short(rows)}"
        )
    return int(found[1] or 1), int(found[2]) if found[2] else None


def laid_out(
    rows: Sequence[Sequence[Any]],
    numbers: Sequence[int],
    *,
    name: str,
    word: str,
    header_rows: int | None = None,
    is_exact: bool = False,
    spans: bool = False,
) -> Laid:
    """Find the table among rows of cells that are not blank.

    Parameters
    ----------
    rows, numbers : sequence
        Rows of cells, and their line or row numbers in the source.
    name, word : str
        Name of the source, and the word for its rows, in messages.
    header_rows : {0, 1, 2}, optional
        Number of header rows. By default, it is detected automatically.
    is_exact : bool
        Whether the user gave the position of the table.
    spans : bool
        Whether text that spans a row is repeated in all its cells.
    """
    texts = [texts_of(row) for row in rows[: 2 * _SEARCHED]]
    top = (
        0
        if is_exact
        else next((i for i, row in enumerate(texts) if _n_filled(row) > 1 and not (spans and is_one_text(row))), 0)
    )
    bottom = len(rows) if is_exact else _bottom(rows, numbers, top)
    findings = [*_told("title-rows", "above", rows[:top]), *_told("notes-below", "below", rows[bottom:])]
    titles = titles_of(map(_sentence, rows[:top]))
    width = n_merged = 0
    for row in rows[top:bottom]:
        if len(row) > width:
            width = max(width, last_filled(row))
    if not width:
        raise TableError(f"{name} is empty")
    padded = [[*row, *[""] * (width - len(row))][:width] for row in rows[top:bottom][: _SEARCHED + 2]]
    if header_rows is None and (n_levels := _n_levels(padded)) > 2:
        n_index = max(_names_of_index(padded[n_levels:]), 1)
        levels = [["" if j < n_index else text_of(cell) for j, cell in enumerate(row)] for row in padded[:n_levels]]
        corners = [next(filter(None, map(text_of, row[:n_index])), "") for row in padded[:n_levels]]
        merged, told = merged_levels(list(map(of_level, corners, levels)), name)
        findings.append(told)
        padded, header_rows, n_merged = [*merged, *padded[n_levels:]], len(merged), n_levels - len(merged)
    n = _n_header_rows(padded) if header_rows is None else header_rows
    if n == 1 and header_rows is None:
        refuse_numbers_as_names(padded[0], f"{name}, {word} {numbers[top]}")
        if not is_exact:
            _refuse_lower_header(padded, numbers[top:bottom], name, word)
    if n > len(padded):
        raise TableError(f"{name} has {len(padded)} row, so {n} cannot name its columns")
    header, upper = _names(padded, n)
    top += n_merged
    if n and (n_names := _names_of_index(padded[n:])):  # pandas writes the names of an index below the header
        header[:n_names], n = map(text_of, padded[n][:n_names]), n + 1
    around = (*titles, *_notes_of(map(_sentence, rows[bottom:])))
    return Laid(header, upper, top + n, bottom, tuple(findings), around)


def is_one_text(row: Sequence[Any]) -> bool:
    """Return whether all cells of a row contain the same text, like a title that spans the table."""
    first = text_of(row[0]) if row else ""
    return len(row) > 1 and first != "" and all(text_of(cell) == first for cell in row) and not is_number(first)


def _n_filled(row: Sequence[Any]) -> int:
    return sum(1 for cell in row if text_of(cell))


def last_filled(row: Iterable[Any]) -> int:
    """Return the number of fields up to the last nonblank field."""
    return max((j + 1 for j, cell in enumerate(row) if text_of(cell)), default=0)


def _bottom(rows: Sequence[Sequence[Any]], numbers: Sequence[int], top: int) -> int:
    """Return the index at which notes begin: final rows in which only the first cell is filled."""
    bottom = last = len(rows)
    while last > top + 2 and _n_filled(rows[last - 1]) == 1:
        last -= 1
        text = next(text for cell in rows[last] if (text := text_of(cell)))
        is_apart = numbers[last] - numbers[last - 1] > 1
        is_sentence = len(text.split()) > _LONGEST_NAME or text.endswith(".")
        if len(rows[last]) == 1 or is_apart or is_sentence or _NOTE.match(text):
            bottom = last
    return bottom


def _n_header_rows(rows: Sequence[Sequence[Any]]) -> int:
    """Return the number of header rows: 2 if the first row contains group names, otherwise 1."""
    if len(rows) < 3:
        return 1
    first, second = (texts_of(row) for row in rows[:2])
    names = first[1:]
    n_index = _names_of_index(rows[2:])  # their columns have no name in the rows above
    has_cells = any(is_number(cell) for cell in rows[2][1:]) or n_index > 0
    if n_index:
        return 2
    if all(names) and len(set(names)) == len(names):
        is_level = not second[0] and len(set(second)) == len(second) > 2 and not any(map(is_number, second + names))
        return 2 if is_level and has_cells else 1
    has_names = all(upper or lower for upper, lower in list(zip(first, second, strict=True))[max(n_index, 1) :])
    is_text = not any(is_number(cell) for cell in second) and _n_filled(second) > 1
    is_text = is_text or (
        _lexicon.is_called(second[0], _lexicon.RUN_COLUMNS) and not any(map(is_number, filter(None, names)))
    )
    is_text = is_text or _counts_in_groups(names, second[1:]) or _counts_in_groups(second[1:], names)
    return 2 if has_names and is_text and has_cells else 1


def _n_levels(rows: Sequence[Sequence[Any]]) -> int:
    """Return the number of rows of names above the names of the index or above the cells; 0 if unknown."""
    counts = range(2, min(_MOST_LEVELS, len(rows) - 1) + 1)
    if below := [n for n in counts if _names_of_index(rows[n:])]:
        return below[0] if all(_n_filled(row) > 1 for row in rows[: below[0]]) else 0
    n = next((n for n in counts if text_of(rows[n][0]) and any(map(is_number, rows[n][1:]))), 0)
    if not n or not all(map(text_of, rows[n - 1][1:])) or any(is_number(cell) for row in rows[:n] for cell in row[1:]):
        return 0
    corners = [text_of(row[0]) for row in rows[:n]]
    return n if not any(corners) or (n > 2 and all(_lexicon.is_called(name, _LEVELS) for name in corners)) else 0


def merged_levels(levels: Sequence[list[str]], name: str) -> tuple[list[list[str]], Finding]:
    """Return three or more rows of column names as one or two rows, and a note.

    The names of measures, or the numbers of folds or runs, are in a row of their own. A row with the same name in all
    columns is used only if it is the metric of all scores.
    """
    filled = [_filled_forward(names) for names in levels]
    first = [next(filter(None, names)) for names in filled]
    known = [direction_of(name) is not None or _lexicon.is_called(name, _MEASURES) for name in first]
    differ = [len(set(filter(None, names))) > 1 for names in filled]
    measures = [i for i, is_known in enumerate(known) if is_known and (differ[i] or direction_of(first[i]) is not None)]
    others = [i for i in range(len(filled)) if i not in measures and differ[i]]
    runs = [i for i in others if all(one.rpartition(" ")[2].isdecimal() for one in filled[i] if one)]
    if runs and len(others) > len(runs):
        if len(others) > 2 or any(differ[i] or direction_of(first[i]) is False for i in measures):
            raise TableError(
                f"{name}: the columns have {len(levels)} rows of names, of which one may number folds or runs",
                f"give each fold or run a row of its own, in pandas with table.stack({runs[0]})",
            )
        others, measures = [i for i in others if i not in runs], runs
    groups = [group for group in (others, measures) if group] or [list(range(len(filled)))]
    rows = [
        [" ".join(filter(None, names)) for names in zip(*(filled[i] for i in group), strict=True)] for group in groups
    ]
    words = (
        f"The header has {len(levels)} rows, which are read as {listed(next(filter(None, names)) for names in rows)}"
    )
    used = {i for group in groups for i in group}
    if unused := [first[i] for i in range(len(filled)) if i not in used]:
        words += f"; {listed(unused)} in all columns {'is' if len(unused) == 1 else 'are'} not used"
    return rows, Finding(code="levels", severity="note", sentence=f"{words}.")


def _filled_forward(names: Sequence[str]) -> list[str]:
    filled: list[str] = []
    for name in names:
        filled.append(name or (filled[-1] if filled else ""))
    return filled


def _counts_in_groups(groups: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether names count from 0 or 1 within each of several groups."""
    if not groups or not groups[0] or not all(name.isdecimal() for name in names):
        return False
    counts: dict[str, list[int]] = {}
    group = ""
    for above, name in zip(groups, names, strict=True):
        group = above or group
        counts.setdefault(group, []).append(int(name))
    own = sorted(next(iter(counts.values())))
    is_same = all(sorted(numbers) == own for numbers in counts.values())
    return is_same and len(own) > 1 < len(counts) and own == list(range(own[0], own[0] + len(own))) and own[0] < 2


def is_number(cell: Any) -> bool:
    """Return whether a cell is a number, with or without decoration, or a word for a missing number."""
    if text_of(cell) == "":
        return False
    if any(number_in(cell, decimal) is not None for decimal in (".", ",")):
        return True
    if not isinstance(cell, str):
        return False
    plain = without_thousands(cell)
    return any(written_in(plain, decimal) is not None for decimal in (".", ","))


def refuse_numbers_as_names(header: Sequence[Any], place: str) -> None:
    """Reject a header whose classifier names are fractions, because the header row is missing."""
    names = [text for cell in header[1:] if (text := text_of(cell))]
    if names and all(map(is_number, names)) and any("." in name or "," in name for name in names):
        raise TableError(
            f"{place} holds numbers, such as {short(names[0])}, instead of the names of the columns",
            "if they are names, pass {one_header}; if the table has no header, pass {}",
            "header_rows",
            "0",
        )


def _names_of_index(rows: Sequence[Sequence[Any]]) -> int:
    """Return the number of index names in the row below the header; 0 if the row contains something else."""
    if len(rows) < 2 or not any(map(is_number, rows[1][1:])):
        return 0
    n = _n_filled(rows[0])
    names = texts_of(rows[0][:n])
    known = (*_lexicon.DATASET_COLUMNS, *_lexicon.CLASSIFIER_COLUMNS, *(_lexicon.RUN_COLUMNS if n > 1 else ()))
    return n if all(name and _lexicon.is_called(name, known) for name in names) else 0


def _names(rows: Sequence[Sequence[Any]], n: int) -> tuple[list[str], tuple[str, ...]]:
    """Return the names of the columns, and the names of the groups above them."""
    if n == 0:
        is_named = not is_number(rows[0][0])
        return [""] * is_named + [f"classifier {j}" for j in range(1, len(rows[0]) + 1 - is_named)], ()
    first = texts_of(rows[0])
    if n == 1:
        return first, ()
    second = texts_of(rows[1])
    told = [of_level(names[0], names) for names in (first, second)]
    upper, header, group = [], [], ""
    for j, (above, below) in enumerate(zip(*told, strict=True)):
        group = above if above or j == 0 else group
        header.append(below or above)
        upper.append(group if below and j > 0 else "")
    if told != [first, second]:  # the corner names the level of the folds, and no column
        header[0] = ""
    return header, tuple(upper) if any(upper) else ()


def of_level(level: str, names: Sequence[str]) -> list[str]:
    """Prefix decimal names of a header level with `level`, if it denotes folds or repeats."""
    if not _lexicon.is_called(level, _lexicon.RUN_COLUMNS):
        return list(names)
    return [f"{level} {name}" if name.isdecimal() else name for name in names]


def _refuse_lower_header(rows: Sequence[Sequence[Any]], numbers: Sequence[int], name: str, word: str) -> None:
    """Reject a first row that is not a header, if a later row looks like the header."""
    is_named, width = all(text_of(cell) for cell in rows[0][1:]), len(rows[0])
    for i in range(1, min(len(rows) - 1, 2 if is_named else _SEARCHED)):
        names = texts_of(rows[i])
        is_header = all(names[1:]) and not any(map(is_number, names)) and len(set(names)) == width > 2
        if is_header and any(map(is_number, rows[i + 1][1:])):
            problem = "has no number below it" if is_named else "leaves columns without a name"
            raise TableError(
                f"{name}, {word} {numbers[0]} {problem}, but {word} {numbers[i]} looks like the header",
                "if the table begins there, pass {}",
                "rows",
                f"{numbers[i]}-",
            )


def titles_of(texts: Iterable[str]) -> list[Around]:
    """Return the lines above a table as titles, the nearest line first."""
    return [Around("title", text, "the line above the table") for text in texts if text][::-1]


def _notes_of(texts: Iterable[str]) -> list[Around]:
    return [Around("note", text, "the line below the table") for text in texts if text]


def _sentence(row: Sequence[Any]) -> str:
    """Join the distinct texts of a row, because a spanning text is repeated in its cells."""
    return " ".join(dict.fromkeys(filter(None, map(text_of, row))))


def _told(code: str, where: str, rows: Sequence[Sequence[Any]]) -> list[Finding]:
    if not rows:
        return []
    texts = [short(" ".join(filter(None, map(text_of, row)))) for row in rows]
    what = "The row" if len(rows) == 1 else f"The {len(rows)} rows"
    verb = "holds" if len(rows) == 1 else "hold"
    sentence = f"{what} {where} the table {verb} no scores: {examples(texts, 3)}."
    return [Finding(code=code, severity="note", sentence=sentence)]


Rows = Sequence[tuple[int, Sequence[Any]]]


def one_table(
    name: str,
    tables: Sequence[Rows],
    language: str,
    *,
    header_rows: int | None = None,
    findings: tuple[Finding, ...] = (),
    around: Sequence[Sequence[Around]] = (),
) -> Grid:
    """Return the grid of the only table; if there are several, an error asks for `rows`."""
    at = [i for i, rows in enumerate(tables) if len(rows) > 1 and any(len(cells) > 1 for _, cells in rows)]
    tables = [tables[i] for i in at]
    if not tables:
        raise TableError(f"{name} is written in {language}, but holds no table with at least two rows and two columns")
    if len(tables) > 1:
        places = listed([f"{rows[0][0]}-{rows[-1][0]}" for rows in tables])
        problem = f"{name} holds {len(tables)} tables of {language}, in the lines {places}"
        first, last = tables[0][0][0], tables[0][-1][0]
        raise TableError(problem, "choose one, for example {}", "rows", f"{first}-{last}")
    numbers, rows = zip(*tables[0], strict=True)
    grid = grid_of_laid_rows(name, rows, numbers, "line", header_rows=header_rows, findings=findings)
    return replace(grid, around=(*grid.around, *(around[at[0]] if around else ())))


def grid_of_laid_rows(
    name: str,
    rows: Sequence[Sequence[Any]],
    numbers: Sequence[int],
    word: str,
    *,
    header_rows: int | None = None,
    is_exact: bool = False,
    findings: tuple[Finding, ...] = (),
) -> Grid:
    """Return the grid of rows of cells without titles and notes; short rows are padded."""
    laid = laid_out(rows, numbers, name=name, word=word, header_rows=header_rows, is_exact=is_exact, spans=True)
    body = rows[laid.first : laid.end]
    columns = [[row[j] if j < len(row) else None for row in body] for j in range(len(laid.header))]
    own = [i for i, row in enumerate(body) if not is_one_text(row)] if "" in laid.header else []
    filled = [j for j, column in enumerate(columns) if laid.header[j] or any(text_of(column[i]) for i in own)]
    is_of_all = len(filled) > 2 and _lexicon.is_called(
        laid.header[0], (*_lexicon.CLASSIFIER_COLUMNS, *_lexicon.DATASET_COLUMNS)
    )
    if is_of_all and not any(map(text_of, columns[0])):  # pandas: the name of the columns, no index
        filled.remove(0)
    return Grid(
        name=name,
        header=[laid.header[j] for j in filled],
        columns=[columns[j] for j in filled],
        word=word,
        numbers=list(numbers[laid.first : laid.end]),
        must_name_datasets=True,
        findings=(*findings, *laid.findings),
        upper=tuple(laid.upper[j] for j in filled) if laid.upper else (),
        around=laid.around,
    )
