"""Report of a score table."""

from __future__ import annotations

__all__ = ["document", "scores_table", "verdict"]

import math

import numpy as np

from evalstats.comparison.words import words_of
from evalstats.report.blocks import Column, Document, Extent, Table, paragraph, sections
from evalstats.report.describe import as_given, count, decimals, metric_words
from evalstats.tables.score_table import ScoreTable


def verdict(table: ScoreTable) -> str:
    """State the metric and the missing scores."""
    direction = "higher" if table.greater_is_better else "lower"
    gone = f"; {count(len(table.missing), 'score')} missing" if table.missing else ""
    left_out = f"; {count(len(table.dropped), words_of(table).dataset)} left out" if table.dropped else ""
    return f"{_what(table)}: {metric_words(table)}, {direction} is better{gone}{left_out}."


def document(table: ScoreTable, extent: Extent) -> Document:
    """Return the document of the scores."""
    shown = scores_table(table, what="The scores", max_rows=extent.max_rows)
    return Document(
        title=f"Scores of {_what(table)}: {metric_words(table)}",
        verdict=paragraph(verdict(table)),
        sections=sections({"Data": shown}),
    )


def _what(table: ScoreTable) -> str:
    words = words_of(table)
    return f"{count(len(table.classifiers), words.classifier)} on {count(len(table.datasets), words.dataset)}"


def scores_table(
    table: ScoreTable, *, what: str = "The scores that were compared", max_rows: int | None = None
) -> Table:
    """Return a table of the scores on all datasets, or on the first `max_rows` datasets."""
    n = len(table.datasets)
    cut = (
        f" The table shows the first {max_rows} of {n} {words_of(table).datasets}." if max_rows and n > max_rows else ""
    )
    source = f", from {table.source}" if table.source else ""
    places = decimals(table.scores[~np.isnan(table.scores)].tolist())

    def written(score: float) -> str:
        # computed scores have the digits of a float; scores from a file keep their digits
        return f"{score:.6g}" if table.computation else as_given([score], places)[0]

    return Table(
        name="scores",
        caption=f"{what}{source}: {metric_words(table)}.{cut}",
        columns=(
            Column(head=words_of(table).dataset.capitalize()),
            *(Column(head=name, numeric=True) for name in table.classifiers),
        ),
        rows=tuple(
            (dataset, *("–" if math.isnan(score) else written(score) for score in row))
            for dataset, row in zip(table.datasets[:max_rows], table.scores[:max_rows].tolist(), strict=True)
        ),
    )
