"""The folds of one dataset are the sample: their scores depend on one another, which the tests allow for."""

from __future__ import annotations

__all__ = ["DESIGN", "folds_of", "sizes_of"]

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences
from evalstats._result import HypothesisTestResult
from evalstats._types import FloatArray
from evalstats.comparison.designs.design import (
    Alternatives,
    Answer,
    Design,
    OtherAnalysis,
    Part,
    Places,
    Question,
    adjusted_pairs,
    ahead_of,
    by_differences,
    each_adjusted,
    order_of,
    without_each,
)
from evalstats.comparison.notes import ON_ONE_DATASET
from evalstats.comparison.ranked_pairs import RankedPairs
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import TESTS_OF_DIFFERENCES
from evalstats.paired.five_by_two import ftest_5x2cv, ttest_5x2cv
from evalstats.paired.noninferiority import ShiftedScores
from evalstats.paired.sign import wins_and_losses
from evalstats.paired.ttest import corrected_ttest
from evalstats.pairwise.corrected_t import pairwise_corrected_ttest
from evalstats.reproducibility.run_overlap import OverlapResult, overlap_matrix
from evalstats.tables.fold_scores import FoldScores, runs_of
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.bayes.posterior import PosteriorResult


def folds_of(table: ScoreTable) -> FoldScores:
    """Return the scores of the folds, or say that they cannot be compared."""
    if not table.folds:
        raise InvalidValueError(
            f"the folds of dataset {table.datasets[0]!r} cannot be compared: the {table.metric} of some fold is "
            "undefined, or the folds of the classifiers differ"
        )
    return table.folds[0]


def sizes_of(folds: FoldScores) -> tuple[float, float]:
    """Return the sizes of a training and a test set; where they are not told, those of a cross-validation."""
    if folds.n_train is not None and folds.n_test is not None:
        return folds.n_train, folds.n_test
    n_folds = len(folds.folds)
    if n_folds < 2:
        raise InvalidValueError(
            f"dataset {folds.dataset!r} has repeats of one split each: how much their training sets overlap depends on "
            "their sizes, so that the table needs the columns n_train and n_test"
        )
    return n_folds - 1, 1


class _Folds(NamedTuple):
    """The scores of all folds, a row each, and what the corrected t-test must know of them."""

    scores: FloatArray
    choices: dict[str, Any]

    @classmethod
    def of(cls, table: ScoreTable, tie_tolerance: float) -> _Folds:
        """Return those of a table."""
        folds = folds_of(table)
        n_train, n_test = sizes_of(folds)
        scores = folds.scores.reshape(-1, folds.scores.shape[-1])
        return cls(scores, {"n_train": n_train, "n_test": n_test, "tie_tolerance": tie_tolerance})


def _test(question: Question) -> Answer:
    table = question.table
    order = order_of(table.scores[0], greater_is_better=table.greater_is_better, tie_tolerance=question.tie_tolerance)
    compared = RankedPairs(order, question.control)
    return (_by_5x2 if question.advised == "ftest_5x2cv" else _by_corrected_t)(question, compared, order)


def _by_corrected_t(question: Question, compared: RankedPairs, order: list[int]) -> Answer:
    scores, choices = _Folds.of(question.table, question.tie_tolerance)
    first, second = compared.sides()
    x, y = scores.T[first], scores.T[second]
    single = corrected_ttest(x, y, **choices)
    test: HypothesisTestResult
    if question.k == 2:
        test, pvalue = corrected_ttest(x[0], y[0], **choices), single.pvalue
    else:
        test = pairwise_corrected_ttest(scores, control=question.control, adjust=question.adjustment, **choices)
        pvalue = compared.of(test.pvalue)
    low, high = single.confidence_interval(1 - question.alpha)
    columns = {"statistic": single.statistic, "difference": single.mean_difference, "low": low, "high": high}
    columns |= {"unadjusted_pvalue": single.pvalue, **_counts(x, y, question)}
    sizes = {"n_train": choices["n_train"], "n_test": choices["n_test"]}
    return _tested(question, compared, order, pvalue, columns, test, pair_test="corrected_ttest", sizes=sizes)


def _by_5x2(question: Question, compared: RankedPairs, order: list[int]) -> Answer:
    scores, (first, second) = folds_of(question.table).scores, compared[0]
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


