"""Logs of one program: their files, their models, their questions, and the values of their documents."""

from __future__ import annotations

__all__ = [
    "Item",
    "Log",
    "differing_prompts",
    "digest",
    "first_logs",
    "folder_of",
    "is_document",
    "is_grade",
    "label_of",
    "logs_in",
    "names_below",
    "number_of",
    "part",
    "parts",
    "prompts_differ",
    "refuse_different",
    "siblings",
    "told_apart",
    "value_of",
    "word",
]

import contextlib
import hashlib
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from evalstats._errors import listed
from evalstats._files import is_inside
from evalstats._findings import Finding, note, warning
from evalstats.io.sources.numbers import written_number
from evalstats.io.sources.source import DIRECTORY, DOCUMENT, FILES, JSON, Seen
from evalstats.tables.errors import TableError, short

SUFFIXES = (".eval", ".jsonl", ".json", ".parquet", ".txt", ".csv", ".tsv", ".out", ".res")
MOST_FIRST = 20  # files of a directory that are looked at before it is left to others


def first_logs(seen: Seen) -> Iterator[Seen]:
    """Yield the sources in which a format is recognized: the source, and the first files of a directory or list."""
    yield seen
    if seen.kind == FILES:
        for name in seen.members[:1]:
            yield from first_logs(seen.member(name))
    elif seen.kind == DIRECTORY:
        yield from map(seen.member, _candidates(seen)[:MOST_FIRST])


def logs_in(seen: Seen, recognises: Callable[[Seen], bool]) -> list[Seen]:
    """Return the logs of one program: each path must be a log or a directory with logs.

    Raises
    ------
    TableError
        If there is no log, or a path of a list is not a log.
    """
    found = _logs(seen, recognises)
    if not found:
        raise TableError(f"{seen.name} holds no file of this format")
    return found


def _logs(seen: Seen, recognises: Callable[[Seen], bool]) -> list[Seen]:
    if seen.kind == FILES:
        found = []
        for name in seen.members:
            one = seen.member(name)
            own = _logs(one, recognises)
            if not own:
                raise TableError(
                    f"{one.name} has a different format from {seen.member(seen.members[0]).name}, or no known format"
                )
            found += own
        return found
    if seen.kind == DIRECTORY:
        return [one for one in map(seen.member, _candidates(seen)) if recognises(one)]
    return [seen] if recognises(seen) else []


def siblings(one: Seen, accept: Callable[[str], bool]) -> list[Seen]:
    """Return the accepted files in the folder of a log, in the order of their names."""
    if one.path is None:
        return []
    folder = os.path.dirname(os.path.abspath(one.path))
    with contextlib.suppress(OSError):
        paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if accept(name)]
        return [one.another(path) for path in paths if is_inside(path, folder)]
    return []


def label_of(paths: Sequence[str]) -> dict[str, str]:
    """Map paths to short unique labels: the last part of each path, with as many folders as necessary.

    The labels have suffixes only if the paths differ in nothing else.
    """
    stems = [os.path.splitext(os.path.normpath(path))[0] for path in paths]
    for names in (stems, list(map(os.path.normpath, paths))):
        split = [name.split(os.sep) for name in names]
        for n in range(1, max(map(len, split), default=0) + 1):
            labels = dict(zip(paths, ("/".join(parts[-n:]) for parts in split), strict=True))
            if len(set(labels.values())) == len(labels):
                return labels
    raise TableError(f"the same log is given several times: {listed(sorted(paths))}")


def is_document(seen: Seen, *keys: str) -> bool:
    """Return whether a source may be a JSON object with these keys, without parsing the document."""
    if seen.kind == DOCUMENT:
        return isinstance(seen.source, Mapping)
    return seen.kind == JSON and all(f'"{key}"' in seen.start for key in keys)


def folder_of(one: Seen, levels: int = 1) -> str:
    """Return the name of the folder that is `levels` above a log, or '' if the log has no path."""
    if one.path is None:
        return ""
    folder = os.path.abspath(one.path)
    for _ in range(levels):
        folder = os.path.dirname(folder)
    return os.path.basename(folder)


def _candidates(seen: Seen) -> list[str]:
    return [name for name in seen.members if name.lower().endswith(SUFFIXES)]


# --- content of the logs ----------------------------------------------------------------------------------------------


class Item(NamedTuple):
    """Score of one answer; `check` and `prompt` identify the question and its wording, if the log contains them."""

    task: str
    item: str
    value: float  # nan if it was not scored
    epoch: str = ""
    check: str = ""
    prompt: str = ""
    place: str = ""
    cluster: str = ""  # cluster of correlated questions, if requested


@dataclass
class Log:
    """Scores of one model in one log."""

    model: str
    name: str  # name in messages
    path: str
    items: list[Item] = field(default_factory=list)

    @classmethod
    def of(cls, seen: Seen, model: str) -> Log:
        """Return an empty log for a model in a file."""
        return cls(model, seen.name, seen.path or seen.name)


