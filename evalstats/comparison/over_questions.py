"""The record of a comparison on benchmarks of questions: what holds for these benchmarks, and what for their kind?"""

from __future__ import annotations

__all__ = ["BenchmarkDifference", "ModelOnQuestions", "QuestionComparison", "QuestionPair"]

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evalstats._findings import Finding
from evalstats._result import Record, report_module
from evalstats._types import BoolArray
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.comparison.margins import Margins
    from evalstats.comparison.over_datasets import Comparison


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelOnQuestions(Record):
    """How well one model answers questions of these benchmarks.

    Attributes
    ----------
    classifier : str
        The model.
    score, standard_error : float
        Its mean score, and the cluster-robust standard error; nan where a benchmark has a single cluster.
    low, high : float
        Interval of the mean score at level 1 - alpha; within [0, 1] where the scores are.
    design_effect : float
        The variance, relative to that of independent questions; 1 without clusters.
    share_between : float
        Share of the variance of single answers that lies between questions, and not within them; nan where each
        question has one answer.
    benchmarks : dict of str to float
        The mean score on each benchmark.
    """

    classifier: str
    score: float
    standard_error: float
    low: float
    high: float
    design_effect: float
    share_between: float
    benchmarks: dict[str, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class BenchmarkDifference(Record):
    """The difference of two models on one benchmark, without any adjustment.

    Attributes
    ----------
    benchmark : str
    difference, standard_error : float
        Mean score of `first` minus that of `second`, and its cluster-robust standard error.
    """

    benchmark: str
    difference: float
    standard_error: float


@dataclass(frozen=True, kw_only=True, eq=False)
class QuestionPair(Record):
    """Two models side by side on the same questions.

    Attributes
    ----------
    first, second : str
        The models. `second` is the control where there is one; otherwise `first` has the better score.
    difference, standard_error : float
        Mean score of `first` minus that of `second`, and its cluster-robust standard error.
    low, high : float
        Interval of the difference at level 1 - alpha, of this pair alone: not adjusted for the others.
    statistic : float
        t of the difference; of a test by random signs the mean difference.
    df : float or None
        Degrees of freedom of t; None of a test by random signs.
    pvalue, unadjusted_pvalue : float
        Adjusted for all pairs that are compared, and as if this were the only one.
    different : bool
        Whether the comparison concludes that the two differ. False never means that they are equal.
    n_wins, n_ties, n_losses : int
        Questions that `first` answers better than `second`, as well, and worse.
    benchmarks : tuple of BenchmarkDifference
        The difference on each benchmark.
    """

    first: str
    second: str
    difference: float
    standard_error: float
    low: float
    high: float
    statistic: float
    df: float | None
    pvalue: float
    unadjusted_pvalue: float
    different: bool
    n_wins: int
    n_ties: int
    n_losses: int
    benchmarks: tuple[BenchmarkDifference, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class QuestionComparison(Record):
    """All results and decisions of a comparison of models that answered the same questions.

    It answers for two populations. `pairs` are about *these benchmarks*: the questions are the sample, and the answer
    holds for other questions like them. `over_benchmarks` is about *benchmarks of this kind*: the benchmarks are the
    sample, however many questions each has.

    Attributes
    ----------
    table : ScoreTable
        The mean score of each model on each benchmark, with names, metric and direction.
    control : str or None
        The model that the others were compared with; None: all pairs.
    alpha : float
        Level of significance. A hypothesis is rejected where p <= alpha; a nan p-value never rejects.
    average : str
        ``'macro'``: each benchmark counts the same; ``'micro'``: each question does.
    n_questions, n_clusters, n_benchmarks : int
        Number of questions, of clusters of questions (each question is one where none were told), and of benchmarks.
    n_samples : tuple of (int, int)
        The fewest and the most answers of a model to a question.
    columns : dict of str to str
        What the columns of the table are called: those of the ``'item'``, the ``'stratum'``, the ``'cluster'`` and so
        on; what the table has not is not there.
    pair_test : str
        ``'clustered_ttest'``, or ``'clustered_permutation_test'`` where there are few clusters, or a
        few hold most of the questions.
    adjustment : str
        How the p-values of the pairs were adjusted; ``'none'`` for a single pair.
    ranking : tuple of str
        The models from the best to the worst.
    significant : bool
        Whether any pair differs.
    smallest_pvalue : float or None
        Smallest p-value that a test by random signs can reach, before adjustment; None of the t-test.
    different : ndarray of bool, shape (n_classifiers, n_classifiers)
        Decisions in the order of the table. With a control only its row and column are comparisons.
    models : tuple of ModelOnQuestions
        Each model, best first.
    pairs : tuple of QuestionPair
        Every pair that was compared, sorted by rank.
    over_benchmarks : Comparison or None
        The comparison whose sample are the benchmarks; None where there is one benchmark.
    findings : tuple of Finding
        What the reader must know of the table and the design.
    margins : Margins or None
        What is shown of each pair up to a margin, on these benchmarks; None where no margin was given.
    options : dict
        The arguments of `compare` that were given and are not the default, as those of a comparison over datasets.
    data_checksum : str or None
        SHA-256 of the file of the data, such as ``'sha256:86db...'``; None where the data were no file.
    """

    table: ScoreTable
    control: str | None
    alpha: float
    average: str
    n_questions: int
    n_clusters: int
    n_benchmarks: int
    n_samples: tuple[int, int]
    columns: dict[str, str]
    pair_test: str
    adjustment: str
    ranking: tuple[str, ...]
    significant: bool
    smallest_pvalue: float | None
    different: BoolArray
    models: tuple[ModelOnQuestions, ...]
    pairs: tuple[QuestionPair, ...]
    over_benchmarks: Comparison | None
    findings: tuple[Finding, ...]
    margins: Margins | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    data_checksum: str | None = None

    @property
    def verdict(self) -> str:
        """What follows and what does not, for both populations."""
        said: str = report_module("documents").verdict(self)
        return said

    def __str__(self) -> str:
        return self.verdict

    def _rows(self) -> tuple[QuestionPair, ...]:
        return self.pairs

    def pair(self, first: str, second: str) -> QuestionPair:
        """Return the pair of two models, in the order in which it was compared.

        Parameters
        ----------
        first, second : str
            Names of models.

        Returns
        -------
        QuestionPair
        """
        from evalstats._checks import InvalidValueError

        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return pair
        raise InvalidValueError(f"no pair of {first!r} and {second!r} was compared")
