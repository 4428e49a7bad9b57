"""Scores of each model on each question of each benchmark: one conversion for the logs of every evaluation program.

Correct and incorrect answers on one benchmark are read as predictions, so an exact test compares two models. Several
benchmarks, sampled answers and other values are read as answers to questions, with the clusters of the log. If a model
lacks a benchmark, the means of the benchmarks are read as scores.
"""

from __future__ import annotations

__all__ = [
    "are_of_trec",
    "are_queries",
    "cells_found",
    "chosen_metrics",
    "direction",
    "items_found",
    "printed_ties",
    "together",
]

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalstats._errors import examples, listed
from evalstats._findings import Finding, note, warning
from evalstats.io.columns.surroundings import unknown_direction
from evalstats.io.formats.format import ITEMS, Found, items_in, predictions_found, scores_found
from evalstats.io.formats.log_files import Log, differing_prompts, refuse_different, told_apart
from evalstats.io.layouts.questions import DROP_CASES, FILLED
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short
from evalstats.tables.items import reduced, unscored

FEW_BENCHMARKS = 6  # fewer can reach no p-value below 0.05 in a two-sided signed-rank test

# score by benchmark, model and question
_Scores = Mapping[str, Mapping[str, Mapping[str, float]]]
_Answers = Mapping[str, Mapping[str, dict[str, list[float]]]]
_Columns = dict[str, Sequence[Any]]


def items_found(
    seen: Seen,
    asked: Asked,
    logs: Sequence[Log],
    *,
    metric: str,
    greater_is_better: bool,
    reducer: str = "mean",
    findings: Sequence[Finding] = (),
) -> Found:
    """Return the content of logs of questions, as answers to questions, as predictions or as scores.

    Parameters
    ----------
    seen : Seen
        The source.
    asked : Asked
        Options of the caller.
    logs : sequence of Log
        The logs with their questions.
    metric : str
        Metric of the values.
    greater_is_better : bool
        Whether greater values of the metric are better.
    reducer : str, default: 'mean'
        Aggregation of several answers to one question; see `evalstats.tables.items.reduced`.
    findings : sequence of Finding
        Earlier findings.

    Raises
    ------
    TableError
        If a question occurs twice, is not the same for all models, or lacks a score of some model.
    """
    logs, told = told_apart(seen, [log for log in logs if log.items])
    if not logs:
        raise TableError(f"{seen.name} has no score of a question")
    refuse_different(logs)
    found = _content(
        seen, asked, logs, metric, greater_is_better, reducer, [*findings, *told, *differing_prompts(logs)]
    )
    questions = {(log.model, item.task, item.item): (item.check, item.prompt) for log in logs for item in log.items}
    return replace(found, measure=metric, questions=questions)


def _content(
    seen: Seen,
    asked: Asked,
    logs: Sequence[Log],
    metric: str,
    greater_is_better: bool,
    reducer: str,
    found: list[Finding],
) -> Found:
    """Return the content of logs whose questions are checked."""
    answers, filled = _filled(_answers_of(logs), asked.missing, greater_is_better)
    found += filled
    scores, dropped = _complete(seen, asked, _reduced(answers, reducer))
    if asked.as_items and _are_questions(scores, answers, clustered=bool(asked.columns.get("cluster"))):
        found += [*_unscored(answers), *dropped, *_same_benchmarks(logs)]
        asked_columns = _questions(scores, answers, reducer, _clusters(seen, logs))
        return _questions_found(seen, asked_columns, metric=metric, greater_is_better=greater_is_better, findings=found)
    found += _epochs(answers, reducer)
    found += dropped
    found += _same_benchmarks(logs)
    if 1 < len(scores) < FEW_BENCHMARKS:
        words = "The {} benchmarks are compared as a sample of benchmarks, with one score for each; for a "
        words += "comparison question by question, give the logs of one benchmark."
        found.append(note("few-benchmarks", words.format(len(scores))))
    if all(v in (0, 1) for of_task in scores.values() for own in of_task.values() for v in own.values()):
        return _answers_found(seen, scores, greater_is_better=greater_is_better, findings=found)
    columns, told_of_rows = _means(scores) if len(scores) > 1 else _rows(scores)
    found.append(told_of_rows)
    return scores_found(seen, columns, metric=metric, greater_is_better=greater_is_better, findings=found)


