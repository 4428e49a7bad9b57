"""Baseline and candidate of a gate: their answers or scores, matched by name, also from a saved report."""

from __future__ import annotations

__all__ = ["SavedTable", "Sides", "read_sides"]

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from evalstats import _files
from evalstats._errors import InvalidTypeError, InvalidValueError, listed, short
from evalstats._findings import Finding
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS, RUN_COLUMNS, UNNAMED
from evalstats.gating.policy import Policy
from evalstats.gating.side_checks import NO_METRIC, SIDES, check_answers, check_scores, differing_wordings
from evalstats.io.columns.kinds import role_of
from evalstats.io.columns.roles import columns_called
from evalstats.io.layouts.questions import ONE_STRATUM
from evalstats.io.options import group_of
from evalstats.io.reader.answers import in_one_spelling, item_answers, log_answers
from evalstats.io.reader.opening import grid_of
from evalstats.io.reader.saved_records import table_told
from evalstats.io.reader.saved_reports import check_report, document_of_text
from evalstats.io.reader.several_files import has_scores_only
from evalstats.io.reader.tables import read_table
from evalstats.tables.categorical import parts_of
from evalstats.tables.errors import GROUPS, TableError, TableNotFoundError
from evalstats.tables.items import ALL_ITEMS, ItemAnswers
from evalstats.tables.prediction_scores import usual_name
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


def _saved_table(source: Any, metric: str | None = None) -> SavedTable | None:
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


def _answers_in(table: ScoreTable, classifier: str) -> ItemAnswers | None:
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


# maximum number of names in a message; the others are counted
LISTED = 5
# how a file is read
PARSING = ("delimiter", "encoding", "sheet")
# other arguments of a gate that an error about a file may name
OWN = ("metric", "greater_is_better", "cluster", "subgroup", "pos_label", "baseline_name", "candidate_name")


class Sides(NamedTuple):
    """Baseline and candidate of a gate, which have the same type: answers to questions, or scores of datasets."""

    baseline: ItemAnswers | ScoreTable
    candidate: ItemAnswers | ScoreTable
    findings: tuple[Finding, ...] = ()


class _Side(NamedTuple):
    """Data of the baseline or the candidate, and whether the direction of its scores is known."""

    data: ItemAnswers | ScoreTable
    is_told: bool = False  # the direction of its scores is given


def read_sides(
    baseline: Any,
    candidate: Any,
    baseline_name: str | None,
    candidate_name: str | None,
    policy: Policy,
    parsing: Mapping[str, Any] | None = None,
) -> Sides:
    """Read baseline and candidate, which must have the same type and metric."""
    reading = {name: value for name, value in group_of("parsing", parsing, PARSING).items() if value is not None}
    columns: dict[str, Any] = {"cluster": policy.cluster, "subgroup": policy.subgroup}
    with _naming("baseline"):
        first = _read(baseline, "baseline", baseline_name, policy, reading, **columns)
    with _naming("candidate"):
        second = _read(candidate, "candidate", candidate_name, policy, reading)
    old, new = first.data, second.data
    found = []
    if isinstance(old, ScoreTable) and isinstance(new, ScoreTable):
        for name in ("cluster", "allow_unequal_samples", "pos_label"):
            if getattr(policy, name):
                raise InvalidValueError(
                    f"{name} is for answers to questions, but baseline and candidate have scores of datasets"
                )
        check_scores(old, new, policy, is_told=first.is_told or second.is_told)
    elif isinstance(old, ItemAnswers) and isinstance(new, ItemAnswers):
        found = differing_wordings(old, new)
        old, new = in_one_spelling(old, new)
        check_answers(old, new, policy)
        old = _with_clusters(old, new)
    else:
        kinds = ["scores of datasets" if isinstance(one, ScoreTable) else "answers to questions" for one in (old, new)]
        raise InvalidValueError(
            f"baseline and candidate must be of the same kind, but they are {kinds[0]} and {kinds[1]}"
        )
    told = (*_findings_of(old, new), *found)
    if policy.cluster:  # of the baseline; the same column of the candidate is not needed
        told = tuple(finding for finding in told if finding.code != "possible-clusters")
    return Sides(old, new, told)


