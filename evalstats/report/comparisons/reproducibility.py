"""Reproducibility of the decisions over the repeats of a table, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

__all__ = ["overlap_table", "sections"]

from evalstats.comparison.record import Comparison
from evalstats.comparison.registry import POSTHOC_TESTS
from evalstats.report.blocks import Cite, Column, Section, Table, paragraph, section
from evalstats.report.describe import count, decimal, percent, pvalue_words
from evalstats.wording import adjusted_words

if TYPE_CHECKING:
    from evalstats.reproducibility.run_overlap import OverlapResult, PValuesOverRuns, VerdictReproducibility

_HEADING = "Reproducibility of the decision"


def sections(comparison: Comparison, most_pairs: int) -> Iterator[Section]:
    """Yield the section on the reproducibility of the decision if the table of the comparison has repeats."""
    found, pvalues = comparison.reproducibility, comparison.pvalues_over_runs
    if found is None:
        return
    from evalstats.reproducibility.run_overlap import OverlapResult  # for tables with repeats only

    if isinstance(found, OverlapResult):
        yield _on_one_dataset(comparison, found, most_pairs)
    elif pvalues is not None:
        yield _over_datasets(comparison, found, pvalues, most_pairs)


def _over_datasets(
    comparison: Comparison, verdicts: VerdictReproducibility, pvalues: PValuesOverRuns, most_pairs: int
) -> Section:
    """Return the section of a comparison over datasets whose table has repeats."""
    test = "Wilcoxon signed-rank test" if comparison.omnibus_test is None else "Friedman test"
    runs = count(pvalues.n_runs, "run")
    words = (
        f"The verdict above uses the means over {runs}. Applied to each run separately, the {test} rejects in "
        f"{pvalues.n_reject} of {pvalues.n_runs} at α = {comparison.alpha:g} (median "
        f"{pvalue_words(pvalues.median_pvalue)})"
    )
    if pvalues.n_reject_first is not None and pvalues.n_reject_second is not None:
        first, second = comparison.table.classifiers
        words += f": {pvalues.n_reject_first} in favor of {first}, {pvalues.n_reject_second} in favor of {second}"
    ranking = ""
    if comparison.n_classifiers > 2:
        ranking = (
            ". Two runs give the same ranking of all classifiers with probability "
            f"{decimal(verdicts.ranking_agreement, 2)}; "
            f"{count(verdicts.n_rankings, 'ranking')} occurred"
        )
    what = "better mean rank" if comparison.n_classifiers > 2 else "better score on more datasets"
    table = overlap_table(
        comparison.table.classifiers, comparison.compared[:most_pairs], verdicts.pairs, what, verdicts
    )
    said = paragraph(f"{words}{ranking} ", Cite(("raeder2010",)), ".")
    return section("reproducibility", _HEADING, said, table)


def _on_one_dataset(comparison: Comparison, overlap: OverlapResult, most_pairs: int) -> Section:
    """Return the section of a comparison on one dataset with repeats."""
    what = f"{count(overlap.n_runs, 'repeat')} of the cross-validation"
    if comparison.design == "runs":
        what = count(overlap.n_runs, "run")
    words = f"{what}, which differ by their seed, order the classifiers as follows "
    table = overlap_table(comparison.table.classifiers, comparison.compared[:most_pairs], overlap, "better score")
    return section("reproducibility", _HEADING, paragraph(words, Cite(("raeder2010",)), "."), table)


def overlap_table(
    names: tuple[str, ...],
    pairs: Sequence[tuple[str, str]],
    overlap: OverlapResult,
    what: str,
    verdicts: VerdictReproducibility | None = None,
) -> Table:
    """Return a table with the number of runs in which each classifier of a pair is better."""
    at = [(names.index(a), names.index(b)) for a, b in pairs]
    interval = overlap.confidence_interval()
    significant = verdicts is not None and len(names) > 2
    rows = []
    for (a, b), (i, j) in zip(pairs, at, strict=True):
        ahead = f"{overlap.n_wins[i, j]}/{overlap.n_ties[i, j]}/{overlap.n_losses[i, j]}"
        reproducibility = decimal(float(overlap.reproducibility[i, j]), 2)
        limits = f"{decimal(float(interval.low[i, j]), 2)} to {decimal(float(interval.high[i, j]), 2)}"
        counts = (f"{verdicts.n_significant[i, j]}/{verdicts.n_significant[j, i]}",) if significant and verdicts else ()
        rows.append((a, b, ahead, reproducibility, limits, *counts))
    also = ""
    if significant and verdicts is not None:
        test = adjusted_words(POSTHOC_TESTS[verdicts.test].words, verdicts.adjustment)
        also = f" Number of runs in which the {test} shows the first, and the second, to be better."
    return Table(
        name="reproducibility",
        caption=(
            f"Number of runs in which the first has the {what}, both are tied, and the second has the {what}. "
            f"Reproducibility R with its {percent(0.95)} interval, from 0 (both are better equally often) to 1 (the "
            f"same classifier is always better).{also}"
        ),
        columns=(
            Column(head="First"),
            Column(head="Second"),
            Column(head="Ahead", numeric=True),
            Column(head="R", numeric=True),
            Column(head="Interval", numeric=True),
            *((Column(head="Significant", numeric=True),) if significant else ()),
        ),
        rows=tuple(rows),
    )
