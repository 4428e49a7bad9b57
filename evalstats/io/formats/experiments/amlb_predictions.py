"""What did the frameworks of the AutoML Benchmark predict? Its directory of predictions."""

from __future__ import annotations

__all__ = ["FORMAT"]

import re
from typing import Any

from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, predictions_found
from evalstats.io.formats.positive_class_scores import positive_scores
from evalstats.io.formats.tabular import rows_of
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError

EXAMPLE = """
RandomForest.small.1h8c.local.20260801T000000/predictions/adult/0/predictions.csv:
no,yes,predictions,truth
0.8,0.2,no,no
0.3,0.7,yes,no
""".lstrip()

_FILE = re.compile(r"(?:([^/]+)/)?predictions/([^/]+)/(\d+)/predictions\.csv$")
REQUIRED = ("predictions", "truth")


def _recognises(seen: Seen) -> bool:
    return any(map(_FILE.search, seen.members))


def _read(seen: Seen, asked: Asked) -> Found:
    names = ("dataset", "classifier", "fold", "row", "y_true", "y_pred")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    probabilities: dict[str, list[Any]] = {}
    for member in seen.members:
        if (match := _FILE.search(member)) is None:
            continue
        rows = rows_of(seen.member(member), REQUIRED, "predictions of the AutoML Benchmark")
        n, n_before = len(rows.numbers), len(columns["row"])
        labels = [name for name in rows.columns if name not in REQUIRED]
        if not labels:
            raise TableError(f"{member} has no column of a class: numbers were predicted, which are no labels")
        columns["dataset"] += [match[2]] * n
        columns["classifier"] += [(match[1] or seen.name).partition(".")[0]] * n
        columns["fold"] += [match[3]] * n
        columns["row"] += [f"{match[3]}/{i}" for i in range(n)]
        columns["y_true"] += rows.texts("truth")
        columns["y_pred"] += rows.texts("predictions")
        for label in {*labels, *probabilities}:
            told = probabilities.setdefault(label, [None] * n_before)
            told += rows[label] if label in labels else [None] * n
    if not columns["row"]:
        raise TableError(f"{seen.name} holds no file such as predictions/TASK/0/predictions.csv")
    scores = positive_scores(asked, columns["dataset"], columns["y_true"], probabilities)
    if scores and None not in scores:
        columns["y_score"] = scores
    words = "The rows of a file are the cases of its fold in their order, which the files do not name."
    return predictions_found(seen, columns, findings=[note("cases-in-order", words)])


FORMAT = Format(
    name="amlb-predictions",
    title="AutoML Benchmark, a directory of predictions",
    description="Labels and probabilities in FRAMEWORK.../predictions/TASK/FOLD/predictions.csv.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
