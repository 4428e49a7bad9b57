"""Predictions of KEEL: a directory of result files, one for each fold."""

from __future__ import annotations

__all__ = ["FORMATS"]

import re
from typing import Any

from evalstats._findings import note
from evalstats.io.formats.format import Format, Found, Sign, predictions_found
from evalstats.io.options import Asked
from evalstats.io.sources.numbers import number_in
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short

EXAMPLE = """
results/C45-C.iris/result0s0.tst:
@relation iris
@attribute class {setosa,versicolor}
@outputs class
@data
setosa setosa
setosa versicolor
""".lstrip()

_TEST_FILE = re.compile(r"(?:^|/)result(\d+)(?:s(\d+))?\.tst$")
_REAL_OUTPUT = re.compile(r"@attribute\s+\S+\s*(?:real|integer)", re.IGNORECASE)
NOT_CLASSIFIED = ("unclassified", "?")


def _read(seen: Seen, asked: Asked) -> Found:
    columns: dict[str, list[Any]] = {
        name: [] for name in ("dataset", "classifier", "repeat", "fold", "instance", "y_true", "y_pred")
    }
    n_unclassified = 0
    for member in seen.members:
        if (match := _TEST_FILE.search(member)) is None:
            continue
        method, dataset = _names([seen.name, *member.split("/")[:-1]])
        pairs = _pairs(seen.member(member), member)
        n = len(pairs)
        columns["dataset"] += [dataset] * n
        columns["classifier"] += [method] * n
        # a method that draws numbers is run with several seeds
        columns["repeat"] += [match[2] or "0"] * n
        columns["fold"] += [match[1]] * n
        columns["instance"] += [f"{match[1]}/{i}" for i in range(n)]
        columns["y_true"] += [actual for actual, _ in pairs]
        columns["y_pred"] += [predicted for _, predicted in pairs]
        n_unclassified += sum(predicted in NOT_CLASSIFIED for _, predicted in pairs)
    if not columns["instance"]:
        raise TableError(f"{seen.name} holds no file such as resultN.tst with the predictions of KEEL")
    _mark_unclassified(columns)
    if len(set(columns["repeat"])) == 1:
        del columns["repeat"]
    findings = [note("test-files", "The files .tst were read; the files .tra, of training sets, were not.")]
    if n_unclassified:
        cases = "instance was" if n_unclassified == 1 else "instances were"
        words = f"{n_unclassified:,} {cases} not classified, which counts as a wrong answer, as KEEL counts it."
        findings.append(note("unclassified", words))
    return predictions_found(seen, columns, findings=findings)


def _names(folders: list[str]) -> tuple[str, str]:
    """Return the method and the dataset: of a folder ``C45-C.iris``, or of a folder of each."""
    method, dot, dataset = folders[-1].rpartition(".")
    if dot and method and dataset:
        return method, dataset
    return (folders[-2] if len(folders) > 1 else "method"), folders[-1]


def _pairs(file: Seen, member: str) -> list[tuple[str, str]]:
    """Return the actual and the predicted label of each instance of a file."""
    outputs, is_data, pairs = "", False, []
    attributes: dict[str, str] = {}
    for number, line in file.lines():
        text = line.strip()
        word = text.split(maxsplit=1)[0].casefold() if text else ""
        if word == "@data":
            is_data = True
        elif word == "@attribute" and not is_data:
            attributes[re.split(r"[\s{]", text[10:].strip(), maxsplit=1)[0]] = text
        elif word.startswith("@output"):
            outputs = text[len(word) :].strip()
        elif text and not text.startswith("@") and is_data:
            fields = text.replace(",", " ").split()
            if len(fields) != 2:
                raise TableError(f"{member}, line {number}: {short(text)} is not an actual and a predicted label")
            pairs.append((fields[0], fields[1]))
    if not is_data:
        raise TableError(f"{member} has no line @data, so this is not a whole result file of KEEL")
    output = attributes.get(outputs) or (list(attributes.values())[-1] if attributes else "")
    if _REAL_OUTPUT.match(output):
        raise TableError(f"{member} holds numbers that were predicted (regression), which are not compared as labels")
    return pairs


def _mark_unclassified(columns: dict[str, list[Any]]) -> None:
    """Write unclassified instances as one label; if labels are numbers, as the label of KEEL."""
    are_numbers = {
        dataset: number_in(label, ".") is not None
        for dataset, label in zip(columns["dataset"], columns["y_true"], strict=True)
    }
    columns["y_pred"] = [
        ("-1" if are_numbers[dataset] else NOT_CLASSIFIED[0]) if label in NOT_CLASSIFIED else label
        for dataset, label in zip(columns["dataset"], columns["y_pred"], strict=True)
    ]


FORMATS = (
    Format(
        name="keel",
        title="KEEL, a directory of result files",
        description="Labels of each fold in METHOD.DATASET/resultN.tst; what was not classified counts as wrong.",
        example=EXAMPLE,
        recognises=(Sign("files", ("result*.tst",)),),
        read=_read,
    ),
)
