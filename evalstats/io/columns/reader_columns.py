"""Columns of the ratings of several readers, and the sign that a table holds such ratings."""

from __future__ import annotations

__all__ = ["INSTANCES", "RATINGS", "READERS", "TREATMENTS", "TRUE_LABELS", "TRUTH", "several_readers"]

from evalstats._lexicon import (
    CLASSIFIER_COLUMNS,
    DATASET_COLUMNS,
    GENERIC_SCORE_COLUMNS,
    PREDICTION_COLUMNS,
    SEED_COLUMNS,
    TRUE_AT_LAST,
)
from evalstats.io.columns.conditions import Seen
from evalstats.io.columns.roles import columns_called
from evalstats.io.sources.rule import Match
from evalstats.tables.errors import short
from evalstats.tables.names import texts_of

READERS = ("reader", "reader_id", "readerid", "annotator", "rater", "seed")
TREATMENTS = ("treatment", "modality", "modality_id", "modalityid", *CLASSIFIER_COLUMNS)
INSTANCES = ("case", "case_id", "caseid", "patient", "patient_id", *PREDICTION_COLUMNS["instance"])
TRUE_LABELS = ("truth", *PREDICTION_COLUMNS["y_true"], *TRUE_AT_LAST)
RATINGS = ("rating", *PREDICTION_COLUMNS["y_score"], *GENERIC_SCORE_COLUMNS)
# iMRMC writes the true labels as the scores of this reader
TRUTH = "truth"


def several_readers(seen: Seen) -> Match | None:
    """Find ratings of which each reader has one for each treatment and instance; seeds are runs of a classifier."""
    grid = seen.grid
    readers, *others = (columns_called(grid, known) for known in (READERS, TREATMENTS, INSTANCES, RATINGS))
    readers = [j for j in readers if j not in columns_called(grid, SEED_COLUMNS)]
    if grid.is_held or not readers or not all(others) or columns_called(grid, DATASET_COLUMNS):
        return None
    names, treatments, instances = (texts_of(grid.columns[j]) for j in (readers[0], others[0][0], others[1][0]))
    if TRUTH not in names and not columns_called(grid, TRUE_LABELS):
        return None
    rated = [key for name, *key in zip(names, treatments, instances, strict=True) if name != TRUTH]
    is_rated_again = len(set(map(tuple, rated))) < len(rated) and len(set(names) - {TRUTH}) > 1
    column = grid.header[readers[0]]
    return {"column": short(column), "value": column} if is_rated_again else None
