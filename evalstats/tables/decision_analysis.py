"""Decisions from predictions: net benefit at thresholds, and comparisons of the errors of classifiers in each class."""

from __future__ import annotations

__all__ = ["DatasetDecisions", "DecisionAnalysis", "DecisionComparison", "analyze_decisions"]

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._findings import Finding, note
from evalstats._result import Record
from evalstats._types import BoolArray, FloatArray
from evalstats.adjustment.pvalues import ADJUSTMENTS, adjust_pvalues
from evalstats.metrics import DecisionCurve, decision_curve
from evalstats.metrics.net_benefit import understand_thresholds
from evalstats.paired.net_benefit import NetBenefitDifference, net_benefit_difference
from evalstats.paired.predictive_values import PredictiveValueTestResult, predictive_value_test
from evalstats.paired.sensitivity_specificity import SensitivitySpecificityTestResult, sensitivity_specificity_test
from evalstats.tables.aligned_instances import AlignedCases, aligned_cases, predicted_once, with_probabilities
from evalstats.tables.predictions import Predictions

THRESHOLDS = tuple(i / 10 for i in range(1, 10))
PVALUES = ("joint_pvalue", "positive_pvalue", "negative_pvalue")


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetDecisions(Record):
    """Decision curves of all classifiers on one dataset.

    Attributes
    ----------
    dataset : str
        Name of the dataset.
    classifiers : tuple of str
        Names of k classifiers, in the order of the rows of the curve.
    curve : DecisionCurve
        Net benefits of shape (k, n_thresholds).
    low, high : ndarray of shape (k, n_thresholds)
        Confidence limits of the net benefits, simultaneous for all thresholds of one classifier, at the level 1 -
        alpha.
    """

    dataset: str
    classifiers: tuple[str, ...]
    curve: DecisionCurve
    low: FloatArray
    high: FloatArray
    _cases: tuple[BoolArray, FloatArray]  # whether each instance is positive, and the probabilities


@dataclass(frozen=True, kw_only=True, eq=False)
class DecisionComparison(Record):
    """Comparison of the decisions of two classifiers on one dataset. In the tests, x is the first classifier.

    Attributes
    ----------
    dataset, first, second : str
        Names of the dataset and classifiers.
    benefit : NetBenefitDifference or None
        Difference in net benefit, first minus second, or None if there are no probabilities. Its limits are
        simultaneous for all thresholds. If p-values are adjusted, the limits have the confidence level 1 - alpha /
        n_pairs and are also simultaneous for all pairs of the dataset.
    joint : SensitivitySpecificityTestResult or None
        Joint test of sensitivity and specificity, or None if there are no predicted classes.
    positive, negative : PredictiveValueTestResult or None
        Tests of the positive and of the negative predictive value, or None if there are no predicted classes.
    joint_pvalue, positive_pvalue, negative_pvalue : float
        p-values of the three tests, each adjusted for all pairs of the dataset, or nan if there is no p-value.
    """

    dataset: str
    first: str
    second: str
    benefit: NetBenefitDifference | None
    joint: SensitivitySpecificityTestResult | None
    positive: PredictiveValueTestResult | None
    negative: PredictiveValueTestResult | None
    joint_pvalue: float
    positive_pvalue: float
    negative_pvalue: float


@dataclass(frozen=True, kw_only=True, eq=False)
class DecisionAnalysis(Record):
    """Result of `analyze_decisions`. `evalstats.report` renders it, and `plot.decision_curves` plots it.

    Attributes
    ----------
    curves : tuple of DatasetDecisions
        One record for each dataset, or an empty tuple if there are no probabilities.
    comparisons : tuple of DecisionComparison
        One record for each dataset and pair of classifiers.
    threshold : float
        Probability from which the tests of two classifiers count an instance as predicted positive. It is nan if the
        tests use the predicted labels, or if there are no such tests.
    prevalence : float or None
        Prevalence that was passed for the predictive values.
    alpha : float
        Significance level. The intervals have the confidence level 1 - alpha.
    adjustment : str
        Method of the multiple-testing adjustment.
    seed : int or None
        Seed of the random draws for the limits, or None if `rng` was a Generator.
    findings : tuple of Finding
        Findings about clipped probabilities and missing tests.
    """

    curves: tuple[DatasetDecisions, ...]
    comparisons: tuple[DecisionComparison, ...]
    threshold: float
    prevalence: float | None
    alpha: float
    adjustment: str
    seed: int | None
    findings: tuple[Finding, ...]

    def _rows(self) -> Sequence[Record]:
        return self.comparisons


