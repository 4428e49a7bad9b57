"""Results of Orange: the predictions of Test & Score in a file, and its Results object."""

from __future__ import annotations

__all__ = ["FORMATS"]

import csv
import re
from collections import Counter
from typing import Any

import numpy as np

from evalstats._findings import note
from evalstats.io.columns.roles import splits_by_cases
from evalstats.io.formats.format import Format, Found, Sign, file_stem, positive_scores, predictions_found
from evalstats.io.options import Asked
from evalstats.io.sources.delimited import header_of_line
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE_OF_PREDICTIONS = """
iris\tNaive Bayes\tNaive Bayes (setosa)\tNaive Bayes (virginica)\tFold\tsepal length
setosa virginica\tsetosa virginica\tcontinuous\tcontinuous\t1 2\tcontinuous
class\tmeta\tmeta\tmeta\tmeta\t
setosa\tsetosa\t0.99\t0.01\t1\t5.1
virginica\tsetosa\t0.60\t0.40\t2\t6.3
""".lstrip()

_BRACKET = re.compile(r" \(")


def _is_predictions(seen: Seen) -> bool:
    lines = seen.start.splitlines()[:3]
    if seen.kind != "text" or len(lines) < 3 or not _models(list(seen.header)):
        return False
    flags = header_of_line(lines[2], _delimiter(lines[0]))
    return "class" in flags and set(flags) <= {"class", "meta", "ignore", "weight", "i", "m", "c", ""}


def _delimiter(line: str) -> str:
    return "\t" if "\t" in line else ","


def _models(header: list[str]) -> list[str]:
    """Return the columns of models: columns for which there are two or more columns of probabilities."""
    begins = Counter(name[: at.start()] for name in header if name.endswith(")") for at in _BRACKET.finditer(name))
    return [name for name in header if name and begins[name] > 1]


def _read_predictions(seen: Seen, asked: Asked) -> Found:
    lines = [(number, line) for number, line in seen.lines() if line.strip()]
    if len(lines) < 4:
        raise TableError(f"{seen.name} lacks the three header lines of an Orange table, or has no instance")
    delimiter = _delimiter(lines[0][1])
    records = [next(csv.reader([line], delimiter=delimiter), []) for _, line in lines]
    header, kinds, flags = ([field.strip() for field in record] for record in records[:3])
    width = len(header)
    for (number, _), record in zip(lines[1:], records[1:], strict=True):
        if len(record) > width or (len(record) < width and number > lines[2][0]):
            raise TableError(f"{seen.name}, line {number} has {len(record)} fields, but the header has {width}")
    kinds, flags = ([*own, *[""] * (width - len(own))] for own in (kinds, flags))
    targets = [j for j, flag in enumerate(flags) if flag == "class"]
    models = [header.index(name) for name in _models(header)]
    if len(targets) != 1 or not models:
        raise TableError(f"{seen.name} must have one class column and columns of models with their probabilities")
    if kinds[targets[0]] in ("continuous", "c"):
        problem = f"{seen.name}: the class column {short(header[targets[0]])} holds numbers (regression)"
        raise TableError(f"{problem}, which are not compared as labels")
    cases, numbers = records[3:], [number for number, _ in lines[3:]]
    return _found(seen, asked, header, cases, numbers, targets[0], models)


