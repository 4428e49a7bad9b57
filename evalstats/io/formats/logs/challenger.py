"""Long table of challengeR: the value of each algorithm on each instance of each task."""

from __future__ import annotations

__all__ = ["FORMATS"]

from evalstats.io.formats.format import Format, Found, Sign, rows_of
from evalstats.io.formats.log_files import Item, Log
from evalstats.io.formats.log_questions import direction, items_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.metrics.directions import direction_of_metric

TASK, CASE, VALUE = "task", "case", "value"
# challengeR is told the names of the columns, and its own example has alg_name
ALGORITHMS = ("algorithm", "alg_name", "algorithm_name")

EXAMPLE = """
task,case,algorithm,value
liver,case 1,A,0.91
liver,case 1,B,0.84
liver,case 2,A,0.73
liver,case 2,B,0.79
""".lstrip()


def _is_table(seen: Seen) -> bool:
    names = set(seen.header)
    return seen.kind in ("text", "frame") and {TASK, CASE, VALUE} <= names and len(names.intersection(ALGORITHMS)) == 1


def _read(seen: Seen, asked: Asked) -> Found:
    algorithm_column = next((name for name in ALGORITHMS if name in seen.header), ALGORITHMS[0])
    rows = rows_of(seen, (TASK, CASE, algorithm_column, VALUE), "challengeR")
    metric = asked.metric or VALUE
    better = direction(seen, asked, {metric: direction_of_metric(asked.metric) if asked.metric else True})
    logs: dict[str, Log] = {}
    told = zip(*map(rows.texts, (TASK, CASE, algorithm_column)), rows.values(VALUE), rows.numbers, strict=True)
    for task, case, algorithm, value, number in told:
        log = logs.setdefault(algorithm, Log(algorithm, algorithm, algorithm))
        log.items.append(Item(task, case, value, place=f"{rows.word} {number}"))
    return items_found(seen, asked, list(logs.values()), metric=metric, greater_is_better=better)


FORMATS = (
    Format(
        name="challenger",
        title="challengeR, long table",
        description="One value of each algorithm on each instance of each task. An empty value is a missing result.",
        example=EXAMPLE,
        recognises=(Sign("columns", (TASK, CASE, "|".join(ALGORITHMS), VALUE)),),
        confirms=_is_table,
        read=_read,
    ),
)
