"""Betting tests on the questions of benchmarks, for comparisons that are repeated after every batch of questions."""

from __future__ import annotations

__all__ = ["BETTING", "MOST_SORTED", "PairBets", "bets_of_pairs", "sorted_by"]

import math
from typing import Any, NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats._findings import Finding
from evalstats._types import AnyArray, FloatArray
from evalstats.comparison.designs.design import Question
from evalstats.comparison.ranking import RankedPairs
from evalstats.paired.betting import betting_test
from evalstats.pairwise.betting import pairwise_betting_test
from evalstats.tables.items import QuestionScores

BETTING = "betting"
# correlation of correct answers with their position, in standard errors: a random order exceeds it in one comparison
# of a million
MOST_SORTED = 5.0
IN_ORDER = (
    "A step is a {step}, in the natural order of the names of the questions. New questions must come last in this "
    "order, and the order must not depend on the answers. The intervals of individual models are valid "
    "only for a single analysis."
)


class PairBets(NamedTuple):
    """Adjusted p-values of the pairs, the other columns of the pairs, the adjustment, and findings on the validity."""

    pvalue: FloatArray
    columns: dict[str, AnyArray | None]
    adjustment: str
    findings: tuple[Finding, ...]


def bets_of_pairs(question: Question, items: QuestionScores, compared: RankedPairs) -> PairBets:
    """Test the compared pairs of models by betting on the questions, or on the means of the clusters of questions.

    For several benchmarks, the score at a step is the mean over the next question or cluster of each benchmark. The
    average must then be ``'macro'``.
    """
    steps, step = _steps(items, question.average)
    for name, values in zip(question.table.classifiers, steps.T, strict=True):
        if abs(z := sorted_by(values)) > MOST_SORTED:
            raise InvalidValueError(
                f"posthoc='betting' requires questions in random order, but the correct answers of {short(name)} come "
                f"{'last' if z > 0 else 'first'} in the order of the names of the questions"
            )
    adjust = question.adjust or "e-holm"
    choices: dict[str, Any] = {"alpha": question.alpha, "tie_tolerance": question.tie_tolerance}
    result = pairwise_betting_test(steps, control=question.control, adjust=adjust, **choices)
    first, second = compared.sides()
    at = (first, second) if question.control is None else (first,)
    single = betting_test(steps.T[first], steps.T[second], **choices)
    low, high = single.confidence_interval(1 - question.alpha)
    columns: dict[str, AnyArray | None] = {
        "statistic": result.e_value[at],
        "unadjusted_pvalue": result.unadjusted_pvalue[at],
        "difference": (steps.T[first] - steps.T[second]).mean(axis=-1),
        "standard_error": None,
        "low": low,
        "high": high,
        "df": None,
    }
    told = [("order-of-questions", IN_ORDER.format(step=step))]
    if result.caution is not None:
        told.append(("current-e-values", f"The false discovery rate is {result.caution}."))
    findings = tuple(Finding(code=code, severity="note", sentence=sentence) for code, sentence in told)
    return PairBets(result.pvalue[at], columns, adjust, findings)


def sorted_by(values: Any) -> float:
    """Return the correlation between values and their positions, in units of its standard error."""
    n = len(values)
    place = np.arange(n) - (n - 1) / 2
    centered = values - np.mean(values)
    spread = math.sqrt(float(np.sum(centered**2) * np.sum(place**2)))
    return float(np.sum(centered * place)) / spread * math.sqrt(n - 1) if spread else 0.0


def _steps(items: QuestionScores, average: str | None) -> tuple[FloatArray, str]:
    """Return the scores of the models at each step, of shape (n_steps, n_models), and the noun for a step."""
    scores, low, high = items.scores, float(items.scores.min()), float(items.scores.max())
    if low < 0 or high > 1:
        worst = low if low < 0 else high
        raise InvalidValueError(f"posthoc='betting' requires scores between 0 and 1, but the scores contain {worst:g}")
    parts = []
    for benchmark in range(int(items.benchmark.max()) + 1):
        own = items.benchmark == benchmark
        if items.cluster is None:
            parts.append(scores[own])
            continue
        codes = {cluster: code for code, cluster in enumerate(dict.fromkeys(items.cluster[own].tolist()))}
        of_question = np.array([codes[cluster] for cluster in items.cluster[own].tolist()])
        sizes = np.bincount(of_question)[:, None]
        parts.append(np.stack([np.bincount(of_question, column) for column in scores[own].T], axis=1) / sizes)
    unit = "question" if items.cluster is None else "cluster of questions of any size"
    if len(parts) == 1:
        return parts[0], unit
    if average == "micro":
        raise InvalidValueError(
            "posthoc='betting' requires average='macro' over benchmarks, because each step uses one question from "
            "every benchmark"
        )
    n = min(len(part) for part in parts)
    return np.mean([part[:n] for part in parts], axis=0), f"{unit}, from each benchmark"
