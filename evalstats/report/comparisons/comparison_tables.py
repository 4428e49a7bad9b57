"""Tables of a comparison: the classifiers, the pairs, and the datasets with all scores for a paper."""

from __future__ import annotations

__all__ = [
    "NOT_DIFFERENT",
    "classifiers_table",
    "each_tested_words",
    "first_two",
    "matrix_table",
    "pairs_table",
    "paper_table",
    "together",
]

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats._ranks import rounded
from evalstats._types import FloatArray
from evalstats.comparison.ranking import Pair
from evalstats.comparison.record import MOST_SHOWN, Comparison, PairMatrix, pair_matrix
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.report.blocks import Block, Column, Table, heads, paragraph
from evalstats.report.comparisons.shared_blocks import dataset_words
from evalstats.report.describe import (
    METHODS,
    as_given,
    column,
    count,
    decimal,
    decimals,
    metric_words,
    of_count,
    percent,
    pvalue_cell,
    shown_of,
    signed,
)
from evalstats.wording import (
    adjustment_words,
    metric_name,
    pair_matrix_sentences,
    pair_test_words,
    pair_tests_words,
    promise_words,
    tested_words,
    untested_note,
)


def pairs_table(comparison: Comparison, most_pairs: int) -> list[Block]:
    """Return the table of the pairs; if there are too many, only the pairs with the smallest p-values."""
    made = _by_ranks if comparison.design == "datasets" else _by_differences
    return made(comparison, most_pairs)


def _smallest(comparison: Comparison, most: int) -> tuple[Sequence[Any], list[Block]]:
    """Return the pairs with the smallest p-values, and a sentence that states whether pairs are left out."""
    shown = comparison.pairs_with_smallest_pvalues(most)
    few = f"The table shows the {of_count(len(shown), comparison.n_pairs, 'pair')} with the smallest p-values."
    return shown, [] if len(shown) == comparison.n_pairs else [paragraph(few)]


# --- over datasets ----------------------------------------------------------------------------------------------------


def _by_ranks(comparison: Comparison, most_pairs: int) -> list[Block]:
    control = comparison.control
    shown, few = _smallest(comparison, most_pairs)
    against = "first against second"
    words = comparison.words
    on = f"common {words.datasets} won" if comparison.table.missing else f"{words.datasets} won"
    if control is not None:
        against = f"each {words.classifier} (first) against the control, {control} (second)"
    measured = _measured(comparison, shown)
    compared = count(comparison.n_pairs, "comparison")
    how = {
        "none": f"p-value, not adjusted for {compared}",
        "single-step": f"p-value adjusted for {compared} jointly",
    }.get(adjustment := str(comparison.adjustment)) or (
        f"p-value adjusted for {compared} by {adjustment_words(adjustment)}"
    )
    table = Table(
        name="pairs",
        caption=(
            f"{pair_test_words(comparison)}, {against}: {''.join(f'{one.caption}; ' for one in measured)}{how}; "
            f"{on}, tied and lost by the first; matched-pairs rank-biserial "
            "correlation r, positive if the first is better; Hodges-Lehmann (HL) estimate of first minus second in "
            f"{metric_words(comparison.table)}."
        ),
        columns=(
            *(
                Column(head=name)
                for name in (("First", "Second") if control is None else (words.classifier.capitalize(),))
            ),
            *(Column(head=one.head, numeric=True) for one in measured),
            Column(head="p", numeric=True),
            Column(head="Shown to differ", whole=True),
            Column(head="W/T/L", numeric=True),
            Column(head="r", numeric=True),
            Column(head="HL diff.", numeric=True),
        ),
        rows=_pair_rows(shown, comparison, measured),
        marked=tuple(pair.different for pair in shown),
    )
    return [*few, table]


class _Measured(NamedTuple):
    """Columns for the quantity that a post-hoc test compares."""

    head: str
    caption: str
    cells: list[str]


def _measured(comparison: Comparison, pairs: Sequence[Pair]) -> list[_Measured]:
    """Return the compared quantity as columns: mean ranks, or mean scores with simultaneous intervals."""
    test = POSTHOC_TESTS[str(comparison.posthoc_test)]
    if not test.effect:
        ranks = [signed(pair.mean_rank_difference, 3) for pair in pairs]
        return [_Measured("Rank diff.", "difference between mean ranks, negative if the first is better", ranks)]
    if test.effect != "mean_difference" or comparison.table.missing:
        return []
    of = comparison.table.position
    at = [(of(pair.first), of(pair.second)) if comparison.control is None else of(pair.first) for pair in pairs]
    means = [float(np.asarray(getattr(comparison.posthoc, test.effect))[i]) for i in at]
    caption = f"difference between the means, first minus second, in {metric_words(comparison.table)}"
    if test.adjusts or test.simulates:  # which have no interval for all pairs at once
        return [_Measured("Mean diff.", caption, column(means, digits=3))]
    posthoc: Any = comparison.posthoc  # those that hold for all pairs at once have an interval
    interval = posthoc.confidence_interval(1 - comparison.alpha)
    lows, highs = ([float(np.asarray(limit)[i]) for i in at] for limit in (interval.low, interval.high))
    mean, low, high = np.array_split(column([*means, *lows, *highs], digits=3), 3)
    limits = [f"{a} to {b}" for a, b in zip(low.tolist(), high.tolist(), strict=True)]
    level = percent(1 - comparison.alpha)
    return [
        _Measured("Mean diff.", caption, mean.tolist()),
        _Measured("Interval", f"its simultaneous {level} interval", limits),
    ]


