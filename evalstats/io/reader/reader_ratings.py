"""Ratings of several readers: one row for each reader, treatment and instance."""

from __future__ import annotations

__all__ = ["ReaderRatings", "read_reader_ratings"]

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats._errors import examples, listed
from evalstats._lexicon import CLASSIFIER_COLUMNS, GENERIC_SCORE_COLUMNS, PREDICTION_COLUMNS, TRUE_AT_LAST
from evalstats._types import FloatArray
from evalstats.io.columns.roles import key_column_if_any, row_names
from evalstats.io.reader.opening import open_source
from evalstats.io.sources.grid import Grid
from evalstats.io.sources.numbers import number_in
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import natural_order

READERS = ("reader", "reader_id", "readerid", "annotator", "rater", "seed")
TREATMENTS = ("treatment", "modality", "modality_id", "modalityid", *CLASSIFIER_COLUMNS)
INSTANCES = ("case", "case_id", "caseid", "patient", "patient_id", *PREDICTION_COLUMNS["instance"])
TRUE_LABELS = ("truth", *PREDICTION_COLUMNS["y_true"], *TRUE_AT_LAST)
RATINGS = ("rating", *PREDICTION_COLUMNS["y_score"], *GENERIC_SCORE_COLUMNS)
# iMRMC writes the true labels as the scores of this reader
TRUTH = "truth"


class ReaderRatings(NamedTuple):
    """Ratings of shape (n_treatments, n_readers, n), with the names of the axes and the true labels."""

    treatments: tuple[str, ...]
    readers: tuple[str, ...]
    instances: tuple[str, ...]
    y_true: list[str]
    ratings: FloatArray
    source: str | None


def read_reader_ratings(
    source: Any,
    *,
    reader: str | None = None,
    classifier: str | None = None,
    instance: str | None = None,
    y_true: str | None = None,
    score: str | None = None,
    drop: Collection[str] = (),
    delimiter: str | None = None,
    encoding: str = "utf-8",
    sheet: str | None = None,
) -> ReaderRatings:
    """Read the ratings of several readers from a long table; a missing or a second rating is an error.

    Parameters
    ----------
    source : path or data frame
        Columns of the readers, the treatments (or classifiers), the instances, the true labels and the ratings, as in
        MRMCaov. iMRMC has no column of true labels, but rows of the reader ``truth`` with the label as the score.
    reader, classifier, instance, y_true, score : str, optional
        These columns; recognized by their names if not given.
    drop : collection of str
        Names of readers, treatments or instances to leave out.
    delimiter, encoding, sheet : optional
        As in `read_table`.

    Returns
    -------
    ReaderRatings
    """
    grid = open_source(source, delimiter, encoding, sheet).grid
    columns = {
        "reader": _column(grid, reader, "reader", READERS),
        "treatment": _column(grid, classifier, "classifier", TREATMENTS),
        "instance": _column(grid, instance, "instance", INSTANCES),
    }
    s = _column(grid, score, "score", RATINGS)
    names = [row_names(grid, j, what) for what, j in columns.items()]
    y = key_column_if_any(grid, y_true, "y_true", TRUE_LABELS)
    if y is None and TRUTH not in names[0]:
        raise TableError(
            f"{grid.name} has no column of the true labels; name one of {listed(grid.header)} with y_true="
        )
    _refuse_unknown(drop, names, grid)
    values = [number_in(cell, ".") for cell in grid.columns[s]]
    label_of: dict[str, str] = {}
    cells: dict[tuple[str, str, str], float] = {}
    for row, (who, how, what) in enumerate(zip(*names, strict=True)):
        if drop and not {who, how, what}.isdisjoint(drop):
            continue
        where = f"{grid.name}, {grid.word} {grid.numbers[row]}"
        is_truth = y is None and who == TRUTH
        if is_truth or y is not None:
            label = str(grid.columns[s if y is None else y][row]).strip()
            if label_of.setdefault(what, label) != label:
                raise TableError(
                    f"{where}: the true label of {short(what)} is {short(label)} here and another elsewhere"
                )
        if is_truth:
            continue
        value = values[row]
        if value is None or not np.isfinite(value):
            if str(grid.columns[s][row]).strip():
                raise TableError(f"{where}: the rating {short(grid.columns[s][row])} is not a finite number")
            continue  # an empty cell is a missing rating
        if (how, who, what) in cells:
            raise TableError(f"{where}: {short(who)} rated {short(what)} twice with {short(how)}")
        cells[how, who, what] = value
    return _table(grid, cells, label_of)


def _refuse_unknown(drop: Collection[str], names: Sequence[Sequence[str]], grid: Grid) -> None:
    if unknown := sorted(set(drop).difference(*names)):
        raise TableError(f"{grid.name} has no reader, treatment or instance {short(unknown[0])}; drop must name some")


def _column(grid: Grid, given: str | None, argument: str, known: Sequence[str]) -> int:
    found = key_column_if_any(grid, given, argument, known)
    if found is None:
        raise TableError(
            f"{grid.name} has no column of the {argument}s; name one of {listed(grid.header)} with {argument}="
        )
    return found


def _table(grid: Grid, cells: dict[tuple[str, str, str], float], label_of: dict[str, str]) -> ReaderRatings:
    """Return the complete table of the ratings, or raise an error that names the missing ratings."""
    if not cells:
        raise TableError(f"{grid.name} holds no ratings")
    treatments, readers, instances = (tuple(sorted(set(axis), key=natural_order)) for axis in zip(*cells, strict=True))
    ratings = np.full((len(treatments), len(readers), len(instances)), np.nan)
    places = [{name: i for i, name in enumerate(axis)} for axis in (treatments, readers, instances)]
    for key, value in cells.items():
        ratings[tuple(place[name] for place, name in zip(places, key, strict=True))] = value
    lacking = np.argwhere(np.isnan(ratings))
    if len(lacking):
        told = [f"{readers[j]} with {treatments[i]}: {instances[k]}" for i, j, k in lacking.tolist()]
        most = int(np.bincount(lacking[:, 1]).argmax())
        raise TableError(
            f"{grid.name}: each reader must rate each instance with each treatment, but {len(lacking):,} of "
            f"{ratings.size:,} ratings are missing ({examples(told)})",
            "leave out a reader, a treatment or these instances with {}",
            "drop",
            readers[most],
        )
    unknown = [name for name in instances if name not in label_of]
    if unknown:
        raise TableError(f"{grid.name}: the true labels of {examples(unknown)} are missing")
    return ReaderRatings(treatments, readers, instances, [label_of[name] for name in instances], ratings, grid.file)
