"""What did a benchmark of sktime keep as JSON?"""

from __future__ import annotations

__all__ = ["FORMAT"]

from collections.abc import Mapping
from typing import Any

from evalstats.io.formats.format import Format, Found
from evalstats.io.formats.sktime_scores import FoldScore, benchmark_found
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE = """
[{"model_id": "knn", "validation_id": "problem_1", "folds": {"0": {"scores": {"accuracy_score": 0.9}}}},
 {"model_id": "dummy", "validation_id": "problem_1", "folds": {"0": {"scores": {"accuracy_score": 0.4}}}}]
""".lstrip()

KEYS = ("model_id", "validation_id", "folds")


def _recognises(seen: Seen) -> bool:
    document = seen.document
    return isinstance(document, list) and bool(document) and _is_result(document[0])


def _is_result(value: Any) -> bool:
    return isinstance(value, Mapping) and set(KEYS) <= set(value)


def _read(seen: Seen, asked: Asked) -> Found:
    document = seen.document
    if not isinstance(document, list) or not all(map(_is_result, document)):
        raise TableError(f"{seen.name} must be a list of results with model_id, validation_id and folds")
    scores: list[FoldScore] = []
    for i, result in enumerate(document, 1):
        place = f"{seen.name}, result {i}"
        for fold, content in _mapping(result["folds"], place, "folds").items():
            of_fold = _mapping(_mapping(content, place, "a fold").get("scores"), place, "scores")
            scores += [
                FoldScore(str(result["validation_id"]), str(result["model_id"]), str(fold), str(metric), score, i)
                for metric, score in of_fold.items()
            ]
    return benchmark_found(seen, asked, scores)


def _mapping(value: Any, place: str, what: str) -> Mapping[Any, Any]:
    if isinstance(value, Mapping):
        return value
    raise TableError(f"{place}: {what} must be an object with names, not {short(value)}")


FORMAT = Format(
    name="sktime-json",
    title="sktime, results of a benchmark as JSON",
    description="As sktime-results.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