def _pair_rows(pairs: Sequence[Pair], comparison: Comparison, measured: list[_Measured]) -> tuple[tuple[str, ...], ...]:
    estimates = column([pair.hodges_lehmann for pair in pairs], digits=3)
    return tuple(
        (
            *((pair.first, pair.second) if comparison.control is None else (pair.first,)),
            *(one.cells[i] for one in measured),
            pvalue_cell(pair.pvalue, comparison.alpha),
            ("yes" if pair.different else "no") if comparison.is_conclusive and not math.isnan(pair.pvalue) else "–",
            f"{pair.n_wins}/{pair.n_ties}/{pair.n_losses}",
            signed(pair.rank_biserial, 3),
            estimate,
        )
        for i, (pair, estimate) in enumerate(zip(pairs, estimates, strict=True))
    )


# --- differences of scores of folds, instances and questions ----------------------------------------------------------


def each_tested_words(comparison: Comparison) -> str:
    """Name the test of each pair for folds, instances or questions, and count the pairs that differ."""
    compared = count(comparison.n_pairs, "pair" if comparison.control is None else "comparison")
    n_different = comparison.n_different
    law = next((test.method for test in comparison.tests if isinstance(test.method, str)), "")
    test = pair_test_words(comparison)
    how = f" ({METHODS[law]})" if law in METHODS and law not in test.split() else ""  # an exact test is named so
    rule = (
        f"Each pair was compared by the {test}{how}; "
        f"{promise_words(comparison.adjustment, comparison.alpha, comparison.n_pairs)}."
    )
    if comparison.omnibus is not None and not comparison.significant:
        return f"{rule} Because Cochran's Q test does not reject, its numbers are shown but not interpreted."
    found = shown_of(n_different, compared, comparison.n_pairs)
    return f"{rule} {found[0].upper()}{found[1:]} shown to differ."


def _by_differences(comparison: Comparison, most_pairs: int) -> list[Block]:
    shown, few = _smallest(comparison, most_pairs)
    has_counts, several = shown[0].n_wins is not None, comparison.n_pairs > 1
    heads = ["Difference", "Interval", *(("p", "p adj.") if several else ("p",)), "Shown to differ"]
    of_one_unit = [getattr(pair, name) for name in ("difference", "low", "high") for pair in shown]
    written = column(of_one_unit, digits=3)
    numbers = (written[i : i + len(shown)] for i in range(0, len(written), len(shown)))
    table = Table(
        name="pairs",
        caption=(
            f"First minus second in {metric_words(comparison.table)}, with the separate "
            f"{percent(1 - comparison.alpha)} interval of each pair"
            f"{f'; W/T/L: {comparison.words.counted}' if has_counts else ''}."
        ),
        columns=(
            Column(head="First"),
            Column(head="Second"),
            *(Column(head=head, numeric=head != "Shown to differ") for head in heads),
            *((Column(head="W/T/L", numeric=True),) if has_counts else ()),
        ),
        rows=tuple(
            (
                pair.first,
                pair.second,
                difference,
                "–" if math.isnan(pair.low) else f"{low} to {high}",
                *((pvalue_cell(pair.unadjusted_pvalue, comparison.alpha),) if several else ()),
                pvalue_cell(pair.pvalue, comparison.alpha),
                "yes" if pair.different else "–" if math.isnan(pair.pvalue) else "no",
                *((f"{pair.n_wins}/{pair.n_ties}/{pair.n_losses}",) if has_counts else ()),
            )
            for pair, difference, low, high in zip(shown, *numbers, strict=True)
        ),
        marked=tuple(pair.different for pair in shown),
    )
    return [*few, table]


# --- multi-comparison matrix ---------------------------------------------------------------------------------------


def matrix_table(comparison: Comparison, max_rows: int) -> Table:
    """Return the matrix of mean differences, wins/ties/losses and p-values of all pairs, ordered by the mean scores.

    The table shows at most the `MOST_SHOWN` classifiers with the best mean scores.
    """
    found = pair_matrix(comparison, min(MOST_SHOWN, max_rows))
    return Table(
        name="matrix",
        caption=" ".join(pair_matrix_sentences(found, comparison, mark="*")),
        columns=heads([comparison.words.classifier.capitalize()], ["Mean", *found.columns]),
        rows=tuple(_matrix_rows(found, comparison.alpha)),
    )


def _matrix_rows(found: PairMatrix, alpha: float) -> Iterator[tuple[str, ...]]:
    means, differences = column(found.mean_scores, digits=4), found.differences()
    for i, (row, mean) in enumerate(zip(found.rows, means, strict=True)):
        is_other = [name != row for name in found.columns]
        yield row, mean, *(text if other else "" for text, other in zip(differences[i], is_other, strict=True))
        if found.counts is not None:
            counts = ("/".join(map(str, own)) for own in zip(*(one[i].tolist() for one in found.counts), strict=True))
            yield "W/T/L", "", *(text if other else "" for text, other in zip(counts, is_other, strict=True))
        pvalues = [pvalue_cell(pvalue, alpha) for pvalue in found.pvalue[i].tolist()]
        marks = ["*" * bool(one) for one in found.different[i]]
        yield "p", "", *(p + m if other else "" for p, m, other in zip(pvalues, marks, is_other, strict=True))


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
