"""Formulas of the scores of hard labels, and the treatment of undefined scores.

A formula gives a numerator and a denominator. The score is undefined if the denominator is 0. The class axis of the
arrays is the first axis, and the problems of a batch are the last axis. Each operation therefore processes all
problems.
"""

from __future__ import annotations

__all__ = [
    "AVERAGES",
    "LABEL_METRICS",
    "POLICIES",
    "LabelMetric",
    "OneVsRest",
    "evaluate",
    "fill_value",
    "one_vs_rest",
    "policy",
    "report",
    "total_of",
]

import functools
import inspect
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import EvalstatsWarning, InvalidValueError
from evalstats._types import BoolArray, FloatArray, IndexArray
from evalstats.metrics.registry import Metric

POLICIES = ("warn", "zero", "nan", "raise")


def policy(value: Any) -> str:
    """Return `value` if it is a policy for undefined scores."""
    return _checks.choice(value, "undefined", POLICIES)


def fill_value(policy: str, usual: float = 0.0) -> float:
    """Return the replacement of an undefined value. `usual` is the value of scikit-learn."""
    return {"warn": usual, "raise": usual, "zero": 0.0, "nan": math.nan}[policy]


def report(
    undefined: BoolArray,
    policy: str,
    *,
    function: str,
    when: str,
    usual: float = 0.0,
    averaged: bool = False,
    unit: str = "class",
) -> None:
    """Raise or warn, once for the whole batch, if a score is undefined and the policy requires it.

    Parameters
    ----------
    undefined : ndarray of bool, of the shape of the scores
        Which scores are undefined or are averages over undefined scores.
    policy : str
        One of `POLICIES`.
    function : str
        The public function that was called.
    when : str
        Reason, as a clause that completes "undefined: ...".
    usual : float, default: 0.0
        Value of the undefined scores. In an average, nan means that they were left out.
    averaged : bool, default: False
        Whether the scores are averages over classes, or over `unit`.
    """
    if policy in ("zero", "nan") or not undefined.any():
        return
    place = ""
    if undefined.ndim:
        first = ", ".join(str(i) for i in np.argwhere(undefined)[0])
        place = f" in {np.count_nonzero(undefined)} of {undefined.size} scores, first in [{first}]"
    article = "an" if unit[0] in "aeiou" else "a"
    what = f"{function} is undefined" + (f" for {article} {unit}" if averaged else "")
    sentence = f"{what}{place}: {when}"
    if policy == "raise":
        raise InvalidValueError(f"{sentence}; undefined='nan' or 'zero' gives such scores a value")
    if averaged:
        done = f"the {unit} is left out of the average" if math.isnan(usual) else f"the {unit} counts as {usual:g}"
    else:
        done = f"the score is set to {usual:g}"
    warnings.warn(
        f"{sentence}; {done} (undefined='zero', 'nan' or 'raise' chooses)", EvalstatsWarning, _callers_level()
    )


def _callers_level() -> int:
    """Return the stack level of the first caller outside of this package."""
    level, frame = 0, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("evalstats."):
        level, frame = level + 1, frame.f_back
    return level


Fraction = tuple[FloatArray, FloatArray]

AVERAGES = ("binary", "micro", "macro", "weighted", None)

# the user chooses the average
CHOSEN = "chosen"


class OneVsRest(NamedTuple):
    """Each class as the positive class; shapes (k, m) for m problems, `total` (m,), `off_diagonal` (k, k, m)."""

    tp: FloatArray
    fp: FloatArray
    fn: FloatArray
    tn: FloatArray
    total: FloatArray
    off_diagonal: FloatArray | None = None

    def of(self, scored: Sequence[int]) -> OneVsRest:
        """Return the counts of the chosen classes, in the given order."""
        index = list(scored)
        if index == list(range(len(self.tp))):
            return self
        return OneVsRest(self.tp[index], self.fp[index], self.fn[index], self.tn[index], self.total)

    def pooled(self) -> OneVsRest:
        """Return the sums over the classes, as if all classes were one class."""
        tp, fp, fn, tn = (total_of(part)[None] for part in self[:4])
        return OneVsRest(tp, fp, fn, tn, self.total)


