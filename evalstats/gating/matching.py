"""Baseline and candidate of a gate: answers to questions, or scores of datasets."""

from __future__ import annotations

__all__ = ["Sides", "read_sides"]

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import listed, short
from evalstats._findings import Finding
from evalstats._lexicon import CLASSIFIER_COLUMNS, DATASET_COLUMNS, RUN_COLUMNS
from evalstats.gating.policy import Policy
from evalstats.gating.saved_tables import answers_in, saved_table
from evalstats.gating.side_checks import SIDES, UNNAMED, check_answers, check_scores, differing_wordings
from evalstats.io.columns.kinds import role_of
from evalstats.io.columns.roles import columns_called
from evalstats.io.options import group_of
from evalstats.io.reader.answers import in_one_spelling, item_answers
from evalstats.io.reader.log_questions import log_answers
from evalstats.io.reader.opening import grid_of
from evalstats.io.reader.several_files import has_scores_only
from evalstats.io.reader.tables import read_table
from evalstats.tables.errors import GROUPS, TableError, TableNotFoundError
from evalstats.tables.items import ItemAnswers
from evalstats.tables.prediction_scores import usual_name
from evalstats.tables.score_table import ScoreTable
from evalstats.tables.subgroup_names import parts_of

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
    return Sides(old, new, (*_findings_of(old, new), *found))


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
    if (saved := saved_table(source, metric)) is not None:
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
    if metric is not None and table.metric != UNNAMED and usual_name(metric) != usual_name(table.metric):
        raise InvalidValueError(
            f"metric must be {short(table.metric)}, the metric of the scores of {listed(table.classifiers)}, "
            f"not {short(metric)}; change or omit metric"
        )
    if metric is not None and table.metric == UNNAMED:
        told = {"greater_is_better": False} if not table.greater_is_better else {"greater_is_better": None}
        table = replace(table, metric=metric, **told)
    return table if better is None else replace(table, greater_is_better=better)


def _of_table(
    table: ScoreTable, side: str, classifier: str | None, cluster: str | None, subgroup: str | None, policy: Policy
) -> _Side:
    """Return the side of a table: its answers to questions, or its scores if it has no answers."""
    own = _one_column(table, side, classifier)
    answers = answers_in(own, own.classifiers[0])
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
