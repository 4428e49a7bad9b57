"""The record of a comparison, with every number and every decision, and the matrices of its pairs."""

from __future__ import annotations

__all__ = ["MOST_SHOWN", "Comparison", "Counts", "PairMatrix", "of_design", "pair_matrix", "wins_ties_losses"]

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._findings import Finding
from evalstats._result import ConfidenceInterval, HypothesisTestResult, Record, plain, report_module
from evalstats._types import BoolArray, FloatArray, IntArray
from evalstats.comparison.ranking import FAMILY_WISE, LazyEstimates, ModelScore, Pair, RankedPairs, Ranking
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.comparison.validity import Validity, means_otherwise
from evalstats.comparison.words import WORDS, Words, words_of
from evalstats.multiple.letters import compact_letter_display
from evalstats.paired.sign import SignTestResult, wins_and_losses
from evalstats.paired.wilcoxon import WilcoxonTestResult
from evalstats.tables.errors import TableError
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.comparison.advice.recommendation import WhichTestResult
    from evalstats.comparison.supplements import Margins, Posteriors, Robustness, SubgroupAnalysis
    from evalstats.multiple.consensus import ConsensusRanking
    from evalstats.multiple.stability import RankingStability
    from evalstats.reproducibility.run_overlap import OverlapResult, PValuesOverRuns, VerdictReproducibility
    from evalstats.tables.calibration_analysis import CalibrationAnalysis


MOST_PAIRS = 1_000_000  # maximum number of pairs with one record each, which need a gigabyte
FEW_PAIRS = 1000  # for more pairs, each requested pair is computed alone
# maximum numbers of Hodges-Lehmann estimates, and of averages of two differences, in a saved report
MOST_ESTIMATES, MOST_AVERAGES = 1000, 20_000_000
MOST_TESTED_AGAIN = 1000  # for more pairs, exact tests of all pairs take seconds