def cells_found(
    seen: Seen, logs: Sequence[Log], *, metric: str, greater_is_better: bool, findings: Sequence[Finding] = ()
) -> Found:
    """Return the scores of models on benchmarks, without questions. A score of nan is missing."""
    logs, told = told_apart(seen, [log for log in logs if log.items])
    if not logs:
        raise TableError(f"{seen.name} holds no score of a benchmark")
    columns: _Columns = {
        "dataset": [item.task for log in logs for item in log.items],
        "classifier": [log.model for log in logs for _ in log.items],
        "score": [item.value for log in logs for item in log.items],
    }
    return scores_found(seen, columns, metric=metric, greater_is_better=greater_is_better, findings=[*findings, *told])


def printed_ties(logs: Sequence[Log], program: str) -> list[Finding]:
    """Return a finding about questions on which models have equal scores that are printed with four decimals."""
    of_questions: dict[tuple[str, str], list[float]] = {}
    for log in logs:
        for item in log.items:
            of_questions.setdefault((item.task, item.item), []).append(item.value)
    n = sum(len(values) > len(set(values)) and not set(values) <= {0.0, 1.0} for values in of_questions.values())
    if not n:
        return []
    words = f"{program} prints four decimals: on {n:,} of {len(of_questions):,} queries, some equal scores "
    return [note("printed-ties", f"{words}may be due to rounding.")]


# --- values -----------------------------------------------------------------------------------------------------------


def _answers_of(logs: Sequence[Log]) -> _Answers:
    """Return the values of all answers by benchmark, model and question."""
    found: dict[str, dict[str, dict[str, list[float]]]] = {}
    for log in logs:
        for item in log.items:
            of_model = found.setdefault(item.task, {}).setdefault(log.model, {})
            of_model.setdefault(item.item, []).append(item.value)
    return found


def _filled(answers: _Answers, missing: str, greater_is_better: bool) -> tuple[_Answers, list[Finding]]:
    """Fill in missing answers with 0 or the worst score of the benchmark, if the caller requested it."""
    if missing not in FILLED:
        return answers, []
    found = []
    for task, of_task in answers.items():
        everything = list(dict.fromkeys(item for own in of_task.values() for item in own))
        known = [value for own in of_task.values() for values in own.values() for value in values]
        known = [value for value in known if not math.isnan(value)]
        value = 0.0 if missing == "zero" or not known else min(known) if greater_is_better else max(known)
        places = []
        for model, own in of_task.items():
            lacking = [item for item in everything if all(map(math.isnan, own.get(item, [])))]
            places += [f"{short(item)} of {short(model)}" for item in lacking]
            own.update({item: [value] for item in lacking})
        if places:
            words = f"{len(places):,} missing scores of {short(task)} count as {value:g}: {examples(places, 3)}."
            found.append(warning("missing-filled", words))
    return answers, found


def _reduced(answers: _Answers, reducer: str) -> _Scores:
    return {
        task: {
            model: {item: reduced(values, reducer) for item, values in own.items()} for model, own in of_task.items()
        }
        for task, of_task in answers.items()
    }


def _epochs(of_tasks: _Answers, reducer: str) -> list[Finding]:
    answers = [values for of_task in of_tasks.values() for own in of_task.values() for values in own.values()]
    most = max(map(len, answers))
    if most == 1:
        return []
    words = (
        f"Up to {most:,} answers to a question were first reduced to one score ({reducer}): the questions are compared."
    )
    return [note("epochs-reduced", words), *_unscored(of_tasks)]


