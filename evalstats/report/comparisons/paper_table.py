"""Table of datasets x classifiers for a paper, with marked best scores and mean ranks in the last row."""

from __future__ import annotations

__all__ = ["NOT_DIFFERENT", "first_two", "paper_table"]

import math

import numpy as np

from evalstats._ranks import rounded
from evalstats._types import FloatArray
from evalstats.comparison.record import Comparison
from evalstats.report.blocks import Column, Table
from evalstats.report.comparisons.standing import classifiers_table, together
from evalstats.report.describe import metric_words
from evalstats.report.numbers import as_given, column, decimals
from evalstats.wording import metric_name, pair_tests_words, tested_words, untested_note

NOT_DIFFERENT = "°"  # mark of a mean rank that does not differ significantly from the best, or from the control
_DIGITS = 4  # number of digits of the largest score, if the scores have more decimals


def paper_table(comparison: Comparison) -> Table:
    """Return the scores of all classifiers on all datasets, with the best and second-best scores marked.

    All tied best scores are marked as the best. If the best scores are tied, there is no second-best score.
    """
    made = {"datasets": _of_datasets, "questions": _of_questions}.get(comparison.design, classifiers_table)
    return made(comparison)


def _of_datasets(comparison: Comparison) -> Table:
    table = comparison.table
    best, second = _places(table.scores, comparison)
    foot = len(table.datasets)
    ranks = -np.array([comparison.mean_ranks])
    of_ranks = first_two(ranks, 0.0)
    return Table(
        name="scores",
        caption=" ".join(_caption(comparison)),
        columns=(
            Column(head=comparison.words.dataset.capitalize()),
            *(Column(head=name, numeric=True) for name in table.classifiers),
        ),
        rows=(
            *((name, *row) for name, row in zip(table.datasets, _written(table.scores), strict=True)),
            ("Mean rank", *_ranks(comparison)),
        ),
        best=frozenset({*best, *((foot, j) for _, j in of_ranks[0])}),
        second=frozenset({*second, *((foot, j) for _, j in of_ranks[1])}),
        foot=True,
    )


def _written(scores: FloatArray) -> list[list[str]]:
    """Format all scores with the decimals of the source, or so that the largest score has four digits."""
    values = scores.ravel().tolist()
    known = [value for value in values if not math.isnan(value)]
    places = decimals(known)
    largest = max(map(abs, known))
    few = places is not None and places <= max(_DIGITS - 1, _DIGITS - len(f"{largest:.0f}"))
    texts = as_given(values, places) if few else column(values, digits=_DIGITS)
    shown = ["–" if math.isnan(value) else text for value, text in zip(values, texts, strict=True)]
    k = scores.shape[1]
    return [shown[i : i + k] for i in range(0, len(shown), k)]


def _places(scores: FloatArray, comparison: Comparison) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the cells with the best score of each dataset, and the cells with the second best score."""
    ahead = scores if comparison.table.greater_is_better else -scores
    return first_two(ahead, comparison.tie_tolerance)


def first_two(ahead: FloatArray, tie_tolerance: float) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the cells with the largest and the second-largest value of each row; column 0 contains names."""
    best, second = [], []
    for i, row in enumerate(ahead):
        there = np.flatnonzero(~np.isnan(row))
        values = rounded(row[there], tie_tolerance)
        levels = np.unique(values)[::-1]
        if len(levels) < 2:
            continue  # there is no best classifier
        first = there[values == levels[0]].tolist()
        best += [(i, j + 1) for j in first]
        second += [(i, j + 1) for j in there[values == levels[1]].tolist()] if len(first) == 1 else []
    return best, second


def _ranks(comparison: Comparison) -> list[str]:
    """Format the mean ranks, and mark those that do not differ significantly from the best or the control."""
    written = [f"{rank:.3f}" for rank in comparison.mean_ranks]
    if not _has_marks(comparison):
        return written
    own = comparison.table.position(comparison.control or comparison.ranking[0])
    alike = ~comparison.different[own]
    for name in comparison.validity.untested_against(comparison.table.classifiers[own]):
        alike[comparison.table.position(name)] = False
    return [text + NOT_DIFFERENT * bool(alike[j] and j != own) for j, text in enumerate(written)]


def _has_marks(comparison: Comparison) -> bool:
    return comparison.omnibus is not None and comparison.is_conclusive


def _caption(comparison: Comparison) -> list[str]:
    table = comparison.table
    direction = "higher" if table.greater_is_better else "lower"
    metric = metric_words(table)
    of_each = f"of each {comparison.words.classifier} on each {comparison.words.dataset}"
    what = f"{metric[:1].upper()}{metric[1:]} {of_each} ({direction} is better)"
    said = [f"{what}, and mean ranks (1 is the best)."]
    if _has_marks(comparison):
        who = f"the best, {comparison.ranking[0]}"
        if comparison.control is not None:
            who = f"the control, {comparison.control}"
        test = tested_words(comparison)
        said.append(f"{NOT_DIFFERENT} not shown to differ from {who} ({test}).")
        said += [untested_note(comparison.validity)] * bool(comparison.validity.untested)
    return said


def _of_questions(comparison: Comparison) -> Table:
    """Return the mean scores on all benchmarks and their average, with the best and second-best scores marked."""
    names, models = comparison.table.datasets, comparison.models
    scores = [[model.benchmarks[name] for model in models] for name in names]
    foot = [model.score for model in models] if comparison.n_benchmarks > 1 else None
    ahead = np.array([*scores, foot] if foot else scores) * (1 if comparison.table.greater_is_better else -1)
    best, second = first_two(ahead, 0.0)
    written = together(scores if foot is None else [*scores, foot])
    k, order = len(models), [comparison.table.classifiers.index(model.classifier) for model in models]
    judge = order[0] if comparison.control is None else comparison.table.classifiers.index(comparison.control)
    lacking = comparison.validity.untested_against(comparison.table.classifiers[judge])
    alike = [
        j != judge and not comparison.different[judge, j] and comparison.table.classifiers[j] not in lacking
        for j in order
    ]
    written[-1] = [written[-1][j] + NOT_DIFFERENT * alike[j] for j in range(k)]
    who = f"the best, {models[0].classifier}" if comparison.control is None else f"the control, {comparison.control}"
    direction = "higher" if comparison.table.greater_is_better else "lower"
    metric = metric_name(comparison.table.metric)
    average = f", and their {comparison.average} average" if foot else ""
    tests = pair_tests_words(comparison)
    return Table(
        name="scores",
        caption=(
            f"Mean {metric} of each model on each benchmark ({direction} is better){average}."
            + f" {NOT_DIFFERENT} not shown to differ from {who} ({tests})." * any(alike)
        ),
        columns=(Column(head="Benchmark"), *(Column(head=model.classifier, numeric=True) for model in models)),
        rows=tuple(
            (name, *row)
            for name, row in zip(
                [*names, *([f"{comparison.average.capitalize()} average"] * bool(foot))], written, strict=True
            )
        ),
        best=frozenset(best),
        second=frozenset(second),
        foot=bool(foot),
    )
