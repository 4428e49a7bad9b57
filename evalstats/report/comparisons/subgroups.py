"""Report of the differences in subgroups: one sentence, a table of the subgroups, and the tests of each pair."""

from __future__ import annotations

__all__ = ["subgroup_section", "verdict"]

import math
from collections.abc import Iterator

from evalstats.comparison.supplements import SubgroupAnalysis, SubgroupPair
from evalstats.report.blocks import Section, Table, heads, listing, paragraph, section
from evalstats.report.numbers import column, count, percent, pvalue_cell, pvalue_words
from evalstats.report.sentences import with_names
from evalstats.wording import metric_name, written_list

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
    return section("subgroups", title, paragraph(verdict(found)), _table(found, shown), listing(said))


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


def _table(found: SubgroupAnalysis, shown: tuple[SubgroupPair, ...]) -> Table:
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
