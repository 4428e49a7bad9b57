"""Variance between and within questions, for plans with more questions or more sampled answers to each question."""

from __future__ import annotations

__all__ = ["PilotVariance", "QuestionVariance", "pilot_variance", "question_variance"]

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError
from evalstats._result import Record, reasons
from evalstats._types import FloatArray, IndexArray, IntArray

NO_MORE_THAN_NOISE = (
    "the variance between questions is estimated as 0, because the variation of the sampled answers explains the "
    "differences between questions; use more questions"
)
NO_VARIANCE = "all answers are equal, so there is no variance to decompose"


@dataclass(frozen=True, kw_only=True, eq=False)
class QuestionVariance(Record):
    """Result of `question_variance`.

    Attributes
    ----------
    mean : float or ndarray
        Mean score, or mean difference of two models.
    variance_between : float or ndarray
        Variance between the expected scores of the questions. It is 0 if the estimate is negative.
    variance_within : float or ndarray
        Variance of the sampled answers to one question. For two models, it is the sum of the variances of both models.
    intraclass_correlation : float or ndarray
        Proportion of the variance of a single answer, or of a single difference, that questions explain: the intraclass
        correlation. It is 0 if the estimate is negative (R's psych then returns a negative value), and nan if there is
        no variance.
    n_questions : int
        Number of questions.
    n_samples : tuple of int
        Number of sampled answers to each question for each model.
    reason : str, None or ndarray of object
        A sentence if the input is degenerate, or None.
    """

    mean: Any
    variance_between: Any
    variance_within: Any
    intraclass_correlation: Any
    n_questions: int
    n_samples: tuple[int, ...]
    reason: Any

    def standard_error(self, n_questions: int, n_samples: int) -> Any:
        """Compute the standard error of the mean for given numbers of questions and of sampled answers.

        Parameters
        ----------
        n_questions, n_samples : int
            Number of questions, and number of sampled answers to each question, each 1 or more.

        Returns
        -------
        float or ndarray

        Examples
        --------
        >>> from evalstats.design import question_variance
        >>> result = question_variance([[1, 1, 0], [1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]])
        >>> print(f"{result.standard_error(100, 1):.3f} {result.standard_error(100, 10):.3f}")
        0.052 0.035
        """
        n, m = _checks.count(n_questions, "n_questions"), _checks.count(n_samples, "n_samples")
        error = np.sqrt((np.asarray(self.variance_between) + np.asarray(self.variance_within) / m) / n)
        return error.item() if error.ndim == 0 else error

    def questions_needed(self, standard_error: float, n_samples: int = 1) -> Any:
        """Compute the number of questions for a target standard error and a given number of sampled answers.

        Parameters
        ----------
        standard_error : float
            Target standard error. Half the width of a 95% interval is about two standard errors.
        n_samples : int, default: 1
            Number of sampled answers to each question, 1 or more.

        Returns
        -------
        int or ndarray of int
            Number of questions, 2 or more.

        Examples
        --------
        >>> from evalstats.design import question_variance
        >>> result = question_variance([[1, 1, 0], [1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]])
        >>> result.questions_needed(0.02), result.questions_needed(0.02, n_samples=10)
        (686, 311)
        """
        wanted = _checks.real(standard_error, "standard_error")
        if not 1e-9 <= wanted < math.inf:
            raise InvalidValueError(f"standard_error must be finite and at least 1e-9, not {wanted}")
        m = _checks.count(n_samples, "n_samples")
        total = np.asarray(self.variance_between) + np.asarray(self.variance_within) / m
        needed = np.maximum(np.ceil(np.minimum(total / wanted / wanted, 2.0**53) * (1 - 1e-12)), 2).astype(np.int64)
        return needed.item() if needed.ndim == 0 else needed

    def best_n_samples(self, cost_of_question: float) -> Any:
        """Compute the number of sampled answers per question with the smallest standard error for a given cost.

        Parameters
        ----------
        cost_of_question : float
            Cost of one additional question (for writing and checking), in units of the cost of one sampled answer.

        Returns
        -------
        float or ndarray
            The square root of `cost_of_question` * `variance_within` / `variance_between` (Cochran 1977, section 10.6),
            at least 1 and not rounded. It is infinite if the variance between questions is 0.

        Examples
        --------
        >>> from evalstats.design import question_variance
        >>> result = question_variance([[1, 1, 0], [1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]])
        >>> round(result.best_n_samples(cost_of_question=4), 2)
        2.49
        """
        cost = _checks.real(cost_of_question, "cost_of_question")
        if not 0 <= cost < math.inf:
            raise InvalidValueError(f"cost_of_question must be finite and nonnegative, not {cost}")
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.asarray(self.variance_within) / np.asarray(self.variance_between)
        best = np.maximum(np.sqrt(cost * np.where(np.isnan(ratio), 0.0, ratio)), 1.0)
        best = np.where(np.isnan(best), 1.0, best)  # neither a cost nor a variance between questions
        return best.item() if best.ndim == 0 else best


