"""Report of a comparison of models by an LLM judge and a few human labels."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import math
from typing import Any

from evalstats.comparison.judged_scores import JudgedComparison
from evalstats.metrics.ppi import PPIMean, PPIScore
from evalstats.report.blocks import Document, Extent, Table, heads, listing, paragraph, sections
from evalstats.report.describe import count, decimal, percent, pvalue_cell, pvalue_words, signed
from evalstats.wording import adjustment_words, metric_name, written_list


def verdict(found: JudgedComparison) -> str:
    """State the mean of a single model, the pairs that are shown to differ, or the metric of each model."""
    if found.metric != "mean":
        own = (
            f"{name} {_with_limits(found, x, x.estimate)}" for name, x in zip(found.models, found.means, strict=True)
        )
        return f"{metric_name(found.metric)} for human labels: {written_list(list(own))}."
    if not found.pairs:
        return f"Humans would score {found.models[0]} {_with_limits(found, found.means[0], found.means[0].estimate)}."
    if len(found.pairs) == 1:
        (pair,) = found.pairs
        size = _with_limits(found, pair.test, pair.test.mean_difference)
        if math.isnan(pair.pvalue):
            return f"{pair.first} and {pair.second} are not tested: {pair.test.reason}."
        return (
            f"Humans are {'' if pair.pvalue <= found.alpha else 'not '}shown to score {pair.first} and {pair.second} "
            f"differently ({pvalue_words(pair.pvalue, found.alpha)}); {pair.first} minus {pair.second}: {size}."
        )
    shown = [
        " above ".join((one.first, one.second) if one.test.mean_difference > 0 else (one.second, one.first))
        for one in found.pairs
        if one.pvalue <= found.alpha
    ]
    how = "not adjusted" if found.adjustment == "none" else f"adjusted by {adjustment_words(found.adjustment)}"
    if not shown:
        return f"Humans are not shown to score any of {count(len(found.pairs), 'pair')} differently ({how})."
    told = f"{len(shown)} of {count(len(found.pairs), 'pair')}"
    return f"Humans are shown to score {told} differently ({how}): {written_list(shown)}."


def _with_limits(found: JudgedComparison, result: Any, value: Any) -> str:
    return f"{decimal(float(value), 3)} ({percent(1 - found.alpha)} interval {_interval(found, result)})"


def _interval(found: JudgedComparison, result: Any) -> str:
    low, high = result.confidence_interval(1 - found.alpha)
    return "undefined" if math.isnan(low) else f"{decimal(low, 3)} to {decimal(high, 3)}"


def document(found: JudgedComparison, extent: Extent) -> Document:
    """Return the document: the labels, the means, and the differences."""
    level, first, is_mean = percent(1 - found.alpha), found.means[0], found.metric == "mean"
    what = "Mean" if is_mean else metric_name(found.metric)
    means = Table(
        name="means",
        caption=f"{'Mean score by humans' if is_mean else f'{what} for human labels'}, estimated from the judge's "
        f"scores of all instances and the human labels, with the {'mean' if is_mean else what} of the judge and of the "
        "human labels alone. The interval is not centered at the estimate.",
        columns=heads(["Model"], [what, "SE", f"{level} interval", "judge alone", "humans alone", "weight of judge"]),
        rows=tuple(
            (
                name,
                *(decimal(float(value), 3) for value in (one.estimate, one.standard_error)),
                _interval(found, one),
                *(decimal(float(value), 3) for value in (*_alone(one), one.judge_weight)),
            )
            for name, one in zip(found.models, found.means, strict=True)
        )[: extent.max_rows],
    )
    differences = Table(
        name="differences",
        caption=f"First minus second model, with the {level} interval, which is not adjusted. The weight of "
        "the judge differs from the weights in the means.",
        columns=heads(["First", "Second"], ["Difference", f"{level} interval", "p", "adjusted p"]),
        rows=tuple(
            (
                one.first,
                one.second,
                signed(float(one.test.mean_difference), 3),
                _interval(found, one.test),
                *(pvalue_cell(p, found.alpha) for p in (float(one.test.pvalue), one.pvalue)),
            )
            for one in found.pairs
        )[: extent.max_rows],
    )
    read = (
        f"{first.n_labeled} of {count(_n_instances(first), 'instance')} have human labels; these instances must be a "
        "random sample."
    )
    reasons = [f"{name}: {one.reason}." for name, one in zip(found.models, found.means, strict=True) if one.reason]
    reasons += [f"{one.first} and {one.second}: {one.test.reason}." for one in found.pairs if one.test.reason]
    how = "Prediction-powered inference (PPI++) with pseudo-instances for few labels."
    if not is_mean:
        how = f"Prediction-powered inference (PPI++) for {what}. The models are not tested in pairs."
    parts: dict[str, Any] = {"Input": listing([read, *reasons]), "Means" if is_mean else "Scores": means}
    if found.pairs:
        parts["Differences"] = differences
    return Document(
        title=f"{'Scores' if is_mean else what} of {count(len(found.models), 'model')} by a judge and human labels",
        verdict=paragraph(verdict(found)),
        sections=sections(parts | ({"Methods": paragraph(how)} if extent.with_methods else {})),
    )


def _alone(one: PPIMean | PPIScore) -> tuple[Any, Any]:
    return (one.judge_score, one.human_score) if isinstance(one, PPIScore) else (one.judge_mean, one.human_mean)


def _n_instances(one: PPIMean | PPIScore) -> int:
    return one.n_labeled + one.n_unlabeled if isinstance(one, PPIScore) else one.n_instances
