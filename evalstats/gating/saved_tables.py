"""Scores and answers of a saved report that is used as the baseline or the candidate of a gate."""

from __future__ import annotations

__all__ = ["SavedTable", "answers_in", "saved_table"]

import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from evalstats import _files
from evalstats._errors import listed, short
from evalstats._lexicon import UNNAMED
from evalstats.io.layouts.questions import ONE_STRATUM
from evalstats.io.reader.record_text import document_of_text
from evalstats.io.reader.saved_records import table_told
from evalstats.io.reader.saved_reports import check_report
from evalstats.tables.errors import TableError
from evalstats.tables.items import ALL_ITEMS, ItemAnswers
from evalstats.tables.score_table import ScoreTable

_FIRST = 4096
_KIND = re.compile(rb'"kind"\s*:\s*"evalstats ')
_DIRECTION = "greater_is_better"
# name of the dataset if the answers have no column of datasets
NAMELESS = ((ONE_STRATUM,), (UNNAMED["dataset"],))


class SavedTable(NamedTuple):
    """Scores of a report, and whether the direction of their metric is known."""

    table: ScoreTable
    knows_direction: bool  # whether it is given explicitly, if the name of the metric does not determine it


def saved_table(source: Any, metric: str | None = None) -> SavedTable | None:
    """Return the scores in a report of `compare`, or None if the source is not a report.

    Parameters
    ----------
    source : object
        The path of a report, or its parsed text.
    metric : str, optional
        Name of the metric, for a report of several metrics.

    Raises
    ------
    TableError
        If the checksum of the report is missing or wrong, or if the report has unknown keys or no table of scores.
    """
    if isinstance(source, Mapping):
        name, document = "the report", source
        if not str(source.get("kind", "")).startswith("evalstats "):
            return None
    else:
        if not isinstance(source, str | os.PathLike) or (text := _text(source)) is None:
            return None
        name = os.path.basename(os.fspath(source))
        document = document_of_text(text, name)
    check_report(document, name)
    return _table_of(name, document, metric)


def _text(path: Any) -> str | None:
    """Return the text of a file if it is a JSON object that is marked as a report. Otherwise return None."""
    try:
        with _files.opened(path) as file:
            start = file.read(_FIRST)
            if not start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
                return None
            content: bytes = start + _files.whole(file)
    except (OSError, ValueError):
        return None  # the reader of tables raises the error
    if not _KIND.search(content):
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _table_of(name: str, document: Mapping[str, Any], metric: str | None) -> SavedTable:
    kind = str(document["kind"]).removeprefix("evalstats ")
    record = document.get(kind)
    if kind == "by_metric" and isinstance(record, Mapping):
        kind, record = "comparison", _by_metric(name, record, metric)
    if not isinstance(record, Mapping) or not isinstance(record.get("table"), Mapping):
        raise TableError(
            f"{name} is a report of the kind {short(kind)}, which holds no table of scores", "give the data themselves"
        )
    if record.get("design") == "instances" and record["table"].get("answers") is None:
        raise TableError(f"{name} holds the scores of predictions, not the predictions", "give the predictions")
    held = table_told(record["table"])
    options = record.get("options")
    is_told = isinstance(options, Mapping) and options.get(_DIRECTION) is not None
    return SavedTable(held, is_told)


def answers_in(table: ScoreTable, classifier: str) -> ItemAnswers | None:
    """Return the answers of a model to individual questions, or None if they are not correct or incorrect."""
    answers = table.answers
    if answers is None:
        return None
    at = table.position(classifier)
    scores, n = answers.scores[:, at], answers.n_samples[:, at]
    if ((scores < 0) | (scores > 1)).any() or (table.format and not table.greater_is_better):
        return None
    # only correct and incorrect answers have this variance around their mean
    if not table.format and not np.allclose(answers.within[:, at], n * scores * (1 - scores)):
        return None
    if table._scored is None and not table.greater_is_better:
        scores = 1 - scores
    is_single = bool((n == 1).all() and np.isin(scores, (0, 1)).all())
    names = (ALL_ITEMS,) if table.datasets in NAMELESS else table.datasets
    return ItemAnswers(
        name=table.source or "the table",
        task=[names[b] for b in answers.benchmark.tolist()],
        item=list(answers.questions),
        y_true=None,
        y_pred=None,
        y_score=None,
        right=(scores == 1).tolist() if is_single else None,
        cluster=None if answers.cluster is None else list(map(str, answers.cluster.tolist())),
        metric=table.metric if table.format else None,
        share=None if is_single else scores.tolist(),
        n_answers=None if is_single else n.tolist(),
        subgroup=None if answers.subgroup is None else answers.subgroup.labels,
    )


def _by_metric(name: str, record: Mapping[str, Any], metric: str | None) -> Any:
    """Return the comparison by the given metric from a report for several metrics."""
    within = record.get("comparisons")
    found = {
        str(one["table"].get("metric")): one
        for one in (within if isinstance(within, list) else ())
        if isinstance(one, Mapping) and isinstance(one.get("table"), Mapping)
    }
    if metric is None and len(found) > 1:
        problem = f"{name} is a report for several metrics ({listed(list(found))})"
        raise TableError(problem, "choose one with {}", "metric", next(iter(found)))
    if found and metric is not None and metric not in found:
        raise TableError(f"{name} is a report for {listed(list(found))}, not for {short(metric)}")
    return found.get(metric or next(iter(found), ""))
