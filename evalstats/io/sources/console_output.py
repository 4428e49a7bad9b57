"""Is a text or a document what a program shows of its results, instead of the results? It is called by its name."""

from __future__ import annotations

__all__ = ["refuse_program_document", "refuse_program_text"]

import re
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any

from evalstats.metrics.directions import direction_of
from evalstats.tables.errors import TableError

_SCORES = "give the scores of each classifier on each dataset, or its predictions"
_AS_CSV = "write the table as CSV or in Markdown"
_REPORT = "a report of scikit-learn on the classes of one classifier"
# what stands in the first lines, whose it is, and what to give instead
_TEXTS = (
    (
        re.compile(r"^Tester:\s+weka\.experiment\.", re.MULTILINE),
        "what the Analyse panel of WEKA shows, with rounded scores",
        "give the results of the experiment, the file .arff or .csv that the Setup panel writes",
    ),
    (
        re.compile(r"^=== (?:Run information|Stratified cross-validation|Summary|Classifier model)\b", re.MULTILINE),
        "what the Explorer of WEKA shows of one classifier on one dataset",
        "give the predictions of each classifier ('More options', 'Output predictions', CSV), or use the Experimenter",
    ),
    (
        re.compile(r"^\s+precision\s+recall\s+f1-score\s+support\s*$", re.MULTILINE),
        _REPORT,
        _SCORES,
    ),
    (
        re.compile(r"^Models: .*\s+Number of resamples: \d+", re.MULTILINE),
        "what caret's summary(resamples()) prints",
        "give write.csv(resamples(...)$values)",
    ),
    (
        re.compile(r"^\|\s*Tasks\s*\|\s*Version\s*\|.*\|\s*Stderr\s*\|", re.MULTILINE),
        "the table that lm-evaluation-harness prints of one model",
        "give the files that it writes with --output_path, of all models",
    ),
    (
        re.compile(r"^[^,\n]*,[^,\n]*,(?:TEST|TRAIN),\d+,(?:MILLI|NANO)?SECONDS,", re.MULTILINE),
        "a result file of tsml, of one estimator on one dataset",
        "give the directory of results, with ESTIMATOR/Predictions/DATASET/testResampleN.csv",
    ),
    (re.compile(r"\A\s*\{\|"), "a table of MediaWiki", _AS_CSV),
    (re.compile(r"^\|===\s*$", re.MULTILINE), "a table of AsciiDoc", _AS_CSV),
    (re.compile(r"\A\s*\|\|[^\n]+\|\|[ \t\r]*$", re.MULTILINE), "a table of Jira", _AS_CSV),
    (
        re.compile(r"\A(?:[^\n]*\n){0,2}[ \t]*(?:={2,}(?:[ \t]+={2,})+|-{2,}(?:[ \t]+-{2,})+)[ \t\r]*$", re.MULTILINE),
        "a table whose columns are as wide as the lines above them",
        _AS_CSV,
    ),
    (re.compile(r"\Astructure\(list\("), "what dput() of R writes", "write the table with write.csv()"),
    (re.compile(r"\A[\w\"'. -]+:[ \t]*\r?\n[ \t]+[\w\"'. -]+:"), "YAML", "write it as JSON, or as CSV"),
    (re.compile(r"\A\[[\w\"'. -]+\]\s*\n[\w\"'. -]+ *= *"), "TOML", "write it as JSON, or as CSV"),
    (re.compile(r"\A\s*[\[{]\s*(?:\{\s*)?'"), "what Python prints of a dict", "write it with json.dump(), or as CSV"),
)


def _is_report(value: Any) -> bool:
    return isinstance(value, Mapping) and {"macro avg", "weighted avg"} <= value.keys()


def _is_course(value: Any) -> bool:
    """Tell whether metrics hold a list of scores each, as the rounds of a training have."""
    return (
        isinstance(value, Mapping)
        and bool(value)
        and all(isinstance(own, list | tuple) and direction_of(str(name)) is not None for name, own in value.items())
    )


def _is_square(value: Any) -> bool:
    """Tell whether something is a matrix of whole numbers with as many rows as columns."""
    if getattr(value, "ndim", 2) != 2:  # a long column need not become a list
        return False
    rows = value.tolist() if hasattr(value, "tolist") else value
    return (
        isinstance(rows, list)
        and len(rows) > 1
        and all(isinstance(row, list) and len(row) == len(rows) for row in rows)
        and all(isinstance(cell, int) and not isinstance(cell, bool) for row in rows for cell in row)
    )


def _are_values(document: Mapping[Any, Any]) -> bool:
    return len(document) > 1 and all(isinstance(value, Real | str) for value in document.values())


def _all(is_one: Callable[[Any], bool]) -> Callable[[Mapping[Any, Any]], bool]:
    return lambda document: all(map(is_one, document.values()))


_DOCUMENTS: tuple[tuple[Callable[[Mapping[Any, Any]], bool], str, str], ...] = (
    (_is_report, _REPORT, _SCORES),
    (_all(_is_report), "reports of scikit-learn on the classes of one dataset", _SCORES),
    (_all(_is_course), "the course of a training, as LightGBM and XGBoost record it, on one dataset", _SCORES),
    (_all(_is_square), "confusion matrices of one dataset, which do not tell whose errors are the same", _SCORES),
    (_are_values, "one value for each name, of one dataset at most", _SCORES),
)


def refuse_program_document(document: Mapping[Any, Any], name: str) -> None:
    """Refuse a dict that a program makes of its results, and say what to give instead."""
    if not document:
        return
    for is_such, what, instead in _DOCUMENTS:
        if is_such(document):
            raise TableError(f"{name} holds {what}; {instead}")


def refuse_program_text(head: Sequence[tuple[int, str]], name: str) -> None:
    """Refuse the first lines of a text that a program shows, and say what to give instead."""
    text = "".join(line if line.endswith("\n") else f"{line}\n" for _, line in head)
    for sign, what, instead in _TEXTS:
        if sign.search(text):
            raise TableError(f"{name} is {what}; {instead}")
