"""Would another analysis of one dataset decide otherwise, or the same one without some fold or some classifier?"""

from __future__ import annotations

__all__ = ["WORDS", "assess_one_dataset"]

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._types import BoolArray, FloatArray
from evalstats.comparison.compared_units import adjusted_pairs, as_the_metric_takes, folds_of, in_usual_order, sizes_of
from evalstats.comparison.decision import Family, Tested
from evalstats.comparison.robustness import ADJUSTMENTS, MOST_CLASSIFIERS, OF_PAIRS_ONLY
from evalstats.comparison.supplements import Analysis, PairRobustness, Robustness
from evalstats.comparison.validity import lacks_pvalue
from evalstats.multiple.cochran import cochran_q_of_patterns
from evalstats.paired.five_by_two import ttest_5x2cv
from evalstats.paired.mcnemar import mcnemar_from_counts
from evalstats.paired.metric_bootstrap import metric_bootstrap_test
from evalstats.paired.metric_permutation import metric_permutation_test
from evalstats.paired.ttest import corrected_ttest
from evalstats.tables.aligned_instances import aligned_cases
from evalstats.tables.correctness_patterns import RightPatterns, right_patterns
from evalstats.tables.score_table import ScoreTable

# every test of a pair that an analysis of one dataset may have, as a report calls it
WORDS = {
    "5x2-f": "combined 5×2 cv F test",
    "5x2-t": "5×2 cv t-test",
    "bootstrap": "paired bootstrap",
    "corrected-t": "corrected resampled t-test",
    "delong": "DeLong test",
    "mcnemar-chi2": "McNemar test, χ² without correction",
    "mcnemar-chi2-corrected": "McNemar test, χ² with correction",
    "mcnemar-exact": "exact McNemar test",
    "mcnemar-midp": "mid-p McNemar test",
    "permutation": "permutation test",
}
_MCNEMAR: dict[str, dict[str, Any]] = {
    "mcnemar-midp": {"method": "midp"},
    "mcnemar-chi2": {"method": "asymptotic", "correction": False},
    "mcnemar-chi2-corrected": {"method": "asymptotic"},
}
# the test of a comparison, and others that are valid for the same data
_TESTS = {
    "corrected_ttest": ("corrected-t",),
    "delong_test": ("delong", "permutation", "bootstrap"),
    "ftest_5x2cv": ("5x2-f", "5x2-t"),
    "mcnemar_test": ("mcnemar-exact", *_MCNEMAR),
    "metric_permutation_test": ("permutation", "bootstrap"),
}


class _Left(NamedTuple):
    """A family of pairs: who is compared with whom, among how many, and what leads."""

    pairs: list[tuple[int, int]]
    k: int
    control: int | None
    omnibus: float  # nan where no test leads

    def different(self, unadjusted: FloatArray, adjust: str, alpha: float) -> tuple[FloatArray, BoolArray]:
        """Return adjusted p-values and decisions."""
        pvalues = unadjusted
        if self.k > 2:
            pvalues = adjusted_pairs(unadjusted, self.pairs, self.k, self.control, adjust)
        leads = np.isnan(self.omnibus) or self.omnibus <= alpha
        return pvalues, np.asarray((pvalues <= alpha) & leads)


def assess_one_dataset(family: Family, pair_test: str, tested: Tested) -> Robustness:
    """Answer the question in every valid way, and in the primary way without each fold and each classifier."""
    k, alpha = len(family.table.classifiers), family.alpha
    patterns = right_patterns(_predictions(family.table)) if pair_test == "mcnemar_test" else None
    whole = _Left(family.pairs, k, family.control, _led(patterns, range(k)))
    primary, *others = _TESTS[pair_test]
    of_others = {name: _unadjusted(name, family) for name in others}
    lacking = [name for name, own in of_others.items() if lacks_pvalue(own)]
    unadjusted = {primary: np.asarray(tested.unadjusted)}
    unadjusted |= {name: own for name, own in of_others.items() if name not in lacking}
    adjustments = list(_adjustments(family))
    choices = [(name, adjust) for name in unadjusted for adjust in adjustments]
    found = [whole.different(unadjusted[name], adjust, alpha) for name, adjust in choices]
    # that of the comparison itself, to the last bit
    decided = np.asarray(tested.pvalue <= alpha) & (np.isnan(whole.omnibus) or whole.omnibus <= alpha)
    found[0] = np.asarray(tested.pvalue), decided
    analyses = tuple(
        Analysis(
            omnibus_test=None if np.isnan(whole.omnibus) else "cochran",
            posthoc_test=name,
            adjustment=adjust,
            is_primary=i == 0,
            omnibus_pvalue=float(pvalues[0]) if family.are_two else whole.omnibus,
            significant=bool(different.any() if np.isnan(whole.omnibus) else whole.omnibus <= alpha),
            pvalues=tuple(pvalues.tolist()),
            different=tuple(different.tolist()),
            agreement=float((different == decided).mean()),
        )
        for i, ((name, adjust), (pvalues, different)) in enumerate(zip(choices, found, strict=True))
    )

    def decide(left: _Left, own: FloatArray) -> BoolArray:
        return left.different(own, family.adjust, alpha)[1]

    return Robustness(
        analyses=analyses,
        left_out=tuple(
            (name, "it has no p-value for these answers, whose differences do not vary") for name in lacking
        ),
        pairs=_pairs(
            family,
            analyses,
            _without_each_fold(family, pair_test, whole, decided, decide),
            _without_each_classifier(family, patterns, unadjusted[primary], decided, decide),
        ),
        agreement=float(np.mean([analysis.agreement for analysis in analyses])),
    )