def _unscored(of_tasks: _Answers) -> list[Finding]:
    """Return a finding about questions for which some sampled answers have no score."""
    answers = [values for of_task in of_tasks.values() for own in of_task.values() for values in own.values()]
    return unscored(sum(0 < sum(map(math.isnan, values)) < len(values) for values in answers))


def _same_benchmarks(logs: Sequence[Log]) -> list[Finding]:
    """Return a finding about benchmarks with the same questions, such as one benchmark with two filters."""
    asked: dict[str, set[str]] = {}
    for log in logs:
        for item in log.items:
            asked.setdefault(item.task, set()).add(item.check)
    same: dict[frozenset[str], list[str]] = {}
    for task, checks in asked.items():
        if "" not in checks:
            same.setdefault(frozenset(checks), []).append(task)
    words = "The benchmarks {} ask the same questions, so they are not independent, but they count as {} datasets."
    several = [tasks for tasks in same.values() if len(tasks) > 1]
    return [warning("same-questions", words.format(listed(tasks), len(tasks))) for tasks in several]


def _complete(seen: Seen, asked: Asked, scores: _Scores) -> tuple[_Scores, list[Finding]]:
    """Return the questions that all models of a benchmark answered; drop other questions only on request."""
    kept: dict[str, Mapping[str, Mapping[str, float]]] = {}
    found: list[Finding] = []
    for task, of_task in scores.items():
        everywhere = list(dict.fromkeys(item for own in of_task.values() for item in own))
        lacking = {
            item: model for item in everywhere for model, own in of_task.items() if math.isnan(own.get(item, math.nan))
        }
        if not lacking:
            kept[task] = of_task
            continue
        places = [
            f"{short(item)} of {short(model)} ({'not scored' if item in of_task[model] else 'missing'})"
            for item, model in lacking.items()
        ]
        n = f"{len(lacking):,} of {len(everywhere):,} questions of {short(task)}"
        if asked.missing != DROP_CASES:
            lack = "lacks" if len(lacking) == 1 else "lack"
            problem = f"{seen.name}: {n} {lack} a score of a model: {examples(places, 3)}"
            hint = "exclude them for every model with {}, or count missing scores as 0 or as the worst score of the "
            raise TableError(problem, f"{hint}benchmark with missing='zero' or 'worst'", "missing", DROP_CASES)
        if len(lacking) == len(everywhere):
            raise TableError(f"{seen.name}: no question of {short(task)} has a score of every model")
        kept[task] = {m: {item: own[item] for item in own if item not in lacking} for m, own in of_task.items()}
        words = f"Left out: {n}, because a model lacks a score: {examples(places, 3)}."
        found.append(replace(warning("cases-dropped", words), numbers={"n_left_out": len(lacking)}))
    return kept, found


def _are_questions(scores: _Scores, answers: _Answers, *, clustered: bool) -> bool:
    """Return whether the scores are answers to questions rather than predictions on one benchmark."""
    models = {model for of_task in scores.values() for model in of_task}
    if any(of_task.keys() != models for of_task in scores.values()):
        return False
    values = [values for of_task in answers.values() for own in of_task.values() for values in own.values()]
    is_plain = all(len(own) == 1 and (own[0] in (0, 1) or math.isnan(own[0])) for own in values)
    return clustered or len(scores) > 1 or not is_plain


def _clusters(seen: Seen, logs: Sequence[Log]) -> dict[tuple[str, str], str]:
    """Return the cluster of each question; reject a question with two clusters."""
    found: dict[tuple[str, str], str] = {}
    for log in logs:
        for item in log.items:
            if item.cluster and found.setdefault((item.task, item.item), item.cluster) != item.cluster:
                raise TableError(
                    f"{seen.name}: the question {short(item.item)} of {short(item.task)} is in the cluster "
                    f"{short(item.cluster)} in {item.place or log.name}, but in {short(found[item.task, item.item])} "
                    "elsewhere"
                )
    return found


