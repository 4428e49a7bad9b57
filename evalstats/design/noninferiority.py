"""Power and sample size of tests of noninferiority and equivalence."""

from __future__ import annotations

__all__ = ["NoninferiorityPowerResult", "noninferiority_power", "noninferiority_sample_size"]

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._result import Record
from evalstats._types import FloatArray, Progress
from evalstats.design import simulation
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.noncentral_t import t_power
from evalstats.paired.accuracy_difference_interval import most_only_y, right_tail
from evalstats.paired.noninferiority_results import understand_margin

HYPOTHESES = ("noninferiority", "equivalence")
# nodes of the integral over the standard deviation of a sample
NODES = 400
# a statistic within this distance of the critical value counts as equal to it
SLACK = 1e-12
# default values
USUAL = {"prevalence": 0.5, "correlation": 0.5}


class MarginDesign(NamedTuple):
    """Design without the sample size: the margin, the true scores, and the simulation of experiments."""

    margin: float
    difference: float
    alpha: float
    both: bool  # equivalence: both one-sided tests must reject
    known: Mapping[str, float]  # properties of the scores that the test requires
    draw: simulation.Simulation

    @property
    def distances(self) -> tuple[float, float]:
        """Distances of the true difference from the lower and upper margins, in standard deviations."""
        sd = self.known["sd"]
        return (self.margin + self.difference) / sd, (self.margin - self.difference) / sd


class MarginTest(NamedTuple):
    """Test with a margin: the properties of the scores that the test requires, and the power of the test."""

    needs: tuple[str, ...]
    most: int  # end of a search
    method: str
    power: Callable[[MarginDesign, int], float]
    fewest: int = 2


@dataclass(frozen=True, kw_only=True, eq=False)
class NoninferiorityPowerResult(Record):
    """Result of `noninferiority_power` and `noninferiority_sample_size`.

    Attributes
    ----------
    test, hypothesis : str
        The values passed to the function.
    n : int or None
        Number of instances, datasets, fold scores or questions, or None if none of the tried numbers is sufficient.
        `reason` then states the cause.
    power : float
        Probability that the test rejects at `alpha`. If `n` is None, `power` applies to the largest number that was
        tried.
    margin, difference : float
        The margin, and the true difference, x minus y.
    alpha : float
        Significance level.
    method : str
        Method of the computation: ``'exact'`` (sum over all tables), ``'noncentral t'`` or ``'simulation'``.
    standard_error : float
        Monte Carlo standard error of a simulated power, or 0 for the other methods.
    n_simulations : int
        Number of simulated experiments, or 0 for the other methods.
    seed : int or None
        Seed of the simulated experiments, or None if nothing is simulated or `rng` was a Generator.
    reason : str or None
        A sentence if no sample size was found, or None.
    """

    test: str
    hypothesis: str
    n: int | None
    power: float
    margin: float
    difference: float
    alpha: float
    method: str
    standard_error: float
    n_simulations: int
    seed: int | None
    reason: str | None


