"""Which error rates stand in the summary of the UCR archive, DataSummary.csv?"""

from __future__ import annotations

__all__ = ["FORMAT"]

import re
from typing import Any

from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, scores_found
from evalstats.io.formats.tabular import rows_of
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError
from evalstats.tables.names import text_of

EXAMPLE = """
ID,Type,Name,Train ,Test ,Class,Length,ED (w=0),DTW (learned_w) ,DTW (w=100),Default rate
1,Image,Adiac,390,391,37,176,0.3887,0.3913 (3),0.3964,0.9591
""".lstrip()

REQUIRED = ("Name", "ED (w=0)")
_CLASSIFIER = re.compile(r"(?:ED|DTW) ?\(.+\)")
_WITH_WINDOW = re.compile(r"(\S+)\s*\(\d+\)")


def _recognises(seen: Seen) -> bool:
    return set(REQUIRED) <= set(seen.header)


def _read(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, REQUIRED, "the summary of the UCR archive")
    classifiers = [name for name in rows.columns if _CLASSIFIER.fullmatch(name)]
    if asked.metric not in (None, "error rate"):
        raise TableError(f"{seen.name} holds error rates, not {asked.metric!r}")
    columns: dict[str, list[Any]] = {
        "dataset": rows.texts("Name") * len(classifiers),
        "classifier": [name for name in classifiers for _ in rows.numbers],
        "score": [_error(cell) for name in classifiers for cell in rows[name]],
    }
    words = (
        "These are error rates; the number in brackets, the width of the window, and the default rate were left out."
    )
    return scores_found(
        seen,
        columns,
        metric="error rate",
        greater_is_better=False,
        numbers=rows.numbers * len(classifiers),
        findings=[note("window-left-out", words)],
    )


def _error(cell: Any) -> Any:
    match = _WITH_WINDOW.fullmatch(text_of(cell)) if isinstance(cell, str) else None
    return cell if match is None else match[1]


FORMAT = Format(
    name="ucr-summary",
    title="UCR archive, DataSummary.csv",
    description="Error rates of 1-NN with Euclidean distance and DTW on each dataset.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