def _questions(
    scores: _Scores, answers: _Answers, reducer: str, clusters: Mapping[tuple[str, str], str]
) -> dict[str, list[Any]]:
    """Return columns with one row for each answer. Unless the reducer is the mean, use the reduced score."""
    rows = []
    for task, of_task in scores.items():
        for model, own in of_task.items():
            for item, score in own.items():
                values = [value for value in answers[task][model][item] if not math.isnan(value)]
                cluster = clusters.get((task, item), "")
                kept = values if reducer == "mean" else [score]
                rows += [(model, task, item, str(i), cluster, value) for i, value in enumerate(kept, 1)]
    columns: dict[str, list[Any]] = dict(zip(ITEMS, map(list, zip(*rows, strict=True)), strict=True))
    if not clusters:
        del columns["cluster"]
    if len(set(columns["epoch"])) == 1:
        del columns["epoch"]
    return columns


def _questions_found(
    seen: Seen, columns: dict[str, list[Any]], *, metric: str, greater_is_better: bool, findings: Sequence[Finding]
) -> Found:
    if all(value in (0, 1) for value in columns["score"]):
        metric = "accuracy" if greater_is_better else "error_rate"
    return items_in(seen, columns, metric=metric, greater_is_better=greater_is_better, findings=findings)


def _means(scores: _Scores) -> tuple[_Columns, Finding]:
    """Return the mean score of each model on each benchmark, and a note."""
    rows = [(t, m, math.fsum(own.values()) / len(own)) for t, of_task in scores.items() for m, own in of_task.items()]
    return _columns(rows), note("means", "Each score is the mean over the questions of a benchmark.")


def _rows(scores: _Scores) -> tuple[_Columns, Finding]:
    """Return one row for each question and model of the only benchmark, and a note."""
    ((task, of_task),) = scores.items()
    n = len(next(iter(of_task.values())))
    words = f"The rows are the {n:,} questions of {short(task)}: each is scored for every model."
    rows = [(item, model, value) for model, own in of_task.items() for item, value in own.items()]
    return _columns(rows), note("items-are-rows", words)


def _columns(rows: Sequence[tuple[str, str, float]]) -> _Columns:
    datasets, classifiers, values = zip(*rows, strict=True)
    return {"dataset": datasets, "classifier": classifiers, "score": values}


def _answers_found(
    seen: Seen,
    scores: _Scores,
    *,
    greater_is_better: bool,
    findings: Sequence[Finding],
) -> Found:
    """Return correct and incorrect answers as predictions; if smaller is better, 1 marks an incorrect answer."""
    rows = [(t, m, item, v) for t, of_task in scores.items() for m, own in of_task.items() for item, v in own.items()]
    columns: dict[str, list[str]] = {
        "dataset": [task for task, *_ in rows],
        "classifier": [model for _, model, *_ in rows],
        "instance": [item for _, _, item, _ in rows],
        "y_true": ["right"] * len(rows),
        "y_pred": ["right" if (value == 1) == greater_is_better else "wrong" for *_, value in rows],
    }
    metric = "accuracy" if greater_is_better else "error_rate"
    return predictions_found(seen, columns, metric=metric, findings=findings)


# --- the metric of each benchmark -------------------------------------------------------------------------------------


# measures of trec_eval, as pytrec_eval calls them
_OF_TREC = re.compile(
    r"map(?:_cut_\d+)?|P_\d+|recall_\d+|ndcg|ndcg_cut_\d+|recip_rank|Rprec|bpref|infAP|11pt_avg|success_\d+|gm_map"
    r"|iprec_at_recall_[\d.]+|relative_P_\d+|set_\w+|num_\w+|runid|utility|G|binG"
)
_QUERY = re.compile(r"(?:q|qid|query|topic)[-_ ]?\d+|\d{3,}", re.IGNORECASE)
_ALSO_ELSEWHERE = {"map"}  # measures that object detection uses too


def are_queries(names: Iterable[Any]) -> bool:
    """Return whether all names are names of queries, such as q1 or 301."""
    # folds and runs have smaller numbers
    return all(_QUERY.fullmatch(str(name)) for name in names)