def question_variance(x: ArrayLike, y: ArrayLike | None = None) -> QuestionVariance:
    """Estimate the variance of answers between questions and within questions.

    Sampled answers to the same question show the variation of the answers of a model, but give no information on other
    questions. The standard error of a mean over n questions with m sampled answers each is sqrt((between + within / m)
    / n). More sampled answers reduce only the second part.

    Parameters
    ----------
    x : array_like of shape (..., n_questions, n_samples)
        Scores of the sampled answers of a model, such as 1 for correct and 0 for incorrect. At least two questions and
        two sampled answers are required. Leading axes are batch dimensions and broadcast.
    y : array_like of shape (..., n_questions, n_samples_of_y), optional
        Scores of a second model on the same questions. The result then contains the variances of the difference x - y,
        under the assumption that the answers of x and y are independent.

    Returns
    -------
    QuestionVariance
        Both variances, and the methods `standard_error`, `questions_needed` and `best_n_samples`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If a score is not a finite number. If there are fewer than two questions or sampled answers, or if x and y do
        not have the same questions.

    Notes
    -----
    The model is a one-way analysis of variance with random effects. The variance within questions is the mean of
    the variances of the sampled answers to each question. The variance between questions is the variance of the means
    of the questions minus within / m. If the estimate of the variance between questions is below 0, it is replaced by
    0, and `reason` states the cause.

    References
    ----------
    Cochran, W. G. (1977). Sampling Techniques, 3rd edition. Wiley, sections 10.3 and 10.6.

    Miller, E. (2024). Adding error bars to evals: a statistical approach to language model evaluations.
    arXiv:2411.00640, section 3.1.

    Examples
    --------
    Six questions with three sampled answers each:

    >>> from evalstats.design import question_variance
    >>> result = question_variance([[1, 1, 0], [1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]])
    >>> print(f"between {result.variance_between:.3f}, within {result.variance_within:.3f}")
    between 0.107, within 0.167
    """
    models = [_scores(x, "x")] if y is None else [_scores(x, "x"), _scores(y, "y")]
    if y is not None:
        _same_questions(x, y, *models)
    means = models[0].mean(axis=-1) - (models[1].mean(axis=-1) if y is not None else 0.0)
    within = tuple(np.asarray(model.var(axis=-1, ddof=1).mean(axis=-1)) for model in models)
    of_means = sum(part / model.shape[-1] for part, model in zip(within, models, strict=True))
    difference = means.var(axis=-1, ddof=1) - of_means
    between = np.maximum(difference, 0.0)
    total = between + sum(within)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(total > 0, between / total, np.nan)
    return QuestionVariance(
        mean=means.mean(axis=-1),
        variance_between=between,
        variance_within=np.broadcast_to(np.asarray(sum(within)), between.shape).copy(),
        intraclass_correlation=share,
        n_questions=models[0].shape[-2],
        n_samples=tuple(model.shape[-1] for model in models),
        reason=reasons(between.shape, (total == 0, NO_VARIANCE), (difference < 0, NO_MORE_THAN_NOISE)),
    )


