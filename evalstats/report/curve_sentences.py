"""Sentences for decision curves, calibration curves, rates of subgroups and adjusted e-values.

`evalstats.report.sentences` assigns these sentences to the classes of the results.
"""

from __future__ import annotations

__all__ = [
    "adjusted_e_value_words",
    "brier_words",
    "decision_curve_words",
    "group_gap_words",
    "net_benefit_difference_words",
    "reliability_words",
]

from typing import Any

import numpy as np

from evalstats.report.describe import column, count, percent

EVENTS = {"positive": "frequency of the positive class", "predicted": "accuracy"}
RATES = {
    "tpr": "true positive rate",
    "fpr": "false positive rate",
    "selection_rate": "selection rate",
    "ppv": "precision",
}


def decision_curve_words(result: Any) -> str:
    """State which decision has the largest net benefit, and at how many thresholds."""
    single, best = np.ndim(result.net_benefit) == 1, result.best.tolist()
    names = {-1: "predicting all positive", -2: "predicting none positive"}
    n_best = {one: best.count(one) for one in dict.fromkeys(sorted(best, key=best.count, reverse=True))}
    told = [
        f"for {'the classifier' if single and one >= 0 else names.get(one, f'classifier {one}')} at {n}"
        for one, n in n_best.items()
    ]
    return f"Decision curve {_of_decisions(result)}: the net benefit is the largest {', '.join(told)}"


def net_benefit_difference_words(result: Any) -> str:
    """State at how many thresholds each classifier is better, and the largest difference with its band."""
    head = f"Net benefit of x minus y {_of_decisions(result)}"
    if np.isnan(result.low_everywhere).all():
        return f"{head}: from {_short(result.difference.min())} to {_short(result.difference.max())}, no band"
    at = int(np.nanargmax(np.abs(result.difference)))
    size, low, high = column([result.difference[at], result.low_everywhere[at], result.high_everywhere[at]], digits=3)
    band = f"simultaneous {percent(result.confidence_level)} band"
    n_x, n_y = int((result.shown == 1).sum()), int((result.shown == -1).sum())
    return (
        f"{head}: x is better at {n_x} and y at {n_y} by the {band}; the largest difference is {size} ({low} to "
        f"{high}) at the threshold {result.thresholds[at]:g}"
    )


def _of_decisions(result: Any) -> str:
    limits = f"from {result.thresholds.min():g} to {result.thresholds.max():g}"
    groups = "" if result.n_clusters == result.n_instances else f" in {count(result.n_clusters, 'cluster')}"
    return (
        f"at {count(len(result.thresholds), 'threshold')} {limits} for {count(result.n_instances, 'instance')}{groups}"
    )


def group_gap_words(result: Any) -> str:
    """State the largest difference of each rate between two subgroups, with its limits."""
    told = [
        f"{words} {_limits(result.gaps[rate], result.lower[rate], result.upper[rate])}, {result.highest[rate]} minus "
        f"{result.lowest[rate]}"
        for rate, words in RATES.items()
        if not np.isnan(result.lower[rate])  # limits of one subgroup, if the other subgroups have no rate
    ]
    odds = (result.equalized_odds_difference, result.equalized_odds_lower, result.equalized_odds_upper)
    if not np.isnan(odds[0]):
        told.append(f"equalized odds {_limits(*odds)}")
    level = f"simultaneous {percent(result.confidence_level)} limits"
    return f"Largest differences between {count(len(result.subgroups), 'subgroup')} ({level}): " + (
        "; ".join(told) or "undefined"
    )


def adjusted_e_value_words(result: Any) -> str:
    """State how many hypotheses are rejected, and the largest adjusted e-value."""
    name = {"e-holm": "e-Holm", "e-bh": "e-BH"}[result.method]
    n, rejected = len(result.e_value), int(result.rejected.sum())
    caution = "" if result.caution is None else f"; the false discovery rate is {result.caution}"
    return (
        f"{name} adjustment of {count(n, 'e-value')}: {rejected} of {count(n, 'hypothesis', 'hypotheses')} "
        f"{'is' if rejected == 1 else 'are'} rejected at α = {result.alpha:g}, where the adjusted e-value is "
        f"{1 / result.alpha:g} or more; the largest is {_short(result.adjusted.max())}{caution}"
    )


def reliability_words(result: Any) -> str:
    """State the largest distance from the diagonal, and the proportion of instances outside of the band."""
    distance = np.abs(result.frequency - result.probability)
    at = int(np.argmax(distance))
    frequency, expected = column([result.frequency[at], result.probability[at]], digits=3)
    told = f"the {EVENTS[result.event]} differs most from the probability at {expected}, where it is {frequency}"
    if result.band != "none":
        which = f"{percent(result.confidence_level)} {result.band} band"
        what = "the curve" if result.band == "consistency" else "the probability"
        told += f"; {what} is outside of the {which} for {percent(round(result.share_outside, 3))} of the instances"
    how = {"isotonic": "isotonic fit"}.get(result.method, f"{result.method} bins")
    return f"Reliability curve of {count(int(result.n_instances.sum()), 'instance')} ({how}): {told}"


def brier_words(result: Any) -> str:
    """State the Brier score as the sum of its parts."""
    values = [result.brier, result.miscalibration, result.discrimination, result.uncertainty, abs(result.remainder)]
    brier, miscalibration, discrimination, uncertainty, remainder = column(values, digits=3)
    rest = "" if result.remainder == 0 else f" {'+' if result.remainder > 0 else '−'} remainder {remainder}"
    how = {"isotonic": "isotonic fit", "distinct": "distinct probabilities"}.get(result.method, f"{result.method} bins")
    return (
        f"Brier score of {count(result.n_instances, 'instance')}: {brier} = miscalibration {miscalibration} − "
        f"discrimination {discrimination} + uncertainty {uncertainty}{rest} ({how})"
    )


def _limits(value: float, low: float, high: float) -> str:
    size, lower, upper = column([value, low, high], digits=3)
    return f"{size} ({lower} to {upper})"


def _short(value: float) -> str:
    return column([float(value)], digits=3)[0]
