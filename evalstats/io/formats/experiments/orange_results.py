"""What did Orange's cross-validation return? An object of Orange.evaluation.Results."""

from __future__ import annotations

__all__ = ["FORMAT"]

from typing import Any

import numpy as np

from evalstats._findings import note
from evalstats.io.columns.split_counting import splits_by_cases
from evalstats.io.formats.format import Format, Found, predictions_found
from evalstats.io.formats.positive_class_scores import positive_scores
from evalstats.io.options import Asked
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError

EXAMPLE = """
results = Orange.evaluation.CrossValidation(k=10)(data, [NaiveBayesLearner(), TreeLearner()])
evalstats.compare(results)
""".lstrip()


def _recognises(seen: Seen) -> bool:
    return {"actual", "predicted", "learners", "row_indices", "domain"} <= set(dir(seen.source))


def _read(seen: Seen, asked: Asked) -> Found:
    results = seen.source
    if not _recognises(seen) or results.actual is None or results.predicted is None:
        raise TableError(f"{seen.name} is not a result of Orange with actual and predicted classes")
    variable = getattr(results.domain, "class_var", None)
    values = list(getattr(variable, "values", None) or ())
    if not values:
        raise TableError(f"{seen.name} has no class of labels: predicted numbers are not compared as labels")
    actual, predicted = np.asarray(results.actual), np.atleast_2d(np.asarray(results.predicted))
    names = _names(results, len(predicted))
    n, k = len(actual), len(predicted)
    rows = np.arange(n) if results.row_indices is None else np.asarray(results.row_indices)
    columns: dict[str, list[Any]] = {
        "dataset": [str(getattr(getattr(results, "data", None), "name", None) or "dataset")] * (n * k),
        "classifier": [name for name in names for _ in range(n)],
        "row": rows.tolist() * k,
        "y_true": _labels(actual, values, seen) * k,
        "y_pred": [label for own in predicted for label in _labels(own, values, seen)],
    }
    columns |= _runs(results, rows, k)
    probabilities = getattr(results, "probabilities", None)
    if probabilities is not None:
        of_labels = np.asarray(probabilities, dtype=float)
        told = {str(value): of_labels[:, :, i].ravel().tolist() for i, value in enumerate(values)}
        if scores := positive_scores(asked, columns["dataset"], columns["y_true"], told):
            columns["y_score"] = scores
    words = "Each learner is a classifier, called as Orange calls it."
    return predictions_found(seen, columns, findings=[note("learners", words)])


def _names(results: Any, k: int) -> list[str]:
    names = getattr(results, "learner_names", None) or [
        getattr(learner, "name", type(learner).__name__) for learner in results.learners or ()
    ]
    names = [str(name) for name in names][:k]
    if len(names) != k:
        return [f"model {i + 1}" for i in range(k)]
    return [f"{name} {names[: i + 1].count(name)}" if names.count(name) > 1 else name for i, name in enumerate(names)]


def _labels(codes: Any, values: list[Any], seen: Seen) -> list[str]:
    codes = np.asarray(codes, dtype=float)
    if (
        not np.isfinite(codes).all()
        or (codes % 1).any()
        or codes.min(initial=0) < 0
        or codes.max(initial=0) >= len(values)
    ):
        raise TableError(f"{seen.name}: a class is missing, or is not among the values of the domain")
    return [str(values[int(code)]) for code in codes.tolist()]


def _runs(results: Any, rows: Any, k: int) -> dict[str, list[Any]]:
    """Return the repeat and the fold of each prediction, where the result tells them."""
    folds = getattr(results, "folds", None)
    if folds is None:
        return {}
    repeats, numbers = splits_by_cases([rows[part] for part in folds])
    told = {"repeat": [""] * len(rows), "fold": [""] * len(rows)}
    for part, repeat, number in zip(folds, repeats, numbers, strict=True):
        for i in np.arange(len(rows))[part].tolist():
            told["repeat"][i], told["fold"][i] = str(repeat), str(number)
    return {name: own * k for name, own in told.items() if len(set(own)) > 1}


FORMAT = Format(
    name="orange-results",
    title="Orange, a Results object",
    description="Labels, probabilities and folds of all learners on one dataset.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