def _found(
    seen: Seen,
    asked: Asked,
    header: list[str],
    cases: list[list[str]],
    numbers: list[int],
    target: int,
    models: list[int],
) -> Found:
    n = len(cases)
    columns: dict[str, list[Any]] = {
        "dataset": [file_stem(seen, header[target])] * (n * len(models)),
        "classifier": [header[j] for j in models for _ in range(n)],
        "instance": list(range(1, n + 1)) * len(models),
        "y_true": [case[target] for case in cases] * len(models),
        "y_pred": [case[j] for j in models for case in cases],
    }
    if "Fold" in header:
        fold = header.index("Fold")
        columns["fold"] = [case[fold] for case in cases] * len(models)
    labels = sorted({case[target] for case in cases})
    at = {label: [_probability(header, header[j], label) for j in models] for label in labels}
    told = {
        label: [case[j] for j in own if j is not None for case in cases] for label, own in at.items() if None not in own
    }
    if scores := positive_scores(asked, columns["dataset"], columns["y_true"], told):
        columns["y_score"] = scores
    begins = tuple(f"{header[j]} (" for j in models)
    needed = {target, *models}
    left = [name for j, name in enumerate(header) if j not in needed and name != "Fold" and not name.startswith(begins)]
    findings = [note("dataset-of-file", "The file does not contain the name of the dataset; the file name is used.")]
    if left:
        words = f"Not needed: {len(left)} of the columns of the data, such as {short(left[0])}."
        findings.append(note("columns-left", words))
    return predictions_found(seen, columns, numbers=numbers * len(models), findings=findings)


def _probability(header: list[str], model: str, label: str) -> int | None:
    name = f"{model} ({label})"
    return header.index(name) if name in header else None


PREDICTIONS = Format(
    name="orange-predictions",
    title="Orange, predictions of Test & Score as .tab or .csv",
    description="Labels, probabilities and folds of all models on one dataset. The file has the name of the dataset.",
    example=EXAMPLE_OF_PREDICTIONS,
    recognises=(Sign("text", ("class", "meta", " (")),),
    confirms=_is_predictions,
    read=_read_predictions,
)


EXAMPLE_OF_RESULTS = """
results = Orange.evaluation.CrossValidation(k=10)(data, [NaiveBayesLearner(), TreeLearner()])
evalstats.compare(results)
""".lstrip()

ATTRIBUTES = frozenset(("actual", "predicted", "learners", "row_indices", "domain"))


def _read_results(seen: Seen, asked: Asked) -> Found:
    results = seen.source
    if not set(dir(results)) >= ATTRIBUTES or results.actual is None or results.predicted is None:
        raise TableError(f"{seen.name} is not a result of Orange with actual and predicted classes")
    variable = getattr(results.domain, "class_var", None)
    values = list(getattr(variable, "values", None) or ())
    if not values:
        raise TableError(f"{seen.name} has no class variable with labels: predicted numbers are not compared as labels")
    actual, predicted = np.asarray(results.actual), np.atleast_2d(np.asarray(results.predicted))
    names = _names(results, len(predicted))
    n, k = len(actual), len(predicted)
    rows = np.arange(n) if results.row_indices is None else np.asarray(results.row_indices)
    columns: dict[str, list[Any]] = {
        "dataset": [str(getattr(getattr(results, "data", None), "name", None) or "dataset")] * (n * k),
        "classifier": [name for name in names for _ in range(n)],
        "instance": rows.tolist() * k,
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
    words = "Each learner is a classifier, with its name in Orange."
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
    """Return the repeat and the fold of each prediction, or {} if the result has no folds."""
    folds = getattr(results, "folds", None)
    if folds is None:
        return {}
    repeats, numbers = splits_by_cases([rows[part] for part in folds])
    told = {"repeat": [""] * len(rows), "fold": [""] * len(rows)}
    for part, repeat, number in zip(folds, repeats, numbers, strict=True):
        for i in np.arange(len(rows))[part].tolist():
            told["repeat"][i], told["fold"][i] = str(repeat), str(number)
    return {name: own * k for name, own in told.items() if len(set(own)) > 1}


RESULTS = Format(
    name="orange-results",
    title="Orange, a Results object",
    description="Labels, probabilities and folds of all learners on one dataset.",
    example=EXAMPLE_OF_RESULTS,
    recognises=(Sign("attributes", tuple(sorted(ATTRIBUTES))),),
    read=_read_results,
)

FORMATS = (PREDICTIONS, RESULTS)
