"""Results of the optional analyses of a comparison: margins, posteriors and subgroups, as sentences and tables."""

from __future__ import annotations

__all__ = [
    "margin_blocks",
    "margin_method",
    "margin_section",
    "margin_test_words",
    "margin_words",
    "posterior_method",
    "posterior_section",
    "posterior_words",
    "subgroup_section",
    "verdict",
]

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evalstats.comparison.registry import POSTERIOR_TESTS
from evalstats.comparison.supplements import (
    OUTCOMES,
    VERDICTS,
    MarginPair,
    Margins,
    PosteriorPair,
    Posteriors,
    SubgroupAnalysis,
    SubgroupPair,
)
from evalstats.comparison.validity import untested_clause
from evalstats.paired.shifted_scores import expects_another_cluster
from evalstats.report.blocks import Block, Cite, Column, Section, Sentences, Table, heads, listing, paragraph, section
from evalstats.report.describe import (
    column,
    count,
    metric_words,
    of_count,
    percent,
    probability,
    pvalue_cell,
    pvalue_words,
)
from evalstats.report.sentences import with_names
from evalstats.wording import adjusted_words, level_words, metric_name, promise_words, written_list

if TYPE_CHECKING:
    from evalstats.comparison.record import Comparison


# maximum number of names in a sentence; the others are counted
_LISTED_MARGINS = 4

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
            names=written_list(names, at_most=_LISTED_MARGINS),
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
    blocks: list[Block] = [paragraph(*_method_of_margins(comparison, margins))]
    if len(pairs) < len(margins.pairs):
        blocks.append(paragraph(few))
    return [*blocks, _table_of_margins(comparison, margins, pairs, name)]


def _table_of_margins(comparison: Comparison, margins: Margins, pairs: Sequence[MarginPair], name: str) -> Table:
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


def _method_of_margins(comparison: Comparison, margins: Margins) -> Sentences:
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


# maximum number of names in a sentence; the others are counted
_LISTED_POSTERIORS = 4

_SOURCES = {
    "accuracy": ("gelman2013",),
    "correlated-t": ("corani2015", "benavoli2017"),
    "sign": ("benavoli2017",),
    "signed-rank": ("benavoli2014", "benavoli2017"),
}


def posterior_words(comparison: Comparison) -> str:
    """State the posterior probabilities in one sentence of the verdict, or '' without a rope."""
    posteriors = comparison.posteriors
    if posteriors is None:
        return ""
    pairs, test = posteriors.pairs, POSTERIOR_TESTS[posteriors.test]
    if len(pairs) == 1:
        (pair,) = pairs
        sides = [(pair.first, pair.p_better), (pair.second, pair.p_worse)]
        (one, p_one), (other, p_other) = sorted(sides, key=lambda side: -side[1])
        alike = "practically equivalent" if posteriors.rope else "equal"
        return (
            f" With a rope of {posteriors.rope:g}, {one} is better than {other} with probability "
            f"{_written(p_one, posteriors)}, {other} than {one} with {_written(p_other, posteriors)}, and both are "
            f"{alike} with {_written(pair.p_equivalent, posteriors)} ({test})."
        )
    needed = f"an answer needs a probability above {posteriors.threshold:g}"
    told = _by_outcome(pairs)
    if comparison.control is None:
        counted = written_list([_counted(outcome, len(of)) for outcome, of in told.items()])
        return f" Of {count(len(pairs), 'pair')}, {counted} ({test} with a rope of {posteriors.rope:g}; {needed})."
    clauses = [_against(outcome, [pair.first for pair in of], comparison.control) for outcome, of in told.items()]
    return f" With a rope of {posteriors.rope:g}, {written_list(clauses)} ({test}; {needed})."


def posterior_section(comparison: Comparison, most_pairs: int) -> Section:
    """Return the section with the posterior probabilities of the pairs and their explanation."""
    posteriors = comparison.posteriors
    assert posteriors is not None
    pairs = posteriors.pairs[:most_pairs]
    blocks: list[Block] = [paragraph(*_method_of_posteriors(posteriors))]
    if len(pairs) < posteriors.n_pairs:
        smallest = " with the smallest p-values" if len(posteriors.pairs) < posteriors.n_pairs else ""
        blocks.append(paragraph(f"The table shows {len(pairs)} of {posteriors.n_pairs} pairs{smallest}."))
    return section(
        "posteriors", "Posterior probabilities", *blocks, _table_of_posteriors(comparison, posteriors, pairs)
    )


