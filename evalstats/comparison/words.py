"""Nouns for the columns, rows and units of a design."""

from __future__ import annotations

__all__ = ["WORDS", "Words", "words_of"]

from dataclasses import dataclass, replace

from evalstats.tables.score_table import ScoreTable


@dataclass(frozen=True, kw_only=True)
class Words:
    """Nouns of a design for a column of the table, a row of the table, the sampled unit, and the result.

    `counted` names the units of wins, ties and losses. It is empty if a table already names these units.
    """

    classifier: str = "classifier"
    dataset: str = "dataset"
    unit: str
    returned: str
    counted: str = ""

    @property
    def classifiers(self) -> str:
        """Plural noun of a column."""
        return f"{self.classifier}s"

    @property
    def datasets(self) -> str:
        """Plural noun of a row."""
        return f"{self.dataset}s"

    @property
    def units(self) -> str:
        """Plural noun of the sampled unit."""
        return f"{self.unit}s"


# by the code of the design
WORDS = {
    "datasets": Words(unit="dataset", returned="for several datasets"),
    "folds": Words(
        unit="fold", returned="for the folds of one dataset", counted="folds won, tied and lost by the first"
    ),
    "runs": Words(unit="run", returned="for the runs of one dataset", counted="runs won, tied and lost by the first"),
    "instances": Words(
        unit="instance",
        returned="for the instances of one dataset",
        counted="instances that only the first, both or neither, and only the second predict correctly",
    ),
    "questions": Words(
        classifier="model",
        dataset="benchmark",
        unit="question",
        returned="for answers to questions",
        counted="questions on which the first is better, equal and worse",
    ),
}
# the datasets are benchmarks of questions that models answered
_OVER_BENCHMARKS = replace(WORDS["datasets"], classifier="model", dataset="benchmark", unit="benchmark")


def words_of(table: ScoreTable, design: str | None = None) -> Words:
    """Return the nouns of a design, by default of the design of the table."""
    if table._of_benchmarks:
        return _OVER_BENCHMARKS
    return WORDS[design or ("datasets" if table._items is None else "questions")]
