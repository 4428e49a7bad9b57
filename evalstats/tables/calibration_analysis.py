"""Calibration of the predicted probabilities of classifiers, with comparisons of their Brier scores and log losses."""

from __future__ import annotations

__all__ = ["CalibrationAnalysis", "ClassifierCalibration", "ProbabilityComparison", "analyze_calibration"]

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._findings import Finding, warning
from evalstats._result import Record
from evalstats._types import FloatArray, IntArray
from evalstats.adjustment.pvalues import ADJUSTMENTS, adjust_pvalues
from evalstats.metrics import (
    BrierDecomposition,
    RecalibrationTestResult,
    ReliabilityCurve,
    SpiegelhalterTestResult,
    brier_decomposition,
    expected_calibration_error,
    log_loss,
    recalibration_test,
    reliability_curve,
    spiegelhalter_test,
)
from evalstats.paired.proper_score import SCORES, ProperScoreTestResult, proper_score_test
from evalstats.tables.aligned_instances import with_probabilities
from evalstats.tables.errors import short
from evalstats.tables.predictions import Predictions

N_CHANCE = 200  # resamples of the mean calibration error by chance


@dataclass(frozen=True, kw_only=True, eq=False)
class ClassifierCalibration(Record):
    """The calibration of the probabilities of one classifier on one dataset.

    Attributes
    ----------
    dataset, classifier : str
        Names of the dataset and classifier.
    n_instances, n_positive : int
        Numbers of instances and of positive instances.
    recalibration : RecalibrationTestResult
        Intercept and slope of the logistic regression on the logits, with likelihood-ratio tests.
    slope_low, slope_high : float
        Confidence interval for the slope at the level 1 - alpha.
    spiegelhalter : SpiegelhalterTestResult
        Spiegelhalter's test.
    decomposition : BrierDecomposition
        Decomposition of the Brier score into miscalibration, discrimination and uncertainty, by an isotonic fit.
    log_loss : float
        Mean log loss in nats. It is infinite if the probability of a true class is 0.
    expected_calibration_error : float
        Mean absolute difference between frequency and mean probability in bins of equal width.
    chance_calibration_error : float
        Mean calibration error in simulations with calibrated probabilities and the same number of instances.
    """

    dataset: str
    classifier: str
    n_instances: int
    n_positive: int
    recalibration: RecalibrationTestResult
    slope_low: float
    slope_high: float
    spiegelhalter: SpiegelhalterTestResult
    decomposition: BrierDecomposition
    log_loss: float
    expected_calibration_error: float
    chance_calibration_error: float
    _y_true: IntArray
    _y_prob: FloatArray

    def curve(self, **choices: Any) -> ReliabilityCurve:
        """Return the reliability curve.

        Parameters
        ----------
        **choices : optional
            Arguments of `evalstats.metrics.reliability_curve`.

        Returns
        -------
        ReliabilityCurve
        """
        return reliability_curve(self._y_true, self._y_prob, pos_label=1, **choices)


@dataclass(frozen=True, kw_only=True, eq=False)
class ProbabilityComparison(Record):
    """Comparison of the probabilities of two classifiers on one dataset by a proper scoring rule.

    Attributes
    ----------
    dataset, first, second : str
        Names of the dataset and classifiers.
    score : {'brier', 'log_loss'}
        The score. A smaller score is better.
    test : ProperScoreTestResult
        The test of the difference in score, first classifier minus second classifier.
    low, high : float
        Confidence interval for the difference at the level 1 - alpha, not adjusted for the number of pairs.
    adjusted_pvalue : float
        p-value, adjusted for all pairs of classifiers on the dataset, separately for each score.
    """

    dataset: str
    first: str
    second: str
    score: str
    test: ProperScoreTestResult
    low: float
    high: float
    adjusted_pvalue: float


