"""Checks that baseline and candidate are comparable. Each error names the option that resolves it."""

from __future__ import annotations

__all__ = [
    "NO_METRIC",
    "SIDES",
    "check_answers",
    "check_scores",
    "differing_wordings",
    "has_positive_label",
    "of_positive_label",
]

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from evalstats._errors import InvalidValueError, listed, short
from evalstats._findings import Finding
from evalstats._lexicon import ITEM_SCORE_COLUMNS, is_called
from evalstats.gating.policy import Policy
from evalstats.io.columns.grammar import is_classifier_name
from evalstats.io.columns.surroundings import unknown_direction
from evalstats.io.formats.log_files import prompts_differ
from evalstats.io.layouts.labels import is_one, usual_positive
from evalstats.metrics import METRICS
from evalstats.metrics.directions import direction_of_metric
from evalstats.tables.errors import TableError
from evalstats.tables.items import ItemAnswers
from evalstats.tables.names import natural_order
from evalstats.tables.positive_label import label_evidence, refuse_other_label
from evalstats.tables.prediction_scores import usual_name
from evalstats.tables.score_checks import range_findings, scale_doubts
from evalstats.tables.score_table import ScoreTable

SIDES = ("baseline", "candidate")
# name of the metric in a table that does not name it
NO_METRIC = "score"


def check_answers(old: ItemAnswers, new: ItemAnswers, policy: Policy) -> None:
    """Raise an error if baseline and candidate differ in metrics, questions or numbers of answers."""
    # the log's own name of the metric first, which may distinguish two metrics that have one usual name
    _refuse_two_metrics(old.measure, new.measure, lambda name: name.removesuffix(",none"))
    _refuse_other_questions(old, new)
    _refuse_two_metrics(old.metric or "", new.metric or "", usual_name)
    if policy.greater_is_better is False and policy.rule.metric is None and not (old.is_turned and new.is_turned):
        raise InvalidValueError(
            "greater_is_better=False is for scores, but baseline and candidate have correct and incorrect answers"
        )
    if policy.accept_scores:
        raise InvalidValueError(
            "accept_scores is for scores, but baseline and candidate have correct and incorrect answers"
        )
    if policy.greater_is_better is None:
        _refuse_unknown_meaning(old.column, new.column)
    if not policy.allow_unequal_samples:
        _refuse_unequal_samples(old, new)


def _refuse_two_metrics(old: str, new: str, known_as: Callable[[str], str]) -> None:
    """Raise an error if baseline and candidate name different metrics."""
    if old and new and known_as(old) != known_as(new):
        problem = f"baseline and candidate must have the same metric, but one is {short(old)} and the other "
        raise TableError(f"{problem}{short(new)}", "choose one with {}", "metric", old)


def _refuse_other_questions(old: ItemAnswers, new: ItemAnswers) -> None:
    """Raise an error if questions with the same name have different content in the two logs."""
    for task, item, a, b in _common(old, new, old.checks, new.checks):
        if a != b:
            raise InvalidValueError(
                f"the question {short(item)} of {short(task)} differs between baseline and candidate; give logs of one "
                "version of the benchmark"
            )


def differing_wordings(old: ItemAnswers, new: ItemAnswers) -> list[Finding]:
    """Return a warning if the two logs have different wordings of questions, such as a different template."""
    wordings = [a != b for _, _, a, b in _common(old, new, old.prompts, new.prompts)]
    return prompts_differ(sum(wordings), len(wordings))


def _common(
    old: ItemAnswers, new: ItemAnswers, first: list[str] | None, second: list[str] | None
) -> Iterator[tuple[str, str, str, str]]:
    """Yield the task and the name of each common question, with its text in both logs, if both texts are known."""
    if first is None or second is None:
        return
    at = new.keys()
    for i, (task, item) in enumerate(zip(old.task, old.item, strict=True)):
        j = at.get((task, item))
        if j is not None and first[i] and second[j]:
            yield task, item, first[i], second[j]


def _refuse_unknown_meaning(old: str | None, new: str | None) -> None:
    """Raise an error if the answers of baseline and candidate have a name that is no metric and no classifier."""
    if old is None or old != new or is_called(old, ITEM_SCORE_COLUMNS):
        return
    if is_classifier_name(old) or direction_of_metric(old) is not None:
        return
    problem = f"baseline and candidate have 0 and 1 in a column {short(old)}, whose name does not say what 1 means"
    hint = "if 1 is a correct answer, pass {}; if it is an incorrect answer, pass {lower}"
    raise TableError(problem, hint, "greater_is_better", "True")


def _refuse_unequal_samples(old: ItemAnswers, new: ItemAnswers) -> None:
    """Raise an error for unequal numbers of answers, because selective resampling raises the score."""
    numbers = [Counter([1] if side.n_answers is None else side.n_answers) for side in (old, new)]
    hint = "give each question the same number of answers, or, if this number does not depend on the answers, pass {}"
    for side, name, found in zip((old, new), SIDES, numbers, strict=True):
        if len(found) > 1 and side.n_answers is not None:
            few, many = min(found), max(found)
            items = [side.item[side.n_answers.index(n)] for n in (many, few)]
            problem = (
                f"every question of the {name} must have the same number of answers, but {short(items[0])} has "
                f"{many} "
                f"and {short(items[1])} has {few}"
            )
            raise TableError(problem, hint, "allow_unequal_samples", "True")
    if numbers[0].keys() != numbers[1].keys():
        counts = [next(iter(found)) for found in numbers]
        problem = (
            f"the questions of baseline and candidate must have the same number of answers, but the questions of the "
            f"baseline have {counts[0]} each "
        )
        raise TableError(
            f"{problem}and the questions of the candidate {counts[1]}", hint, "allow_unequal_samples", "True"
        )


