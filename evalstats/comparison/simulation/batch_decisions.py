"""Decisions of a comparison for many tables in one call.

The functions apply the tests that `compare` ran on one table, according to the record, to batches of tables.
"""

from __future__ import annotations

__all__ = ["Analyze", "Rejections", "analysis_of_cases", "analysis_of_folds", "analysis_over_datasets"]

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats._types import AnyArray, BoolArray, FloatArray
from evalstats.comparison.designs.design import N_RESAMPLES, adjusted_pairs
from evalstats.comparison.designs.folds import tested_by_t
from evalstats.comparison.designs.instances import as_the_metric_takes, in_usual_order
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import OMNIBUS_TESTS, POSTHOC_TESTS, TESTS_OF_TWO
from evalstats.multiple.cochran import cochran_q_test
from evalstats.paired.five_by_two import ftest_5x2cv
from evalstats.paired.mcnemar import mcnemar_test
from evalstats.paired.metric_permutation import metric_permutation_test
from evalstats.pairwise.common_datasets import common_datasets_test
from evalstats.pairwise.delong import pairwise_delong_test
from evalstats.pairwise.mcnemar import pairwise_mcnemar_test
from evalstats.tables.aligned_instances import AlignedCases
from evalstats.tables.prediction_scores import PredictionScores


class Rejections(NamedTuple):
    """Rejections by the omnibus test (None if there is none) and by the pairwise tests in each table.

    A pair is significantly different if its own test rejects and, if the omnibus test is required, the omnibus test
    also rejects.
    """

    leading: BoolArray | None  # (size,)
    pairs: BoolArray  # (size, n_pairs)
    is_gated: bool = True

    @property
    def different(self) -> BoolArray:
        """Significantly different pairs."""
        if self.leading is None or not self.is_gated:
            return self.pairs
        return self.pairs & self.leading[:, np.newaxis]


Analyze = Callable[[AnyArray], Rejections]


def analysis_over_datasets(comparison: Comparison, of_leading: dict[str, Any]) -> Analyze:
    """Return the function that decides on scores of shape (size, n_datasets, n_classifiers)."""
    table, alpha, pairs = comparison.table, comparison.alpha, comparison._compared
    control = None if comparison.control is None else table.position(comparison.control)
    tolerance: dict[str, Any] = {"tie_tolerance": comparison.tie_tolerance}
    omnibus_test, posthoc_test = comparison.omnibus_test, comparison.posthoc_test
    if omnibus_test is None or posthoc_test is None:
        ((first, second),) = pairs
        of_two = TESTS_OF_TWO["wilcoxon"]

        def of_one_pair(scores: FloatArray) -> Rejections:
            taken = of_two.taken(of_leading)
            pvalue = of_two.run(scores[..., first], scores[..., second], **tolerance, **taken).pvalue
            return Rejections(None, np.asarray(pvalue <= alpha)[:, np.newaxis])

        return of_one_pair
    leading, posthoc = OMNIBUS_TESTS[omnibus_test], POSTHOC_TESTS[posthoc_test]
    common: dict[str, Any] = {"greater_is_better": table.greater_is_better, **tolerance}
    adjust = str(comparison.adjustment)

    def of_each(scores: FloatArray) -> FloatArray:
        of_pairs: dict[str, Any] = {"control": control, "adjust": adjust, **tolerance}
        found = [common_datasets_test(one, test=posthoc_test, **of_pairs).pvalue for one in scores]
        return np.array(found)

    def of_several(scores: FloatArray) -> Rejections:
        rejects = leading.run(scores, **leading.taken(of_leading), **common).pvalue <= alpha
        if table.missing:
            pvalue = of_each(scores)
        else:
            drawn = posthoc.taken(of_leading)
            pvalue = posthoc.run(scores, control=control, adjust=adjust, **common, **drawn).pvalue
        return Rejections(np.asarray(rejects), _at_pairs(pvalue, pairs, control) <= alpha, posthoc.is_gated)

    return of_several


