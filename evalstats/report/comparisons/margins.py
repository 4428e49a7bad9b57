"""Results of noninferiority tests, as sentences and as a table."""

from __future__ import annotations

__all__ = ["margin_blocks", "margin_method", "margin_section", "margin_test_words", "margin_words"]

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evalstats.comparison.supplements import VERDICTS, MarginPair, Margins
from evalstats.comparison.validity import untested_clause
from evalstats.paired.shifted_scores import expects_another_cluster
from evalstats.report.blocks import Block, Cite, Column, Section, Sentences, Table, paragraph, section
from evalstats.report.describe import metric_words
from evalstats.report.numbers import column, count, of_count, percent, pvalue_cell
from evalstats.wording import adjusted_words, level_words, promise_words, written_list

if TYPE_CHECKING:
    from evalstats.comparison.record import Comparison

# maximum number of names in a sentence; the others are counted
_LISTED = 4

TESTS = {
    "accuracy": "Tango's score test",
    "auc": "DeLong's test",
    "betting": "test by betting",
    "clustered-t": "cluster-robust t-test",
    "corrected-t": "corrected resampled t-test",
    "paired-t": "paired t-test",
    "sign": "sign test",
    "wilcoxon": "Wilcoxon signed-rank test",
}
_BOOTSTRAP = "paired bootstrap"
_SHOWN = {
    "better": "{names} {are} better than {reference} in the comparison itself",
    "not worse": "{names} {are} noninferior to {reference} at that margin",
    "worse": "{names} {are} shown to be worse than {reference} by more than the margin",
    "undecided": "it is undecided whether {names} {are} worse than {reference} by more than the margin",
}
_SHOWN_OF_PAIRS = {
    "better": "in {n} it is better in the comparison itself",
    "not worse": "in {n} it is noninferior at that margin",
    "worse": "in {n} it is shown to be worse by more than the margin",
    "undecided": "in {n} it is undecided whether it is worse by more than the margin",
}


def margin_words(comparison: Comparison) -> str:
    """State in one sentence which classifiers are noninferior, or '' without a margin."""
    margins = comparison.margins
    if margins is None:
        return ""
    what, n = f" With a margin of {margins.margin:g}", len(margins.pairs)
    tests = f"one-sided {_test_words(margins)}, {level_words(margins.adjustment, margins.alpha, n)}"
    if n > 1 and comparison.control is None:
        clauses = [_SHOWN_OF_PAIRS[verdict].format(n=len(names)) for verdict, names in _by_verdict(margins).items()]
        who = (
            f"the lower-ranked {comparison.words.classifier} of each of {count(n, 'pair')} was tested against the other"
        )
        return f"{what}, {who}: {'; '.join(clauses)} ({tests}).{_untested_words(margins)}"
    clauses = [
        _SHOWN[verdict].format(
            names=written_list(names, at_most=_LISTED),
            are="is" if len(names) == 1 else "are",
            reference=margins.pairs[0].reference,
        )
        for verdict, names in _by_verdict(margins).items()
    ]
    return f"{what}, {'; '.join(clauses)} ({tests}).{_untested_words(margins)}"


def margin_test_words(test: str) -> str:
    """Return the name of a noninferiority test for sentences on comparisons and gates."""
    return TESTS.get(test, _BOOTSTRAP)


def _untested_words(margins: Margins) -> str:
    """Name the pairs without a p-value, which stay undecided, and add the warnings of the test."""
    found, lacking = margins.validity, len(margins.validity.untested)
    said = ""
    if lacking:
        which = of_count(lacking, len(margins.pairs), "pair") if len(margins.pairs) > 1 else "the pair"
        clause = untested_clause(margin_test_words(margins.test), found.reason)
        said = f" With the margin, {which} {clause}: no conclusion is possible."
    return said + "".join(f" {finding.sentence}" for finding in found.findings if finding.severity == "warning")


def margin_section(comparison: Comparison, most_pairs: int) -> Section:
    """Return the section with the noninferiority tests of the pairs and their explanation."""
    return section("margins", "Noninferiority", *margin_blocks(comparison, most_pairs))


