"""Do the numbers of a saved report come out again, and if not, what changed and why?"""

from __future__ import annotations

__all__ = ["ReportVerification", "verify_report"]

import ast
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from os.path import basename
from typing import Any

from evalstats import _checks, _files
from evalstats._checks import InvalidTypeError, InvalidValueError
from evalstats._errors import short
from evalstats._findings import Finding
from evalstats._result import Record, report_module
from evalstats.comparison.deciding import compare
from evalstats.comparison.over_runs import report_runs
from evalstats.reproducibility.stopping import FixedRuns, KolmogorovSmirnov, RankCorrelation
from evalstats.tables.grid import TableNotFoundError, visible
from evalstats.tables.json_rows import grid_of_json
from evalstats.tables.own_tables import table_of_record
from evalstats.verification.values import ChangedValue, changed_values, count_values

# the name of a report that has none
THE_REPORT = "the report"
# what a report has to hold, or the data, and the names of more comparisons within it
_HELD = {"comparison": "table", "by_metric": "comparisons", "questions": None, "runs": None}
_WITHIN = ("comparisons", "over_benchmarks")
_RULES = {rule.__name__: rule for rule in (FixedRuns, KolmogorovSmirnov, RankCorrelation)}


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportVerification(Record):
    """What comes out when the comparison of a saved report is made again.

    Attributes
    ----------
    source : str
        Name of the report.
    ok : bool
        Whether every value comes out again and the report is as evalstats wrote it.
    n_values : int
        How many numbers, words and decisions were compared.
    changes : tuple of ChangedValue
        Those that come out otherwise.
    is_edited : bool or None
        Whether somebody changed the report after evalstats wrote it, by its checksum; None where it has none.
    used_data : bool
        Whether the data were read again; otherwise the scores in the report were taken.
    options : dict
        The arguments of `compare` with which it was made again.
    written_with, verified_with : dict
        The versions of evalstats, Python, numpy and scipy, then and now.
    findings : tuple of Finding
        Why values may have changed.
    """

    source: str
    ok: bool
    n_values: int
    changes: tuple[ChangedValue, ...]
    is_edited: bool | None
    used_data: bool
    options: Mapping[str, Any]
    written_with: Mapping[str, Any]
    verified_with: Mapping[str, Any]
    findings: tuple[Finding, ...]


def verify_report(report: Any, *, data: Any = None) -> ReportVerification:
    """Make what a saved report tells again, and say which of its values come out otherwise.

    A report in JSON holds the scores that were compared, every argument, every number, the seeds, the versions and a
    checksum. The comparison is made again from these scores or, with `data`, from the data themselves.

    Parameters
    ----------
    report : path, open file, or dict
        What `report.json` wrote of a comparison, by one metric or several, of datasets or of answers to questions, or
        of the report over runs; a dict is the parsed text. A study is verified by its comparison.
    data : path, data frame or array, optional
        What was compared, as `compare` takes it; it is read with the arguments that stand in the report. A comparison
        of predictions or of answers to questions and a report over runs need them, because they hold less themselves.

    Returns
    -------
    ReportVerification

    Raises
    ------
    ValueError
        If the report is no JSON, ends too early, is the work of another program or of a newer evalstats, or holds
        nothing that can be made again; and whatever `compare` refuses.

    Examples
    --------
    >>> import io
    >>> import evalstats
    >>> comparison = evalstats.compare(evalstats.example_table("demsar-2006"), control="C4.5")
    >>> saved = evalstats.report.json(comparison)
    >>> evalstats.verify_report(io.StringIO(saved)).ok
    True
    >>> other = saved.replace("0.763", "0.793")
    >>> found = evalstats.verify_report(io.StringIO(other))
    >>> found.ok, found.is_edited
    (False, True)
    """
    source, kind, document = _document(report)
    told = document[kind]
    writer = report_module("formats.json")
    is_edited = None if "checksum" not in document else document["checksum"] != writer.checksum(document)
    options, findings = _options(told, data is not None)
    compared = _held(source, kind, document) if data is None else data
    again = json.loads(writer.json(_made(kind, compared, told, options)))
    if kind not in again:
        raise InvalidValueError(
            f"data must be what was compared: of these comes {again['kind']!r}, and the report is {document['kind']!r}"
        )
    unseen = () if data is not None or not _advises_on_predictions(told) else ("advice",)
    n_values, changes = _compared(kind, document, again, unseen)
    findings += (*_of_versions(document, again), *_of_scores(changes), *_of_unseen(unseen))
    findings += _of_file(told, again[kind])
    return ReportVerification(
        source=source,
        ok=not changes and not is_edited,
        n_values=n_values,
        changes=changes,
        is_edited=is_edited,
        used_data=data is not None,
        options=options,
        written_with=document.get("versions", {"evalstats": document.get("evalstats_version")}),
        verified_with=again["versions"],
        findings=findings,
    )


