"""Bouckaert's calibrated t-tests for repeated cross-validation."""

from __future__ import annotations

__all__ = ["TTest10x10Result", "ttest_10x10"]

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import OF_SIZES, SIDES_AND_LEVELS, Data, Declaration, Draw
from evalstats._errors import InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences
from evalstats._result import ConfidenceInterval, HypothesisTestResult
from evalstats._types import FloatArray
from evalstats.paired import ttest

USES = ("all", "folds", "runs", "sorted-runs")
# Bouckaert (2003): 10 runs of 10 folds, all 100 scores
PUBLISHED_DF = {("all", 10, 10): 10}
LARGEST_WHOLE = 2**53


@dataclass(frozen=True, kw_only=True, eq=False)
class TTest10x10Result(HypothesisTestResult):
    """Result of `ttest_10x10`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Mean difference divided by its standard error. It is positive if x has the higher mean.
    pvalue : float or ndarray
        The p-value from the t distribution. It is nan if all differences of the sample have the same nonzero value.
    averaging : str
        The sample: ``'all'``, ``'folds'``, ``'runs'`` or ``'sorted-runs'``.
    df : int or float
        Degrees of freedom of the test. The sample is treated as df + 1 independent differences.
    nominal_df : int
        Degrees of freedom of an independent sample: one less than its size.
    calibrated : bool
        Whether df is the published, calibrated number for `averaging` and the numbers of repeats and folds.
    n_repeats, n_folds : int
        Shape of the scores.
    mean_difference : float or ndarray
        Mean of x - y over all folds of all repeats, in the unit of the scores.
    standard_error : float or ndarray
        Standard error of the mean difference, in the unit of the scores.
    tie_tolerance : float
        Relative precision at which two differences are treated as equal.
    """

    averaging: str
    df: float
    nominal_df: int
    calibrated: bool
    n_repeats: int
    n_folds: int
    mean_difference: Any
    standard_error: Any
    tie_tolerance: float

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the mean difference, in the unit of the scores.

        The interval is one-sided if the alternative is one-sided; its limits are nan if the differences have no
        variance.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval, if the degrees of freedom are correct.

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> from evalstats.paired import ttest_10x10
        >>> x, y = [[0.81, 0.84, 0.79], [0.90, 0.85, 0.80]], [[0.78, 0.82, 0.80], [0.84, 0.83, 0.79]]
        >>> low, high = ttest_10x10(x, y, df=2).confidence_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        -0.0359 0.0792
        """
        return ttest.interval_of_the_mean(self, confidence_level)


def ttest_10x10(
    x: ArrayLike,
    y: ArrayLike,
    *,
    averaging: str = "all",
    df: float | None = None,
    alternative: str = "two-sided",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> TTest10x10Result:
    """Test whether two classifiers differ in repeated cross-validation (calibrated t-test).

    The null hypothesis is that the two classifiers, trained on training sets of this size, have the same expected
    score. The scores are computed from the same instances, so they contain much less information than the same number
    of independent scores. The test treats the sample as df + 1 independent differences. Bouckaert calibrated the
    degrees of freedom so that the type-I error rate is equal to the nominal level. The test has more power than
    `corrected_ttest`, but also a higher type-I error rate.

    Parameters
    ----------
    x, y : array_like of shape (..., n_repeats, n_folds)
        Scores of two classifiers on the same folds of the same repeats: 10 x 10, or any other shape if df is given.
        Leading axes are batch dimensions and broadcast.
    averaging : {'all', 'folds', 'runs', 'sorted-runs'}, default: 'all'
        The differences that form the sample. ``'all'``: each difference. ``'folds'``: means over the folds, one for
        each repeat. ``'runs'``: means over the repeats, one for each fold. ``'sorted-runs'``: like ``'runs'``, after
        sorting the differences within each repeat, so the result does not depend on the arbitrary order of the folds.
    df : int or float, optional
        Degrees of freedom. The default is the published number 10 for 10 x 10 scores and ``averaging='all'``. For any
        other shape or `averaging`, df is required.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: x has the larger mean. ``'less'``: x has the smaller mean.
    tie_tolerance : float, default: 1e-12
        Differences that agree after rounding to this precision, relative to the scores, are treated as equal. The value
        0 requires exact equality. The tolerance determines only whether the differences have a nonzero variance.

    Returns
    -------
    TTest10x10Result
        t and its p-value. The result also contains the mean difference with its standard error, and
        `confidence_interval`.

    Raises
    ------
    InvalidValueError
        If x and y are not paired, have the wrong shape, leave fewer than two differences, or contain nan or infinity.
        If df is required and missing, or not above 0, or an option is unknown.
    InvalidTypeError
        If x, y or df are not numbers.

    Notes
    -----
    Let s be the standard deviation of the m differences of the sample (divisor m - 1). Then t = mean sqrt(df + 1) / s,
    with df degrees of freedom. With the nominal ``df = m - 1``, the test is the paired t-test of these m differences.

    If all differences are 0, t is 0 and p is 1. If all differences of the sample have the same nonzero value, t is
    infinite and p is nan. In both cases, `reason` states the cause.

    References
    ----------
    Bouckaert, R. R. (2003). Choosing between two learning algorithms based on calibrated tests. Proceedings of the
    20th International Conference on Machine Learning, 51-58.

    Bouckaert, R. R. & Frank, E. (2004). Evaluating the replicability of significance tests for comparing learning
    algorithms. PAKDD, LNAI 3056, 3-12.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats.paired import ttest_10x10
    >>> x, y = np.random.default_rng(1).normal([[[0.83]], [[0.80]]], 0.04, (2, 10, 10))
    >>> result = ttest_10x10(x, y)
    >>> print(f"t = {result.statistic:.3f}, df = {result.df} of {result.nominal_df}, p = {result.pvalue:.3f}")
    t = 1.869, df = 10 of 99, p = 0.091
    """
    tie_tolerance = _checks.tolerance(tie_tolerance, x, y)
    x, y = _runs_of_folds(x, y)
    averaging = _checks.choice(averaging, "averaging", USES)
    n_repeats, n_folds = x.shape[-2:]
    n_used = {"all": n_repeats * n_folds, "folds": n_repeats, "runs": n_folds, "sorted-runs": n_folds}[averaging]
    if n_used < 2:
        raise InvalidValueError(
            f"averaging={averaging!r} must leave 2 differences or more, but {n_repeats} runs of {n_folds} folds "
            f"leave {n_used}"
        )
    published = PUBLISHED_DF.get((averaging, n_repeats, n_folds))
    effective = _degrees_of_freedom(
        df, published, n_used - 1, f"averaging={averaging!r} with {n_repeats} runs of {n_folds} folds"
    )
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)

    mean, sd = ttest.mean_and_sd_of_differences(*_used(x, y, averaging, tie_tolerance))
    standard_error = sd / np.sqrt(effective + 1)
    statistic = np.sqrt(effective + 1) * ttest.in_units_of(sd, mean)

    pvalue, reason = ttest.pvalue_and_reason(statistic, sd, effective, alternative, ttest.CONSTANT_OVER_FOLDS)

    return TTest10x10Result(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        method=np.full(mean.shape, "t"),
        reason=reason,
        averaging=averaging,
        df=effective,
        nominal_df=n_used - 1,
        calibrated=effective == published,
        n_repeats=n_repeats,
        n_folds=n_folds,
        mean_difference=mean,
        standard_error=standard_error,
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=ttest_10x10,
        data=Data.REPEATED_FOLDS,
        excused=OF_SIZES,
        inputs={
            "x, y": Draw("folds", {"shapes": ((10, 10), (2, 2), (5, 2), (2, 5), (3, 4))}),
            "averaging": USES,
            "df": (1, 2.5, 9, 10, 99),
        }
        | SIDES_AND_LEVELS,
        sentence=(
            "Bouckaert's t-test on {averaging} of {n_repeats:count run} of {n_folds:count fold}: mean difference "
            "{mean_difference:short}, {t}, with degrees of freedom {calibrated}, {outcome}"
        ),
        words={
            "averaging": {
                "all": "all differences",
                "folds": "averages over the folds",
                "runs": "averages over the runs",
                "sorted-runs": "averages over the sorted runs",
            },
            "calibrated": {True: "calibrated", False: "as given"},
        },
    ),
)


def _runs_of_folds(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Validate the scores of two classifiers on the same folds of the same repeats."""
    x, y = _checks.paired(x, y)
    for values, name in ((x, "x"), (y, "y")):
        if values.ndim < 2:
            raise InvalidValueError(f"{name} must have the shape (n_repeats, n_folds), but its shape is {values.shape}")
    if x.shape[-2] != y.shape[-2]:
        raise InvalidValueError(
            f"x and y must have equal numbers of runs, but their shapes are {x.shape} and {y.shape}"
        )
    x, y = np.broadcast_arrays(x, y)
    return x, y


