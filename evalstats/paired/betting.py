"""Test by betting: an anytime-valid test of the mean of bounded differences."""

from __future__ import annotations

__all__ = ["BettingTest", "BettingTestResult", "betting_test"]

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import OF_SIZES, Data, Declaration
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._result import ConfidenceInterval, reasons
from evalstats._types import FloatArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.paired.sequential import SequentialTest, SequentialTestResult, exp, one_after_another
from evalstats.paired.sign import NO_DIFFERENCE, differences_without_ties

WIDEST = (-1.0, 1.0)
HALVINGS = 60
LOG_2 = math.log(2)


@dataclass(frozen=True, kw_only=True, eq=False)
class BettingTestResult(SequentialTestResult):
    """Result of `betting_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Mean of the differences x - y, in the unit of the scores.
    pvalue : float or ndarray
        Anytime-valid p-value, 1 / `largest_e_value`. It never increases if pairs are added.
    n_pairs : int
        Number of pairs.
    e_value : float or ndarray
        Evidence after the last pair: the factor by which bets against the null hypothesis have multiplied the initial
        capital. The e-value is infinite if it is too large for a float.
    largest_e_value : float or ndarray
        Largest of the e-values after each pair; it is at least 1.
    null_difference : float
        Mean difference under the null hypothesis.
    bounds : tuple of float
        Smallest and largest possible difference.
    alpha : float
        Significance level for which the bets are optimized.
    max_bet : float
        Largest fraction of the capital that a bet may lose.
    tie_tolerance : float
        Relative difference below which two scores are treated as equal.
    """

    null_difference: float
    bounds: tuple[float, float]
    alpha: float
    max_bet: float
    tie_tolerance: float
    _parts: FloatArray

    @property
    def _game(self) -> _Game:
        return _Game(self.bounds, self.null_difference, self.alternative, self.alpha, self.max_bet)

    @property
    def pvalues(self) -> FloatArray:
        """The p-value after each pair, of shape (..., n)."""
        logs = self._game.log_e_values(*self._game.log_capitals(self._parts, self._game.bets(self._parts, _Sums())))
        return tails.as_pvalue(np.exp(-np.maximum.accumulate(np.maximum(logs, 0.0), axis=-1)))

    def confidence_interval(self, confidence_level: float = 0.95, *, after: int | None = None) -> ConfidenceInterval:
        """Compute a confidence interval for the mean difference after all pairs, or after the first `after` pairs.

        The intervals after 1, 2, 3, ... pairs have the simultaneous coverage `confidence_level`. If the alternative is
        one-sided, the intervals are one-sided: one limit is then one of the `bounds`.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Minimum probability that the interval and all earlier and later intervals contain the mean. The interval is
            narrowest at the level 1 - `alpha`, for which the bets are optimized.
        after : int, optional
            Number of pairs. Default: all pairs.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, in the unit of the scores.

        Examples
        --------
        >>> import numpy as np
        >>> from evalstats.paired import betting_test
        >>> right = np.random.default_rng(1).random((2, 2000)) < [[0.85], [0.80]]
        >>> result = betting_test(*right)
        >>> for n in 500, 2000:
        ...     low, high = result.confidence_interval(after=n)
        ...     print(f"{low:.3f} {high:.3f}")
        -0.021 0.130
        0.008 0.096
        """
        n = self.n_pairs if after is None else _checks.count(after, "after")
        if n > self.n_pairs:
            raise InvalidValueError(f"after must be at most the number of pairs, {self.n_pairs}, not {n}")
        parts = self._parts[..., :n]
        return self._game.interval(parts, self._game.bets(parts, _Sums()), confidence_level)


