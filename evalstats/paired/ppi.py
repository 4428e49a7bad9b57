"""Comparison of two models graded by an LLM judge, corrected with human labels."""

from __future__ import annotations

__all__ = ["PPITTestResult", "ppi_ttest"]

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import OF_SIZES, ONE_PROBLEM, Data, Declaration
from evalstats._errors import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences
from evalstats._result import ConfidenceInterval, HypothesisTestResult, reasons
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics.cluster_variance import understand_clusters
from evalstats.metrics.ppi import OPTIMAL, SINGLE_GROUP, labeled_cases, rectified, understand_judge_weight
from evalstats.paired.ttest import in_units_of, interval_of_the_mean

NO_DIFFERENCE = "x and y are equal for every instance, according to the human labels and to the judge"
CONSTANT_DIFFERENCE = (
    "the difference is the same in every cluster, so it has no variance and the t distribution does not apply"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PPITTestResult(HypothesisTestResult):
    """Result of `ppi_ttest`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Center of the interval divided by its standard error. It is positive if x has the higher mean human score.
    pvalue : float or ndarray
        The p-value from the t distribution, or nan without a standard error.
    df : float or ndarray
        Degrees of freedom of t (Satterthwaite).
    mean_difference, standard_error : float or ndarray
        Estimated mean difference x - y in human scores in the population, and its cluster-robust standard error.
    judge_weight : float or ndarray
        Weight of the differences by the judge, from 0 to 1: the lambda of PPI++.
    human_difference, human_standard_error : float or ndarray
        Mean difference computed from the human labels alone, and its standard error.
    judge_difference : float or ndarray
        Mean difference by the judge over all instances, without a correction.
    n_instances, n_clusters : int
        Numbers of instances and of clusters. Without `clusters`, each instance is a cluster.
    n_labeled : int or ndarray
        Number of instances with human labels.
    n_corrected : int or ndarray
        Number of labeled instances on which the differences by the judge and by humans are unequal.
    """

    df: Any
    mean_difference: Any
    standard_error: Any
    judge_weight: Any
    human_difference: Any
    human_standard_error: Any
    judge_difference: Any
    n_instances: int
    n_clusters: int
    n_labeled: Any
    n_corrected: Any
    _center: Any
    _error: Any

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the mean difference in human scores, one-sided if the alternative is.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval. The center of the interval is not the mean difference: see the notes of
            `evalstats.metrics.ppi_mean`.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, or nan if there is no positive standard error.

        Examples
        --------
        >>> from evalstats.paired import ppi_ttest
        >>> nan = float("nan")
        >>> x, y = [1, 1, 0, 1, 1, nan, nan, nan], [0, 1, 0, 1, 0, nan, nan, nan]
        >>> result = ppi_ttest(x, y, [1, 1, 0, 1, 1, 1, 0, 1], [0, 1, 1, 1, 0, 1, 0, 0])
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.3f} {high:.3f}")
        -0.343 1.109
        """
        return interval_of_the_mean(
            replace(self, mean_difference=self._center, standard_error=self._error), confidence_level
        )


def ppi_ttest(
    x: ArrayLike,
    y: ArrayLike,
    x_judge: ArrayLike,
    y_judge: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    judge_weight: float | str = OPTIMAL,
    alternative: str = "two-sided",
) -> PPITTestResult:
    """Test whether humans would score two models equally, from an LLM judge and some human labels.

    An LLM judge may favor one of the two models because of the length or the style of its answers. More judged
    instances do not remove this bias, but human labels of some instances do (prediction-powered inference). The null
    hypothesis is that the mean difference x - y in human scores is 0 in the population of instances.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Human scores of two models on the same n instances, and nan for each instance without a label. The same
        instances must be labeled for both models, and must be a random sample of all instances. Leading axes are batch
        dimensions and broadcast.
    x_judge, y_judge : array_like of shape (..., n)
        Scores of the judge for every instance, labeled or not.
    clusters : array_like of shape (n,), optional
        Cluster of each instance, such as its passage, document or user: names or numbers, in any order. Clusters must
        be independent of each other. None: each instance is a cluster.
    judge_weight : float or 'optimal', default: 'optimal'
        Weight of the judge. ``'optimal'``: the weight with the smallest standard error (PPI++, power tuning). The
        weight 1 is prediction-powered inference without tuning, and 0 uses the human labels alone.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: humans would score x higher than y on average. ``'less'``: humans would score x lower.

    Returns
    -------
    PPITTestResult
        t and its p-value. The result also contains the mean difference with its standard error, the estimate from the
        labels alone, and `confidence_interval`.

    Raises
    ------
    InvalidValueError, InvalidTypeError
        If the arguments are not paired, a score is infinite, or a score of the judge is nan. If no instance is labeled,
        or only one model has a label for an instance. If `clusters` does not have one cluster label for each instance,
        or an option is unknown.

    See Also
    --------
    evalstats.metrics.ppi_mean : the estimate for one model.
    clustered_ttest : the test for human scores of every instance.

    Notes
    -----
    The estimate is computed by `evalstats.metrics.ppi_mean` from the differences x - y by humans and by the judge. The
    statistic t is the center of the interval divided by the standard error. The test rejects exactly if the interval
    excludes 0. If all differences are 0, t is 0 and p is 1. If all have the same nonzero value, t is infinite and p is
    nan. In both cases, `reason` states the cause.

    References
    ----------
    Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I. & Zrnic, T. (2023). Prediction-powered inference.
    Science 382, 669-674.

    Angelopoulos, A. N., Duchi, J. C. & Zrnic, T. (2023). PPI++: Efficient prediction-powered inference.
    arXiv:2311.01453, section 6.

    Examples
    --------
    Eight questions, of which humans labeled the first five.

    >>> from evalstats.paired import ppi_ttest
    >>> nan = float("nan")
    >>> x, y = [1, 1, 0, 1, 1, nan, nan, nan], [0, 1, 0, 1, 0, nan, nan, nan]
    >>> result = ppi_ttest(x, y, [1, 1, 0, 1, 1, 1, 0, 1], [0, 1, 1, 1, 0, 1, 0, 0])
    >>> print(f"{result.mean_difference:.3f}, t = {result.statistic:.3f}, p = {result.pvalue:.3f}")
    0.440, t = 1.356, p = 0.233
    """
    by_people, by_judge = _differences(x, y, x_judge, y_judge)
    weight = understand_judge_weight(judge_weight)
    beside: dict[str, Any] = {"x": x, "y": y, "x_judge": x_judge, "y_judge": y_judge}
    clustering = understand_clusters(clusters, None, "micro", by_people.shape[-1], **beside)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    found = rectified(by_people, by_judge, weight, clustering)
    mean, error = found.center, found.error
    statistic = np.where(np.isnan(error), np.nan, in_units_of(error, mean))

    equal = (error == 0) & (mean == 0)
    pvalue = np.where(error > 0, tails.t_pvalue(statistic, found.df, alternative), np.where(equal, 1.0, np.nan))

    return PPITTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        method=np.full(mean.shape, "t"),
        reason=reasons(
            mean.shape, (found.is_single, SINGLE_GROUP), (equal, NO_DIFFERENCE), (error == 0, CONSTANT_DIFFERENCE)
        ),
        df=found.df,
        mean_difference=found.estimate,
        standard_error=found.standard_error,
        judge_weight=found.judge_weight,
        human_difference=found.human_mean,
        human_standard_error=found.human_standard_error,
        judge_difference=found.judge_mean,
        n_instances=by_people.shape[-1],
        n_clusters=clustering.starts.size,
        n_labeled=found.n_labeled,
        n_corrected=found.n_corrected,
        _center=found.center,
        _error=found.error,
    )


DECLARATIONS = (
    Declaration(
        function=ppi_ttest,
        data=Data.JUDGED_PAIRS,
        excused=ONE_PROBLEM | OF_SIZES | {"nan and infinity": "nan is an instance without a rating"},
        sentence=(
            "t-test of a judge corrected with human labels: mean difference {mean_difference:short} over "
            "{n_instances:count "
            "instance}, "
            "{n_labeled} of them labeled, t({df:.4g}) = {statistic:decimal}, {outcome}"
        ),
    ),
)


def _differences(x: Any, y: Any, x_judge: Any, y_judge: Any) -> tuple[FloatArray, FloatArray]:
    """Return the differences by the human labels (nan if a label is missing) and by the judge."""
    first, of_first = labeled_cases(x, x_judge, ("x", "x_judge"))
    second, of_second = labeled_cases(y, y_judge, ("y", "y_judge"))
    _checks.pairing(x, y, first.shape, second.shape, minimum=2)
    first, second, of_first, of_second = np.broadcast_arrays(first, second, of_first, of_second)
    alone = np.argwhere(np.isnan(first) != np.isnan(second))
    if alone.size:
        at = tuple(alone[0].tolist())
        lacks, has = ("x", "y") if np.isnan(first[at]) else ("y", "x")
        raise InvalidValueError(
            f"x and y must have labels for the same instances, but instance {at[-1]} has a label in {has} and none in "
            f"{lacks}; set it to nan in both"
        )
    is_missing, n = np.isnan(first), first.shape[-1]
    one, other = np.where(is_missing, 0.0, first), np.where(is_missing, 0.0, second)
    # rounded together, so that equal differences are one value in every unit of the scores
    tolerance = _checks.tolerance(DEFAULT_TIE_TOLERANCE, x, y, x_judge, y_judge)
    d = differences(np.concatenate([one, of_first], axis=-1), np.concatenate([other, of_second], axis=-1), tolerance)
    return np.where(is_missing, np.nan, d[..., :n]), d[..., n:]
