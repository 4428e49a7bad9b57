"""Answers to questions from the log of an evaluation program, for a gate."""

from __future__ import annotations

__all__ = ["log_answers"]

import os
from collections.abc import Mapping
from typing import Any

from evalstats._errors import examples
from evalstats.io.formats.format import Found
from evalstats.io.formats.recognition import found_in
from evalstats.io.options import Asked
from evalstats.io.reader.opening import open_source
from evalstats.tables.errors import TableError, short
from evalstats.tables.items import ALL_ITEMS, ItemAnswers
from evalstats.tables.names import text_of, texts_of


def log_answers(
    source: Any,
    *,
    classifier: str | None,
    cluster: str | None,
    metric: str | None,
    argument: str,
    greater_is_better: bool | None = None,
    reading: Mapping[str, Any] | None = None,
) -> ItemAnswers | Found | None:
    """Read the answers of one model from a log, a directory or a list of logs; for other sources, return None.

    The content of a log with scores of benchmarks but no answers is returned unchanged.

    Parameters
    ----------
    source : object
        Source of the answers.
    classifier, cluster, argument, reading
        The same arguments as for `item_answers`.
    metric : str or None
        Metric of the log, if it has several metrics.
    greater_is_better : bool, optional
        Direction of the metric, if the log does not give it.

    Raises
    ------
    TableError
        If the log holds several models and none is chosen, or if its scores are not proportions of correct answers.
    """
    if not _may_be_log(source):
        return None
    asked = Asked(metric=metric, greater_is_better=greater_is_better, columns={"cluster": cluster}, as_items=True)
    found = _found(source, asked, reading or {})
    if found is None or found.layout == "long":
        return found
    if found.layout != "answers" and not {"instance", "y_pred"} <= set(found.grid.header):
        return None
    columns = dict(zip(found.grid.header, found.grid.columns, strict=True))
    names = [text_of(name) for name in columns["model" if found.layout == "answers" else "classifier"]]
    known = list(dict.fromkeys(names))
    if classifier is None and len(known) > 1:
        problem = f"{found.grid.name} holds {len(known)} models ({examples(known)})"
        raise TableError(problem, "choose one with {}", argument, known[0])
    if classifier is not None and classifier not in known:
        raise TableError(f"{argument} must be one of {examples(known)}, not {short(classifier)}")
    chosen = [i for i, name in enumerate(names) if classifier in (None, name)]
    own = {name: [values[i] for i in chosen] for name, values in columns.items()}
    answers = _questions(found, own) if found.layout == "answers" else _predictions(found, own)
    model = known[0] if classifier is None else classifier
    told = [found.questions.get((model, *key), ("", "")) for key in zip(answers.task, answers.item, strict=True)]
    checks, prompts = ([one[k] for one in told] for k in (0, 1))
    return answers._replace(checks=checks, prompts=prompts, measure=found.measure, findings=found.findings)


def _found(source: Any, asked: Asked, reading: Mapping[str, Any]) -> Found | None:
    try:
        return found_in(open_source(source, **reading), "auto", asked)
    except TableError as error:
        if error.argument != "missing":
            raise
        # a gate drops nothing that is missing
        raise TableError(f"{error.problem}; record a failed answer as incorrect") from None


def _may_be_log(source: Any) -> bool:
    """Return whether a source consists of paths that are not a study."""
    if isinstance(source, str | os.PathLike) and os.path.isdir(source):
        from evalstats.study.store import is_study

        return not is_study(source)
    paths = source if isinstance(source, list | tuple) and source else [source]
    return all(isinstance(path, str | os.PathLike) for path in paths)


def _questions(found: Found, own: dict[str, list[Any]]) -> ItemAnswers:
    values = [float(value) for value in own["score"]]
    if not found.greater_is_better or min(values) < 0 or max(values) > 1:
        raise TableError(
            f"{found.grid.name}: {short(found.metric)} is not a proportion of correct answers between 0 "
            "and 1, which a gate compares",
            "choose a different metric with {}",
            "metric",
            "accuracy",
        )
    rows: dict[tuple[str, str], list[int]] = {}
    for i, key in enumerate(zip(own["benchmark"], own["question"], strict=True)):
        rows.setdefault(key, []).append(i)
    is_single = len(rows) == len(values) and set(values) <= {0, 1}
    return ItemAnswers(
        name=found.grid.name,
        task=[task for task, _ in rows],
        item=[item for _, item in rows],
        y_true=None,
        y_pred=None,
        y_score=None,
        right=[value == 1 for value in values] if is_single else None,
        cluster=[own["cluster"][at[0]] for at in rows.values()] if "cluster" in own else None,
        share=None if is_single else [sum(values[i] for i in at) / len(at) for at in rows.values()],
        n_answers=None if is_single else [len(at) for at in rows.values()],
        metric=found.metric,
    )


def _predictions(found: Found, own: dict[str, list[Any]]) -> ItemAnswers:
    n = len(own["instance"])
    true, predicted = (texts_of(own[name]) for name in ("y_true", "y_pred"))
    is_judged = set(true) == {"right"}  # correct and incorrect are not labels of the questions
    return ItemAnswers(
        name=found.grid.name,
        task=texts_of(own.get("dataset", [ALL_ITEMS] * n)),
        item=texts_of(own["instance"]),
        y_true=None if is_judged else true,
        y_pred=None if is_judged else predicted,
        y_score=None,
        right=[one == "right" for one in predicted] if is_judged else None,
        cluster=None,
        metric="accuracy",
    )