class BettingTest(SequentialTest):
    """Test of `betting_test` for pairs that arrive one by one.

    The time for each new pair is constant. All differences are stored (16 bytes each), because the confidence interval
    needs them.

    Parameters
    ----------
    bounds : tuple of float, default: (-1, 1)
        As in `betting_test`.
    null_difference : float, default: 0.0
        As in `betting_test`.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        As in `betting_test`.
    alpha : float, default: 0.05
        As in `betting_test`.
    max_bet : float, default: 0.5
        As in `betting_test`.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Attributes
    ----------
    n_pairs : int
        Number of pairs so far.
    mean_difference : float
        Mean of x - y, or nan before the first pair.
    e_value, largest_e_value : float
        Current e-value, and the largest e-value so far.
    pvalue : float
        Anytime-valid p-value, which you can check after every pair.

    Examples
    --------
    >>> from evalstats.paired import BettingTest
    >>> test = BettingTest(bounds=(-0.1, 0.1))
    >>> while test.pvalue > 0.05:
    ...     _ = test.update(0.85, 0.80)
    >>> test.n_pairs
    17
    """

    def __init__(
        self,
        *,
        bounds: tuple[float, float] = WIDEST,
        null_difference: float = 0.0,
        alternative: str = "two-sided",
        alpha: float = 0.05,
        max_bet: float = 0.5,
        tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    ) -> None:
        super().__init__()
        self._game = _game(bounds, null_difference, alternative, alpha, max_bet)
        self.bounds, self.null_difference, self.alternative, self.alpha, self.max_bet = self._game
        self.tie_tolerance = _checks.tolerance(tie_tolerance)
        self._sums = _Sums()
        self._logs = (0.0, 0.0)  # logarithms of the capital of bets on larger and on smaller differences
        self._kept: list[tuple[FloatArray, FloatArray]] = []  # parts and bets

    def __repr__(self) -> str:
        return f"BettingTest(bounds={self.bounds!r}, null_difference={self.null_difference!r})"

    @property
    def mean_difference(self) -> float:
        """Mean of the differences so far."""
        low, high = self.bounds
        return low + (high - low) * float(self._sums.total) / self.n_pairs if self.n_pairs else math.nan

    @property
    def e_value(self) -> float:
        """The e-value after the last pair."""
        return float(exp(self._game.log_e_values(*self._logs)))

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
            If x and y are not paired, are empty, contain nan or infinity, or have a difference outside the bounds. No
            pair is then counted.
        """
        tie_tolerance = _checks.tolerance(self.tie_tolerance, x, y)
        parts = self._game.part_of(self._game.differences(*one_after_another(x, y), tie_tolerance))
        bets = self._game.bets(parts, self._sums)
        logs = self._game.log_capitals(parts, bets, self._logs)
        e_values = self._game.log_e_values(*logs)

        self._largest_log = max(self._largest_log, float(e_values.max()))
        self._sums = self._sums.after(parts)
        self._logs = (float(logs[0][-1]), float(logs[1][-1]))
        self._kept.append((parts, bets))
        self.n_pairs += len(parts)
        return self.pvalue

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute a confidence interval for the mean difference after the last pair, from all pairs so far.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Minimum probability that the interval and all earlier and later intervals contain the mean.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, in the unit of the scores. Before the first pair, the limits are the bounds.
        """
        if len(self._kept) > 1:
            parts, bets = (np.concatenate(column) for column in zip(*self._kept, strict=True))
            self._kept = [(parts, bets)]
        parts, bets = self._kept[0] if self._kept else (np.empty(0), np.empty(0))
        return self._game.interval(parts, bets, confidence_level)


