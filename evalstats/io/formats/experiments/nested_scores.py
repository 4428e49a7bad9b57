"""Scores in nested dicts, with a list of scores per split or a score per metric name."""

from __future__ import annotations

__all__ = ["FORMATS"]

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from evalstats._findings import note
from evalstats.io.columns.grammar import is_run
from evalstats.io.columns.roles import counted_splits
from evalstats.io.formats.format import Format, Found, Sign, chosen_metric, scores_found
from evalstats.io.formats.log_questions import are_of_trec, are_queries
from evalstats.io.layouts.orientation import nested_order, unsaid_order
from evalstats.io.options import Asked
from evalstats.io.sources.compressed import MAX_BYTES
from evalstats.io.sources.json import checked_json, nested_in
from evalstats.io.sources.numbers import as_float
from evalstats.io.sources.source import Seen
from evalstats.metrics.directions import direction_of, direction_of_metric
from evalstats.tables.errors import TableError, short

EXAMPLE = """
{
  "iris": {"bayes": [0.93, 0.97, 0.90], "tree": [0.93, 0.93, 0.87]},
  "wine": {"bayes": [0.97, 0.98, 0.95], "tree": [0.86, 0.92, 0.88]}
}
""".lstrip()

UNNAMED = "score"
TIME = "_time"  # a result of scikit-learn's cross_validate has some


class _Cell(NamedTuple):
    """Scores below an outer and an inner key: one list for each metric."""

    outer: str
    inner: str
    scores: Mapping[str, list[float]]


def _recognises(seen: Seen) -> bool:
    if seen.kind == "json" and not seen.start.lstrip().startswith("{"):
        return False
    try:
        return bool(_cells(seen.document))
    except TableError:  # it is not JSON, which the reader of plain tables reports
        return False


def _cells(document: Any) -> list[_Cell]:
    """Return the cells of a dict of dicts, or an empty list if a value does not hold scores."""
    nested = nested_in(document) if isinstance(document, Mapping) else {}
    if not all(nested.values()):
        return []
    found = []
    for outer, own in nested.items():
        of_queries = are_queries(own)
        for inner, value in own.items():
            if direction_of(str(inner)) is not None or not (scores := _scores(value, of_queries)):
                return []
            found.append(_Cell(str(outer), str(inner), scores))
    return found


def _scores(value: Any, of_queries: bool) -> Mapping[str, list[float]]:
    """Return the scores of a cell by metric, or an empty dict if the cell does not hold scores."""
    if isinstance(value, Mapping):
        if all(is_run(str(key)) for key in value):
            return {UNNAMED: own} if (own := _numbers(list(value.values()))) else {}
        if (
            any(str(key).endswith(TIME) for key in value)
            or are_of_trec(map(str, value), of_queries=of_queries)
            or direction_of(str(next(iter(value), ""))) is None
        ):
            return {}
        by_metric = {str(key): _numbers(own if _is_list(own) else [own]) for key, own in value.items()}
        return by_metric if all(by_metric.values()) else {}
    return {UNNAMED: own} if _is_list(value) and len(own := _numbers(value)) > 1 else {}


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1)


def _numbers(values: Sequence[Any]) -> list[float]:
    """Return values as floats, with nan for None, or an empty list if a value is not a number."""
    are = all(value is None or (isinstance(value, Real) and not isinstance(value, bool)) for value in values)
    return [np.nan if value is None else as_float(value) for value in values] if are else []


def _read(seen: Seen, asked: Asked) -> Found:
    document = seen.document
    if seen.kind == "json":
        document = checked_json("".join(line for _, line in seen.lines(MAX_BYTES)), seen.name)
    cells = _cells(document)
    if not cells:
        raise TableError(f"{seen.name} must be a dict of dicts that hold lists of scores or scores by metric")
    outer, inner = (list(dict.fromkeys(names)) for names in (zip(*[(c.outer, c.inner) for c in cells], strict=True)))
    is_outer_dataset = nested_order(outer, inner) if asked.transpose is None else asked.transpose
    if is_outer_dataset is None:
        raise unsaid_order(seen.name, outer, inner)
    common = [metric for metric in cells[0].scores if all(metric in cell.scores for cell in cells)]
    metric = asked.metric or UNNAMED if common == [UNNAMED] else chosen_metric(seen, asked, common)
    chosen = UNNAMED if common == [UNNAMED] else metric
    lengths = {len(cell.scores[chosen]) for cell in cells}
    if len(lengths) > 1:
        first = next(cell for cell in cells if len(cell.scores[chosen]) != len(cells[0].scores[chosen]))
        place = f"{short(cells[0].outer)} / {short(cells[0].inner)} has {len(cells[0].scores[chosen])}"
        other = f"{short(first.outer)} / {short(first.inner)} has {len(first.scores[chosen])}"
        raise TableError(f"{seen.name} must have equal numbers of scores in all lists, but {place} and {other}")
    n = lengths.pop()
    columns: dict[str, list[Any]] = {
        "dataset": [cell.outer if is_outer_dataset else cell.inner for cell in cells for _ in range(n)],
        "classifier": [cell.inner if is_outer_dataset else cell.outer for cell in cells for _ in range(n)],
        "score": [score for cell in cells for score in cell.scores[chosen]],
    }
    findings: list[Any] = []
    if n > 1:
        is_one = len(set(columns["dataset"])) == 1
        repeats, folds, findings = counted_splits(seen.name, n, asked, is_one_dataset=is_one)
        columns |= {"repeat": repeats * len(cells), "fold": folds * len(cells)}
        if not is_one and asked.n_folds is None:
            words = f"Each list of {n} scores is treated as the folds of one cross-validation; n_folds=1 treats them as"
            findings = [note("folds-assumed", f"{words} repeats.")]
    return scores_found(
        seen, columns, metric=metric, greater_is_better=direction_of_metric(metric) is not False, findings=findings
    )


FORMATS = (
    Format(
        name="nested-scores",
        title="Dicts of dicts with lists of scores or scores by metric",
        description="Scores of splits in lists, or scores by metric, for each dataset and classifier.",
        example=EXAMPLE,
        recognises=(Sign("keys"),),
        confirms=_recognises,
        read=_read,
        takes=("n_folds",),
    ),
)
