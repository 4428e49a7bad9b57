"""Whose scores are drawn, in which order, and which of many?"""

from __future__ import annotations

__all__ = ["Drawn", "drawn_classifiers", "table_of"]

from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidTypeError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE
from evalstats.comparison.record import Comparison
from evalstats.multiple.incomplete_blocks import observed_ranks
from evalstats.tables.score_table import ScoreTable


class Drawn(NamedTuple):
    """The classifiers of a table that are drawn, best first: names and columns; and how many there are."""

    names: tuple[str, ...]
    columns: list[int]
    n_classifiers: int

    @property
    def sentences(self) -> tuple[str, ...]:
        """What a reader must know about classifiers that are not drawn."""
        if len(self.names) == self.n_classifiers:
            return ()
        return (f"Drawn are the best {len(self.names)} of {self.n_classifiers} classifiers, by their mean rank.",)


def table_of(data: Any) -> ScoreTable:
    """Return the scores of a table or of a comparison."""
    if isinstance(data, Comparison):
        return data.table
    if not isinstance(data, ScoreTable):
        raise InvalidTypeError(f"data must be a ScoreTable or a comparison, not {type(data).__name__}")
    return data


def drawn_classifiers(data: Any, at_most: Any) -> Drawn:
    """Return the best classifiers, in the order of the comparison, or else of the mean ranks."""
    table, n_drawn = table_of(data), _checks.count(at_most, "at_most")
    if isinstance(data, ScoreTable):
        ranks = observed_ranks(table.scores, table.greater_is_better, _checks.tolerance(DEFAULT_TIE_TOLERANCE, table))
        columns = np.argsort(np.nanmean(ranks, axis=0), kind="stable").tolist()
    else:
        columns = [table.position(name) for name in data.ranking]
    names = tuple(table.classifiers[i] for i in columns[:n_drawn])
    return Drawn(names, columns[:n_drawn], len(columns))
