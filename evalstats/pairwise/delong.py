"""Pairwise DeLong tests of the areas under the ROC curves of several classifiers."""

from __future__ import annotations

__all__ = ["PairwiseDeLongTestResult", "pairwise_delong_test"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._declarations import Data, Declaration
from evalstats._errors import InvalidValueError
from evalstats._result import unbatch
from evalstats._types import AnyArray, FloatArray
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.adjustment.pair_indexing import PairwiseTestResult
from evalstats.metrics import class_encoding as classes
from evalstats.metrics.class_encoding import positive_cases
from evalstats.metrics.delong import delong_covariance
from evalstats.paired.delong import SAME_ORDER, compared_areas, understand_degrees

ALL_THE_SAME = "all classifiers rank every instance in the same way"


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseDeLongTestResult(PairwiseTestResult):
    """Result of `pairwise_delong_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : ndarray of shape (..., k, k), or (..., k) with a control
        z or t of classifier i against j, or against the control. It is positive if i has the larger area, 0 on the
        diagonal, and nan for the control.
    auc : ndarray of shape (..., k)
        Area under the ROC curve of each classifier.
    covariance : ndarray of shape (..., k, k)
        Estimated covariance matrix of the areas in `auc`.
    difference : ndarray of the shape of the statistic
        Area of i minus the area of j or of the control.
    standard_error : ndarray of the same shape
        Standard error of the difference.
    df : ndarray of the same shape
        Degrees of freedom of the t distribution of each pair, or infinite for the normal distribution.
    n_positive, n_negative : int or ndarray of int
        Numbers of positive and negative instances.
    """

    auc: FloatArray
    covariance: FloatArray
    difference: FloatArray
    standard_error: FloatArray
    df: FloatArray
    n_positive: Any
    n_negative: Any


def pairwise_delong_test(
    y_true: ArrayLike,
    scores: Any,
    *,
    control: Any = None,
    adjust: str = "holm",
    pos_label: Any = None,
    df: str = "auto",
) -> PairwiseDeLongTestResult:
    """Test which pairs of classifiers differ in AUC on one test set.

    The null hypothesis for a pair is that the two trained classifiers have equal areas in the population of instances.
    The instances must be independent of each other. Each pair is tested with `delong_test`, and the p-values are
    adjusted for all compared pairs.

    Parameters
    ----------
    y_true : array_like of shape (..., n_instances)
        True labels, of two classes.
    scores : array_like of shape (..., n_instances, n_classifiers)
        One row per instance, one column per classifier. A greater score means that the positive class is more likely.
        Only the order of the scores matters. Leading axes are batch dimensions and broadcast, and each member is a
        separate family.
    control : int or column name, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels.
    df : {'auto', 'infinite', 'welch', 'adjusted'}, default: 'auto'
        Degrees of freedom of the t distribution, as in `delong_test`.

    Returns
    -------
    PairwiseDeLongTestResult
        z or t and the p-value of each pair. The result also contains the areas, their covariance, and the differences
        with their standard errors and degrees of freedom.

    Raises
    ------
    ValueError
        If the shapes do not match, a score is not finite, there is no positive or no negative instance, or an option is
        unknown.
    TypeError
        If scores are not numbers.

    See Also
    --------
    delong_test : the test of one pair, with an interval for the difference.

    Notes
    -----
    The areas and their covariance are estimated once for all pairs, with one sort for each classifier. If two
    classifiers rank all instances in the same way, z = 0 and p = 1. If a difference has no variance, z is infinite and
    p is nan, except with ``df='adjusted'``. In the adjustment, the hypothesis of this pair counts as not rejected.

    References
    ----------
    DeLong, E. R., DeLong, D. M. & Clarke-Pearson, D. L. (1988). Comparing the areas under two or more correlated
    receiver operating characteristic curves: a nonparametric approach. Biometrics 44, 837-845.

    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65-70.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats.pairwise import pairwise_delong_test
    >>> rng = np.random.default_rng(1)
    >>> y_true = np.repeat([0, 1], 100)
    >>> scores = y_true[:, None] * [2.0, 1.8, 0.5] + rng.normal(size=(200, 3))
    >>> result = pairwise_delong_test(y_true, scores)
    >>> result.auc.round(3)
    array([0.932, 0.942, 0.694])
    >>> result.pvalue.round(4)
    array([[1.    , 0.6673, 0.    ],
           [0.6673, 1.    , 0.    ],
           [0.    , 0.    , 1.    ]])
    """
    _labels.same_labels(rows=("scores",), y_true=y_true, scores=scores)
    by_classifier = _scores_by_classifier(scores)
    k, n = by_classifier.shape[-2:]
    positive = positive_cases(classes.understand(y_true, "y_true"), pos_label, greater_of_two=True)
    if positive.shape[-1] != n:
        raise InvalidValueError(
            f"y_true and scores must be paired: y_true has {positive.shape[-1]} instances, scores has {n} rows"
        )
    degrees = understand_degrees(df, positive)
    family = which_pairs.family_of(scores, k, control, adjust)

    areas = delong_covariance(positive, by_classifier)
    pairs = family.pairs
    compared = compared_areas(areas, positive, by_classifier, (pairs.i, pairs.j), degrees, "two-sided")

    return family.result(
        PairwiseDeLongTestResult,
        statistic=pairs.placed(compared.statistic, -compared.statistic, 0.0),
        unadjusted=pairs.shared(compared.pvalue, 1.0),
        method=unbatch(compared.method),
        reason=_reason(compared.reason),
        auc=areas.auc,
        covariance=areas.covariance,
        difference=pairs.placed(compared.difference, -compared.difference, 0.0),
        standard_error=pairs.shared(compared.standard_error),
        df=pairs.shared(compared.df, np.nan),
        n_positive=areas.n_positive,
        n_negative=areas.n_negative,
    )


DECLARATIONS = (
    Declaration(
        function=pairwise_delong_test,
        data=Data.CLASS_SCORE_TABLE,
        sentence="DeLong test of {compared} on {n_positive + n_negative:count instance}: {smallest} ({method:law})",
    ),
)


def _scores_by_classifier(scores: Any) -> FloatArray:
    """Return the scores with the instances along the last axis."""
    array = _checks.numbers(scores, "scores")
    _checks.batch(array, "scores")
    if array.ndim < 2 or array.shape[-1] < 2 or array.size == 0:
        raise InvalidValueError(
            f"scores must have the shape (n_instances, n_classifiers), with two classifiers or more, but it has the "
            f"shape {array.shape}"
        )
    return np.ascontiguousarray(_checks.finite(array, "scores").swapaxes(-1, -2))


def _reason(of_pairs: AnyArray) -> Any:
    """Return, for each family, the first reason of its pairs, or the reason that all classifiers are equal."""
    reason = np.full(of_pairs.shape[:-1], None, dtype=object)
    for at in np.argwhere((of_pairs != None).any(axis=-1)):  # noqa: E711 - element by element
        here = [text for text in of_pairs[tuple(at)] if text is not None]
        reason[tuple(at)] = ALL_THE_SAME if len(here) == of_pairs.shape[-1] and set(here) == {SAME_ORDER} else here[0]
    return unbatch(reason)