@dataclass(frozen=True, kw_only=True, eq=False)
class CalibrationAnalysis(Record):
    """Result of `analyze_calibration`. `evalstats.report` renders it, and `plot.reliability_diagram` plots it.

    Attributes
    ----------
    classifiers : tuple of ClassifierCalibration
        One record for each dataset and classifier.
    comparisons : tuple of ProbabilityComparison
        One record for each dataset, score and pair of classifiers.
    alpha : float
        Significance level. The intervals have the confidence level 1 - alpha.
    adjustment : str
        Method of the multiple-testing adjustment.
    n_bins : int
        Number of bins for the calibration error.
    seed : int or None
        Seed of the resamples, or None if `rng` was a Generator.
    findings : tuple of Finding
        Findings about clipped probabilities and missing comparisons.
    """

    classifiers: tuple[ClassifierCalibration, ...]
    comparisons: tuple[ProbabilityComparison, ...]
    alpha: float
    adjustment: str
    n_bins: int
    seed: int | None
    findings: tuple[Finding, ...]

    def _rows(self) -> Sequence[Record]:
        return self.classifiers

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the datasets."""
        return tuple(dict.fromkeys(one.dataset for one in self.classifiers))


def analyze_calibration(
    predictions: Predictions, *, alpha: float = 0.05, adjust: str = "holm", n_bins: int = 15, rng: Any = None
) -> CalibrationAnalysis:
    """Analyze the calibration of predicted probabilities, and compare classifiers by proper scoring rules.

    For each classifier on each dataset, the null hypothesis of `recalibration_test` and of `spiegelhalter_test` is that
    its probabilities are calibrated. The null hypothesis for a pair is that both classifiers have the same expected
    Brier score, or the same expected log loss.

    Parameters
    ----------
    predictions : Predictions
        Result of `read_predictions`, with one prediction of each instance by each classifier. `y_score` contains the
        probability of the positive class.
    alpha : float, default: 0.05
        Significance level. The intervals have the confidence level 1 - alpha.
    adjust : str, default: 'holm'
        A method of `adjust_pvalues`, such as ``'holm'``, or ``'none'``. The adjustment applies to all pairs of a
        dataset, separately for each score.
    n_bins : int, default: 15
        Number of bins for the expected calibration error.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.

    Returns
    -------
    CalibrationAnalysis

    Raises
    ------
    TableError, InvalidValueError
        If there are no probabilities, if a dataset has no positive label, or if an instance was predicted several
        times. If a probability is outside of [0, 1] by more than a rounding error (1e-6). A smaller excess is clipped,
        and a finding reports the clipping.

    Examples
    --------
    >>> from evalstats.io.reader.predictions import read_predictions
    >>> from evalstats.tables import analyze_calibration
    >>> predictions = read_predictions({
    ...     "y_true": [0, 0, 1, 0, 1, 1] * 10,
    ...     "p": [0.1, 0.2, 0.3, 0.6, 0.7, 0.9] * 10,
    ...     "q": [0.4, 0.4, 0.5, 0.6, 0.6, 0.6] * 10,
    ... })
    >>> found = analyze_calibration(predictions)
    >>> [f"{one.classifier}: slope {one.recalibration.slope:.2f}" for one in found.classifiers]
    ['p: slope 1.12', 'q: slope 3.64']
    >>> pair = found.comparisons[0]
    >>> print(f"{pair.score}: {pair.test.difference:.3f}, p = {pair.adjusted_pvalue:.3f}")
    brier: -0.042, p = 0.022
    """
    _checks.instance(predictions, "predictions", Predictions, "a result of read_predictions")
    alpha = _checks.proportion(alpha, "alpha")
    adjust = _checks.choice(adjust, "adjust", ("none", *ADJUSTMENTS))
    n_bins, source = _checks.count(n_bins, "n_bins"), _checks.random_source(rng)
    predictions, clipped = with_probabilities(predictions.one_by_one(), "calibration")

    generator = source.generator()
    classifiers = tuple(
        _calibration(predictions, dataset, classifier, alpha, n_bins, generator)
        for dataset, classifier in itertools.product(
            range(len(predictions.datasets)), range(len(predictions.classifiers))
        )
    )
    comparisons: tuple[ProbabilityComparison, ...] = ()
    missing = list(clipped)
    if len(predictions.classifiers) > 1 and predictions.instance is None:
        missing.append(
            warning(
                "instances-without-names",
                "The classifiers are not compared with each other, because no column names the instances.",
            )
        )
    elif len(predictions.classifiers) > 1:
        comparisons = tuple(_comparisons(classifiers, alpha, adjust, source.given))
    return CalibrationAnalysis(
        classifiers=classifiers,
        comparisons=comparisons,
        alpha=alpha,
        adjustment=adjust if len(predictions.classifiers) > 2 else "none",
        n_bins=n_bins,
        seed=source.seed,
        findings=(*predictions.findings, *missing),
    )


def _calibration(
    predictions: Predictions, dataset: int, classifier: int, alpha: float, n_bins: int, generator: np.random.Generator
) -> ClassifierCalibration:
    """Return the calibration of one classifier on one dataset."""
    rows = np.flatnonzero((predictions.dataset == dataset) & (predictions.classifier == classifier))
    if rows.size == 0:
        who, where = predictions.classifiers[classifier], predictions.datasets[dataset]
        raise InvalidValueError(f"{short(who)} has no predictions for the dataset {short(where)}")
    if predictions.instance is not None:
        rows = rows[np.argsort(predictions.instance[rows], kind="stable")]
    positive = predictions.positives[dataset]
    number = predictions.labels.index(positive) if positive in predictions.labels else -1
    assert predictions.y_score is not None
    y, p = (predictions.y_true[rows] == number).astype(np.int64), predictions.y_score[rows]
    aligned = y, p
    order = np.lexsort((y, p))  # sums to the last bit, and draws, that do not depend on the order of the instances
    y, p = y[order], p[order]
    recalibration = recalibration_test(y, p, pos_label=1)
    low, high = recalibration.slope_interval(1 - alpha)
    return ClassifierCalibration(
        dataset=predictions.datasets[dataset],
        classifier=predictions.classifiers[classifier],
        n_instances=y.size,
        n_positive=int(y.sum()),
        recalibration=recalibration,
        slope_low=float(low),
        slope_high=float(high),
        spiegelhalter=spiegelhalter_test(y, p, pos_label=1),
        decomposition=brier_decomposition(y, p, pos_label=1),
        log_loss=_log_loss(y, p),
        expected_calibration_error=float(expected_calibration_error(y, p, pos_label=1, n_bins=n_bins)),
        chance_calibration_error=_by_chance(p, n_bins, generator),
        _y_true=aligned[0],
        _y_prob=aligned[1],
    )


def _log_loss(y: IntArray, p: FloatArray) -> float:
    """Return the mean log loss without clipping. It is infinite if the probability of a true class is 0."""
    of_true = np.where(y == 1, p, 1 - p)
    return math.inf if (of_true == 0).any() else float(log_loss(y, p, labels=[0, 1]))


def _by_chance(p: FloatArray, n_bins: int, generator: np.random.Generator) -> float:
    """Estimate the mean calibration error of calibrated probabilities by simulation."""
    which = np.searchsorted(np.linspace(0, 1, n_bins + 1)[1:-1], p)
    expected = np.bincount(which, p, n_bins)
    errors = [
        np.abs(np.bincount(which, generator.random(p.size) < p, n_bins) - expected).sum() / p.size
        for _ in range(N_CHANCE)
    ]
    return float(np.mean(errors))


def _comparisons(
    classifiers: Sequence[ClassifierCalibration], alpha: float, adjust: str, rng: Any
) -> Iterator[ProbabilityComparison]:
    """Compare each pair of classifiers of each dataset by both scores."""
    for dataset in dict.fromkeys(one.dataset for one in classifiers):
        pairs = list(itertools.combinations([one for one in classifiers if one.dataset == dataset], 2))
        for x, y in pairs:
            if not np.array_equal(x._y_true, y._y_true):
                raise InvalidValueError(
                    f"{short(x.classifier)} and {short(y.classifier)} must predict the same instances of "
                    f"{short(dataset)} with the same true labels"
                )
        for score in SCORES:
            tests = [
                proper_score_test(x._y_true, x._y_prob, y._y_prob, score=score, pos_label=1, rng=rng) for x, y in pairs
            ]
            pvalues = np.array([test.pvalue for test in tests], dtype=np.float64)
            adjusted = pvalues if adjust == "none" else adjust_pvalues(pvalues, adjust, nan_policy="count")
            for (x, y), test, pvalue in zip(pairs, tests, adjusted.tolist(), strict=True):
                low, high = test.confidence_interval(1 - alpha)
                yield ProbabilityComparison(
                    dataset=dataset,
                    first=x.classifier,
                    second=y.classifier,
                    score=score,
                    test=test,
                    low=float(low),
                    high=float(high),
                    adjusted_pvalue=pvalue,
                )