def analysis_of_folds(comparison: Comparison, tie_tolerance: float) -> Analyze:
    """Return the function that decides on scores of shape (size, n_repeats * n_folds, n_classifiers)."""
    table, alpha, pairs = comparison.table, comparison.alpha, list(comparison._compared)
    control = None if comparison.control is None else table.position(comparison.control)
    first, second = pairs[0]

    def by_5x2(scores: FloatArray) -> Rejections:
        x, y = (scores[..., i].reshape(-1, 5, 2) for i in (first, second))
        return Rejections(
            None, np.asarray(ftest_5x2cv(x, y, tie_tolerance=tie_tolerance).pvalue <= alpha)[:, np.newaxis]
        )

    if comparison.pair_test == "ftest_5x2cv":
        return by_5x2
    used = tested_by_t(table, tie_tolerance)

    def by_t(scores: FloatArray) -> Rejections:
        if len(table.classifiers) == 2:
            pvalue = used.of_two(scores[..., first], scores[..., second], **used.choices).pvalue
            return Rejections(None, np.asarray(pvalue <= alpha)[:, np.newaxis])
        test = used.of_several(scores, control=control, adjust=str(comparison.adjustment), **used.choices)
        return Rejections(None, _at_pairs(test.pvalue, pairs, control) <= alpha)

    return by_t


def analysis_of_cases(
    comparison: Comparison, scored: PredictionScores, cases: AlignedCases, of_leading: dict[str, Any]
) -> tuple[AnyArray, Analyze]:
    """Return the answers of shape (n_instances, n_classifiers), and the function that decides on batches of answers."""
    table, alpha, pairs = comparison.table, comparison.alpha, list(comparison._compared)
    control = None if comparison.control is None else table.position(comparison.control)
    adjust, (first, second) = str(comparison.adjustment), pairs[0]
    are_two = len(table.classifiers) == 2

    def by_mcnemar(right: AnyArray) -> Rejections:
        if are_two:
            pvalue = mcnemar_test(right[..., first], right[..., second]).pvalue
            return Rejections(None, np.asarray(pvalue <= alpha)[:, np.newaxis])
        leading = np.asarray(cochran_q_test(right).pvalue <= alpha)
        found = pairwise_mcnemar_test(right, control=control, adjust=adjust).pvalue
        return Rejections(leading, _at_pairs(found, pairs, control) <= alpha)

    def by_delong(scores: AnyArray) -> Rejections:
        found = pairwise_delong_test(
            cases.is_positive,
            scores,
            control=control,
            adjust="none" if are_two else adjust,
        )
        return Rejections(None, _at_pairs(found.pvalue, pairs, control) <= alpha)

    if comparison.pair_test == "mcnemar_test":
        return cases.is_right.T, by_mcnemar
    if comparison.pair_test == "delong_test":
        assert cases.y_score is not None
        return cases.y_score.T, by_delong
    usual = in_usual_order(cases, scored._predictions.labels)
    y_true, predicted, choices = as_the_metric_takes(usual, scored._choice)
    choices |= {"n_resamples": N_RESAMPLES, "rng": 0} | of_leading

    def by_permutation(answers: AnyArray) -> Rejections:
        unadjusted = np.array(
            [
                [metric_permutation_test(y_true, one[:, a], one[:, b], **choices).pvalue for a, b in pairs]
                for one in answers
            ]
        )
        pvalues = adjusted_pairs(unadjusted, pairs, len(table.classifiers), control, adjust)
        return Rejections(None, np.asarray(pvalues <= alpha))

    return predicted.T, by_permutation


def _at_pairs(pvalues: FloatArray, pairs: Sequence[tuple[int, int]], control: int | None) -> FloatArray:
    """Return the p-value of each pair from results of shape (size, k, k), or (size, k) with a control."""
    first, second = (list(places) for places in zip(*pairs, strict=True))
    return np.asarray(pvalues[:, first, second] if control is None or pvalues.ndim == 3 else pvalues[:, first])
