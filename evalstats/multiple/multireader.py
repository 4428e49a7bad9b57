"""Several readers and treatments on the same cases: multireader multicase (MRMC) analysis of AUC."""

from __future__ import annotations

__all__ = ["ObuchowskiRocketteTestResult", "ReaderVariances", "obuchowski_rockette_test"]

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._declarations import ONE_PROBLEM, Data, Declaration
from evalstats._errors import InvalidValueError
from evalstats._result import ConfidenceInterval, HypothesisTestResult, interval_of
from evalstats._types import BoolArray, FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.metrics import class_encoding as classes
from evalstats.metrics import delong
from evalstats.metrics.class_encoding import positive_cases

SAMPLED = ("both", "cases", "readers")
METHODS = ("f", "adjusted")
COVARIANCES = ("delong", "jackknife")
NO_DIFFERENCE = "all treatments have equal mean areas, and the differences have no variance"
NO_VARIANCE = "the differences between treatments have no variance, so the F distribution does not apply"
MOST_READERS = 10_000
ROUNDING = 1e-14  # a smaller interaction is a rounding error of areas, which are multiples of 1 / (2 m n)


class ReaderVariances(NamedTuple):
    """Mean squares and covariances of the areas of t treatments and r readers."""

    ms_treatment: float
    ms_treatment_reader: float
    variance: float
    cov1: float
    cov2: float
    cov3: float


class FTest(NamedTuple):
    """F with its degrees of freedom. `denominator` is r / 2 times the variance of a difference of two treatments."""

    statistic: float
    df: tuple[float, float]
    denominator: float


class OfInstances(NamedTuple):
    """Denominator for fixed readers with its degrees of freedom, adjusted for few instances of a class."""

    denominator: float
    df: float


