"""Results of WEKA: an experiment as CSV or ARFF, and predictions of the Explorer."""

from __future__ import annotations

__all__ = ["FORMATS"]

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evalstats._errors import listed
from evalstats._findings import Finding, note
from evalstats.io.formats.format import (
    Format,
    Found,
    Sign,
    chosen_metric,
    file_stem,
    predictions_found,
    rows_of,
    scores_found,
)
from evalstats.io.options import Asked
from evalstats.io.sources.arff import arff_of, fields_of, unquoted
from evalstats.io.sources.source import Seen
from evalstats.tables.errors import TableError, short
from evalstats.tables.names import text_of, texts_of

_AVERAGED = r"(?:(?:Weighted_avg|Unweighted_macro_avg|Unweighted_micro_avg)_)?"
_GAINS = re.compile(
    rf"{_AVERAGED}(?:Percent_correct|Number_correct|Kappa_statistic|True_(?:positive|negative)_rate"
    r"|Num_true_(?:positives|negatives)|IR_precision|IR_recall|F_measure|[Mm]atthews_correlation"
    r"|[Aa]rea_under_(?:ROC|PRC)|KB_(?:mean_|relative_)?information|SF_(?:mean_)?entropy_gain|Correlation_coefficient"
    r"|Coverage_of_Test_Cases_By_Regions)",
    re.IGNORECASE,
)
_LOSSES = re.compile(
    rf"{_AVERAGED}(?:(?:Percent|Number)_(?:incorrect|unclassified)|\w+_error|False_(?:positive|negative)_rate"
    r"|Num_false_(?:positives|negatives)|SF_(?:mean_)?scheme_entropy|(?:Elapsed|UserCPU)_Time_\w+"
    r"|Serialized_\w+_Size|Size_of_Predicted_Regions)",
    re.IGNORECASE,
)
DEFAULTS = ("Percent_correct", "Correlation_coefficient")
SIZES = {"n_train": "Number_of_training_instances", "n_test": "Number_of_testing_instances"}
# prefix of results that are means over the folds of a run
AVERAGE = "Avg_"


def _direction_of(name: str) -> bool | None:
    """Return whether greater values of a WEKA measure are better, or None if the measure is unknown."""
    return True if _GAINS.fullmatch(name) else False if _LOSSES.fullmatch(name) else None


def experiment_found(seen: Seen, asked: Asked, columns: Mapping[str, Sequence[Any]], numbers: Sequence[int]) -> Found:
    """Return the scores of a WEKA experiment from its columns."""
    if lacking := {"Key_Dataset", "Key_Scheme"} - set(columns):
        raise TableError(f"{seen.name} lacks the column {min(lacking)} of a WEKA experiment")
    prefix = AVERAGE if any(name.startswith(AVERAGE) for name in columns) else ""
    others = ("Key_", "Dev_", "Num_Fold", "Date_time", "Summary", *SIZES.values())
    named = [name.removeprefix(prefix) for name in columns if name.startswith(prefix) and not name.startswith("Dev_")]
    measures = [name for name in named if not name.startswith(others)]
    metric = chosen_metric(seen, asked, measures, next((name for name in DEFAULTS if name in measures), None))
    classifiers, findings = _classifiers(columns)
    rows = {"dataset": columns["Key_Dataset"], "classifier": classifiers, "score": columns[prefix + metric]}
    keys = {"repeat": "Key_Run", "fold": "Key_Fold"}
    rows |= {name: columns[key] for name, key in keys.items() if key in columns}
    if not prefix and "repeat" in rows and all(size in columns for size in SIZES.values()):
        rows |= {name: columns[size] for name, size in SIZES.items()}
    known = [name for name in measures if _direction_of(name) is not None and name != metric]
    if asked.metric is None and known:
        words = f"{metric} is compared, one of {len(measures)} measures; metric= chooses a different measure, such as {known[0]}."
        findings.append(note("metric-chosen", words))
    if prefix:
        findings.append(note("averages", "Each score is the mean over the folds of a run, computed by WEKA."))
    return scores_found(
        seen,
        rows,
        metric=metric,
        greater_is_better=_direction_of(metric),
        unit="%" if metric.startswith("Percent_") else "",
        numbers=numbers,
        findings=findings,
    )


def _classifiers(columns: Mapping[str, Sequence[Any]]) -> tuple[list[str], list[Finding]]:
    """Return the classifier of each row: the scheme, with its options if the scheme has several."""
    schemes = texts_of(columns["Key_Scheme"])
    options = list(map(text_of, columns.get("Key_Scheme_options", [""] * len(schemes))))
    distinct = dict.fromkeys(zip(schemes, options, strict=True))
    short_of = _without_package(dict.fromkeys(schemes))
    n_options = Counter(scheme for scheme, _ in distinct)
    name_of = {
        (scheme, option): f"{short_of[scheme]} {option}".strip() if n_options[scheme] > 1 else short_of[scheme]
        for scheme, option in distinct
    }
    findings = []
    if several := [short_of[scheme] for scheme, n in n_options.items() if n > 1]:
        words = f"{listed(several)} was run with several options: each option is treated as a separate classifier."
        findings.append(note("options-differ", words))
    return [name_of[key] for key in zip(schemes, options, strict=True)], findings


def _without_package(schemes: Iterable[str]) -> dict[str, str]:
    """Map class names to their last part. Keep the whole name if two last parts are equal."""
    last = {scheme: scheme.rpartition(".")[2] for scheme in schemes}
    n_called = Counter(last.values())
    return {scheme: own if own and n_called[own] == 1 else scheme for scheme, own in last.items()}


