"""Pairwise corrected resampled t-tests of classifiers over the folds of a cross-validation."""

from __future__ import annotations

__all__ = ["PairwiseCorrectedTTestResult", "pairwise_corrected_ttest"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import OF_SIZES, Data, Declaration, Draw
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, noise_of
from evalstats._types import BoolArray, FloatArray, IndexArray
from evalstats.adjustment import pair_indexing as which_pairs
from evalstats.distributions import tail_probabilities as tails
from evalstats.paired.ttest import in_units_of, mean_and_sd, sd_in_the_unit_of_the_scores, sizes
from evalstats.pairwise.paired_t import PairwiseTTestResult

# The covariance matrix loses the digits of a variance of differences that is below this fraction of both variances, or
# whose root is below this fraction of the scores. A mean below this fraction of it is mostly rounding error.
SMALLEST_PART_OF_VARIANCES = 1e-2
SMALLEST_PART_OF_SCORES = 1e-4
SMALLEST_MEAN_IN_SD = 3e-4
NUMBERS_AT_ONCE = 2_000_000

EQUAL = "in {of} pairs, the scores are equal in every fold"
CONSTANT = (
    "in {of} pairs, the scores differ by the same amount in every fold, so the differences have no variance and the t "
    "distribution does not apply; use a test of the predictions, such as mcnemar_test"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseCorrectedTTestResult(PairwiseTTestResult):
    """Result of `pairwise_corrected_ttest`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    df : int
        Degrees of freedom: the number of scores minus one.
    n_scores : int
        Number of fold scores of each classifier.
    n_train, n_test : int or float
        Size of a training set and of a test set, as passed to the function.
    standard_error : ndarray of the shape of `statistic`
        Standard error of the mean difference, corrected for the overlap of the training sets. It is 0 on the diagonal.
    correlation : float
        Assumed correlation between the differences in two folds: n_test / (n_train + n_test).
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    n_scores: int
    n_train: float
    n_test: float
    correlation: float
    tie_tolerance: float


def pairwise_corrected_ttest(
    scores: ArrayLike,
    *,
    n_train: float,
    n_test: float,
    control: Any = None,
    adjust: str = "holm",
    alternative: str = "two-sided",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> PairwiseCorrectedTTestResult:
    """Test which pairs of classifiers differ in cross-validation (corrected resampled t-tests).

    The null hypothesis for a pair is that the two classifiers, trained on training sets of this size, have the same
    expected score. Each pair is tested with `corrected_ttest`, and the p-values are adjusted for all compared pairs.

    Parameters
    ----------
    scores : array_like of shape (..., n_folds, n_classifiers)
        One row per fold, one column per classifier. The folds are the same for all classifiers. Leading axes are batch
        dimensions, for example datasets, and each member is a separate family.
    n_train, n_test : int or float
        Numbers of instances in the training set and the test set of one fold, or their means (`split_sizes`). Only the
        ratio of the two numbers matters.
    control : int or str, optional
        Column of the classifier that all others are compared with: its index from 0 or, for a data frame, its name. If
        None, all pairs are compared.
    adjust : str, default: 'holm'
        A method of `adjust_pairwise` (`adjust_pvalues` with a control), or ``'none'``.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the mean of the classifier is larger than the mean of the control. A one-sided alternative needs
        a control.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    PairwiseCorrectedTTestResult
        Matrices `statistic`, `pvalue`, `mean_difference` and more. With a control, they are vectors.

    Raises
    ------
    InvalidValueError
        If the scores do not have the shape (..., n_folds, n_classifiers), have fewer than two folds or classifiers, or
        contain nan or infinity. If a size is below 1, the control is not a column, the alternative is one-sided without
        a control, or an option is unknown.
    InvalidTypeError
        If the scores or a size are not numbers, or the control is not a whole number.

    Warns
    -----
    EvalstatsWarning
        If n_test is larger than n_train, because the two arguments may have been swapped.

    See Also
    --------
    corrected_ttest : the test of one pair.

    Notes
    -----
    The variances of all differences follow from one covariance matrix: var(x - y) = var(x) + var(y) - 2 cov(x, y). The
    matrix is computed from the scores after the mean of the classifier and the mean of the fold are subtracted. If the
    terms nearly cancel, or the differences of a pair may be the same in every fold, the variance is computed from the
    differences.

    If a pair does not differ in any fold, p is 1. If a pair differs by the same nonzero amount in every fold, t is
    infinite and p is nan. In the adjustment, its hypothesis counts as not rejected. In both cases, `reason` states the
    number of such pairs.

    References
    ----------
    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239-281.

    Bouckaert, R. R. & Frank, E. (2004). Evaluating the replicability of significance tests for comparing learning
    algorithms. PAKDD, LNAI 3056, 3-12.

    Examples
    --------
    >>> from evalstats.pairwise import pairwise_corrected_ttest
    >>> folds = [[0.81, 0.78, 0.70], [0.84, 0.82, 0.74], [0.79, 0.80, 0.71], [0.90, 0.84, 0.75], [0.85, 0.83, 0.70]]
    >>> pairwise_corrected_ttest(folds, n_train=80, n_test=20).pvalue.round(3)
    array([[1.   , 0.227, 0.01 ],
           [0.227, 1.   , 0.008],
           [0.01 , 0.008, 1.   ]])
    >>> pairwise_corrected_ttest(folds, n_train=80, n_test=20, control=2, alternative="greater").pvalue.round(4)
    array([0.0025, 0.0025,    nan])
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, scores)
    matrix = _checks.fold_scores(scores)
    n, k = matrix.shape[-2:]
    n_train, n_test = sizes(n_train, n_test)
    family = which_pairs.family_of(scores, k, control, adjust, alternative)

    mean, sd = _mean_and_sd_of_pairs(matrix, family.pairs.control, tie_tolerance)
    errors_in_sd = np.sqrt(1 / n + n_test / n_train)  # Nadeau & Bengio (2003)
    standard_error = errors_in_sd * sd
    statistic = in_units_of(sd, mean) / errors_in_sd

    t, se_of_pairs = family.pairs.taken(statistic), family.pairs.taken(standard_error)
    return family.result(
        PairwiseCorrectedTTestResult,
        statistic=statistic,
        unadjusted=family.pairs.shared(_pvalue(t, se_of_pairs, n - 1, family.alternative), 1.0),
        method="t",
        reason=which_pairs.reason_of_pairs({EQUAL: (se_of_pairs == 0) & (t == 0), CONSTANT: np.isinf(t)}),
        df=n - 1,
        n_scores=n,
        n_train=n_train,
        n_test=n_test,
        mean_difference=mean,
        standard_error=standard_error,
        correlation=n_test / (n_train + n_test),
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=pairwise_corrected_ttest,
        data=Data.TABLE,
        example={"n_train": 9, "n_test": 1},
        excused=OF_SIZES,
        inputs={
            "scores, adjust, control, alternative": Draw("family_of_pairs"),
            "n_train": (1, 9, 90, 10_000),
            "n_test": (1, 10, 5000),
        },
        sentence="Corrected resampled t-tests of {compared} over {n_scores:count fold}: {smallest} ({method:law})",
    ),
)


