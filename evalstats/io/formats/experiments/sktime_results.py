"""What did a benchmark of sktime keep as CSV or Parquet, or return as a frame?"""

from __future__ import annotations

__all__ = ["FORMAT"]

import re

from evalstats.io.formats.format import Format, Found
from evalstats.io.formats.sktime_scores import FoldScore, benchmark_found
from evalstats.io.formats.tabular import rows_of
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen

EXAMPLE = """
model_id,validation_id,folds.0.scores.accuracy_score,folds.1.scores.accuracy_score,means.accuracy_score
knn,problem_1,0.9,1.0,0.95
dummy,problem_1,0.4,0.5,0.45
""".lstrip()

REQUIRED = ("model_id", "validation_id")
_KEPT = re.compile(r"folds\.(?P<fold>\d+)\.scores\.(?P<metric>.+)")
_RETURNED = re.compile(r"(?P<metric>.+)_fold_(?P<fold>\d+)_test")


def _recognises(seen: Seen) -> bool:
    return set(REQUIRED) <= set(seen.header)


def _read(seen: Seen, asked: Asked) -> Found:
    rows = rows_of(seen, REQUIRED, "a benchmark of sktime")
    matches = {name: _KEPT.fullmatch(name) or _RETURNED.fullmatch(name) for name in rows.columns}
    keys = list(zip(rows.texts("validation_id"), rows.texts("model_id"), rows.numbers, strict=True))
    scores = [
        FoldScore(task, model, match["fold"], match["metric"], cell, number)
        for name, match in matches.items()
        if match is not None
        for (task, model, number), cell in zip(keys, rows[name], strict=True)
    ]
    return benchmark_found(seen, asked, scores)


FORMAT = Format(
    name="sktime-results",
    title="sktime, results of a benchmark as CSV, Parquet or frame",
    description="Scores of models in the folds of each task; times can be chosen by metric=.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
