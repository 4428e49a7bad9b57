"""Sentences for the results of individual tests and estimates, with one template for each class of results.

A declared test has a template next to its function. In a template, ``{n_pairs}`` is a field of the result, and
``{n_pairs - n_zero}`` is the difference of two fields. ``{table[0, 1]}`` is an entry of a field, and ``{outcome}`` is a
phrase of `PHRASES`. A format may follow after a colon: ``count pair`` writes a number with its noun, and ``count
class|classes`` also gives the plural. ``short`` writes three digits, ``decimal`` three decimals, ``minus`` a minus
sign, and ``law`` a null distribution. Other formats are formats of Python.
"""

from __future__ import annotations

__all__ = ["has_sentence", "result_words", "sentence", "with_names"]

import re
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from evalstats._declarations import Declaration, declaration_of
from evalstats._labels import place_of
from evalstats.report import curve_sentences
from evalstats.report.describe import (
    METHODS,
    column,
    count,
    decimal,
    f_of_readers_words,
    friedman_words,
    law_words,
    probability,
    pvalue_bound,
    pvalue_of,
    pvalue_words,
)


def sentence(result: Any, names: tuple[str, str] = ("x", "y")) -> str:
    """Render the result of one test or estimate as one sentence; `names` contains the names of x and y."""
    alternative = getattr(result, "alternative", "two-sided")
    one_sided = "" if alternative == "two-sided" else f"; one-sided, alternative '{alternative}'"
    reason = "" if getattr(result, "reason", None) is None else f"; {result.reason}"
    told = f"{result_words(result)}{one_sided}{reason}."
    return with_names(told, *names)


def with_names(text: str, first: str, second: str) -> str:
    """Replace x and y in the sentence for a result, or in its reason, with the names of the classifiers."""
    return re.sub(r"\b[xy]\b", lambda letter: first if letter[0] == "x" else second, text)


def has_sentence(record: Any) -> bool:
    """Return whether a record is the result of a test or an estimate."""
    return type(record).__name__ in SENTENCES or declaration_of(type(record)) is not None


def result_words(result: Any) -> str:
    """Render the result of one test or estimate in words, without the reason and without a period."""
    name = type(result).__name__
    if name in SENTENCES:  # the search for a declaration may load every module of statistics
        return SENTENCES[name](result)
    declared = declaration_of(type(result))
    assert declared is not None  # `has_sentence` tells
    return _filled(declared, result)


def _filled(declaration: Declaration, result: Any) -> str:
    """Fill the template of a declared test."""

    def written(found: re.Match[str]) -> str:
        name, how = found.groups()
        if name in PHRASES:
            return PHRASES[name](result)
        value = _value(result, name)
        return declaration.words[name][value] if name in declaration.words else _written(value, how or "")

    return re.sub(r"\{([^{}:]+)(?::([^{}]+))?\}", written, declaration.sentence)


def _value(result: Any, name: str) -> Any:
    """Return a field of a result, an entry of a field, or the difference or sum of two fields."""
    for sign, both in (("-", np.subtract), ("+", np.add)):
        if f" {sign} " in name:
            return both(*(_value(result, one) for one in name.split(f" {sign} ")))
    field, _, place = name.rstrip("]").partition("[")
    value = attrgetter(field)(result)
    return np.asarray(value)[tuple(map(int, place.split(",")))] if place else value


def _written(value: Any, how: str) -> str:
    """Format a value in one of the formats of the templates."""
    if how.startswith("count "):
        return count(int(value), *how.removeprefix("count ").split("|"))
    if how in _FORMATS:
        return _FORMATS[how](value)
    return format(value, how)


def _against_null(result: Any) -> str:
    return "" if result.null_difference == 0 else f" against {_minus(result.null_difference)}"