def noninferiority_power(
    test: str,
    *,
    n: int,
    margin: float,
    hypothesis: str = "noninferiority",
    difference: float = 0.0,
    discordance: float | None = None,
    sd: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    auc: float | None = None,
    correlation: float | None = None,
    prevalence: float | None = None,
    cluster_size: float | None = None,
    intraclass_correlation: float | None = None,
    alpha: float = 0.05,
    n_simulations: int = 10_000,
    rng: Any = None,
    progress: Progress | None = None,
) -> NoninferiorityPowerResult:
    """Compute the power of a test of noninferiority or equivalence.

    Parameters
    ----------
    test : {'wilcoxon', 'sign', 'permutation', 'paired-t', 'corrected-t', 'clustered-t', 'accuracy', 'auc'}
        Name of a test, as in `noninferiority_test`. ``'accuracy'`` is the score test.
    n : int
        Number of instances for ``'accuracy'`` and ``'auc'``, of datasets for ``'wilcoxon'``, ``'sign'``,
        ``'permutation'`` and ``'paired-t'``, of fold scores for ``'corrected-t'``, and of questions for
        ``'clustered-t'``.
    margin : float
        The margin of the test, above 0, in the unit of the scores.
    hypothesis : {'noninferiority', 'equivalence'}, default: 'noninferiority'
        Claim that the experiment should show.
    difference : float, default: 0.0
        True difference x - y. It is negative if x is worse.
    discordance : float, optional
        For ``'accuracy'``: proportion of the instances that exactly one classifier predicts correctly.
    sd : float, optional
        For tests of scores: standard deviation of the differences, in the unit of the scores. The differences are
        assumed to be normal. For ``'clustered-t'``, it is the standard deviation of the differences for individual
        questions.
    n_train, n_test : float, optional
        For ``'corrected-t'``: numbers of instances in the training set and in the test set of a fold. Only the ratio of
        the two numbers matters.
    auc : float, optional
        For ``'auc'``: area under the ROC curve of y. The scores of each class are assumed to be normal with equal
        variances.
    correlation : float, optional
        For ``'auc'``: correlation of the scores of x and y within a class. Default: 0.5.
    prevalence : float, optional
        For ``'auc'``: proportion of positive instances. Default: 0.5.
    cluster_size, intraclass_correlation : float, optional
        For ``'clustered-t'``: number of questions in each cluster, and the correlation between the differences of two
        questions in a cluster.
    alpha : float, default: 0.05
        Significance level: the test rejects if p <= alpha.
    n_simulations : int, default: 10000
        Number of simulated experiments for ``'wilcoxon'``, ``'permutation'`` and ``'auc'``.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    progress : callable, optional
        Function that is called as ``progress(done, total, "experiments")`` repeatedly while experiments are simulated.

    Returns
    -------
    NoninferiorityPowerResult

    Raises
    ------
    ValueError, TypeError
        If a number is out of range. If a required argument is missing, or if you pass an argument that the test does
        not use.

    See Also
    --------
    statistical_power : the power of tests of a difference.

    Notes
    -----
    For ``'accuracy'`` and ``'sign'``, the exact power is the sum of the probabilities of all counts for which the test
    rejects. The t-tests assume normal differences. For noninferiority, t has a noncentral t distribution. For
    equivalence, the power is the probability that both tests reject, integrated over the standard deviation of the
    sample. ``'clustered-t'`` assumes clusters of equal size, for which the test is the t-test of the cluster means. For
    ``'wilcoxon'``, ``'permutation'`` and ``'auc'``, the power is the proportion of simulated experiments in which the
    test rejects. For 13 or more differences, the permutation test draws 1999 random sign assignments.

    References
    ----------
    Phillips, K. F. (1990). Power of the two one-sided tests procedure in bioequivalence. Journal of Pharmacokinetics
    and Biopharmaceutics 18, 137-144.

    Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design. Statistics in Medicine 17, 891-908.

    Examples
    --------
    Two equally accurate models disagree on 5% of 2000 instances. The margin is one percentage point.

    >>> from evalstats.design import noninferiority_power
    >>> round(noninferiority_power("accuracy", n=2000, margin=0.01, discordance=0.05).power, 3)
    0.631
    """
    asked = _understand(dict(locals()))
    own = TESTS[test]
    n = _checks.count(n, "n", minimum=own.fewest)
    if n > own.most:
        raise InvalidValueError(f"n must be at most {own.most} for the test {test!r}, not {n}")
    return asked.result(n, asked.power(n), None)