def _degrees_of_freedom(df: float | None, published: int | None, nominal: int, design: str) -> float:
    """Return the given degrees of freedom, or the published degrees of freedom."""
    if df is None:
        if published is None:
            raise InvalidValueError(
                f"df must be given for {design}: the only default is the published number, for "
                f"averaging='all' with 10 runs of 10 folds; df={nominal} is the nominal number"
            )
        return published
    df = _checks.real(df, "df")
    if not 0 < df <= sys.float_info.max:
        raise InvalidValueError(f"df must be above 0 and finite, not {short(df)}")
    return int(df) if df == int(df) and df < LARGEST_WHOLE else float(df)


def _used(x: FloatArray, y: FloatArray, use: str, tie_tolerance: float) -> tuple[FloatArray, FloatArray]:
    """Return the differences of the sample, and the same differences after rounding of ties."""
    if use == "all":
        x, y = (values.reshape(*values.shape[:-2], -1) for values in (x, y))
        return differences(x, y, 0), differences(x, y, tie_tolerance)
    d = differences(x, y, 0)
    if use == "sorted-runs":
        order = np.argsort(d, axis=-1)
        d, x, y = (np.take_along_axis(values, order, axis=-1) for values in (d, x, y))
    axis = -1 if use == "folds" else -2
    # in extended precision, if the machine has it, so the order of the summands does not matter
    d, x, y = (
        np.ascontiguousarray(np.mean(values, axis=axis, dtype=np.longdouble), np.float64) for values in (d, x, y)
    )
    return d, differences(x, y, tie_tolerance)