def _findings_of(old: ItemAnswers | ScoreTable, new: ItemAnswers | ScoreTable) -> Iterator[Finding]:
    """Yield the findings of baseline and candidate. A finding on one of them begins with its role."""
    both = [{finding.sentence: finding for finding in side.findings} for side in (old, new)]
    for side, own, other in zip(SIDES, both, reversed(both), strict=True):
        for sentence, finding in own.items():
            if sentence not in other:
                yield replace(finding, sentence=f"{side.capitalize()}: {sentence}")
            elif own is both[0]:
                yield finding


@contextmanager
def _naming(side: str) -> Iterator[None]:
    """Name the baseline or the candidate in an error about its file, because both files may have the same name."""
    try:
        yield
    except TableError as error:
        if side in str(error):
            raise
        raise TableError(
            f"{side}: {error.problem}", _hint(error), error.argument, error.value, code=error.code
        ) from error.__cause__
    except (InvalidValueError, InvalidTypeError, TableNotFoundError) as error:
        if side in str(error):
            raise
        raise type(error)(f"{side}: {error}") from error.__cause__


def _hint(error: TableError) -> str:
    """Return the advice of an error. A gate lacks most options of `read_table`, so the user must change the file."""
    values = (error.value,) if isinstance(error.value, str) else error.value
    if not error.hint or error.argument in ("", *PARSING, *OWN):
        return error.hint
    if error.argument == "drop" and any(values):
        return f"delete what is not compared, for example {listed(values)}"
    if error.argument == "rows_are":
        return "name the rows in a column 'dataset' or, if they are questions, 'item_id'"
    if error.argument in GROUPS["columns"]:
        what = f"the column {short(values[0])}" if any(values) else "its column"
        return f"call {what} '{error.argument}'"
    return ""


def _read(
    source: Any,
    side: str,
    classifier: str | None,
    policy: Policy,
    reading: Mapping[str, Any],
    *,
    cluster: str | None = None,
    subgroup: str | None = None,
) -> _Side:
    argument, metric = f"{side}_name", policy.rule.metric
    if (saved := _saved_table(source, metric)) is not None:
        held = _of_table(saved.table, side, classifier, cluster, subgroup, policy)
        return held._replace(is_told=saved.knows_direction)
    if isinstance(source, ScoreTable):
        return _of_table(source, side, classifier, cluster, subgroup, policy)
    told: dict[str, Any] = {"classifier": classifier, "cluster": cluster, "argument": argument, "reading": reading}
    logged = log_answers(source, metric=metric, greater_is_better=policy.greater_is_better, **told)
    if isinstance(logged, ItemAnswers):
        return _Side(logged)
    if logged is None:
        answers = item_answers(source, subgroup=subgroup, greater_is_better=policy.greater_is_better, **told)
        if answers is not None:
            return _Side(answers)
    try:
        named = _with_classifier(source, side, reading) if logged is None else source
        parsing = reading if named is source else None
        table = read_table(named, metric=metric, greater_is_better=policy.greater_is_better, parsing=parsing)
    except TableError as error:
        if error.code != "cases":
            raise
        raise TableError(
            f"{side}: a gate of questions needs correct and incorrect answers, 1 and 0. For other scores of questions, "
            "give both files and the margin to the command compare (evalstats.compare)"
        ) from error
    if table._scored is not None and len(table.datasets) < 2:
        raise TableError(
            f"{side}: no column of {short(table.source or 'the table')} names the questions, by which the answers of "
            "baseline and candidate are paired; add a column 'item_id'"
        )
    return _Side(_one_column(table, side, classifier))


