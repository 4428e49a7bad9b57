"""Are the runs enough to tell which of two classifiers is better, however often one looks?"""

from __future__ import annotations

__all__ = ["AnytimeValid"]

from typing import Any, Self

from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats.paired.betting import BettingTest
from evalstats.paired.sequential import SequentialSignTest
from evalstats.reproducibility.stopping import StoppingRule


class AnytimeValid(StoppingRule):
    """Stop when it is clear which of two classifiers is better, by a p-value that may be looked at after every run.

    Other rules stop when estimates have settled, and a test made afterwards, or after every run, has another level than
    it says. Here the rule is the test: if none of the two is better, it ever stops with probability alpha at most. It
    may then never stop; a largest number of runs does no harm.

    Parameters
    ----------
    alpha : float, default: 0.05
        Level of significance. For all m pairs of several classifiers together it is that of each pair times m.
    bounds : tuple of float, optional
        Smallest and largest difference of the two scores that is possible: the rule then asks for the mean difference,
        by `betting_test`. By default it asks who wins more runs, by `sequential_sign_test`, which needs no bounds and
        in most cases far fewer runs.
    tie_tolerance : float, default: 1e-12
        Values that agree after rounding to this relative precision are equal; 0 compares bits.

    Attributes
    ----------
    pvalue : float
        The any-time valid p-value: of two sides, so that either classifier may turn out to be the better one.
    test : SequentialSignTest or BettingTest
        The test after the runs so far, with its interval.

    Notes
    -----
    The runs may be repetitions of cross-validation on one dataset, and the verdict is then about more of them, on this
    dataset; or each may be another dataset, and the verdict is about datasets of that kind.

    References
    ----------
    Ramdas, A., Grünwald, P., Vovk, V. & Shafer, G. (2023). Game-theoretic statistics and safe anytime-valid inference.
    Statistical Science 38, 576-601.

    Examples
    --------
    >>> from evalstats.reproducibility import AnytimeValid
    >>> rule = AnytimeValid()
    >>> for x in [0.81, 0.84, 0.83, 0.80, 0.85, 0.82, 0.79, 0.83, 0.81]:
    ...     if rule.update((x, 0.78)):
    ...         break
    >>> rule.stopped, rule.n_runs, round(rule.pvalue, 3), rule.test.n_wins
    (True, 8, 0.035, 8)
    """

    needs = "pair"

    def __init__(
        self,
        alpha: float = 0.05,
        *,
        bounds: tuple[float, float] | None = None,
        tie_tolerance: float = DEFAULT_TIE_TOLERANCE,
    ) -> None:
        super().__init__()
        self.alpha = _checks.proportion(alpha, "alpha")
        self.tie_tolerance = _checks.tolerance(tie_tolerance)
        self.test: SequentialSignTest | BettingTest
        if bounds is None:
            self.test, self.bounds = SequentialSignTest(tie_tolerance=self.tie_tolerance), None
        else:
            self.test = BettingTest(bounds=bounds, alpha=self.alpha, tie_tolerance=self.tie_tolerance)
            self.bounds = self.test.bounds

    def __repr__(self) -> str:
        return f"AnytimeValid({self.alpha!r}{'' if self.bounds is None else f', bounds={self.bounds!r}'})"

    @property
    def pvalue(self) -> float:
        """The any-time valid p-value."""
        return self.test.pvalue

    def fresh(self) -> Self:
        """Return a rule with the same settings that has seen no run.

        Returns
        -------
        AnytimeValid
            With ``n_runs`` 0.
        """
        return type(self)(self.alpha, bounds=self.bounds, tie_tolerance=self.tie_tolerance)

    def of_pairs(self, n_pairs: int) -> Self:
        """Return a rule for each of several pairs that keeps the level for all of them together (Bonferroni).

        Parameters
        ----------
        n_pairs : int
            The number of pairs.

        Returns
        -------
        AnytimeValid
            With ``n_runs`` 0 and `alpha` divided by the number.

        Examples
        --------
        >>> from evalstats.reproducibility import AnytimeValid
        >>> AnytimeValid(0.05).of_pairs(10)
        AnytimeValid(0.005)
        """
        level = self.alpha / _checks.count(n_pairs, "n_pairs")
        return type(self)(level, bounds=self.bounds, tie_tolerance=self.tie_tolerance)

    def update(self, run: ArrayLike, other: Any = None) -> bool:
        """Take the scores of both classifiers in one more run: ``rule.update((x, y))`` or ``rule.update(x, y)``.

        Parameters
        ----------
        run : array_like of shape (2,), or float
            The score of the one and of the other; or of the one alone.
        other : float, optional
            The score of the other, where `run` is that of one.

        Returns
        -------
        bool
            Whether the p-value has come down to alpha.

        Raises
        ------
        ValueError
            If a score is nan or infinite, there are not two, or they differ by more than the bounds allow.
        """
        run = run if other is None else [run, other]
        tie_tolerance = _checks.tolerance(self.tie_tolerance, run)
        pair = _checks.finite(_checks.numbers(run, "run"), "run")
        if pair.shape != (2,):
            raise InvalidValueError(f"run must hold the scores of two classifiers, but its shape is {pair.shape}")
        self._refuse_more()
        self.test.tie_tolerance = tie_tolerance
        pvalue = self.test.update(pair[:1], pair[1:])
        self.n_runs += 1
        self.stopped = pvalue <= self.alpha
        return self.stopped