def betting_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    bounds: tuple[float, float] = WIDEST,
    null_difference: float = 0.0,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    max_bet: float = 0.5,
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> BettingTestResult:
    """Test whether the mean of bounded differences differs from a value, under optional stopping.

    The p-value of a t-test is valid for a number of pairs that is fixed in advance, and for normal differences. The
    p-value of this test is valid after every pair, for differences with any distribution between known bounds. If you
    stop as soon as the p-value is at most alpha, the type-I error rate is at most alpha. The null hypothesis is that
    the expected next difference, given all earlier pairs, is `null_difference`.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n instances, datasets or runs, in chronological order. For answers, True
        means correct and False means incorrect. Leading axes are batch dimensions and broadcast.
    bounds : tuple of float, default: (-1, 1)
        Smallest and largest possible difference x - y, in the unit of the scores. The bounds must be known without the
        scores: -1 and 1 are correct for every metric between 0 and 1. With narrower bounds, the test needs fewer pairs.
    null_difference : float, default: 0.0
        Mean difference under the null hypothesis, between the bounds. For noninferiority, pass minus the margin.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: the mean difference is larger than `null_difference`. ``'less'``: the mean difference is smaller.
    alpha : float, default: 0.05
        Significance level for which the bets are optimized. The p-value is valid at every level. The test has the most
        power at levels close to `alpha`.
    max_bet : float, default: 0.5
        Largest fraction of the capital that one bet may lose, between 0 and 1. Compared with the default, a fraction of
        3/4 detects differences with a small variance earlier, and other differences later. Choose the fraction before
        you see the scores.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    BettingTestResult
        The mean difference and the p-value. The result also contains the e-values, `pvalues` after every pair,
        `n_to_decide`, and `confidence_interval` after any number of pairs.

    Raises
    ------
    ValueError
        If x and y are not paired, are empty, contain nan or infinity, or have a difference outside the bounds. If an
        option is out of range.

    See Also
    --------
    sequential_sign_test : test of wins and losses, which needs no bounds, and far fewer pairs if one classifier nearly
        always wins.

    Notes
    -----
    The e-value is the hedged capital process of Waudby-Smith & Ramdas. The differences are shifted and scaled to X
    between 0 and 1, with mean m under the null hypothesis. Half of the capital is bet on larger differences: K+ =
    prod(1 + min(b, c / m) (X - m)). The second half is bet on smaller differences: K- is the product of 1 - min(b, c /
    (1 - m)) (X - m). The t-th bet is b = sqrt(2 log(2 / alpha) / (s t log(t + 1))), where s is the variance of the
    earlier X. The constant c is `max_bet`. The e-value is half of the larger of K+ and K-. For a one-sided alternative,
    the whole capital is bet on one side.

    References
    ----------
    Waudby-Smith, I. & Ramdas, A. (2024). Estimating means of bounded random variables by betting. Journal of the Royal
    Statistical Society, Series B 86, 1-27, Theorem 3.

    Examples
    --------
    >>> import numpy as np
    >>> from evalstats.paired import betting_test
    >>> right = np.random.default_rng(1).random((2, 2000)) < [[0.85], [0.80]]
    >>> result = betting_test(*right)
    >>> result.statistic, round(result.pvalue, 4), result.n_to_decide(0.05)
    (0.0525, 0.0097, 1396.0)
    """
    x, y, tie_tolerance = _checks.pairs_and_tolerance(x, y, tie_tolerance)
    game = _game(bounds, null_difference, alternative, alpha, max_bet)

    d = game.differences(x, y, tie_tolerance)
    parts = game.part_of(d)
    logs = game.log_e_values(*game.log_capitals(parts, game.bets(parts, _Sums())))
    largest = np.maximum(logs.max(axis=-1), 0.0)
    shape = d.shape[:-1]

    return BettingTestResult(
        statistic=d.mean(axis=-1),
        pvalue=tails.as_pvalue(np.exp(-largest)),
        alternative=game.alternative,
        method=np.full(shape, "betting"),
        reason=reasons(shape, (~d.any(axis=-1) & (game.null_difference == 0), NO_DIFFERENCE)),
        n_pairs=d.shape[-1],
        e_value=exp(logs[..., -1]),
        largest_e_value=exp(largest),
        null_difference=game.null_difference,
        bounds=game.bounds,
        alpha=game.alpha,
        max_bet=game.max_bet,
        tie_tolerance=tie_tolerance,
        _parts=parts,
    )


DECLARATIONS = (
    Declaration(
        function=betting_test,
        data=Data.PAIRS,
        example={"bounds": (-100.0, 100.0)},
        excused=OF_SIZES
        | {"any order": "uses the pairs in their order", "units and zero": "its bounds have the unit of the scores"},
        simulations={"one look": {}},
        n_experiments=50,
        sentence=(
            "Test by betting: mean difference {statistic:short}{against_null} over {n_pairs:count pair} between "
            "{bounds[0]:minus} and {bounds[1]:minus}, largest e-value {largest_e_value:short}, {outcome}"
        ),
    ),
)


