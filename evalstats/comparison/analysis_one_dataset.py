"""What follows for the classifiers of one dataset: by the scores of folds, or by the answers to the cases?

The test is the one that `which_test` advises; this module runs it for every pair.
"""

from __future__ import annotations

__all__ = ["TESTS", "compare_one_dataset", "summed_up_as_tested", "usual_test"]

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._ranks import compared, differences, rounded
from evalstats._result import HypothesisTestResult
from evalstats._types import FloatArray
from evalstats.comparison.advice.recommendation import WhichTestResult
from evalstats.comparison.compared_units import adjusted_pairs, as_the_metric_takes, folds_of, in_usual_order, sizes_of
from evalstats.comparison.decision import Family, OneDatasetDecision, Tested
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import TESTS_ON_ONE_DATASET
from evalstats.comparison.result_building import recorded_of_one_dataset
from evalstats.comparison.validity import Replacement, lacks_pvalue, replacement
from evalstats.io.reader.tables import read_table
from evalstats.multiple.cochran import cochran_q_of_patterns
from evalstats.paired.delong import delong_test
from evalstats.paired.five_by_two import ftest_5x2cv
from evalstats.paired.mcnemar import mcnemar_from_counts
from evalstats.paired.metric_bootstrap import metric_bootstrap_test
from evalstats.paired.metric_permutation import metric_permutation_test
from evalstats.paired.sign import wins_and_losses
from evalstats.paired.ttest import corrected_ttest
from evalstats.pairwise.corrected_t import pairwise_corrected_ttest
from evalstats.pairwise.delong import pairwise_delong_test
from evalstats.pairwise.mcnemar import pairwise_mcnemar_from_both
from evalstats.reproducibility.run_overlap import OverlapResult, overlap_matrix
from evalstats.tables.aligned_instances import aligned_cases, times_predicted
from evalstats.tables.correctness_patterns import right_patterns
from evalstats.tables.fold_scores import FoldScores, runs_of
from evalstats.tables.prediction_scores import PredictionScores
from evalstats.tables.score_table import ScoreTable

# as many as the tests draw by themselves
N_RESAMPLES = 9999


def summed_up_as_tested(table: ScoreTable) -> ScoreTable:
    """Return the table of one dataset with the score that its test compares, or refuse what no test compares.

    Predictions of every case once are compared case by case, whatever is computed from all cases together. Otherwise
    the scores of the folds are compared, so that the score must be their mean.
    """
    scored = table._scored
    if scored is None:
        return table
    choice, predictions = scored._choice, scored._predictions
    is_repeated = times_predicted(predictions) > 1
    if choice.aggregate == "mean" or not (is_repeated or choice.aggregate == "precision_recall"):
        return table
    if table.folds and _is_mean_over_folds(table):
        return table
    if is_repeated and not choice.chosen and not choice.is_f1:
        again = read_table(predictions, metric=choice.name, aggregate="mean", undefined=choice.undefined)
        return replace(again, unit=table.unit, greater_is_better=table.greater_is_better, source=table.source)
    why = (
        "each case was predicted several times, so that the scores of the folds are compared"
        if is_repeated
        else "no test compares the F of mean precision and mean recall"
    )
    others = "" if is_repeated or not choice.is_f1 else "aggregate='tp_fp', or "
    raise InvalidValueError(
        f"the score is {scored.description}, but {why}: read the predictions with {others}aggregate='mean', whose "
        "folds are compared"
    )


def _is_mean_over_folds(table: ScoreTable) -> bool:
    """Tell whether the score is the mean over the folds anyway, as an accuracy over folds of equal size."""
    means = table.folds[0].scores.mean(axis=(0, 1))
    return bool((compared(table.scores[0], means) == 0).all())