def of_design(comparison: Any, what: str, *designs: str) -> Comparison:
    """Return a comparison if it has one of the designs, or raise an error in which `what` describes these designs."""
    kind = type(comparison).__name__
    if isinstance(comparison, Comparison):
        if comparison.design in designs:
            return comparison
        kind = WORDS[comparison.design].returned
    raise InvalidTypeError(f"comparison must be a result of compare {what}, not {kind}")


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison(Record):
    """Result of `compare`: all results and decisions of one comparison of classifiers, for every design.

    `design` states the sample: the datasets of a table, the folds, the runs or the instances of one dataset, or the
    questions of benchmarks. A conclusion applies to the population of such units: for folds, runs and instances, to
    this dataset only. For questions, `pairs` refers to the benchmarks of the questions, and `over_benchmarks` refers to
    other benchmarks of the same kind. Fields of other designs are None or empty.

    Attributes
    ----------
    table : ScoreTable
        The scores that were compared, with names, metric and direction. If there is one dataset, the table has one row.
        For questions, the table contains the mean score of each model on each benchmark.
    design : {'datasets', 'folds', 'runs', 'instances', 'questions'}
        Units of the sample.
    control : str or None
        The classifier with which all others were compared, or None if all pairs were compared.
    alpha : float
        Significance level. A null hypothesis is rejected if p <= alpha. A p-value of nan never leads to a rejection.
    tie_tolerance : float
        Relative precision to which tied scores agree. With 0, only identical scores are ties.
    ranking : tuple of str
        The classifiers from the best to the worst, over datasets by mean rank, and in other designs by score. Tied
        classifiers are in the order of the table.
    pair_test : str
        The test of a pair. Over datasets, it is the selected value of the argument `posthoc` of `compare`, such as
        ``'wilcoxon'``. In other designs, it is the name of the function, or ``'range'`` for the randomized Tukey HSD
        test over questions.
    adjustment : str or None
        Adjustment of the p-values of the pairs: a method of `adjust_pairwise`, or ``'single-step'`` if one test covers
        the whole family. It is None or ``'none'`` for a single pair.
    significant : bool
        Whether the test of all classifiers, or of the only two classifiers, rejects at alpha. Without such a test, it
        states whether any pair is significantly different. If `is_gated` is True, no pair is significantly different
        unless this test rejects.
    min_attainable_pvalue : float or None
        Smallest p-value that the omnibus test can produce with these data, or None if there is no such bound. For
        questions, it is the smallest p-value of a test by random sign flips, before adjustment.
    different : ndarray of bool, shape (n_classifiers, n_classifiers)
        Decisions in the order of the table. All decisions are False if the omnibus test does not reject and `is_gated`
        is True. With a control, only the row and the column of the control contain comparisons.
    homogeneous_subsets : tuple of tuple of str
        Maximal sets of consecutive classifiers in the ranking without a significant difference in any pair, best first.
        The tuple is empty with a control.
    pairs_outside_subsets : tuple of (str, str)
        Pairs without a significant difference that no homogeneous subset contains.
    notes : tuple of str
        Codes of the notes for the reader. ``report`` renders each code as a sentence.
    validity : Validity
        Validity of the tests for these data, with the replaced tests and the pairs without a p-value. There is
        no conclusion about a pair without a p-value.
    omnibus : HypothesisTestResult or None
        The test of the null hypothesis that three or more classifiers perform equally. By default, the result is a
        FriedmanTestResult over datasets, and a CochranQTestResult for correct and incorrect answers.
    omnibus_test, posthoc_test : str or None
        Over datasets: names of the omnibus test and the post-hoc test, as in `compare`, or None for two classifiers.
    posthoc : HypothesisTestResult or None
        Over datasets: result of the post-hoc test, by default a PairwiseWilcoxonTestResult, or None for two
        classifiers. The result is available even if the omnibus test does not reject. If scores are missing, the result
        is a CommonDatasetsTestResult, in which the p-value of a pair without a common dataset is nan.
    wilcoxon, sign : WilcoxonTestResult and SignTestResult, or None
        Both tests of two classifiers over datasets, or None for other comparisons.
    hodges_lehmann_interval : ConfidenceInterval or None
        Confidence interval for the difference of two classifiers over datasets, at level 1 - alpha.
    mean_ranks : tuple of float or None
        Over datasets: mean rank of each classifier in the order of the table. The best rank is 1. If scores are
        missing, the mean is over the datasets for which the classifier has a score. The ranks 1 to m of a dataset with
        m scores are stretched to 1 to n_classifiers: 1 + (rank - 1) (n_classifiers - 1) / (m - 1).
    critical_difference : float or None
        Smallest difference of mean ranks that is significant at alpha in the post-hoc test. It is None for two
        classifiers, and for post-hoc tests in which this difference depends on the pair.
    smallest_posthoc_pvalue : float or None
        Over datasets: smallest p-value that one pair can have in the post-hoc test. It is None for two classifiers, and
        if there is no such bound.
    better : ndarray of bool, shape (n_classifiers, n_classifiers)
        ``better[i, j]`` is True if classifier i is better than j by the measure of the post-hoc test. The difference
        need not be significant. For tests on mean ranks over datasets, the measure is the mean rank.
    tests : tuple of HypothesisTestResult
        For folds, runs and instances: the test of the only pair, one test of all pairs, or one test for each of
        `pairs`.
    n_repeats, n_folds : int or None
        For folds and runs: number of repeats (of the cross-validation) or runs, and number of folds in each repeat.
    n_train, n_test : float or None
        For folds: mean size of a training set and of a test set. If the table does not contain the sizes, k folds are
        treated as a cross-validation with the sizes k - 1 and 1. For instances, `n_test` is the number of instances.
    average : str or None
        For questions: ``'macro'`` gives all benchmarks the same weight, and ``'micro'`` gives all questions the same
        weight.
    n_questions, n_clusters, n_benchmarks : int or None
        Number of questions, of clusters of questions (each question is a cluster if there is no column of clusters),
        and of benchmarks. For instances, `n_clusters` is the number of clusters of instances, or None if there are no
        clusters.
    n_samples : tuple of (int, int) or None
        Smallest and largest number of sampled answers of a model to a question.
    columns : dict of str to str
        Names of the columns of a table of questions: ``'question'``, ``'stratum'``, ``'cluster'`` and so on. A missing
        column has no entry. For instances in clusters, the only entry is ``'cluster'``.
    models : tuple of ModelScore
        Scores of the models on the questions, best first.
    over_benchmarks : Comparison or None
        For questions: the comparison with the benchmarks as the sample, or None if there is only one benchmark.
    findings : tuple of Finding
        For questions: findings about the table and the design.
    margins : Margins or None
        Conclusion on each pair with respect to the margin, or None if no margin was given.
    posteriors : Posteriors or None
        Posterior probabilities, for each pair, that the first classifier is better, practically equivalent or worse, or
        None if no rope was given.
    reproducibility : VerdictReproducibility or OverlapResult, or None
        Over datasets: reproducibility of the decision on each pair, and of the ranking, in the repeats of the table.
        For folds: matrices in the order of the table that show how consistently each classifier was better. It is
        None if the table has fewer than two repeats.
    pvalues_over_runs : PValuesOverRuns or None
        Over datasets: p-value of the Friedman test, or of the Wilcoxon test for two classifiers, in each repeat
        separately. It is None if the table has fewer than two repeats.
    robustness : Robustness or None
        The decisions under other valid analyses, and with one dataset, fold or classifier excluded at a time. For
        folds, the field `deciding_datasets` of a pair contains folds. For instances, the field `stability` is nan. It
        is None if the analysis was not requested.
    calibration : CalibrationAnalysis or None
        Calibration of the predicted probabilities, and comparisons of the classifiers by proper scores. It is None if
        the analysis was not requested.
    subgroups : SubgroupAnalysis or None
        Differences of the pairs in subgroups of the instances or questions. It is None if no column of subgroups was
        given.
    stability : RankingStability or None
        Ranks in resamples of the datasets, instances or questions, by alternative ranking rules, and with one of these
        units excluded at a time. It is None if the analysis was not requested.
    consensus : ConsensusRanking or None
        Consensus of the rankings on all benchmarks or datasets, with resamples of the questions or instances. It is
        None if the analysis was not requested.
    options : dict
        The arguments of `compare` that differ from the defaults, as plain values. With these arguments, `compare`
        reproduces the comparison. If a value cannot be written, such as a Generator, it is replaced by the name of its
        type.
    data_checksum : str or None
        SHA-256 of the file of the data, such as ``'sha256:86db...'``, or None if the data are not from a file.
    """

    table: ScoreTable
    design: str
    control: str | None
    alpha: float
    tie_tolerance: float
    ranking: tuple[str, ...]
    pair_test: str
    adjustment: str | None
    significant: bool
    min_attainable_pvalue: float | None
    different: BoolArray
    better: BoolArray
    homogeneous_subsets: tuple[tuple[str, ...], ...]
    pairs_outside_subsets: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    validity: Validity
    omnibus: HypothesisTestResult | None = None
    omnibus_test: str | None = None
    posthoc_test: str | None = None
    posthoc: HypothesisTestResult | None = None
    wilcoxon: WilcoxonTestResult | None = None
    sign: SignTestResult | None = None
    hodges_lehmann_interval: ConfidenceInterval | None = None
    # fields of one design have the documented type; they are None in other designs
    mean_ranks: Any = None
    critical_difference: float | None = None
    smallest_posthoc_pvalue: float | None = None
    tests: tuple[HypothesisTestResult, ...] = ()
    n_repeats: Any = None
    n_folds: Any = None
    n_train: Any = None
    n_test: Any = None
    average: Any = None
    n_questions: Any = None
    n_clusters: Any = None
    n_benchmarks: Any = None
    n_samples: Any = None
    columns: dict[str, str] = field(default_factory=dict)
    models: tuple[ModelScore, ...] = ()
    over_benchmarks: Comparison | None = None
    findings: tuple[Finding, ...] = ()
    margins: Margins | None = None
    posteriors: Posteriors | None = None
    reproducibility: VerdictReproducibility | OverlapResult | None = None
    pvalues_over_runs: PValuesOverRuns | None = None
    robustness: Robustness | None = None
    calibration: CalibrationAnalysis | None = None
    subgroups: SubgroupAnalysis | None = None
    stability: RankingStability | None = None
    consensus: ConsensusRanking | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    data_checksum: str | None = None
    _compared: RankedPairs
    _pvalue: FloatArray  # (n_classifiers, n_classifiers)
    _columns: Callable[[Sequence[int]], Mapping[str, Any]]
    _advice: Callable[[], WhichTestResult] | None = None
    _estimates: Callable[[Sequence[int]], list[float]] | None = None

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every compared pair with its effect sizes, computed on demand.

        The pairs are in the order of the rank of `first`, and then of the rank of `second`. With a control, they are
        in the order of the rank of `first`.
        """
        self._refuse_all_pairs()
        return self._pairs(range(self.n_pairs))

    def _pairs(self, at: Sequence[int]) -> tuple[Pair, ...]:
        columns = self._columns_of_pairs(at)
        if self._estimates is not None:
            estimates = LazyEstimates(self._estimates, at, self.n_datasets)
            columns["hodges_lehmann"] = [partial(estimates.of, place) for place in range(len(at))]
        return tuple(Pair(**dict(zip(columns, values, strict=True))) for values in zip(*columns.values(), strict=True))

    def _columns_of_pairs(self, at: Sequence[int]) -> dict[str, list[Any]]:
        """Return the fields of the given pairs as columns, without the Hodges-Lehmann estimates."""
        first, second = self._compared.sides(at)
        names = np.array(self.table.classifiers, dtype=object)
        columns = {"first": names[first], "second": names[second], **self._columns(at)}
        columns |= {"pvalue": self._pvalue[first, second], "different": self.different[first, second]}
        known = {name: columns[name] for name in (field.name for field in fields(Pair)) if name in columns}
        return {name: values if isinstance(values, list) else values.tolist() for name, values in known.items()}

    def _refuse_all_pairs(self) -> None:
        """Raise an error if there are too many pairs for a record of each pair."""
        if self.n_pairs <= MOST_PAIRS:
            return
        raise TableError(
            f"the {self.n_classifiers:,} classifiers form {self.n_pairs:,} pairs, but at most {MOST_PAIRS:,} "
            "pairs are listed individually",
            "text, Markdown, LaTeX and HTML show only the pairs with the smallest p-values, which "
            "pairs_with_smallest_pvalues() also returns; or compare all classifiers with a control, with {}",
            "control",
        )

    def pairs_with_smallest_pvalues(self, most: int) -> tuple[Pair, ...]:
        """Return the `pairs` with the smallest p-values, without computing the effect sizes of the other pairs.

        Parameters
        ----------
        most : int
            Maximum number of pairs. The order of the pairs does not change.

        Returns
        -------
        tuple
        """
        if _checks.count(most, "most") >= self.n_pairs:
            return self.pairs
        pvalues = self._compared.of(self._pvalue)
        return self._pairs(sorted(np.argsort(pvalues, kind="stable")[:most].tolist()))

    def decisions(self) -> Iterator[tuple[str, str, float, bool]]:
        """Yield the names, p-value and decision of each of `pairs`, in order, without computing effect sizes."""
        names = self.table.classifiers
        for (a, b), pvalue in zip(self._compared, self._compared.of(self._pvalue).tolist(), strict=True):
            yield names[a], names[b], pvalue, bool(self.different[a, b])

    @cached_property
    def advice(self) -> WhichTestResult | None:
        """Findings of `which_test` about the data, computed on demand. The report also lists these findings.

        It is None for questions.
        """
        return None if self._advice is None else self._advice()

    @property
    def words(self) -> Words:
        """Nouns for the classifiers and datasets of this comparison."""
        return words_of(self.table, self.design)

    @property
    def leading(self) -> HypothesisTestResult | None:
        """The test of all classifiers, or of the only two classifiers, or None if each pair is tested separately."""
        if self.omnibus is not None or self.n_pairs > 1 or self.design == "questions":
            return self.omnibus
        return self.wilcoxon if self.design == "datasets" else self.tests[0]

    @property
    def verdict(self) -> str:
        """Conclusions, as in the sentences at the beginning of every report."""
        return str(report_module("documents").verdict(self))

    def __str__(self) -> str:
        return self.verdict

    @property
    def ranks(self) -> Ranking:
        """The classifiers from the best to the worst, as a table: `comparison.ranks.to_frame()`."""
        order = [self.table.position(name) for name in self.ranking]
        scores = self.table.scores[:, order]
        ranks = self.mean_ranks
        is_strict = self.control is None and not self.is_gated and (self.n_pairs == 1 or self.adjustment in FAMILY_WISE)
        shown = (self.different & self.better)[np.ix_(order, order)]
        k = len(order) if is_strict else 0
        return Ranking(
            classifiers=self.ranking,
            mean_ranks=None if ranks is None else tuple(ranks[i] for i in order),
            mean_scores=tuple(np.nanmean(scores, axis=0).tolist()),
            median_scores=tuple(np.nanmedian(scores, axis=0).tolist()),
            letters=tuple(self.letters[i] for i in order) if self.is_conclusive and self.letters else (),
            rank_lower=tuple((1 + shown.sum(axis=0)).tolist()[:k]),
            rank_upper=tuple((k - shown.sum(axis=1)).tolist()[:k]),
        )

    @cached_property
    def means_otherwise(self) -> tuple[tuple[str, str], ...]:
        """Significantly different pairs in which the better classifier, given first, has the worse mean score."""
        shown = self.different & self.better
        if self.design != "datasets" or not shown.any():
            return ()
        found = means_otherwise(self.table.scores, shown, greater_is_better=self.table.greater_is_better)
        return tuple(self._named(*pair) for pair in np.argwhere(found).tolist())

    @cached_property
    def decided_otherwise(self) -> tuple[tuple[str, str], ...]:
        """Pairs for which the Wilcoxon test with Holm's method makes a different decision, computed on demand.

        The tuple is empty if there is no conclusion, or if the pairs were not compared by mean ranks. It is also empty
        if scores are missing or if there are more than 1,000 pairs.
        """
        is_of_ranks = self.posthoc_test is not None and not POSTHOC_TESTS[self.posthoc_test].effect
        if not (is_of_ranks and self.significant) or self.table.missing or self.n_pairs > MOST_TESTED_AGAIN:
            return ()
        found = POSTHOC_TESTS["wilcoxon"].run(
            self.table.scores,
            control=None if self.control is None else self.table.position(self.control),
            adjust="holm",
            greater_is_better=self.table.greater_is_better,
            tie_tolerance=self.tie_tolerance,
        )
        changed = (self._compared.of(found.pvalue) <= self.alpha) != self._compared.of(self.different)
        return tuple(self._named(*pair) for pair, is_changed in zip(self._compared, changed, strict=True) if is_changed)

    def _named(self, first: int, second: int) -> tuple[str, str]:
        return self.table.classifiers[first], self.table.classifiers[second]

    @property
    def is_gated(self) -> bool:
        """Whether a pair is significantly different only if the omnibus test also rejects.

        The value is True for tests of mean ranks. It is also True for other tests that control the family-wise error
        rate only if all classifiers perform equally. The Wilcoxon test and the sign test with an adjustment, and the
        resampling tests, do not require the omnibus test.
        """
        if self.design == "instances":
            return self.omnibus is not None
        return self.posthoc_test is not None and POSTHOC_TESTS[self.posthoc_test].is_gated

    @property
    def is_conclusive(self) -> bool:
        """Whether the decisions on the pairs are valid: the omnibus test rejects, or is not required."""
        return self.significant or (self.posthoc_test is not None and not self.is_gated)

    @property
    def n_datasets(self) -> int:
        """Number of datasets."""
        return len(self.table.datasets)

    @property
    def n_classifiers(self) -> int:
        """Number of classifiers."""
        return len(self.table.classifiers)

    @property
    def n_pairs(self) -> int:
        """Number of pairs that were compared."""
        return len(self._compared)

    @property
    def compared(self) -> tuple[tuple[str, str], ...]:
        """Names of the two classifiers of each of `pairs`."""
        return tuple(self._named(*pair) for pair in self._compared)

    @property
    def n_different(self) -> int:
        """Number of significantly different pairs."""
        return int(self.different.sum()) // 2

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """Compact letter display in the order of the table; a common letter means no significant difference.

        See `compact_letter_display`. The tuple is empty with a control, because the other classifiers are not compared
        with each other.
        """
        if self.control is not None:
            return ()
        order = [self.table.position(name) for name in self.ranking]
        return compact_letter_display(self.different, order).letters

    def pair(self, first: str, second: str) -> Pair:
        """Return the record of two classifiers, in either order of the names."""
        wanted = {self.table.position(first), self.table.position(second)}
        for i, (a, b) in enumerate(self._compared):
            if {a, b} == wanted:
                return self.pairs[i] if "pairs" in vars(self) or self.n_pairs <= FEW_PAIRS else self._pairs([i])[0]
        raise InvalidValueError(f"{first!r} and {second!r} were not compared with each other")

    @property
    def dataset(self) -> str:
        """Name of the dataset, or of the first of several datasets."""
        return self.table.datasets[0]

    def score(self, classifier: str) -> float:
        """Score of one classifier: the mean over datasets or folds, or the metric over instances."""
        at = self.table.position(classifier)
        if self.models:
            return next(model.score for model in self.models if model.classifier == classifier)
        return float(np.nanmean(self.table.scores[:, at]))

    def mean_rank(self, classifier: str) -> float:
        """Mean rank of one classifier over datasets. The best rank is 1."""
        if self.mean_ranks is None:
            raise InvalidValueError("mean_rank is defined only for comparisons over several datasets")
        return float(self.mean_ranks[self.table.position(classifier)])

    def _told(self) -> Iterator[tuple[str, Any]]:
        yield from self._told_but_pairs()
        yield "pairs", self.pairs

    def _told_but_pairs(self) -> Iterator[tuple[str, Any]]:
        yield from super()._told()
        yield "advice", self.advice
        yield "decided_otherwise", self.decided_otherwise

    def _rows(self) -> Sequence[Record]:
        return self.pairs

    def _brief(self) -> dict[str, Any]:
        """Return the record as a dict; if there are many pairs, only some pairs have Hodges-Lehmann estimates."""
        self._refuse_all_pairs()
        if self._estimates is None:
            return self.to_dict()
        told = {name: plain(value) for name, value in self._told_but_pairs()}
        columns = self._columns_of_pairs(range(self.n_pairs))
        pairs = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
        at = np.argsort(columns["pvalue"], kind="stable")[: self._most_estimates].tolist()
        for i, estimate in zip(at, self._estimates(at), strict=True):
            pairs[i]["hodges_lehmann"] = estimate
        return told | {"pairs": pairs}

    @property
    def _most_estimates(self) -> int:
        return min(MOST_ESTIMATES, max(1, MOST_AVERAGES // (self.n_datasets * (self.n_datasets + 1) // 2)))

    def _left_out_of_brief(self) -> str:
        if self._estimates is None or self.n_pairs <= self._most_estimates:
            return ""
        return (
            f"hodges_lehmann is given for the {self._most_estimates:,} of {self.n_pairs:,} pairs with the smallest "
            "p-values, because each estimate is a median of very many averages. Comparison.to_dict() has all estimates."
        )


# maximum number of classifiers in a matrix that is legible on one page
MOST_SHOWN = 12
_DIGITS = 3


class Counts(NamedTuple):
    """Numbers of wins, ties and losses of the classifier of each row against the classifier of each column."""

    wins: IntArray
    ties: IntArray
    losses: IntArray

    @property
    def n(self) -> IntArray:
        """Number of counted units."""
        return self.wins + self.ties + self.losses


class PairMatrix(NamedTuple):
    """Matrices for the pairs of the classifiers with the best mean scores, best classifier first.

    With a control, `rows` are the other classifiers and the only column is the control. All matrices are of shape
    (n_rows, n_columns): `difference` is row minus column in the unit of the metric. `pvalue` is the adjusted p-value of
    a pair, or nan if the pair is not compared. `counts` is None if the test does not count wins.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    mean_scores: tuple[float, ...]
    difference: FloatArray
    counts: Counts | None
    pvalue: FloatArray
    different: BoolArray
    n_left_out: int

    def differences(self) -> list[list[str]]:
        """Return the differences as signed texts; the largest has three digits, and an undefined difference is ''."""
        largest = np.nanmax(np.abs(self.difference), initial=0.0)
        decimals = 0 if largest == 0 else max(_DIGITS - math.ceil(math.log10(largest)), 0)
        return [[_signed(value, decimals) for value in row] for row in self.difference.tolist()]


