"""Folds of one dataset as the sample, with tests that account for the correlation of the scores of the folds."""

from __future__ import annotations

__all__ = ["DESIGN", "DifferencesTested", "tested_by_t"]

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats._errors import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences
from evalstats._result import HypothesisTestResult
from evalstats._types import FloatArray
from evalstats.comparison.designs import design
from evalstats.comparison.notes import ON_ONE_DATASET
from evalstats.comparison.ranking import RankedPairs
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import TESTS_OF_DIFFERENCES
from evalstats.paired.five_by_two import ftest_5x2cv, ttest_5x2cv
from evalstats.paired.permutation import permutation_test
from evalstats.paired.shifted_scores import ShiftedScores
from evalstats.paired.sign import wins_and_losses
from evalstats.paired.ttest import corrected_ttest, paired_ttest
from evalstats.pairwise.corrected_t import pairwise_corrected_ttest
from evalstats.pairwise.paired_t import pairwise_paired_ttest
from evalstats.reproducibility.run_overlap import OverlapResult, overlap_matrix
from evalstats.tables.errors import TableError
from evalstats.tables.fold_scores import FoldScores, runs_of
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.bayes.posterior import PosteriorResult


def _folds_of(table: ScoreTable) -> FoldScores:
    """Return the scores of the folds, or raise an error if they cannot be compared."""
    if not table.folds:
        raise InvalidValueError(
            f"the folds of dataset {table.datasets[0]!r} cannot be compared: the {table.metric} of at least one fold "
            "is undefined, or the folds of the classifiers differ"
        )
    return table.folds[0]


def _sizes_of(table: ScoreTable) -> tuple[float, float]:
    """Return the sizes of the training and test sets; if they are unknown, assume a cross-validation."""
    folds = _folds_of(table)
    if folds.n_train is not None and folds.n_test is not None:
        return folds.n_train, folds.n_test
    n_folds = len(folds.folds)
    if n_folds < 2:
        problem = f"dataset {folds.dataset!r} has {len(folds.repeats)} repeats of one split each"
        if table._scored is not None:  # no argument states that predictions come from runs
            raise InvalidValueError(
                f"{problem}: the overlap of the training sets depends on the sizes, so the table needs the "
                "columns n_train and n_test"
            )
        raise TableError(
            f"{problem}, and it is unknown whether they have one split in common",
            "if each repeat is a run with a different seed on the same training and test set, pass {}; if each repeat "
            "has its own split, add the columns n_train and n_test",
            "rows_are",
            "runs",
        )
    return n_folds - 1, 1


class DifferencesTested(NamedTuple):
    """Scores of all folds or runs, one row for each, and the t-test of their differences.

    The corrected t-test requires the sizes of the training and test sets. Runs on one split are independent, so the
    paired t-test requires no correction.
    """

    scores: FloatArray
    tie_tolerance: float
    name: str
    of_two: Callable[..., Any]
    of_several: Callable[..., Any]
    margin_test: str
    sizes: dict[str, float]  # sizes of a training and a test set, if the test uses them

    @property
    def choices(self) -> dict[str, Any]:
        """Arguments of the test in addition to the scores."""
        return {**self.sizes, "tie_tolerance": self.tie_tolerance}


def tested_by_t(table: ScoreTable, tie_tolerance: float) -> DifferencesTested:
    """Return the scores of the folds or runs of a table, with the t-test that is valid for them."""
    folds = _folds_of(table)
    scores = folds.scores.reshape(-1, folds.scores.shape[-1])
    if folds.same_split:
        return DifferencesTested(
            scores, tie_tolerance, "paired_ttest", paired_ttest, pairwise_paired_ttest, "paired-t", {}
        )
    n_train, n_test = _sizes_of(table)
    sizes = {"n_train": n_train, "n_test": n_test}
    return DifferencesTested(
        scores, tie_tolerance, "corrected_ttest", corrected_ttest, pairwise_corrected_ttest, "corrected-t", sizes
    )


def _test(question: design.Question) -> design.Answer:
    table = question.table
    order = design.order_of(
        table.scores[0], greater_is_better=table.greater_is_better, tie_tolerance=question.tie_tolerance
    )
    compared = RankedPairs(order, question.control)
    return (_by_5x2 if question.advised == "ftest_5x2cv" else _by_t)(question, compared, order)


def _by_t(question: design.Question, compared: RankedPairs, order: list[int]) -> design.Answer:
    used = tested_by_t(question.table, question.tie_tolerance)
    first, second = compared.sides()
    x, y = used.scores.T[first], used.scores.T[second]
    single = used.of_two(x, y, **used.choices)
    test: HypothesisTestResult
    if question.k == 2:
        test, pvalue = used.of_two(x[0], y[0], **used.choices), single.pvalue
    else:
        family = {"control": question.control, "adjust": question.adjustment}
        test = used.of_several(used.scores, **family, **used.choices)
        pvalue = compared.of(test.pvalue)
    low, high = single.confidence_interval(1 - question.alpha)
    columns = {"statistic": single.statistic, "difference": single.mean_difference, "low": low, "high": high}
    columns |= {"unadjusted_pvalue": single.pvalue, **_counts(x, y, question)}
    return _tested(question, compared, order, pvalue, columns, test, pair_test=used.name, sizes=used.sizes)


