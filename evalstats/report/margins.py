"""Who is shown to be as good as whom, up to the margin?"""

from __future__ import annotations

__all__ = ["margin_section", "margin_words"]

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evalstats.comparison.margins import VERDICTS, MarginPair, Margins
from evalstats.report.blocks import Block, Cite, Column, Section, Sentences, Table, paragraph, section
from evalstats.report.describe import metric_words
from evalstats.report.numbers import column, count, percent, pvalue_cell
from evalstats.wording import adjusted_words, level_words, promise_words, written_list

if TYPE_CHECKING:
    from evalstats.comparison.margins import AnyOne

# so many names are listed in a sentence before the others are counted
_LISTED = 4

TESTS = {
    "accuracy": "Tango's score test",
    "auc": "DeLong's test",
    "clustered-permutation": "cluster-wise permutation test",
    "clustered-t": "cluster-robust t-test",
    "corrected-t": "corrected resampled t-test",
    "paired-t": "paired t-test",
    "sign": "sign test",
    "wilcoxon": "Wilcoxon signed-rank test",
}
_BOOTSTRAP = "paired bootstrap"
_SHOWN = {
    "better": "better than {reference}",
    "not worse": "shown not to be worse than {reference} by that much",
    "worse": "shown to be worse than {reference} by more than that",
    "undecided": "undecided",
}


def margin_words(comparison: AnyOne) -> str:
    """Say in a sentence of the verdict who is as good as whom; nothing where no margin was given."""
    margins = comparison.margins
    if margins is None:
        return ""
    what = f" With a margin of {margins.margin:g}"
    if len(margins.pairs) > 1 and comparison.control is None:
        told = [f"in {len(names)} it is {verdict}" for verdict, names in _by_verdict(margins).items()]
        compared = count(len(margins.pairs), "pair")
        return f"{what}, of {compared} each time the lower-ranked classifier against the other: {written_list(told)}."
    reference = margins.pairs[0].reference
    clauses = [
        f"{written_list(names, at_most=_LISTED)} {'is' if len(names) == 1 else 'are'} "
        f"{_SHOWN[verdict].format(reference=reference)}"
        for verdict, names in _by_verdict(margins).items()
    ]
    test, level = _test_words(margins), level_words(margins.adjustment, margins.alpha, len(margins.pairs))
    return f"{what}, {written_list(clauses)} (one-sided {test}, {level})."


def margin_section(comparison: AnyOne, most_pairs: int) -> Section:
    """Return the table of the pairs, and how it is read."""
    margins = comparison.margins
    assert margins is not None
    pairs = margins.pairs[:most_pairs]
    few = f"The table shows the first {len(pairs)} of {len(margins.pairs)} pairs."
    blocks: list[Block] = [paragraph(*_method(comparison, margins))]
    if len(pairs) < len(margins.pairs):
        blocks.append(paragraph(few))
    return section("margins", "Is it as good, up to the margin?", *blocks, _table(comparison, margins, pairs))


def _table(comparison: AnyOne, margins: Margins, pairs: Sequence[MarginPair]) -> Table:
    fields = ("difference", "low", "high", "smallest_margin")
    written = column([getattr(pair, name) for name in fields for pair in pairs], digits=3)
    numbers = [written[i : i + len(pairs)] for i in range(0, len(written), len(pairs))]
    heads = ("Difference", "Interval", "p not worse", "p worse", "Smallest")
    return Table(
        name="margins",
        caption=(
            f"Classifier minus reference in {metric_words(comparison.table)}, with the "
            f"{percent(margins.confidence_level)} interval of each pair alone; one-sided p of being not worse, and of "
            "being worse, by more than the margin; the margin from which on this pair alone is shown not to be worse."
        ),
        columns=(
            Column(head="Classifier"),
            *(() if comparison.control else (Column(head="Reference"),)),
            *(Column(head=head, numeric=True) for head in heads),
            Column(head="Verdict"),
        ),
        rows=tuple(
            (
                pair.classifier,
                *(() if comparison.control else (pair.reference,)),
                difference,
                f"{low} to {high}",
                *(pvalue_cell(p, margins.alpha) for p in (pair.pvalue_not_worse, pair.pvalue_worse)),
                smallest,
                pair.verdict,
            )
            for pair, difference, low, high, smallest in zip(pairs, *numbers, strict=True)
        ),
    )


def _method(comparison: AnyOne, margins: Margins) -> Sentences:
    loss = "" if comparison.table.greater_is_better else " A smaller score is better: the margin lies above 0."
    reasons = dict.fromkeys(pair.reason for pair in margins.pairs if pair.reason is not None)
    degenerate = "".join(f" Where nothing can be tested: {reason}." for reason in reasons)
    shown = (
        f"A classifier is shown not to be worse where the one-sided {_test_words(margins)} rejects that it is worse "
        f"than its reference by the margin of {margins.margin:g} or more, at α = {margins.alpha:g} "
    )
    rest = (
        f"; {promise_words(margins.adjustment, margins.alpha, len(margins.pairs))}. Better is what the comparison "
        "itself shows to be better, and worse what is shown to be worse by more than the margin. Undecided is no "
        f"verdict: the data are too few for this margin.{loss}{degenerate}"
    )
    return shown, Cite(("wellek2010",)), rest


def _by_verdict(margins: Margins) -> dict[str, tuple[str, ...]]:
    return {verdict: names for verdict in VERDICTS if (names := margins.classifiers(verdict))}


def _test_words(margins: Margins) -> str:
    return adjusted_words(TESTS.get(margins.test, _BOOTSTRAP), margins.adjustment)
