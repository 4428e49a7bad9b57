"""Reader of ratings by several readers: one row for each reader, treatment and instance."""

from __future__ import annotations

__all__ = ["ReaderRatings", "read_reader_ratings"]

from collections.abc import Collection
from typing import Any, NamedTuple

from evalstats._errors import examples, listed
from evalstats._types import FloatArray
from evalstats.io.columns.other_results import INSTANCES, RATINGS, READERS, TREATMENTS, TRUE_LABELS, TRUTH
from evalstats.io.columns.roles import key_column_if_any, row_names
from evalstats.io.reader.long_cells import column_of, complete_array, finite_number, refuse_unknown
from evalstats.io.reader.opening import open_source
from evalstats.io.sources.grid import Grid
from evalstats.tables.errors import TableError, short


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
    """Read the ratings of several readers from a long table. A missing or a second rating raises an error.

    Parameters
    ----------
    source : path or data frame
        One row for each reader, treatment (or classifier) and instance, with the true label and the rating, as in
        MRMCaov. Alternatively, rows in the format of iMRMC, in which the true labels are the scores of the reader
        ``truth``.
    reader, classifier, instance, y_true, score : str, optional
        Names of the columns. If you do not pass a name, the column is recognized by its name.
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
        "reader": column_of(grid, reader, "reader", READERS),
        "treatment": column_of(grid, classifier, "classifier", TREATMENTS),
        "instance": column_of(grid, instance, "instance", INSTANCES),
    }
    s = column_of(grid, score, "score", RATINGS)
    names = [row_names(grid, j, what) for what, j in columns.items()]
    y = key_column_if_any(grid, y_true, "y_true", TRUE_LABELS)
    if y is None and TRUTH not in names[0]:
        raise TableError(
            f"{grid.name} has no column of the true labels; name one of {listed(grid.header)} with y_true="
        )
    refuse_unknown("drop", drop, names, grid, "reader, treatment or instance")
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
                    f"{where}: the true label of {short(what)} is {short(label)} here and different elsewhere"
                )
        if is_truth:
            continue
        value = finite_number(grid, s, row, "rating")
        if value is None:
            continue  # missing labels are reported below
        if (how, who, what) in cells:
            raise TableError(f"{where}: {short(who)} rated {short(what)} twice with {short(how)}")
        cells[how, who, what] = value
    return _table(grid, cells, label_of)


def _table(grid: Grid, cells: dict[tuple[str, str, str], float], label_of: dict[str, str]) -> ReaderRatings:
    """Return the complete table of the ratings, or raise an error that names the missing ratings."""
    (treatments, readers, instances), ratings = complete_array(
        grid,
        cells,
        what="ratings",
        rule="each reader must rate each instance with each treatment",
        place="{1} with {0}: {2}",
        hint="leave out a reader, a treatment or these instances with {}",
        drop=(1, 2),
    )
    unknown = [name for name in instances if name not in label_of]
    if unknown:
        raise TableError(f"{grid.name}: the true labels of {examples(unknown)} are missing")
    return ReaderRatings(treatments, readers, instances, [label_of[name] for name in instances], ratings, grid.file)
