"""Results of aeon, of tsml and tsml-eval, and of the UCR archive: scores, predictions and error rates."""

from __future__ import annotations

__all__ = ["FORMATS"]

import csv
import itertools
import re
from collections.abc import Sequence
from typing import Any

from evalstats._findings import Finding, note, warning
from evalstats.io.formats.format import (
    Format,
    Found,
    Sign,
    chosen_metric,
    directions,
    positive_scores,
    predictions_found,
    rows_of,
    scores_found,
)
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import number_in
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of

EXAMPLE_OF_SCORES = """
HC2_accuracy.csv:
Resamples:,0,1,2
ACSF1,0.91,0.80,0.83
Adiac,0.81,0.80,0.81
""".lstrip()

DIRECTIONS = directions(
    gains="""
    accuracy acc balacc auroc f1 precision recall mcc sensitivity specificity clacc ami ari mi nmi ri r2
    """,
    losses="""
    logloss nll mse mae rmse mape smape fittime predicttime memoryusage
    """,
)
_FILE_OF_SCORES = re.compile(rf"(?:^|/)([^/]+)_({'|'.join(DIRECTIONS)})\.csv$", re.IGNORECASE)


def _is_scores(seen: Seen) -> bool:
    if seen.kind == "text":
        return bool(_FILE_OF_SCORES.search(seen.file or "")) and _counts_resamples(seen.header)
    return any(map(_FILE_OF_SCORES.search, seen.members))


def _counts_resamples(header: Sequence[str]) -> bool:
    return list(header[1:]) == [str(i) for i in range(len(header) - 1)]


RESAMPLES = "Each resample is treated as a repeat with one split; the first is the split of the archive."


def _read_scores(seen: Seen, asked: Asked) -> Found:
    files = {name: seen.member(name) for name in seen.members if _FILE_OF_SCORES.search(name)} or {
        seen.file or "": seen
    }
    found = [(match[1], match[2].casefold(), name) for name in files if (match := _FILE_OF_SCORES.search(name))]
    if not found:
        raise TableError(f"{seen.name} holds no file such as HC2_accuracy.csv with the results of one estimator")
    measures = list(dict.fromkeys(measure for _, measure, _ in found))
    metric = chosen_metric(seen, asked, measures, "accuracy")
    columns: dict[str, list[Any]] = {name: [] for name in ("dataset", "classifier", "repeat", "score")}
    for estimator, measure, member in found:
        if measure != metric:
            continue
        for dataset, scores in _table(files[member], member):
            columns["dataset"] += [dataset] * len(scores)
            columns["classifier"] += [estimator] * len(scores)
            columns["repeat"] += range(len(scores))
            columns["score"] += scores
    findings = []
    if len(measures) > 1:
        others = ", ".join(measure for measure in measures if measure != metric)
        findings.append(note("metric-chosen", f"{metric} is compared; metric= chooses a different measure: {others}."))
    findings.append(note("resamples", RESAMPLES))
    return scores_found(seen, columns, metric=metric, greater_is_better=DIRECTIONS[metric], findings=findings)


def _table(file: Seen, member: str) -> list[tuple[str, list[str]]]:
    """Return the dataset and the scores of each line. Files from before 2018 have no header."""
    rows = [
        (number, [field.strip() for field in next(csv.reader([line]), [])])
        for number, line in file.lines()
        if line.strip()
    ]
    if rows and _counts_resamples(rows[0][1]):
        rows = rows[1:]
    width = max((len(fields) for _, fields in rows), default=0)
    for number, fields in rows:
        if len(fields) != width or width < 2:
            raise TableError(f"{member}, line {number} has {len(fields)} fields, but other lines have {width}")
    return [(fields[0], fields[1:]) for _, fields in rows]


SCORES = Format(
    name="aeon-results",
    title="aeon and tsml-eval, a directory of ESTIMATOR_MEASURE.csv",
    description="Scores of resamples, with one row for each dataset and one file for each estimator. The default measure is accuracy.",
    example=EXAMPLE_OF_SCORES,
    recognises=(
        Sign("files", ("*_*.csv",)),
        Sign("columns", ("Resamples*", "0")),
    ),
    confirms=_is_scores,
    read=_read_scores,
)


