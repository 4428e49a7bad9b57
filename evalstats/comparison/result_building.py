"""How does a decision become the record that reports and plots read? Positions become names, and effects are added."""

from __future__ import annotations

__all__ = ["decisions", "given", "recorded", "recorded_of_one_dataset"]

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from evalstats._types import BoolArray, FloatArray
from evalstats.comparison.advice.recommendation import WhichTestResult
from evalstats.comparison.decision import Decision, OneDatasetDecision
from evalstats.comparison.notes import ON_ONE_DATASET, OVER_DATASETS, notes_of
from evalstats.comparison.pair import Pair
from evalstats.comparison.pair_effects import hodges_lehmann, pair_columns, pairs_at, pvalues_of_pairs
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.multiple.subsets import homogeneous_subsets
from evalstats.tables.score_table import ScoreTable

# beyond so many pairs exact tests of all of them take seconds
MOST_PAIRS = 1000


def recorded(decision: Decision, advise: Callable[[], WhichTestResult]) -> Comparison:
    """Make the record of a decision over several datasets."""
    table, alpha, wilcoxon = decision.table, decision.alpha, decision.wilcoxon
    has_ruler = decision.has_critical_difference
    return Comparison(
        table=table,
        design="datasets",
        control=None if decision.control is None else table.classifiers[decision.control],
        alpha=alpha,
        tie_tolerance=decision.tie_tolerance,
        mean_ranks=tuple(decision.mean_ranks.tolist()),
        ranking=_names(table, decision.order),
        omnibus=decision.omnibus,
        posthoc=decision.posthoc,
        omnibus_test=decision.omnibus_test,
        posthoc_test=decision.posthoc_test,
        pair_test=decision.posthoc_test or "wilcoxon",
        adjustment=decision.adjustment,
        wilcoxon=wilcoxon,
        sign=decision.sign,
        hodges_lehmann_interval=None if wilcoxon is None else wilcoxon.confidence_interval(1 - alpha),
        significant=decision.significant,
        critical_difference=decision.posthoc.critical_difference(alpha) if has_ruler else None,
        min_attainable_pvalue=decision.min_attainable_pvalue,
        smallest_posthoc_pvalue=decision.smallest_posthoc_pvalue,
        different=decision.different,
        better=decision.better,
        **_homogeneous(table, decision.control, decision.different, decision.order),
        notes=notes_of(decision, OVER_DATASETS),
        reproducibility=decision.reproducibility,
        pvalues_over_runs=decision.pvalues_over_runs,
        robustness=decision.robustness,
        validity=decision.validity,
        _means_otherwise=partial(_means_otherwise, decision),
        _decided_otherwise=partial(_decided_otherwise, decision),
        _advice=advise,
        _compared=decision.compared,
        _pvalues=partial(pvalues_of_pairs, decision),
        _pairs=partial(pairs_at, decision),
        _columns=partial(pair_columns, decision),
        _estimates=partial(hodges_lehmann, decision),
    )


def _decided_otherwise(decision: Decision) -> tuple[tuple[str, str], ...]:
    """Return the pairs on which Wilcoxon's test with Holm's method decides otherwise than a test of mean ranks."""
    is_of_ranks = decision.posthoc_test is not None and not POSTHOC_TESTS[decision.posthoc_test].effect
    if not (is_of_ranks and decision.significant) or decision.table.missing or len(decision.compared) > MOST_PAIRS:
        return ()
    found = POSTHOC_TESTS["wilcoxon"].run(
        decision.table.scores,
        control=decision.control,
        adjust="holm",
        greater_is_better=decision.table.greater_is_better,
        tie_tolerance=decision.tie_tolerance,
    )
    rejects = np.asarray(found.pvalue <= decision.alpha)
    own = decision.different
    return tuple(
        _names(decision.table, (a, b))
        for a, b in decision.compared
        if bool(rejects[a] if decision.control is not None else rejects[a, b]) != bool(own[a, b])
    )


