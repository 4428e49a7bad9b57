"""Recomputation of a saved report, with the values that changed by more than rounding, and possible reasons."""

from __future__ import annotations

__all__ = [
    "EVERYTHING",
    "PRECISION",
    "ChangedValue",
    "ReportVerification",
    "verify_report",
]

import ast
import json
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evalstats import _checks
from evalstats._errors import EvalstatsError, InvalidTypeError, InvalidValueError, short
from evalstats._findings import Finding
from evalstats._result import Record, report_module
from evalstats._version import __version__
from evalstats.comparison.analysis import compare
from evalstats.comparison.covariates import compare_adjusted
from evalstats.comparison.judged_scores import compare_judged
from evalstats.comparison.learning_curves import compare_learning_curves
from evalstats.comparison.readers import compare_readers
from evalstats.comparison.runs.analysis import analyze_runs
from evalstats.io.reader.saved_records import table_told
from evalstats.io.reader.saved_reports import (
    EARLIER_VERSIONS,
    SCHEMA_VERSION,
    SchemaFault,
    document_of_text,
    has_own_checksum,
    report_faults,
    schema_faults,
    text_of_report,
)
from evalstats.reproducibility.stopping import FixedRuns, KolmogorovSmirnov, RankCorrelation

# numbers that agree to nine digits count as equal, because machines round differently
PRECISION = 1e-9
# a difference of scores may be zero on one machine and a rounding error on another; a p-value may be arbitrarily small
NOISE = 1e-12
# fields that name the two classifiers of a record
PAIRS = (("first", "second"), ("classifier", "reference"))


@dataclass(frozen=True, kw_only=True, eq=False)
class ChangedValue(Record):
    """A value of a report that differs after recomputation.

    Attributes
    ----------
    place : str
        Position in the report, such as ``'omnibus.pvalue'`` or ``'pairs[NB, SVM].different'``.
    before, now : bool, int, float, str or None
        Value in the report, and recomputed value. A list or an object is given by its length (``'list of 3'``), and a
        missing value as ``'nothing'``.
    """

    place: str
    before: Any
    now: Any


def _changed_values(before: Any, now: Any, place: str = "", *, exact: Collection[str] = ()) -> Iterator[ChangedValue]:
    """Yield each value that differs between two documents, or that only one of them contains.

    Floats are compared to nine digits, except floats whose name is in `exact`. Other values are compared exactly. An
    integer differs from a float.
    """
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for name in dict.fromkeys((*before, *now)):
            where = f"{place}.{name}" if place else str(name)
            if name in before and name in now:
                yield from _changed_values(before[name], now[name], where, exact=exact)
            else:
                told, found = (_brief(one[name]) if name in one else "nothing" for one in (before, now))
                yield ChangedValue(place=where, before=told, now=found)
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for i, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from _changed_values(one, other, f"{place}[{_pair(one, other) or i}]", exact=exact)
    elif type(before) is not type(now) or not (
        _close(before, now, place, exact) if isinstance(before, float) else before == now
    ):
        yield ChangedValue(place=place, before=_brief(before), now=_brief(now))


def _count_values(document: Any) -> int:
    """Count the numbers, words and decisions in a document."""
    if not isinstance(document, Mapping | list):
        return 1
    return sum(map(_count_values, document.values() if isinstance(document, Mapping) else document))


