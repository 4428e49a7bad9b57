"""Table of the classifiers of a comparison, best classifier first."""

from __future__ import annotations

__all__ = ["classifiers_table", "together"]

from collections.abc import Sequence

import numpy as np

from evalstats.comparison.record import Comparison
from evalstats.report.blocks import Column, Table
from evalstats.report.comparisons.input_summary import dataset_words
from evalstats.report.describe import metric_words
from evalstats.report.numbers import column, decimal, percent
from evalstats.wording import metric_name, untested_note


def classifiers_table(comparison: Comparison) -> Table:
    """Return the table of the classifiers, best first, by mean ranks or by scores."""
    made = {"datasets": _by_mean_ranks, "questions": _by_answers}.get(comparison.design, _by_scores)
    return made(comparison)


def _by_mean_ranks(comparison: Comparison) -> Table:
    """Return the table of the classifiers with their mean ranks and scores."""
    table, words = comparison.table, comparison.words
    scores = table.scores[:, [table.classifiers.index(name) for name in comparison.ranking]]
    means, medians = np.nanmean(scores, axis=0).tolist(), np.nanmedian(scores, axis=0).tolist()
    written = column([*means, *medians], digits=4)
    ranks = [decimal(comparison.mean_rank(name), 3) for name in comparison.ranking]
    direction = "higher" if table.greater_is_better else "lower"
    control = "" if comparison.control is None else f" The control is {comparison.control}."
    computed = f" Computation of the scores: {table.computation}." if table.computation else ""
    scores_words = f"scores: {metric_words(comparison.table)}, {direction} is better.{computed}{control}"
    columns = [comparison.ranking, ranks, written[: len(means)], written[len(means) :]]
    ranked = "Mean ranks, 1 for the best"
    heads = [Column(head=words.classifier.capitalize()), Column(head="Mean rank", numeric=True)]
    heads += [Column(head=f"{what} {metric_name(table.metric)}", numeric=True) for what in ("Mean", "Median")]
    if table.missing:
        columns.append([str(n) for n in (~np.isnan(scores)).sum(axis=0).tolist()])
        k = comparison.n_classifiers
        ranked = f"Mean ranks over the {words.datasets} with a score of the {words.classifier}, "
        ranked += f"from 1 for the best of a {words.dataset} to {k}"
        ranked += " for its worst"
        heads.append(Column(head=words.datasets.capitalize(), numeric=True))
    shared = ""
    if comparison.is_conclusive and comparison.letters and comparison.omnibus is not None:
        letters = dict(zip(table.classifiers, comparison.letters, strict=True))
        columns.append([letters[name] for name in comparison.ranking])
        heads.append(Column(head="Letters", whole=True))
        shared = f" Two {words.classifiers} are significantly different if they share no letter. "
        shared += untested_note(comparison.validity)
        shared = shared.rstrip()
    return Table(
        name="ranks",
        caption=f"{ranked}, and {scores_words}{shared}",
        columns=tuple(heads),
        rows=tuple(zip(*columns, strict=True)),
    )


def _by_scores(comparison: Comparison) -> Table:
    """Return the table of the classifiers with their scores on one dataset."""
    table = comparison.table
    direction = "higher" if table.greater_is_better else "lower"
    computed = f" Computation: {table.computation}." if table.computation not in ("", metric_name(table.metric)) else ""
    written = column([comparison.score(name) for name in comparison.ranking], digits=4)
    control = "" if comparison.control is None else f" The control is {comparison.control}."
    return Table(
        name="scores",
        caption=f"{metric_words(table)} on {dataset_words(comparison)}, {direction} is better.{computed}{control}",
        columns=(Column(head="Classifier"), Column(head=metric_name(table.metric), numeric=True)),
        rows=tuple(zip(comparison.ranking, written, strict=True)),
    )


def _by_answers(comparison: Comparison) -> Table:
    """Return the table of the models with their scores, intervals and design effects."""
    several = comparison.n_benchmarks > 1
    numbers = together([(m.score, m.standard_error, m.low, m.high) for m in comparison.models])
    level, metric = percent(1 - comparison.alpha), metric_name(comparison.table.metric)
    average = f" The {comparison.average} average of the benchmarks." if several else ""
    return Table(
        name="models",
        caption=(
            f"Mean {metric} with its cluster-robust standard error and {level} interval; the design effect "
            f"is the variance relative to the variance for independent questions.{average}"
        ),
        columns=(
            Column(head="Model"),
            *(
                Column(head=head, numeric=True)
                for head in (f"{metric[:1].upper()}{metric[1:]}", "SE", "Interval", "Design effect")
            ),
        ),
        rows=tuple(
            (model.classifier, score, error, f"{low} to {high}", decimal(model.design_effect, 2))
            for model, (score, error, low, high) in zip(comparison.models, numbers, strict=True)
        ),
    )


def together(rows: Sequence[Sequence[float]]) -> list[list[str]]:
    """Format the numbers in all rows with the same number of decimals."""
    written = iter(column([value for row in rows for value in row], digits=3))
    return [[next(written) for _ in row] for row in rows]