class _Asked(NamedTuple):
    thresholds: FloatArray
    threshold: float  # of the predicted classes; nan for predicted labels
    prevalence: float | None
    alpha: float
    adjust: str
    rng: Any
    is_tested: bool  # whether there are predicted classes of several classifiers


def analyze_decisions(
    predictions: Predictions,
    *,
    thresholds: Any = None,
    prevalence: float | None = None,
    alpha: float = 0.05,
    adjust: str = "holm",
    rng: Any = None,
) -> DecisionAnalysis:
    """Analyze decisions: compute net benefits, and compare the errors of classifiers in each class.

    Three null hypotheses are tested for each pair of classifiers: equal sensitivity and specificity
    (`sensitivity_specificity_test`), equal positive predictive values, and equal negative predictive values
    (`predictive_value_test`).

    Parameters
    ----------
    predictions : Predictions
        Result of `read_predictions`, with one prediction of each instance by each classifier. Net benefits require the
        probability of the positive class in `y_score`. The instances must be independent.
    thresholds : array_like of shape (n_thresholds,) or float, optional
        Increasing probabilities greater than 0 and less than 1. Default: 0.1, 0.2, ..., 0.9. The tests of two
        classifiers use a single threshold: an instance is predicted positive if its probability is at least the
        threshold. With several thresholds, the tests use the predicted labels, if there are any.
    prevalence : float, optional
        Prevalence of the positive class in the population, for the predictive values. Pass it if the proportion of
        positive instances in the sample was chosen. The net benefit always applies to the prevalence of the sample.
    alpha : float, default: 0.05
        Significance level. The intervals have the confidence level 1 - alpha.
    adjust : str, default: 'holm'
        A method of `adjust_pvalues`, such as ``'holm'``, or ``'none'``. The adjustment applies to all pairs of a
        dataset, for each of the three tests.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    DecisionAnalysis

    Raises
    ------
    TableError, InvalidValueError
        If there is nothing to analyze, if a dataset has no positive label, or if all instances of a dataset have one
        class. If an instance was predicted several times, or if a probability is outside of [0, 1] by more than a
        rounding error (1e-6).

    See Also -------- evalstats.metrics.decision_curve : the net benefit, computed from arrays. analyze_calibration :
    the analysis of calibration. Miscalibration reduces the net benefit.

    References
    ----------
    Vickers, A. J. & Elkin, E. B. (2006). Decision curve analysis: a novel method for evaluating prediction models.
    Medical Decision Making 26, 565-574.

    Examples
    --------
    >>> from evalstats.io.reader.predictions import read_predictions
    >>> from evalstats.tables import analyze_decisions
    >>> predictions = read_predictions({
    ...     "y_true": [0, 0, 1, 0, 1, 1] * 10,
    ...     "p": [0.1, 0.2, 0.3, 0.6, 0.7, 0.9] * 10,
    ...     "q": [0.4, 0.4, 0.2, 0.6, 0.6, 0.6] * 10,
    ... })
    >>> found = analyze_decisions(predictions, thresholds=0.3)
    >>> found.curves[0].curve.net_benefit.round(3).tolist()
    [[0.429], [0.119]]
    >>> pair = found.comparisons[0]
    >>> print(f"{pair.benefit.difference[0]:.3f}, joint p = {pair.joint_pvalue:.2g}")
    0.310, joint p = 3.1e-07
    """
    _checks.instance(predictions, "predictions", Predictions, "what read_predictions returned")
    alpha, source = _checks.proportion(alpha, "alpha"), _checks.random_source(rng)
    adjust = _checks.choice(adjust, "adjust", ("none", *ADJUSTMENTS))
    at = understand_thresholds(
        THRESHOLDS if thresholds is None else np.atleast_1d(_checks.numbers(thresholds, "thresholds"))
    )
    predictions, findings = _understood(predictions.one_by_one(), at, has_thresholds=thresholds is not None)
    k, single = len(predictions.classifiers), at.size == 1 and predictions.y_score is not None
    is_tested = k > 1 and (single or predictions.y_pred is not None)
    if prevalence is not None and not is_tested:
        raise InvalidValueError(
            "prevalence must be left out: it applies to predictive values, which require several classifiers and "
            "either a single threshold or predicted labels"
        )
    threshold = float(at[0]) if is_tested and single else math.nan
    asked = _Asked(at, threshold, prevalence, alpha, adjust, source.given, is_tested)

    curves: list[DatasetDecisions] = []
    comparisons: list[DecisionComparison] = []
    for dataset in predictions.datasets:
        cases = aligned_cases(predictions.select([dataset], predictions.classifiers))
        if cases.y_score is not None:
            curves.append(_curves(cases, cases.y_score, dataset, predictions.classifiers, asked))
        comparisons.extend(_comparisons(cases, dataset, predictions.classifiers, asked))
    return DecisionAnalysis(
        curves=tuple(curves),
        comparisons=tuple(comparisons),
        threshold=threshold,
        prevalence=prevalence,
        alpha=alpha,
        adjustment=adjust if k > 2 else "none",
        seed=source.seed,
        findings=(*predictions.findings, *findings),
    )