EXAMPLE_OF_PREDICTIONS = """
ROCKET/Predictions/Chinatown/testResample0.csv:
Chinatown,ROCKET,TEST,0,MILLISECONDS,PREDICTIONS,made by hand. Encoder dictionary: {1.0: 0, 2.0: 1}
{'num_kernels': 10000, 'random_state': 0}
0.5,120,80,-1,-1,2,,-1,-1
0,0,,0.9,0.1
1,0,,0.6,0.4
""".lstrip()

# maximum number of digits of an accuracy in a file
TOLERANCE = 1e-3
_FILE_OF_PREDICTIONS = re.compile(r"(?:^|/)testResample(\d+)\.csv$", re.IGNORECASE)
_TRAIN = re.compile(r"(?:^|/)trainResample\d+\.csv$", re.IGNORECASE)
_OF_FOLDER = re.compile(r"([^/]+)/Predictions/([^/]+)/[^/]+$", re.IGNORECASE)


def _read_predictions(seen: Seen, asked: Asked) -> Found:
    names = ("dataset", "classifier", "repeat", "instance", "y_true", "y_pred", "probabilities")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    resamples: dict[str, dict[str, set[str]]] = {}
    n_train = sum(bool(_TRAIN.search(member)) for member in seen.members)
    for member in seen.members:
        if (match := _FILE_OF_PREDICTIONS.search(member)) is None:
            continue
        dataset, estimator, cases = _cases(seen.member(member), member)
        n = len(cases)
        resamples.setdefault(dataset, {}).setdefault(estimator, set()).add(match[1])
        columns["dataset"] += [dataset] * n
        columns["classifier"] += [estimator] * n
        columns["repeat"] += [match[1]] * n
        # each resample tests other instances
        columns["instance"] += [f"{match[1]}/{i}" for i in range(n)]
        for name, values in zip(("y_true", "y_pred", "probabilities"), zip(*cases, strict=True), strict=True):
            columns[name] += values
    if not columns["instance"]:
        raise TableError(f"{seen.name} holds no file such as testResample0.csv with the predictions of an estimator")
    columns, findings = _of_common_resamples(seen, columns, resamples)
    probabilities = columns.pop("probabilities")
    if all(len(own) == 2 for own in probabilities):
        told = {str(label): [own[label] for own in probabilities] for label in (0, 1)}
        if scores := positive_scores(asked, columns["dataset"], columns["y_true"], told):
            columns["y_score"] = scores
    findings.append(note("resamples", RESAMPLES))
    if n_train:
        words = f"Not read: {n_train:,} trainResample files, which hold estimates on the training set."
        findings.append(note("training-files", words))
    return predictions_found(seen, columns, findings=findings)


def _of_common_resamples(
    seen: Seen, columns: dict[str, list[Any]], resamples: dict[str, dict[str, set[str]]]
) -> tuple[dict[str, list[Any]], list[Finding]]:
    """Drop the resamples of a dataset that one of its estimators lacks, or raise an error if none is left."""
    common = {dataset: set.intersection(*of_estimators.values()) for dataset, of_estimators in resamples.items()}
    if empty := [dataset for dataset, own in common.items() if not own]:
        raise TableError(f"{seen.name}: the estimators of dataset {short(empty[0])} have no resample in common")
    n_all = sum(len(own) for of_estimators in resamples.values() for own in of_estimators.values())
    n_left = n_all - sum(len(common[dataset]) * len(own) for dataset, own in resamples.items())
    if not n_left:
        return columns, []
    kept = [
        i for i, key in enumerate(zip(columns["dataset"], columns["repeat"], strict=True)) if key[1] in common[key[0]]
    ]
    words = f"Left out: {n_left:,} of {n_all:,} results, because some estimators lack these resamples of the dataset."
    return {name: [column[i] for i in kept] for name, column in columns.items()}, [warning("resamples-left", words)]


