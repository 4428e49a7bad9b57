"""How does a decision become the record that reports and plots read? Positions become names, and effects are added."""

from __future__ import annotations

__all__ = ["recorded", "recorded_of_one_dataset"]

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from evalstats._types import BoolArray, FloatArray
from evalstats.comparison.advice import WhichTestResult
from evalstats.comparison.decision import Decision, OneDatasetDecision
from evalstats.comparison.notes import ON_ONE_DATASET, OVER_DATASETS, notes_of
from evalstats.comparison.one_dataset import OneDatasetComparison, OneDatasetPair
from evalstats.comparison.over_datasets import Comparison, Pair
from evalstats.multiple.groups import not_different_groups
from evalstats.paired.sign import wins_and_losses
from evalstats.paired.wilcoxon import wilcoxon_test
from evalstats.tables.score_table import ScoreTable


def recorded(decision: Decision, advise: Callable[[], WhichTestResult]) -> Comparison:
    """Make the record of a decision over several datasets."""
    table, alpha, wilcoxon = decision.table, decision.alpha, decision.wilcoxon
    has_ruler = decision.has_critical_difference
    return Comparison(
        table=table,
        control=None if decision.control is None else table.classifiers[decision.control],
        alpha=alpha,
        tie_tolerance=decision.tie_tolerance,
        mean_ranks=tuple(decision.mean_ranks.tolist()),
        ranking=_names(table, decision.order),
        omnibus=decision.omnibus,
        posthoc=decision.posthoc,
        omnibus_test=decision.omnibus_test,
        posthoc_test=decision.posthoc_test,
        adjustment=decision.adjustment,
        wilcoxon=wilcoxon,
        sign=decision.sign,
        hodges_lehmann_interval=None if wilcoxon is None else wilcoxon.confidence_interval(1 - alpha),
        significant=decision.significant,
        critical_difference=decision.posthoc.critical_difference(alpha) if has_ruler else None,
        smallest_pvalue=decision.smallest_pvalue,
        smallest_posthoc_pvalue=decision.smallest_posthoc_pvalue,
        different=decision.different,
        better=decision.better,
        **_alike(table, decision.control, decision.different, decision.order),
        notes=notes_of(decision, OVER_DATASETS),
        reproducibility=decision.reproducibility,
        pvalues_over_runs=decision.pvalues_over_runs,
        robustness=decision.robustness,
        _advice=advise,
        _pairs=partial(_pairs, decision),
    )


def recorded_of_one_dataset(
    decision: OneDatasetDecision, advice: WhichTestResult, reproducibility: Any
) -> OneDatasetComparison:
    """Make the record of a decision on one dataset."""
    family, tested = decision.family, decision.tested
    table, k = family.table, len(family.table.classifiers)
    first, second = family.columns
    different = np.zeros((k, k), dtype=bool)
    different[first, second] = different[second, first] = decision.shown
    return OneDatasetComparison(
        table=table,
        design=_design(decision),
        pair_test=decision.pair_test,
        control=None if family.control is None else table.classifiers[family.control],
        alpha=family.alpha,
        ranking=_names(table, decision.order),
        omnibus=tested.omnibus,
        tests=tested.tests,
        adjustment="none" if family.are_two else family.adjust,
        significant=decision.significant,
        smallest_pvalue=tested.smallest_pvalue,
        different=different,
        **_alike(table, family.control, different, decision.order),
        notes=notes_of(decision, ON_ONE_DATASET),
        reproducibility=reproducibility,
        _advice=partial(_given, advice),
        _pairs=partial(_given, _pairs_of_one_dataset(decision)),
        **tested.design,
    )


def _alike(table: ScoreTable, control: int | None, different: BoolArray, order: list[int]) -> dict[str, Any]:
    """Return the groups that are not shown to differ; the others are not compared with each other beside a control."""
    if control is not None:
        return {"groups": (), "loose_pairs": ()}
    found = not_different_groups(different, order)
    return {
        "groups": tuple(_names(table, group) for group in found.groups),
        "loose_pairs": tuple(_names(table, pair) for pair in found.loose_pairs),
    }


def _names(table: ScoreTable, positions: Any) -> tuple[Any, ...]:
    return tuple(table.classifiers[i] for i in positions)


def _given(value: Any) -> Any:
    """Return what is known already, where it may also be found out later."""
    return value


# --- pairs over several datasets --------------------------------------------------------------------------------------