def _adjustments(family: Family) -> Iterator[str]:
    """Yield the adjustment of the comparison, and all others that control a single false rejection."""
    if family.are_two:
        yield "none"
        return
    yield family.adjust
    for adjust in ADJUSTMENTS:
        is_possible = adjust not in OF_PAIRS_ONLY or family.control is None
        is_quick = adjust != "bergmann-hommel" or len(family.table.classifiers) <= MOST_CLASSIFIERS
        if adjust != family.adjust and is_possible and is_quick:
            yield adjust


# --- tests ------------------------------------------------------------------------------------------------------------


def _unadjusted(name: str, family: Family) -> FloatArray:
    """Return the p-value of each pair by another test than that of the comparison."""
    first, second = family.columns
    if name in _MCNEMAR:
        tables = right_patterns(_predictions(family.table)).tables
        return np.asarray(mcnemar_from_counts(tables[first, second], **_MCNEMAR[name]).pvalue)
    if name == "5x2-t":
        scores = folds_of(family.table).scores
        x, y = (np.moveaxis(scores[..., columns], -1, 0) for columns in (first, second))
        return np.asarray(ttest_5x2cv(x, y, tie_tolerance=family.tie_tolerance).pvalue)
    scored = family.table._scored
    assert scored is not None
    cases = in_usual_order(aligned_cases(scored._predictions), scored._predictions.labels)
    y_true, of_classifier, choices = as_the_metric_takes(cases, scored._choice)
    source = _checks.random_source(family.rng)
    seed = int(source.generator().integers(2**32)) if source.seed is None else source.seed
    test: Callable[..., Any] = metric_permutation_test if name == "permutation" else metric_bootstrap_test
    run = {**choices, "n_resamples": family.n_resamples, "rng": seed}
    return np.array([test(y_true, of_classifier[a], of_classifier[b], **run).pvalue for a, b in family.pairs])


def _led(patterns: RightPatterns | None, columns: Any) -> float:
    """Return the p-value of Cochran's Q test, which leads the tests of three or more; nan where no test leads."""
    if patterns is None or len(columns) < 3:
        return np.nan
    return float(cochran_q_of_patterns(*patterns.select(columns)).pvalue)


def _predictions(table: ScoreTable) -> Any:
    assert table._scored is not None
    return table._scored._predictions


# --- without a fold, without a classifier -----------------------------------------------------------------------------


def _without_each_fold(
    family: Family, pair_test: str, whole: _Left, decided: BoolArray, decide: Callable[[_Left, FloatArray], BoolArray]
) -> tuple[list[str], BoolArray]:
    """Return the names of the folds, and whether the decision on each pair changes without each of them."""
    if pair_test != "corrected_ttest":
        return [], np.zeros((0, len(decided)), dtype=bool)
    folds = folds_of(family.table)
    n_train, n_test, _ = sizes_of(folds)
    names = [
        f"repeat {repeat}, fold {fold}" if len(folds.repeats) > 1 else f"fold {fold}"
        for repeat in folds.repeats
        for fold in folds.folds
    ]
    scores = folds.scores.reshape(len(names), -1).T
    first, second = family.columns
    changed = []
    for i in range(len(names)):
        x, y = (np.delete(scores, i, axis=1)[columns] for columns in (first, second))
        test = corrected_ttest(x, y, n_train=n_train, n_test=n_test, tie_tolerance=family.tie_tolerance)
        changed.append(decide(whole, np.asarray(test.pvalue)) != decided)
    return names, np.array(changed)


def _without_each_classifier(
    family: Family,
    patterns: RightPatterns | None,
    unadjusted: FloatArray,
    decided: BoolArray,
    decide: Callable[[_Left, FloatArray], BoolArray],
) -> list[tuple[str, ...]]:
    """Return for each pair the other classifiers without which the decision on it changes."""
    names = family.table.classifiers
    changing: list[list[str]] = [[] for _ in family.pairs]
    for out, name in enumerate(names):
        if out == family.control or len(names) == 2:
            continue
        kept = [i for i in range(len(names)) if i != out]
        place = {old: new for new, old in enumerate(kept)}
        left = [i for i, pair in enumerate(family.pairs) if out not in pair]
        pairs = [(place[a], place[b]) for a, b in (family.pairs[i] for i in left)]
        control = None if family.control is None else place[family.control]
        changed = decide(_Left(pairs, len(kept), control, _led(patterns, kept)), unadjusted[left]) != decided[left]
        for i in np.array(left)[changed].tolist():
            changing[i].append(name)
    return [tuple(found) for found in changing]


def _pairs(
    family: Family,
    analyses: tuple[Analysis, ...],
    without_fold: tuple[list[str], BoolArray],
    without_classifier: list[tuple[str, ...]],
) -> tuple[PairRobustness, ...]:
    names, changed = without_fold
    pvalues = np.array([analysis.pvalues for analysis in analyses])
    different = np.array([analysis.different for analysis in analyses])
    smallest, largest = np.fmin.reduce(pvalues), np.fmax.reduce(pvalues)
    return tuple(
        PairRobustness(
            first=family.table.classifiers[a],
            second=family.table.classifiers[b],
            different=bool(different[0, i]),
            n_different=int(different[:, i].sum()),
            min_attainable_pvalue=float(smallest[i]),
            largest_pvalue=float(largest[i]),
            deciding_datasets=tuple(names[j] for j in np.flatnonzero(changed[:, i])),
            stability=float(1 - changed[:, i].mean()) if names else np.nan,
            deciding_classifiers=without_classifier[i],
        )
        for i, (a, b) in enumerate(family.pairs)
    )
