"""Which scores did the reference results of aeon, or an evaluation by tsml-eval, keep? One file for each estimator."""

from __future__ import annotations

__all__ = ["FORMAT"]

import csv
import re
from collections.abc import Sequence
from typing import Any

from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, chosen_metric, directions, scores_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError

EXAMPLE = """
HC2_accuracy.csv:
Resamples:,0,1,2
ACSF1,0.91,0.80,0.83
Adiac,0.81,0.80,0.81
""".lstrip()

DIRECTIONS = directions(
    gains="""
    accuracy acc balacc auroc f1 precision recall mcc sensitivity specificity clacc ami ari mi nmi ri r2
    """,
    losses="""
    logloss nll mse mae rmse mape smape fittime predicttime memoryusage
    """,
)
_FILE = re.compile(rf"(?:^|/)([^/]+)_({'|'.join(DIRECTIONS)})\.csv$", re.IGNORECASE)


def _recognises(seen: Seen) -> bool:
    if seen.kind == "text":
        return bool(_FILE.search(seen.file or "")) and _counts_resamples(seen.header)
    return any(map(_FILE.search, seen.members))


def _counts_resamples(header: Sequence[str]) -> bool:
    return list(header[1:]) == [str(i) for i in range(len(header) - 1)]


def _read(seen: Seen, asked: Asked) -> Found:
    files = {name: seen.member(name) for name in seen.members if _FILE.search(name)} or {seen.file or "": seen}
    found = [(match[1], match[2].casefold(), name) for name in files if (match := _FILE.search(name))]
    if not found:
        raise TableError(f"{seen.name} holds no file such as HC2_accuracy.csv with the results of one estimator")
    measures = list(dict.fromkeys(measure for _, measure, _ in found))
    metric = chosen_metric(seen, asked, measures, "accuracy")
    columns: dict[str, list[Any]] = {name: [] for name in ("dataset", "classifier", "repeat", "score")}
    for estimator, measure, member in found:
        if measure != metric:
            continue
        for dataset, scores in _table(files[member], member):
            columns["dataset"] += [dataset] * len(scores)
            columns["classifier"] += [estimator] * len(scores)
            columns["repeat"] += range(len(scores))
            columns["score"] += scores
    findings = []
    if len(measures) > 1:
        others = ", ".join(measure for measure in measures if measure != metric)
        findings.append(note("metric-chosen", f"{metric} is compared; {others} is there too, which metric= chooses."))
    findings.append(note("resamples", "A resample is a repeat with one split; the first is that of the archive."))
    return scores_found(seen, columns, metric=metric, greater_is_better=DIRECTIONS[metric], findings=findings)


def _table(file: Seen, member: str) -> list[tuple[str, list[str]]]:
    """Return the dataset and the scores of each line; files of before 2018 have no header."""
    rows = [
        (number, [field.strip() for field in next(csv.reader([line]), [])])
        for number, line in file.lines()
        if line.strip()
    ]
    if rows and _counts_resamples(rows[0][1]):
        rows = rows[1:]
    width = max((len(fields) for _, fields in rows), default=0)
    for number, fields in rows:
        if len(fields) != width or width < 2:
            raise TableError(f"{member}, line {number} has {len(fields)} fields, but other lines have {width}")
    return [(fields[0], fields[1:]) for _, fields in rows]


FORMAT = Format(
    name="aeon-results",
    title="aeon and tsml-eval, a directory of ESTIMATOR_MEASURE.csv",
    description="Scores of resamples, a row for each dataset and a file for each estimator; accuracy unless asked.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
