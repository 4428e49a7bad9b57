"""Sample tables of each layout for the web interface, and examples of accepted tables."""

from __future__ import annotations

__all__ = ["Sample", "known_samples", "sample_content", "sample_like"]

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalstats import _checks
from evalstats.examples.bundled import example_path, example_source, example_table

WIDE = "dataset,NB,SVM,tree\niris,0.93,0.95,0.90\nglass,0.70,0.71,0.60\nwine,0.90,0.97,0.80\n"
LONG = "dataset,classifier,accuracy\niris,NB,0.93\niris,SVM,0.95\nglass,NB,0.70\nglass,SVM,0.71\n"
PREDICTIONS = "dataset,classifier,fold,case,y_true,y_pred\niris,NB,1,1,yes,yes\niris,SVM,1,1,yes,no\n"
QUESTIONS = (
    "model,benchmark,question_id,correct\nlarge,algebra,1,1\nsmall,algebra,1,0\nlarge,algebra,2,1\nsmall,algebra,2,0\n"
)


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Sample table for the web interface.

    Attributes
    ----------
    name : str
        Key of the sample. The texts of the page describe it.
    question : str
        ``'compare'`` or ``'audit'``.
    options : dict
        Values of the form fields for the sample.
    """

    name: str
    question: str = "compare"
    options: dict[str, Any] = field(default_factory=dict)


def known_samples() -> tuple[Sample, ...]:
    """Return all sample tables."""
    return tuple(SAMPLES)


def sample_content(name: str) -> str:
    """Return the text of a sample table, or the example of a file format."""
    if name in SAMPLES_BY_NAME:
        return SAMPLES_BY_NAME[name]()
    from evalstats.io.formats.recognition import formats_of

    if name.startswith("format:"):
        return formats_of(name.removeprefix("format:"))[0].example
    return str(_checks.choice(name, "name", tuple(SAMPLES_BY_NAME)))


def sample_like(content: Any) -> str:
    """Return an example of an accepted table with a layout that resembles the content."""
    start = content[:4096].decode("utf-8", "replace") if isinstance(content, bytes) else ""
    header = next((line for line in start.splitlines() if line.strip()), "").casefold()
    for words, sample in ((("y_true", "y_pred", "truth", "predict"), PREDICTIONS), (("question", "item"), QUESTIONS)):
        if any(word in header for word in words):
            return sample
    return LONG if any(word in header for word in ("classifier", "model", "algorithm", "method")) else WIDE


# --- made from the bundled examples ---

ONE_DATASET = "sklearn-predictions"


def _bundled(name: str) -> Callable[[], str]:
    return lambda: example_path(name).read_text(encoding="utf-8")


def _long() -> str:
    """Return Demšar's table in long layout: a row for each pair of dataset and classifier."""
    table = example_table("demsar-2006")
    cells = (
        (dataset, classifier, f"{table.scores[i, j]:.3f}")
        for i, dataset in enumerate(table.datasets)
        for j, classifier in enumerate(table.classifiers)
    )
    return _written(("dataset", "classifier", example_source("demsar-2006").metric), cells)


def _folds() -> str:
    """Return the fold scores of one dataset, computed from the bundled predictions."""
    right: dict[tuple[str, str], list[bool]] = {}
    for row in _predictions(_first_dataset()):
        right.setdefault((row["classifier"], row["fold"]), []).append(row["y_true"] == row["y_pred"])
    cells = ((model, fold, f"{sum(each) / len(each):.4f}") for (model, fold), each in right.items())
    return _written(("model", "fold", "accuracy"), cells)


def _one_test_set() -> str:
    rows = list(_predictions(_first_dataset()))
    names = ("classifier", "row", "y_true", "y_pred", "y_score")
    return _written(names, ([row[name] for name in names] for row in rows))


def _questions() -> str:
    """Return the correctness of each prediction as an example table of models and questions."""
    cells = (
        (row["classifier"], row["dataset"], row["row"], int(row["y_true"] == row["y_pred"])) for row in _predictions()
    )
    return _written(("model", "benchmark", "question_id", "correct"), cells)


def _ranks() -> str:
    """Return the mean ranks of Demšar (2006), Table 6, as printed."""
    return "classifier,average rank\nC4.5,3.143\nC4.5+m,2.000\nC4.5+cf,2.893\nC4.5+m+cf,1.964\n"


def _predictions(dataset: str | None = None) -> Iterable[dict[str, str]]:
    with example_path(ONE_DATASET).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if dataset in (None, row["dataset"]):
                yield row


def _first_dataset() -> str:
    return next(iter(_predictions()))["dataset"]


def _written(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


_AUC = {"metric": "AUC"}
_DEMSAR_CLAIMS = {"datasets": 14, "cd": "1.25", "test": "nemenyi"}
SAMPLES = [
    Sample(name="wide", options=_AUC),
    Sample(name="two", options={"metric": "AUROC"}),
    Sample(name="long"),
    Sample(name="folds"),
    Sample(name="predictions"),
    Sample(name="test-set"),
    Sample(name="questions"),
    Sample(name="ranks", question="audit", options=_DEMSAR_CLAIMS),
]
SAMPLES_BY_NAME: dict[str, Callable[[], str]] = {
    "wide": _bundled("demsar-2006"),
    "two": _bundled("raeder-2010-seed-216"),
    "long": _long,
    "folds": _folds,
    "predictions": _bundled("sklearn-predictions"),
    "test-set": _one_test_set,
    "questions": _questions,
    "ranks": _ranks,
}
