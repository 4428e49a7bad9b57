"""How likely is it that noninferiority or equivalence will be shown, and how large a sample does it take?"""

from __future__ import annotations

__all__ = ["NoninferiorityPowerResult", "noninferiority_power", "noninferiority_sample_size"]

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._result import Record
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.noncentral_t import t_power
from evalstats.paired.accuracy_difference_interval import most_only_y, right_tail
from evalstats.paired.noninferiority_results import understand_margin

TESTS = ("accuracy", "paired-t", "corrected-t")
QUESTIONS = ("noninferiority", "equivalence")
# what each test wants to know of the scores; the others are refused
OWN = {"accuracy": ("discordance",), "paired-t": ("sd",), "corrected-t": ("sd", "n_train", "n_test")}
# where a search ends
MOST = {"accuracy": 200_000, "paired-t": 1_000_000, "corrected-t": 1_000_000}
# nodes of the integral over the standard deviation that a sample has
NODES = 400
# a statistic that is this near to the critical value reaches it
SLACK = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class NoninferiorityPowerResult(Record):
    """What `noninferiority_power` and `noninferiority_sample_size` return.

    Attributes
    ----------
    test, question : str
        As asked for.
    n : int or None
        Number of cases, datasets or folds; None where none that is tried suffices, and then `reason` says so.
    power : float
        Probability that the test rejects at `alpha`; with a `n` of None, the power at the largest that was tried.
    margin, difference : float
        As asked for: the margin, and by how much x is really better than y.
    alpha : float
        Level of significance.
    method : str
        How the power was computed: ``'exact'`` sums over all tables, or ``'noncentral t'``.
    reason : str or None
        None, or why no sample size was found.
    """

    test: str
    question: str
    n: int | None
    power: float
    margin: float
    difference: float
    alpha: float
    method: str
    reason: str | None


def noninferiority_power(
    test: str,
    *,
    n: int,
    margin: float,
    question: str = "noninferiority",
    difference: float = 0.0,
    discordance: float | None = None,
    sd: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    alpha: float = 0.05,
) -> NoninferiorityPowerResult:
    """Tell how likely a test is to show that a new classifier is as good as the old one, up to a margin.

    Parameters
    ----------
    test : {'accuracy', 'paired-t', 'corrected-t'}
        ``'accuracy'``: the score test of `accuracy_noninferiority_test`, on the cases of one test set; the others: the
        tests of this name of `noninferiority_test`.
    n : int
        Number of cases; of datasets for ``'paired-t'``, of fold scores for ``'corrected-t'``.
    margin : float
        The margin of the test, above 0, in the unit of the scores.
    question : {'noninferiority', 'equivalence'}, default: 'noninferiority'
        What is to be shown.
    difference : float, default: 0.0
        By how much x is really better than y; negative where it is worse.
    discordance : float, optional
        Of ``'accuracy'``: share of the cases that one of the two gets right and the other wrong.
    sd : float, optional
        Of the t-tests: standard deviation of the differences, in the unit of the scores.
    n_train, n_test : float, optional
        Of ``'corrected-t'``: cases in the training and in the test set of a fold; only their ratio counts.
    alpha : float, default: 0.05
        Level of significance: the test rejects where p <= alpha.

    Returns
    -------
    NoninferiorityPowerResult

    Raises
    ------
    ValueError, TypeError
        If a number is out of its range, or an argument is missing or not one of this test.

    See Also
    --------
    power : of tests that look for a difference.

    Notes
    -----
    ``'accuracy'``: exact, the sum of the probabilities of all tables that reject. The t-tests: normal differences;
    noncentral t for noninferiority, and for equivalence the probability that both tests reject, integrated over the
    standard deviation of the sample.

    References
    ----------
    Phillips, K. F. (1990). Power of the two one-sided tests procedure in bioequivalence. Journal of Pharmacokinetics
    and Biopharmaceutics 18, 137-144.

    Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design. Statistics in Medicine 17, 891-908.

    Examples
    --------
    A test set of 2000 cases; two models that are equally good differ in 5 % of them, and one percentage point may
    be lost.

    >>> from evalstats.design import noninferiority_power
    >>> round(noninferiority_power("accuracy", n=2000, margin=0.01, discordance=0.05).power, 3)
    0.631
    """
    ask = _understand(test, question, margin, difference, discordance, sd, n_train, n_test, alpha)
    n = _checks.count(n, "n", minimum=1 if test == "accuracy" else 2)
    if n > MOST[test]:
        raise InvalidValueError(f"n must be at most {MOST[test]} for the test {test!r}, not {n}")
    return _result(test, question, n, ask(n), margin, difference, alpha, None)