def one_vs_rest(tp: FloatArray, fp: FloatArray, fn: FloatArray, off_diagonal: FloatArray | None = None) -> OneVsRest:
    """Return the four counts of each class from three of them, of shape (k, m)."""
    not_true, not_predicted = _sum_of_others(tp + fn), _sum_of_others(tp + fp)
    # the difference of the smaller sums has the smallest rounding error if weights differ by orders of magnitude
    tn = np.where(not_true <= not_predicted, not_true - fp, not_predicted - fn)
    return OneVsRest(tp, fp, fn, np.maximum(tn, 0), total_of(tp + fn), off_diagonal)


def total_of(planes: FloatArray) -> FloatArray:
    """Sum over the first axis in a fixed order; in NumPy's sum, the order and the last bit depend on the shape."""
    total: FloatArray = planes[0].copy()
    for plane in planes[1:]:
        total += plane
    return total


def precision(c: OneVsRest) -> Fraction:
    """Proportion of the instances predicted as the class that belong to the class."""
    return c.tp, c.tp + c.fp


def recall(c: OneVsRest) -> Fraction:
    """Proportion of the instances of the class that are predicted as the class."""
    return c.tp, c.tp + c.fn


def false_positive_rate(c: OneVsRest) -> Fraction:
    """Proportion of the other instances that are predicted as the class."""
    return c.fp, c.fp + c.tn


def specificity(c: OneVsRest) -> Fraction:
    """Proportion of the other instances that are not predicted as the class."""
    return c.tn, c.fp + c.tn


def f_beta(c: OneVsRest, *, beta: float) -> Fraction:
    """Harmonic mean of precision and recall, with recall weighted by beta squared; from counts, it is 0 if tp is 0."""
    if math.isinf(beta):
        return recall(c)
    found = (1 + beta**2) * c.tp
    return found, found + beta**2 * c.fn + c.fp


def f1(c: OneVsRest) -> Fraction:
    """Harmonic mean of precision and recall."""
    return f_beta(c, beta=1.0)


def jaccard(c: OneVsRest) -> Fraction:
    """Proportion of the instances with the class as true or predicted label that have the class as both labels."""
    return c.tp, c.tp + c.fp + c.fn


def informedness(c: OneVsRest) -> Fraction:
    """Recall minus false positive rate."""
    return _determinant(c), (c.tp + c.fn) * (c.fp + c.tn)


def accuracy(c: OneVsRest) -> Fraction:
    """Proportion of correctly predicted instances."""
    return total_of(c.tp), c.total


def error_rate(c: OneVsRest) -> Fraction:
    """Proportion of incorrectly predicted instances."""
    return total_of(c.fn), c.total


def matthews_corrcoef(c: OneVsRest) -> Fraction:
    """Correlation of true and predicted classes: Gorodkin (2004), eq. 8."""
    covariance = total_of(_determinant(c))
    true_variance = total_of((c.tp + c.fn) * (c.fp + c.tn))
    predicted_variance = total_of((c.tp + c.fp) * (c.fn + c.tn))
    return _at_most(np.sqrt(true_variance * predicted_variance), covariance)


def cohen_kappa(c: OneVsRest, *, weights: str | None = None) -> Fraction:
    """Agreement beyond chance, relative to its maximum: Cohen (1960), eq. 1; Cohen (1968) with weights."""
    if weights is None:
        return _at_most(total_of((c.tp + c.fn) * (c.fn + c.tn)), total_of(_determinant(c)))
    assert c.off_diagonal is not None
    rank = np.arange(len(c.tp), dtype=np.float64)
    distance = np.abs(rank[:, None] - rank) ** (1 if weights == "linear" else 2)
    observed = total_of(total_of(distance[..., None] * c.off_diagonal))
    by_chance = total_of((c.tp + c.fn) * total_of(distance[..., None] * (c.tp + c.fp)[:, None]))
    return by_chance - observed * c.total, by_chance


