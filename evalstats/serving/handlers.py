"""Results of the web interface: a report on the input, or the reason for a missing report.

This module does not depend on a server. `verdict` receives the values of the fields, so any server can call it.
"""

from __future__ import annotations

__all__ = ["Content", "File", "Page", "Refusal", "answered", "download", "or_refused", "sources", "verdict"]

import io
import os
import tempfile
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar

import click

from evalstats._errors import bounded
from evalstats.cli.errors import message_of
from evalstats.cli.options import SUFFIXES, as_typed, default_picture, drawn_picture, kind_for_pictures
from evalstats.cli.output import FORMATS, PARTED, part_of_report, written
from evalstats.serving.form_arguments import OF_DOWNLOADS, Fields, command_line, parameters, words_of

if TYPE_CHECKING:
    from evalstats._result import Record

# the pasted bytes, the path of a file, or the paths of several files; None if a form needs no table
Content = bytes | str | Sequence[str] | None
MOST_KEPT = 6

Answer = TypeVar("Answer")


@dataclass(frozen=True, kw_only=True)
class Page:
    """A report as HTML elements, with the command line for the same report.

    Attributes
    ----------
    body : str
        HTML of the report. Every name in it is escaped.
    command : str
        Command line that prints the same report.
    warnings : tuple of str
        Warnings of the command.
    pictures : tuple of str
        Names of the plots that are available for the report.
    formats : tuple of str
        Names of the available file formats of the report.
    """

    body: str
    command: str
    warnings: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class File:
    """File to download. Its bytes are equal to the output of the command."""

    name: str
    content: bytes


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Reason for a missing result, in one sentence.

    Attributes
    ----------
    sentence : str
        The fault, its place, and the option that corrects it.
        field, value : str
        The field that corrects the fault, and its necessary value. Both are ``''`` if no field corrects the fault.
        sample : str
        Example of an accepted table.
    """

    sentence: str
    field: str = ""
    value: str = ""
    sample: str = ""


@dataclass
class _Kept:
    """Cache of the last results, which lets a download reuse a computed result."""

    records: OrderedDict[str, tuple[Any, tuple[str, ...]]] = field(default_factory=OrderedDict)

    def of(self, key: str, make: Callable[[], Any]) -> tuple[Any, tuple[str, ...]]:
        if key not in self.records:
            with _warnings() as told:
                record = make()
            self.records[key] = record, tuple(told)
        self.records.move_to_end(key)
        while len(self.records) > MOST_KEPT:
            self.records.popitem(last=False)
        return self.records[key]


_KEPT = _Kept()


def verdict(content: Content, options: Fields) -> Page | Refusal:
    r"""Compare the classifiers of a table.

    Parameters
    ----------
    content : bytes, str, sequence of str
        The pasted text as bytes, the path of a file, or the paths of several files.
    options : mapping of str to object
        The options of ``evalstats compare`` by their names with underscores, such as ``{"metric": "AUC",
        "higher_is_better": True}``. Repeatable options are lists. Options that are paths on the computer are not
        available.

    Returns
    -------
    Page or Refusal
        The result of the command, or the reason for a missing result. If the name of the metric does not show whether
        greater values are better, ``higher_is_better`` or ``lower_is_better`` is required. In this case, the command
        line assumes that higher is better, and states the assumption.

    Examples
    --------
    >>> from evalstats.serving.handlers import verdict
    >>> table = b"dataset,NB,SVM,tree\niris,.93,.95,.9\nglass,.7,.71,.6\nwine,.9,.97,.8\n"
    >>> verdict(table, {"metric": "goodness"}).sentence.partition("; ")[2]
    'pass --higher-is-better or --lower-is-better'
    >>> page = verdict(table, {"metric": "accuracy", "alpha": 0.1})
    >>> page.command
    'evalstats compare - --metric accuracy --alpha 0.1'
    """
    return answered("compare", content, options)


def answered(question: str, content: Content, options: Fields) -> Page | Refusal:
    """Return the result of a request: ``'compare'``, ``'plan'``, ``'which-test'`` or ``'audit'``."""

    def answer() -> Page:
        record, told, command = _record(question, content, options)
        _refuse_unknown_direction(record)
        return _page(record, command, told)

    return or_refused(content, answer)


def download(question: str, content: Content, options: Fields, kind: str) -> File | Refusal:
    """Return the result as a file of a kind: a format of the command, 'svg', 'pdf', 'png' or 'bib'."""

    def answer() -> File:
        record, _, _ = _record(question, content, options)
        chosen = _of_download(question, options)
        return File(name=_file_name(question, kind), content=_content(record, kind, chosen))

    return or_refused(content, answer)


def _record(question: str, content: Content, options: Fields) -> tuple[Any, tuple[str, ...], str]:
    """Return the result of a request, its warnings, and the command line."""
    if question not in QUESTIONS:
        raise click.UsageError(f"the web interface has no request {question!r:.80}")
    command, arguments, make = QUESTIONS[question]()
    fields = {name: value for name, value in options.items() if name not in OF_DOWNLOADS}
    given = arguments(content, fields)
    words = words_of(command, fields)
    params = parameters(command, words, given)
    key = f"{question} {words!r} {given!r} {_digest(content)}"
    record, told = _KEPT.of(key, lambda: make(content, params))
    return record, told, command_line(command, words, given)


def _refuse_unknown_direction(record: Any) -> None:
    """Raise an error if the direction of the scores is unknown. The command line only adds a note."""
    from evalstats.io.columns.surroundings import UNKNOWN, unknown_direction

    for one in getattr(record, "comparisons", (record,)):
        table = getattr(one, "table", None)
        if table is not None and any(finding.code == UNKNOWN for finding in table.findings):
            raise unknown_direction("the table", table.metric)


# --- the requests: the command, its arguments, and its computation ---


def _compare() -> tuple[Any, Any, Any]:
    from evalstats.cli.compare_command import compare, compared

    return compare, _names, lambda content, params: compared(sources(content), params)


def _which_test() -> tuple[Any, Any, Any]:
    from evalstats.cli.which_test_command import advised, which_test

    return which_test, _names, lambda content, params: advised(sources(content), params)


def _plan() -> tuple[Any, Any, Any]:
    from evalstats.adjustment.pair_indexing import USUAL_TEST
    from evalstats.cli.plan_command import plan, planned

    def test(_: Content, fields: dict[str, Any]) -> list[str]:
        return [str(fields.pop("test", None) or USUAL_TEST)]

    return plan, test, lambda _, params: planned(params.pop("test"), params)


def _audit() -> tuple[Any, Any, Any]:
    from evalstats.cli.audit_command import audit, audited

    def audited_content(content: Content, params: dict[str, Any]) -> Record:
        if isinstance(content, str):
            return audited(content, params)
        if not isinstance(content, bytes):
            raise click.UsageError("the audit requires the pasted text or one file of the published table")
        with tempfile.TemporaryDirectory(prefix="evalstats-") as folder:  # the file is read twice by its path
            path = os.path.join(folder, "table")
            with open(path, "wb") as file:
                file.write(content)
            return audited(path, params)

    return audit, _names, audited_content


QUESTIONS: dict[str, Callable[[], tuple[Any, Any, Any]]] = {
    "compare": _compare,
    "which-test": _which_test,
    "plan": _plan,
    "audit": _audit,
}


def _names(content: Content, _: Fields) -> list[str]:
    """Return the file names for the command line. The name of pasted text is ``-``."""
    return ["-"] if isinstance(content, bytes) else [as_typed(os.path.basename(path)) for path in _paths(content)]


def _paths(content: Content) -> Sequence[str]:
    if content is None or isinstance(content, bytes):
        return ()
    return (content,) if isinstance(content, str) else content


def sources(content: Content) -> Any:
    """Return the content as a source that the readers accept."""
    if isinstance(content, bytes):
        return io.BytesIO(content)
    return content if content is None or isinstance(content, str) else list(content)


def _digest(content: Content) -> str:
    digest = blake2b(digest_size=16)
    if isinstance(content, bytes):
        digest.update(content)
    for path in _paths(content):
        digest.update(f"{os.path.basename(path)} {os.path.getsize(path)} ".encode())
        with open(path, "rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    return digest.hexdigest()


# --- pages and files ---


def _page(record: Any, command: str, told: tuple[str, ...]) -> Page:
    from evalstats.report.formats.html import elements

    return Page(
        body=elements(record),
        command=command,
        warnings=told,
        pictures=pictures_of(record),
        formats=tuple(name for name in FORMATS if name != "r" or type(record).__name__ in OF_SCORES),
    )


def pictures_of(record: Any) -> tuple[str, ...]:
    """Return the names of the available plots of a record. The default plot is first."""
    names = PICTURES_OF.get(kind_for_pictures(record), ())
    return tuple(name for name in names if name != "fold-distributions" or record.table.folds)


# records that contain scores, for which there is an R script
OF_SCORES = ("Comparison", "ComparisonByMetric")
PICTURES_OF = {
    "BattleComparison": ("battle-strengths",),
    "ComparisonByMetric": ("ranks-by-metric",),
    "LearningCurveComparison": ("learning-curves",),
    "datasets": (
        *(
            "critical-difference-diagram",
            "ranked-list",
            "multiple-comparisons-with-best",
            "pvalue-heatmap",
            "win-matrix",
            "multi-comparison-matrix",
        ),
        *("rank-distribution", "rank-frequencies", "podium-frequencies", "effect-sizes", "scores-by-dataset"),
        "performance-profile",
    ),
    "folds": ("difference-intervals", "fold-distributions", "multi-comparison-matrix"),
    "runs": ("difference-intervals", "fold-distributions", "multi-comparison-matrix"),
    "instances": ("difference-intervals", "fold-distributions", "multi-comparison-matrix"),
    "questions": ("score-intervals", "multi-comparison-matrix", "rank-frequencies", "podium-frequencies"),
}


def _is_comparison(record: Any) -> bool:
    return default_picture(record) is not None


def _of_download(question: str, options: Fields) -> dict[str, Any]:
    """Return the options of the command for a downloaded plot or part."""
    if question != "compare":
        return {"part": None, "latex_width": None}
    from evalstats.cli.compare_command import compare

    chosen = {name: value for name, value in options.items() if name in OF_DOWNLOADS}
    return parameters(compare, words_of(compare, chosen), ["-"])


def _content(record: Any, kind: str, chosen: Mapping[str, Any]) -> bytes:
    if kind == "bib":
        from evalstats import report

        return report.bibliography().encode()
    if f".{kind}" in SUFFIXES:
        if not _is_comparison(record):
            raise click.UsageError("a figure requires a comparison by one metric")
        with _warnings():
            return drawn_picture(record, f".{kind}", dict(chosen))
    if kind not in FORMATS or (kind == "r" and type(record).__name__ not in OF_SCORES):
        raise click.UsageError(f"this report has no format {kind!r:.80}")
    layout = part_of_report(kind, dict(chosen)) if kind in PARTED else {}
    return written(record, kind, **layout).encode()


def _file_name(question: str, kind: str) -> str:
    stem = {"compare": "comparison"}.get(question, question)
    return f"{stem}{FORMATS.get(kind, f'.{kind}')}"


# --- mistakes ---


def or_refused(content: Content, answer: Callable[[], Answer]) -> Answer | Refusal:
    """Return a result, or the reason for a missing result; re-raise internal errors."""
    try:
        return answer()
    except Exception as error:
        sentence = error.format_message() if isinstance(error, click.UsageError) else message_of(error)
        if sentence is None:
            raise
        from evalstats.serving.sample_data import sample_like
        from evalstats.tables.errors import TableError, visible

        sentence = bounded(visible(" ".join(_without_folders(sentence, content).split())))
        if not isinstance(error, TableError):
            return Refusal(sentence=sentence)
        value = error.value if isinstance(error.value, str) else error.value[0]
        field_name = FIELDS.get(error.argument, error.argument)
        return Refusal(sentence=sentence, field=field_name, value=value, sample=sample_like(content))


# fields whose names differ from the argument of read_table
FIELDS = {"format": "format_in", "greater_is_better": "higher_is_better"}


def _without_folders(sentence: str, content: Content) -> str:
    """Remove the directories of the content from a sentence."""
    for path in _paths(content):
        sentence = sentence.replace(os.path.join(os.path.dirname(path), ""), "")
    return sentence


@contextmanager
def _warnings() -> Iterator[list[str]]:
    """Collect the warnings that are raised in the context."""
    told: list[str] = []
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: told.append(bounded(" ".join(str(message).split())))
        yield told