def _signed(value: float, decimals: int) -> str:
    if math.isnan(value):
        return ""
    text = f"{value:+.{decimals}f}"
    return text.replace("-", "−") if float(text) else text[1:]


def pair_matrix(comparison: Comparison, most: int) -> PairMatrix:
    """Return the pairs of at most `most` classifiers, in the order of their mean scores."""
    scores = {name: comparison.score(name) for name in comparison.ranking}
    sign = -1 if comparison.table.greater_is_better else 1
    order = sorted(scores, key=lambda name: sign * scores[name])  # equal means are in the order of the ranking
    rows = tuple(name for name in order if name != comparison.control)
    n_left_out = max(len(rows) - most, 0)
    rows = rows[:most]
    columns = rows if comparison.control is None else (comparison.control,)
    at, of = ([comparison.table.position(name) for name in names] for names in (rows, columns))
    cells = np.ix_(at, of)
    return PairMatrix(
        rows=rows,
        columns=columns,
        mean_scores=tuple(scores[name] for name in rows),
        difference=_differences(comparison, rows, columns),
        counts=wins_ties_losses(comparison, rows, columns),
        pvalue=np.where(np.equal.outer(at, of), np.nan, comparison._pvalue[cells]),
        different=comparison.different[cells],
        n_left_out=n_left_out,
    )


