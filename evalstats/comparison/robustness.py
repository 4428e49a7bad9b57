"""Robustness of the decisions: alternative valid analyses, and analyses without one unit or classifier."""

from __future__ import annotations

__all__ = ["assess"]

import math

import numpy as np

from evalstats._types import BoolArray, FloatArray
from evalstats.comparison.designs.design import Alternatives, OtherAnalysis, Part, Question
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.comparison.supplements import Analysis, PairRobustness, Robustness
from evalstats.comparison.validity import lacks_pvalue


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