def told_apart(seen: Seen, logs: Sequence[Log]) -> tuple[list[Log], list[Finding]]:
    """Rename models with the same questions in several logs; reject such logs in a directory."""
    first: dict[tuple[str, str, str, str], tuple[Log, Item]] = {}
    same: dict[str, list[Log]] = {}
    for log in logs:
        for item in log.items:
            key = log.model, item.task, item.item, item.epoch
            if key not in first:
                first[key] = log, item
                continue
            other, before = first[key]
            what = f"the question {short(item.item)} of {short(item.task)}" if item.item else short(item.task)
            if other is not log and other.path == log.path:
                raise TableError(f"{log.name} is given twice")
            if other is log or seen.kind != FILES:
                where = f"{before.place or other.name} and {item.place or log.name}"
                problem = f"{what} occurs twice for {short(log.model)}: {where}"
                raise TableError(problem, "" if other is log else "give the files to compare")
            same.setdefault(log.model, [other])
            same[log.model] += [log] * (log not in same[log.model])
            break
    if not same:
        return list(logs), []
    labels = label_of([os.path.abspath(log.path) for own in same.values() for log in own])
    models = {id(log): f"{log.model} [{labels[os.path.abspath(log.path)]}]" for own in same.values() for log in own}
    words = f"Several logs belong to {listed(sorted(same))}: the names of the files distinguish them."
    return [replace(log, model=models.get(id(log), log.model)) for log in logs], [note("same-model", words)]


def refuse_different(logs: Sequence[Log]) -> None:
    """Reject logs in which different questions have the same name."""
    first: dict[tuple[str, str], tuple[str, str]] = {}
    for log in logs:
        for item in log.items:
            if not item.check:
                continue
            check, place = first.setdefault((item.task, item.item), (item.check, item.place or log.name))
            if check != item.check:
                raise TableError(
                    f"the question {short(item.item)} of {short(item.task)} differs between files: {place} and "
                    f"{item.place or log.name} ask different questions; compare logs of one version of the benchmark"
                )


def differing_prompts(logs: Sequence[Log]) -> list[Finding]:
    """Return a finding if models received different wordings of a question."""
    prompts: dict[tuple[str, str], str] = {}
    differ: set[tuple[str, str]] = set()
    for log in logs:
        for item in log.items:
            key = item.task, item.item
            if item.prompt and prompts.setdefault(key, item.prompt) != item.prompt:
                differ.add(key)
    return prompts_differ(len(differ), len(prompts))


def prompts_differ(n: int, n_questions: int) -> list[Finding]:
    """Return a warning if `n` questions were asked in different words."""
    words = (
        f"{n:,} of {n_questions:,} questions were asked in different words: "
        "with different few-shot examples or a different template."
    )
    return [warning("prompts-differ", words)] if n else []


# like value_to_float of Inspect, which also converts all other values to 0
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def part(value: Any, *keys: str) -> Any:
    """Return the value at a path of keys, or None if the path does not exist."""
    for key in keys:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def parts(value: Any, *keys: str) -> list[Any]:
    """Return the list at a path of keys, or an empty list if there is none."""
    found = part(value, *keys) if keys else value
    return list(found) if isinstance(found, list | tuple) else []


def names_below(value: Any, *keys: str) -> list[str]:
    """Return the keys of the mapping at a path, or an empty list if there is no mapping."""
    found = part(value, *keys)
    return list(found) if isinstance(found, Mapping) else []


def word(value: Any) -> str:
    """Return a name or a number as text, or '' for any other value."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < 200:
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return ""


def number_of(value: Any) -> float | None:
    """Return a score as a float: nan for None, and None if the value is not a finite number."""
    if value is None:
        return math.nan
    if isinstance(value, int | float):  # True is 1, as every harness counts it
        try:
            number = float(value)
        except OverflowError:
            return None
        return None if math.isinf(number) else number
    return None


def digest(*values: Any) -> str:
    """Return a hash of values: 16 hexadecimal digits, or '' if the values cannot be serialized."""
    try:
        written = json.dumps(values, sort_keys=True, default=repr)
    except (ValueError, TypeError, RecursionError):
        return ""
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_grade(value: Any) -> bool:
    """Return whether a value is a grade for correct or incorrect, such as 'C', 'yes' or True."""
    return isinstance(value, bool) or (isinstance(value, str) and (value in LETTERS or value.lower() in WORDS))


def value_of(value: Any, place: str) -> float:
    """Convert a score to a float. Grades become 1 or 0, and a missing score becomes nan."""
    if isinstance(value, str):
        if value in LETTERS or value.lower() in WORDS:
            return LETTERS[value] if value in LETTERS else WORDS[value.lower()]
        number = written_number(value, ".")
        if number is not None and (math.isinf(number) or (math.isnan(number) and value.lower() != "nan")):
            number = None
    else:
        number = number_of(value)
    if number is None:
        raise TableError(f"{place}: {short(value)} is not a score (a number, C, P, I, N, yes or no)")
    return number