def _counts(x: FloatArray, y: FloatArray, question: Question) -> dict[str, Any]:
    """Return in how many folds the first of each pair is better, as good and worse."""
    wins, losses = wins_and_losses(*ahead_of(x, y, question.table), question.tie_tolerance)
    return {"n_wins": wins, "n_ties": x.shape[-1] - wins - losses, "n_losses": losses}


def _tested(
    question: Question,
    compared: RankedPairs,
    order: list[int],
    pvalue: FloatArray,
    columns: dict[str, Any],
    test: HypothesisTestResult,
    *,
    pair_test: str,
    sizes: Mapping[str, float],
) -> Answer:
    folds = folds_of(question.table)
    told = {"n_repeats": len(folds.repeats), "n_folds": len(folds.folds), **sizes}
    return by_differences(
        question,
        compared,
        order,
        pvalue,
        columns,
        pair_test=pair_test,
        reasons=test.reason,
        fields={"tests": (test,), "reproducibility": _overlap_of(question), **told},
    )


def _overlap_of(question: Question) -> OverlapResult | None:
    """Tell in how many repeats each classifier had the better score; None without repeats."""
    runs = runs_of(question.table.runs)
    if runs is None:
        return None
    of_one = runs[:, 0] if question.table.greater_is_better else -runs[:, 0]
    return overlap_matrix(of_one, tie_tolerance=question.tie_tolerance)


# --- beside the test --------------------------------------------------------------------------------------------------


def _margin_problems(comparison: Comparison, places: Places, _: int | None, __: Any) -> Iterator[ShiftedScores]:
    scores, choices = _Folds.of(comparison.table, DEFAULT_TIE_TOLERANCE)
    sizes = {name: choices[name] for name in ("n_train", "n_test")}
    for i, j in places:
        x, y = ahead_of(scores[:, i], scores[:, j], comparison.table)
        yield ShiftedScores(x, y, "corrected-t", DEFAULT_TIE_TOLERANCE, **sizes)


def _posteriors(
    comparison: Comparison, _: str, places: Places, rope: float, __: int
) -> Iterator[tuple[Places, PosteriorResult]]:
    from evalstats.bayes.correlated_t import bayes_correlated_ttest

    scores, choices = _Folds.of(comparison.table, DEFAULT_TIE_TOLERANCE)
    first, second = (list(one) for one in zip(*places, strict=True))
    sizes = {name: choices[name] for name in ("n_train", "n_test")}
    yield places, bayes_correlated_ttest(scores.T[first], scores.T[second], **sizes, rope=rope)


def _alternatives(question: Question, comparison: Comparison) -> Alternatives:
    folds, is_5x2 = folds_of(question.table), comparison.pair_test == "ftest_5x2cv"
    scores, choices = _Folds.of(question.table, question.tie_tolerance)
    names = [
        f"repeat {repeat}, fold {fold}" if len(folds.repeats) > 1 else f"fold {fold}"
        for repeat in folds.repeats
        for fold in folds.folds
    ]

    def pvalues(analysis: OtherAnalysis, part: Part) -> FloatArray:
        first, second = ([part.kept[i] for i in side] for side in zip(*part.pairs, strict=True))
        if analysis.posthoc == "5x2-t":
            x, y = (np.moveaxis(folds.scores[..., columns], -1, 0) for columns in (first, second))
            return np.asarray(ttest_5x2cv(x, y, tie_tolerance=question.tie_tolerance).pvalue)
        used = np.swapaxes(without_each(scores) if part.without_units else scores, -1, -2)
        alone = np.asarray(corrected_ttest(used[..., first, :], used[..., second, :], **choices).pvalue)
        return adjusted_pairs(alone, part.pairs, len(part.kept), part.control, analysis.adjust)

    return Alternatives(
        analyses=each_adjusted(question, TESTS_OF_DIFFERENCES[comparison.pair_test].analyses),
        left_out=[],
        units=[] if is_5x2 else names,
        led=lambda _, __: 0.0,
        pvalues=pvalues,
        no_variance="answers, whose differences do not vary",
    )


DESIGN = Design(
    test=_test,
    notes=ON_ONE_DATASET,
    why_no_choice="the table holds one dataset, whose folds or cases are compared",
    margin_problems=_margin_problems,
    posterior_test=lambda _: "correlated-t",
    posteriors=_posteriors,
    alternatives=_alternatives,
)
