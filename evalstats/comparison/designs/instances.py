"""Instances of one test set as the sample; each classifier predicts each instance once."""

from __future__ import annotations

__all__ = ["DESIGN", "as_the_metric_takes", "clusters_of", "in_usual_order", "summed_up_as_tested"]

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats._errors import InvalidValueError, short
from evalstats._ranks import compared as compared_scores
from evalstats._result import HypothesisTestResult
from evalstats._types import AnyArray, FloatArray
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
    draws,
    each_adjusted,
    order_of,
    pair_test_of,
)
from evalstats.comparison.notes import ON_ONE_DATASET
from evalstats.comparison.ranking import RankedPairs
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import TESTS_OF_DIFFERENCES
from evalstats.comparison.validity import valid_test
from evalstats.io.reader.tables import read_table
from evalstats.io.sources.numbers import written_number
from evalstats.metrics.cluster_variance import Clusters, understand_clusters
from evalstats.multiple.cochran import CochranQTestResult, cochran_q_of_patterns
from evalstats.paired.delong import delong_test
from evalstats.paired.mcnemar import mcnemar_test
from evalstats.paired.metric_bootstrap import metric_bootstrap_test
from evalstats.paired.metric_permutation import metric_permutation_test
from evalstats.paired.noninferiority import difference_in_clusters
from evalstats.pairwise.delong import pairwise_delong_test
from evalstats.pairwise.mcnemar import pairwise_mcnemar_from_both
from evalstats.tables.aligned_instances import AlignedCases, aligned_cases, times_predicted
from evalstats.tables.correct_answers import right_patterns
from evalstats.tables.prediction_scores import MetricChoice, PredictionScores
from evalstats.tables.predictions import refuse_clusters
from evalstats.tables.score_table import ScoreTable

if TYPE_CHECKING:
    from evalstats.bayes.posterior import PosteriorResult

_MCNEMAR: dict[str, dict[str, Any]] = {
    "mcnemar-midp": {"method": "midp"},
    "mcnemar-chi2": {"method": "asymptotic", "correction": False},
    "mcnemar-chi2-corrected": {"method": "asymptotic"},
}
FEW_CLUSTERS = "the bootstrap of few clusters rejects too often"


# --- compared units ---------------------------------------------------------------------------------------------------


