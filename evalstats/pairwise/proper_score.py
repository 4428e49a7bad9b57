"""Pairwise tests of several classifiers by the Brier score or the log loss."""

from __future__ import annotations

__all__ = ["PairwiseProperScoreTestResult", "pairwise_proper_score_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._declarations import ONE_PROBLEM, Data, Declaration, Draw
from evalstats._errors import InvalidValueError
from evalstats._labels import column_names, named
from evalstats._types import FloatArray
from evalstats.adjustment.pair_indexing import control_column
from evalstats.metrics.score_input import understand_forecast
from evalstats.paired.proper_score import SCORES, instance_losses
from evalstats.pairwise.clustered import pairwise_clustered_ttest
from evalstats.pairwise.paired_t import PairwiseTTestResult

# fields of the result of the test of the losses
KEPT = (
    *("statistic", "pvalue", "unadjusted_pvalue", "alternative", "method", "reason", "adjustment", "n_classifiers"),
    *("mean_difference", "standard_error", "df", "n_instances", "n_clusters"),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseProperScoreTestResult(PairwiseTTestResult):
    """Result of `pairwise_proper_score_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (k, k), or (k,) with a control
        t of each pair. It is positive if the first classifier has the larger mean loss, and 0 on the diagonal.
    score : str
        ``'brier'`` or ``'log_loss'``.
    scores : ndarray of shape (k,)
        Mean loss of each classifier. A smaller value is better.
    mean_difference, standard_error : ndarray of the same shape
        Difference of the mean losses and its standard error, which is cluster-robust if there are clusters.
    df : ndarray of the same shape
        Degrees of freedom.
    n_instances, n_clusters : int
        Numbers of instances and of clusters. Without clusters, each instance is a cluster.
    """

    score: str
    scores: FloatArray
    n_instances: int
    n_clusters: int


def pairwise_proper_score_test(
    y_true: ArrayLike,
    scores: Any,
    *,
    score: str = "brier",
    clusters: ArrayLike | None = None,
    control: Any = None,
    adjust: str = "holm",
    alternative: str = "two-sided",
    pos_label: Any = None,
) -> PairwiseProperScoreTestResult:
    """Test which pairs of classifiers differ in Brier score or log loss on one test set.

    The null hypothesis for a pair is that the expected losses of the two trained classifiers are equal in the
    population of instances. Each pair is tested with `proper_score_test` and the t distribution, and the p-values are
    adjusted for all compared pairs.

    Parameters
    ----------
    y_true : array_like of shape (n_instances,)
        True classes, at most two.
    scores : array_like of shape (n_instances, n_classifiers)
        One row per instance, one column per classifier: the probability of the positive class.
    score : {'brier', 'log_loss'}, default: 'brier'
        The Brier score or the log loss in nats.
    clusters : array_like of shape (n_instances,), optional
        Cluster (patient, document, ...) of each instance. Only the clusters must be independent of each other.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the mean loss is larger than the mean loss of the control. A one-sided alternative needs a
        control.
    pos_label : label, optional
        As in `evalstats.metrics.brier_score_loss`.

    Returns
    -------
    PairwiseProperScoreTestResult
        Matrices `statistic`, `pvalue`, `mean_difference` and more. With a control, they are vectors. The method
        `confidence_interval` computes the intervals.

    Raises
    ------
    ValueError, TypeError
        If the shapes do not match, a probability is outside of [0, 1], a log loss is infinite, or an option is unknown.

    See Also
    --------
    proper_score_test : the test of one pair.

    References
    ----------
    Diebold, F. X. & Mariano, R. S. (1995). Comparing predictive accuracy. Journal of Business & Economic Statistics 13,
    253-263.

    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats.pairwise import pairwise_proper_score_test
    >>> y_true = [0, 0, 1, 0, 1, 1] * 10
    >>> scores = np.column_stack([[0.4, 0.4, 0.5, 0.6, 0.6, 0.6] * 10, [0.1, 0.2, 0.3, 0.6, 0.7, 0.9] * 10, [0.5] * 60])
    >>> result = pairwise_proper_score_test(y_true, scores)
    >>> result.scores.round(4)
    array([0.2083, 0.1667, 0.25  ])
    >>> result.pvalue[0].round(3)
    array([1.   , 0.022, 0.   ])
    """
    score = _checks.choice(score, "score", SCORES)
    _labels.same_labels(rows=("scores",), y_true=y_true, scores=scores, clusters=clusters)
    table = _checks.numbers(scores, "scores")
    if table.ndim != 2 or table.shape[1] < 2:
        raise InvalidValueError(
            f"scores must have the shape (n_instances, n_classifiers), with two classifiers or more, but it has the "
            f"shape {table.shape}"
        )
    k = table.shape[1]
    place = control_column(control, scores, k)
    by_classifier = np.ascontiguousarray(table.T)
    forecast = understand_forecast(y_true, by_classifier, None, pos_label, None, name="scores", columns=False)
    losses = instance_losses(forecast, score)
    if np.isinf(losses).any():
        column, row = np.argwhere(np.isinf(losses))[0].tolist()
        raise InvalidValueError(
            f"scores must not be 0 for the true class, because the log loss would be infinite, but scores[{row}, "
            f"{column}] assigns the probability 0 to the true class"
        )

    by_case = np.ascontiguousarray(losses.T)
    tested = pairwise_clustered_ttest(by_case, clusters=clusters, control=place, adjust=adjust, alternative=alternative)

    names = column_names(scores)
    kept = {name: getattr(tested, name) for name in KEPT}
    return PairwiseProperScoreTestResult(
        **kept, classifiers=names, control=named(place, names), score=score, scores=losses.mean(axis=-1)
    )


DECLARATIONS = (
    Declaration(
        function=pairwise_proper_score_test,
        data=Data.PROBABILITY_TABLE,
        excused=ONE_PROBLEM,
        inputs={"y_true, scores": Draw("forecasts_of_classifiers"), "score": SCORES},
        sentence="Comparison of {compared} by {score} on {n_instances:count instance}: {smallest} ({method:law})",
        words={"score": {"brier": "Brier score", "log_loss": "log loss"}},
    ),
)
