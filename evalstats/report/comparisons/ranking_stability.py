"""Report of the stability of a ranking: ranks, rank frequencies, other ranking rules, influential instances."""

from __future__ import annotations

__all__ = [
    "changes_table",
    "document",
    "frequency_table",
    "names_of",
    "resample_words",
    "share",
    "stability_section",
    "verdict",
    "winner_words",
]

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from evalstats.comparison.ranking import Ranking
from evalstats.multiple.consensus import ConsensusRanking
from evalstats.multiple.stability import PODIUM, RankingChange, RankingStability
from evalstats.report.blocks import (
    Block,
    Cite,
    Column,
    Document,
    Extent,
    Section,
    Table,
    heads,
    listing,
    paragraph,
    section,
)
from evalstats.report.describe import column, count, decimal, percent, pvalue_cell
from evalstats.wording import written_list

RULES = {
    "mean": "mean score",
    "median": "median score",
    "quantile": "quantile of the scores",
    "mean-rank": "mean rank",
    "significance": "number of worse classifiers",
}
_MOST_NAMES = 3
_MOST_PLACES = 12  # columns of frequencies


def share(proportion: float) -> str:
    """Format a proportion of resamples in whole percent, with 0% and 100% only for exact values."""
    if proportion in (0, 1):
        return f"{100 * proportion:.0f}%"
    return "<1%" if proportion < 0.01 else ">99%" if proportion > 0.99 else f"{100 * proportion:.0f}%"


def names_of(found: RankingStability | ConsensusRanking) -> list[str]:
    """Return the names of the classifiers, or numbers from 1 if they have no names."""
    return [str(name) for name in found.classifiers or (f"#{i + 1}" for i in range(found.n_classifiers))]


def verdict(found: RankingStability) -> str:
    """State the winner, how often it wins, the adjacent ranks without a significant difference, and the influence."""
    if found.reason:
        return f"{found.reason[0].upper()}{found.reason[1:]}."
    return " ".join([*_ranked(found), _neighbors(found, names_of(found)), *_influence(found)])


def winner_words(found: RankingStability) -> str:
    """State in one sentence the winner, the number of rules by which it wins, and the frequency of the win."""
    winners = np.flatnonzero(found.ranks == 1).tolist()
    words = f"{_wins(found, names_of(found), winners).removesuffix('.')} of {count(found.n_clusters, _unit(found))}"
    return f"Stability of the ranking: {found.reason or words}."


def ranking_words(found: RankingStability) -> str:
    """State the winner and how often it wins, the first three ranks, and the influence of individual instances."""
    if found.reason:
        return f"{found.reason[0].upper()}{found.reason[1:]}."
    return " ".join([*_ranked(found), *_influence(found)])


def _ranked(found: RankingStability) -> Iterator[str]:
    names = names_of(found)
    winners = np.flatnonzero(found.ranks == 1).tolist()
    yield _wins(found, names, winners)
    if len(winners) == 1:
        yield _places(found, winners[0])
    if found.n_classifiers > PODIUM:
        yield _podium(found, names)


def _wins(found: RankingStability, names: list[str], winners: list[int]) -> str:
    by = ((found.ranks_by_rule == 1) == (found.ranks == 1)).all(axis=1)
    who = written_list([names[i] for i in winners], at_most=_MOST_NAMES)
    s = "s" if len(winners) == 1 else ""
    often = share(float(found.frequencies[winners[0], 0]) if len(winners) == 1 else found.same_winner)
    return f"{who} win{s} under {sum(by)} of {len(by)} ranking rules and in {often} of the resamples."


def _places(found: RankingStability, winner: int) -> str:
    low, high = int(found.rank_lower[winner]), int(found.rank_upper[winner])
    level = percent(found.confidence_level)
    span = f"{low}" if low == high else f"{low} {'or' if high == low + 1 else 'to'} {high}"
    return f"Its rank is {span} in the central {level} of the resamples."


