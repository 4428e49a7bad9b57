"""Scores of ir_measures for each query: a table from iter_calc, or the output of its command."""

from __future__ import annotations

__all__ = ["FORMATS"]

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from evalstats.io.formats.format import Format, Found, Sign, chosen_metric, column_called, rows_of
from evalstats.io.formats.log_files import Item, Log, label_of, logs_in
from evalstats.io.formats.log_questions import items_found, printed_ties
from evalstats.io.options import Asked
from evalstats.io.sources.json import checked_json
from evalstats.io.sources.numbers import as_float, number_in
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError

QUERY, MEASURE, VALUE = "query_id", "measure", "value"
RUNS = ("run", "run_id", "run_name", "system", "model", "name")
TASK = "queries"
ALL = "all"
_LINE = re.compile(r"(\S+)[ ]*\t(\S+)[ ]*\t([-+.\deE]+|nan)\s*")
_LOOKED_AT = 20  # number of first lines that are checked
_MEASURE = re.compile(r"(?:AP|nDCG|P|R|RR|ERR|RBP|Rprec|Bpref|infAP|Judged|Success|NumRet|NumRel|SetP|SetR|SetF)\b.*")

EXAMPLE = """
run,query_id,measure,value
bm25,q1,nDCG@10,0.61
bm25,q2,nDCG@10,0.35
splade,q1,nDCG@10,0.70
splade,q2,nDCG@10,0.44
""".lstrip()
EXAMPLE_OF_LINES = (
    '{"query_id": "q1", "measure": "AP", "value": 0.412}\n{"query_id": "q2", "measure": "AP", "value": 0.33}\n'
)
EXAMPLE_OF_TEXT = "q1\tAP\t0.4120\nq2\tAP\t0.3300\n"


class _Score(NamedTuple):
    run: str
    query: str
    measure: str
    value: float
    place: str


def _is_table(seen: Seen) -> bool:
    return seen.kind in ("text", "frame") and {QUERY, MEASURE, VALUE} <= set(seen.header)


def _is_printed(seen: Seen) -> bool:
    """Return whether most of the first lines contain a query, a measure and a value."""
    lines = [line for line in seen.start.splitlines()[:_LOOKED_AT] if line.strip()]
    matches = [found and _MEASURE.fullmatch(found[2]) for found in map(_LINE.fullmatch, lines)]
    # the reader reports damaged lines
    return seen.kind == "text" and any(matches[:1]) and 2 * sum(map(bool, matches)) > len(matches)


def _scores_of_table(seen: Seen, label: str) -> Iterator[_Score]:
    rows = rows_of(seen, (QUERY, MEASURE, VALUE), "ir_measures")
    run = column_called(rows.columns, RUNS)
    runs = [label] * len(rows.numbers) if run is None else rows.texts(run)
    told = zip(runs, rows.texts(QUERY), rows.texts(MEASURE), rows.values(VALUE), rows.numbers, strict=True)
    for own, query, measure, value, number in told:
        yield _Score(own, query, measure, value, f"{seen.name}, {rows.word} {number}")


def _scores_of_text(seen: Seen, label: str) -> Iterator[_Score]:
    for number, line in seen.lines():
        if not line.strip():
            continue
        found = _LINE.fullmatch(line)
        if found is None or (value := number_in(found[3], ".")) is None:
            raise TableError(f"{seen.name}, line {number} is not a query, a measure and a value between tabs")
        yield _Score(label, found[1], found[2], value, f"{seen.name}, line {number}")


def _is_lines(seen: Seen) -> bool:
    return seen.kind == "json-lines" and all(f'"{key}"' in seen.start for key in (QUERY, MEASURE, VALUE))


def _scores_of_lines(seen: Seen, label: str) -> Iterator[_Score]:
    for number, line in seen.lines():
        if not line.strip():
            continue
        one, place = checked_json(line, f"{seen.name}, line {number}"), f"{seen.name}, line {number}"
        value = one.get(VALUE) if isinstance(one, dict) else None
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise TableError(f"{place} is not an object with a query, a measure and a number")
        query = one.get(QUERY)
        yield _Score(label, ALL if query is None else str(query), str(one.get(MEASURE)), as_float(value), place)


def _read_table(seen: Seen, asked: Asked) -> Found:
    return _found(seen, asked, logs_in(seen, _is_table), _scores_of_table)


def _read_text(seen: Seen, asked: Asked) -> Found:
    return _found(seen, asked, logs_in(seen, _is_printed), _scores_of_text)


def _read_lines(seen: Seen, asked: Asked) -> Found:
    return _found(seen, asked, logs_in(seen, _is_lines), _scores_of_lines)


def _found(seen: Seen, asked: Asked, files: list[Seen], read: Callable[[Seen, str], Iterator[_Score]]) -> Found:
    labels = label_of([one.path or one.name for one in files])
    scores = [score for one in files for score in read(one, labels[one.path or one.name])]
    scores = [score for score in scores if score.query != ALL]  # the means of all queries
    if not scores:
        raise TableError(
            f"{seen.name} holds only means over all queries; call ir_measures with the option -q for the "
            "score of each query"
        )
    metric = chosen_metric(seen, asked, list(dict.fromkeys(score.measure for score in scores)))
    logs: dict[str, Log] = {}
    for score in scores:
        if score.measure == metric:
            log = logs.setdefault(score.run, Log(score.run, score.run, score.run))
            log.items.append(Item(TASK, score.query, score.value, place=score.place))
    found = printed_ties(list(logs.values()), "ir_measures") if read is _scores_of_text else []
    return items_found(seen, asked, list(logs.values()), metric=metric, greater_is_better=True, findings=found)


FORMATS = (
    Format(
        name="ir-measures-table",
        title="ir_measures, the scores of iter_calc as CSV or frame",
        description="Values of one measure for each query. The column run, or the name of the file, names the classifier.",
        example=EXAMPLE,
        recognises=(Sign("columns", (QUERY, MEASURE, VALUE)),),
        confirms=_is_table,
        each_file=True,
        read=_read_table,
    ),
    Format(
        name="ir-measures-text",
        title="ir_measures, output of the command with -q",
        description="Values of one measure for each query. The name of each file is the name of a classifier.",
        example=EXAMPLE_OF_TEXT,
        recognises=(Sign("text", ("\t",)),),
        confirms=_is_printed,
        each_file=True,
        read=_read_text,
    ),
    Format(
        name="ir-measures-jsonl",
        title="ir_measures, output of the command with -q and -o jsonl",
        description="Values of one measure for each query. The name of each file is the name of a classifier.",
        example=EXAMPLE_OF_LINES,
        recognises=(Sign("lines", (QUERY, MEASURE, VALUE)),),
        confirms=_is_lines,
        each_file=True,
        read=_read_lines,
    ),
)
