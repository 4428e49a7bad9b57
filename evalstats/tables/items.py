"""Answers of models to questions, and the score of several answers to one question."""

from __future__ import annotations

__all__ = ["ALL_ITEMS", "ItemAnswers", "QuestionScores", "is_reducer", "reduced", "unscored"]

import math
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import InvalidValueError
from evalstats._findings import Finding, warning
from evalstats._result import Record
from evalstats._types import FloatArray, IndexArray, IntArray
from evalstats.tables.categorical import Subgroups, subgroups_of

# name of the benchmark if the table has no column of benchmarks
ALL_ITEMS = "all questions"
_OF_MODELS = ("scores", "n_samples", "within")


@dataclass(frozen=True, kw_only=True, eq=False)
class QuestionScores(Record):
    """The score of each model on each question, which is the mean score of its answers.

    In `to_dict` and in a saved report, the last axis of `scores`, `n_samples` and `within` is the question. An array of
    equal numbers is written there as one number, and integer scores are written as integers.

    Attributes
    ----------
    questions : tuple of str
        Name of each question, which is unique within its benchmark.
    benchmark : int or ndarray of int, shape (n_questions,)
        Index of the benchmark of each question in the `datasets` of the table that holds this record.
    cluster : None or ndarray of int, shape (n_questions,)
        Index of the cluster of each question, or None if the questions are independent.
    scores : ndarray of float64, shape (n_questions, n_classifiers)
        Mean score of the answers of a model to a question.
    n_samples : int or ndarray of int, shape (n_questions, n_classifiers)
        Number of answers of a model to a question.
    within : float or ndarray of float64, shape (n_questions, n_classifiers)
        Sum of the squared deviations of the answers' scores from their mean.
    columns : dict of str to str
        Names of the columns in the source.
    subgroup : None or Subgroups
        The subgroup of each question, or None unless the source was read with a column of subgroups.
    """

    questions: tuple[str, ...]
    benchmark: IndexArray
    cluster: IndexArray | None
    scores: FloatArray
    n_samples: IntArray
    within: FloatArray
    columns: dict[str, str]
    subgroup: Subgroups | None = None

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> QuestionScores:
        """Return the scores from the output of `to_dict`, or raise an error if the output is inconsistent."""
        scores = np.array(told["scores"], dtype=np.float64).T
        n, k = scores.shape
        questions = tuple(map(str, told["questions"]))
        if len(questions) != n:
            raise InvalidValueError(f"it names {len(questions):,} questions, but it has scores for {n:,} questions")
        cluster = None if told["cluster"] is None else np.array(told["cluster"], dtype=np.intp)
        if not np.isfinite(scores).all() or (cluster is not None and cluster.shape != (n,)):
            raise InvalidValueError("each of its questions must have finite scores, and one cluster or none")
        return cls(
            questions=questions,
            benchmark=np.array(np.broadcast_to(np.array(told["benchmark"], dtype=np.intp), n)),
            cluster=cluster,
            scores=scores,
            n_samples=np.array(np.broadcast_to(np.array(told["n_samples"], dtype=np.intp).T, (n, k))),
            within=np.array(np.broadcast_to(np.array(told["within"], dtype=np.float64).T, (n, k))),
            columns=dict(told["columns"]),
            subgroup=subgroups_of(told.get("subgroup"), n),
        )

    def _told(self) -> Iterator[tuple[str, Any]]:
        for name, value in super()._told():
            if name == "subgroup" and value is None:  # few reports have subgroups
                continue
            yield name, _brief(value.T, whole=name == "scores") if name in (*_OF_MODELS, "benchmark") else value

    def select(self, chosen: list[int]) -> QuestionScores:
        """Return the scores of the classifiers at the given positions."""
        parts = {name: getattr(self, name)[:, chosen] for name in _OF_MODELS}
        return replace(self, **parts)


def _brief(values: Any, *, whole: bool) -> Any:
    """Return an array in short form: integers if possible, and one number for equal values unless `whole`."""
    if np.array_equal(values, np.rint(values)):
        values = values.astype(np.int64)
    return values.flat[0].item() if not whole and (values == values.flat[0]).all() else values