def _podium(found: RankingStability, names: list[str]) -> str:
    """Name the classifiers at ranks 1 to 3, how often they have these ranks, and the most frequent other classifier."""
    own = [i for i in np.argsort(found.ranks, kind="stable").tolist() if found.ranks[i] <= PODIUM]
    words = f"{written_list([names[i] for i in own], at_most=2 * _MOST_NAMES)} have ranks 1 to {PODIUM}, together in "
    words += f"{share(found.same_podium)} of the resamples"
    others = np.delete(np.arange(found.n_classifiers), own)
    if others.size and found.podium[others].max() > 0:
        most = others[found.podium[others].argmax()]
        words += f"; {names[most]} is among the first {PODIUM} in {share(float(found.podium[most]))}"
    return f"{words}."


def _neighbors(found: RankingStability, names: list[str]) -> str:
    """Name the classifiers of adjacent ranks that do not differ significantly."""
    order = np.argsort(found.ranks, kind="stable").tolist()
    either = found.superior | found.superior.T
    alike = [f"{names[i]} and {names[j]}" for i, j in pairwise(order) if not either[i, j]]
    if not alike:
        return "All classifiers with adjacent ranks differ significantly."
    more = f"; and {len(alike) - _MOST_NAMES} other pairs of adjacent ranks" if len(alike) > _MOST_NAMES else ""
    return f"No significant difference: {'; '.join(alike[:_MOST_NAMES])}{more}."


def _unit(found: RankingStability) -> str:
    return found.unit if found.n_clusters == found.n_instances else "cluster"


def _influence(found: RankingStability) -> Iterator[str]:
    unit = _unit(found)
    n = len(found.instance_changes)
    if n == 0:
        yield f"Leaving out one {unit} never changes the ranking."
    elif n == 1:
        (change,) = found.instance_changes
        yield f"Leaving out the {unit} {change.left_out} {_changed(found, change)}."
    else:
        winner = sum(change.winner_changes for change in found.instance_changes)
        yield (
            f"Leaving out any one of {n:,} {unit}s changes the ranking; for {winner or 'none'} of them, the winner "
            "changes."
        )
    for change in found.classifier_changes[:_MOST_NAMES]:
        yield f"Leaving out the classifier {change.left_out} {_changed(found, change)}."


def _changed(found: RankingStability | ConsensusRanking, change: RankingChange) -> str:
    return f"changes the order of {_pair_words(found, change)}"


def _pair_words(found: RankingStability | ConsensusRanking, change: RankingChange) -> str:
    """List the first pairs whose order changes, and the number of the remaining pairs."""
    pairs = [f"{first} and {second}" for first, second in _named_pairs(found, change)]
    left = len(pairs) - _MOST_NAMES
    return "; ".join([*pairs[:_MOST_NAMES], *([f"{left} more"] if left > 0 else [])])


def _named_pairs(found: RankingStability | ConsensusRanking, change: RankingChange) -> list[tuple[str, str]]:
    if found.classifiers is not None:
        return [(str(first), str(second)) for first, second in change.pairs]
    return [(f"#{first + 1}", f"#{second + 1}") for first, second in change.pairs]


def document(found: RankingStability, extent: Extent) -> Document:
    """Return the document: the ranks, the rules, the frequencies, the significant differences and the changes."""
    names = names_of(found)
    sections = [
        section("ranking", "Ranking", _ranks(found, names, extent.max_rows), paragraph(resample_words(found))),
        section("frequencies", "Frequencies of the ranks", frequency_table(found, names, extent.max_rows)),
        section("rules", "Other ranking rules", _rules(found, names, extent.max_rows), _agreement(found)),
        section("pairs", "Significant differences", _pairs(found, names, extent.max_rows)),
    ]
    changes = [*found.instance_changes, *found.classifier_changes]
    if changes:
        table = changes_table(found, changes, extent.max_rows)
        sections.append(section("left-out", f"Without one {_unit(found)} or classifier", table))
    sections.append(section("how", "Computation", listing(_how(found))))
    return Document(
        title=f"Stability of the ranking of {count(found.n_classifiers, 'classifier')} on "
        f"{count(found.n_clusters, _unit(found))}",
        verdict=paragraph(verdict(found)),
        sections=tuple(sections),
    )