def summed_up_as_tested(table: ScoreTable) -> ScoreTable:
    """Return the table of one dataset with the score that its test compares, or raise an error.

    If each instance is predicted once, the test compares the predictions of the instances. If instances are predicted
    several times, the test compares the scores of the folds, so the score must be the mean of these scores.
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
        "each instance was predicted several times, so the scores of the folds are compared"
        if is_repeated
        else "no test compares the F of mean precision and mean recall"
    )
    others = "" if is_repeated or not choice.is_f1 else "aggregate='tp_fp', or "
    raise InvalidValueError(
        f"the score is {scored.description}, but {why}: read the predictions with {others}aggregate='mean' to compare "
        "the scores of the folds"
    )


def _is_mean_over_folds(table: ScoreTable) -> bool:
    """Return whether the score equals the mean over the folds, such as accuracy with equal folds."""
    means = table.folds[0].scores.mean(axis=(0, 1))
    return bool((compared_scores(table.scores[0], means) == 0).all())


def in_usual_order(cases: AlignedCases, labels: tuple[str, ...]) -> AlignedCases:
    """Renumber the labels in sorted order, because random draws would otherwise depend on the order of the labels."""
    if cases.y_pred is None:
        return cases
    values = [written_number(label, ".") for label in labels]
    order = np.argsort(np.array(labels if None in values else values), kind="stable")
    number = np.argsort(order)
    positive = -1 if cases.positive < 0 else int(number[cases.positive])
    return cases._replace(y_true=number[cases.y_true], y_pred=number[cases.y_pred], positive=positive)


def as_the_metric_takes(cases: AlignedCases, choice: MetricChoice) -> tuple[AnyArray, AnyArray, dict[str, Any]]:
    """Return true labels, predictions of each classifier, and options, in the form that the metric requires."""
    choices: dict[str, Any] = {"metric": choice.base, "undefined": "zero" if choice.undefined == "zero" else "nan"}
    if choice.average is not None:
        choices["average"] = choice.average
    predicted = cases.y_pred if choice.record.needs == "labels" else cases.y_score
    assert predicted is not None
    if not choice.needs_positive:
        return cases.y_true, predicted, choices
    if choice.record.needs == "labels":
        predicted = np.equal(predicted, cases.positive).astype(np.int64)
    return cases.is_positive.astype(np.int64), predicted, choices | {"pos_label": 1}


def _scored(table: ScoreTable) -> PredictionScores:
    """Return the predictions of a table whose instances are compared."""
    assert table._scored is not None
    return table._scored


class _Resampled(NamedTuple):
    """Predictions in the form that resampling tests for any metric require."""

    y_true: AnyArray
    of_classifier: AnyArray
    choices: dict[str, Any]
    draws: dict[str, Any]

    @classmethod
    def of(cls, table: ScoreTable, n_resamples: int | None, rng: Any) -> _Resampled:
        """Return the predictions of a table with the options of its metric."""
        scored = _scored(table)
        cases = in_usual_order(aligned_cases(scored._predictions), scored._predictions.labels)
        y_true, of_classifier, choices = as_the_metric_takes(cases, scored._choice)
        if cases.cluster is not None:
            choices["clusters"] = cases.cluster.code
        return cls(y_true, of_classifier, choices, draws(n_resamples, rng))

    @property
    def in_clusters(self) -> bool:
        """Whether the instances are in clusters."""
        return "clusters" in self.choices

    def each(self, test: Callable[..., Any], pairs: Any) -> list[Any]:
        """Return the results of a test for each pair."""
        choices = self.choices | ({} if test is difference_in_clusters else self.draws)
        return [test(self.y_true, self.of_classifier[a], self.of_classifier[b], **choices) for a, b in pairs]

    def limits(self, pairs: Any, alpha: float) -> FloatArray:
        """Return two rows with the limits of each pair, by the jackknife if there are clusters, or by the bootstrap."""
        if self.in_clusters:
            return np.array([one.limits(alpha / 2) for one in self.each(difference_in_clusters, pairs)]).T
        found = self.each(metric_bootstrap_test, pairs)
        return np.array([tuple(one.confidence_interval(1 - alpha)) for one in found]).T


# --- tests of the pairs -----------------------------------------------------------------------------------------------


class _OfPairs(NamedTuple):
    """Results of a post-hoc test: `columns` contains unadjusted p-values, and `adjusted` contains adjusted p-values."""

    tests: tuple[HypothesisTestResult, ...]
    adjusted: FloatArray
    columns: dict[str, AnyArray | None]
    n: int
    omnibus: CochranQTestResult | None = None
    min_attainable_pvalue: float | None = None

    @property
    def pvalue(self) -> Any:
        """Unadjusted p-value of each pair."""
        return self.columns["unadjusted_pvalue"]

    @property
    def reason(self) -> list[Any]:
        """Reason for a missing p-value of each pair, or None."""
        return [test.reason for test in self.tests]


def _test(question: Question) -> Answer:
    table = question.table
    order = order_of(table.scores[0], greater_is_better=table.greater_is_better, tie_tolerance=question.tie_tolerance)
    compared = RankedPairs(order, question.control)
    advised = question.advised
    name, found, replaced = valid_test(
        "pairs", TESTS_OF_DIFFERENCES, advised, lambda one: _TESTS[one](question, compared)
    )
    return by_differences(
        question,
        compared,
        order,
        found.adjusted,
        {"n_wins": None, "n_ties": None, "n_losses": None} | found.columns,
        pair_test=name,
        omnibus=found.omnibus,
        is_gated=found.omnibus is not None,
        min_attainable_pvalue=found.min_attainable_pvalue,
        smallest_of_pair=found.min_attainable_pvalue if question.k == 2 else None,
        reasons=found.reason,
        replaced=replaced,
        **_of_clusters(question.table, {"tests": found.tests, "n_test": found.n}),
    )


def clusters_of(table: ScoreTable) -> Clusters | None:
    """Return the clusters of the instances, or None if the instances are independent."""
    predictions = _scored(table)._predictions
    cluster = None if predictions._cluster is None else aligned_cases(predictions).cluster
    return None if cluster is None else understand_clusters(cluster.code, None, "micro", len(cluster.code))


def _of_clusters(table: ScoreTable, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of the record, and add the clusters of the instances if they exist."""
    clusters, cluster = clusters_of(table), _scored(table)._predictions._cluster
    if clusters is None or cluster is None:
        return {"fields": fields}
    fields |= {"n_clusters": int(clusters.n_clusters.sum()), "columns": {"cluster": cluster.column}}
    return {"fields": fields, "n_effective": clusters.effective}


