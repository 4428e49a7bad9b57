"""Summary of the source of a record: the format, and the amounts of data that were read and that were left out."""

from __future__ import annotations

__all__ = ["NAMELESS", "ReadCount", "count_read", "dataset_words", "read_words", "reading_section"]

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from evalstats._findings import Finding, LeftOut
from evalstats._result import Record
from evalstats.comparison.record import Comparison
from evalstats.comparison.words import words_of
from evalstats.io.formats.recognition import format_named
from evalstats.report.blocks import Section, listing, section
from evalstats.report.numbers import count
from evalstats.wording import written_list

# name of a dataset without a name
NAMELESS = ("", "dataset", "dataset 1")

# maximum number of named rows or columns
_LISTED = 8


class ReadCount(NamedTuple):
    """Amounts of data that were read from a source and that were left out."""

    unit: str  # 'instance', 'question', 'dataset', 'benchmark', or 'fold' or 'run' of one dataset
    n_read: int  # with those that were left out
    n_kept: int
    n_left_out: int
    n_classifiers: int
    n_datasets: int
    n_rows_left_out: int  # that are of no unit: summaries, headings, training data
    n_columns_left_out: int


def count_read(record: Record) -> ReadCount | None:
    """Count the data that were read for a record, or return None if the record has no table or predictions."""
    held = _held(record)
    if held is None:
        return None
    table, predictions, items = held
    source: Any = predictions if table is None else table
    findings, left_out = source.findings, getattr(table, "left_out", ())
    n_left_out = _sum(findings, "n_left_out")
    if predictions is not None:
        unit, n_kept = "instance", predictions.n_instances
    elif items is not None:
        unit, n_kept = "question", len(items.questions)
    elif len(source.datasets) == 1 and source.folds and source.folds[0].scores[..., 0].size > 1:
        folds = source.folds[0]
        unit, n_kept = "run" if len(folds.folds) == 1 else "fold", folds.scores[..., 0].size
    else:
        unit, n_kept, n_left_out = words_of(source).dataset, len(source.datasets), len(source.dropped)
    return ReadCount(
        unit=unit,
        n_read=n_kept + n_left_out,
        n_kept=n_kept,
        n_left_out=n_left_out,
        n_classifiers=len(source.classifiers),
        n_datasets=len(source.datasets),
        n_rows_left_out=_sum(findings, "n_rows_left_out") + sum(one.what == "row" for one in left_out),
        n_columns_left_out=sum(one.what == "column" for one in left_out),
    )


def _held(record: Any) -> tuple[Any, Any, Any] | None:
    """Return the table, the predictions and the answers to questions of a record."""
    while type(record).__name__ == "ComparisonByMetric":
        record = record.comparisons[0]
    table = record if type(record).__name__ == "ScoreTable" else getattr(record, "table", None)
    if table is not None and type(table).__name__ == "ScoreTable":
        return table, getattr(table._scored, "_predictions", None), table._items
    scores = getattr(record, "scores", None) if type(record).__name__ == "PredictionAnalysis" else record
    predictions = getattr(scores, "_predictions", None)
    return None if predictions is None else (None, predictions, None)


def _sum(findings: Sequence[Finding], name: str) -> int:
    return int(sum(one.numbers.get(name, 0) for one in findings))


def read_words(read: ReadCount) -> str:
    """State in one sentence how much data was read and how much was left out."""
    noun = "model" if read.unit in ("question", "benchmark") else "classifier"
    words = f"{count(read.n_read, read.unit)} of {count(read.n_classifiers, noun)}"
    if read.unit in ("fold", "run"):
        words += " on one dataset"
    elif read.unit not in ("dataset", "benchmark") and read.n_datasets > 1:
        words += f" on {count(read.n_datasets, 'benchmark' if noun == 'model' else 'dataset')}"
    left = [(read.n_left_out, read.unit), (read.n_rows_left_out, "row"), (read.n_columns_left_out, "column")]
    parts = [count(n, what) for n, what in left if n]
    return f"Read {words}; {written_list(parts) if parts else 'none'} left out."


def reading_section(record: Record, *, with_findings: bool = True) -> Iterator[Section]:
    """Yield the section that describes the source: the amount of data, the interpretation and the findings."""
    read, held = count_read(record), _held(record)
    if read is None or held is None:
        return
    table, predictions, _ = held
    source = predictions if table is None else table
    findings = source.findings if with_findings else ()
    items = [read_words(read), *_what_was_read(source.format, findings, getattr(table, "left_out", ()))]
    yield section("reading", "Input", listing(items))


def _what_was_read(format_name: str, findings: Iterable[Finding], left_out: Iterable[LeftOut] = ()) -> Iterator[str]:
    """Yield the format of a source, the findings about it, and the data that the comparison leaves out."""
    if format_name:
        known = format_named(format_name)  # none if the package of the format is no longer installed
        yield f"Read as {format_name}." if known is None else f"Read as {known.title} ({format_name})."
    yield from (finding.sentence for finding in findings)
    left: dict[tuple[str, str], list[str]] = {}
    for one in left_out:
        left.setdefault((one.what, one.reason), []).append(one.name)
    for (what, reason), names in left.items():
        several = len(names) > 1
        rows = f"{what}{'s' if several else ''} {written_list(names, at_most=_LISTED)}"
        yield f"Left out: the {rows}{'; each' if several else ', which'} {reason}."


def dataset_words(comparison: Comparison) -> str:
    """Return the name of the dataset, or 'this dataset' if it has no name."""
    return "this dataset" if comparison.dataset in NAMELESS else comparison.dataset