def _mean_and_sd_of_pairs(
    scores: FloatArray, control: int | None, tie_tolerance: float
) -> tuple[FloatArray, FloatArray]:
    """Return the mean and SD of the differences of all pairs, (..., k, k), or from the control, (..., k)."""
    n, k = scores.shape[-2:]
    differences(scores.max(axis=-1), scores.min(axis=-1), 0)  # raises an error for a difference that overflows
    against = np.arange(k) if control is None else np.array([control])
    # scaling by a power of two is exact, and prevents underflow and overflow of squares
    exponent = np.frexp(np.abs(scores).max(axis=(-2, -1)))[1][..., None, None]
    unit_scores = np.ldexp(scores, -exponent)
    # means may nearly cancel: extended precision, if the machine has it, keeps the remaining digits
    level = unit_scores.mean(axis=-2, dtype=np.longdouble)
    mean = (level[..., :, None] - level[..., None, against]).astype(np.float64)
    squares, has_digits = _sums_of_squares(unit_scores - level[..., None, :].astype(np.float64), against, tie_tolerance)
    sd = np.sqrt(np.maximum(squares, 0) / (n - 1))
    has_digits &= np.abs(mean) > SMALLEST_MEAN_IN_SD * sd
    mean, sd = np.ldexp(mean, exponent), sd_in_the_unit_of_the_scores(sd, exponent)
    itself = against, np.arange(len(against))
    mean[(..., *itself)] = sd[(..., *itself)] = 0 if control is None else np.nan
    has_digits[(..., *itself)] = True
    _take_differences(scores, against, ~has_digits, mean, sd, tie_tolerance)
    return (mean, sd) if control is None else (mean[..., 0], sd[..., 0])


def _sums_of_squares(centered: FloatArray, against: IndexArray, tie_tolerance: float) -> tuple[FloatArray, BoolArray]:
    """Return the sum of squared centered differences for each pair, and whether it is accurate.

    The scores must be centered by classifier and have absolute values of at most 1.
    """
    # the common effect of a fold cancels in every difference
    centered = centered - centered.mean(axis=-1, keepdims=True)
    own = np.einsum("...ij,...ij->...j", centered, centered)
    own = own[..., :, None] + own[..., None, against]
    squares = own - 2 * (centered.swapaxes(-1, -2) @ centered[..., against])
    smallest_sd = max(SMALLEST_PART_OF_SCORES, 10 * tie_tolerance, 10 * noise_of(tie_tolerance))
    least = np.maximum(SMALLEST_PART_OF_VARIANCES * own, centered.shape[-2] * smallest_sd**2)
    return squares, squares > least


def _take_differences(
    scores: FloatArray, against: IndexArray, pairs: BoolArray, mean: FloatArray, sd: FloatArray, tie_tolerance: float
) -> None:
    """Compute the mean and the standard deviation of these pairs from the differences, as `corrected_ttest` does."""
    by_classifier = scores.swapaxes(-1, -2)
    where = np.argwhere(pairs)
    if against.size > 1:
        where = where[where[:, -2] < where[:, -1]]
    for start in range(0, len(where), step := max(1, NUMBERS_AT_ONCE // scores.shape[-2])):
        *batch, i, j = where[start : start + step].T
        here = mean_and_sd(by_classifier[(*batch, i)], by_classifier[(*batch, against[j])], tie_tolerance)
        mean[(*batch, i, j)], sd[(*batch, i, j)] = here
        if against.size > 1:
            mean[(*batch, j, i)], sd[(*batch, j, i)] = -here[0], here[1]


def _pvalue(statistic: FloatArray, standard_error: FloatArray, df: int, alternative: str) -> FloatArray:
    """Return the p-value of each pair, or nan if t is infinite."""
    is_equal = (standard_error == 0) & (statistic == 0)
    return np.where(is_equal, 1.0, np.where(np.isinf(statistic), np.nan, tails.t_pvalue(statistic, df, alternative)))