def compare_one_dataset(
    table: ScoreTable,
    advice: WhichTestResult,
    *,
    control: str | None,
    alpha: float,
    adjust: str,
    tie_tolerance: float,
    n_resamples: int | None,
    rng: Any,
    robustness: bool,
) -> Comparison:
    """Compare the classifiers of a table of one dataset by the test that is advised."""
    test = usual_test(advice)
    order = _order(table, tie_tolerance)
    at = None if control is None else table.classifiers.index(control)
    pairs = list(itertools.combinations(order, 2)) if at is None else [(a, at) for a in order if a != at]
    n_resamples = N_RESAMPLES if n_resamples is None else n_resamples
    family = Family(table, at, pairs, alpha, adjust, tie_tolerance, n_resamples, rng)
    runs = runs_of(table.runs)
    tested, found = TESTS[test](family), None
    replaced: tuple[Replacement, ...] = ()
    if test in INSTEAD and lacks_pvalue(tested.unadjusted):
        own, other = (TESTS_ON_ONE_DATASET[one].words for one in (test, INSTEAD[test]))
        replaced = (replacement("pairs", own, other, [one.reason for one in tested.tests]),)
        test = INSTEAD[test]
        tested = TESTS[test](family)
    if robustness:
        # tests that the comparison itself does not need
        from evalstats.comparison.robustness_on_one_dataset import assess_one_dataset

        found = assess_one_dataset(family, test, tested)
    of_runs = None if runs is None else runs[:, 0]
    decision = OneDatasetDecision(family, test, tested, order, of_runs, found, replaced)
    ahead = None if decision.runs is None else _ahead(decision.runs, table, tie_tolerance)
    return recorded_of_one_dataset(decision, advice, ahead)


def _tested(family: Family, single: Any, test: HypothesisTestResult, **found: Any) -> Tested:
    """Put together the tests of single pairs, as a batch, and the test that counts: of the only pair, or of all."""
    low, high = single.confidence_interval(1 - family.alpha)
    return Tested(
        tests=(test,),
        statistic=single.statistic,
        unadjusted=single.pvalue,
        pvalue=single.pvalue if family.are_two else family.of_pairs(test.pvalue),
        low=low,
        high=high,
        **found,
    )


# --- by the scores of folds -------------------------------------------------------------------------------------------


def _by_corrected_t(family: Family) -> Tested:
    folds = folds_of(family.table)
    n_train, n_test, assumed = sizes_of(folds)
    scores = folds.scores.reshape(-1, folds.scores.shape[-1])
    first, second = family.columns
    x, y = scores.T[first], scores.T[second]
    sizes: dict[str, Any] = {"n_train": n_train, "n_test": n_test, "tie_tolerance": family.tie_tolerance}
    single = corrected_ttest(x, y, **sizes)
    if family.are_two:
        test: HypothesisTestResult = corrected_ttest(x[0], y[0], **sizes)
    else:
        test = pairwise_corrected_ttest(scores, control=family.control, adjust=family.adjust, **sizes)
    larger, smaller = wins_and_losses(x, y, family.tie_tolerance)
    return _tested(
        family,
        single,
        test,
        difference=single.mean_difference,
        larger=larger,
        smaller=smaller,
        n=len(scores),
        design=_design(folds, n_train, n_test),
        sizes_assumed=assumed,
    )


def _by_5x2(family: Family) -> Tested:
    folds = folds_of(family.table)
    first, second = family.pairs[0]
    x, y = folds.scores[..., first], folds.scores[..., second]
    test = ftest_5x2cv(x, y, tie_tolerance=family.tie_tolerance)
    larger, smaller = wins_and_losses(x.ravel(), y.ravel(), family.tie_tolerance)
    unknown = np.array([np.nan])  # the F test has no interval
    return Tested(
        tests=(test,),
        statistic=np.array([test.statistic]),
        unadjusted=np.array([test.pvalue]),
        pvalue=np.array([test.pvalue]),
        difference=np.array([differences(x.ravel(), y.ravel(), family.tie_tolerance).mean()]),
        low=unknown,
        high=unknown,
        larger=np.array([larger]),
        smaller=np.array([smaller]),
        n=x.size,
        design=_design(folds, 1, 1),
    )


def _design(folds: FoldScores, n_train: float, n_test: float) -> dict[str, Any]:
    return {"n_repeats": len(folds.repeats), "n_folds": len(folds.folds), "n_train": n_train, "n_test": n_test}


# --- by the answers to the cases --------------------------------------------------------------------------------------


def _by_mcnemar(family: Family) -> Tested:
    scored = _scored(family.table)
    patterns = right_patterns(scored._predictions)
    tables = patterns.tables
    first, second = family.columns
    single = mcnemar_from_counts(tables[first, second])
    omnibus, smallest = None, float(np.ravel(single.min_attainable_pvalue)[0])
    if family.are_two:
        test: HypothesisTestResult = mcnemar_from_counts(tables[first[0], second[0]])
    else:
        omnibus = cochran_q_of_patterns(*patterns)
        smallest = float(omnibus.min_attainable_pvalue)
        test = pairwise_mcnemar_from_both(patterns.both, patterns.n, control=family.control, adjust=family.adjust)
    found = _tested(
        family,
        single,
        test,
        difference=single.difference,
        larger=single.table[..., 0, 1],
        smaller=single.table[..., 1, 0],
        n=patterns.n,
        design=_one_test_set(patterns.n),
        omnibus=omnibus,
        min_attainable_pvalue=smallest,
    )
    if scored._choice.record.greater_is_better:
        return found
    # one minus the accuracy: the same test, the difference mirrored
    return found._replace(difference=0.0 - found.difference, low=0.0 - found.high, high=0.0 - found.low)