def _table_of_posteriors(comparison: Comparison, posteriors: Posteriors, pairs: tuple[PosteriorPair, ...]) -> Table:
    tested = comparison.pairs_with_smallest_pvalues(len(posteriors.pairs))
    pvalues = {(pair.first, pair.second): pair.pvalue for pair in tested}
    are_all = comparison.control is None
    heads = ("p", "P better", "P equivalent", "P worse")
    who = "the first of both" if are_all else f"the {comparison.words.classifier}"
    other = "the second" if are_all else comparison.control
    return Table(
        name="posteriors",
        caption=(
            f"Posterior probabilities that {who} is better in {metric_words(comparison.table)}, that both are "
            f"practically equivalent, and that {other} is better; p is the p-value of the comparison. An answer is "
            f"given if its probability is above {posteriors.threshold:g}."
        ),
        columns=(
            *(
                Column(head=head)
                for head in (("First", "Second") if are_all else (comparison.words.classifier.capitalize(),))
            ),
            *(Column(head=head, numeric=True) for head in heads),
            Column(head="Answer", whole=True),
        ),
        rows=tuple(
            (
                *((pair.first, pair.second) if are_all else (pair.first,)),
                pvalue_cell(pvalues[pair.first, pair.second], comparison.alpha),
                *(_written(p, posteriors) for p in (pair.p_better, pair.p_equivalent, pair.p_worse)),
                pair.outcome,
            )
            for pair in pairs
        ),
        marked=tuple(pair.outcome != "undecided" for pair in pairs),
    )


def posterior_method(posteriors: Posteriors) -> Sentences:
    """Define practical equivalence, and name the Bayesian test with its number of draws."""
    drawn = ""
    if posteriors.n_simulations is not None:
        seed = f", seed {posteriors.seed}" if posteriors.seed is not None else ""
        drawn = f", from {posteriors.n_simulations:,} draws{seed}"
    what = "Two classifiers are " + ("equal" if posteriors.rope == 0 else "practically equivalent")
    within = " if their scores are " + (f"within {posteriors.rope:g} of each other" if posteriors.rope else "equal")
    how = f" gives the probability of each answer, given the data and the prior{drawn}."
    return f"{what}{within}. The {POSTERIOR_TESTS[posteriors.test]} ", Cite(_SOURCES[posteriors.test]), how


def _method_of_posteriors(posteriors: Posteriors) -> Sentences:
    reasons = dict.fromkeys(pair.reason for pair in posteriors.pairs if pair.reason is not None)
    degenerate = "".join(f" For some pairs: {reason.replace('x and y', 'both')}." for reason in reasons)
    rest = (
        " These probabilities are not p-values and are not adjusted for the number of pairs; neither p nor 1 − p is "
        f"such a probability. Undecided means that no probability is above the threshold.{degenerate}"
    )
    return *posterior_method(posteriors), rest


def _written(p: float, posteriors: Posteriors) -> str:
    """Format a probability. Simulated probabilities are never written as 0 or 1."""
    least = 0.0 if posteriors.n_simulations is None else 0.5 / posteriors.n_simulations
    return probability(min(max(p, least), 1 - least))


def _by_outcome(pairs: tuple[PosteriorPair, ...]) -> dict[str, list[PosteriorPair]]:
    found = {outcome: [pair for pair in pairs if pair.outcome == outcome] for outcome in OUTCOMES}
    return {outcome: of for outcome, of in found.items() if of}


def _counted(outcome: str, n: int) -> str:
    is_are = "is" if n == 1 else "are"
    return {
        "better": f"in {n} the higher-ranked classifier is better",
        "equivalent": f"{n} {is_are} practically equivalent",
        "worse": f"in {n} the lower-ranked classifier is better",
        "undecided": f"{n} {is_are} undecided",
    }[outcome]


def _against(outcome: str, names: list[str], control: str) -> str:
    is_are = "is" if len(names) == 1 else "are"
    who = written_list(names, at_most=_LISTED_POSTERIORS)
    return {
        "better": f"{who} {is_are} better than {control}",
        "equivalent": f"{who} {is_are} practically equivalent to {control}",
        "worse": f"{who} {is_are} worse than {control}",
        "undecided": f"{who} {is_are} undecided",
    }[outcome]


_MOST_NAMES = 5


def verdict(found: SubgroupAnalysis) -> str:
    """State whether differences vary between subgroups, and name the subgroups in which a classifier is worse."""
    if len(found.pairs) == 1:
        return " ".join(_pair_words(found, found.pairs[0]))
    return " ".join(_several_words(found))


def _pair_words(found: SubgroupAnalysis, pair: SubgroupPair) -> Iterator[str]:
    test, of = pair.test, f"subgroups of {found.column}"
    if math.isnan(pair.pvalue):
        yield f"Whether the difference between {pair.first} and {pair.second} varies between the {of} cannot be tested."
    elif pair.pvalue <= found.alpha:
        changes = ""
        if pair.crossover_pvalue <= found.alpha:
            changes = f", and its sign changes ({pvalue_words(pair.crossover_pvalue, found.alpha)})"
        tested = pvalue_words(pair.pvalue, found.alpha)
        yield f"The difference between {pair.first} and {pair.second} is not the same in all {of} ({tested}){changes}."
    else:
        tested = pvalue_words(pair.pvalue, found.alpha)
        yield f"It is not shown that the difference varies between the {of} ({tested})."
    for who, names in ((pair.first, _shown(found, pair, 1)), (pair.second, _shown(found, pair, -1))):
        if names:
            yield f"{who} is shown to be better in {written_list(names, at_most=_MOST_NAMES)}."
    if test.worst_subgroup is None:
        return
    size = column([abs(test.worst_lower)], digits=3)[0]
    metric = metric_name(found.metric)
    if test.worst_lower >= 0:
        yield f"In every tested subgroup, the {metric} of {pair.first} is better by {size} or more."
    else:
        yield (
            f"In the subgroup with the lowest confidence limit, {test.worst_subgroup}, the {metric} of {pair.first} "
            f"may be worse than the {metric} of {pair.second} by up to {size}."
        )