def _differences(comparison: Comparison, rows: Sequence[str], columns: Sequence[str]) -> FloatArray:
    """Return the mean difference on the common datasets of each pair, or nan for a pair without a common dataset."""
    if comparison.design != "datasets":
        return np.subtract.outer(*([comparison.score(name) for name in names] for names in (rows, columns)))
    of_rows, of_columns = _scores_of(comparison, rows), _scores_of(comparison, columns)
    found = np.full((len(rows), len(columns)), np.nan)
    for i, own in enumerate(of_rows):
        differences = own - of_columns
        has = ~np.isnan(differences)
        np.divide(np.where(has, differences, 0.0).sum(axis=1), has.sum(axis=1), out=found[i], where=has.any(axis=1))
    return found


def _scores_of(comparison: Comparison, names: Sequence[str]) -> FloatArray:
    table = comparison.table
    return table.scores.T[[table.position(name) for name in names]]


def wins_ties_losses(comparison: Comparison, rows: Sequence[str], columns: Sequence[str]) -> Counts | None:
    """Count the wins, ties and losses of each row against each column, or None if the test does not count wins.

    The counts of a classifier against itself, and of a pair that was not compared, are 0.
    """
    counted = _over_datasets if comparison.design == "datasets" else _on_one_dataset
    return counted(comparison, rows, columns)