def _cases(file: Seen, member: str) -> tuple[str, str, list[tuple[str, str, list[str]]]]:
    """Return the dataset, the estimator, and the true label, predicted label and probabilities of each instance."""
    lines = file.lines()
    head = [line for _, line in itertools.islice(lines, 3)]
    names = head[0].split(",") if head else []
    if len(head) < 3 or len(names) < 4:
        raise TableError(f"{member} must begin with the three header lines of a tsml result file")
    if names[2].strip().upper() not in ("TEST", "NO SPLIT"):
        raise TableError(f"{member}, line 1: the split is {short(names[2])}, not TEST")
    told = [field.strip() for field in head[2].split(",")]
    if len(told) == 7 and told[6]:
        problem = f"{member} holds cluster assignments, because line 3 gives a number of clusters"
        raise TableError(f"{problem}; predicted labels are required")
    cases = [_case(line, f"{member}, line {number}") for number, line in lines if line.strip()]
    if not cases:
        raise TableError(f"{member} holds no instance")
    accuracy, found = number_in(told[0], "."), sum(case[0] == case[1] for case in cases) / len(cases)
    if accuracy is None or (accuracy > 0 and abs(accuracy - found) > TOLERANCE):
        problem = (
            f"{member}, line 3 gives the accuracy {short(told[0])}, but the accuracy of the predictions is {found:.4g}"
        )
        raise TableError(f"{problem}: the file is damaged, or holds no classes")
    of_folder = _OF_FOLDER.search(member)
    estimator, dataset = (of_folder[1], of_folder[2]) if of_folder else (names[1].strip(), names[0].strip())
    return dataset, estimator, cases


def _case(line: str, place: str) -> tuple[str, str, list[str]]:
    fields = [field.strip() for field in line.split(",")]
    if len(fields) < 2 or not fields[0] or not fields[1]:
        raise TableError(f"{place}: {short(line.strip())} does not hold a true and a predicted label")
    true = number_in(fields[0], ".")
    if fields[0] == "?" or (true is not None and true % 1):
        what = "no true label" if fields[0] == "?" else f"{short(fields[0])} is a number and not a label (regression)"
        raise TableError(f"{place}: {what}, so correct and incorrect predictions are unknown")
    return _label(fields[0]), _label(fields[1]), list(itertools.takewhile(bool, fields[3:]))


def _label(text: str) -> str:
    """Return a label without '.0', because 1 and 1.0 are the same class."""
    return text.removesuffix(".0")


PREDICTIONS = Format(
    name="tsml-results",
    title="tsml and tsml-eval, a directory of result files",
    description="Labels and probabilities in ESTIMATOR/Predictions/DATASET/testResampleN.csv. Each resample is treated as a repeat.",
    example=EXAMPLE_OF_PREDICTIONS,
    recognises=(Sign("files", ("testResample*.csv",)),),
    read=_read_predictions,
)


EXAMPLE_OF_ARCHIVE = """
ID,Type,Name,Train ,Test ,Class,Length,ED (w=0),DTW (learned_w) ,DTW (w=100),Default rate
1,Image,Adiac,390,391,37,176,0.3887,0.3913 (3),0.3964,0.9591
""".lstrip()

REQUIRED = ("Name", "ED (w=0)")
_CLASSIFIER = re.compile(r"(?:ED|DTW) ?\(.+\)")
_WITH_WINDOW = re.compile(r"(\S+)\s*\(\d+\)")


def _read_archive(seen: Seen, asked: Asked) -> Found:
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
        "The values are error rates; the numbers in parentheses (window widths) and the default rates were left out."
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


ARCHIVE = Format(
    name="ucr-summary",
    title="UCR archive, DataSummary.csv",
    description="Error rates of 1-NN with Euclidean distance and DTW on each dataset.",
    example=EXAMPLE_OF_ARCHIVE,
    recognises=(Sign("columns", REQUIRED),),
    read=_read_archive,
)

FORMATS = (SCORES, PREDICTIONS, ARCHIVE)