def noninferiority_sample_size(
    test: str,
    *,
    margin: float,
    hypothesis: str = "noninferiority",
    power: float = 0.8,
    difference: float = 0.0,
    discordance: float | None = None,
    sd: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    auc: float | None = None,
    correlation: float | None = None,
    prevalence: float | None = None,
    cluster_size: float | None = None,
    intraclass_correlation: float | None = None,
    alpha: float = 0.05,
    n_simulations: int = 10_000,
    rng: Any = None,
    progress: Progress | None = None,
) -> NoninferiorityPowerResult:
    """Compute the sample size for a given power of a test of noninferiority or equivalence.

    Parameters
    ----------
    test, margin, hypothesis
        As in `noninferiority_power`.
    power : float, default: 0.8
        Target power: the probability that the test shows the claim.
    difference, discordance, sd, n_train, n_test, auc, correlation, prevalence, cluster_size, intraclass_correlation
        As in `noninferiority_power`.
    alpha, n_simulations
        As in `noninferiority_power`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    progress : callable, optional
        As in `noninferiority_power`.

    Returns
    -------
    NoninferiorityPowerResult
        `n` and the power for `n`. If no sample size is sufficient, `n` is None and `reason` states the cause.

    Raises
    ------
    ValueError, TypeError
        Under the same conditions as `noninferiority_power`, and if x is worse than y by the margin or more, because
        noninferiority then cannot be shown.

    Notes
    -----
    The power of ``'accuracy'`` and ``'sign'`` is not monotone in n. The power reaches the target with `n` and not with
    n - 1, but it may also reach the target with some smaller sample sizes. A simulated power, and therefore the sample
    size, has a random error.

    References
    ----------
    Phillips, K. F. (1990). Power of the two one-sided tests procedure in bioequivalence. Journal of Pharmacokinetics
    and Biopharmaceutics 18, 137-144.

    Examples
    --------
    >>> from evalstats.design import noninferiority_sample_size
    >>> noninferiority_sample_size("accuracy", margin=0.01, discordance=0.05).n
    3133
    >>> noninferiority_sample_size("paired-t", margin=0.01, sd=0.02).n
    27
    >>> noninferiority_sample_size("sign", margin=0.01, sd=0.02).n
    42
    """
    asked = _understand(dict(locals()))
    target = _checks.proportion(power, "power")
    if difference <= -margin or (hypothesis == "equivalence" and difference >= margin):
        raise InvalidValueError(
            f"difference must lie within the margin of {margin:g}, because otherwise the claim is false, but it is "
            f"{difference:g}"
        )
    most = TESTS[test].most
    low, high = TESTS[test].fewest - 1, 4
    while (reached := asked.power(high)) < target:
        if high == most:
            reason = f"no sample size up to {most} gives a power of {target:g}"
            return asked.result(None, reached, reason)
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if asked.power(middle) >= target else (middle, high)
    return asked.result(high, asked.power(high), None)


class _Asked(NamedTuple):
    """Design of a noninferiority or equivalence test."""

    test: str
    hypothesis: str
    design: MarginDesign
    seed: int | None

    def power(self, n: int) -> float:
        """Return the power with this sample size."""
        return TESTS[self.test].power(self.design, n)

    def result(self, n: int | None, power: float, reason: str | None) -> NoninferiorityPowerResult:
        """Return the result record for a sample size and its power."""
        method, draw = TESTS[self.test].method, self.design.draw
        m = draw.n_simulations if method == "simulation" else 0
        return NoninferiorityPowerResult(
            test=self.test,
            hypothesis=self.hypothesis,
            n=n,
            power=power,
            margin=self.design.margin,
            difference=self.design.difference,
            alpha=self.design.alpha,
            method=method,
            standard_error=simulation.standard_error(round(power * m), m) if m else 0.0,
            n_simulations=m,
            seed=self.seed if m else None,
            reason=reason,
        )


def _understand(given: Mapping[str, Any]) -> _Asked:
    """Validate the arguments of the two public functions."""
    test = _checks.choice(given["test"], "test", tuple(TESTS))
    hypothesis = _checks.choice(given["hypothesis"], "hypothesis", HYPOTHESES)
    margin = understand_margin(given["margin"], are_shares=test in ("accuracy", "auc"))
    difference = _checks.finite_real(given["difference"], "difference")
    draw, seed = simulation.Simulation.understood(given)
    design = MarginDesign(
        margin=margin,
        difference=difference,
        alpha=_checks.proportion(given["alpha"], "alpha"),
        both=hypothesis == "equivalence",
        known=_known(test, given, difference),
        draw=draw,
    )
    return _Asked(test, hypothesis, design, seed)