def _over_datasets(comparison: Comparison, rows: Sequence[str], columns: Sequence[str]) -> Counts:
    """Count from the scores, because `Comparison.pairs` would also compute the effect sizes."""
    of_rows, of_columns = _scores_of(comparison, rows), _scores_of(comparison, columns)
    has_row, has_column = ~np.isnan(of_rows), ~np.isnan(of_columns)
    n = has_row.astype(np.int64) @ has_column.T
    larger, smaller = np.zeros_like(n), np.zeros_like(n)
    for i, (row, has) in enumerate(zip(of_rows, has_row, strict=True)):
        is_common = has & has_column
        x, y = np.where(is_common, row, 0.0), np.where(is_common, of_columns, 0.0)
        larger[i], smaller[i] = wins_and_losses(x, y, comparison.tie_tolerance)
    n[[[row == column for column in columns] for row in rows]] = 0
    wins, losses = (larger, smaller) if comparison.table.greater_is_better else (smaller, larger)
    return Counts(wins, n - wins - losses, losses)


def _on_one_dataset(comparison: Comparison, rows: Sequence[str], columns: Sequence[str]) -> Counts | None:
    counts = Counts(*np.zeros((3, len(rows), len(columns)), dtype=np.int64))
    row_of, column_of = ({name: place for place, name in enumerate(names)} for names in (rows, columns))
    for pair in comparison.pairs:
        if pair.n_wins is None or pair.n_ties is None or pair.n_losses is None:
            return None
        own = (pair.n_wins, pair.n_ties, pair.n_losses)
        for row, column, numbers in ((pair.first, pair.second, own), (pair.second, pair.first, own[::-1])):
            if row in row_of and column in column_of:
                for matrix, number in zip(counts, numbers, strict=True):
                    matrix[row_of[row], column_of[column]] = number
    return counts
