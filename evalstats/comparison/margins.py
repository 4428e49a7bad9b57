"""Noninferiority tests of the pairs of a comparison."""

from __future__ import annotations

__all__ = ["margins_of"]

from collections.abc import Sequence
from typing import Any

import numpy as np

from evalstats._errors import InvalidValueError
from evalstats._types import FloatArray
from evalstats.adjustment.pvalues import ADJUSTMENTS, adjust_pvalues
from evalstats.comparison.designs.design import design_named
from evalstats.comparison.record import Comparison
from evalstats.comparison.supplements import MarginPair, Margins
from evalstats.comparison.validity import AgainstMargin, against_margin, margin_validity
from evalstats.metrics.cluster_variance import Clusters, understand_clusters
from evalstats.paired.noninferiority_results import understand_margin

# the exact tests and limits of more pairs would take minutes
MOST_PAIRS = 300


def margins_of(comparison: Comparison, margin: Any, n_resamples: int | None, rng: Any) -> Margins:
    """Test each pair of a comparison for noninferiority, with the test of the comparison and a margin."""
    items = comparison.table._items
    scores = comparison.table.scores if items is None else items.scores
    are_shares = bool(np.nanmin(scores) >= 0 and np.nanmax(scores) <= 1)
    margin = understand_margin(margin, are_shares=are_shares)
    if comparison.alpha >= 0.5:
        raise InvalidValueError(f"alpha must be below 0.5 with a margin, not {comparison.alpha:g}")
    n_pairs = len(comparison.pairs)
    if comparison.control is None and n_pairs > MOST_PAIRS:
        raise InvalidValueError(
            f"margin would take too long for {n_pairs} pairs (the limit is {MOST_PAIRS}); name a control"
        )
    pairs, at = _pairs(comparison), comparison.table.position
    places = [(at(classifier), at(reference)) for classifier, reference in pairs]
    problems = list(design_named(comparison.design).margin_problems(comparison, places, n_resamples, rng))
    adjustment = str(comparison.adjustment) if comparison.adjustment in (*ADJUSTMENTS, "none") else "holm"
    adjustment = "none" if len(pairs) == 1 else adjustment
    clusters = _clusters(comparison)
    found = [against_margin(problem, margin, comparison.alpha, clusters) for problem in problems]
    pvalues, verdicts = verdicts_of(found, comparison.alpha, adjustment, _is_better(comparison, pairs, found))
    sign = 1 if comparison.table.greater_is_better else -1
    return Margins(
        margin=margin,
        alpha=comparison.alpha,
        confidence_level=1 - 2 * comparison.alpha,
        test=problems[0].test,
        adjustment=adjustment,
        pairs=tuple(
            _recorded(*pair, float(problem.difference), one, of_pair, verdict, sign)
            for pair, problem, one, of_pair, verdict in zip(
                pairs, problems, found, pvalues.T.tolist(), verdicts, strict=True
            )
        ),
        validity=margin_validity(
            problems,
            found,
            pairs,
            alpha=comparison.alpha,
            adjust=adjustment,
            clusters=clusters,
            noun=comparison.words.dataset,
        ),
    )


def verdicts_of(
    found: Sequence[AgainstMargin], alpha: float, adjustment: str, is_better: Sequence[bool]
) -> tuple[FloatArray, list[str]]:
    """Return two rows of adjusted p-values (noninferiority, inferiority), and the verdict of each pair.

    `is_better` states whether the comparison shows that the classifier is better. Only one of the two null
    hypotheses can be true, so no adjustment for two tests is necessary.
    """
    raw = np.array([[one.not_worse for one in found], [one.worse for one in found]])
    pvalues = raw
    if adjustment != "none":
        pvalues = np.array([adjust_pvalues(row, adjustment, nan_policy="count") for row in raw])
    not_worse, worse = pvalues <= alpha
    choices = [worse, np.array(is_better), not_worse]
    return pvalues, np.select(choices, ["worse", "better", "not worse"], "undecided").tolist()


def _is_better(comparison: Comparison, pairs: list[tuple[str, str]], found: Sequence[AgainstMargin]) -> list[bool]:
    """Return which classifiers the comparison shows to be better than their references.

    The test of the comparison does not allow for unseen clusters. Therefore, a classifier that may be worse by the
    margin because of unseen clusters does not count as better.
    """
    at = comparison.table.position
    may_be_worse = [one.unseen is not None and one.not_worse > comparison.alpha for one in found]
    return [
        bool(comparison.different[at(a), at(b)] and comparison.better[at(a), at(b)] and not is_open)
        for (a, b), is_open in zip(pairs, may_be_worse, strict=True)
    ]


def _recorded(
    classifier: str,
    reference: str,
    difference: float,
    found: AgainstMargin,
    pvalues: list[float],
    verdict: str,
    sign: int,
) -> MarginPair:
    not_worse, worse = pvalues
    return MarginPair(
        classifier=classifier,
        reference=reference,
        difference=sign * difference,
        low=found.low if sign > 0 else -found.high,
        high=found.high if sign > 0 else -found.low,
        pvalue_noninferiority=not_worse,
        pvalue_inferiority=worse,
        verdict=verdict,
        smallest_margin=float(np.maximum(-found.low, 0.0)),
        reason=found.reason,
    )


def _clusters(comparison: Comparison) -> Clusters | None:
    """Return the clusters of the questions or of the instances, or None for other designs."""
    if comparison.design == "instances":
        from evalstats.comparison.designs.instances import clusters_of  # few comparisons need it

        return clusters_of(comparison.table)
    if comparison.design != "questions":
        return None
    items = comparison.table._items
    assert items is not None
    return understand_clusters(items.cluster, items.benchmark, comparison.average, len(items.questions))


def _pairs(comparison: Comparison) -> list[tuple[str, str]]:
    """Return each classifier with its reference: the control, or the classifier that is ranked higher."""
    place = {name: i for i, name in enumerate(comparison.ranking)}
    if comparison.control is not None:
        return [(pair.first, pair.second) for pair in comparison.pairs]
    return [
        (pair.second, pair.first) if place[pair.first] < place[pair.second] else (pair.first, pair.second)
        for pair in comparison.pairs
    ]