def _single(question: Question, compared: RankedPairs, one: Any, test: HypothesisTestResult) -> tuple[Any, Any]:
    """Return the adjusted p-values of all pairs, and the columns of the tests of individual pairs."""
    low, high = one.confidence_interval(1 - question.alpha)
    columns = {"statistic": one.statistic, "unadjusted_pvalue": one.pvalue}
    adjusted = one.pvalue if question.k == 2 else compared.of(test.pvalue)
    return adjusted, columns | {"difference": one.difference, "low": low, "high": high}


def _by_mcnemar(question: Question, compared: RankedPairs) -> _OfPairs:
    scored = _scored(question.table)
    patterns = right_patterns(scored._predictions)
    tables, (first, second) = patterns.tables, compared.sides()
    single, omnibus = mcnemar_test(counts=tables[first, second]), None
    smallest = float(np.ravel(single.min_attainable_pvalue)[0])
    if question.k == 2:
        test: HypothesisTestResult = mcnemar_test(counts=tables[first[0], second[0]])
    else:
        omnibus = cochran_q_of_patterns(*patterns)
        smallest = float(omnibus.min_attainable_pvalue)
        family: dict[str, Any] = {"control": question.control, "adjust": question.adjustment}
        test = pairwise_mcnemar_from_both(patterns.both, patterns.n, **family)
    adjusted, columns = _single(question, compared, single, test)
    wins, losses = single.table[..., 0, 1], single.table[..., 1, 0]  # correct or incorrect, for either direction
    columns |= {"n_wins": wins, "n_ties": patterns.n - wins - losses, "n_losses": losses}
    if not scored._choice.record.greater_is_better:
        # the error rate is one minus the accuracy, so the test is the same with the opposite difference
        mirrored = {"difference": columns["difference"], "low": columns["high"], "high": columns["low"]}
        columns |= {name: 0.0 - values for name, values in mirrored.items()}
    return _OfPairs((test,), adjusted, columns, patterns.n, omnibus, smallest)


def _by_delong(question: Question, compared: RankedPairs) -> _OfPairs:
    cases = aligned_cases(_scored(question.table)._predictions)
    assert cases.y_score is not None
    scores, positive, (first, second) = cases.y_score, cases.is_positive, compared.sides()
    single = delong_test(positive, scores[first], scores[second])
    if question.k == 2:
        test: HypothesisTestResult = delong_test(positive, scores[first[0]], scores[second[0]])
    else:
        test = pairwise_delong_test(positive, scores.T, control=question.control, adjust=question.adjustment)
    return _OfPairs((test,), *_single(question, compared, single, test), scores.shape[-1])


def _by_permutation(question: Question, compared: RankedPairs) -> _OfPairs:
    answers = _Resampled.of(question.table, question.n_resamples, question.rng)
    tests = answers.each(metric_permutation_test, compared)
    low, high = answers.limits(compared, question.alpha)
    unadjusted = np.array([test.pvalue for test in tests])
    columns: dict[str, AnyArray | None] = {"low": low, "high": high, "unadjusted_pvalue": unadjusted}
    columns |= {name: np.array([getattr(test, name) for test in tests]) for name in ("statistic", "difference")}

    def adjusted(pvalues: FloatArray) -> FloatArray:
        return adjusted_pairs(pvalues, compared, question.k, question.control, question.adjustment)

    smallest = None
    if answers.in_clusters:
        # exchanging all clusters changes only the sign of the difference
        exchangeable = max(test.n_exchangeable for test in tests)
        smallest = float(np.nanmin(adjusted(np.full(len(tests), min(1.0, 2.0 ** (1 - exchangeable))))))
    return _OfPairs(tuple(tests), adjusted(unadjusted), columns, len(answers.y_true), None, smallest)


_TESTS: dict[str, Callable[[Question, RankedPairs], _OfPairs]] = {
    "delong_test": _by_delong,
    "mcnemar_test": _by_mcnemar,
    "metric_permutation_test": _by_permutation,
}


# --- supplements of the test ------------------------------------------------------------------------------------------


def _margin_problems(comparison: Comparison, places: Places, n_resamples: int | None, rng: Any) -> Iterator[Any]:
    from evalstats.paired.accuracy_noninferiority import AccuracyPair
    from evalstats.paired.auc_noninferiority import area_margin
    from evalstats.paired.mcnemar import table_of_right
    from evalstats.paired.noninferiority import MetricMargin

    cases = aligned_cases(_scored(comparison.table)._predictions)
    if cases.cluster is not None:
        yield from _in_clusters(comparison, cases, places)
        return
    if comparison.pair_test == "mcnemar_test":
        right = cases.is_right
        yield from (AccuracyPair(table_of_right(right[i], right[j]), "score") for i, j in places)
        return
    # also if the comparison without a margin uses a replacement
    if comparison.advice is not None and pair_test_of(comparison.advice) == "delong_test":
        assert cases.y_score is not None
        yield from (area_margin(cases.is_positive, cases.y_score[i], cases.y_score[j]) for i, j in places)
        return
    answers = _Resampled.of(comparison.table, n_resamples, rng)
    ahead = [ahead_of(i, j, comparison.table) for i, j in places]
    yield from map(MetricMargin, answers.each(metric_bootstrap_test, ahead))