def _understood(
    predictions: Predictions, at: FloatArray, *, has_thresholds: bool
) -> tuple[Predictions, tuple[Finding, ...]]:
    """Return predictions that can be analyzed, with probabilities from 0 to 1, and the findings."""
    if predictions.y_score is not None or has_thresholds or len(predictions.classifiers) == 1:
        predictions, findings = with_probabilities(predictions, "a decision curve")
    else:
        findings = predicted_once(predictions, "a comparison of decisions")
    if predictions.y_pred is None and len(predictions.classifiers) > 1 and at.size > 1:
        untested = note(
            "no-predicted-classes",
            "Sensitivity, specificity and predictive values are not compared, because there are several thresholds and "
            "no predicted labels. Choose a single threshold for these tests.",
        )
        findings = (*findings, untested)
    return predictions, findings


def _curves(
    cases: AlignedCases, score: FloatArray, dataset: str, classifiers: tuple[str, ...], asked: _Asked
) -> DatasetDecisions:
    """Return the decision curves of one dataset."""
    curve = decision_curve(cases.is_positive, score, thresholds=asked.thresholds, pos_label=True)
    low, high = curve.band(1 - asked.alpha, rng=asked.rng)
    return DatasetDecisions(
        dataset=dataset, classifiers=classifiers, curve=curve, low=low, high=high, _cases=(cases.is_positive, score)
    )


def _comparisons(
    cases: AlignedCases, dataset: str, classifiers: tuple[str, ...], asked: _Asked
) -> Iterator[DecisionComparison]:
    """Compare each pair of classifiers of one dataset."""
    pairs = list(itertools.combinations(range(len(classifiers)), 2))
    truth, score, decisions = cases.is_positive, cases.y_score, _decisions(cases, asked)
    level = 1 - asked.alpha / (1 if asked.adjust == "none" else max(len(pairs), 1))
    choices: dict[str, Any] = {"thresholds": asked.thresholds, "confidence_level": level, "rng": asked.rng}
    made = [
        DecisionComparison(
            dataset=dataset,
            first=classifiers[i],
            second=classifiers[j],
            benefit=None
            if score is None
            else net_benefit_difference(truth, score[i], score[j], pos_label=True, **choices),
            **_tests(truth, None if decisions is None else decisions[[i, j]], asked),
        )
        for i, j in pairs
    ]
    adjusted = [_adjusted([getattr(one, name) for one in made], asked.adjust) for name in PVALUES]
    for one, joint, positive, negative in zip(made, *adjusted, strict=True):
        yield replace(one, joint_pvalue=joint, positive_pvalue=positive, negative_pvalue=negative)


def _decisions(cases: AlignedCases, asked: _Asked) -> BoolArray | None:
    """Return whether each classifier (row) predicts each instance as positive, or None if no classes are predicted."""
    if not asked.is_tested:
        return None
    if math.isnan(asked.threshold):
        assert cases.y_pred is not None
        return np.equal(cases.y_pred, cases.positive)
    assert cases.y_score is not None
    return np.greater_equal(cases.y_score, asked.threshold)


def _tests(truth: BoolArray, decisions: BoolArray | None, asked: _Asked) -> dict[str, Any]:
    """Return the tests of two classifiers with their own p-values."""
    if decisions is None:
        return {**dict.fromkeys(("joint", "positive", "negative")), **dict.fromkeys(PVALUES, math.nan)}
    of_values = {
        value: predictive_value_test(truth, *decisions, value=value, prevalence=asked.prevalence, pos_label=True)
        for value in ("positive", "negative")
    }
    tests = {"joint": sensitivity_specificity_test(truth, *decisions, pos_label=True), **of_values}
    return {**tests, **{f"{name}_pvalue": float(test.pvalue) for name, test in tests.items()}}


def _adjusted(pvalues: list[float], adjust: str) -> list[float]:
    if adjust == "none" or all(map(math.isnan, pvalues)):
        return pvalues
    adjusted: list[float] = adjust_pvalues(np.array(pvalues), adjust, nan_policy="count").tolist()
    return adjusted
