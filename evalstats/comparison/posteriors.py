"""How probable is it that one classifier is better than another, or that both are practically equivalent?"""

from __future__ import annotations

__all__ = ["posteriors_of"]

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats.bayes.posterior import PosteriorResult, half_width
from evalstats.comparison.record import Comparison
from evalstats.comparison.supplements import PosteriorPair, Posteriors

# a posterior of signed ranks takes a millisecond for each dataset: so many pairs, and so many differences of all
MOST_PAIRS, MOST_DIFFERENCES, FEW_PAIRS = 300, 40_000, 10


def posteriors_of(comparison: Comparison, rope: Any, rng: Any) -> Posteriors:
    """Understand what is asked of the pairs of a comparison; each posterior is computed when it is shown."""
    rope = _understand_rope(rope, comparison)
    test = _test(comparison)
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
        hint = f"; is {value:g} percentage points? write {value / 100:g}" if value <= 50 else ""
        raise InvalidValueError(f"rope must be below 1 where the scores lie between 0 and 1, not {value:g}{hint}")
    return value


def _test(comparison: Comparison) -> str:
    """Return the Bayesian counterpart of the test of the pairs."""
    if comparison.design == "datasets":
        return "sign" if comparison.posthoc_test == "sign" else "signed-rank"
    if comparison.design == "folds":
        return "correlated-t"
    if comparison.pair_test == "mcnemar_test":
        return "accuracy"
    raise InvalidValueError(
        "rope must be left out where the cases of one test set are compared, unless by accuracy or error rate, not by "
        f"{short(comparison.table.metric)}; margin= asks whether a classifier is as good as another there"
    )


def _pairs(
    comparison: Comparison, test: str, rope: float, threshold: float, seed: int, most: int
) -> tuple[PosteriorPair, ...]:
    compared = [(pair.first, pair.second) for pair in comparison.pairs_with_smallest_pvalues(most)]
    at, better = comparison.table.position, comparison.table.greater_is_better
    found: list[PosteriorPair] = []
    for places, result in _posteriors(comparison, test, [(at(a), at(b)) for a, b in compared], rope, seed):
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


def _posteriors(
    comparison: Comparison, test: str, places: list[tuple[int, int]], rope: float, seed: int
) -> Iterator[tuple[list[tuple[int, int]], PosteriorResult]]:
    """Yield batches of pairs with their posteriors: all at once, but where scores are missing."""
    if comparison.design != "datasets":
        yield places, (_over_cases if test == "accuracy" else _over_folds)(comparison, places, rope)
        return
    # simulations that other comparisons do not need
    from evalstats.bayes.sign import bayes_sign_test
    from evalstats.bayes.signed_rank import bayes_signed_rank_test

    ask = bayes_sign_test if test == "sign" else bayes_signed_rank_test
    scores = comparison.table.scores
    here = ~np.isnan(scores)
    groups: dict[bytes, list[tuple[int, int]]] = {}
    for i, j in places:
        groups.setdefault((here[:, i] & here[:, j]).tobytes(), []).append((i, j))
    for common, pairs in groups.items():
        rows = np.frombuffer(common, dtype=bool)
        if not rows.any():
            names = comparison.table.classifiers
            i, j = pairs[0]
            raise InvalidValueError(
                f"rope needs a dataset that both have, but {names[i]!r} and {names[j]!r} share none"
            )
        first, second = (list(places) for places in zip(*pairs, strict=True))
        x, y = scores[rows][:, first].T, scores[rows][:, second].T
        yield pairs, ask(x, y, rope=rope, rng=seed, tie_tolerance=comparison.tie_tolerance)


def _over_folds(comparison: Comparison, places: list[tuple[int, int]], rope: float) -> PosteriorResult:
    from evalstats.bayes.correlated_t import bayes_correlated_ttest
    from evalstats.comparison.compared_units import folds_of, sizes_of

    folds = folds_of(comparison.table)
    n_train, n_test, _ = sizes_of(folds)
    scores = folds.scores.reshape(-1, folds.scores.shape[-1]).T
    first, second = (list(one) for one in zip(*places, strict=True))
    return bayes_correlated_ttest(scores[first], scores[second], n_train=n_train, n_test=n_test, rope=rope)


def _over_cases(comparison: Comparison, places: list[tuple[int, int]], rope: float) -> PosteriorResult:
    from evalstats.bayes.accuracy import bayes_accuracy_from_counts
    from evalstats.tables.correctness_patterns import right_patterns

    scored = comparison.table._scored
    assert scored is not None  # only predictions have cases
    first, second = (list(one) for one in zip(*places, strict=True))
    if not comparison.table.greater_is_better:  # x is wrong more often than y where y is right more often than x
        first, second = second, first
    return bayes_accuracy_from_counts(right_patterns(scored._predictions).tables[first, second], rope=rope)