@dataclass(frozen=True, kw_only=True)
class LabelMetric(Metric):
    """A metric of hard labels.

    Attributes
    ----------
    formula : callable
        Returns numerator and denominator, of shape (k, m) if the metric has a value for each class, and (m,) if it has
        one value.
    average : str or None
        Average over the classes: ``'chosen'`` by the user, a fixed average, or None if the formula has one value for
        all classes.
    usual : float
        Default value of an undefined score, as in scikit-learn. An average leaves out nan.
    choices : tuple of str
        Options of this metric in addition to the average.
    """

    needs: str = "labels"
    formula: Callable[..., Fraction]
    average: str | None
    usual: float = 0.0
    choices: tuple[str, ...] = ()


UNIT = (0.0, 1.0)
SIGNED = (-1.0, 1.0)
ALL_SYMMETRIES = ("exchange", "relabel")
NO_CASE = "no instance has weight"
NO_PREDICTED = "no instance is predicted as the class"
NO_TRUE = "no instance belongs to the class"
NO_OTHER = "no instance belongs to another class"
NEITHER = "no true or predicted label is the class"
ONE_CLASS = "all true or all predicted labels belong to one class"

LABEL_METRICS = {
    "accuracy": LabelMetric(
        function="accuracy_score",
        greater_is_better=True,
        range=UNIT,
        symmetry=ALL_SYMMETRIES,
        undefined_when=NO_CASE,
        sklearn="accuracy_score",
        formula=accuracy,
        average=None,
    ),
    "error_rate": LabelMetric(
        function="error_rate",
        greater_is_better=False,
        range=UNIT,
        symmetry=ALL_SYMMETRIES,
        undefined_when=NO_CASE,
        sklearn="zero_one_loss",
        formula=error_rate,
        average=None,
    ),
    "balanced_accuracy": LabelMetric(
        function="balanced_accuracy_score",
        greater_is_better=True,
        range=UNIT,
        symmetry=("relabel",),
        undefined_when=NO_TRUE,
        sklearn="balanced_accuracy_score",
        formula=recall,
        average="macro",
        usual=math.nan,
        choices=("adjusted",),
    ),
    "precision": LabelMetric(
        function="precision_score",
        greater_is_better=True,
        range=UNIT,
        undefined_when=NO_PREDICTED,
        sklearn="precision_score",
        formula=precision,
        average=CHOSEN,
    ),
    "recall": LabelMetric(
        function="recall_score",
        greater_is_better=True,
        range=UNIT,
        undefined_when=NO_TRUE,
        sklearn="recall_score",
        formula=recall,
        average=CHOSEN,
    ),
    "false_positive_rate": LabelMetric(
        function="false_positive_rate",
        greater_is_better=False,
        range=UNIT,
        undefined_when=NO_OTHER,
        sklearn=None,
        formula=false_positive_rate,
        average=CHOSEN,
    ),
    "specificity": LabelMetric(
        function="specificity_score",
        greater_is_better=True,
        range=UNIT,
        undefined_when=NO_OTHER,
        sklearn=None,
        formula=specificity,
        average=CHOSEN,
    ),
    "fbeta": LabelMetric(
        function="fbeta_score",
        greater_is_better=True,
        range=UNIT,
        undefined_when=NEITHER,
        sklearn="fbeta_score",
        formula=f_beta,
        average=CHOSEN,
        choices=("beta",),
    ),
    "f1": LabelMetric(
        function="f1_score",
        greater_is_better=True,
        range=UNIT,
        symmetry=("exchange",),
        undefined_when=NEITHER,
        sklearn="f1_score",
        formula=f1,
        average=CHOSEN,
    ),
    "jaccard": LabelMetric(
        function="jaccard_score",
        greater_is_better=True,
        range=UNIT,
        symmetry=("exchange",),
        undefined_when=NEITHER,
        sklearn="jaccard_score",
        formula=jaccard,
        average=CHOSEN,
    ),
    "matthews_corrcoef": LabelMetric(
        function="matthews_corrcoef",
        greater_is_better=True,
        range=SIGNED,
        symmetry=ALL_SYMMETRIES,
        undefined_when=ONE_CLASS,
        sklearn="matthews_corrcoef",
        formula=matthews_corrcoef,
        average=None,
    ),
    "cohen_kappa": LabelMetric(
        function="cohen_kappa_score",
        greater_is_better=True,
        range=SIGNED,
        symmetry=ALL_SYMMETRIES,
        undefined_when="agreement by chance is 1",
        sklearn="cohen_kappa_score",
        formula=cohen_kappa,
        average=None,
        usual=math.nan,
        choices=("weights",),
    ),
    "informedness": LabelMetric(
        function="informedness_score",
        greater_is_better=True,
        range=SIGNED,
        symmetry=("relabel",),
        undefined_when="no instance belongs to the class, or no instance belongs to another class",
        sklearn=None,
        formula=informedness,
        average=CHOSEN,
    ),
    "geometric_mean": LabelMetric(
        function="geometric_mean_score",
        greater_is_better=True,
        range=UNIT,
        symmetry=("relabel",),
        undefined_when=NO_TRUE,
        sklearn=None,
        formula=recall,
        average="geometric",
    ),
}


