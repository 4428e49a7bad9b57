"""Multi-comparison matrix as a table: three lines for each classifier."""

from __future__ import annotations

__all__ = ["matrix_table"]

from collections.abc import Iterator

from evalstats.comparison.pair_matrix import MOST_SHOWN, PairMatrix, pair_matrix
from evalstats.comparison.record import Comparison
from evalstats.report.blocks import Table, heads
from evalstats.report.numbers import column, pvalue_cell
from evalstats.wording import pair_matrix_sentences


def matrix_table(comparison: Comparison, max_rows: int) -> Table:
    """Return the mean difference, the wins/ties/losses and the p-value of each pair, ordered by the mean scores.

    The table shows at most the `MOST_SHOWN` classifiers with the best mean scores.
    """
    found = pair_matrix(comparison, min(MOST_SHOWN, max_rows))
    return Table(
        name="matrix",
        caption=" ".join(pair_matrix_sentences(found, comparison, mark="*")),
        columns=heads([comparison.words.classifier.capitalize()], ["Mean", *found.columns]),
        rows=tuple(_rows(found, comparison.alpha)),
    )


def _rows(found: PairMatrix, alpha: float) -> Iterator[tuple[str, ...]]:
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