def _in_clusters(comparison: Comparison, cases: AlignedCases, places: Places) -> Iterator[Any]:
    """Yield the margin problems of instances in clusters, as in a gate: a score test of accuracies, or a t-test."""
    from evalstats.metrics.cluster_variance import understand_groups
    from evalstats.paired.accuracy_noninferiority import GroupedAccuracyPair

    assert cases.cluster is not None
    choice = _scored(comparison.table)._choice
    ahead = [ahead_of(i, j, comparison.table) for i, j in places]
    if choice.base not in ("accuracy", "error_rate") or choice.average is not None:
        yield from _Resampled.of(comparison.table, None, None).each(difference_in_clusters, ahead)
        return
    groups, right = understand_groups(cases.cluster.code, len(cases.y_true)), cases.is_right
    yield from (GroupedAccuracyPair(right[i], right[j], groups) for i, j in places)


def _posterior_test(comparison: Comparison) -> str:
    refuse_clusters(_scored(comparison.table)._predictions, "rope")
    if comparison.pair_test == "mcnemar_test":
        return "accuracy"
    raise InvalidValueError(
        "rope requires accuracy or error rate for the instances of one test set, not "
        f"{short(comparison.table.metric)}; to test whether a classifier is not worse than another, use margin="
    )


def _posteriors(
    comparison: Comparison, _: str, places: Places, rope: float, __: int
) -> Iterator[tuple[Places, PosteriorResult]]:
    from evalstats.bayes.accuracy import bayes_accuracy_test

    # for an error rate, both sides are exchanged: x makes more errors if y is correct more often
    first, second = (list(one) for one in zip(*places, strict=True))
    first, second = ahead_of(first, second, comparison.table)
    tables = right_patterns(_scored(comparison.table)._predictions).tables
    yield places, bayes_accuracy_test(counts=tables[first, second], rope=rope)


def _alternatives(question: Question, comparison: Comparison) -> Alternatives:
    is_led = comparison.omnibus is not None
    patterns = right_patterns(_scored(question.table)._predictions) if comparison.pair_test == "mcnemar_test" else None
    compared, names = comparison._compared, TESTS_OF_DIFFERENCES[comparison.pair_test].analyses
    if comparison.n_clusters is not None:  # the bootstrap of few clusters rejects too often
        names = names[:1]
    found = {name: _unadjusted(name, question, compared) for name in names[1:]}
    found[names[0]] = np.asarray(comparison._columns(range(len(compared)))["unadjusted_pvalue"])

    def led(_: OtherAnalysis, part: Part) -> float:
        if patterns is None or len(part.kept) < 3:
            return 0.0
        return float(cochran_q_of_patterns(*patterns.select(part.kept)).pvalue)

    def pvalues(analysis: OtherAnalysis, part: Part) -> FloatArray:
        alone = found[analysis.posthoc][part.places]
        return adjusted_pairs(alone, part.pairs, len(part.kept), part.control, analysis.adjust)

    return Alternatives(
        analyses=each_adjusted(question, names, "cochran" if is_led else None),
        left_out=[] if comparison.n_clusters is None else [("bootstrap", FEW_CLUSTERS)],
        units=[],
        led=led,
        pvalues=pvalues,
        no_variance="predictions, whose differences do not vary",
    )


def _unadjusted(name: str, question: Question, compared: RankedPairs) -> FloatArray:
    """Return the unadjusted p-values of the pairs from an alternative valid test."""
    if name in _MCNEMAR:
        tables = right_patterns(_scored(question.table)._predictions).tables
        return np.asarray(mcnemar_test(counts=tables[compared.sides()], **_MCNEMAR[name]).pvalue)
    test = metric_permutation_test if name == "permutation" else metric_bootstrap_test
    answers = _Resampled.of(question.table, question.n_resamples, question.rng)
    return np.array([one.pvalue for one in answers.each(test, compared)])


DESIGN = Design(
    test=_test,
    notes=ON_ONE_DATASET,
    why_no_choice="the table holds one dataset, whose folds or instances are compared",
    margin_problems=_margin_problems,
    posterior_test=_posterior_test,
    posteriors=_posteriors,
    alternatives=_alternatives,
)
