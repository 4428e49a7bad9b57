"""What did a classifier of WEKA's Explorer predict? CSV of one classifier a file."""

from __future__ import annotations

__all__ = ["FORMAT"]

from typing import Any

from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, predictions_found
from evalstats.io.formats.tabular import file_stem, rows_of
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE = """
inst#,actual,predicted,error,prediction
1,1:yes,1:yes,,0.93
2,2:no,1:yes,+,0.61
""".lstrip()
HEADER = ("inst#", "actual", "predicted", "error")


def _recognises(seen: Seen) -> bool:
    if seen.kind in ("files", "directory"):
        return bool(_files(seen)) and all(_recognises(seen.member(name)) for name in _files(seen))
    return tuple(name.strip() for name in seen.header[:4]) == HEADER


def _files(seen: Seen) -> list[str]:
    """Return the files of classifiers: of a directory, the tables that stand directly in it."""
    return [name for name in seen.members if seen.kind == "files" or ("/" not in name and name.endswith(".csv"))]


def _read(seen: Seen, asked: Asked) -> Found:
    files = [seen.member(name) for name in _files(seen)] or [seen]
    columns: dict[str, list[Any]] = {name: [] for name in ("dataset", "classifier", "row", "y_true", "y_pred")}
    numbers: list[int] = []
    for one in files:
        rows = rows_of(one, HEADER, "predictions of WEKA")
        labels = {name: [_label(rows, cell, i) for i, cell in enumerate(rows.texts(name))] for name in HEADER[1:3]}
        n = len(rows.numbers)
        columns["dataset"] += ["dataset"] * n
        columns["classifier"] += [file_stem(one, "classifier")] * n
        # the count begins again in each fold, so that the place in the file names the case
        columns["row"] += range(1, n + 1)
        columns["y_true"] += labels["actual"]
        columns["y_pred"] += labels["predicted"]
        numbers += rows.numbers
    findings = [note("classifier-of-file", "The name of the file stands for the classifier, which it does not tell.")]
    return predictions_found(seen, columns, numbers=numbers if len(files) == 1 else None, findings=findings)


def _label(rows: Any, cell: str, i: int) -> str:
    number, colon, label = cell.partition(":")
    if not colon or not number.strip().isdecimal() or not label.strip():
        place = f"{rows.name}, {rows.word} {rows.numbers[i]}"
        raise TableError(f"{place}: {short(cell)} is not a label as WEKA writes it, such as 2:no")
    if label.strip() == "?":
        raise TableError(f"{rows.name}, {rows.word} {rows.numbers[i]}: {short(cell)} is no label, it is missing")
    return label.strip()


FORMAT = Format(
    name="weka-predictions",
    title="WEKA Explorer, predictions as CSV",
    description="Labels of one classifier a file, on the same cases in the same order; a list of files compares them.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