class _Sums(NamedTuple):
    """Input of the next bet: number, sum, and sum of squared deviations of the differences so far."""

    n: int = 0
    total: Any = 0.0
    squares: Any = 0.0

    def paths(self, parts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return both cumulative sums. Each deviation is from the mean that includes the value itself."""
        totals = _running(parts, self.total)
        means = (0.5 + totals) / (self.n + 2.0 + np.arange(parts.shape[-1]))
        return totals, _running((parts - means) ** 2, self.squares)

    def after(self, parts: FloatArray) -> _Sums:
        totals, squares = self.paths(parts)
        return _Sums(self.n + parts.shape[-1], totals[..., -1], squares[..., -1])


class _Game(NamedTuple):
    """Rules of a game against the null hypothesis. `parts` contains differences, scaled to the bounds 0 and 1."""

    bounds: tuple[float, float]
    null_difference: float
    alternative: str
    alpha: float
    max_bet: float

    def part_of(self, difference: Any) -> Any:
        low, high = self.bounds
        return (difference - low) / (high - low)

    def differences(self, x: FloatArray, y: FloatArray, tie_tolerance: float) -> FloatArray:
        """Return x - y, or raise an error if a difference exceeds the bounds by more than rounding error."""
        low, high = self.bounds
        d = differences_without_ties(x, y, tie_tolerance)
        room = tie_tolerance * np.maximum(np.abs(x), np.abs(y))
        is_outside = (d < low - room) | (d > high + room)
        if is_outside.any():
            at = tuple(int(i) for i in np.argwhere(is_outside)[0])
            place = ", ".join(map(str, at))
            raise InvalidValueError(
                f"x - y must lie between the bounds {low:g} and {high:g}, but x[{place}] - y[{place}] is {d[at]:g}; "
                "pass bounds=(smallest, largest) that contain every possible difference"
            )
        return np.asarray(np.clip(d, low, high))

    def bets(self, parts: FloatArray, sums: _Sums) -> FloatArray:
        """Return the bet on each difference, which depends only on earlier differences."""
        _, squares = sums.paths(parts)
        t = sums.n + 1.0 + np.arange(parts.shape[-1])
        before = np.empty_like(squares)
        before[..., :1], before[..., 1:] = sums.squares, squares[..., :-1]
        # Waudby-Smith & Ramdas (2024), Theorem 3, where the variance is (1/4 + before) / t
        return np.asarray(np.sqrt(2 * math.log(2 / self.alpha) / ((0.25 + before) * np.log(t + 1))))

    def log_capitals(
        self, parts: FloatArray, bets: FloatArray, start: tuple[Any, Any] = (0.0, 0.0)
    ) -> tuple[FloatArray, FloatArray]:
        """Return the logarithms of the capital of bets on larger and on smaller differences, after each pair."""
        m = self.part_of(self.null_difference)
        more = np.log1p(np.minimum(bets, self.max_bet / m) * (parts - m))
        less = np.log1p(-np.minimum(bets, self.max_bet / (1 - m)) * (parts - m))
        return _running(more, start[0]), _running(less, start[1])

    def log_e_values(self, log_more: Any, log_less: Any) -> Any:
        if self.alternative == "two-sided":
            return np.maximum(log_more, log_less) - LOG_2
        return log_more if self.alternative == "greater" else log_less

    def interval(self, parts: FloatArray, bets: FloatArray, confidence_level: Any) -> ConfidenceInterval:
        """Return the interval of the mean differences for which, as null hypotheses, the e-value is below 1 / alpha."""
        level = _checks.confidence_level(confidence_level)
        log_enough = -math.log(1 - level) + (LOG_2 if self.alternative == "two-sided" else 0.0)
        start, end = np.zeros(parts.shape[:-1]), np.ones(parts.shape[:-1])
        if self.alternative != "less":
            start = self._lowest(parts, bets, log_enough)
        if self.alternative != "greater":
            end = 1 - self._lowest(1 - parts, bets, log_enough)
        low, high = self.bounds
        return ConfidenceInterval(
            low=low + (high - low) * start,
            high=high - (high - low) * (1 - end),
            confidence_level=level,
            attained_level=np.full(parts.shape[:-1], level),
        )

    def _lowest(self, parts: FloatArray, bets: FloatArray, log_enough: float) -> FloatArray:
        """Return the smallest mean difference that the bets on larger differences do not reject."""
        low, high = np.zeros(parts.shape[:-1]), np.ones(parts.shape[:-1])
        for _ in range(HALVINGS):
            m = ((low + high) / 2)[..., None]
            log_capital = np.log1p(np.minimum(bets, self.max_bet / m) * (parts - m)).sum(axis=-1)
            is_rejected = log_capital > log_enough
            low, high = np.where(is_rejected, m[..., 0], low), np.where(is_rejected, high, m[..., 0])
        return low


def _running(values: FloatArray, start: Any) -> FloatArray:
    """Return the cumulative sums of the values, starting from an earlier sum."""
    values = values.copy()
    values[..., 0] += start
    return np.cumsum(values, axis=-1)


def _game(bounds: Any, null_difference: Any, alternative: Any, alpha: Any, max_bet: Any) -> _Game:
    limits = _checks.listed(bounds, "bounds", "two numbers, the smallest and the largest difference")
    if len(limits) != 2:
        raise InvalidTypeError(f"bounds must be the smallest and the largest difference, not {short(bounds)}")
    low, high = (_checks.real(limit, "bounds") for limit in limits)
    if not (math.isfinite(high - low) and low < high):
        raise InvalidValueError(
            f"bounds must be finite, and the first bound must be smaller than the second, not {short(bounds)}"
        )
    null = _checks.real(null_difference, "null_difference")
    if not low < null < high:
        raise InvalidValueError(f"null_difference must lie between the bounds {low:g} and {high:g}, not {null:g}")
    return _Game(
        bounds=(low, high),
        null_difference=null,
        alternative=_checks.choice(alternative, "alternative", _checks.ALTERNATIVES),
        alpha=_checks.proportion(alpha, "alpha"),
        max_bet=_checks.proportion(max_bet, "max_bet"),
    )
