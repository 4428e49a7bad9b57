"""Sequential sign test: an anytime-valid test of the probability of a win."""

from __future__ import annotations

__all__ = [
    "SequentialSignTest",
    "SequentialSignTestResult",
    "SequentialTest",
    "SequentialTestResult",
    "exp",
    "one_after_another",
    "sequential_sign_test",
]

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import Data, Declaration
from evalstats._errors import InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import ConfidenceInterval, HypothesisTestResult, reasons, unbatch
from evalstats._types import FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.paired.sign import NO_DIFFERENCE, signs

LARGEST_STRENGTH = 1e6
LOG_2 = math.log(2)
# limits of log-odds: p is below the smallest float, and 1 - p is below the precision of p
LOWEST, HIGHEST, HALVINGS = -750.0, 40.0, 64
TINY = 1e-300


@dataclass(frozen=True, kw_only=True, eq=False)
class SequentialTestResult(HypothesisTestResult):
    """Base class of the results of anytime-valid tests.

    Attributes
    ----------
    pvalue : float or ndarray
        Anytime-valid p-value, 1 / `largest_e_value`. It never increases if pairs are added.
    n_pairs : int
        Number of pairs.
    e_value : float or ndarray
        Evidence after the last pair: the factor by which bets against the null hypothesis have multiplied the initial
        capital. The e-value is infinite if it is too large for a float.
    largest_e_value : float or ndarray
        Largest of the e-values after each pair; it is at least 1.
    """

    n_pairs: int
    e_value: Any
    largest_e_value: Any

    @property
    def pvalues(self) -> FloatArray:
        """The p-value after each pair, of shape (..., n)."""
        raise NotImplementedError  # each test defines its own field

    def n_to_decide(self, alpha: float = 0.05) -> Any:
        """Return the number of pairs after which the null hypothesis was rejected for the first time.

        Parameters
        ----------
        alpha : float, default: 0.05
            Significance level, which is the same at every look.

        Returns
        -------
        float or ndarray
            The number of pairs. It is nan if the null hypothesis was not rejected after any pair.

        Examples
        --------
        >>> from evalstats.paired import sequential_sign_test
        >>> sequential_sign_test([1] * 20, [0] * 20).n_to_decide(0.05)
        8.0
        """
        is_rejected = self.pvalues <= _checks.proportion(alpha, "alpha")
        return unbatch(np.where(is_rejected.any(axis=-1), is_rejected.argmax(axis=-1) + 1.0, np.nan))


@dataclass(frozen=True, kw_only=True, eq=False)
class SequentialSignTestResult(SequentialTestResult):
    """Result of `sequential_sign_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Number of wins of x.
    pvalue : float or ndarray
        Anytime-valid p-value, 1 / `largest_e_value`. It never increases if pairs are added.
    n_pairs : int
        Number of pairs, ties included.
    n_wins, n_losses, n_ties : int or ndarray
        Numbers of pairs in which x is larger than y, smaller than y and equal to y, respectively.
    e_value : float or ndarray
        Evidence after the last pair: the factor by which bets against the null hypothesis have multiplied the initial
        capital. The e-value is infinite if it is too large for a float.
    largest_e_value : float or ndarray
        Largest of the e-values after each pair; it is at least 1.
    prior_strength : float
        Number of pairs to which the prior is equivalent.
    tie_tolerance : float
        Relative difference below which two scores are treated as equal.
    """

    n_wins: Any
    n_losses: Any
    n_ties: Any
    prior_strength: float
    tie_tolerance: float
    _signs: IntArray

    @property
    def win_probability(self) -> Any:
        """Proportion of the untied pairs that x won, or nan if all pairs are tied."""
        wins, decided = np.asarray(self.n_wins), np.asarray(self.n_wins) + self.n_losses
        return unbatch(np.where(decided > 0, wins / np.maximum(decided, 1), np.nan))

    @property
    def pvalues(self) -> FloatArray:
        """The p-value after each pair, of shape (..., n)."""
        towards = _in_favor(self._signs, self.alternative)
        logs = _log_mixtures(towards, self.prior_strength)
        return tails.as_pvalue(np.exp(-_largest_logs(towards, logs, self.alternative, self.prior_strength)))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval, after the last pair, for the probability that x wins an untied pair.

        The intervals after 1, 2, 3, ... pairs have the simultaneous coverage `confidence_level`. The interval is
        one-sided if the alternative is one-sided, and from 0 to 1 if all pairs are tied.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Minimum probability that the interval and all earlier and later intervals contain the win probability.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, which are probabilities.

        Examples
        --------
        >>> from evalstats.paired import sequential_sign_test
        >>> result = sequential_sign_test([7, 8, 9, 8, 7, 6, 9, 8, 5], [6, 7, 7, 7, 6, 4, 8, 6, 6])
        >>> low, high = result.confidence_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        0.4194 0.9994
        """
        return _interval(self.n_wins, self.n_losses, self.alternative, self.prior_strength, confidence_level)

    def confidence_sequence(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute confidence intervals, after each pair, for the probability that x wins an untied pair.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Nominal coverage of the interval. The simultaneous coverage of all intervals is at least this level.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high`` of shape (..., n).

        Examples
        --------
        >>> from evalstats.paired import sequential_sign_test
        >>> sequential_sign_test([7, 8, 9, 8], [6, 7, 7, 8]).confidence_sequence().low.round(3)
        array([0.025, 0.129, 0.232, 0.232])
        """
        wins, losses = (np.cumsum(self._signs == sign, axis=-1) for sign in (1, -1))
        return _interval(wins, losses, self.alternative, self.prior_strength, confidence_level)


