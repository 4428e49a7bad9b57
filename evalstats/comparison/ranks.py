"""Where does each classifier stand in a comparison? The table of the ranking, best first."""

from __future__ import annotations

__all__ = ["Ranking"]

from dataclasses import dataclass
from typing import Any

from evalstats._result import Record


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking(Record):
    """The classifiers of a comparison from the best to the worst; `to_frame` and `to_columns` give the table.

    Attributes
    ----------
    classifiers : tuple of str
        Their names.
    mean_ranks : tuple of float or None
        Mean rank of each; None on one dataset, where they stand in the order of their scores.
    mean_scores, median_scores : tuple of float
        Over the datasets that each has.
    letters : tuple of str
        Two that share a letter are not shown to differ; empty with a control, and where the leading test does not
        reject.
    """

    classifiers: tuple[str, ...]
    mean_ranks: tuple[float, ...] | None
    mean_scores: tuple[float, ...]
    median_scores: tuple[float, ...]
    letters: tuple[str, ...]

    def to_columns(self) -> dict[str, list[Any]]:
        """Return a row for each classifier, the best first.

        Returns
        -------
        dict of str to list
            `classifier`, `mean_rank`, `mean_score`, `median_score` and `letters`, as far as there are such.
        """
        columns = {
            "classifier": self.classifiers,
            "mean_rank": self.mean_ranks,
            "mean_score": self.mean_scores,
            "median_score": self.median_scores,
            "letters": self.letters,
        }
        return {name: list(values) for name, values in columns.items() if values}