def _pair(before: Any, now: Any) -> str:
    """Return the names of the two classifiers if both records have the same names. Otherwise return ''."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for names in PAIRS:
            pair = [before.get(name) for name in names]
            if all(isinstance(name, str) for name in pair) and pair == [now.get(name) for name in names]:
                return ", ".join(map(str, pair))
    return ""


def _close(before: float, now: float, place: str, exact: Collection[str]) -> bool:
    if re.sub(r"\[[0-9]+\]", "", place).rpartition(".")[2] in exact:
        return before == now
    return math.isclose(before, now, rel_tol=PRECISION, abs_tol=0.0 if "pvalue" in place else NOISE)


def _brief(value: Any) -> Any:
    if isinstance(value, Mapping):
        return f"object of {len(value)}"
    return f"list of {len(value)}" if isinstance(value, list) else value


VERIFIED, NOT_VERIFIED, CANNOT_BE_VERIFIED = "verified", "not verified", "cannot be verified"
# position of the whole report
EVERYTHING = ("$",)

# name of a report without a file name
THE_REPORT = "the report"
# the kinds that can be recomputed, and whether they hold the necessary scores (reports of questions had their own kind
# in an earlier format)
_KINDS = {"comparison": True, "by_metric": True, "questions": True} | dict.fromkeys(
    ("runs", "battles", "adjusted_difference", "judged_scores", "learning_curves", "readers"), False
)
# functions that recompute a kind only from its data and its arguments; `compare` recomputes the other kinds
_OF_OTHER_ROWS: Mapping[str, Callable[..., Record]] = {
    "adjusted_difference": compare_adjusted,
    "judged_scores": compare_judged,
    "learning_curves": compare_learning_curves,
    "readers": compare_readers,
}
# the parts of every kind that a recomputation needs
_NEEDED = {
    "type": "object",
    "properties": {"options": {"type": "object"}, "data_checksum": {"type": ["string", "null"]}},
    "required": ["options", "data_checksum"],
}
_RULES = {rule.__name__: rule for rule in (FixedRuns, KolmogorovSmirnov, RankCorrelation)}
# repeated arguments must be identical to the last bit
_ARGUMENTS = frozenset(compare.__kwdefaults__ or {}) | frozenset(analyze_runs.__kwdefaults__ or {})
# values that differ between machines
_VERSIONS = ("evalstats_version", "versions")


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportVerification(Record):
    """Result of `verify_report`.

    Attributes
    ----------
    source : str
        Name of the report.
    status : {'verified', 'not verified', 'cannot be verified'}
        ``'verified'``: the report has the format of evalstats, and its checksum matches. Every number, decision, name,
        sentence and finding is reproduced from the parts that are `taken_as_given`. ``'cannot be verified'``: another
        version of evalstats wrote the report, and this version does not reproduce it. ``'not verified'``: all other
        cases.
    ok : bool
        Whether the status is ``'verified'``.
    n_values : int
        Number of numbers, words and decisions that were recomputed and compared.
    changes : tuple of ChangedValue
        Values that differ.
    faults : tuple of SchemaFault
        Deviations from the format of a report: additional or missing names, and values of a different type. If there
        are deviations, nothing was recomputed.
    taken_as_given : tuple of str
        Parts of the report from which the other parts were recomputed, or that cannot be verified. These are the
        arguments, the versions and, unless data were given, the scores and the description of the data.
    not_recomputed : tuple of str
        Parts of the report that were not recomputed, because they require the data. The value is ``('$',)`` if nothing
        was recomputed.
    is_edited : bool or None
        Whether the checksum shows that the report was changed after evalstats wrote it, or None if unknown.
    used_data : bool
        Whether the data were read again. If False, the scores in the report were used.
    options : dict
        Arguments of `compare` in the recomputation.
    written_with, verified_with : dict
        Versions of evalstats, Python, numpy and scipy that wrote the report and that verified it.
    findings : tuple of Finding
        Possible reasons for changed values, or reasons why the report cannot be verified.
    """

    source: str
    status: str
    ok: bool
    n_values: int
    changes: tuple[ChangedValue, ...]
    faults: tuple[SchemaFault, ...]
    taken_as_given: tuple[str, ...]
    not_recomputed: tuple[str, ...]
    is_edited: bool | None
    used_data: bool
    options: Mapping[str, Any]
    written_with: Mapping[str, Any]
    verified_with: Mapping[str, Any]
    findings: tuple[Finding, ...]


def verify_report(report: Any, *, data: Any = None) -> ReportVerification:
    """Recompute a saved report and list the values that differ.

    A report in JSON holds the scores that were compared, every argument, every number, the seeds, the versions and a
    checksum. The function recomputes the comparison from these scores or, with `data`, from the data. Verification
    shows that the numbers follow from the scores or the data. Only a signature can show who wrote the report.

    Parameters
    ----------
    report : path, open file, or dict
        Output of `report.json` for a comparison by `compare`, `compare_readers`, `compare_learning_curves`,
        `compare_judged` or ``evalstats compare --adjust-for``, or for an analysis of runs. A dict is the parsed text.
        To verify a study, verify its comparison.
    data : path, data frame or array, optional
        The compared data, as in `compare`. They are read with the arguments in the report. The data are required if the
        report does not contain them: for predictions, battles, learning curves, readers, judges, covariates and runs.

    Returns
    -------
    ReportVerification

    Raises
    ------
    ValueError
        If the report is not JSON with unique names, is incomplete, was written by another program, or contains nothing
        that can be recomputed. Errors of `compare` for the data are also raised.

    Examples
    --------
    >>> import io
    >>> import evalstats
    >>> comparison = evalstats.compare(evalstats.example_table("demsar-2006"), control="C4.5")
    >>> saved = evalstats.report.json(comparison)
    >>> evalstats.verify_report(io.StringIO(saved)).status
    'verified'
    >>> other = saved.replace("0.763", "0.793")
    >>> found = evalstats.verify_report(io.StringIO(other))
    >>> found.status, found.is_edited
    ('not verified', True)
    """
    source, kind, document = _document(report)
    if unknown := _of_unknown_version(source, document):
        return unknown
    needed = {"properties": {kind: _NEEDED}, "required": [kind]}
    if faults := (*(report_faults(document) or schema_faults(document, needed)), *_of_two_versions(document)):
        return _without_making(source, document, NOT_VERIFIED, faults=faults)
    told, is_edited = document[kind], not has_own_checksum(document)
    options, findings = _options(told, data is not None)
    try:
        again = _made_again(source, kind, document, options, data)
    except _NotRepeatableError as error:
        finding = Finding(code="not-repeatable", severity="error", sentence=str(error))
        return _without_making(source, document, NOT_VERIFIED, is_edited=is_edited, findings=(*findings, finding))
    given, unread = tuple(_given(kind, document, again, data is not None)), _unread(kind, document, data is not None)
    unseen = _unseen(kind, document, data is not None)
    left_out = frozenset((*given, *unread, *unseen, "$.checksum"))
    before, now = _but(document, left_out), _but(again, left_out)
    changes = tuple(
        replace(one, place=one.place.removeprefix(f"{kind}.")) for one in _changed_values(before, now, exact=_ARGUMENTS)
    )
    findings += (*_of_versions(document, again), *_of_scores(changes), *_of_unseen(unseen))
    status = NOT_VERIFIED if is_edited or changes or unseen else VERIFIED
    if changes and not is_edited and document["evalstats_version"] != __version__:
        status = CANNOT_BE_VERIFIED
        findings = (_other_release(document["evalstats_version"]), *findings)
    return ReportVerification(
        source=source,
        status=status,
        ok=status == VERIFIED,
        n_values=_count_values(before),
        changes=changes,
        faults=(),
        taken_as_given=(f"$.{kind}.options", *given),
        not_recomputed=unseen,
        is_edited=is_edited,
        used_data=data is not None,
        options=options,
        written_with=document["versions"],
        verified_with=again["versions"],
        findings=findings,
    )


# --- the report -------------------------------------------------------------------------------------------------------


def _document(report: Any) -> tuple[str, str, Mapping[str, Any]]:
    """Return the name, the kind and the parsed text of a report, or raise an error if it is not a report."""
    if isinstance(report, Mapping):
        source = THE_REPORT
        try:
            text = json.dumps(report, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise InvalidTypeError("report must hold only parsed JSON") from None
    else:
        source, text = text_of_report(report)
    document = document_of_text(text, source)
    kind = document.get("kind") if isinstance(document, Mapping) else None
    if not isinstance(kind, str) or not kind.startswith("evalstats "):
        raise InvalidValueError(f"{source} is not a report of evalstats: it does not state the kind of its record")
    kind = kind.removeprefix("evalstats ")
    if kind not in _KINDS:
        raise InvalidValueError(
            f"{source} holds a record of the kind {short(kind)}; comparisons and reports over runs can be verified"
        )
    return source, kind, document


def _of_unknown_version(source: str, document: Mapping[str, Any]) -> ReportVerification | None:
    """Return the verification of a report with a different schema version, or None for the current version."""
    version = document.get("schema_version")
    if type(version) is not int or not (version > SCHEMA_VERSION or version in EARLIER_VERSIONS):
        return None
    # a later version may compute its checksum differently
    is_edited = not has_own_checksum(document) if version in EARLIER_VERSIONS else None
    writer = EARLIER_VERSIONS.get(version, "a newer evalstats")
    sentence = (
        f"The report has the schema version {version}: {writer} wrote it, and this version of evalstats writes "
        f"{SCHEMA_VERSION}."
    )
    finding = Finding(code="schema-version", severity="error", sentence=sentence)
    status = NOT_VERIFIED if is_edited else CANNOT_BE_VERIFIED
    return _without_making(source, document, status, is_edited=is_edited, findings=(finding,))


def _of_two_versions(document: Mapping[str, Any]) -> Iterator[SchemaFault]:
    """Yield a fault if two fields of a report name different versions of evalstats."""
    version, versions = document.get("evalstats_version"), document.get("versions")
    if isinstance(versions, Mapping) and versions.get("evalstats") != version:
        problem = f"must be {short(versions.get('evalstats'))}, as in $.versions.evalstats, not {short(version)}"
        yield SchemaFault(path="$.evalstats_version", problem=problem)


def _without_making(
    source: str,
    document: Mapping[str, Any],
    status: str,
    *,
    faults: tuple[SchemaFault, ...] = (),
    is_edited: bool | None = None,
    findings: tuple[Finding, ...] = (),
) -> ReportVerification:
    """Return the verification of a report of which nothing was recomputed."""
    versions = document.get("versions")
    return ReportVerification(
        source=source,
        status=status,
        ok=False,
        n_values=0,
        changes=(),
        faults=faults,
        taken_as_given=(),
        not_recomputed=EVERYTHING,
        is_edited=is_edited,
        used_data=False,
        options={},
        written_with=versions if isinstance(versions, Mapping) else {"evalstats": document.get("evalstats_version")},
        verified_with=report_module("formats.json").versions(),
        findings=findings,
    )


def _options(told: Mapping[str, Any], reads: bool) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """Return the arguments of `compare`. The arguments for reading are included only if data are read."""
    options = {name: value for name, value in told["options"].items() if reads or name in _ARGUMENTS}
    if not isinstance(options.get("rng"), str) or "seed" in told:
        return options, ()
    sentence = (
        f"The random numbers came from a {short(options['rng'])}, which a report cannot contain, so simulated values "
        "may differ. Use a whole number as rng to repeat them."
    )
    return options, (Finding(code="generator", severity="warning", sentence=sentence),)


# --- recomputation ----------------------------------------------------------------------------------------------------


class _NotRepeatableError(Exception):
    """Error for a report whose contents cannot be recomputed."""


def _made_again(
    source: str, kind: str, document: Mapping[str, Any], options: Mapping[str, Any], data: Any
) -> dict[str, Any]:
    """Return the recomputed document, or raise an error if the data are required and missing."""
    told = document[kind]
    if data is None:
        if not _KINDS[kind]:
            raise InvalidValueError(f"{source} holds results, but not the data: pass data")
        if told.get("design") == "instances" and told["table"]["answers"] is None:
            raise InvalidValueError(f"{source} holds the scores of predictions, not the predictions: pass data")
    try:
        made = _made(kind, _held(kind, told) if data is None else data, told, options)
        again: dict[str, Any] = json.loads(report_module("formats.json").json(made))
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError) as error:
        if data is not None and isinstance(error, EvalstatsError):  # an error about the data or about reading them
            raise
        told_error = str(error) if isinstance(error, EvalstatsError) else f"{type(error).__name__}: {short(str(error))}"
        raise _NotRepeatableError(f"The data in {source} cannot be compared again: {told_error}.") from None
    if again["kind"] != document["kind"]:
        raise InvalidValueError(
            f"data must be the data of the comparison: they give a record of the kind {again['kind']!r}, not "
            f"{document['kind']!r}"
        )
    if again[kind].get("design") != told.get("design"):
        raise InvalidValueError(
            f"data must be the data of the comparison: they give a comparison of {again[kind]['design']}, but the "
            f"report contains a comparison of {told['design']}"
        )
    if told["options"].get("rng") == "Generator" and "seed" in told:
        again[kind]["options"]["rng"] = "Generator"
    return again


def _held(kind: str, told: Mapping[str, Any]) -> Any:
    """Return the table of scores in a report, or a dict with a table for each metric."""
    if kind != "by_metric":
        return table_told(told["table"])
    tables = [table_told(one["table"]) for one in told["comparisons"]]
    return {table.metric: table for table in tables}


def _made(kind: str, source: Any, told: Mapping[str, Any], options: Mapping[str, Any]) -> Record:
    """Recompute the comparison or the analysis of runs from its source."""
    if kind in _OF_OTHER_ROWS:
        return _OF_OTHER_ROWS[kind](source, **options)
    if kind != "runs":
        metrics = {"metric": told["metrics"]} if kind == "by_metric" and isinstance(source, dict) else {}
        compared: Record = compare(source, **{**options, **metrics, **_random(options, None)})
        return compared
    rules = options.get("stopping_rule")
    chosen = (
        {}
        if rules is None
        else {"stopping_rule": [_rule(text) for text in _checks.listed(rules, "stopping_rule", "texts")]}
    )
    return analyze_runs(source, **{**options, **chosen, **_random(options, told["seed"])})


def _random(options: Mapping[str, Any], seed: Any) -> dict[str, Any]:
    """Return a seed in place of a generator, because a report cannot contain a generator."""
    if not isinstance(options.get("rng"), str):
        return {}
    if seed is not None:
        return {"rng": seed}
    import numpy as np

    return {"rng": np.random.default_rng(0)}


def _rule(text: Any) -> Any:
    """Return the stopping rule for a string such as ``FixedRuns(10)``, or raise an error for other strings."""
    try:
        call: Any = ast.parse(text, mode="eval").body
        arguments = [ast.literal_eval(value) for value in call.args]
        return _RULES[call.func.id](*arguments, **{one.arg: ast.literal_eval(one.value) for one in call.keywords})
    except (TypeError, ValueError, SyntaxError, AttributeError, KeyError, RecursionError, MemoryError):
        raise InvalidValueError(
            f"the report has the stopping rule {short(text)}, which cannot be created again"
        ) from None


# --- comparison of both reports ---------------------------------------------------------------------------------------


def _records(kind: str, document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the records of a report that have arguments or a table, each with its position."""
    told, place = document[kind], f"$.{kind}"
    yield place, told
    for i, one in enumerate(told["comparisons"] if kind == "by_metric" else ()):
        yield f"{place}.comparisons[{i}]", one
    if told.get("over_benchmarks") is not None:
        yield f"{place}.over_benchmarks", told["over_benchmarks"]


