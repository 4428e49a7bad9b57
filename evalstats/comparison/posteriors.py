"""Posterior probabilities that one classifier is better, or that both are practically equivalent."""

from __future__ import annotations

__all__ = ["posteriors_of"]

from functools import partial
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats.bayes.posterior import half_width
from evalstats.comparison.designs.design import design_named
from evalstats.comparison.record import Comparison
from evalstats.comparison.supplements import PosteriorPair, Posteriors

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
