"""The record of a comparison on one dataset: what was compared, fold by fold or case by case, and what follows?"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["OneDatasetComparison", "OneDatasetPair"]

from dataclasses import dataclass

from evalstats._result import HypothesisTestResult
from evalstats.comparison.result import ComparedPair, ComparisonResult

if TYPE_CHECKING:
    from evalstats.comparison.robustness import Robustness
    from evalstats.multiple.cochran import CochranQTestResult
    from evalstats.reproducibility.run_overlap import OverlapResult


@dataclass(frozen=True, kw_only=True, eq=False)
class OneDatasetPair(ComparedPair):
    """Two classifiers side by side on one dataset.

    Attributes
    ----------
    first, second : str
        The classifiers. `second` is the control where there is one; otherwise `first` has the better score.
    difference : float
        Score of `first` minus score of `second`, in the unit of the metric.
    low, high : float
        Interval of the difference at level 1 - alpha, of this pair alone: not adjusted for the others.
    statistic : float
        Of the test of this pair.
    pvalue, unadjusted_pvalue : float
        Adjusted for all pairs that are compared, and as if this were the only one.
    different : bool
        Whether the comparison concludes that the two differ. False never means that they are equal.
    n_wins, n_ties, n_losses : int
        Folds in which `first` is better than, equal to and worse than `second`; or cases that only `first` gets right,
        that both get right or wrong, and that only `second` gets right. None where neither folds nor cases are counted.
    """

    difference: float
    low: float
    high: float
    unadjusted_pvalue: float


@dataclass(frozen=True, kw_only=True, eq=False)
class OneDatasetComparison(ComparisonResult[OneDatasetPair]):
    """All results and decisions of a comparison of classifiers on one dataset.

    Its conclusions hold for this dataset: what would come out on another one it does not tell.

    Attributes
    ----------
    table : ScoreTable
        One row: the score of each classifier, with names, metric and direction.
    design : {'folds', 'cases'}
        Whether the scores of folds were compared, or the answers to the cases of one test set.
    pair_test : str
        Name of the function that tests a pair, as `which_test` advises it.
    control : str or None
        The classifier that the others were compared with; None: all pairs.
    alpha : float
        Level of significance. A hypothesis is rejected where p <= alpha; a nan p-value never rejects.
    ranking : tuple of str
        The classifiers from the best score to the worst; equal scores in the order of the table.
    omnibus : CochranQTestResult or None
        For the answers of three or more classifiers; None otherwise.
    tests : tuple of HypothesisTestResult
        The test of the only pair, one test of all pairs, or one for each of `pairs`.
    adjustment : str
        How the p-values of the pairs were adjusted; ``'none'`` for two classifiers.
    n_repeats, n_folds : int or None
        Repeats of the cross-validation and folds of each; None for one test set.
    n_train, n_test : float or None
        Mean size of a training set and of a test set. Where the table does not tell them, k folds are taken for those
        of a cross-validation: k - 1 and 1. `n_train` is None for one test set.
    significant : bool
        Whether the omnibus test rejects or, without one, whether any pair differs.
    smallest_pvalue : float or None
        Smallest p-value that the leading test can reach with these data; None where there is no such bound.
    different : ndarray of bool, shape (n_classifiers, n_classifiers)
        Decisions in the order of the table. With a control only its row and column are comparisons.
    groups : tuple of tuple of str
        Maximal groups that are contiguous in the ranking and whose members are all mutually not different, best first.
        Empty with a control.
    loose_pairs : tuple of (str, str)
        Pairs that are not different and stand together in none of the groups.
    pairs : tuple of OneDatasetPair
        Every pair that was compared, sorted by rank.
    notes : tuple of str
        Codes of what the reader must know; ``report`` turns each into a sentence.
    validity : Validity
        Whether the tests are valid for these data: which stand in the place of others, and of which pairs nothing is
        concluded because there is no p-value.
    margins : Margins or None
        What is shown of each pair up to a margin; None unless one was given.
    posteriors : Posteriors or None
        How probable better, practically equivalent and worse are; None unless a rope was given.
    options : dict
        The arguments of `compare` that were given and are not the default, as plain values.
    data_checksum : str or None
        SHA-256 of the file of the data, such as ``'sha256:86db...'``; None where the data were no file.
    reproducibility : OverlapResult or None
        How consistently one of two classifiers was ahead in the repeats: matrices in the order of the table; None where
        there are fewer than two repeats.
    robustness : Robustness or None
        The verdict under other valid analyses, and without each fold and each other classifier; its `deciding_datasets`
        are folds, and the `stability` is nan where there are none. None unless asked for.
    advice : WhichTestResult
        Why this test, what it assumes, and what in the data speaks against it.
    """

    design: str
    pair_test: str
    omnibus: CochranQTestResult | None
    tests: tuple[HypothesisTestResult, ...]
    adjustment: str
    n_repeats: int | None
    n_folds: int | None
    n_train: float | None
    n_test: float
    reproducibility: OverlapResult | None
    robustness: Robustness | None

    @property
    def dataset(self) -> str:
        """Name of the dataset."""
        return self.table.datasets[0]

    def score(self, classifier: str) -> float:
        """Score of one classifier: over the folds the mean, over the cases the metric."""
        return float(self.table.scores[0, self.table.position(classifier)])