def _given(kind: str, document: Mapping[str, Any], again: Mapping[str, Any], used_data: bool) -> Iterator[str]:
    """Yield the positions of the parts that were not verified, because other parts were recomputed from them."""
    yield from (f"$.{name}" for name in _VERSIONS)
    if not used_data and "read" in document:
        yield "$.read"
    for (place, told), (_, now) in zip(_records(kind, document), _records(kind, again), strict=False):
        if not used_data:
            yield from (f"{place}.table" for _ in range("table" in told))
        was_file, is_file = (one["data_checksum"] is not None for one in (told, now))
        if was_file != is_file:
            yield f"{place}.data_checksum"
        if used_data and "table" in told:  # a file may have another name, and a frame may be saved as a file
            names = ("source",) if was_file and is_file else ("source", "format")
            yield from (f"{place}.table.{name}" for name in names if told["table"][name] != now["table"][name])
        if used_data and told.get("source") != now.get("source"):
            yield f"{place}.source"


def _unread(kind: str, document: Mapping[str, Any], used_data: bool) -> Iterator[str]:
    """Yield the positions of the arguments for reading, if no data were read."""
    for place, told in () if used_data else _records(kind, document):
        yield from (f"{place}.options.{name}" for name in told["options"] if name not in _ARGUMENTS)