def _known(test: str, given: Mapping[str, Any], difference: float) -> dict[str, float]:
    """Return the properties of the scores that the test requires, or raise an error for other arguments."""
    needs = TESTS[test].needs
    known: dict[str, float] = {}
    for name, check in CHECKS.items():
        value = USUAL.get(name) if given[name] is None and name in needs else given[name]
        if (value is None) == (name in needs):
            problem = f"requires {name}" if value is None else f"does not take {name}; it takes {' and '.join(needs)}"
            raise InvalidValueError(f"the test {test!r} {problem}")
        if value is not None:
            known[name] = check(value, name)
    if test == "accuracy" and abs(difference) > known["discordance"]:
        raise InvalidValueError(
            f"difference must lie within the discordance of {known['discordance']:g}, not {difference:g}"
        )
    if test == "auc" and not 0 < known["auc"] + difference < 1:
        raise InvalidValueError(f"auc + difference must lie between 0 and 1, but it is {known['auc'] + difference:g}")
    return known


def _positive(value: Any, name: str) -> float:
    number = _checks.real(value, name)
    if not 0 < number < math.inf:
        raise InvalidValueError(f"{name} must be larger than 0, not {number:g}")
    return number


def _cluster_size(value: Any, name: str) -> float:
    number = _positive(value, name)
    if number < 1:
        raise InvalidValueError(f"{name} must be 1 or more, not {number:g}")
    return number


def _correlation(value: Any, name: str) -> float:
    number = _checks.real(value, name)
    if not 0 <= number < 1:
        raise InvalidValueError(f"{name} must be at least 0 and below 1, not {number:g}")
    return number


CHECKS: dict[str, Callable[[Any, str], float]] = {
    "discordance": _checks.proportion,
    "sd": _positive,
    "n_train": _positive,
    "n_test": _positive,
    "auc": _checks.proportion,
    "correlation": _correlation,
    "prevalence": _checks.proportion,
    "cluster_size": _cluster_size,
    "intraclass_correlation": _correlation,
}


# --- the power of each test -------------------------------------------------------------------------------------------


def _accuracy_power(design: MarginDesign, n: int) -> float:
    """Sum the probabilities of the tables for which z exceeds the critical value at one margin or at both margins."""
    from scipy.special import ndtri

    margin, difference, critical = design.margin, design.difference, -float(ndtri(design.alpha))
    only_y = np.array([(design.known["discordance"] - difference) / 2])
    # maximum number of instances that only y predicts correctly, to show noninferiority; minimum number for the other
    # side
    most = most_only_y(n, -margin, critical - SLACK)
    if not design.both:
        return float(right_tail(most, only_y, difference)[0])
    too_few = most_only_y(n, margin, -critical + SLACK)
    return float(
        right_tail(np.maximum(most, too_few), only_y, difference)[0] - right_tail(too_few, only_y, difference)[0]
    )


def _sign_power(design: MarginDesign, n: int) -> float:
    """Sum the probabilities of outcomes with few differences below the lower margin and above the upper margin."""
    from scipy.special import ndtr
    from scipy.stats import binom

    # maximum number of differences beyond a margin
    few = int(np.count_nonzero(binom.cdf(np.arange(n + 1), n, 0.5) <= design.alpha)) - 1
    below, above = (float(ndtr(-distance)) for distance in design.distances)
    if few < 0:
        return 0.0
    if not design.both:
        return float(binom.cdf(few, n, below))
    i = np.arange(few + 1)
    rest = above / (1 - below) if below < 1 else 1.0
    return float(np.sum(binom.pmf(i, n, below) * binom.cdf(few, n - i, min(rest, 1.0))))


def _t_power(error: Callable[[Mapping[str, float], int], tuple[float, float]], design: MarginDesign, n: int) -> float:
    """Return the power of a t-test from the standardized standard error and the degrees of freedom."""
    scale, df = error(design.known, n)
    if df < 1:
        return 0.0
    lower, upper = (distance / scale for distance in design.distances)
    return _both_t(lower, upper, df, design.alpha) if design.both else t_power(lower, df, design.alpha, "greater")


