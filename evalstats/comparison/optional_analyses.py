"""Optional analyses of a comparison: posteriors, robustness and subgroups."""

from __future__ import annotations

__all__ = ["assess", "posteriors_of", "subgroups_of_comparison"]

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError, listed, short
from evalstats._types import BoolArray, FloatArray
from evalstats.adjustment.pvalues import adjust_pvalues
from evalstats.bayes.posterior import half_width
from evalstats.comparison.designs.design import Alternatives, OtherAnalysis, Part, Question, design_named
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.comparison.supplements import (
    Analysis,
    PairRobustness,
    PosteriorPair,
    Posteriors,
    Robustness,
    SubgroupAnalysis,
    SubgroupPair,
)
from evalstats.comparison.validity import lacks_pvalue
from evalstats.paired.subgroups import FEWEST_INSTANCES, SubgroupTestResult, subgroup_test, subgroup_test_from_estimates
from evalstats.tables.categorical import Subgroups, parts_of
from evalstats.tables.predictions import refuse_clusters

if TYPE_CHECKING:
    from evalstats.comparison.record import Comparison
    from evalstats.tables.aligned_instances import AlignedCases
    from evalstats.tables.prediction_scores import MetricChoice


def assess(question: Question, comparison: Comparison, alternatives: Alternatives) -> Robustness:
    """Run every valid analysis, and repeat the primary analysis with one unit or classifier left out at a time.

    If the comparison has posterior probabilities, they are compared with the decisions of the primary analysis.
    """
    every = list(range(len(comparison._compared)))
    whole = Part(list(range(question.k)), every, list(comparison._compared), question.control)
    primary, *others = alternatives.analyses
    # the p-values of the comparison itself are used, so rounding cannot change a decision
    decided = np.asarray(comparison._compared.of(comparison.different))
    pvalues = comparison._compared.of(comparison._pvalue)
    led = {one.omnibus: float(alternatives.led(one, whole)) for one in alternatives.analyses}
    analyses = [_analysis(question, primary, led[primary.omnibus], pvalues, decided, decided)]
    lacking: dict[str, None] = {}
    for one in others:
        own = alternatives.pvalues(one, whole)
        # without adjustment, it affects no decision; with other adjustments, the test of the comparison is included
        if one.posthoc != primary.posthoc and (lacks_pvalue(own) or math.isnan(led[one.omnibus])):
            lacking[one.posthoc] = None
            continue
        found = _decided(one, own, led[one.omnibus], question.alpha)
        analyses.append(_analysis(question, one, led[one.omnibus], own, found, decided))

    def changes(part: Part) -> BoolArray:
        own, leading = alternatives.pvalues(primary, part), np.asarray(alternatives.led(primary, part))
        return np.asarray(_decided(primary, own, leading[..., None], question.alpha) != decided[part.places])

    without_unit = np.zeros((0, len(decided)), dtype=bool)
    if alternatives.units:
        without_unit = changes(whole._replace(without_units=True))
    without_classifier: list[list[str]] = [[] for _ in every]
    for out, part in _without_each_classifier(question, whole):
        for i in np.array(part.places)[changes(part)].tolist():
            without_classifier[i].append(question.table.classifiers[out])
    why = f"it has no p-value for these {alternatives.no_variance}"
    return _robustness(
        comparison,
        analyses,
        [*alternatives.left_out, *((name, why) for name in lacking)],
        [[alternatives.units[j] for j in np.flatnonzero(changed).tolist()] for changed in without_unit.T],
        (1 - without_unit.mean(axis=0)).tolist() if alternatives.units else [math.nan] * len(every),
        without_classifier,
    )


def _decided(one: OtherAnalysis, pvalues: FloatArray, led: FloatArray | float, alpha: float) -> BoolArray:
    """Return the significantly different pairs of an analysis; a gated test also requires an omnibus rejection."""
    test = POSTHOC_TESTS.get(one.posthoc)
    rejected = pvalues <= alpha
    is_gated = one.omnibus is not None and (test is None or test.is_gated)
    return np.asarray(rejected & np.asarray(led <= alpha) if is_gated else rejected)


def _analysis(
    question: Question, one: OtherAnalysis, led: float, pvalues: FloatArray, different: BoolArray, decided: BoolArray
) -> Analysis:
    is_led = one.omnibus is not None
    alone = float(pvalues[0]) if question.k == 2 else math.nan
    return Analysis(
        omnibus_test=one.omnibus,
        posthoc_test=one.posthoc,
        adjustment=one.adjust,
        is_primary=different is decided,
        omnibus_pvalue=led if is_led else alone,
        significant=led <= question.alpha if is_led else bool(different.any()),
        pvalues=tuple(pvalues.tolist()),
        different=tuple(different.tolist()),
        agreement=float((different == decided).mean()),
    )


