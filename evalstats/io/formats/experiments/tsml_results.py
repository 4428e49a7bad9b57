"""What did the estimators of tsml or tsml-eval predict? One result file for each dataset and resample."""

from __future__ import annotations

__all__ = ["FORMAT"]

import itertools
import re
from typing import Any

from evalstats._findings import Finding, note, warning
from evalstats.io.formats.format import Format, Found, predictions_found
from evalstats.io.formats.positive_class_scores import positive_scores
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import number_in
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE = """
ROCKET/Predictions/Chinatown/testResample0.csv:
Chinatown,ROCKET,TEST,0,MILLISECONDS,PREDICTIONS,made by hand. Encoder dictionary: {1.0: 0, 2.0: 1}
{'num_kernels': 10000, 'random_state': 0}
0.5,120,80,-1,-1,2,,-1,-1
0,0,,0.9,0.1
1,0,,0.6,0.4
""".lstrip()

# of an accuracy that a file tells, to how many digits it may be written
TOLERANCE = 1e-3
_FILE = re.compile(r"(?:^|/)testResample(\d+)\.csv$", re.IGNORECASE)
_TRAIN = re.compile(r"(?:^|/)trainResample\d+\.csv$", re.IGNORECASE)
_OF_FOLDER = re.compile(r"([^/]+)/Predictions/([^/]+)/[^/]+$", re.IGNORECASE)


def _recognises(seen: Seen) -> bool:
    return any(map(_FILE.search, seen.members))


def _read(seen: Seen, asked: Asked) -> Found:
    names = ("dataset", "classifier", "repeat", "row", "y_true", "y_pred", "probabilities")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    resamples: dict[str, dict[str, set[str]]] = {}
    n_train = sum(bool(_TRAIN.search(member)) for member in seen.members)
    for member in seen.members:
        if (match := _FILE.search(member)) is None:
            continue
        dataset, estimator, cases = _cases(seen.member(member), member)
        n = len(cases)
        resamples.setdefault(dataset, {}).setdefault(estimator, set()).add(match[1])
        columns["dataset"] += [dataset] * n
        columns["classifier"] += [estimator] * n
        columns["repeat"] += [match[1]] * n
        # each resample tests other cases
        columns["row"] += [f"{match[1]}/{i}" for i in range(n)]
        for name, values in zip(("y_true", "y_pred", "probabilities"), zip(*cases, strict=True), strict=True):
            columns[name] += values
    if not columns["row"]:
        raise TableError(f"{seen.name} holds no file such as testResample0.csv with the predictions of an estimator")
    columns, findings = _of_common_resamples(seen, columns, resamples)
    probabilities = columns.pop("probabilities")
    if all(len(own) == 2 for own in probabilities):
        told = {str(label): [own[label] for own in probabilities] for label in (0, 1)}
        if scores := positive_scores(asked, columns["dataset"], columns["y_true"], told):
            columns["y_score"] = scores
    findings.append(note("resamples", "A resample is a repeat with one split; the first is that of the archive."))
    if n_train:
        words = f"Not read: {n_train:,} of the files, trainResample, estimates on the training set."
        findings.append(note("training-files", words))
    return predictions_found(seen, columns, findings=findings)


def _of_common_resamples(
    seen: Seen, columns: dict[str, list[Any]], resamples: dict[str, dict[str, set[str]]]
) -> tuple[dict[str, list[Any]], list[Finding]]:
    """Leave out resamples of a dataset that some of its estimators lack."""
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
    words = f"Left out: {n_left:,} of {n_all:,} results, of resamples that some estimators of the dataset lack."
    return {name: [column[i] for i in kept] for name, column in columns.items()}, [warning("resamples-left", words)]


def _cases(file: Seen, member: str) -> tuple[str, str, list[tuple[str, str, list[str]]]]:
    """Return the dataset, the estimator, and the labels of each case with its probabilities."""
    lines = file.lines()
    head = [line for _, line in itertools.islice(lines, 3)]
    names = head[0].split(",") if head else []
    if len(head) < 3 or len(names) < 4:
        raise TableError(f"{member} does not have the three lines with which a result file of tsml begins")
    if names[2].strip().upper() not in ("TEST", "NO SPLIT"):
        raise TableError(f"{member}, line 1: the split is {short(names[2])}, not TEST")
    told = [field.strip() for field in head[2].split(",")]
    if len(told) == 7 and told[6]:
        raise TableError(f"{member}, line 3 ends in a number of clusters: clusters are no labels")
    cases = [_case(line, f"{member}, line {number}") for number, line in lines if line.strip()]
    if not cases:
        raise TableError(f"{member} holds no case")
    accuracy, found = number_in(told[0], "."), sum(case[0] == case[1] for case in cases) / len(cases)
    if accuracy is None or (accuracy > 0 and abs(accuracy - found) > TOLERANCE):
        problem = f"{member}, line 3 tells the accuracy {short(told[0])}, but that of the labels is {found:.4g}"
        raise TableError(f"{problem}: the file is damaged, or holds no classes")
    of_folder = _OF_FOLDER.search(member)
    estimator, dataset = (of_folder[1], of_folder[2]) if of_folder else (names[1].strip(), names[0].strip())
    return dataset, estimator, cases


def _case(line: str, place: str) -> tuple[str, str, list[str]]:
    fields = [field.strip() for field in line.split(",")]
    if len(fields) < 2 or not fields[0] or not fields[1]:
        raise TableError(f"{place}: {short(line.strip())} is not a true and a predicted label")
    true = number_in(fields[0], ".")
    if fields[0] == "?" or (true is not None and true % 1):
        what = "no true label" if fields[0] == "?" else f"{short(fields[0])} is a number and no label (regression)"
        raise TableError(f"{place}: {what}, so that right and wrong cannot be told")
    return _label(fields[0]), _label(fields[1]), list(itertools.takewhile(bool, fields[3:]))


def _label(text: str) -> str:
    """Return a label as a whole number, however it is written: 1 and 1.0 are one class."""
    return text.removesuffix(".0")


FORMAT = Format(
    name="tsml-results",
    title="tsml and tsml-eval, a directory of result files",
    description="Labels and probabilities of ESTIMATOR/Predictions/DATASET/testResampleN.csv; a resample is a repeat.",
    example=EXAMPLE,
    recognises=_recognises,
    read=_read,
)