def stability_section(found: RankingStability, max_rows: int, ranking: Ranking, alpha: float) -> Section:
    """Return the section of a comparison with the ranks, rank sets, ranking rules, rank frequencies and changes."""
    names = names_of(found)
    blocks: list[Block] = [
        paragraph(ranking_words(found)),
        _ranks(found, names, max_rows),
        _rank_sets(ranking, alpha, max_rows),
        paragraph(resample_words(found)),
        _rules(found, names, max_rows),
        _agreement(found),
        frequency_table(found, names, max_rows),
    ]
    if changes := [*found.instance_changes, *found.classifier_changes]:
        blocks.append(changes_table(found, changes, max_rows))
    return section("stability", "Is the ranking stable?", *blocks, listing(_how(found)))


def resample_words(found: RankingStability | ConsensusRanking) -> str:
    """State how well the rankings of the resamples agree with the full ranking."""
    words = (
        f"In {count(found.n_resamples, 'resample')}, the winner is the same in {share(found.same_winner)} and the "
        f"whole ranking in {share(found.same_ranking)}"
    )
    if found.n_classifiers > PODIUM and isinstance(found, ConsensusRanking):  # for one task, the verdict states this
        words += f"; the same classifiers are at ranks 1 to 3 in {share(found.same_podium)}"
    if not np.isnan(found.mean_tau):
        tau, low, high = (decimal(value, 2) for value in (found.mean_tau, found.tau_lower, found.tau_upper))
        words += f". Kendall's tau with the full ranking is {tau} on average, and {low} to {high} in the central "
        words += percent(found.confidence_level)
    if found.n_all_tied:
        words += f"; it is undefined in {count(found.n_all_tied, 'resample')} in which all classifiers are tied"
    return f"{words}."


def _order(found: RankingStability | ConsensusRanking, max_rows: int) -> list[int]:
    order: list[int] = np.argsort(found.ranks, kind="stable")[:max_rows].tolist()
    return order


def _ranks(found: RankingStability, names: list[str], max_rows: int) -> Table:
    order = _order(found, max_rows)
    values = column([float(found.criterion[i]) for i in order], digits=4)
    rows = tuple(
        (
            names[i],
            str(found.ranks[i]),
            f"{found.rank_lower[i]} to {found.rank_upper[i]}",
            value,
            share(float(found.frequencies[i, 0])),
            *([share(float(found.podium[i]))] if found.n_classifiers > PODIUM else []),
        )
        for i, value in zip(order, values, strict=True)
    )
    head = RULES[found.rule].capitalize()
    podium = [f"Ranks 1 to {PODIUM} in"] if found.n_classifiers > PODIUM else []
    return Table(
        name="ranking",
        caption=f"Ranks by the {RULES[found.rule]}; the range of ranks in the central "
        f"{percent(found.confidence_level)} of the resamples, and the proportions of the resamples with the first "
        "ranks.",
        columns=heads(["Classifier"], ["Rank", "Range", head, "First in", *podium]),
        rows=rows,
    )


def _rank_sets(ranking: Ranking, alpha: float, max_rows: int) -> Block:
    """Return the confidence sets of the ranks, or a sentence if the pairwise tests give none."""
    if not ranking.rank_lower:
        return paragraph(
            "There are no confidence sets for the ranks. The sets require tests of all pairs, with p-values that are "
            "adjusted by Holm's or Bonferroni's method or apply to all pairs together."
        )
    sets = zip(ranking.classifiers, ranking.rank_lower, ranking.rank_upper, strict=True)
    return Table(
        name="rank-sets",
        caption="Confidence sets of the ranks: all ranks that agree with the significant differences. The sets "
        f"contain the true ranks of all classifiers with a joint confidence of {percent(1 - alpha)}. The true rank "
        "is 1 plus the number of classifiers that are better in the sense of the pairwise test.",
        columns=heads(["Classifier"], ["Ranks"]),
        rows=tuple((name, f"{low} to {high}" if low < high else str(low)) for name, low, high in sets)[:max_rows],
    )


def frequency_table(found: RankingStability | ConsensusRanking, names: list[str], max_rows: int) -> Table:
    """Return the proportion of the resamples in which each classifier has each rank."""
    k = found.n_classifiers
    places = range(min(k, _MOST_PLACES))
    rows = []
    for i in _order(found, max_rows):
        own = [share(float(found.frequencies[i, j])) for j in places]
        rest = [share(float(found.frequencies[i, _MOST_PLACES:].sum()))] if k > _MOST_PLACES else []
        rows.append((names[i], *own, *rest))
    more = [f"{_MOST_PLACES + 1} or more"] if k > _MOST_PLACES else []
    return Table(
        name="frequencies",
        caption="Proportion of the resamples in which the classifier has the rank. It describes this sample and is not "
        "a confidence level.",
        columns=heads(["Classifier"], [*(str(j + 1) for j in places), *more]),
        rows=tuple(rows),
    )