def _scores(value: Any, name: str) -> FloatArray:
    array = _checks.numbers(value, name)
    if array.ndim < 2 or 0 in array.shape or array.shape[-2] < 2 or array.shape[-1] < 2:
        raise InvalidValueError(
            f"{name} must have the shape (n_questions, n_samples) with at least two questions and two sampled answers, "
            f"but its shape is {array.shape}; the two variances cannot be separated with one answer to each question"
        )
    return _checks.moderate(_checks.finite(array, name), name)


def _same_questions(x: Any, y: Any, a: FloatArray, b: FloatArray) -> None:
    _labels.same_labels(rows=("x", "y"), x=x, y=y)
    if a.shape[-2] != b.shape[-2]:
        raise InvalidValueError(
            f"x and y must have the same questions, but x has {a.shape[-2]} and y has {b.shape[-2]}"
        )
    _checks.leading_axes(a.shape, b.shape, 2)


class PilotVariance(NamedTuple):
    """Variances of the differences of two models in a pilot study, for a plan with more questions."""

    between: float  # variance of the differences between questions, for any number of answers
    within: float | None  # additional variance of one answer of each model; None if each model answered once
    of_clusters: float  # the part of this variance that questions of one cluster share
    cluster_size: float  # mean size of the cluster of a question

    def known(self, n_samples: int | None = None) -> dict[str, float]:
        """Return the properties of the scores for a plan with the given number of sampled answers of each model."""
        if n_samples is not None and self.within is None:
            raise InvalidValueError(
                "n_samples requires a pilot study with two or more answers from each model to every question"
            )
        variance = self.between + (self.within or 0.0) / (1 if n_samples is None else n_samples)
        if variance <= 0:
            raise InvalidValueError(
                "the scores of the two models in the pilot study must differ on at least one question"
            )
        return {
            "sd": math.sqrt(variance),
            "cluster_size": self.cluster_size,
            "intraclass_correlation": min(self.of_clusters / variance, 1 - 1e-9),
        }


def pilot_variance(
    scores: FloatArray, n_samples: IntArray, within: FloatArray, benchmark: IndexArray, cluster: IndexArray | None
) -> PilotVariance:
    """Estimate the variances of the differences between two models by analysis of variance.

    Parameters
    ----------
    scores, n_samples, within : ndarray of shape (n_questions, 2)
        Mean score of the answers to each question, the number of the answers, and the sum of their squared deviations.
    benchmark, cluster : ndarray of shape (n_questions,)
        Numbers of the benchmark and of the cluster of each question.
    """
    d = scores[:, 0] - scores[:, 1]
    sizes = np.bincount(benchmark)
    d = d - (np.bincount(benchmark, d) / sizes)[benchmark]
    df = len(d) - len(sizes)
    if df < 1:
        raise InvalidValueError("a pilot study must have two or more questions of a benchmark")
    variance = float((d**2).sum() / df)
    freedom = (n_samples - 1).sum(axis=0)
    one = None
    if freedom.all():
        of_models = within.sum(axis=0) / freedom
        one = float(of_models.sum())
        variance -= float((of_models / n_samples).sum(axis=1).mean())
    between = max(variance, 0.0)
    if cluster is None:
        return PilotVariance(between, one, 0.0, 1.0)
    _, of_cluster, m = np.unique(cluster, return_inverse=True, return_counts=True)
    n, k = len(d), len(m)
    means = np.bincount(of_cluster, d) / m
    inside = float(((d - means[of_cluster]) ** 2).sum())
    if not len(sizes) < k < n:
        raise InvalidValueError(
            "a pilot study with clusters must have two or more clusters, one of them with two or more questions"
        )
    among = float((m * means**2).sum()) / (k - len(sizes))
    n0 = (n - float((m**2).sum()) / n) / (k - 1)
    return PilotVariance(between, one, max((among - inside / (n - k)) / n0, 0.0), float((m**2).sum() / n))