def noninferiority_sample_size(
    test: str,
    *,
    margin: float,
    question: str = "noninferiority",
    power: float = 0.8,
    difference: float = 0.0,
    discordance: float | None = None,
    sd: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    alpha: float = 0.05,
) -> NoninferiorityPowerResult:
    """Tell how many cases, datasets or folds it takes to show that a new classifier is as good, up to a margin.

    Parameters
    ----------
    test, margin, question
        As in `noninferiority_power`.
    power : float, default: 0.8
        Probability that it is shown.
    difference, discordance, sd, n_train, n_test
        As in `noninferiority_power`.
    alpha : float, default: 0.05
        Level of significance: the test rejects where p <= alpha.

    Returns
    -------
    NoninferiorityPowerResult
        `n` and the power that it has. Where no sample size suffices, `n` is None and `reason` says so.

    Raises
    ------
    ValueError, TypeError
        As `noninferiority_power` does, and if x is worse than y by the margin or more: then it cannot be shown.

    Notes
    -----
    The power of ``'accuracy'`` is a sawtooth in n: `n` has the power asked for and n - 1 has not, but some n below may
    have it too.

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
    """
    ask = _understand(test, question, margin, difference, discordance, sd, n_train, n_test, alpha)
    target = _checks.proportion(power, "power")
    if difference <= -margin or (question == "equivalence" and difference >= margin):
        raise InvalidValueError(
            f"difference must lie within the margin of {margin:g}, or nothing can be shown, not {difference:g}"
        )
    low, high = 1, 4
    while (reached := ask(high)) < target:
        if high == MOST[test]:
            reason = f"no number up to {MOST[test]} has a power of {target:g}"
            return _result(test, question, None, reached, margin, difference, alpha, reason)
        low, high = high, min(2 * high, MOST[test])
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if ask(middle) >= target else (middle, high)
    return _result(test, question, high, ask(high), margin, difference, alpha, None)


def _understand(
    test: Any,
    question: Any,
    margin: Any,
    difference: Any,
    discordance: Any,
    sd: Any,
    n_train: Any,
    n_test: Any,
    alpha: Any,
) -> Callable[[int], float]:
    """Return the power as a function of the sample size."""
    test = _checks.choice(test, "test", TESTS)
    both = _checks.choice(question, "question", QUESTIONS) == "equivalence"
    margin = understand_margin(margin, are_shares=test == "accuracy")
    difference = float(_checks.finite(np.array(_checks.real(difference, "difference")), "difference"))
    alpha = _checks.proportion(alpha, "alpha")
    given = {"discordance": discordance, "sd": sd, "n_train": n_train, "n_test": n_test}
    for name, value in given.items():
        if (value is None) == (name in OWN[test]):
            verb = "needs" if value is None else "does not take"
            raise InvalidValueError(f"the test {test!r} {verb} {name}; it takes {' and '.join(OWN[test])}")
    if test == "accuracy":
        share = _checks.proportion(discordance, "discordance")
        if abs(difference) > share:
            raise InvalidValueError(f"difference must lie within the discordance of {share:g}, not {difference:g}")
        return lambda n: _accuracy_power(n, margin, difference, share, alpha, both)
    ratio = 0.0 if test == "paired-t" else _positive(n_test, "n_test") / _positive(n_train, "n_train")
    spread = _positive(sd, "sd")
    return lambda n: _t_power(n, margin / spread, difference / spread, math.sqrt(1 / n + ratio), alpha, both)


def _positive(value: Any, name: str) -> float:
    number = _checks.real(value, name)
    if not 0 < number < math.inf:
        raise InvalidValueError(f"{name} must be larger than 0, not {number:g}")
    return number


def _accuracy_power(n: int, margin: float, difference: float, share: float, alpha: float, both: bool) -> float:
    """Add up the tables whose z passes the critical value, at the margin or at both."""
    from scipy.special import ndtri

    critical = -float(ndtri(alpha))
    only_y = np.array([(share - difference) / 2])
    # to be shown not worse, at most so many cases may be right for y only; not to be better, more than so many must be
    most = most_only_y(n, -margin, critical - SLACK)
    if not both:
        return float(right_tail(most, only_y, difference)[0])
    too_few = most_only_y(n, margin, -critical + SLACK)
    return float(
        right_tail(np.maximum(most, too_few), only_y, difference)[0] - right_tail(too_few, only_y, difference)[0]
    )


def _t_power(n: int, margin: float, difference: float, error: float, alpha: float, both: bool) -> float:
    """Return the power of t-tests, with all differences in standard deviations and the standard error for one of 1."""
    from scipy.special import gammaln, ndtr

    df = n - 1
    if df < 1:
        return 0.0
    if not both:
        return t_power((difference + margin) / error, df, alpha, "greater")
    critical = -float(tails.t_quantile(df, alpha))
    # both reject only where critical S < margin / error, for the standard deviation S of the sample
    node, weight = np.polynomial.legendre.leggauss(NODES)
    spread = 1 + 12 / math.sqrt(2 * df)
    low, high = max(0.0, 1 - 12 / math.sqrt(2 * df)), min(spread, margin / error / critical if critical > 0 else spread)
    if high <= low:
        return 0.0
    s, weight = low + (high - low) * (node + 1) / 2, weight * (high - low) / 2
    log_density = math.log(2) + df / 2 * math.log(df / 2) - gammaln(df / 2) + (df - 1) * np.log(s) - df * s * s / 2
    inside = ndtr((margin - difference) / error - critical * s) - ndtr(critical * s - (margin + difference) / error)
    return float(np.clip(np.sum(weight * np.exp(log_density) * np.maximum(inside, 0.0)), 0.0, 1.0))


def _result(
    test: str,
    question: str,
    n: int | None,
    power: float,
    margin: float,
    difference: float,
    alpha: float,
    reason: str | None,
) -> NoninferiorityPowerResult:
    return NoninferiorityPowerResult(
        test=test,
        question=question,
        n=n,
        power=power,
        margin=margin,
        difference=float(difference),
        alpha=alpha,
        method="exact" if test == "accuracy" else "noncentral t",
        reason=reason,
    )