def _minus(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def _other_orderings(result: Any) -> str:
    pvalues = result.pvalues_of_all_orderings
    if np.isnan(pvalues).any() or np.ptp(pvalues) == 0:
        return ""
    low, high = (pvalue_bound(float(limit)) for limit in (pvalues.min(), pvalues.max()))
    return f", from {low} to {high} with another fold first"


def _z_or_t(result: Any) -> str:
    if result.method != "t":
        return f"z = {decimal(result.statistic, 3)}"
    df = "" if np.isnan(result.df) else f"({result.df:.1f})" if isinstance(result.df, float) else f"({result.df})"
    return f"t{df} = {decimal(result.statistic, 3)}"


def _chi2_if_asymptotic(result: Any) -> str:
    return f"χ²(1) = {decimal(result.statistic, 3)}, " if result.method == "asymptotic" else ""


def _in_clusters(result: Any) -> str:
    """State the numbers of instances, clusters and strata."""
    strata = f" and {count(result.n_strata, 'stratum', 'strata')} ({result.average} average)" * (result.n_strata > 1)
    return f" over {count(result.n_instances, 'instance')} in {count(result.n_clusters, 'cluster')}{strata}"


def _cochran_words(result: Any) -> str:
    unit = "instance" if result.n_clusters is None else "group"
    k, informative = count(result.n_classifiers, "classifier"), count(result.n_informative, unit)
    return (
        f"Cochran's Q test of {k}: Q({result.df}) = {decimal(result.statistic, 3)} over {informative} on which they "
        f"disagree, {_outcome(result)}"
    )


def _margin_words(result: Any) -> str:
    """State the difference, the margin and the p-value of a noninferiority or equivalence test."""
    unit = "instance" if result.test not in MARGIN_TESTS else "pair"
    by = MARGIN_TESTS.get(result.test, result.test)
    law = {"score": "score test", "newcombe": "Newcombe's limit", "exact": METHODS["exact"]}
    law = METHODS | law if unit == "instance" else METHODS
    return (
        f"{by}: difference {_short(result.difference)} in {count(result.n, unit)}, margin "
        f"{_short(result.margin)}, {_outcome(result, law[result.method])}"
    )


def _mcnemar_law(result: Any) -> str:
    is_grouped = result.method == "midp" and result.n_clusters is not None
    return "mid-p of the exact distribution" if is_grouped else METHODS[result.method]


def _sensitivity_and_specificity(result: Any) -> str:
    """State the sensitivities and specificities of x and y, and whether the differences have opposite signs."""
    told = []
    for name in ("sensitivity", "specificity"):
        of_x, of_y = (decimal(float(getattr(result, f"{name}_{letter}")), 3) for letter in "xy")
        low, high = getattr(result, name).confidence_interval()
        told.append(
            f"{name} of x {of_x} and of y {of_y} (95 % interval of the difference {_short(low)} to {_short(high)})"
        )
    gains = [getattr(result, name).difference for name in ("sensitivity", "specificity")]
    tradeoff = "; neither has higher values of both" if gains[0] * gains[1] < 0 else ""
    return f"{', '.join(told)}{tradeoff}"


def _reader_areas(result: Any) -> str:
    """State the mean areas, the difference of two treatments, and the population of the p-value."""
    areas = ", ".join(decimal(float(one), 3) for one in result.mean_auc)
    of = {
        "both": "new readers and new instances",
        "cases": "these readers and new instances",
        "readers": "new readers and these instances",
    }
    low, high = result.confidence_interval()
    pair = ""
    if result.n_treatments == 2 and not np.isnan(low[1, 0]):
        pair = (
            f", difference of the second from the first {_short(result.difference[1, 0])} "
            f"(95 % interval {_short(low[1, 0])} to {_short(high[1, 0])})"
        )
    return f"mean areas {areas}{pair}, {f_of_readers_words(result, 3)}, {pvalue_of(result)} for {of[result.sampled]}"


def _at_prevalence(result: Any) -> str:
    return "" if result.prevalence is None else f" at a prevalence of {result.prevalence:g}"


def _in_groups(result: Any) -> str:
    return "" if result.n_clusters is None else f" in {count(result.n_clusters, 'cluster')}"


def _common_datasets_words(result: Any) -> str:
    name = {"wilcoxon": "Wilcoxon signed-rank tests", "sign": "Sign tests"}[result.test]
    common = f"on the common datasets of each pair ({count(result.n_datasets, 'dataset')} in total)"
    return f"{name} of {_compared(result)} {common}: {_smallest(result)} ({METHODS[result.method]})"


def _compared(result: Any) -> str:
    """State how many classifiers a pairwise test compares, and whether there is a control."""
    if getattr(result, "control", None) is None:
        return count(result.n_classifiers, "classifier")
    return f"{count(result.n_classifiers - 1, 'classifier')} against a control"


def _smallest(result: Any) -> str:
    """State the smallest p-value of a pairwise test or of a test at several training-set sizes."""
    pvalues = np.asarray(result.pvalue)
    control = place_of(getattr(result, "control", None), getattr(result, "classifiers", None))
    if control is not None:
        pvalues = np.delete(pvalues, control)
    elif hasattr(result, "n_classifiers"):
        pvalues = pvalues[np.triu_indices(result.n_classifiers, 1)]
    is_adjusted = len(pvalues) > 1 and getattr(result, "adjustment", "single-step") != "none"
    kind, known = "adjusted p-value" if is_adjusted else "p-value", pvalues[~np.isnan(pvalues)]
    if not known.size:
        return "there is no p-value"
    of = f"the {kind}" if len(known) == 1 else f"the smallest of {len(known)} {kind}s"
    return f"{of} is {pvalue_bound(float(known.min()))}"


def _statistic_words(name: str, result: Any) -> str:
    return f"{name}: {_of_df(result)}, {_outcome(result)}"


def _rm_anova_words(result: Any) -> str:
    correction = {
        "none": "",
        "greenhouse-geisser": f"Greenhouse and Geisser's ε = {decimal(result.greenhouse_geisser_epsilon, 3)}",
        "huynh-feldt": f"Huynh and Feldt's ε = {decimal(result.huynh_feldt_epsilon, 3)}",
    }[result.correction]
    corrected = f", corrected by {correction} for a lack of sphericity" if correction else ""
    return f"Repeated-measures ANOVA: {_of_df(result)}, {_outcome(result, METHODS[result.method] + corrected)}"


def _skillings_mack_words(result: Any) -> str:
    used = count(result.n_datasets - len(result.dropped_datasets), "dataset")
    return _statistic_words(f"Skillings-Mack test on {used} with {count(result.n_missing, 'missing score')}", result)


def _jonckheere_words(result: Any) -> str:
    return (
        f"Jonckheere's test of a trend: J = {result.statistic:g}, expected {result.expected:g}, so "
        f"{100 * result.order_probability:.0f} % of the pairs are in order, {_outcome(result)}"
    )


def _label_permutation_words(result: Any) -> str:
    reached = f"accuracy {decimal(result.statistic, 3)}, {decimal(result.expected_score, 3)} with permuted labels"
    return f"Permutation test of the labels of {count(result.n_instances, 'instance')}: {reached}, {_outcome(result)}"


def _mmd_words(result: Any) -> str:
    cases = f"{result.n_x} and {count(result.n_y, 'instance')}"
    return f"Kernel two-sample test of {cases}: squared discrepancy {_short(result.statistic)}, {_outcome(result)}"


def _two_sample_words(result: Any) -> str:
    area = f"area {decimal(result.statistic, 3)} on {count(result.n_held_out, 'held-out instance')}"
    return f"Classifier two-sample test of {result.n_x} and {count(result.n_y, 'instance')}: {area}, {_outcome(result)}"


def _outcome(result: Any, law: str | None = None) -> str:
    """Format the p-value with its null distribution."""
    return f"{pvalue_of(result)} ({law or law_words(result)})"


def _of_df(result: Any) -> str:
    """Format F or chi-squared with its degrees of freedom."""
    df = f"F({result.df[0]}, {result.df[1]})" if isinstance(result.df, tuple) else f"χ²({result.df})"
    return f"{df} = {decimal(result.statistic, 3)}"


def _t(result: Any) -> str:
    return f"t({result.df:g}) = {decimal(result.statistic, 3)}"


def _short(value: float) -> str:
    return column([value], digits=3)[0]


def _posterior_words(name: str, result: Any) -> str:
    """State the three posterior probabilities of a Bayesian test."""
    less, greater = (_chance(p, certain=False) for p in (result.p_less, result.p_greater))
    within = _chance(result.p_rope, certain=not result.rope)
    rope = f"practically equivalent (within {result.rope:g})" if result.rope else "equal"
    drawn = getattr(result, "n_simulations", None) if result.method in ("gibbs", "monte-carlo") else None
    law = POSTERIORS[result.method] if drawn is None else f"{drawn:,} {POSTERIORS[result.method]}"
    return (
        f"{name}: x scores higher with a probability {greater}, y with a probability {less}, and they are {rope} "
        f"with a probability {within} ({law})"
    )


def _chance(p: float, *, certain: bool) -> str:
    """Format a probability to follow the word 'probability', with 0 or 1 only if the probability is `certain`."""
    if not certain:
        p = min(max(p, 1e-9), 1 - 1e-9)
    written = probability(p)
    bound = {"<": "below", ">": "above"}.get(written[0])
    return f"of {written}" if bound is None else f"{bound} {written[2:]}"


def _estimate_words(name: str, result: Any, of: str = "") -> str:
    estimate, error = (decimal(float(value), 3) for value in (result.estimate, result.standard_error))
    return f"{name}: {estimate}{of}, " + ("no standard error" if error == "none" else f"standard error {error}")


def _effect_words(result: Any) -> str:
    units = count(result.n_x, "pair") if result.paired else f"{result.n_x} and {result.n_y} values"
    return _estimate_words(f"{result.name[0].upper()}{result.name[1:]} of {units}", result, f" ({result.magnitude})")


def _stochastic_order_words(result: Any) -> str:
    bound = decimal(float(result.upper_bound()), 3)
    name = f"Violation ratio of the almost stochastic order of x above y ({result.n_x} and {result.n_y} values)"
    return _estimate_words(name, result, f", upper 95 % confidence bound {bound}")


def _bradley_terry_words(result: Any) -> str:
    name = {"davidson": "Davidson's", "rao-kupper": "Rao and Kupper's"}.get(result.ties, "Bradley and Terry's")
    n_ties = int(np.asarray(result.n_ties).sum()) // 2
    compared = int(np.asarray(result.n_wins).sum()) + n_ties
    finite = np.asarray(result.estimate)[np.isfinite(result.estimate)]
    strengths = f"from {decimal(finite.min(), 3)} to {decimal(finite.max(), 3)}" if finite.size else "not finite"
    of = f"{count(len(result.estimate), 'classifier')} in {count(compared, 'comparison')}, {n_ties} of them tied"
    return f"{name} model of {of}: log-strengths {strengths}"


def _battle_words(result: Any) -> str:
    finite = np.asarray(result.estimate)[np.isfinite(result.estimate)]
    strengths = f"from {decimal(finite.min(), 3)} to {decimal(finite.max(), 3)}" if finite.size else "not finite"
    of = f"{count(len(result.models), 'model')} in {count(result.n_battles, 'battle')}, {result.n_ties} of them tied"
    return f"Bradley-Terry model of {of}: log-strengths {strengths}"


def _win_rate_words(result: Any) -> str:
    name = f"Win rate at equal length in {count(result.n_comparisons, 'comparison')}"
    return _estimate_words(name, result, f", without adjustment {decimal(float(result.win_rate), 3)}")


def _rank_sets_words(result: Any) -> str:
    first = int(np.argmin(result.rank))
    level = f"{100 * result.confidence_level:g} % confidence {'for all ranks together' if result.simultaneous else ''}"
    best = count(int(result.best.sum()), "model") + " may be "
    best += f"among the {result.n_best} best" if result.n_best > 1 else "the best"
    return (
        f"Ranks of {count(len(result.rank), 'model')} with {level.strip()}: the set of the first "
        f"model is {result.lower[first]} to {result.upper[first]}; {best}"
    )


def _variance_words(result: Any) -> str:
    shares = np.asarray(result.proportion)
    sizes = " x ".join(f"{n:.3g} ({name})" if n != int(n) else f"{n} ({name})" for name, n in result.sizes.items())
    if np.isnan(shares).any():
        return f"Variance components of {sizes}: none"
    told = ", ".join(f"{term} {100 * share:.0f} %" for term, share in zip(result.terms, shares, strict=True))
    return f"Variance components of {sizes}: {told}"


def _plackett_luce_words(result: Any) -> str:
    of = f"{count(len(result.estimate), 'classifier')} on {count(result.n_datasets, 'dataset')}"
    if np.isnan(result.estimate).any():
        return f"Plackett-Luce model of {of}: log-strengths not finite"
    low, high = (decimal(float(v), 3) for v in (result.estimate.min(), result.estimate.max()))
    return f"Plackett-Luce model of {of}: log-strengths from {low} to {high}"


def _mean_differences_words(result: Any) -> str:
    estimates = np.abs(np.asarray(result.estimate))
    of = f"{count(result.n_classifiers, 'classifier')} on {count(result.n_datasets, 'dataset')}"
    largest = _short(float(np.nanmax(estimates)))
    drawn = f" ({result.n_resamples} bootstrap resamples)" if result.n_resamples else ""
    return f"Mean differences of {of}: the largest is {largest}{drawn}"


def _run_aggregate_words(result: Any) -> str:
    runs = result.n_runs if isinstance(result.n_runs, int) else " and ".join(map(str, result.n_runs))
    of = f" over {runs} runs on {count(result.n_datasets, 'dataset')}"
    return _cautious(_estimate_words(f"{result.aggregate[0].upper()}{result.aggregate[1:]}", result, of), result)


def _auc_words(result: Any) -> str:
    cases = f" of {count(result.n_positive, 'positive instance')} and {count(result.n_negative, 'negative instance')}"
    return _estimate_words("Area under the ROC curve", result, cases)


def _spiegelhalter_words(result: Any) -> str:
    scores = f"Brier score {decimal(result.brier, 3)}, expected {decimal(result.expected_brier, 3)} if calibrated"
    return (
        f"Spiegelhalter's test of calibration in {count(result.n_instances, 'instance')}: {scores}, z = "
        f"{decimal(result.statistic, 3)}, {_outcome(result)}"
    )


def _recalibration_words(result: Any) -> str:
    """State the slope with its interval, the calibration in the large, and the joint test."""
    limits = result.slope_interval()
    interval = "" if np.isnan(limits.low) else f", 95 % interval {_short(limits.low)} to {_short(limits.high)}"
    return (
        f"Recalibration of {count(result.n_instances, 'instance')}: slope {_short(result.slope)}{interval}, "
        f"calibration in the large {_short(result.calibration_in_the_large)}, χ²(2) = "
        f"{decimal(result.statistic, 3)}, {_outcome(result)}"
    )


def _interval_words(result: Any) -> str:
    low, high = result.confidence_interval()
    return "" if np.isnan(low) else f", 95 % interval {_short(low)} to {_short(high)}"


def _clustered_words(result: Any) -> str:
    """State the mean score with its interval, and the numbers of instances, clusters and strata."""
    groups = "" if result.n_clusters == result.n_instances else f" in {count(result.n_clusters, 'cluster')}"
    strata = (
        "" if not result.strata else f" and {count(result.n_strata, 'stratum', 'strata')} ({result.average} average)"
    )
    of = f" of {count(result.n_instances, 'instance')}{groups}{strata}"
    return _estimate_words("Mean score", result, of) + _interval_words(result)


def _cross_validated_words(result: Any) -> str:
    of = f" for models trained on {result.n_train} of {result.n_instances} instances"
    return _estimate_words("Cross-validated mean score", result, of) + _interval_words(result)


def _nested_words(result: Any) -> str:
    limits = result.confidence_interval()
    splits = f"{count(result.n_folds, 'fold')}, {count(result.n_repeats, 'repeat')}"
    of = f" for models trained on all {count(result.n_instances, 'instance')} ({splits})"
    told = _estimate_words("Mean score by nested cross-validation", result, of)
    return f"{told}, 95 % interval {_short(limits.low)} to {_short(limits.high)}, inflation {_short(result.inflation)}"


def _judged_mean_words(result: Any) -> str:
    of = f" of {count(result.n_instances, 'instance')}, {result.n_labeled} of them labeled"
    return _estimate_words("Mean score by prediction-powered inference", result, of) + _interval_words(result)


def _judged_score_words(result: Any) -> str:
    of = f" of {count(result.n_labeled + result.n_unlabeled, 'instance')}, {result.n_labeled} of them labeled"
    name = "F1 score" if result.metric == "f1" else "Area under the ROC curve"
    return _estimate_words(f"{name} by prediction-powered inference", result, of) + _interval_words(result)


def _adjusted_words(result: Any) -> str:
    of = f" for {count(result.n_rows, 'answer')} to {count(result.n_clusters, 'question')}"
    told = _estimate_words("Difference adjusted for covariates", result, of)
    return f"{told}{_interval_words(result)}, {pvalue_of(result)}"


def _kendall_w_words(result: Any) -> str:
    k, n = count(result.n_classifiers, "classifier"), count(result.n_datasets, "dataset")
    return _estimate_words("Kendall's coefficient of concordance", result, f" for {k} on {n}")


def _long_run_mean_words(result: Any) -> str:
    spread = f", standard deviation {column([float(result.standard_deviation)], digits=3)[0]}"
    return _cautious(_estimate_words("Steady state", result, f" over {count(result.n_runs, 'run')}") + spread, result)


def _cautious(words: str, result: Any) -> str:
    """Add a sentence about the sources of variation that the interval does not include."""
    return words if result.caution is None else f"{words}; {result.caution}"


# the tests of scores with a margin; all other tests use the instances of one test set
MARGIN_TESTS = {
    "corrected-t": "corrected resampled t-test",
    "paired-t": "paired t-test",
    "permutation": "permutation test",
    "sign": "sign test",
    "wilcoxon": "Wilcoxon signed-rank test",
}
# computation of a posterior, in words
POSTERIORS = {
    "gibbs": "draws of the posterior",
    "monte-carlo": "draws of the posterior",
    "quadrature": "exact posterior",
    "t": "t distribution",
}

_FORMATS: dict[str, Callable[[Any], str]] = {
    "decimal": lambda value: decimal(value, 3),
    "law": METHODS.__getitem__,
    "minus": _minus,
    "p": pvalue_words,
    "short": _short,
}
# parts of templates that depend on several fields
PHRASES: dict[str, Callable[[Any], str]] = {
    "against_null": _against_null,
    "at_prevalence": _at_prevalence,
    "compared": _compared,
    "chi2_if_asymptotic": _chi2_if_asymptotic,
    "f_or_chi2": _of_df,
    "in_clusters": _in_clusters,
    "in_groups": _in_groups,
    "law_of_answers": _mcnemar_law,
    "margin_test": _margin_words,
    "other_orderings": _other_orderings,
    "outcome": _outcome,
    "p": pvalue_of,
    "reader_areas": _reader_areas,
    "sensitivity_and_specificity": _sensitivity_and_specificity,
    "smallest": _smallest,
    "t": _t,
    "z_or_t": _z_or_t,
}


# functions for results without a declaration, by the name of the class; a test checks completeness
def _pairwise_dominance_words(result: Any) -> str:
    estimate = np.asarray(result.estimate)
    far = np.nanmax(np.maximum(estimate, 1 - estimate))
    return (
        f"Vargha & Delaney's A of {count(result.n_classifiers, 'classifier')} in {count(result.n_runs, 'run')}: the "
        f"value farthest from 0.5 is {decimal(float(far), 3)}"
    )


SENTENCES: dict[str, Callable[[Any], str]] = {
    "AdjustedDifference": _adjusted_words,
    "AlmostStochasticOrderResult": _stochastic_order_words,
    "AucEstimate": _auc_words,
    "BayesAccuracyTestResult": partial(_posterior_words, "Bayesian comparison of two accuracies"),
    "BayesCorrelatedTTestResult": partial(_posterior_words, "Bayesian correlated t-test of the mean difference"),
    "BayesHierarchicalTestResult": partial(_posterior_words, "Bayesian hierarchical test of the next dataset"),
    "BayesSignedRankTestResult": partial(_posterior_words, "Bayesian signed-rank test"),
    "BattleStrengths": _battle_words,
    "BayesSignTestResult": partial(_posterior_words, "Bayesian sign test"),
    "BradleyTerryResult": _bradley_terry_words,
    "BrierDecomposition": curve_sentences.brier_words,
    "ClassifierTwoSampleTestResult": _two_sample_words,
    "ClusteredMean": _clustered_words,
    "CrossValidatedMean": _cross_validated_words,
    "NestedCrossValidatedMean": _nested_words,
    "CochranQTestResult": _cochran_words,
    "CommonDatasetsTestResult": _common_datasets_words,
    "DecisionCurve": curve_sentences.decision_curve_words,
    "DominanceEffectResult": _effect_words,
    "EValueAdjustment": curve_sentences.adjusted_e_value_words,
    "FriedmanTestResult": friedman_words,
    "GammaEffectResult": _effect_words,
    "GroupGaps": curve_sentences.group_gap_words,
    "JonckheereBlockTestResult": _jonckheere_words,
    "JonckheereTestResult": _jonckheere_words,
    "PPIMean": _judged_mean_words,
    "PPIScore": _judged_score_words,
    "KendallWResult": _kendall_w_words,
    "MMDTestResult": _mmd_words,
    "LengthAdjustedWinRate": _win_rate_words,
    "NetBenefitDifference": curve_sentences.net_benefit_difference_words,
    "RankConfidenceSets": _rank_sets_words,
    "LabelPermutationTestResult": _label_permutation_words,
    "PairwiseVarghaDelaneyResult": _pairwise_dominance_words,
    "MeanDifferencesResult": _mean_differences_words,
    "PlackettLuceResult": _plackett_luce_words,
    "RankBiserialResult": _effect_words,
    "RMAnovaTestResult": _rm_anova_words,
    "RunAggregateResult": _run_aggregate_words,
    "SkillingsMackTestResult": _skillings_mack_words,
    "StandardizedEffectResult": _effect_words,
    "LongRunMeanResult": _long_run_mean_words,
    "ReliabilityCurve": curve_sentences.reliability_words,
    "RecalibrationTestResult": _recalibration_words,
    "SpiegelhalterTestResult": _spiegelhalter_words,
    "VarianceComponentsResult": _variance_words,
}