def _rules(found: RankingStability, names: list[str], max_rows: int) -> Table:
    return Table(
        name="rules",
        caption=f"Ranks on all {found.unit}s by each rule.",
        columns=heads(["Classifier"], [RULES[name].capitalize() for name in found.rules]),
        rows=tuple((names[i], *map(str, found.ranks_by_rule[:, i].tolist())) for i in _order(found, max_rows)),
    )


def _agreement(found: RankingStability) -> Table:
    rows = [
        (
            RULES[name].capitalize(),
            *("undefined" if np.isnan(tau) else decimal(tau, 2) for tau in own),
            "–" if np.isnan(winner) else share(winner),
            "–" if np.isnan(mean) else decimal(mean, 2),
        )
        for name, own, winner, mean in zip(
            found.rules,
            found.rule_agreement.tolist(),
            found.same_winner_by_rule.tolist(),
            found.mean_tau_by_rule.tolist(),
            strict=True,
        )
    ]
    return Table(
        name="agreement",
        caption="Kendall's tau-b between the rankings by two rules; it is undefined if all classifiers are tied by a "
        "rule. For rules that are applied to resamples: the proportion of resamples with the same winner, and the mean "
        "tau with the full ranking.",
        columns=heads(["Rule"], [*(RULES[name].capitalize() for name in found.rules), "Same winner", "Mean tau"]),
        rows=tuple(rows),
    )


def _pairs(found: RankingStability, names: list[str], max_rows: int) -> Table:
    order = _order(found, found.n_classifiers)
    pairs = [(i, j) for at, i in enumerate(order) for j in order[at + 1 :]]
    pairs += [(j, i) for i, j in pairs] if found.significance != "pairs" else []
    pairs.sort(key=lambda pair: found.pvalue[pair])
    rows = tuple(
        (*_better(found, names, i, j), pvalue_cell(float(found.pvalue[i, j]), found.alpha)) for i, j in pairs[:max_rows]
    )
    few = "" if len(rows) == len(pairs) else f" The table shows the {len(rows)} smallest of {len(pairs)} p-values."
    tests = "Two-sided" if found.significance == "pairs" else "One-sided"
    return Table(
        name="pairs",
        caption=f"{tests} Wilcoxon signed-rank tests with Holm's adjustment for {len(pairs)} hypotheses.{few}",
        columns=heads(["First", "Second", "Significantly better"], ["Adjusted p"]),
        rows=rows,
    )


def _better(found: RankingStability, names: list[str], i: int, j: int) -> tuple[str, str, str]:
    better = names[i] if found.superior[i, j] else names[j] if found.superior[j, i] else "none"
    return names[i], names[j], better


def changes_table(found: RankingStability | ConsensusRanking, changes: Sequence[RankingChange], max_rows: int) -> Table:
    """Return the table of the changes in the ranking if one instance, classifier or task is left out."""
    rows = tuple(
        (str(change.left_out), "yes" if change.winner_changes else "no", _pair_words(found, change))
        for change in changes[:max_rows]
    )
    few = "" if len(rows) == len(changes) else f" The table shows the first {len(rows)} of {len(changes)} changes."
    return Table(
        name="left-out",
        caption=f"Changes in the ranking if the instance, classifier or task in the first column is left out.{few}",
        columns=(Column(head="Left out"), Column(head="Another winner"), Column(head="Changed order", prose=True)),
        rows=rows,
    )


def _how(found: RankingStability) -> Iterator[Any]:
    way = "all possible resamples" if found.method == "exact" else f"{found.n_resamples:,} random resamples"
    yield f"The {found.n_clusters:,} {_unit(found)}s were drawn with replacement: {way}."
    yield ("Ranking rules as in ", Cite(keys=("wiesenfarth2021",)), "; ties get the smallest of their ranks.")
