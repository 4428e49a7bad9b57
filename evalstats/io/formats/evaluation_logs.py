"""Which logs are of which model, and which items do they share?"""

from __future__ import annotations

__all__ = ["Item", "Log", "differing_prompts", "refuse_different", "told_apart"]

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from evalstats._errors import listed
from evalstats._findings import Finding, note, warning
from evalstats.io.formats.log_files import label_of
from evalstats.io.sources.source import FILES, Seen
from evalstats.tables.errors import TableError, short


class Item(NamedTuple):
    """One score of one answer; `check` and `prompt` are what the item asked, and how, where the log tells it."""

    task: str
    item: str
    value: float  # nan where it was not scored
    epoch: str = ""
    check: str = ""
    prompt: str = ""
    place: str = ""
    cluster: str = ""  # which items hang together with it, where that was asked for


@dataclass
class Log:
    """What one log tells of one model."""

    model: str
    name: str  # for messages
    path: str
    items: list[Item] = field(default_factory=list)

    @classmethod
    def of(cls, seen: Seen, model: str) -> Log:
        """Return the log of a model that a file holds, without items yet."""
        return cls(model, seen.name, seen.path or seen.name)


def told_apart(seen: Seen, logs: Sequence[Log]) -> tuple[list[Log], list[Finding]]:
    """Give two logs of one model that hold the same items names of their own; a directory must not hold such."""
    first: dict[tuple[str, str, str, str], tuple[Log, Item]] = {}
    same: dict[str, list[Log]] = {}
    for log in logs:
        for item in log.items:
            key = log.model, item.task, item.item, item.epoch
            if key not in first:
                first[key] = log, item
                continue
            other, before = first[key]
            what = f"the item {short(item.item)} of {short(item.task)}" if item.item else short(item.task)
            if other is not log and other.path == log.path:
                raise TableError(f"{log.name} is given twice")
            if other is log or seen.kind != FILES:
                where = f"{before.place or other.name} and {item.place or log.name}"
                problem = f"{what} stands there twice for {short(log.model)}: {where}"
                raise TableError(problem, "" if other is log else "give the files that are to be compared")
            same.setdefault(log.model, [other])
            same[log.model] += [log] * (log not in same[log.model])
            break
    if not same:
        return list(logs), []
    labels = label_of([os.path.abspath(log.path) for own in same.values() for log in own])
    models = {id(log): f"{log.model} [{labels[os.path.abspath(log.path)]}]" for own in same.values() for log in own}
    words = f"Several logs are of {listed(sorted(same))}: they are told apart by their files."
    return [replace(log, model=models.get(id(log), log.model)) for log in logs], [note("same-model", words)]


def refuse_different(logs: Sequence[Log]) -> None:
    """Refuse items of one name that ask different things."""
    first: dict[tuple[str, str], tuple[str, str]] = {}
    for log in logs:
        for item in log.items:
            if not item.check:
                continue
            check, place = first.setdefault((item.task, item.item), (item.check, item.place or log.name))
            if check != item.check:
                raise TableError(
                    f"the item {short(item.item)} of {short(item.task)} is not the same everywhere: {place} and "
                    f"{item.place or log.name} ask different things; compare logs of one version of the benchmark"
                )


def differing_prompts(logs: Sequence[Log]) -> list[Finding]:
    """Tell of items that were asked in different words."""
    prompts: dict[tuple[str, str], str] = {}
    differ: set[tuple[str, str]] = set()
    for log in logs:
        for item in log.items:
            key = item.task, item.item
            if item.prompt and prompts.setdefault(key, item.prompt) != item.prompt:
                differ.add(key)
    if not differ:
        return []
    words = (
        f"{len(differ):,} of {len(prompts):,} items were asked in different words: by other shots, or another template."
    )
    return [warning("prompts-differ", words)]