class ItemAnswers(NamedTuple):
    """Answers of one classifier to each question of each benchmark. Values that the file lacks are None.

    For several sampled answers to a question, only the proportion of correct answers is stored.
    """

    name: str  # of the file
    task: list[str]
    item: list[str]
    y_true: list[str] | None
    y_pred: list[str] | None
    y_score: list[float] | None
    right: list[bool] | None
    cluster: list[str] | None
    metric: str | None = None  # what was chosen of a log, whose mean is compared
    share: list[float] | None = None  # number of correct sampled answers to each question; None for one answer to each
    n_answers: list[int] | None = None  # number of sampled answers to each question; None for one answer to each
    subgroup: list[str] | None = None
    is_turned: bool = False  # 1 was read as an incorrect answer
    column: str | None = None  # whose cells are answers, where it may have the name of the classifier
    checks: list[str] | None = None  # content of each question of a log; '' if it is unknown
    prompts: list[str] | None = None  # wording of each question of a log; '' if it is unknown
    measure: str = ""  # name of the metric in the log
    findings: tuple[Finding, ...] = ()

    def keys(self) -> dict[tuple[str, str], int]:
        """Return the row of each question, by its benchmark and its name."""
        return {key: i for i, key in enumerate(zip(self.task, self.item, strict=True))}

    def shares(self) -> FloatArray | None:
        """Return the proportion of correct answers to each question, 1 or 0 for a single answer, or None if unknown."""
        known: Sequence[Any] | None = self.right if self.share is None else self.share
        if known is None and self.y_true is not None and self.y_pred is not None:
            known = [a == b for a, b in zip(self.y_true, self.y_pred, strict=True)]
        return None if known is None else np.array(known, dtype=np.float64)


RIGHT = 1.0  # a score at or above this value counts as correct
_WITH_NUMBER = re.compile(r"(at_least|pass_at|pass_k)_(\d{1,6})")


def is_reducer(name: str) -> bool:
    """Return whether `reduced` supports a name."""
    return name in _WAYS or _WITH_NUMBER.fullmatch(name) is not None


def reduced(values: Sequence[float], name: str = "mean") -> float:
    """Return the score of one question from the scores of its answers.

    Parameters
    ----------
    values : sequence of float
        Score of each answer. It is nan if the answer was not scored.
    name : str, default: 'mean'
        ``'mean'``, ``'median'``, ``'max'``, ``'mode'`` (the first of equally frequent scores), ``'majority'``, or a
        name with a number. ``'majority'`` is the score of more than half of all answers, or nan if there is none.
        ``'at_least_3'`` is 1 if 3 or more answers are correct. ``'pass_at_3'`` is the probability that at least one of
        3 answers is correct (Chen et al. 2021, eq. 1). ``'pass_k_3'`` is the probability that all 3 answers are
        correct.

    Returns
    -------
    float
        The score. It is nan if no answer was scored, and for ``'pass_at_3'`` and ``'pass_k_3'`` if fewer than 3 answers
        were scored.

    Examples
    --------
    >>> from evalstats.tables.items import reduced
    >>> [reduced([1, 0, 0, 1], name) for name in ("mean", "at_least_3", "pass_at_2", "pass_k_2")]
    [0.5, 0.0, 0.8333333333333334, 0.16666666666666666]
    """
    scored = [float(value) for value in values if not math.isnan(value)]
    if not scored:
        return math.nan
    if name == "majority":
        value, times = Counter(scored).most_common(1)[0]
        return value if 2 * times > len(values) else math.nan
    if name in _WAYS:
        return float(_WAYS[name](scored))
    with_number = _WITH_NUMBER.fullmatch(name)
    assert with_number is not None
    return _among(with_number[1], int(with_number[2]), len(scored), sum(value >= RIGHT for value in scored))


def unscored(n: int) -> list[Finding]:
    """Return a warning about `n` questions with unscored answers, or an empty list if `n` is 0."""
    words = (
        f"Some answers to {n:,} questions were not scored: the scores of these questions are means of the scored "
        "answers."
    )
    return [warning("epochs-unscored", words)] if n else []


def _among(kind: str, k: int, n: int, n_right: int) -> float:
    """Return the score of k of `n` sampled answers, of which `n_right` are correct."""
    if kind == "at_least":
        return float(n_right >= k)
    if n < k:
        return math.nan
    n_chosen = math.comb(n, k)
    return math.comb(n_right, k) / n_chosen if kind == "pass_k" else 1 - math.comb(n - n_right, k) / n_chosen


_WAYS: dict[str, Callable[[list[float]], float]] = {
    "mean": statistics.fmean,
    "median": statistics.median,
    "max": max,
    "mode": statistics.mode,
    "majority": statistics.mode,
}
