"""Scores of trec_eval for each query: one file for each run, written with the option -q."""

from __future__ import annotations

__all__ = ["FORMATS"]

import re

from evalstats.io.formats.format import Format, Found, Sign, chosen_metric
from evalstats.io.formats.log_files import Item, Log, label_of, logs_in
from evalstats.io.formats.log_questions import items_found, printed_ties
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import number_in
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError

_LINE = re.compile(r"([\w.,=+-]+)[ ]*\t(\S+)[ ]*\t(\S+)\s*")
_MEASURE = re.compile(
    r"map|gm_map|P_\d+|recall_\d+|ndcg(?:_[\d=,.]+)?|ndcg_cut_\d+|recip_rank|Rprec|bpref|num_\w+|runid|set_\w+|infAP|11pt_avg(?:_[\d,.]+)?"
    r"|iprec_at_recall_[\d.]+|map_cut_\d+|success_\d+|relative_P_\d+|Rprec_mult_[\d.]+|utility(?:_[-\d,.]+)?|binG|G"
    r"|relstring(?:_\d+)?"
)
ALL, RUN, TASK = "all", "runid", "queries"
COUNTS, JUDGMENTS = "num_", "relstring"
_LOOKED_AT = 20  # number of first lines that are checked

EXAMPLE = (
    "map                   \t301\t0.1526\nP_10                  \t301\t0.3000\n"
    "map                   \t302\t0.4120\nP_10                  \t302\t0.6000\n"
    "runid                 \tall\tbm25\nmap                   \tall\t0.2823\n"
)


def _is_log(seen: Seen) -> bool:
    """Return whether most of the first lines contain a trec_eval measure, a query and a value."""
    lines = [line for line in seen.start.splitlines()[:_LOOKED_AT] if line.strip()]
    matches = [found and _MEASURE.fullmatch(found[1]) for found in map(_LINE.fullmatch, lines)]
    # the reader reports damaged lines
    return seen.kind == "text" and any(matches[:1]) and 2 * sum(map(bool, matches)) > len(matches)


def _read(seen: Seen, asked: Asked) -> Found:
    files = logs_in(seen, _is_log)
    labels = label_of([one.path or one.name for one in files])
    runs = [_of_file(one, labels[one.path or one.name]) for one in files]
    measures = list(dict.fromkeys(measure for _, scores in runs for measure, _ in scores))
    if not measures:
        problem = f"{seen.name} holds only means over all queries, as trec_eval prints them by default"
        raise TableError(problem, "call trec_eval with the option -q for the score of each query")
    metric = chosen_metric(seen, asked, measures)
    logs = []
    for one, (name, scores) in zip(files, runs, strict=True):
        items = [
            Item(TASK, query, value, place=one.name) for (measure, query), value in scores.items() if measure == metric
        ]
        logs.append(Log(name, one.name, one.path or one.name, items))
    found = printed_ties(logs, "trec_eval")
    return items_found(seen, asked, logs, metric=metric, greater_is_better=True, findings=found)


def _of_file(seen: Seen, label: str) -> tuple[str, dict[tuple[str, str], float]]:
    """Return the name of a run, and its scores by measure and query."""
    name = label
    scores: dict[tuple[str, str], float] = {}
    for number, line in seen.lines():
        if not line.strip():
            continue
        if (found := _LINE.fullmatch(line)) is None:
            raise TableError(f"{seen.name}, line {number} is not a measure, a query and a value between tabs")
        measure, query, said = found.groups()
        if measure == RUN:
            name = said
        elif query != ALL and not measure.startswith((COUNTS, JUDGMENTS)):
            if (value := number_in(said, ".")) is None:
                raise TableError(f"{seen.name}, line {number}: the value of {measure} is not a number")
            if scores.setdefault((measure, query), value) != value:
                raise TableError(f"{seen.name}, line {number}: {measure} of the query {query} occurs twice")
    return name, scores


FORMATS = (
    Format(
        name="trec-eval",
        title="trec_eval, output with -q",
        description="Values of one measure for each query. Each file is a run, named by its line runid or by the file name.",
        example=EXAMPLE,
        recognises=(Sign("text", ("\t",)),),
        confirms=_is_log,
        each_file=True,
        read=_read,
    ),
)