def are_of_trec(names: Iterable[str], *, of_queries: bool = False) -> bool:
    """Return whether names are measures of trec_eval. Without `of_queries`, one name must be unique to trec_eval."""
    found = set(names)
    return bool(found if of_queries else found - _ALSO_ELSEWHERE) and all(map(_OF_TREC.fullmatch, found))


def chosen_metrics(
    seen: Seen, asked: Asked, of_tasks: Mapping[str, Collection[str]], usual: Sequence[str] = ()
) -> dict[str, str]:
    """Return the metric of each benchmark that is compared.

    Parameters
    ----------
    seen : Seen
        The source, for messages.
    asked : Asked
        Options of the caller. The metric may lack the filter after the comma or have a space there: ``'acc'`` or
        ``'acc, none'`` for ``'acc,none'``.
    of_tasks : mapping of str to collection of str
        The metrics of each benchmark.
    usual : sequence of str, optional
        If no metric is requested, the first of these that every benchmark has is compared.

    Returns
    -------
    dict of str to str
        Metric of each benchmark. Benchmarks without the requested metric are omitted.

    Raises
    ------
    TableError
        If the metric is ambiguous or does not exist.
    """
    known = list(dict.fromkeys(metric for metrics in of_tasks.values() for metric in metrics))
    if not known:
        raise TableError(f"{seen.name} has no score of a question")
    if asked.metric is not None:
        meant = {task: _meant(asked.metric, metrics) for task, metrics in of_tasks.items()}
        if several := next((metrics for metrics in meant.values() if len(metrics) > 1), None):
            raise _ask(seen, several)
        if any(meant.values()):
            return {task: metrics[0] for task, metrics in meant.items() if metrics}
        raise TableError(f"{seen.name} has no metric {short(asked.metric)}; its metrics are {listed(_typed(known))}")
    common = [metric for metric in known if all(metric in metrics for metrics in of_tasks.values())]
    taken = [metric for metric in usual if metric in common][:1] or common
    if len(taken) == 1:
        return dict.fromkeys(of_tasks, taken[0])
    if all(len(metrics) == 1 for metrics in of_tasks.values()):
        return {task: next(iter(metrics)) for task, metrics in of_tasks.items()}
    raise _ask(seen, common or known)


def _meant(asked: str, metrics: Collection[str]) -> list[str]:
    asked = asked.replace(", ", ",")  # accepts a space after the comma
    return [asked] if asked in metrics else [metric for metric in metrics if metric.partition(",")[0] == asked]


def _ask(seen: Seen, metrics: Sequence[str]) -> TableError:
    told = _typed(metrics)
    return TableError(f"{seen.name} holds the metrics {listed(told)}", "choose one, for example {}", "metric", told[0])


def _typed(metrics: Iterable[str]) -> list[str]:
    """Return metrics as a user can give them: on the command line, a comma without a space separates two metrics."""
    return [re.sub(",(?! )", ", ", metric) for metric in metrics]


def direction(seen: Seen, asked: Asked, metrics: Mapping[str, bool | None]) -> bool:
    """Return whether greater values are better, from the caller or the log. Raise an error if neither states this."""
    if asked.greater_is_better is not None:
        return asked.greater_is_better
    if unknown := [metric for metric, better in metrics.items() if better is None]:
        raise unknown_direction(seen.name, unknown[0])
    if len(set(metrics.values())) > 1:
        turned = [metric for metric, better in metrics.items() if not better]
        problem = f"{seen.name}: higher is better for some metrics, but lower for {listed(turned)}"
        raise TableError(problem, "choose one metric, for example {}", "metric", next(iter(metrics)))
    return bool(next(iter(metrics.values())))


def together(metrics: Iterable[str]) -> str:
    """Return the common name of the scores: the only metric, or 'score' if there are several metrics."""
    different = set(metrics)
    return different.pop() if len(different) == 1 else "score"