def evaluate(
    metric: LabelMetric, c: OneVsRest, scored: Sequence[int], average: str | None, fill: float, **choices: Any
) -> tuple[FloatArray, IndexArray]:
    """Return the scores, and the number of undefined values in each; the shape is (m,), or (t, m) if `average` is None.

    Parameters
    ----------
    metric : LabelMetric
    c : OneVsRest
        The counts of m problems.
    scored : sequence of int
        The t classes that are averaged.
    average : str or None
        One of `AVERAGES`, ``'geometric'`` or ``'adjusted'``.
    fill : float
        Value of an undefined score. With nan, an average leaves the score out.
    """
    if metric.average is None:
        values, undefined = _divided(*metric.formula(c, **choices), fill)
        return values, undefined.astype(np.intp)
    c = c.of(scored)
    if average == "micro":
        c = c.pooled()
    values, undefined = _divided(*metric.formula(c, **choices), fill)
    if average is None:
        return values, undefined.astype(np.intp)
    weight = c.tp + c.fn if average == "weighted" else np.ones_like(values)
    n_undefined = np.count_nonzero(undefined & (weight > 0), axis=0)
    score = _averaged(values, weight, average)
    without_value = np.isnan(score)
    score[without_value] = fill
    return score, np.maximum(n_undefined, without_value)


def _sum_of_others(values: FloatArray) -> FloatArray:
    """Return, for each class, the sum over all other classes, computed without subtraction."""
    before, after = np.zeros_like(values), np.zeros_like(values)
    for i in range(1, len(values)):  # ten times faster than cumsum along the first axis
        np.add(before[i - 1], values[i - 1], out=before[i])
        np.add(after[-i], values[-i], out=after[-i - 1])
    return before + after


def _divided(numerator: FloatArray, denominator: FloatArray, fill: float) -> tuple[FloatArray, BoolArray]:
    undefined = denominator == 0
    return np.where(undefined, fill, numerator / np.where(undefined, 1, denominator)), undefined


def _averaged(values: FloatArray, weight: FloatArray, average: str) -> FloatArray:
    """Average over the classes, omitting nan; return nan if all values are nan."""
    defined = ~np.isnan(values)
    weight = weight * defined
    total = total_of(weight)
    with np.errstate(invalid="ignore", divide="ignore"):
        if average == "geometric":
            product = functools.reduce(np.multiply, np.where(defined, values, 1) ** (1 / total))
            return np.where(total > 0, product, np.nan)
        mean = total_of(np.where(defined, weight * values, 0)) / total
        return (mean - 1 / total) / (1 - 1 / total) if average == "adjusted" else mean


def _determinant(c: OneVsRest) -> FloatArray:
    """Return the determinant of a 2 x 2 table: 0 if the predictions are independent of the true classes."""
    return c.tp * c.tn - c.fp * c.fn


def _at_most(denominator: FloatArray, numerator: FloatArray) -> Fraction:
    """Limit a correlation to [-1, 1], which rounding errors in sums of weights may exceed."""
    return np.clip(numerator, -denominator, denominator), denominator