def _unseen(kind: str, document: Mapping[str, Any], used_data: bool) -> tuple[str, ...]:
    """Return the positions of the parts that need predictions, if the report contains only their scores."""
    if used_data:
        return ()
    advised = [
        (place, told["advice"]["design"])
        for place, told in _records(kind, document)
        if told.get("advice") is not None and told["table"]["answers"] is None
    ]
    return tuple(f"{place}.advice" for place, design in advised if (design or {}).get("data") == "predictions")


def _but(value: Any, left_out: frozenset[str], place: str = "$") -> Any:
    """Return a document without the parts at some positions."""
    if not any(one.startswith(place) for one in left_out):
        return value
    if isinstance(value, Mapping):
        inner = ((name, item, f"{place}.{name}") for name, item in value.items())
        return {name: _but(item, left_out, within) for name, item, within in inner if within not in left_out}
    if isinstance(value, list):
        return [_but(item, left_out, f"{place}[{i}]") for i, item in enumerate(value)]
    return value


def _of_unseen(unseen: Sequence[str]) -> tuple[Finding, ...]:
    if not unseen:
        return ()
    sentence = (
        "The advice was not recomputed, because the report holds only the scores of the predictions: pass the data too."
    )
    return (Finding(code="advice-of-predictions", severity="warning", sentence=sentence),)


def _other_release(version: str) -> Finding:
    sentence = (
        f"evalstats {version} wrote the report, and {__version__} does not reproduce it: install evalstats {version} "
        "to verify it."
    )
    return Finding(code="release", severity="error", sentence=sentence)


def _of_versions(document: Mapping[str, Any], again: Mapping[str, Any]) -> tuple[Finding, ...]:
    before, now = document["versions"], again["versions"]
    changed = [name for name in now if before[name] != now[name]]
    if not changed:
        return ()
    then, current = (", ".join(f"{name} {one[name]}" for name in changed) for one in (before, now))
    sentence = f"The report was written with {then}, and {current} recomputed it."
    return (Finding(code="versions", severity="note", sentence=sentence),)


def _of_scores(changes: tuple[ChangedValue, ...]) -> tuple[Finding, ...]:
    of_table = [change for change in changes if change.place.startswith("table.")]
    if not of_table:
        return ()
    first, more = of_table[0], len(of_table) - 1
    sentence = f"The data are different: {first.place} was {first.before} and is {first.now}"
    sentence += f", and {more:,} more values of the table differ." if more else "."
    return (Finding(code="data", severity="warning", sentence=sentence),)