EXAMPLE_OF_CSV = r"""
Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Number_of_training_instances,Number_of_testing_instances,Percent_correct
'toy one',1,1,weka.classifiers.trees.J48,'-C 0.25 -M 2',40.0,20.0,75.0
'toy one',1,1,weka.classifiers.functions.SMO,'-K \"supportVector.PolyKernel -E 1.0\"',40.0,20.0,82.5
""".lstrip()


def _read_csv(seen: Seen, asked: Asked) -> Found:
    if seen.kind == "frame":
        grid = seen.grid
        cells = [[unquoted(cell) if isinstance(cell, str) else cell for cell in column] for column in grid.columns]
        return experiment_found(seen, asked, dict(zip(grid.header, cells, strict=True)), grid.numbers)
    lines = ((number, line) for number, line in seen.lines() if line.strip())
    header = next((line for _, line in lines), "").split(",")
    header = texts_of(header)
    rows: list[list[str]] = []
    numbers: list[int] = []
    for number, line in lines:
        fields = fields_of(line)
        if fields is None:
            raise TableError(f"{seen.name}, line {number}: a quotation mark is opened and never closed")
        if fields == header:  # header of a second experiment that was appended
            continue
        if len(fields) != len(header):
            raise TableError(f"{seen.name}, line {number} has {len(fields)} fields, but the header has {len(header)}")
        rows.append([unquoted(field) for field in fields])
        numbers.append(number)
    columns = {name: [row[j] for row in rows] for j, name in enumerate(header)}
    return experiment_found(seen, asked, columns, numbers)


CSV = Format(
    name="weka-csv",
    title="WEKA Experimenter, CSV",
    description="Scores of runs and folds. A scheme with its options is a classifier. The default metric is Percent_correct.",
    example=EXAMPLE_OF_CSV,
    recognises=(Sign("columns", ("Key_Dataset", "Key_Scheme")),),
    read=_read_csv,
)


EXAMPLE_OF_ARFF = """
@relation InstanceResultListener
@attribute Key_Dataset {'toy one'}
@attribute Key_Run {1}
@attribute Key_Fold {1,2}
@attribute Key_Scheme {weka.classifiers.trees.J48,weka.classifiers.functions.SMO}
@attribute Percent_correct numeric
@data
'toy one',1,1,weka.classifiers.trees.J48,75
'toy one',1,1,weka.classifiers.functions.SMO,82.5
""".lstrip()


def _read_arff(seen: Seen, asked: Asked) -> Found:
    arff = arff_of(seen.name, seen.lines())
    return experiment_found(seen, asked, dict(zip(arff.names, arff.columns, strict=True)), arff.numbers)


ARFF = Format(
    name="weka-arff",
    title="WEKA Experimenter, ARFF",
    description="The same content as weka-csv, in the file that the Experimenter writes for its Analyse panel.",
    example=EXAMPLE_OF_ARFF,
    recognises=(Sign("arff", ("Key_Scheme",)),),
    read=_read_arff,
)


EXAMPLE_OF_PREDICTIONS = """
inst#,actual,predicted,error,prediction
1,1:yes,1:yes,,0.93
2,2:no,1:yes,+,0.61
""".lstrip()
HEADER = ("inst#", "actual", "predicted", "error")


def _is_predictions(seen: Seen) -> bool:
    if seen.kind in ("files", "directory"):
        return bool(_files(seen)) and all(_is_predictions(seen.member(name)) for name in _files(seen))
    return tuple(name.strip() for name in seen.header[:4]) == HEADER


def _files(seen: Seen) -> list[str]:
    """Return the files of classifiers; for a directory, the tables directly in it."""
    return [name for name in seen.members if seen.kind == "files" or ("/" not in name and name.endswith(".csv"))]


def _read_predictions(seen: Seen, asked: Asked) -> Found:
    files = [seen.member(name) for name in _files(seen)] or [seen]
    columns: dict[str, list[Any]] = {name: [] for name in ("dataset", "classifier", "instance", "y_true", "y_pred")}
    numbers: list[int] = []
    for one in files:
        rows = rows_of(one, HEADER, "predictions of WEKA")
        labels = {name: [_label(rows, cell, i) for i, cell in enumerate(rows.texts(name))] for name in HEADER[1:3]}
        n = len(rows.numbers)
        columns["dataset"] += ["dataset"] * n
        columns["classifier"] += [file_stem(one, "classifier")] * n
        # the count begins again in each fold, so the position in the file identifies the instance
        columns["instance"] += range(1, n + 1)
        columns["y_true"] += labels["actual"]
        columns["y_pred"] += labels["predicted"]
        numbers += rows.numbers
    findings = [
        note("classifier-of-file", "The file does not contain the name of the classifier; the file name is used.")
    ]
    return predictions_found(seen, columns, numbers=numbers if len(files) == 1 else None, findings=findings)


def _label(rows: Any, cell: str, i: int) -> str:
    number, colon, label = cell.partition(":")
    if not colon or not number.strip().isdecimal() or not label.strip():
        place = f"{rows.name}, {rows.word} {rows.numbers[i]}"
        raise TableError(f"{place}: {short(cell)} is not a label as WEKA writes it, such as 2:no")
    if label.strip() == "?":
        raise TableError(f"{rows.name}, {rows.word} {rows.numbers[i]}: {short(cell)} marks a missing label")
    # WEKA quotes a name with a blank as a true label, but not as a predicted label
    return unquoted(label.strip())


PREDICTIONS = Format(
    name="weka-predictions",
    title="WEKA Explorer, predictions as CSV",
    description="Labels of one classifier in each file, for the same instances in the same order.",
    example=EXAMPLE_OF_PREDICTIONS,
    recognises=(
        Sign("columns", HEADER),
        Sign("files", ("*.csv",)),
    ),
    confirms=_is_predictions,
    read=_read_predictions,
)

FORMATS = (CSV, ARFF, PREDICTIONS)