def _by_5x2(question: design.Question, compared: RankedPairs, order: list[int]) -> design.Answer:
    scores, (first, second) = _folds_of(question.table).scores, compared[0]
    x, y = scores[..., first], scores[..., second]
    test = ftest_5x2cv(x, y, tie_tolerance=question.tie_tolerance)
    pvalue, unknown = np.array([test.pvalue]), np.array([np.nan])  # the F test has no interval
    columns = {
        "statistic": np.array([test.statistic]),
        "difference": np.array([differences(x.ravel(), y.ravel(), question.tie_tolerance).mean()]),
        "low": unknown,
        "high": unknown,
        "unadjusted_pvalue": pvalue,
        **_counts(x.reshape(1, -1), y.reshape(1, -1), question),
    }
    sizes = {"n_train": 1, "n_test": 1}
    return _tested(question, compared, order, pvalue, columns, test, pair_test="ftest_5x2cv", sizes=sizes)


def _counts(x: FloatArray, y: FloatArray, question: design.Question) -> dict[str, Any]:
    """Count the folds or runs in which the first classifier of each pair is better, equal and worse."""
    wins, losses = wins_and_losses(*design.ahead_of(x, y, question.table), question.tie_tolerance)
    return {"n_wins": wins, "n_ties": x.shape[-1] - wins - losses, "n_losses": losses}


def _tested(
    question: design.Question,
    compared: RankedPairs,
    order: list[int],
    pvalue: FloatArray,
    columns: dict[str, Any],
    test: HypothesisTestResult,
    *,
    pair_test: str,
    sizes: Mapping[str, float],
) -> design.Answer:
    folds = _folds_of(question.table)
    told = {"n_repeats": len(folds.repeats), "n_folds": len(folds.folds), **sizes}
    return design.by_differences(
        question,
        compared,
        order,
        pvalue,
        columns,
        pair_test=pair_test,
        reasons=test.reason,
        fields={"tests": (test,), "reproducibility": _overlap_of(question), **told},
    )


def _overlap_of(question: design.Question) -> OverlapResult | None:
    """Count the repeats in which each classifier has the better score, or return None if there are no repeats."""
    runs = runs_of(question.table.runs)
    if runs is None:
        return None
    of_one = runs[:, 0] if question.table.greater_is_better else -runs[:, 0]
    return overlap_matrix(of_one, tie_tolerance=question.tie_tolerance)


# --- in addition to the test ------------------------------------------------------------------------------------------


def _margin_problems(comparison: Comparison, places: design.Places, _: int | None, __: Any) -> Iterator[ShiftedScores]:
    used = tested_by_t(comparison.table, DEFAULT_TIE_TOLERANCE)
    for i, j in places:
        x, y = design.ahead_of(used.scores[:, i], used.scores[:, j], comparison.table)
        yield ShiftedScores(x, y, used.margin_test, DEFAULT_TIE_TOLERANCE, **used.sizes)


def _posteriors(
    comparison: Comparison, _: str, places: design.Places, rope: float, __: int
) -> Iterator[tuple[design.Places, PosteriorResult]]:
    from evalstats.bayes.correlated_t import bayes_correlated_ttest

    used = tested_by_t(comparison.table, DEFAULT_TIE_TOLERANCE)
    first, second = (list(one) for one in zip(*places, strict=True))
    overlap = used.sizes or {"correlation": 0.0}
    yield places, bayes_correlated_ttest(used.scores.T[first], used.scores.T[second], **overlap, rope=rope)


def _alternatives(question: design.Question, comparison: Comparison) -> design.Alternatives:
    folds, is_5x2 = _folds_of(question.table), comparison.pair_test == "ftest_5x2cv"
    used = tested_by_t(question.table, question.tie_tolerance)

    def pvalues(analysis: design.OtherAnalysis, part: design.Part) -> FloatArray:
        first, second = ([part.kept[i] for i in side] for side in zip(*part.pairs, strict=True))
        if analysis.posthoc == "5x2-t":
            x, y = (np.moveaxis(folds.scores[..., columns], -1, 0) for columns in (first, second))
            return np.asarray(ttest_5x2cv(x, y, tie_tolerance=question.tie_tolerance).pvalue)
        rows = np.swapaxes(design.without_each(used.scores) if part.without_units else used.scores, -1, -2)
        x, y = rows[..., first, :], rows[..., second, :]
        if analysis.posthoc == "paired-permutation":
            drawn = design.draws(question.n_resamples, question.rng)
            alone = np.asarray(permutation_test(x, y, tie_tolerance=question.tie_tolerance, **drawn).pvalue)
        else:
            alone = np.asarray(used.of_two(x, y, **used.choices).pvalue)
        return design.adjusted_pairs(alone, part.pairs, len(part.kept), part.control, analysis.adjust)

    return design.Alternatives(
        analyses=design.each_adjusted(question, TESTS_OF_DIFFERENCES[comparison.pair_test].analyses),
        left_out=[],
        units=[] if is_5x2 else [_unit_name(folds, *one) for one in itertools.product(folds.repeats, folds.folds)],
        led=lambda _, __: 0.0,
        pvalues=pvalues,
        no_variance="scores, whose differences do not vary",
    )


def _unit_name(folds: FoldScores, repeat: str, fold: str) -> str:
    if folds.same_split:
        return f"run {repeat}"
    return f"repeat {repeat}, fold {fold}" if len(folds.repeats) > 1 else f"fold {fold}"


DESIGN = design.Design(
    test=_test,
    notes=ON_ONE_DATASET,
    why_no_choice="the table holds one dataset, whose folds or instances are compared",
    margin_problems=_margin_problems,
    posterior_test=lambda _: "correlated-t",
    posteriors=_posteriors,
    alternatives=_alternatives,
)