def margin_blocks(comparison: Comparison, most_pairs: int, *, name: str = "margins") -> list[Block]:
    """Return the explanation of the noninferiority tests, and the table of the pairs, which has the name `name`."""
    margins = comparison.margins
    assert margins is not None
    pairs = margins.pairs[:most_pairs]
    few = f"The table shows the first {of_count(len(pairs), len(margins.pairs), 'pair')}."
    blocks: list[Block] = [paragraph(*_method(comparison, margins))]
    if len(pairs) < len(margins.pairs):
        blocks.append(paragraph(few))
    return [*blocks, _table(comparison, margins, pairs, name)]


def _table(comparison: Comparison, margins: Margins, pairs: Sequence[MarginPair], name: str) -> Table:
    fields = ("difference", "low", "high", "smallest_margin")
    written = column([getattr(pair, name) for name in fields for pair in pairs], digits=3)
    numbers = [written[i : i + len(pairs)] for i in range(0, len(written), len(pairs))]
    heads = ("Difference", "Interval", "p not worse", "p worse", "Smallest")
    noun = comparison.words.classifier.capitalize()
    return Table(
        name=name,
        caption=(
            f"{noun} minus reference in {metric_words(comparison.table)}, with the separate "
            f"{percent(margins.confidence_level)} interval of each pair. One-sided p-values for noninferiority and for "
            "inferiority by more than the margin. Smallest: the smallest margin at which the test of a single pair "
            "shows noninferiority."
        ),
        columns=(
            Column(head=noun),
            *(() if comparison.control else (Column(head="Reference"),)),
            *(Column(head=head, numeric=True) for head in heads),
            Column(head="Verdict", whole=True),
        ),
        rows=tuple(
            (
                pair.classifier,
                *(() if comparison.control else (pair.reference,)),
                difference,
                f"{low} to {high}",
                *(pvalue_cell(p, margins.alpha) for p in (pair.pvalue_noninferiority, pair.pvalue_inferiority)),
                smallest,
                pair.verdict,
            )
            for pair, difference, low, high, smallest in zip(pairs, *numbers, strict=True)
        ),
    )


def margin_method(comparison: Comparison, margins: Margins) -> Sentences:
    """Describe the noninferiority test, its margin and its significance level."""
    promise = promise_words(margins.adjustment, margins.alpha, len(margins.pairs), found="shown to be noninferior")
    shown = (
        f"A {comparison.words.classifier} is noninferior if the one-sided {_test_words(margins)} rejects at α = "
        f"{margins.alpha:g}. The hypothesis is that it is worse than its reference by the margin of "
        f"{margins.margin:g} or more "
    )
    return shown, Cite(("wellek2010",)), f"; {promise}.{_unseen_words(comparison, margins)}"


def _method(comparison: Comparison, margins: Margins) -> Sentences:
    loss = "" if comparison.table.greater_is_better else " A smaller score is better: the margin lies above 0."
    reasons = dict.fromkeys(pair.reason for pair in margins.pairs if pair.reason is not None)
    degenerate = "".join(f" Some pairs cannot be tested: {reason}." for reason in reasons)
    rest = (
        " Better means that the comparison itself shows a difference. Worse means that a loss of more than the margin "
        f"is shown. Undecided means that the data are not sufficient for a conclusion.{loss}{degenerate}"
    )
    notes = "".join(f" {finding.sentence}" for finding in margins.validity.findings if finding.severity == "note")
    return *margin_method(comparison, margins), f"{rest}{notes}"


def _unseen_words(comparison: Comparison, margins: Margins) -> str:
    """State that the variance for questions or instances in clusters includes one additional cluster."""
    is_grouped, unit = "cluster" in comparison.columns, "question"
    if comparison.design == "instances" and is_grouped and margins.test == "accuracy":
        unit = "instance"
    elif comparison.design != "questions" or not expects_another_cluster(comparison.n_questions, is_grouped=is_grouped):
        return ""
    return (
        f" {count(comparison.n_clusters, 'cluster')} do not necessarily include all kinds of clusters. Therefore, the "
        "variance "
        f"includes one additional cluster in which all {unit}s differ."
    )


def _by_verdict(margins: Margins) -> dict[str, tuple[str, ...]]:
    return {verdict: names for verdict in VERDICTS if (names := margins.classifiers(verdict))}


def _test_words(margins: Margins) -> str:
    return adjusted_words(margin_test_words(margins.test), margins.adjustment)