class SequentialTest:
    """Base class of tests that process pairs one by one. The attributes contain the evidence so far."""

    def __init__(self) -> None:
        self.n_pairs = 0
        self._largest_log = 0.0

    @property
    def largest_e_value(self) -> float:
        """The largest e-value after any pair, at least 1."""
        return float(exp(self._largest_log))

    @property
    def pvalue(self) -> float:
        """The anytime-valid p-value."""
        return float(tails.as_pvalue(np.exp(-self._largest_log)))


class SequentialSignTest(SequentialTest):
    """Test of `sequential_sign_test` for pairs that arrive one by one.

    The object stores only counts, so the time for each pair and the required memory are constant.

    Parameters
    ----------
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        As in `sequential_sign_test`.
    prior_strength : float, default: 2.0
        As in `sequential_sign_test`.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Attributes
    ----------
    n_pairs, n_wins, n_losses, n_ties : int
        The counts so far.
    e_value, largest_e_value : float
        Current e-value, and the largest e-value so far.
    pvalue : float
        Anytime-valid p-value, which you can check after every pair.

    Examples
    --------
    >>> from evalstats.paired import SequentialSignTest
    >>> test = SequentialSignTest()
    >>> for run, (x, y) in enumerate([(0.81, 0.78), (0.84, 0.80), (0.79, 0.77), (0.83, 0.83)], start=1):
    ...     print(run, round(test.update(x, y), 3))
    1 1.0
    2 0.75
    3 0.5
    4 0.5
    """

    def __init__(
        self,
        *,
        alternative: str = "two-sided",
        prior_strength: float = 2.0,
        tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    ) -> None:
        self.alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
        self.prior_strength = _strength(prior_strength)
        self.tie_tolerance = _checks.tolerance(tie_tolerance)
        super().__init__()
        self.n_wins = self.n_losses = 0
        self._log_mixture = 0.0

    def __repr__(self) -> str:
        return f"SequentialSignTest(alternative={self.alternative!r}, prior_strength={self.prior_strength!r})"

    @property
    def n_ties(self) -> int:
        """Number of pairs in which x and y are equal."""
        return self.n_pairs - self.n_wins - self.n_losses

    @property
    def e_value(self) -> float:
        """The e-value after the last pair."""
        log = _one_sided_log(self._log_mixture, *self._counts(), self.alternative, self.prior_strength)
        return float(exp(log))

    def update(self, x: ArrayLike, y: ArrayLike) -> float:
        """Add one pair, or several pairs in chronological order.

        Parameters
        ----------
        x, y : float or array_like of shape (n,)
            Scores of both classifiers.

        Returns
        -------
        float
            `pvalue`.

        Raises
        ------
        ValueError
            If x and y are not paired, are empty, or contain nan or infinity. No pair is then counted.
        """
        tie_tolerance = _checks.tolerance(self.tie_tolerance, x, y)
        seen = _in_favor(signs(*one_after_another(x, y), tie_tolerance), self.alternative)
        start = self._counts()
        logs = _log_mixtures(seen, self.prior_strength, start, self._log_mixture)
        largest = _largest_logs(seen, logs, self.alternative, self.prior_strength, start, self._largest_log)

        wins, losses = (int(np.count_nonzero(seen == sign)) for sign in (1, -1))
        wins, losses = (losses, wins) if self.alternative == "less" else (wins, losses)
        self.n_pairs += len(seen)
        self.n_wins += wins
        self.n_losses += losses
        self._log_mixture, self._largest_log = float(logs[-1]), float(largest[-1])
        return self.pvalue

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval, after the last pair, for the probability that x wins an untied pair.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Minimum probability that the interval and all earlier and later intervals contain the win probability.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, which are probabilities.
        """
        return _interval(self.n_wins, self.n_losses, self.alternative, self.prior_strength, confidence_level)

    def _counts(self) -> tuple[int, int]:
        """Return the wins and the losses of the classifier of the alternative."""
        return (self.n_losses, self.n_wins) if self.alternative == "less" else (self.n_wins, self.n_losses)


def sequential_sign_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: str = "two-sided",
    prior_strength: float = 2.0,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> SequentialSignTestResult:
    """Test whether two classifiers win equally often, under optional stopping.

    The p-values of other tests are valid for a number of pairs that is fixed in advance. The p-value of this test is
    anytime-valid. You may check it after each run or dataset, and stop as soon as it is at most alpha. The type-I error
    rate is then at most alpha. The null hypothesis is that, given all earlier pairs, each classifier is equally likely
    to win the next pair without a tie.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n datasets, folds or runs, in chronological order. Leading axes are batch
        dimensions and broadcast.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: a win of x (x larger than y) is more likely than a loss. ``'less'``: a win of x is less likely
        than a loss.
    prior_strength : float, default: 2.0
        Number of untied pairs to which the prior of the win probability is equivalent. The prior is a symmetric beta
        distribution with both parameters equal to half of this number. With the number 2, the prior is uniform. With a
        larger number, the test detects small differences earlier and large differences later. Choose the number before
        you see the scores.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    SequentialSignTestResult
        The number of wins of x and the p-value. The result also contains the e-values, `pvalues` and
        `confidence_sequence` after every pair, and `n_to_decide`.

    Raises
    ------
    ValueError
        If x and y are not paired, are empty, or contain nan or infinity, or if an option is unknown.

    See Also
    --------
    sign_test : test for a number of pairs that is fixed in advance.

    Notes
    -----
    If x wins a pair with probability q, the likelihood ratio of w wins and l losses against q = 1/2 is (2 q)^w (2 (1 -
    q))^l. The e-value is the mean of this ratio over the prior of q. ``'greater'`` uses the part of the prior above
    1/2, and ``'less'`` the part below 1/2. Under the null hypothesis, the e-value is a nonnegative martingale or
    supermartingale that starts at 1. Therefore, the probability of reaching 1 / alpha at any time is at most alpha
    (Ville's inequality). Ties do not change the e-value.

    References
    ----------
    Robbins, H. (1970). Statistical methods related to the law of the iterated logarithm. The Annals of Mathematical
    Statistics 41, 1397-1409.

    Ramdas, A., Grünwald, P., Vovk, V. & Shafer, G. (2023). Game-theoretic statistics and safe anytime-valid inference.
    Statistical Science 38, 576-601, sections 2 and 3.

    Examples
    --------
    Seven consecutive wins are not sufficient. After an additional loss, four more wins are necessary.

    >>> from evalstats.paired import sequential_sign_test
    >>> x, y = [1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    >>> result = sequential_sign_test(x, y)
    >>> result.n_wins, result.n_losses, round(result.pvalue, 4), result.n_to_decide(0.05)
    (11, 1, 0.0381, 12.0)
    """
    x, y, tie_tolerance = _checks.pairs_and_tolerance(x, y, tie_tolerance)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    strength = _strength(prior_strength)

    seen = signs(x, y, tie_tolerance)
    wins, losses = (np.count_nonzero(seen == sign, axis=-1) for sign in (1, -1))
    towards = _in_favor(seen, alternative)
    logs = _log_mixtures(towards, strength)
    largest = _largest_logs(towards, logs, alternative, strength)[..., -1]
    now = _one_sided_log(logs[..., -1], *_sides(wins, losses, alternative), alternative, strength)

    return SequentialSignTestResult(
        statistic=np.asarray(wins, dtype=np.float64),
        pvalue=tails.as_pvalue(np.exp(-largest)),
        alternative=alternative,
        method=np.full(np.shape(wins), "beta-binomial mixture"),
        reason=reasons(np.shape(wins), (wins + losses == 0, NO_DIFFERENCE)),
        n_pairs=seen.shape[-1],
        n_wins=wins,
        n_losses=losses,
        n_ties=seen.shape[-1] - wins - losses,
        e_value=exp(now),
        largest_e_value=exp(largest),
        prior_strength=strength,
        tie_tolerance=tie_tolerance,
        _signs=seen,
    )


DECLARATIONS = (
    Declaration(
        function=sequential_sign_test,
        data=Data.PAIRS,
        excused={"any order": "uses the pairs in their order"},
        simulations={"one look": {}},
        n_experiments=100,
        sentence=(
            "Sequential sign test: x is larger in {n_wins:count pair}, smaller in {n_losses} and tied in {n_ties}, "
            "largest e-value {largest_e_value:short}, {outcome}"
        ),
    ),
)


def one_after_another(x: Any, y: Any) -> tuple[FloatArray, FloatArray]:
    """Return one pair, or several pairs in their order, as two arrays of shape (n,)."""
    x, y = ([v] if _checks.regular(v, name).ndim == 0 else v for v, name in ((x, "x"), (y, "y")))
    a, b = _checks.paired(x, y)
    if a.ndim > 1 or b.ndim > 1:
        raise InvalidValueError(
            f"x and y must be single scores or have the shape (n,), but their shapes are {a.shape} and {b.shape}"
        )
    return a, b


def _strength(value: Any) -> float:
    number = _checks.real(value, "prior_strength")
    if 0 < number <= LARGEST_STRENGTH:
        return number
    raise InvalidValueError(f"prior_strength must be greater than 0 and at most 1e6, not {short(value)}")


def _in_favor(seen: IntArray, alternative: str) -> IntArray:
    """Return 1 for each pair that supports the alternative, and -1 for each pair that contradicts it."""
    return -seen if alternative == "less" else seen


def _sides(wins: Any, losses: Any, alternative: str) -> tuple[Any, Any]:
    return (losses, wins) if alternative == "less" else (wins, losses)


def _log_mixtures(
    towards: IntArray, strength: float, start: tuple[int, int] = (0, 0), log_start: float = 0.0
) -> FloatArray:
    """Return the logarithm of the mixture over the whole prior after each pair.

    The mixture is the product of the predictive probabilities, 2 (w + a) / (w + l + 2 a) for a win (rule of
    succession).
    """
    is_win, is_loss = towards == 1, towards == -1
    wins = start[0] + np.cumsum(is_win, axis=-1) - is_win
    losses = start[1] + np.cumsum(is_loss, axis=-1) - is_loss
    of_side = np.where(is_win, wins, losses)
    steps = np.log((2 * of_side + strength) / (wins + losses + strength))
    steps[towards == 0] = 0.0
    steps[..., 0] += log_start
    return np.cumsum(steps, axis=-1)


def _one_sided_log(log_mixture: Any, wins: Any, losses: Any, alternative: str, strength: float) -> Any:
    """Return the logarithm of the mixture over the half of the prior that belongs to the alternative."""
    if alternative == "two-sided":
        return log_mixture
    from scipy.special import betaincc

    with np.errstate(divide="ignore"):  # the evidence may be below the smallest float
        return log_mixture + LOG_2 + np.log(betaincc(wins + strength / 2, losses + strength / 2, 0.5))


def _largest_logs(
    towards: IntArray,
    logs: FloatArray,
    alternative: str,
    strength: float,
    start: tuple[int, int] = (0, 0),
    largest: float = 0.0,
) -> FloatArray:
    """Return the running maximum of the logarithm of the e-value after each pair, starting from `largest`.

    The mixture over half of the prior is at most twice the full mixture. It is at least the full mixture if the wins
    and losses favor this half. Therefore, incomplete beta functions are computed only for the few pairs that can have
    the maximum.
    """
    if alternative != "two-sided":
        wins, losses = (start[i] + np.cumsum(towards == sign, axis=-1) for i, sign in enumerate((1, -1)))
        ahead = np.maximum(np.where(wins >= losses, logs, -np.inf), largest)
        may_be = logs + LOG_2 > np.maximum.accumulate(ahead, axis=-1) - 1e-6
        logs = np.where(may_be, logs, -np.inf)
        logs[may_be] = _one_sided_log(logs[may_be], wins[may_be], losses[may_be], alternative, strength)
    return np.maximum.accumulate(np.maximum(logs, largest), axis=-1)


def exp(log: Any) -> Any:
    """Return the e-value from its logarithm: infinite if it is too large for a float."""
    with np.errstate(over="ignore"):
        return np.exp(log)


def _interval(wins: Any, losses: Any, alternative: str, strength: float, confidence_level: Any) -> ConfidenceInterval:
    """Return the interval of the win probabilities for which the e-value is below 1 / alpha."""
    level = _checks.confidence_level(confidence_level)
    wins, losses = np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    lowest = _lower_log_odds if alternative == "two-sided" else _lower_log_odds_one_sided
    from scipy.special import expit

    low, high = np.zeros(wins.shape), np.ones(wins.shape)
    if alternative != "less":
        low = np.where(wins > 0, expit(lowest(wins, losses, 1 - level, strength / 2)), 0.0)
    if alternative != "greater":
        high = np.where(losses > 0, expit(-lowest(losses, wins, 1 - level, strength / 2)), 1.0)
    return ConfidenceInterval(low=low, high=high, confidence_level=level, attained_level=np.full(wins.shape, level))


def _lower_log_odds(wins: FloatArray, losses: FloatArray, alpha: float, a: float) -> FloatArray:
    """Return the lower log-odds at which the mixture is 1 / alpha times as likely, which requires at least one win.

    The log-likelihood is concave in the log-odds. Therefore, Newton's method converges to the root from below.
    """
    from scipy.special import betaln, expit

    target = math.log(alpha) + betaln(wins + a, losses + a) - betaln(a, a)
    w, n = np.maximum(wins, 1.0), np.maximum(wins, 1.0) + losses
    at = target / w
    for _ in range(200):
        step = (target - w * at + n * np.logaddexp(0.0, at)) / (w - n * expit(at))
        at = at + np.maximum(step, 0.0)
        if (step <= 1e-14 * np.maximum(np.abs(at), 1.0)).all():
            break
    return at


def _lower_log_odds_one_sided(wins: FloatArray, losses: FloatArray, alpha: float, a: float) -> FloatArray:
    """Return the log-odds at which the part of the prior above them is 1 / alpha times as likely, by bisection.

    If the prior probability of this part underflows, no value is rejected and the limit is conservative.
    """
    from scipy.special import betaincc, betaln, expit

    low, high = np.full(wins.shape, LOWEST), np.full(wins.shape, HIGHEST)
    ratio = betaln(wins + a, losses + a) - betaln(a, a)
    for _ in range(HALVINGS):
        at = (low + high) / 2
        p, log_likelihood = expit(at), wins * at - (wins + losses) * np.logaddexp(0.0, at)
        prior = betaincc(a, a, p)
        with np.errstate(divide="ignore"):
            log_e = ratio - log_likelihood + np.log(betaincc(wins + a, losses + a, p)) - np.log(np.maximum(prior, TINY))
        is_rejected = (wins > (wins + losses) * p) & (prior > TINY) & (log_e > -math.log(alpha))
        low, high = np.where(is_rejected, at, low), np.where(is_rejected, high, at)
    return high