@dataclass(frozen=True, kw_only=True, eq=False)
class ObuchowskiRocketteTestResult(HypothesisTestResult):
    """Result of `obuchowski_rockette_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float
        F or, with fixed readers, chi-squared divided by its degrees of freedom.
    pvalue : float
        The p-value. It is nan if the differences have no variance.
    alternative : str
        The value ``'two-sided'``.
    method : str
        ``'adjusted'``, ``'f'`` or, with fixed readers and without an adjustment, ``'asymptotic'``.
    reason : str or None
        A sentence if the input was degenerate, otherwise None.
    sampled : str
        ``'both'``, ``'cases'`` or ``'readers'``: the factors that are samples of a population.
    df : tuple of float
        Degrees of freedom of F. The second number is infinite with fixed readers and without an adjustment. With both
        factors and the method ``'adjusted'``, it belongs to the part of the denominator that is due to instances.
    auc : ndarray of shape (n_treatments, n_readers)
        Area under the ROC curve of each treatment and reader.
    mean_auc : ndarray of shape (n_treatments,)
        Mean area of each treatment over the readers.
    difference : ndarray of shape (n_treatments, n_treatments)
        Mean area of the treatment of the row minus the mean area of the treatment of the column.
    standard_error : float
        Standard error of each difference, which is the same for all pairs.
    ms_treatment, ms_treatment_reader : float
        Mean squares of the treatments, and of their interaction with the readers. `ms_treatment_reader` is nan with one
        reader.
    variance, cov1, cov2, cov3 : float
        Mean variance of an area, and mean covariances of two areas. `cov1` is for the same reader with different
        treatments, `cov2` for different readers with the same treatment, and `cov3` for different readers with
        different treatments. `cov2` and `cov3` are nan with one reader.
    n_treatments, n_readers, n_positive, n_negative : int
        Numbers of treatments, readers, positive instances and negative instances.
    """

    sampled: str
    df: tuple[float, float]
    auc: FloatArray
    mean_auc: FloatArray
    difference: FloatArray
    standard_error: float
    ms_treatment: float
    ms_treatment_reader: float
    variance: float
    cov1: float
    cov2: float
    cov3: float
    n_treatments: int
    n_readers: int
    n_positive: int
    n_negative: int

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for each difference of two treatments, without a multiple-testing adjustment.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval for one pair.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high`` of shape (n_treatments, n_treatments), or nan without a standard error.

        Examples
        --------
        >>> import numpy as np
        >>> from evalstats.multiple import obuchowski_rockette_test
        >>> rng = np.random.default_rng(1)
        >>> y_true = np.repeat([0, 1], 30)
        >>> ratings = y_true * np.array([1, 2])[:, None, None] + rng.normal(size=(2, 4, 60))
        >>> low, high = obuchowski_rockette_test(y_true, ratings).confidence_interval()
        >>> print(f"{low[1, 0]:.3f} {high[1, 0]:.3f}")
        0.016 0.291
        """
        level = _checks.confidence_level(confidence_level)
        error = np.where(self.standard_error > 0, self.standard_error, np.nan)
        if self.method == "adjusted" and self.sampled == "both" and self.standard_error > 0:
            denominator = self.n_readers * self.standard_error**2 / 2
            df_readers = (self.n_treatments - 1) * (self.n_readers - 1)
            tail = _tail(denominator, self.ms_treatment_reader, df_readers, self.df[1])
            quantile = _root(lambda t: tail(t**2, 1) - (1 - level))
        else:
            quantile = float(tails.t_quantile(self.df[1], 0.5 + level / 2))
        low, high = self.difference - quantile * error, self.difference + quantile * error
        return interval_of(low, high, level)

    def readers_needed(self, difference: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
        """Return the number of readers for a given power of the F test of two treatments with as many instances.

        Parameters
        ----------
        difference : float
            True difference of the mean areas of two treatments. It must not be 0.
        power : float, default: 0.8
            Power, between 0 and 1.
        alpha : float, default: 0.05
            Significance level, between 0 and 1.

        Returns
        -------
        int
            Number of readers, from 2 to 10000. The value 10000 means that 10000 or more readers are necessary.

        References
        ----------
        Hillis, S. L., Obuchowski, N. A. & Berbaum, K. S. (2011). Power estimation for multireader ROC methods: an
        updated and unified approach. Academic Radiology 18, 129-142.

        Examples
        --------
        >>> import numpy as np
        >>> from evalstats.multiple import obuchowski_rockette_test
        >>> rng = np.random.default_rng(1)
        >>> y_true = np.repeat([0, 1], 30)
        >>> ratings = y_true * np.array([1, 2])[:, None, None] + rng.normal(size=(2, 4, 60))
        >>> obuchowski_rockette_test(y_true, ratings).readers_needed(0.1)
        8
        """
        from scipy.stats import f, ncf

        difference = _checks.finite_real(difference, "difference")
        if difference == 0:
            raise InvalidValueError("difference must not be 0, because no number of readers can show a difference of 0")
        if self.n_readers < 2:
            raise InvalidValueError("readers_needed needs a study of 2 or more readers, but this study has 1 reader")
        power, alpha = _checks.proportion(power, "power"), _checks.proportion(alpha, "alpha")
        excess = max(self.cov2 - self.cov3, 0.0)

        def reached(n_readers: int) -> bool:
            denominator = self.ms_treatment_reader + n_readers * excess
            df = denominator**2 / (self.ms_treatment_reader**2 / (n_readers - 1))
            shift = n_readers * difference**2 / 2 / denominator
            return bool(ncf.sf(f.isf(alpha, 1, df), 1, df, shift) >= power)

        return next((n for n in range(2, MOST_READERS) if reached(n)), MOST_READERS)


def obuchowski_rockette_test(
    y_true: ArrayLike,
    ratings: ArrayLike,
    *,
    sampled: str = "both",
    covariance: str = "delong",
    method: str = "f",
    pos_label: Any = None,
) -> ObuchowskiRocketteTestResult:
    """Test whether several treatments have equal mean AUC over readers, on the same instances.

    A treatment is an imaging modality or a classifier. A reader is a person, or a training run with its own seed. Each
    reader rates each instance with each treatment. The null hypothesis is that all treatments have the same mean area
    under the ROC curve in the population of readers and instances.

    Parameters
    ----------
    y_true : array_like of shape (n,)
        True labels of n instances, of two classes.
    ratings : array_like of shape (n_treatments, n_readers, n)
        Ratings of at least 2 treatments. A greater rating means a more likely positive class.
    sampled : {'both', 'cases', 'readers'}, default: 'both'
        The factors that are samples of a population. ``'both'``: the conclusion applies to new readers and new
        instances. ``'cases'``: the conclusion applies to these readers and new instances. ``'readers'``: the conclusion
        applies to new readers and these instances.
    covariance : {'delong', 'jackknife'}, default: 'delong'
        Method of estimating the covariances of the areas.
    method : {'f', 'adjusted'}, default: 'f'
        ``'f'``: the F test with the degrees of freedom of Hillis (2007), as in MRMCaov. ``'adjusted'``: a p-value that
        also holds the level with few readers or few instances of a class.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: the greater of two labels.

    Returns
    -------
    ObuchowskiRocketteTestResult
        F and its p-value. The result also contains the areas, the differences with their standard error and
        `confidence_interval`, the components of the variance, and `readers_needed`.

    Raises
    ------
    ValueError, TypeError
        If a rating is missing or not finite, the shapes do not match, a class has no instance, or an option is unknown.
        If there is only one reader, but `sampled` includes the readers.

    See Also
    --------
    evalstats.paired.delong_test : the test of two classifiers without readers.

    Notes
    -----
    For t treatments and r readers, F = MS(T) / [MS(TR) + max(r (Cov2 - Cov3), 0)]. The degrees of freedom are t - 1 and
    [denominator]^2 / [MS(TR)^2 / ((t - 1)(r - 1))] (Hillis 2007). With fixed readers, the denominator is Var - Cov1 +
    (r - 1) max(Cov2 - Cov3, 0) with infinite degrees of freedom. With fixed instances, the denominator is MS(TR). The
    test of Dorfman, Berbaum & Metz is the same test with jackknife covariances (Hillis et al. 2005). With fixed
    readers, one reader and two treatments, the test is DeLong's test.

    With ``method='adjusted'``, the denominator for fixed readers is adjusted as by `evalstats.paired.delong_test`, if a
    class has fewer than 500 instances: it is the mean over pairs of treatments, with the smallest of their degrees of
    freedom. With sampled readers, the p-value is the mean of the p-values given MS(TR), where the true mean square is
    (t - 1)(r - 1) MS(TR) divided by a chi-squared variable (the fiducial solution of Behrens and Fisher).

    In simulations at the 5% level, the type-I error rate of ``method='f'`` is 6.5% for 3 readers and 60 instances. With
    8 readers and 10 positive of 100 instances, it is 6.2%, and 6.9% with ``sampled='cases'``. The greatest rate of
    ``method='adjusted'`` is 4.4%.

    References
    ----------
    Obuchowski, N. A. & Rockette, H. E. (1995). Hypothesis testing of diagnostic accuracy for multiple readers and
    multiple tests: an ANOVA approach with dependent observations. Communications in Statistics - Simulation and
    Computation 24, 285-308.

    Hillis, S. L., Obuchowski, N. A., Schartz, K. M. & Berbaum, K. S. (2005). A comparison of the Dorfman-Berbaum-Metz
    and Obuchowski-Rockette methods for receiver operating characteristic (ROC) data. Statistics in Medicine 24,
    1579-1607.

    Hillis, S. L. (2007). A comparison of denominator degrees of freedom methods for multiple observer ROC analysis.
    Statistics in Medicine 26, 596-619.

    Fisher, R. A. (1935). The fiducial argument in statistical inference. Annals of Eugenics 6, 391-398.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats.multiple import obuchowski_rockette_test
    >>> rng = np.random.default_rng(1)
    >>> y_true = np.repeat([0, 1], 30)
    >>> ratings = y_true * np.array([1, 2])[:, None, None] + rng.normal(size=(2, 4, 60))
    >>> result = obuchowski_rockette_test(y_true, ratings)
    >>> result.mean_auc.round(3)
    array([0.784, 0.938])
    """
    sampled = _checks.choice(sampled, "sampled", SAMPLED)
    covariance = _checks.choice(covariance, "covariance", COVARIANCES)
    method = _checks.choice(method, "method", METHODS)
    positive, scores = _understand(y_true, ratings, pos_label)
    t, r, n = scores.shape
    if r == 1 and sampled != "cases":
        raise InvalidValueError(
            f"sampled={sampled!r} needs 2 or more readers, but there is 1 reader; use sampled='cases'"
        )

    areas = delong.delong_covariance(positive, scores.reshape(t * r, n))
    auc = areas.auc.reshape(t, r)
    spread = areas.covariance if covariance == "delong" else _jackknife(positive, scores.reshape(t * r, n))
    parts = _variances(auc, spread.reshape(t, r, t, r))
    tested = f_of_treatments(parts, t, r, sampled, _of_instances(positive, scores) if method == "adjusted" else None)

    statistic, (df, df_error), denominator = tested
    is_adjusted = method == "adjusted" and sampled != "readers"
    pvalue, reason = float("nan"), None
    if denominator > 0:
        if is_adjusted and sampled == "both":
            pvalue = _tail(denominator, parts.ms_treatment_reader, (t - 1) * (r - 1), df_error)(statistic, df)
        else:
            pvalue = _pvalue(statistic, df, df_error)
    elif parts.ms_treatment == 0:
        statistic, pvalue, reason = 0.0, 1.0, NO_DIFFERENCE
    else:
        reason = areas.reason or NO_VARIANCE
    mean = auc.mean(axis=1)
    return ObuchowskiRocketteTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative="two-sided",
        method="adjusted" if is_adjusted else "asymptotic" if sampled == "cases" else "f",
        reason=reason,
        sampled=sampled,
        df=(df, df_error),
        auc=auc,
        mean_auc=mean,
        difference=mean[:, np.newaxis] - mean,
        standard_error=float(np.sqrt(2 * denominator / r)),
        **parts._asdict(),
        n_treatments=t,
        n_readers=r,
        n_positive=int(positive.sum()),
        n_negative=int((~positive).sum()),
    )


def f_of_treatments(
    parts: ReaderVariances, t: int, r: int, sampled: str, instances: OfInstances | None = None
) -> FTest:
    """Return F from the mean squares and the covariances: Hillis (2007), or with an adjustment for few instances."""
    excess = max(parts.cov2 - parts.cov3, 0.0) if r > 1 else 0.0
    of_instances = parts.variance - parts.cov1 + (r - 1) * excess
    added, df_error = 0.0, float("inf")
    if instances is not None:
        added, df_error = max(instances.denominator - of_instances, 0.0), instances.df
    if sampled == "cases":
        denominator = of_instances + added
    elif sampled == "readers":
        denominator, df_error = parts.ms_treatment_reader, float((t - 1) * (r - 1))
    else:
        denominator = parts.ms_treatment_reader + r * excess + added
        within = parts.ms_treatment_reader**2 / ((t - 1) * (r - 1))
        if instances is None and within > 0:
            df_error = denominator**2 / within
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = float(np.divide(parts.ms_treatment, denominator))
    return FTest(statistic, (float(t - 1), df_error), denominator)


DECLARATIONS = (
    Declaration(
        function=obuchowski_rockette_test,
        data=Data.READERS,
        excused=ONE_PROBLEM,
        sentence=(
            "Obuchowski-Rockette test of {n_treatments:count treatment} and {n_readers:count reader}: {reader_areas}"
        ),
    ),
)


def _understand(y_true: Any, ratings: Any, pos_label: Any) -> tuple[BoolArray, FloatArray]:
    _labels.same_labels(y_true=y_true, ratings=ratings)
    scores = _checks.finite(_checks.numbers(ratings, "ratings"), "ratings")
    if scores.ndim != 3 or scores.shape[0] < 2 or not scores.size:
        raise InvalidValueError(
            "ratings must have the shape (n_treatments, n_readers, n) with 2 or more treatments, but the shape is "
            f"{scores.shape}"
        )
    positive = positive_cases(classes.understand(y_true, "y_true"), pos_label, greater_of_two=True)
    if positive.shape != scores.shape[-1:]:
        raise InvalidValueError(
            f"y_true and ratings must be paired: y_true has the shape {positive.shape}, ratings have "
            f"{scores.shape[-1]} instances"
        )
    return positive, scores


def _variances(auc: FloatArray, covariance: FloatArray) -> ReaderVariances:
    """Return mean squares of the areas, and means of their covariances of shape (t, r, t, r)."""
    t, r = auc.shape
    by_treatment, by_reader = auc.mean(axis=1), auc.mean(axis=0)
    interaction = auc - by_treatment[:, np.newaxis] - by_reader + auc.mean()
    interaction[np.abs(interaction) < ROUNDING] = 0.0
    same_treatment = np.eye(t, dtype=bool)[:, np.newaxis, :, np.newaxis]
    same_reader = np.eye(r, dtype=bool)[np.newaxis, :, np.newaxis, :]

    def mean_where(chosen: BoolArray) -> float:
        values = covariance[np.broadcast_to(chosen, covariance.shape)]
        return float(values.mean()) if values.size else float("nan")

    return ReaderVariances(
        ms_treatment=float(r * by_treatment.var(ddof=1)),
        ms_treatment_reader=float((interaction**2).sum() / ((t - 1) * (r - 1))) if r > 1 else float("nan"),
        variance=mean_where(same_treatment & same_reader),
        cov1=mean_where(~same_treatment & same_reader),
        cov2=mean_where(same_treatment & ~same_reader),
        cov3=mean_where(~same_treatment & ~same_reader),
    )


def _jackknife(positive: BoolArray, scores: FloatArray) -> FloatArray:
    """Return the jackknife covariance of the areas from the components of the instances."""
    m, n = int(positive.sum()), int((~positive).sum())
    if min(m, n) < 2:
        return np.full((len(scores), len(scores)), np.nan)
    below = delong.placements_of(positive, scores) / 2
    # for a negative instance: the positive instances above it
    pairs = np.where(positive, below, m - below)
    total = np.where(positive, below, 0.0).sum(axis=1, keepdims=True)
    left = np.where(positive, (total - pairs) / ((m - 1) * n), (total - pairs) / (m * (n - 1)))
    deviation = left - left.mean(axis=1, keepdims=True)
    size = m + n
    return np.asarray(deviation @ deviation.T * (size - 1) / size)


def _of_instances(positive: BoolArray, scores: FloatArray) -> OfInstances:
    """Return the mean adjusted variance of a difference of treatments, times r / 2, and the fewest degrees of freedom.

    With many instances of both classes, no adjustment is necessary.
    """
    t, r, n = scores.shape
    size = np.array([[positive.sum()], [n - positive.sum()]], dtype=np.float64)
    if size.min() >= delong.FEW_INSTANCES:
        return OfInstances(0.0, float("inf"))
    placements = delong.placements_of(positive, scores.reshape(t * r, n)).reshape(t, r, n).mean(axis=1)
    parts, excess = delong.adjusted_parts(positive, placements, *np.triu_indices(t, 1))
    df = delong.adjusted_degrees(size, parts, excess)
    return OfInstances(float(parts.sum(axis=0).mean() * r / 2), float(np.nan_to_num(df, nan=np.inf).min()))


def _tail(
    denominator: float, mean_square: float, df_readers: int, df_instances: float
) -> Callable[[float, float], float]:
    """Return the function that computes the p-value of F and its first degrees of freedom, for sampled readers.

    It is a mean over the fiducial distribution of the true mean square of the readers. Given this mean square, F has
    the degrees of freedom of Satterthwaite.
    """
    excess = denominator - mean_square
    if mean_square == 0 or excess < ROUNDING * denominator:
        df_error = df_instances if mean_square == 0 else float(df_readers)
        return lambda statistic, df: _pvalue(statistic, df, df_error)
    from scipy.integrate import quad
    from scipy.special import chdtri, gammaln

    constant = (df_readers / 2 - 1) * math.log(2) + gammaln(df_readers / 2)
    largest = math.sqrt(chdtri(df_readers, 1e-20))

    def tail(statistic: float, df: float) -> float:
        def at(chi: float) -> float:
            total = df_readers * mean_square / chi**2 + excess
            density = math.exp((df_readers - 1) * math.log(chi) - chi**2 / 2 - constant)
            return density * _pvalue(statistic * denominator / total, df, df_instances * (total / excess) ** 2)

        # full_output: no warning of the rounding errors of SciPy 1.15 near 1e-10
        return float(tails.as_pvalue(quad(at, 0.0, largest, epsabs=0.0, epsrel=1e-10, limit=200, full_output=True)[0]))

    return tail


def _root(function: Callable[[float], float]) -> float:
    """Return the root of a decreasing function of a positive number."""
    from scipy.optimize import brentq

    upper = 2.0
    while function(upper) > 0:
        upper *= 2
    return float(brentq(function, 0.0, upper, xtol=1e-12))


def _pvalue(statistic: float, df: float, df_error: float) -> float:
    from scipy.special import chdtrc, fdtrc

    tail = chdtrc(df, df * statistic) if np.isinf(df_error) else fdtrc(df, df_error, statistic)
    return float(tails.as_pvalue(tail))
