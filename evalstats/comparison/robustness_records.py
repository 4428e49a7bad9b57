"""The record of a verdict under other valid analyses: does the conclusion depend on the choice of the test?"""

from __future__ import annotations

__all__ = ["Analysis", "PairRobustness", "Robustness"]

from dataclasses import dataclass

from evalstats._result import Record


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis(Record):
    """One way to answer the question, and what it decides.

    Attributes
    ----------
    omnibus_test, posthoc_test : str or None
        Names of the tests, as `compare` takes them; no omnibus test for two classifiers.
    adjustment : str
        How the p-values of the pairs were adjusted; ``'single-step'`` where the test is one for the whole family.
    is_primary : bool
        Whether it is the analysis that was declared, whose verdict counts.
    omnibus_pvalue : float
        Of the leading test; for two classifiers of the only test.
    significant : bool
        Whether the leading test rejects.
    pvalues : tuple of float
        Adjusted p-value of each pair, in the order of `Robustness.pairs`.
    different : tuple of bool
        Decision on each pair: the leading test and the pair's own both reject.
    agreement : float
        Share of the pairs on which it decides as the primary analysis does.
    """

    omnibus_test: str | None
    posthoc_test: str
    adjustment: str
    is_primary: bool
    omnibus_pvalue: float
    significant: bool
    pvalues: tuple[float, ...]
    different: tuple[bool, ...]
    agreement: float


@dataclass(frozen=True, kw_only=True, eq=False)
class PairRobustness(Record):
    """What would change the decision on one pair.

    Attributes
    ----------
    first, second : str
        The classifiers, as in `Comparison.pairs`.
    different : bool
        Decision of the primary analysis.
    n_different : int
        Number of analyses, the primary one included, that call the two different.
    smallest_pvalue, largest_pvalue : float
        Of all analyses.
    deciding_datasets : tuple of str
        Datasets without any one of which the primary analysis would decide otherwise.
    stability : float
        Share of the datasets that can be left out, one at a time, without a change of the decision.
    deciding_classifiers : tuple of str
        Other classifiers without any one of which the primary analysis would decide otherwise on these two.
    """

    first: str
    second: str
    different: bool
    n_different: int
    smallest_pvalue: float
    largest_pvalue: float
    deciding_datasets: tuple[str, ...]
    stability: float
    deciding_classifiers: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Robustness(Record):
    """The verdict of a comparison under all valid analyses, and without each dataset and each classifier.

    Attributes
    ----------
    analyses : tuple of Analysis
        The primary analysis first.
    left_out : tuple of (str, str)
        Tests that answer the same question but are not valid for these data, each with the reason.
    pairs : tuple of PairRobustness
        Every pair that is compared, in the order of `Comparison.pairs`.
    agreement : float
        Share of all decisions, of each analysis on each pair, that are those of the primary analysis.
    """

    analyses: tuple[Analysis, ...]
    left_out: tuple[tuple[str, str], ...]
    pairs: tuple[PairRobustness, ...]
    agreement: float

    @property
    def n_analyses(self) -> int:
        """Number of analyses, the primary one included."""
        return len(self.analyses)

    @property
    def is_unanimous(self) -> bool:
        """Whether all analyses decide alike on every pair."""
        return all(pair.n_different in (0, self.n_analyses) for pair in self.pairs)