def _by_delong(family: Family) -> Tested:
    cases = aligned_cases(_scored(family.table)._predictions)
    assert cases.y_score is not None
    scores, positive = cases.y_score, cases.is_positive
    first, second = family.columns
    single = delong_test(positive, scores[first], scores[second])
    if family.are_two:
        test: HypothesisTestResult = delong_test(positive, scores[first[0]], scores[second[0]])
    else:
        test = pairwise_delong_test(positive, scores.T, control=family.control, adjust=family.adjust)
    return _tested(
        family,
        single,
        test,
        difference=single.difference,
        larger=None,
        smaller=None,
        n=scores.shape[-1],
        design=_one_test_set(scores.shape[-1]),
    )


def _by_permutation(family: Family) -> Tested:
    scored = _scored(family.table)
    cases = in_usual_order(aligned_cases(scored._predictions), scored._predictions.labels)
    y_true, of_classifier, choices = as_the_metric_takes(cases, scored._choice)
    # one seed for all pairs: the p-value of a pair does not depend on which other pairs are compared
    source = _checks.random_source(family.rng)
    seed = int(source.generator().integers(2**32)) if source.seed is None else source.seed
    tests, intervals = [], []
    for a, b in family.pairs:
        run = {**choices, "n_resamples": family.n_resamples, "rng": seed}
        tests.append(metric_permutation_test(y_true, of_classifier[a], of_classifier[b], **run))
        interval = metric_bootstrap_test(y_true, of_classifier[a], of_classifier[b], **run)
        intervals.append(tuple(interval.confidence_interval(1 - family.alpha)))
    unadjusted = np.array([test.pvalue for test in tests])
    low, high = np.array(intervals).T
    return Tested(
        tests=tuple(tests),
        statistic=np.array([test.statistic for test in tests]),
        unadjusted=unadjusted,
        pvalue=unadjusted
        if family.are_two
        else adjusted_pairs(unadjusted, family.pairs, len(family.table.classifiers), family.control, family.adjust),
        difference=np.array([test.difference for test in tests]),
        low=low,
        high=high,
        larger=None,
        smaller=None,
        n=len(y_true),
        design=_one_test_set(len(y_true)),
    )


def _scored(table: ScoreTable) -> PredictionScores:
    """Return the predictions of a table whose cases are compared."""
    assert table._scored is not None
    return table._scored


def _one_test_set(n: int) -> dict[str, Any]:
    return {"n_repeats": None, "n_folds": None, "n_train": None, "n_test": n}


# --- which test is run ------------------------------------------------------------------------------------------------

# the test of one pair, where another test is advised for several classifiers
_PAIR_TESTS = {
    "cochran_q_test": "mcnemar_test",
    "pairwise_corrected_ttest": "corrected_ttest",
    "pairwise_delong_test": "delong_test",
}


def usual_test(advice: WhichTestResult) -> str:
    """Return the test of one pair that is advised, whether or not these data let it speak."""
    return _PAIR_TESTS.get(str(advice.test), str(advice.test))


# every test of a pair on one dataset that may be advised
TESTS: dict[str, Callable[[Family], Tested]] = {
    "corrected_ttest": _by_corrected_t,
    "delong_test": _by_delong,
    "ftest_5x2cv": _by_5x2,
    "mcnemar_test": _by_mcnemar,
    "metric_permutation_test": _by_permutation,
}


# what decides where a test has no p-value: exchanging the two classifiers needs no variance. Folds overlap, and
# nothing that is known of their differences holds its level without one
INSTEAD = {"delong_test": "metric_permutation_test"}


def _order(table: ScoreTable, tie_tolerance: float) -> list[int]:
    """Return the classifiers from the best score to the worst; equal ones in the order of the table."""
    scores = rounded(table.scores[0], tie_tolerance)
    return [int(i) for i in np.argsort(-scores if table.greater_is_better else scores, kind="stable")]


def _ahead(runs: FloatArray, table: ScoreTable, tie_tolerance: float) -> OverlapResult:
    """Tell in how many repeats each classifier had the better score."""
    return overlap_matrix(runs if table.greater_is_better else -runs, tie_tolerance=tie_tolerance)