# --- the report -------------------------------------------------------------------------------------------------------


def _text(report: Any) -> tuple[str, str]:
    """Return the name and the text of a report."""
    if isinstance(report, str | PathLike):
        name = fspath(report)
        try:
            with _files.opened(name) as file:
                text: Any = _files.whole(file)
        except FileNotFoundError:
            raise TableNotFoundError(f"there is no file {visible(name)}") from None
        except _files.SpecialFileError as error:
            raise InvalidValueError(f"report {short(name)} cannot be read: {error.strerror}") from None
        except (OSError, ValueError) as error:  # a directory, a name that is too long, or a NUL character in it
            raise InvalidValueError(f"report {short(name)} cannot be read: {short(str(error))}") from None
    elif hasattr(report, "read"):
        name, text = getattr(report, "name", THE_REPORT), report.read()
    else:
        raise InvalidTypeError(f"report must be a path, an open file or a dict, not {short(report)}")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InvalidValueError(f"{basename(str(name))} is no text in UTF-8, so it is no report in JSON") from None
    return basename(str(name)), _checks.text(text, "report")


def _parsed(text: str, source: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise InvalidValueError(f"{source} is nested too deeply for a report") from None
    except ValueError as error:
        raise InvalidValueError(f"{source} {_fault(text, error)}") from None


def _document(report: Any) -> tuple[str, str, Mapping[str, Any]]:
    """Return the name, the kind and the parsed text of a report, or say what it is instead."""
    document: Any
    if isinstance(report, Mapping):
        source, document = THE_REPORT, report
        try:
            json.dumps(report, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise InvalidTypeError("report must be parsed JSON, and hold nothing else") from None
    else:
        source, text = _text(report)
        document = _parsed(text, source)
    kind = document.get("kind") if isinstance(document, Mapping) else None
    if not isinstance(kind, str) or not kind.startswith("evalstats "):
        raise InvalidValueError(f"{source} is no report of evalstats: it does not say what kind of record it holds")
    kind = kind.removeprefix("evalstats ")
    if kind not in _HELD:
        raise InvalidValueError(
            f"{source} holds a record of the kind {short(kind)}; comparisons and reports over runs can be verified"
        )
    version, ours = document.get("schema_version"), report_module("formats.json").SCHEMA_VERSION
    if type(version) is not int or version > ours:
        raise InvalidValueError(
            f"{source} has the schema version {short(version)}, and this evalstats knows {ours}: a newer one wrote it"
        )
    if not isinstance(document.get(kind), Mapping):
        raise InvalidValueError(f"{source} holds no {kind}: it was damaged or edited")
    return source, kind, document


def _fault(text: str, error: ValueError) -> str:
    """Say why a text is no JSON."""
    if not text.lstrip().startswith("{"):
        return "is no report in JSON, as report.json and --format json write it"
    if not text.rstrip().endswith("}"):
        return "ends too early: a part of the report is missing"
    return f"is no JSON any more, or never was: see its line {getattr(error, 'lineno', 1)}"


def _options(told: Mapping[str, Any], reads: bool) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """Return the arguments of `compare`; those of reading only if data are read."""
    given = told.get("options", {name: told[name] for name in ("control", "alpha") if told.get(name) is not None})
    if not isinstance(given, Mapping):
        raise InvalidValueError(f"the options of the report must be an object, not {short(given)}")
    known = compare.__kwdefaults__ or {}
    options = {name: value for name, value in given.items() if reads or name in known}
    if options.get("rng") != "Generator" or "seed" in told:
        return options, ()
    del options["rng"]
    sentence = (
        "The random numbers came from a Generator, which no report can hold: what was simulated may differ. "
        "A whole number as rng can be repeated."
    )
    return options, (Finding(code="generator", severity="warning", sentence=sentence),)


# --- once more --------------------------------------------------------------------------------------------------------


def _held(source: str, kind: str, document: Mapping[str, Any]) -> Any:
    """Return the scores that a report holds."""
    told = document[kind]
    if _HELD[kind] is None:
        raise InvalidValueError(f"{source} holds what followed from its data, not the data: pass data")
    if kind != "by_metric":
        return _table(source, told)
    within = told.get("comparisons")
    if not isinstance(within, list) or not all(isinstance(one, Mapping) for one in within):
        raise InvalidValueError(f"{source} holds no comparisons: it was damaged or edited")
    tables = [_table(source, one) for one in within]
    return {table.metric: table for table in tables}


def _table(source: str, told: Mapping[str, Any]) -> Any:
    if told.get("design") == "cases":
        raise InvalidValueError(f"{source} holds the scores of predictions, not the predictions: pass data")
    return table_of_record(grid_of_json(source, {"kind": "evalstats comparison", "comparison": told}))


def _made(kind: str, source: Any, told: Mapping[str, Any], options: Mapping[str, Any]) -> Record:
    """Make a record again."""
    if kind != "runs":
        metrics = {"metric": told["metrics"]} if isinstance(source, dict) and "metrics" in told else {}
        compared: Record = compare(source, **{**options, **metrics})
        return compared
    rules = options.get("stop")
    chosen = {} if rules is None else {"stop": [_rule(text) for text in _checks.listed(rules, "stop", "texts")]}
    return report_runs(source, **{**options, **chosen, "rng": told.get("seed")})


def _rule(text: Any) -> Any:
    """Return the stopping rule that a text such as ``FixedRuns(10)`` names."""
    try:
        call: Any = ast.parse(text, mode="eval").body
        arguments = [ast.literal_eval(value) for value in call.args]
        return _RULES[call.func.id](*arguments, **{one.arg: ast.literal_eval(one.value) for one in call.keywords})
    except (TypeError, ValueError, SyntaxError, AttributeError, KeyError, RecursionError, MemoryError):
        raise InvalidValueError(f"the report has the stopping rule {short(text)}, which cannot be made again") from None


# --- then and now -----------------------------------------------------------------------------------------------------


def _compared(
    kind: str, document: Mapping[str, Any], again: Mapping[str, Any], unseen: Sequence[str]
) -> tuple[int, tuple[ChangedValue, ...]]:
    """Return how many values there are, and those that are not as before."""
    # another version may say the same in other words, and knows other tests
    is_of_this_version = document.get("evalstats_version") == again["evalstats_version"]
    left_out = ("options", "data_checksum", *unseen, *(() if is_of_this_version else ("advice",)))
    before, now = (_comparable(one[kind], left_out) for one in (document, again))
    said = {"verdict": document.get("verdict")} if is_of_this_version else {}
    changes = (*changed_values(said, again), *changed_values(before, now))
    return count_values(said) + count_values(before), changes


def _comparable(told: Any, left_out: Sequence[str]) -> Any:
    """Return what must come out again; a file may have another name."""
    if isinstance(told, list):
        return [_comparable(one, left_out) for one in told]
    if not isinstance(told, Mapping):
        return told
    kept = {name: value for name, value in told.items() if name not in left_out}
    if isinstance(kept.get("table"), Mapping):
        kept["table"] = {name: value for name, value in kept["table"].items() if name not in ("source", "findings")}
    return kept | {name: _comparable(kept[name], left_out) for name in _WITHIN if name in kept}


def _advises_on_predictions(told: Mapping[str, Any]) -> bool:
    """Tell whether the advice was about predictions, of which a report of datasets holds the scores alone."""
    every = (told, *(one for one in told.get("comparisons", ()) if isinstance(one, Mapping)))
    designs = (one["advice"].get("design") for one in every if isinstance(one.get("advice"), Mapping))
    return any(isinstance(design, Mapping) and design.get("data") == "predictions" for design in designs)


def _of_unseen(unseen: Sequence[str]) -> tuple[Finding, ...]:
    if not unseen:
        return ()
    sentence = (
        "The advice was about predictions, of which the report holds the scores alone, and was not compared: "
        "give the data to compare it too."
    )
    return (Finding(code="advice-of-predictions", severity="note", sentence=sentence),)


def _of_file(told: Mapping[str, Any], now_told: Mapping[str, Any]) -> tuple[Finding, ...]:
    """Say that the file of the data is another one, even if the same comes of it."""
    before, now = told.get("data_checksum"), now_told.get("data_checksum")
    if before is None or now in (None, before):
        return ()
    sentence = f"The file of the data is not the one that was compared: {short(before)} then, {short(now)} now."
    return (Finding(code="file", severity="note", sentence=sentence),)


def _of_versions(document: Mapping[str, Any], again: Mapping[str, Any]) -> tuple[Finding, ...]:
    before, now = document.get("versions", {}), again["versions"]
    if not isinstance(before, Mapping):
        return ()
    changed = [f"{name} {before[name]}" for name in now if name in before and before[name] != now[name]]
    if not changed:
        return ()
    current = ", ".join(f"{name} {now[name]}" for name in now if name in before and before[name] != now[name])
    sentence = f"It was written with {', '.join(changed)}; here {current} made it again."
    return (Finding(code="versions", severity="note", sentence=sentence),)


def _of_scores(changes: tuple[ChangedValue, ...]) -> tuple[Finding, ...]:
    of_table = [change for change in changes if change.place.startswith("table.")]
    if not of_table:
        return ()
    first, more = of_table[0], len(of_table) - 1
    sentence = f"The data are others: {first.place} was {first.before} and is {first.now}"
    sentence += f", and so are {more:,} more values of the table." if more else "."
    return (Finding(code="data", severity="warning", sentence=sentence),)
