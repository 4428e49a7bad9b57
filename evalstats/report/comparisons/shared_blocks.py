"""Blocks and sentences that the reports of all designs share, such as the summary of the source."""

from __future__ import annotations

__all__ = [
    "NAMELESS",
    "ReadCount",
    "advised",
    "against_control_words",
    "count_read",
    "dataset_words",
    "decision",
    "read_words",
    "reading_section",
    "replaced_words",
    "subsets_and_pairs_outside",
    "untested_words",
    "without_untested",
]

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from evalstats._findings import Finding, LeftOut
from evalstats._result import Record
from evalstats.comparison import validity
from evalstats.comparison.record import Comparison
from evalstats.comparison.words import words_of
from evalstats.io.formats.recognition import format_named
from evalstats.report.blocks import Block, Section, Sentences, listing, paragraph, section
from evalstats.report.describe import count, of_count
from evalstats.wording import listed_pairs, untested_note, written_list

# maximum number of names in a sentence; the others are counted
MOST_LISTED = 4
# start of the reason for missing p-values of a test of many pairs
_OF_PAIRS = re.compile(r"^in [\d,]+ of [\d,]+ pairs, ")


def decision(comparison: Comparison) -> str:
    """State whether the omnibus test rejects."""
    at = f"At α = {comparison.alpha:g}"
    who = "two " * (comparison.n_classifiers == 2) + comparison.words.classifiers
    if comparison.significant:
        return f"{at}, the null hypothesis that the {who} perform equally is rejected."
    return f"{at}, the null hypothesis is not rejected: the test does not show a difference."


def advised(comparison: Comparison, told: Collection[str]) -> list[Sentences]:
    """Return the warnings of `which_test` except warnings whose code is in `told`."""
    found = () if comparison.advice is None else comparison.advice.warnings
    return [(finding.sentence,) for finding in found if finding.code not in told]


def subsets_and_pairs_outside(comparison: Comparison, groups: Iterable[str]) -> list[Block]:
    """List the homogeneous subsets, and the pairs without a significant difference that no subset contains."""
    blocks: list[Block] = []
    if comparison.homogeneous_subsets:
        told = untested_note(comparison.validity)
        blocks += [paragraph("Groups within which the test does not show a difference:"), listing(groups)]
        blocks += [paragraph(told)] * bool(told)
    if comparison.pairs_outside_subsets:
        blocks.append(
            paragraph(
                f"Pairs that are not shown to differ, although {comparison.words.classifiers} ranked between them are "
                "shown to differ:"
            )
        )
        blocks.append(listing(f"{a} and {b}" for a, b in comparison.pairs_outside_subsets))
    return blocks


def against_control_words(control: str, better: Sequence[str], worse: Sequence[str]) -> str:
    """State which classifiers are significantly better and which are significantly worse than the control."""
    clauses: list[str] = []
    for group, word in ((better, "better"), (worse, "worse")):
        if group:
            are = "is" if len(group) == 1 else "are"
            whom = "it" if clauses else f"the control, {control}"
            clauses.append(f"{written_list(group, at_most=MOST_LISTED)} {are} {word} than {whom}")
    return "; ".join(clauses)


def replaced_words(comparison: Any) -> str:
    """State which test replaces an invalid test, and why."""
    return " ".join(map(validity.replaced_words, comparison.validity.replacements))


def untested_words(comparison: Any, test: str) -> str:
    """Name the pairs without a p-value of the post-hoc test in a sentence, or return '' if there are none."""
    lacking = comparison.validity.untested
    if not lacking:
        return ""
    reason = comparison.validity.reason
    of_these = None if reason is None else _OF_PAIRS.sub("", reason)
    n = len(comparison.compared if hasattr(comparison, "compared") else comparison.pairs)
    which = "" if len(lacking) == n > 1 else f" ({listed_pairs(lacking)})"
    about = "it" if len(lacking) == 1 else "them"
    said = f"{of_count(len(lacking), n, 'pair')} {validity.untested_clause(f'{test}{which}', of_these)}"
    return f" {said}: nothing is concluded about {about}."


def without_untested(comparison: Any, name: str, others: Sequence[str]) -> list[str]:
    """Return the classifiers of `others` whose comparison with the classifier `name` has a p-value."""
    lacking = comparison.validity.untested_against(name)
    return [other for other in others if other not in lacking]


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