def check_scores(old: ScoreTable, new: ScoreTable, policy: Policy, *, is_told: bool) -> None:
    """Raise an error if baseline and candidate have different metrics or units, or if the direction is unknown.

    `is_told` states that the direction is known although the name of the metric does not determine it.
    """
    # a table that does not name its metric gets the name of the other table
    if old.greater_is_better != new.greater_is_better or len({old.metric, new.metric} - {NO_METRIC}) > 1:
        raise InvalidValueError(
            f"baseline and candidate must have the same metric, but one is {short(old.metric)}, for which "
            f"{_direction(old)} is better, and the other {short(new.metric)}, for which {_direction(new)} is"
        )
    metric = new.metric if old.metric == NO_METRIC else old.metric
    if not (is_told or policy.greater_is_better is not None or knows_direction(old) or knows_direction(new)):
        if metric != NO_METRIC:
            raise unknown_direction("baseline and candidate", metric)
        names = listed(dict.fromkeys([*old.classifiers, *new.classifiers]))
        raise TableError(
            f"the metric of the scores of {names} is unknown, so it is unknown whether higher is better",
            "pass {}, or name the metric with {metric}",
            "greater_is_better",
        )
    _refuse_two_units(old, new, metric, policy)


def knows_direction(table: ScoreTable) -> bool:
    """Return whether the direction is known from the name of the metric, a file format, or an argument."""
    return direction_of_metric(table.metric) is not None or not table.greater_is_better or bool(table.format)


def _direction(table: ScoreTable) -> str:
    return "higher" if table.greater_is_better else "lower"


def _refuse_two_units(old: ScoreTable, new: ScoreTable, metric: str, policy: Policy) -> None:
    """Raise an error for scores that may mix proportions and percentages, or are out of range."""
    names = [name for name in old.datasets if name in new.datasets]
    if not names:
        return
    columns = [[table.scores[table.datasets.index(name), 0] for name in names] for table in (old, new)]
    scores = np.array(columns).T
    if np.isnan(scores).all():
        return
    hint = "write all scores in one unit, or, if they are correct, pass {}"
    if old.unit != new.unit and not policy.accept_scores:
        told = [f"in {short(table.unit)}" if table.unit else "without a unit" for table in (old, new)]
        problem = (
            f"the scores of baseline and candidate must have one unit, but the baseline is {told[0]} and the "
            f"candidate {told[1]}"
        )
        raise TableError(problem, hint, "accept_scores", "True")
    what = {"metric": metric, "unit": old.unit or new.unit}
    if policy.accept_scores:
        if wrong := range_findings(scores, names, SIDES, **what):
            raise InvalidValueError(wrong[0].sentence)
        return
    if doubts := scale_doubts(scores, names, SIDES, **what, greater_is_better=old.greater_is_better):
        sentence = doubts[0].sentence.removesuffix(".")
        raise TableError(f"baseline and candidate may have different units: {sentence}", hint, "accept_scores", "True")


def has_positive_label(metric: str) -> bool:
    """Return whether one label is positive for a metric, and all others are negative. True for an unknown name."""
    record = METRICS.get(metric)
    return record is None or record.needs != "labels" or getattr(record, "average", None) == "chosen"


def of_positive_label(
    metric: str,
    policy: Policy,
    task: str,
    y_true: Sequence[str],
    answers: Sequence[Any],
    predicted: Sequence[Sequence[str] | None],
) -> tuple[Any, Sequence[Any]]:
    """Return the true labels and the answers of both sides. True means the positive label of the metric.

    `answers` contains the labels or the scores that the metric needs. `predicted` contains the labels, which may be
    missing. The positive label is 1 or True. The policy must name any other positive label, because a gate must not
    pass by a guess.
    """
    if not has_positive_label(metric):
        return y_true, answers
    are_labels = METRICS[metric].needs == "labels"
    labels = sorted(set(y_true).union(*answers if are_labels else ()), key=natural_order)
    usual, positive = usual_positive(labels), policy.pos_label
    if positive is None:
        if usual is None or not is_one(usual):
            problem = f"{metric} of {short(task)} needs a positive label, and the labels are {listed(labels)}"
            raise TableError(problem, "choose one with {}", "pos_label", usual or labels[-1])
        positive = usual
    elif positive not in labels:
        raise InvalidValueError(f"pos_label must be a label of {short(task)} ({listed(labels)}), not {short(positive)}")
    is_positive = _are(y_true, positive)
    if are_labels:
        return is_positive, [_are(own, positive) for own in answers]
    others = [label for label in labels if label != positive]
    worse = "the scores are worse than chance: use compare"
    for side, own, score in zip(SIDES, predicted, answers, strict=True):
        evidence = label_evidence(is_positive, None if own is None else _are(own, positive), np.asarray(score))
        place = f"{side}, {short(task)}: "
        refuse_other_label(place, [evidence], positive, others, may_confirm=False, otherwise=worse)
    return is_positive, answers


def _are(labels: Sequence[str], positive: str) -> Any:
    return np.array([label == positive for label in labels])
