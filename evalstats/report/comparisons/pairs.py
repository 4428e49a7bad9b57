"""Tables of the pairs of a comparison, as a list (compared quantity, p-value, decision) or as a matrix."""

from __future__ import annotations

__all__ = ["each_tested_words", "matrix_table", "pairs_table"]

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats.comparison.pair import Pair
from evalstats.comparison.pair_matrix import MOST_SHOWN, PairMatrix, pair_matrix
from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.report.blocks import Block, Column, Table, heads, paragraph
from evalstats.report.describe import METHODS, metric_words
from evalstats.report.numbers import column, count, of_count, percent, pvalue_cell, shown_of, signed
from evalstats.wording import adjustment_words, pair_matrix_sentences, pair_test_words, promise_words


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