def _means_otherwise(decision: Decision) -> tuple[tuple[str, str], ...]:
    """Return the pairs that are shown to differ and whose means say the opposite, the better first."""
    found = decision.means_otherwise
    return tuple(_names(decision.table, pair) for pair in np.argwhere(found).tolist())


def recorded_of_one_dataset(decision: OneDatasetDecision, advice: WhichTestResult, reproducibility: Any) -> Comparison:
    """Make the record of a decision on one dataset."""
    family, tested = decision.family, decision.tested
    table = family.table
    ahead = tested.difference if table.greater_is_better else -tested.difference
    return Comparison(
        table=table,
        design=_design(decision),
        pair_test=decision.pair_test,
        control=None if family.control is None else table.classifiers[family.control],
        alpha=family.alpha,
        tie_tolerance=family.tie_tolerance,
        ranking=_names(table, decision.order),
        omnibus=tested.omnibus,
        tests=tested.tests,
        adjustment="none" if family.are_two else family.adjust,
        significant=decision.significant,
        min_attainable_pvalue=tested.min_attainable_pvalue,
        **decisions(table, family.control, family.pairs, decision.shown, ahead, decision.order),
        notes=notes_of(decision, ON_ONE_DATASET),
        reproducibility=reproducibility,
        robustness=decision.robustness,
        validity=decision.validity,
        _advice=partial(given, advice),
        _compared=family.pairs,
        _pvalues=partial(given, tested.pvalue),
        _pairs=partial(_pairs_of_one_dataset, decision),
        **tested.design,
    )


def decisions(
    table: ScoreTable,
    control: int | None,
    pairs: Sequence[tuple[int, int]],
    shown: Any,
    ahead: FloatArray,
    order: list[int],
) -> dict[str, Any]:
    """Return who differs, who is better and who stands together, by the differences of pairs.

    Parameters
    ----------
    table : ScoreTable
    control : int or None
    pairs : sequence of (int, int)
        Places of the two classifiers of each pair.
    shown : array_like of bool, shape (n_pairs,)
        Which pairs are shown to differ.
    ahead : ndarray of float64, shape (n_pairs,)
        By how much the first of each pair is better.
    order : list of int
        The classifiers, best first.

    Returns
    -------
    dict
    """
    first, second = np.array(pairs).T
    different, better = np.zeros((2, len(table.classifiers), len(table.classifiers)), dtype=bool)
    different[first, second] = different[second, first] = shown
    better[first, second], better[second, first] = ahead > 0, ahead < 0
    return {"different": different, "better": better, **_homogeneous(table, control, different, order)}


def _homogeneous(table: ScoreTable, control: int | None, different: BoolArray, order: list[int]) -> dict[str, Any]:
    """Return the groups that are not shown to differ; the others are not compared with each other beside a control."""
    if control is not None:
        return {"groups": (), "pairs_outside_subsets": ()}
    found = homogeneous_subsets(different, order)
    return {
        "groups": tuple(_names(table, group) for group in found.groups),
        "pairs_outside_subsets": tuple(_names(table, pair) for pair in found.pairs_outside_subsets),
    }


def _names(table: ScoreTable, positions: Any) -> tuple[Any, ...]:
    return tuple(table.classifiers[i] for i in positions)


def given(value: Any) -> Any:
    """Return what is known already, where it may also be found out later."""
    return value


# --- pairs on one dataset ---------------------------------------------------------------------------------------------


def _pairs_of_one_dataset(decision: OneDatasetDecision, at: Sequence[int]) -> tuple[Pair, ...]:
    tested, names, shown = decision.tested, decision.family.table.classifiers, decision.shown
    return tuple(
        Pair(
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
        for i in at
        for a, b in [decision.family.pairs[i]]
    )


def _counts(decision: OneDatasetDecision, i: int) -> dict[str, Any]:
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
    return "instances" if decision.tested.design["n_folds"] is None else "folds"