class _Effect(NamedTuple):
    """What the scores of two classifiers say without a test, in the direction of the scores."""

    n_larger: int
    n_equal: int
    n_smaller: int
    rank_biserial: float
    hodges_lehmann: Callable[[], float]


def _pairs(decision: Decision) -> tuple[Pair, ...]:
    """Return all pairs with their effect sizes, which no decision needs."""
    table, ranks, different = decision.table, decision.mean_ranks, decision.different
    direction = 1 if table.greater_is_better else -1
    return tuple(
        Pair(
            first=table.classifiers[a],
            second=table.classifiers[b],
            mean_rank_difference=float(ranks[a] - ranks[b]),
            statistic=float(decision.statistic[a, b]),
            pvalue=float(decision.pvalue[a, b]),
            different=bool(different[a, b]),
            n_wins=effect.n_larger if table.greater_is_better else effect.n_smaller,
            n_ties=effect.n_equal,
            n_losses=effect.n_smaller if table.greater_is_better else effect.n_larger,
            rank_biserial=direction * effect.rank_biserial + 0.0,  # no negative zero
            _hodges_lehmann=effect.hodges_lehmann,
        )
        for (a, b), effect in zip(decision.compared, _effects(decision), strict=True)
    )


def _effects(decision: Decision) -> list[_Effect]:
    """Return the effect of each pair, on its common datasets where scores are missing."""
    first, second = np.array(decision.compared).T
    x, y = decision.table.scores.T[first], decision.table.scores.T[second]
    if not decision.table.missing:
        return list(_effects_of(x, y, decision.tie_tolerance))
    effects = [_Effect(0, 0, 0, math.nan, partial(_given, math.nan))] * len(decision.compared)
    from evalstats.pairwise.common_datasets import of_common_datasets

    for at, own_x, own_y in of_common_datasets(x, y):
        for i, effect in zip(at.tolist(), _effects_of(own_x, own_y, decision.tie_tolerance), strict=True):
            effects[i] = effect
    return effects


def _effects_of(x: FloatArray, y: FloatArray, tie_tolerance: float) -> Iterator[_Effect]:
    wins, losses = wins_and_losses(x, y, tie_tolerance)
    # the effect sizes do not depend on the null distribution; the asymptotic one is the cheapest
    signed_ranks = wilcoxon_test(x, y, method="asymptotic", tie_tolerance=tie_tolerance)
    for i, (larger, smaller) in enumerate(zip(wins.tolist(), losses.tolist(), strict=True)):
        yield _Effect(
            n_larger=int(larger),
            n_equal=x.shape[-1] - int(larger) - int(smaller),
            n_smaller=int(smaller),
            rank_biserial=float(signed_ranks.rank_biserial[i]),
            hodges_lehmann=partial(signed_ranks.hodges_lehmann_at, i),
        )


# --- pairs on one dataset ---------------------------------------------------------------------------------------------


def _pairs_of_one_dataset(decision: OneDatasetDecision) -> tuple[OneDatasetPair, ...]:
    tested, names, shown = decision.tested, decision.family.table.classifiers, decision.shown
    return tuple(
        OneDatasetPair(
            first=names[a],
            second=names[b],
            difference=float(tested.difference[i]),
            low=float(tested.low[i]),
            high=float(tested.high[i]),
            statistic=float(tested.statistic[i]),
            pvalue=float(tested.pvalue[i]),
            unadjusted_pvalue=float(tested.unadjusted[i]),
            different=bool(shown[i]),
            **_counts(decision, i),
        )
        for i, (a, b) in enumerate(decision.family.pairs)
    )


def _counts(decision: OneDatasetDecision, i: int) -> dict[str, int | None]:
    """Return wins, ties and losses of the first classifier of a pair; None where the test does not count."""
    tested = decision.tested
    if tested.larger is None or tested.smaller is None:
        return {"n_wins": None, "n_ties": None, "n_losses": None}
    wins, losses = int(tested.larger[i]), int(tested.smaller[i])
    # a case is right or wrong whatever the direction of the score
    if _design(decision) == "folds" and not decision.family.table.greater_is_better:
        wins, losses = losses, wins
    return {"n_wins": wins, "n_ties": tested.n - wins - losses, "n_losses": losses}


def _design(decision: OneDatasetDecision) -> str:
    return "cases" if decision.tested.design["n_folds"] is None else "folds"