def _without_each_classifier(question: Question, whole: Part) -> list[tuple[int, Part]]:
    """Return each classifier that can be left out, with the remaining part of the table."""
    found = []
    for out in whole.kept if question.k > 2 else ():
        if out == question.control:
            continue
        kept = [i for i in whole.kept if i != out]
        place = {old: new for new, old in enumerate(kept)}
        left = [i for i, pair in enumerate(whole.pairs) if out not in pair]
        pairs = [(place[a], place[b]) for a, b in (whole.pairs[i] for i in left)]
        found.append((out, Part(kept, left, pairs, None if question.control is None else place[question.control])))
    return found


def _robustness(
    comparison: Comparison,
    analyses: list[Analysis],
    left_out: list[tuple[str, str]],
    units: list[list[str]],
    stability: list[float],
    classifiers: list[list[str]],
) -> Robustness:
    pvalues = np.array([analysis.pvalues for analysis in analyses])
    different = np.array([analysis.different for analysis in analyses])
    # the p-value is nan for a pair that a test does not apply to
    smallest, largest = np.fmin.reduce(pvalues), np.fmax.reduce(pvalues)
    better, posteriors = comparison._compared.of(comparison.better), comparison.posteriors
    outcomes = {} if posteriors is None else {(pair.first, pair.second): pair.outcome for pair in posteriors.pairs}
    return Robustness(
        analyses=tuple(analyses),
        left_out=tuple(left_out),
        pairs=tuple(
            PairRobustness(
                first=first,
                second=second,
                different=bool(different[0, i]),
                n_different=int(different[:, i].sum()),
                smallest_pvalue=float(smallest[i]),
                largest_pvalue=float(largest[i]),
                deciding_datasets=tuple(units[i]),
                stability=stability[i],
                deciding_classifiers=tuple(classifiers[i]),
                posterior=(outcome := outcomes.get((first, second))),
                posterior_agrees=None if outcome is None else _agrees(outcome, bool(different[0, i]), bool(better[i])),
            )
            for i, (first, second) in enumerate(comparison.compared)
        ),
        agreement=float((different == different[0]).mean()),
    )


def _agrees(outcome: str, different: bool, first_is_better: bool) -> bool:
    """Return whether a posterior outcome and a test find the same classifier better, or neither finds one better."""
    found = ("better" if first_is_better else "worse") if different else None
    return found == (outcome if outcome in ("better", "worse") else None)


# maximum numbers of pairs and of differences; a posterior of signed ranks takes 1 ms for each dataset
MOST_PAIRS, MOST_DIFFERENCES, FEW_PAIRS = 300, 40_000, 10