def _with_classifier(source: Any, side: str, reading: Mapping[str, Any]) -> Any:
    """Return a source with a column of datasets or folds and columns of metrics as a table of one named classifier."""
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        return source
    if not isinstance(source, str | os.PathLike | Mapping) and not hasattr(source, "columns"):
        return source  # a source that can be read only once
    grid = grid_of(source, **reading)
    at = columns_called(grid, DATASET_COLUMNS) or columns_called(grid, RUN_COLUMNS)
    rest = [j for j in range(len(grid.header)) if j not in at]
    has_metrics = any(role_of(grid.header[j]) == "metric" for j in rest)
    if (
        grid.is_held
        or grid.is_nested
        or len(at) != 1
        or columns_called(grid, CLASSIFIER_COLUMNS)
        or not (has_metrics and has_scores_only(grid))
    ):
        return source
    order = at[0], *rest
    columns = [*(grid.columns[j] for j in order), [side] * len(grid.numbers)]
    noise = (*(grid.noise[j] for j in order), 0.0) if grid.noise else ()
    return replace(
        grid, header=[*(grid.header[j] for j in order), "classifier"], columns=columns, noise=noise, upper=()
    )


def _measured(table: ScoreTable, policy: Policy) -> ScoreTable:
    """Return a table with the name and the direction of the metric that the gate was given."""
    metric, better = policy.rule.metric, policy.greater_is_better
    if metric is not None and table.metric != NO_METRIC and usual_name(metric) != usual_name(table.metric):
        raise InvalidValueError(
            f"metric must be {short(table.metric)}, the metric of the scores of {listed(table.classifiers)}, "
            f"not {short(metric)}; change or omit metric"
        )
    if metric is not None and table.metric == NO_METRIC:
        told = {"greater_is_better": False} if not table.greater_is_better else {"greater_is_better": None}
        table = replace(table, metric=metric, **told)
    return table if better is None else replace(table, greater_is_better=better)


def _of_table(
    table: ScoreTable, side: str, classifier: str | None, cluster: str | None, subgroup: str | None, policy: Policy
) -> _Side:
    """Return the side of a table: its answers to questions, or its scores if it has no answers."""
    own = _one_column(table, side, classifier)
    answers = _answers_in(own, own.classifiers[0])
    if answers is None:
        return _Side(_measured(own, policy))
    known = None if own.answers is None else own.answers.columns.get("cluster")
    if cluster is not None and cluster != known:
        told = "holds none" if known is None else f"holds the clusters of {short(known)}"
        raise InvalidValueError(f"cluster must name the clusters of the {side}, which {told}, not {short(cluster)}")
    held = None if own.answers is None else own.answers.subgroup
    if subgroup is not None and (held is None or parts_of(held.column) != parts_of(subgroup)):
        told = "holds none" if held is None else f"holds the subgroups of {short(held.column)}"
        raise InvalidValueError(f"subgroup must name the subgroups of the {side}, which {told}, not {short(subgroup)}")
    return _Side(answers)


def _with_clusters(old: ItemAnswers, new: ItemAnswers) -> ItemAnswers:
    """Return the baseline with clusters. They come from the candidate if only the candidate has them."""
    if old.cluster is not None or new.cluster is None:
        return old
    of_item = dict(zip(new.keys(), new.cluster, strict=True))
    # a question that the candidate lacks is a cluster of its own
    keys = zip(old.task, old.item, strict=True)
    return old._replace(cluster=[of_item.get((task, item), f"{task}\0{item}") for task, item in keys])


def _one_column(table: ScoreTable, side: str, classifier: str | None) -> ScoreTable:
    known = table.classifiers
    if classifier is None and len(known) > 1:
        listed = ", ".join(map(short, known[:LISTED]))
        problem = f"{side} must be one classifier, but the table holds {listed}"
        raise TableError(problem, "choose one with {}", f"{side}_name", known[0])
    if classifier is not None and classifier not in known:
        raise InvalidValueError(
            f"{side}_name must be one of {', '.join(map(short, known[:LISTED]))}, not {short(classifier)}"
        )
    return table.select((known[0] if classifier is None else classifier,))