def _both_t(lower: float, upper: float, df: float, alpha: float) -> float:
    """Return the probability that both t-tests reject: the mean is at least t times S inside each margin."""
    from scipy.special import gammaln, ndtr

    critical = -float(tails.t_quantile(df, alpha))
    # integral over the standard deviation S of the sample
    node, weight = _nodes()
    spread = 1 + 12 / math.sqrt(2 * df)
    low = max(0.0, 1 - 12 / math.sqrt(2 * df))
    high = min(spread, (lower + upper) / 2 / critical if critical > 0 else spread)
    if high <= low:
        return 0.0
    s, weight = low + (high - low) * (node + 1) / 2, weight * (high - low) / 2
    log_density = math.log(2) + df / 2 * math.log(df / 2) - gammaln(df / 2) + (df - 1) * np.log(s) - df * s * s / 2
    inside = ndtr(upper - critical * s) - ndtr(critical * s - lower)
    return float(np.clip(np.sum(weight * np.exp(log_density) * np.maximum(inside, 0.0)), 0.0, 1.0))


@cache
def _nodes() -> tuple[FloatArray, FloatArray]:
    """Return the nodes and weights of Gauss-Legendre quadrature, cached because their computation is slow."""
    node, weight = np.polynomial.legendre.leggauss(NODES)
    return node, weight


def _of_mean(known: Mapping[str, float], n: int) -> tuple[float, float]:
    return 1 / math.sqrt(n), n - 1


def _of_folds(known: Mapping[str, float], n: int) -> tuple[float, float]:
    return math.sqrt(1 / n + known["n_test"] / known["n_train"]), n - 1


def _of_clusters(known: Mapping[str, float], n: int) -> tuple[float, float]:
    """Return the standard error and the degrees of freedom of the mean over clusters of equal size."""
    size = known["cluster_size"]
    return math.sqrt((1 + (size - 1) * known["intraclass_correlation"]) / n), n / size - 1


def _simulated(
    rejections: Callable[[int, float, float, float, simulation.Simulation], int], design: MarginDesign, n: int
) -> float:
    lower, upper = design.distances
    count = rejections(n, lower, upper if design.both else math.inf, design.alpha, design.draw)
    return count / design.draw.n_simulations


def _auc_power(design: MarginDesign, n: int) -> float:
    """Compute the power for AUC from simulated normal scores of both classes."""
    from scipy.special import ndtri

    known = design.known
    n_positive = round(n * known["prevalence"])
    if min(n_positive, n - n_positive) < 2:
        return 0.0
    apart = tuple(math.sqrt(2) * float(ndtri(area)) for area in (known["auc"] + design.difference, known["auc"]))
    margins = -design.margin, design.margin if design.both else math.inf
    sizes = n_positive, n - n_positive
    count = simulation.area_rejections(sizes, apart, known["correlation"], margins, design.alpha, design.draw)
    return count / design.draw.n_simulations


TESTS = {
    "wilcoxon": MarginTest(("sd",), 2000, "simulation", partial(_simulated, simulation.signed_rank_margin), 1),
    "sign": MarginTest(("sd",), 100_000, "exact", _sign_power, 1),
    "permutation": MarginTest(("sd",), 500, "simulation", partial(_simulated, simulation.permutation_margin), 1),
    "paired-t": MarginTest(("sd",), 1_000_000, "noncentral t", partial(_t_power, _of_mean)),
    "corrected-t": MarginTest(("sd", "n_train", "n_test"), 1_000_000, "noncentral t", partial(_t_power, _of_folds)),
    "clustered-t": MarginTest(
        ("sd", "cluster_size", "intraclass_correlation"), 1_000_000, "noncentral t", partial(_t_power, _of_clusters)
    ),
    "accuracy": MarginTest(("discordance",), 200_000, "exact", _accuracy_power, 1),
    "auc": MarginTest(("auc", "correlation", "prevalence"), 5000, "simulation", _auc_power, 4),
}