def posteriors_of(comparison: Comparison, rope: Any, rng: Any) -> Posteriors:
    """Return the posterior probabilities of the pairs of a comparison, to be computed on demand."""
    rope = _understand_rope(rope, comparison)
    design = design_named(comparison.design)
    assert design.posterior_test is not None
    test = design.posterior_test(comparison)
    source = _checks.random_source(rng)
    seed = int(source.generator().integers(2**32)) if source.seed is None else source.seed
    threshold = max(1 - comparison.alpha, 0.5)
    n_datasets = comparison.n_datasets
    most = min(MOST_PAIRS, max(FEW_PAIRS, MOST_DIFFERENCES // n_datasets))
    is_exact = test in ("accuracy", "correlated-t")
    return Posteriors(
        rope=rope,
        threshold=threshold,
        test=test,
        n_simulations=None if is_exact else 50_000,
        seed=None if is_exact else seed,
        n_pairs=comparison.n_pairs,
        _find=partial(_pairs, comparison, test, rope, threshold, seed, most),
    )


def _understand_rope(rope: Any, comparison: Comparison) -> float:
    value, scores = half_width(_checks.real(rope, "rope")), comparison.table.scores
    if value >= 1 and np.nanmin(scores) >= 0 and np.nanmax(scores) <= 1:
        hint = f"; if {value:g} means percentage points, write {value / 100:g}" if value <= 50 else ""
        raise InvalidValueError(f"rope must be below 1 if the scores lie between 0 and 1, not {value:g}{hint}")
    return value


def _pairs(
    comparison: Comparison, test: str, rope: float, threshold: float, seed: int, most: int
) -> tuple[PosteriorPair, ...]:
    compared = [(pair.first, pair.second) for pair in comparison.pairs_with_smallest_pvalues(most)]
    at, better = comparison.table.position, comparison.table.greater_is_better
    found: list[PosteriorPair] = []
    posteriors = design_named(comparison.design).posteriors
    assert posteriors is not None
    for places, result in posteriors(comparison, test, [(at(a), at(b)) for a, b in compared], rope, seed):
        p_first, p_second = (result.p_greater, result.p_less) if better else (result.p_less, result.p_greater)
        decided = result.decision(threshold)
        names = [tuple(comparison.table.classifiers[i] for i in pair) for pair in places]
        for i, (first, second) in enumerate(names):
            outcome = {None: "undecided", "rope": "equivalent", "x": "better", "y": "worse"}[decided[i]]
            found.append(
                PosteriorPair(
                    first=first,
                    second=second,
                    p_better=float(p_first[i]),
                    p_equivalent=float(result.p_rope[i]),
                    p_worse=float(p_second[i]),
                    outcome=outcome if better else {"better": "worse", "worse": "better"}.get(outcome, outcome),
                    reason=result.reason[i],
                )
            )
    place = {pair: i for i, pair in enumerate(compared)}
    return tuple(sorted(found, key=lambda pair: place[pair.first, pair.second]))


# number of bootstrap samples for a metric without a formula for its standard error
N_BOOTSTRAP = 1999


def subgroups_of_comparison(comparison: Comparison, column: str, n_resamples: int | None, rng: Any) -> SubgroupAnalysis:
    """Return the differences of every compared pair in the subgroups of a column."""
    data = _data_of(comparison, column)
    pairs = comparison.compared
    level = 1 - comparison.alpha / len(pairs)  # Bonferroni's inequality over the pairs
    found = list(_tested(comparison, data, level, n_resamples, rng))
    interaction, crossover = (
        adjust_pvalues([getattr(one, name) for one in found], nan_policy="omit")
        for name in ("pvalue", "crossover_pvalue")
    )
    within = adjust_pvalues(np.concatenate([one.subgroup_pvalue for one in found]), nan_policy="omit")
    own = [
        SubgroupPair(first=a, second=b, test=one, pvalue=p, crossover_pvalue=q, subgroup_pvalue=each)
        for (a, b), one, p, q, each in zip(
            pairs, found, interaction.tolist(), crossover.tolist(), within.reshape(len(pairs), -1), strict=True
        )
    ]
    counts = np.bincount(data.subgroup.code, minlength=len(data.subgroup.names))
    return SubgroupAnalysis(
        column=data.subgroup.column,
        subgroups=data.subgroup.names,
        n_instances=tuple(counts.tolist()),
        metric=comparison.table.metric,
        alpha=comparison.alpha,
        unit=data.unit,
        pairs=tuple(own),
        left_out=data.left_out,
    )


# --- what is compared in the subgroups --------------------------------------------------------------------------------


class _Data(NamedTuple):
    """Scores of each instance if the metric is the mean of these scores, or the predictions and any other metric."""

    subgroup: Subgroups
    unit: str
    scores: FloatArray | None  # shape (n_classifiers, n); higher is better
    clusters: Any
    cases: AlignedCases | None
    choice: MetricChoice | None
    left_out: dict[str, str]


def _data_of(comparison: Comparison, column: str) -> _Data:
    if comparison.design == "questions":
        items = comparison.table._items
        assert items is not None
        given = _of_column(items.subgroup, column)
        sign = 1 if comparison.table.greater_is_better else -1
        return _Data(given, "question", sign * items.scores.T, items.cluster, None, None, {})
    if comparison.design != "instances":
        raise InvalidValueError(
            f"subgroup is for classifiers that are compared by individual instances or questions, but here "
            f"{comparison.design} are compared"
        )
    from evalstats.tables.aligned_instances import aligned_cases

    scored = comparison.table._scored
    assert scored is not None
    cases, choice = aligned_cases(scored._predictions), scored._choice
    given = _of_column(cases.subgroup, column)
    if choice.base in ("accuracy", "error_rate") and choice.average is None:
        clusters = None if cases.cluster is None else cases.cluster.labels
        return _Data(given, "instance", cases.is_right.astype(np.float64), clusters, None, None, {})
    refuse_clusters(scored._predictions, f"subgroups by {choice.name} (only by accuracy)")
    return _Data(given, "instance", None, None, cases, choice, {})


def _of_column(given: Subgroups | None, column: str) -> Subgroups:
    if given is None or parts_of(given.column) != parts_of(column):
        known = "without subgroups" if given is None else f"with the subgroups of {short(given.column)}"
        raise InvalidValueError(
            f"subgroup must be the column that the source was read with, but the source was read {known}, not with "
            f"{short(column)}; "
            f"read it with columns={{'subgroup': {column!r}}}"
        )
    if len(given.names) < 2:
        raise InvalidValueError(f"subgroup must name a column of two or more subgroups, but {short(column)} holds one")
    return given


# --- the tests --------------------------------------------------------------------------------------------------------


def _tested(
    comparison: Comparison, data: _Data, level: float, n_resamples: int | None, rng: Any
) -> Iterator[SubgroupTestResult]:
    """Yield the subgroup test of each compared pair."""
    at = [tuple(map(comparison.table.position, pair)) for pair in comparison.compared]
    if data.scores is not None:
        labels = np.array(data.subgroup.labels, dtype=object)
        asked: dict[str, Any] = {"clusters": data.clusters, "confidence_level": level, "rng": rng}
        if n_resamples is not None:
            asked["n_resamples"] = n_resamples
        for i, j in at:
            yield subgroup_test(data.scores[i], data.scores[j], labels, **asked)
        return
    groups = _groups_with_metric(data)
    estimate = _estimates(data, n_resamples, rng)
    for i, j in at:
        found = [estimate(rows, i, j) for rows in groups.values()]
        yield _combined(tuple(groups), found, level)


def _groups_with_metric(data: _Data) -> dict[str, Any]:
    """Return the rows of each subgroup with at least two classes, and record why other subgroups are left out."""
    assert data.cases is not None
    assert data.choice is not None
    groups: dict[str, Any] = {}
    for i, name in enumerate(data.subgroup.names):
        rows = np.flatnonzero(data.subgroup.code == i)
        if len(np.unique(data.cases.y_true[rows])) < 2:
            data.left_out[name] = "all of its instances have the same true label"
        else:
            groups[name] = rows
    if len(groups) < 2:
        raise InvalidValueError(
            f"subgroup must have two or more subgroups in which {data.choice.name} is defined, but it has {len(groups)}"
        )
    return groups


def _estimates(data: _Data, n_resamples: int | None, rng: Any) -> Callable[[Any, int, int], tuple[float, float, int]]:
    """Return a function that estimates the difference of two classifiers in a subgroup and its standard error."""
    from evalstats.comparison.designs.instances import as_the_metric_takes
    from evalstats.paired.delong import delong_test
    from evalstats.paired.metric_bootstrap import metric_bootstrap_test

    cases, choice = data.cases, data.choice
    assert cases is not None
    assert choice is not None
    y_true, predicted, choices = as_the_metric_takes(cases, choice)
    sign = 1 if choice.record.greater_is_better else -1
    is_area = choice.base == "roc_auc" and choice.average is None
    n = N_BOOTSTRAP if n_resamples is None else _checks.count(n_resamples, "n_resamples", minimum=1)

    def estimate(rows: Any, i: int, j: int) -> tuple[float, float, int]:
        own = y_true[rows], predicted[i][rows], predicted[j][rows]
        if is_area:
            area = delong_test(*own)
            return float(area.difference), float(area.standard_error), len(rows)
        found = metric_bootstrap_test(*own, **choices, stratified=True, n_resamples=n, rng=rng)
        return sign * float(found.difference), float(found.standard_error), len(rows)

    return estimate


def _combined(names: tuple[str, ...], found: list[tuple[float, float, int]], level: float) -> SubgroupTestResult:
    """Test the differences in the subgroups, except subgroups without a standard error or with few instances."""
    d, error, n = (np.array(column) for column in zip(*found, strict=True))
    is_small = n < FEWEST_INSTANCES
    varies = np.isfinite(d) & (error > 0)
    known = varies & ~is_small
    told = [
        f"{words}: {listed([name for name, one in zip(names, own, strict=True) if one])}"
        for words, own in (
            (f"subgroups of fewer than {FEWEST_INSTANCES} instances or clusters are not tested", is_small),
            ("there are no limits for subgroups whose differences do not vary", ~varies & ~is_small),
        )
        if own.any()
    ]
    if known.sum() < 2:  # a test of zeros returns a result of the required type, whose numbers are undefined
        known = np.zeros(d.shape, dtype=np.bool_)
        tested = subgroup_test_from_estimates(np.zeros(2), np.ones(2), confidence_level=level)
        undefined = (
            *("statistic", "pvalue", "mean_difference", "mean_standard_error"),
            *("worst_lower", "crossover_statistic", "crossover_pvalue"),
        )
        none: dict[str, Any] = {"df": 0, "n_subgroups": 0, "worst_subgroup": None} | dict.fromkeys(undefined, math.nan)
        tested = replace(tested, **none)
        told.append("fewer than two subgroups can be tested")
    else:
        kept = [name for name, is_known in zip(names, known, strict=True) if is_known]
        tested = subgroup_test_from_estimates(d[known], error[known], subgroups=kept, confidence_level=level)
    every: dict[str, Any] = {}
    for name in ("lower", "upper", "subgroup_pvalue", "adjusted_pvalue"):
        every[name] = np.full(d.shape, math.nan)
        if known.any():
            every[name][known] = getattr(tested, name)
    every |= {"subgroups": names, "difference": d, "standard_error": error, "n_instances": n}
    return replace(tested, reason="; ".join(told) or None, **every)
