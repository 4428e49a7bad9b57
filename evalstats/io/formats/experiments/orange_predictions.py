"""What did the models of Orange's Test & Score predict, saved as .tab or .csv?"""

from __future__ import annotations

__all__ = ["FORMAT"]

import csv
import re
from collections import Counter
from typing import Any

from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, predictions_found
from evalstats.io.formats.positive_class_scores import positive_scores
from evalstats.io.formats.tabular import file_stem
from evalstats.io.options import Asked
from evalstats.io.sources.delimited import header_of_line
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE = """
iris\tNaive Bayes\tNaive Bayes (setosa)\tNaive Bayes (virginica)\tFold\tsepal length
setosa virginica\tsetosa virginica\tcontinuous\tcontinuous\t1 2\tcontinuous
class\tmeta\tmeta\tmeta\tmeta\t
setosa\tsetosa\t0.99\t0.01\t1\t5.1
virginica\tsetosa\t0.60\t0.40\t2\t6.3
""".lstrip()

_BRACKET = re.compile(r" \(")


def _recognises(seen: Seen) -> bool:
    lines = seen.start.splitlines()[:3]
    if seen.kind != "text" or len(lines) < 3 or not _models(list(seen.header)):
        return False
    flags = header_of_line(lines[2], _delimiter(lines[0]))
    return "class" in flags and set(flags) <= {"class", "meta", "ignore", "weight", "i", "m", "c", ""}


def _delimiter(line: str) -> str:
    return "\t" if "\t" in line else ","


def _models(header: list[str]) -> list[str]:
    """Return the columns that have their probabilities beside them: those of models."""
    begins = Counter(name[: at.start()] for name in header if name.endswith(")") for at in _BRACKET.finditer(name))
    return [name for name in header if name and begins[name] > 1]


def _read(seen: Seen, asked: Asked) -> Found:
    lines = [(number, line) for number, line in seen.lines() if line.strip()]
    if len(lines) < 4:
        raise TableError(f"{seen.name} lacks the three lines of an Orange table, or has no case")
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
        "row": list(range(1, n + 1)) * len(models),
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
    findings = [note("dataset-of-file", "The name of the file stands for the dataset, which it does not tell.")]
    if left:
        words = f"Not needed: {len(left)} of the columns of the data, such as {short(left[0])}."
        findings.append(note("columns-left", words))
    return predictions_found(seen, columns, numbers=numbers * len(models), findings=findings)


def _probability(header: list[str], model: str, label: str) -> int | None:
    name = f"{model} ({label})"
    return header.index(name) if name in header else None


FORMAT = Format(
    name="orange-predictions",
    title="Orange, predictions of Test & Score as .tab or .csv",
    description="Labels, probabilities and folds of all models on one dataset, which the name of the file names.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
