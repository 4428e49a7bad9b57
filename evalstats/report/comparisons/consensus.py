"""Report of a consensus ranking of several tasks."""

from __future__ import annotations

__all__ = ["consensus_section", "document", "verdict"]

from collections.abc import Iterator
from typing import Any

import numpy as np

from evalstats.multiple.consensus import ConsensusRanking
from evalstats.report.blocks import Block, Cite, Document, Extent, Section, Table, heads, listing, paragraph, section
from evalstats.report.comparisons.ranking_stability import (
    changes_table,
    frequency_table,
    names_of,
    resample_words,
    share,
)
from evalstats.report.describe import column, count, decimal, percent
from evalstats.wording import written_list

_MOST_NAMES = 3
_MOST_TASKS = 12  # columns


def verdict(found: ConsensusRanking) -> str:
    """State which classifiers lead the consensus, the frequency of this result, and the tasks on which it depends."""
    if found.reason:
        return f"{found.reason[0].upper()}{found.reason[1:]}."
    names = names_of(found)
    winners = np.flatnonzero(found.ranks == 1).tolist()
    n_won = int((found.ranks_by_task[:, winners] == 1).all(axis=1).sum())
    s = "s" if len(winners) == 1 else ""
    words = (
        f"{written_list([names[i] for i in winners], at_most=_MOST_NAMES)} lead{s} the consensus of "
        f"{count(found.n_tasks, 'task')} and win{s} {n_won} of them; in {share(found.same_winner)} of the resamples, "
        "the leader is the same."
    )
    deciding = [str(change.left_out) for change in found.task_changes if change.winner_changes]
    if deciding:
        one = "" if len(deciding) == 1 else "each of "
        return f"{words} Leaving out {one}{written_list(deciding, at_most=_MOST_NAMES)} changes the leader."
    return f"{words} Leaving out one task does not change the leader."


def document(found: ConsensusRanking, extent: Extent) -> Document:
    """Return the document: the consensus, the rank frequencies, the tasks, and the ranking without each task."""
    names = names_of(found)
    sections = [
        section("ranking", "Consensus", _ranks(found, names, extent.max_rows), paragraph(resample_words(found))),
        section("frequencies", "Frequencies of the ranks", frequency_table(found, names, extent.max_rows)),
        section("tasks", "Each task", _tasks(found, extent.max_rows)),
    ]
    if found.task_changes:
        table = changes_table(found, found.task_changes, extent.max_rows)
        sections.append(section("left-out", "Without one task", table))
    sections.append(section("how", "Computation", listing(_how(found))))
    return Document(
        title=f"Consensus ranking of {count(found.n_classifiers, 'classifier')} on {count(found.n_tasks, 'task')}",
        verdict=paragraph(verdict(found)),
        sections=tuple(sections),
    )


def consensus_section(found: ConsensusRanking, max_rows: int) -> Section:
    """Return the section of a comparison with the consensus, the rank frequencies, the tasks and the changes."""
    names = names_of(found)
    blocks: list[Block] = [
        paragraph(verdict(found)),
        _ranks(found, names, max_rows),
        paragraph(resample_words(found)),
        frequency_table(found, names, max_rows),
        _tasks(found, max_rows),
    ]
    if found.task_changes:
        blocks.append(changes_table(found, found.task_changes, max_rows))
    return section("consensus", "What is the consensus of the tasks?", *blocks, listing(_how(found)))


def _ranks(found: ConsensusRanking, names: list[str], max_rows: int) -> Table:
    order = np.argsort(found.ranks, kind="stable")[:max_rows].tolist()
    means = column(found.mean_ranks[order].tolist(), digits=3)
    tasks = range(min(found.n_tasks, _MOST_TASKS))
    rows = tuple(
        (
            names[i],
            str(found.ranks[i]),
            f"{found.rank_lower[i]} to {found.rank_upper[i]}",
            mean,
            share(float(found.frequencies[i, 0])),
            share(float(found.podium[i])),
            *(str(found.ranks_by_task[task, i]) for task in tasks),
        )
        for i, mean in zip(order, means, strict=True)
    )
    few = f" The table shows the first {_MOST_TASKS} of {found.n_tasks} tasks." if found.n_tasks > _MOST_TASKS else ""
    return Table(
        name="ranking",
        caption=f"Consensus rank, its range in the central {percent(found.confidence_level)} of the resamples, the "
        f"mean rank over the tasks, and the rank on each task.{few}",
        columns=heads(
            ["Classifier"],
            ["Rank", "Range", "Mean rank", "First in", "Ranks 1 to 3 in", *(str(found.tasks[t]) for t in tasks)],
        ),
        rows=rows,
    )


def _tasks(found: ConsensusRanking, max_rows: int) -> Table:
    rows = []
    for number, (task, own) in enumerate(zip(found.tasks[:max_rows], found.by_task, strict=False)):
        names = [names_of(found)[i] for i in np.flatnonzero(own.ranks == 1)]
        others = np.delete(found.task_agreement[number], number)
        agreement = "undefined" if np.isnan(others).all() else decimal(float(np.nanmean(others)), 2)
        stability = "undefined" if np.isnan(own.mean_tau) else decimal(own.mean_tau, 2)
        winners = written_list(names, at_most=_MOST_NAMES)
        rows.append((str(task), winners, f"{own.n_clusters:,}", share(own.same_winner), stability, agreement))
    return Table(
        name="tasks",
        caption="Winner and number of resampled units of each task, and proportion of the resamples with the same "
        "winner. Tau is the mean of Kendall's tau with the rankings of the resamples, or of the other tasks.",
        columns=heads(["Task", "Winner"], ["Units", "Same winner", "Tau of resamples", "Tau with other tasks"]),
        rows=tuple(rows),
    )


def _how(found: ConsensusRanking) -> Iterator[Any]:
    weighted = "" if len(set(found.weights.tolist())) == 1 else "weighted "
    yield f"The consensus ranks the classifiers by the {weighted}mean of their ranks on the tasks."
    has_clusters = any(one.n_clusters < one.n_instances for one in found.by_task)
    units = "clusters" if has_clusters else f"{found.by_task[0].unit}s"
    yield f"The {units} of each task were drawn with replacement {found.n_resamples:,} times; the tasks are fixed."
    yield ("Ranking and resampling as in ", Cite(keys=("wiesenfarth2021",)), ".")
