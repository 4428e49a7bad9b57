"""The sign test: comparison of two classifiers by their wins."""

from __future__ import annotations

__all__ = ["SignTestResult", "differences_without_ties", "sign_test", "signs", "wins_and_losses"]

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._declarations import CONFIDENCE_LEVELS, Data, Declaration, Draw
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, noise_of
from evalstats._result import ConfidenceInterval, HypothesisTestResult, reasons, unbatch
from evalstats._types import FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.tail_probabilities import binomial_left_tail

TIES = ("drop", "split", "keep")
NO_DIFFERENCE = "x and y are equal in every pair, so there are no wins and losses to test"


@dataclass(frozen=True, kw_only=True, eq=False)
class SignTestResult(HypothesisTestResult):
    """Result of `sign_test`. You can unpack it: ``statistic, pvalue = result``.

    Attributes
    ----------
    statistic : float or ndarray
        Number of wins of x. With ``ties='split'``, half of the ties are added, so the statistic may be a half-integer.
    pvalue : float or ndarray
        Exact binomial p-value; with ``ties='keep'``, trinomial p-value.
    n_pairs : int
        Number of pairs, ties included.
    n_wins, n_losses, n_ties : int or ndarray
        Numbers of pairs in which x is larger than y, smaller than y and equal to y, respectively.
    min_attainable_pvalue : float or ndarray
        Minimum attainable p-value for the observed numbers of untied pairs and ties: the p-value if x wins (or loses)
        all untied pairs.
    ties : str
        ``'drop'``, ``'split'`` or ``'keep'``.
    tie_tolerance : float
        Relative difference below which two scores are treated as equal.
    """

    n_pairs: int
    n_wins: Any
    n_losses: Any
    n_ties: Any
    min_attainable_pvalue: Any
    ties: str
    tie_tolerance: float

    @property
    def win_probability(self) -> Any:
        """Proportion of the untied pairs that x won, or nan if all pairs are tied."""
        wins, decided = np.asarray(self.n_wins), np.asarray(self.n_wins) + self.n_losses
        return unbatch(np.where(decided > 0, wins / np.maximum(decided, 1), np.nan))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Compute the exact confidence interval for the probability that x wins an untied pair.

        The interval is the Clopper-Pearson (1934) interval. It is one-sided if the alternative is one-sided. Without
        untied pairs, its limits are 0 and 1. The interval ignores ties, whatever the value of `ties` is.

        Parameters
        ----------
        confidence_level : float, default: 0.95
            Minimum probability that the interval contains the win probability.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, which are probabilities.

        Examples
        --------
        >>> from evalstats import sign_test
        >>> low, high = sign_test([7, 8, 9, 8, 7, 6, 9, 8, 5], [6, 7, 7, 7, 6, 4, 8, 6, 6]).confidence_interval()
        >>> print(f"{low:.4f} {high:.4f}")
        0.5175 0.9972
        """
        level = _checks.confidence_level(confidence_level)
        tail = (1 - level) / 2 if self.alternative == "two-sided" else 1 - level
        wins, losses = np.asarray(self.n_wins), np.asarray(self.n_losses)
        low = 0.0 if self.alternative == "less" else _lower_limit(wins, losses, tail)
        high = 1.0 if self.alternative == "greater" else _upper_limit(wins, losses, tail)
        return ConfidenceInterval(
            low=np.broadcast_to(low, wins.shape),
            high=np.broadcast_to(high, wins.shape),
            confidence_level=level,
            attained_level=np.full(wins.shape, level),
        )


def sign_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    alternative: str = "two-sided",
    ties: str = "drop",
    tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
) -> SignTestResult:
    """Test whether one classifier wins more often than another.

    Only the winner of each pair counts, not the size of the difference, so the scores of different datasets do not need
    to be comparable. The null hypothesis is that, on a dataset on which the two classifiers differ, either classifier
    is equally likely to be better.

    Parameters
    ----------
    x, y : array_like of shape (..., n)
        Scores of two classifiers on the same n datasets (or folds). Leading axes are batch dimensions and broadcast.
    alternative : {'two-sided', 'less', 'greater'}, default: 'two-sided'
        ``'greater'``: a win of x (x larger than y) is more likely than a loss. ``'less'``: a win of x is less likely
        than a loss.
    ties : {'drop', 'split', 'keep'}, default: 'drop'
        Treatment of equal scores. ``'drop'``: the test ignores ties. ``'split'``: each tie counts as half a win and
        half a loss, which makes the test conservative. An odd number of ties cannot be split into two equal integers,
        so the p-value ignores one tie, as Demšar does. The statistic includes half of this tie. ``'keep'``: ties are a
        third outcome, whose probability is the observed proportion. The test is then the trinomial test of Bian,
        McAleer & Wong, which is an approximation.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are treated as equal. The value 0 requires exact
        equality.

    Returns
    -------
    SignTestResult
        The number of wins of x and the p-value. The result also contains the counts, the minimum attainable p-value,
        `win_probability` and `confidence_interval`.

    Raises
    ------
    ValueError
        If x and y are not paired, are empty, or contain nan or infinity, or if an option is unknown.

    Notes
    -----
    With w wins in m counted pairs, the p-value of ``'greater'`` is P(X >= w) for X binomial (m, 1/2). The p-value of
    ``'less'`` is P(X <= w). The p-value of ``'two-sided'`` is twice the smaller of these p-values, at most 1. Without
    untied pairs, p is 1 and `reason` states the cause. With ``'keep'``, let t of the n pairs be tied and let l pairs be
    losses. Let W and L be the random numbers of wins and losses in n pairs. A pair is a tie with probability t / n, and
    a win or a loss with equal probabilities. The p-value of ``'greater'`` is P(W - L >= w - l).

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning
    Research 7, 1-30, section 3.1.4.

    Clopper, C. J. & Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the case of the
    binomial. Biometrika 26, 404-413.

    Bian, G., McAleer, M. & Wong, W.-K. (2011). A trinomial test for paired data when there are many ties. Mathematics
    and Computers in Simulation 81, 1153-1160.

    Examples
    --------
    Accuracy (%) of AdaBoost and of a random forest on ten datasets: one win, eight losses, one tie.

    >>> from evalstats import sign_test
    >>> adaboost = [83.63, 46.46, 72.31, 70.28, 71.67, 74.35, 44.91, 82.54, 93.21, 72.54]
    >>> forest = [99.55, 79.15, 80.97, 69.99, 71.67, 74.88, 79.87, 84.58, 99.39, 93.94]
    >>> result = sign_test(adaboost, forest)
    >>> result.n_wins, result.n_losses, result.n_ties
    (1, 8, 1)
    >>> result.pvalue
    0.0390625
    >>> sign_test(adaboost, forest, ties="split").statistic
    1.5
    """
    x, y, tie_tolerance = _checks.pairs_and_tolerance(x, y, tie_tolerance)
    alternative = _checks.choice(alternative, "alternative", _checks.ALTERNATIVES)
    ties = _checks.choice(ties, "ties", TIES)

    wins, losses = wins_and_losses(x, y, tie_tolerance)
    decided = wins + losses
    n_ties = x.shape[-1] - decided

    statistic = wins + n_ties / 2 if ties == "split" else wins.astype(np.float64)
    best = "two-sided" if alternative == "two-sided" else "greater"
    if ties == "keep":
        pvalue = _trinomial_pvalue(wins - losses, n_ties, x.shape[-1], alternative)
        smallest = _trinomial_pvalue(decided, n_ties, x.shape[-1], best)
    else:
        half = np.where((ties == "split") & (decided > 0), n_ties // 2, 0)
        pvalue = _pvalue(wins + half, losses + half, alternative)
        smallest = _pvalue(decided + half, half, best)

    return SignTestResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        method=np.full(wins.shape, "trinomial" if ties == "keep" else "binomial"),
        reason=reasons(wins.shape, (decided == 0, NO_DIFFERENCE)),
        n_pairs=x.shape[-1],
        n_wins=wins,
        n_losses=losses,
        n_ties=n_ties,
        min_attainable_pvalue=smallest,
        ties=ties,
        tie_tolerance=tie_tolerance,
    )


DECLARATIONS = (
    Declaration(
        function=sign_test,
        data=Data.PAIRS,
        variants={"ties split": {"ties": "split"}, "ties kept": {"ties": "keep"}},
        inputs={
            "x, y": Draw("pairs"),
            "alternative": _checks.ALTERNATIVES,
            "ties": TIES,
            "confidence_level": CONFIDENCE_LEVELS,
        },
        simulations={"ties dropped": {}, "ties split": {"ties": "split"}},
        sentence=(
            "Sign test: x is larger in {n_wins:count pair}, smaller in {n_losses} and tied in {n_ties}, {outcome}"
        ),
    ),
)


def wins_and_losses(x: FloatArray, y: FloatArray, tie_tolerance: float) -> tuple[IntArray, IntArray]:
    """Count the pairs along the last axis in which x is larger than y, and the pairs in which x is smaller."""
    d = differences_without_ties(x, y, tie_tolerance)
    return np.count_nonzero(d > 0, axis=-1), np.count_nonzero(d < 0, axis=-1)


def signs(x: FloatArray, y: FloatArray, tie_tolerance: float) -> IntArray:
    """Return 1 for each pair in which x is larger than y, -1 if x is smaller, and 0 for ties."""
    return np.sign(differences_without_ties(x, y, tie_tolerance)).astype(np.int8)


def differences_without_ties(x: FloatArray, y: FloatArray, tie_tolerance: float) -> FloatArray:
    """Return x - y, which is 0 if both are equal after rounding."""
    with np.errstate(over="ignore"):
        d = np.asarray(x - y)
    # rounding is slow, and only differences this small, relative to the largest score and their own, can become ties
    share, size = max(10 * tie_tolerance, 2 * noise_of(tie_tolerance)), np.abs(d)
    largest = max(abs(limit(v, axis=None, initial=0)) for v in (x, y) for limit in (np.fmax.reduce, np.fmin.reduce))
    close = size <= share * largest
    if close.any():
        a, b = (np.broadcast_to(v, d.shape)[close] for v in (x, y))
        close[close] = size[close] <= share * np.maximum(np.abs(a), np.abs(b))
    if close.any():
        x, y = (np.broadcast_to(v, d.shape)[close][:, None] for v in (x, y))
        d[close] = differences(x, y, tie_tolerance)[:, 0]
    return d


def _pvalue(wins: IntArray, losses: IntArray, alternative: str) -> FloatArray:
    """Return the probability of wins and losses at least as extreme as observed, if a win has the probability 1/2."""
    n = wins + losses
    # at least this number of wins means at most this number of losses
    fewer = {"greater": losses, "less": wins, "two-sided": np.minimum(wins, losses)}[alternative]
    n_sides = 2 if alternative == "two-sided" else 1
    return tails.as_pvalue(n_sides * binomial_left_tail(fewer, n))


def _trinomial_pvalue(lead: IntArray, n_ties: IntArray, n: int, alternative: str) -> FloatArray:
    """Return the probability of a lead at least as extreme as observed if ties have the observed frequency."""
    from evalstats.distributions.tail_probabilities import trinomial_lead_tail

    towards = {"greater": lead, "less": -lead, "two-sided": np.abs(lead)}[alternative]
    n_sides = 2 if alternative == "two-sided" else 1
    return tails.as_pvalue(n_sides * trinomial_lead_tail(towards, n_ties, n))


def _lower_limit(wins: IntArray, losses: IntArray, tail: float) -> FloatArray:
    """Return the win probability for which at least the observed number of wins has the probability `tail`."""
    from scipy.special import betaincinv

    return np.where(wins > 0, betaincinv(np.maximum(wins, 1.0), losses + 1.0, tail), 0.0)


def _upper_limit(wins: IntArray, losses: IntArray, tail: float) -> FloatArray:
    """Return the win probability for which at most the observed number of wins has the probability `tail`."""
    from scipy.special import betainccinv

    return np.where(losses > 0, betainccinv(wins + 1.0, np.maximum(losses, 1.0), tail), 1.0)
