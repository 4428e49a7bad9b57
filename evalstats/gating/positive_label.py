"""The positive label of a task, if its metric has one."""

from __future__ import annotations

__all__ = ["has_positive_label", "of_positive_label"]

from collections.abc import Sequence
from typing import Any

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._errors import listed, short
from evalstats.gating.policy import Policy
from evalstats.gating.side_checks import SIDES
from evalstats.io.layouts.labels import is_one, usual_positive
from evalstats.metrics import METRICS
from evalstats.tables.errors import TableError
from evalstats.tables.names import natural_order
from evalstats.tables.positive_label import label_evidence, refuse_other_label


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
    """Return the true labels and the answers of both sides, with True for the positive label if the metric has one.

    `answers` are the labels or the scores that the metric needs, and `predicted` the labels, which may be missing. The
    positive label is 1 or True. The policy names other labels, because a gate must not pass by a guess.
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
    worse = "this side is worse than chance: use compare"
    for side, own, score in zip(SIDES, predicted, answers, strict=True):
        evidence = label_evidence(is_positive, None if own is None else _are(own, positive), np.asarray(score))
        place = f"{side}, {short(task)}: "
        refuse_other_label(place, [evidence], positive, others, may_confirm=False, otherwise=worse)
    return is_positive, answers


def _are(labels: Sequence[str], positive: str) -> Any:
    return np.array([label == positive for label in labels])
