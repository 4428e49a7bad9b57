"""Report of learning curves: at which sizes a classifier is better, the differences, and the curves."""

from __future__ import annotations

__all__ = ["document", "verdict"]

import itertools
import math

import numpy as np

from evalstats.report.blocks import Document, Extent, Table, heads, paragraph, sections
from evalstats.report.numbers import count, decimal, pvalue_cell, signed
from evalstats.reproducibility.learning_curves import ComparedSize, LearningCurveTestResult

DIGITS = 3
CORRECTION = "the correction for overlapping training sets uses {}"


def verdict(result: LearningCurveTestResult) -> str:
    """State for each pair at which sizes which classifier is shown to be better."""
    sizes = result.n_train.tolist()
    span = f"{sizes[0]:,} to {sizes[-1]:,}" if len(sizes) > 1 else f"{sizes[0]:,}"
    told = [
        _of_pair(first, second, list(rows), len(sizes))
        for (first, second), rows in itertools.groupby(result.comparisons, lambda row: (row.first, row.second))
    ]
    if not told:
        told = [f"The mean score of {result.classifiers[0]} at {span} training instances."]
    told.append(
        f"{count(result.n_repeats, 'split')} at {count(len(sizes), 'training size')}; all limits hold together with "
        f"{100 * result.confidence_level:.4g}% confidence. Nothing follows for sizes outside of {span}."
    )
    return " ".join([*told, *([f"Note: {result.reason}."] if result.reason else [])])


def _of_pair(first: object, second: object, rows: list[ComparedSize], n_sizes: int) -> str:
    better = {name: [f"{r.n_train:,}" for r in rows if r.better == name] for name in (first, second)}
    said = [
        f"{name} is shown to be better than {other} with {_and(at)} training instances"
        for (name, at), other in zip(better.items(), (second, first), strict=True)
        if at
    ]
    n_shown = sum(map(len, better.values()))
    if not said:
        where = "at any of these sizes" if n_sizes > 1 else "at this size"
        return f"No significant difference between {first} and {second} {where}."
    rest = "" if n_shown == n_sizes else "; no significant difference at the other sizes"
    return f"{'; '.join(said)}{rest}."


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def document(result: LearningCurveTestResult, extent: Extent) -> Document:
    """Return the differences and the curves with their limits."""
    return Document(
        title="Learning curves",
        verdict=paragraph(verdict(result)),
        sections=sections({"Differences": _differences(result, extent), "Curves": _curves(result, extent)}),
    )


def _differences(result: LearningCurveTestResult, extent: Extent) -> Table | None:
    if not result.pairs:
        return None
    rows = [
        (
            str(row.first),
            str(row.second),
            f"{row.n_train:,}",
            signed(row.difference, DIGITS),
            *(_number(value, is_signed=True) for value in (row.lower, row.upper)),
            pvalue_cell(row.pvalue, 1 - result.confidence_level),
            "not shown" if row.better is None else str(row.better),
        )
        for row in result.comparisons[: extent.max_rows]
    ]
    used = "the training size" if result.n_pool is None else f"the {result.n_pool:,} instances outside of the test set"
    return Table(
        name="differences",
        caption=(
            "Mean differences with simultaneous limits, and p-values of the corrected t-test, adjusted for all pairs "
            f"and sizes by the distribution of the largest t; {CORRECTION.format(used)}."
        ),
        columns=(
            *heads(["first", "second"], ["training size", "first − second", "low", "high", "adjusted p"]),
            *heads(["better"], []),
        ),
        rows=tuple(rows),
        marked=tuple(row[-1] != "not shown" for row in rows),
    )


def _curves(result: LearningCurveTestResult, extent: Extent) -> Table:
    places = itertools.islice(np.ndindex(result.mean.shape), extent.max_rows)
    rows = tuple(
        (
            str(result.classifiers[i]),
            f"{result.n_train[j]:,}",
            *(_number(float(values[i, j])) for values in (result.mean, result.lower, result.upper)),
        )
        for i, j in places
    )
    return Table(
        name="curves",
        caption="Mean scores with limits that hold for all classifiers and sizes together.",
        columns=heads(["classifier"], ["training size", "mean", "low", "high"]),
        rows=rows,
    )


def _number(value: float, *, is_signed: bool = False) -> str:
    if math.isnan(value):
        return "none"
    return signed(value, DIGITS) if is_signed else decimal(value, DIGITS)
