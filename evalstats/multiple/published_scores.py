"""Do printed scores have the mean ranks that are printed beside them?"""

from __future__ import annotations

__all__ = ["faults_of_scores", "understand_printed_scores"]

from collections.abc import Iterator
from typing import Any

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats._findings import Finding
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats._types import FloatArray
from evalstats.multiple.mean_ranks import dataset_ranks
from evalstats.multiple.published_numbers import printed_table
from evalstats.multiple.published_rank_bounds import PrintedRanks


def understand_printed_scores(scores: Any, names: tuple[str, ...]) -> FloatArray | None:
    """Return printed scores with a column for each mean rank, or say why they have none."""
    if scores is None:
        return None
    labels = [str(one) for one in scores.columns] if hasattr(scores, "columns") else None
    if labels is not None and set(labels) & set(names):
        if sorted(labels) != sorted(names):
            raise InvalidValueError(
                f"the columns of scores must be the classifiers of mean_ranks, {short(list(names))}, not "
                f"{short(labels)}"
            )
        scores = scores[[scores.columns[labels.index(name)] for name in names]]
    table = _checks.score_matrix(printed_table(scores, "scores")[0])
    if table.ndim != 2 or table.shape[1] != len(names):
        raise InvalidValueError(
            f"scores must have one row per dataset and {len(names)} columns, one for each mean rank, but their shape "
            f"is {table.shape}"
        )
    return table


def faults_of_scores(table: PrintedRanks, scores: FloatArray, *, greater_is_better: bool) -> Iterator[Finding]:
    """Find mean ranks that are not those of the scores, whatever was rounded away where printed scores are equal."""
    n = len(scores)
    if n != table.n:
        yield Finding(
            code="n-datasets",
            severity="warning",
            sentence=f"the printed scores are of {n} datasets and the mean ranks of {table.n}, so that they are not "
            "compared",
        )
        return
    wrong = _wrong_places(table, scores, greater_is_better)
    if wrong and not _wrong_places(table, scores, not greater_is_better):
        best, other = ("largest", "smallest") if greater_is_better else ("smallest", "largest")
        yield Finding(
            code="direction",
            severity="warning",
            sentence=f"the mean ranks are those of the printed scores if rank 1 is for the {other} score of a dataset, "
            f"not for the {best}: scores are better where they are {other.replace('est', 'er')}, or the last rank is "
            "the best",
        )
        return
    digits = max(table.decimals, 3)
    low, middle, high = _doubled_sums(scores, greater_is_better)
    for i in range(table.k):
        is_wrong = i in wrong
        if not is_wrong and table.lowest[i] <= middle[i] <= table.highest[i]:
            continue
        own, least, most = (f"{one[i] / (2 * n):.{digits}f}" for one in (middle, low, high))
        among = f"; more digits of equal scores can make it {least} to {most}" if least != most else ""
        yield Finding(
            code="scores",
            severity="error" if is_wrong else "note",
            sentence=f"the printed scores give {table.names[i]} the mean rank {own}, not "
            f"{table.ranks[i]:.{table.decimals}f}{among}",
        )


def _wrong_places(table: PrintedRanks, scores: FloatArray, greater_is_better: bool) -> list[int]:
    """Return the places of mean ranks that no scores have which are printed so."""
    low, _, high = _doubled_sums(scores, greater_is_better)
    n = table.n
    limits = [(2 * n * (rank - table.half), 2 * n * (rank + table.half)) for rank in table.ranks.tolist()]
    return [i for i, (least, most) in enumerate(limits) if high[i] < least - 1e-6 or low[i] > most + 1e-6]


def _doubled_sums(scores: FloatArray, greater_is_better: bool) -> tuple[list[float], list[float], list[float]]:
    """Return twice the rank sums where every tie is broken for a classifier, left as it is, or broken against it."""
    ranks = dataset_ranks(scores, greater_is_better, DEFAULT_TIE_TOLERANCE)
    # how many others share a rank: so many half ranks may be won or lost
    others = [(ranks == ranks[:, [j]]).sum() - len(ranks) for j in range(ranks.shape[1])]
    middle = (2 * ranks.sum(axis=0)).tolist()
    return (
        [own - n for own, n in zip(middle, others, strict=True)],
        middle,
        [own + n for own, n in zip(middle, others, strict=True)],
    )