def _several_words(found: SubgroupAnalysis) -> Iterator[str]:
    varying = [f"{one.first} and {one.second}" for one in found.pairs if one.pvalue <= found.alpha]
    names = f": {written_list(varying, at_most=_MOST_NAMES)}" if varying else ""
    yield (
        f"The difference is shown to vary between the subgroups of {found.column} for {len(varying)} of "
        f"{count(len(found.pairs), 'pair')}{names}."
    )
    worse = [
        f"{loser} than {winner} in {name}"
        for pair in found.pairs
        for winner, loser, sign in ((pair.first, pair.second, 1), (pair.second, pair.first, -1))
        for name in _shown(found, pair, sign)
    ]
    if worse:
        yield f"Shown to be worse: {written_list(worse, at_most=_MOST_NAMES)}."
    else:
        yield "In no subgroup is a classifier shown to be worse than another."


def _shown(found: SubgroupAnalysis, pair: SubgroupPair, sign: int) -> list[str]:
    """Return the subgroups with a significant difference of the sign `sign`."""
    own = zip(pair.test.subgroups, pair.test.difference.tolist(), pair.subgroup_pvalue.tolist(), strict=True)
    return [str(name) for name, difference, p in own if p <= found.alpha and difference * sign > 0]


def subgroup_section(found: SubgroupAnalysis, most: int) -> Section:
    """Return the section of the subgroups: the verdict, the table, and the interaction tests of each pair."""
    shown = found.pairs[:most]
    said = [_interaction_words(found, pair) for pair in shown]
    if len(found.pairs) > len(shown):
        said.append(f"{len(found.pairs) - len(shown):,} more pairs are in the JSON report.")
    reasons = dict.fromkeys(with_names(pair.test.reason, pair.first, pair.second) for pair in shown if pair.test.reason)
    said += [f"{reason[0].upper()}{reason[1:]}." for reason in reasons if reason]
    said += [f"{name} is left out: {reason}." for name, reason in found.left_out.items()]
    title = "Does the difference hold in all subgroups?"
    return section("subgroups", title, paragraph(verdict(found)), _table_of_subgroups(found, shown), listing(said))


def _interaction_words(found: SubgroupAnalysis, pair: SubgroupPair) -> str:
    if math.isnan(pair.pvalue):
        return f"{pair.first} and {pair.second}: no test of the interaction."
    exact = pair.test.exact_pvalue
    of_odds = "" if math.isnan(exact) else f"; exact test of the discordant {found.unit}s {pvalue_words(exact)}"
    return (
        f"{pair.first} and {pair.second}: interaction Q = {pair.test.statistic:.2f} with {pair.test.df} df, "
        f"{pvalue_words(pair.pvalue, found.alpha)}; change of sign {pvalue_words(pair.crossover_pvalue, found.alpha)}"
        f"{of_odds}."
    )


def _table_of_subgroups(found: SubgroupAnalysis, shown: tuple[SubgroupPair, ...]) -> Table:
    rows = []
    for pair in shown:
        test = pair.test
        cells = zip(*(getattr(test, name).tolist() for name in ("difference", "lower", "upper")), strict=True)
        for i, (name, values) in enumerate(zip(test.subgroups, cells, strict=True)):
            interval = "not tested"
            difference = column(values[:1], digits=3)[0]
            if not math.isnan(values[1]):
                difference, low, high = column(list(values), digits=3)
                interval = f"{low} to {high}"
            p = float(pair.subgroup_pvalue[i])
            own = (difference, interval, "" if math.isnan(p) else pvalue_cell(p, found.alpha))
            rows.append((pair.first, pair.second, str(name), str(int(test.n_instances[i])), *own))
    together = "subgroups" if len(found.pairs) == 1 else "subgroups of all pairs"
    level = percent(1 - found.alpha)
    return Table(
        name="subgroups",
        caption=(
            f"Difference in {metric_name(found.metric)} in each subgroup of {found.column}; positive if the first "
            f"is better. The {level} intervals hold together for all {together}, and p is adjusted for them by Holm's "
            "method."
        ),
        columns=heads(["first", "second", "subgroup"], ["n", "difference", f"{level} interval", "adjusted p"]),
        rows=tuple(rows),
    )
