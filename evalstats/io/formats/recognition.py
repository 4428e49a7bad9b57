"""The known formats of results, and the recognition of the format of a source.

``scripts/format_index.py`` writes the signs of all formats to an index. The module of a format is loaded only if a
source has one of its signs. Other packages register formats as entry points of the group ``evalstats.formats``. These
formats are tried if no format of evalstats matches.
"""

from __future__ import annotations

__all__ = [
    "AUTO",
    "ONLY_COUNTED",
    "TABLE",
    "format_named",
    "format_names",
    "formats_of",
    "found_in",
    "known_formats",
    "recognized",
]

import json
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from evalstats import _checks
from evalstats._errors import EvalstatsWarning, InvalidValueError
from evalstats.io.columns.surroundings import unknown_direction
from evalstats.io.formats.format import Format, Found, Sign
from evalstats.io.options import Asked
from evalstats.io.sources.folders import tables_in
from evalstats.io.sources.source import DIRECTORY, FILES, Seen
from evalstats.tables.errors import TableError, TableNotFoundError, short, visible

AUTO, TABLE = "auto", "table"
ONLY_COUNTED = "n_folds is for results of programs that only number the splits of a cross-validation"


class _Entry(NamedTuple):
    """Entry of the index: properties of a format that are known before its module is loaded."""

    name: str
    program: str
    recognises: tuple[Sign, ...]
    each_file: bool
    takes: tuple[str, ...]
    module: str = ""
    plugin: Any = None

    @property
    def format(self) -> Format:
        """The declared format. Its module is loaded."""
        if self.plugin is not None:
            return next(one for one in _declared(self.plugin) if one.name == self.name)
        declared: tuple[Format, ...] = import_module(self.module).FORMATS
        return next(one for one in declared if one.name == self.name)

    def is_shown_by(self, shown: Sequence[Seen]) -> bool:
        """Return whether a source has the format: it has a sign, and `confirms` returns True."""
        with self.blamed(f"cannot determine whether it reads {shown[0].name}"):
            found = [one for one in shown if any(sign.is_shown_by(one) for sign in self.recognises)]
            if not found:
                return False
            confirms = self.format.confirms
            return confirms is None or any(map(confirms, found))

    def blamed(self, problem: str) -> AbstractContextManager[None]:
        """Return a context that attributes errors to the package of a registered format."""
        if self.plugin is None:
            return nullcontext()
        from evalstats._plugins import blamed

        return blamed(self.plugin, problem)


def known_formats() -> tuple[Format, ...]:
    """Return the formats of results that `read_table` and `read_predictions` recognize.

    Returns
    -------
    tuple of Format
        The formats in the order of their names, with formats of other packages last. Each format has a `title`, a
        `description` and an `example`.

    Warns
    -----
    EvalstatsWarning
        If a package that adds a format does not work.

    Examples
    --------
    >>> from evalstats.io.formats.recognition import known_formats
    >>> weka = next(one for one in known_formats() if one.name == "weka-csv")
    >>> weka.title
    'WEKA Experimenter, CSV'
    """
    return tuple(entry.format for entry in (*_index(), *_working_plugins()))


def format_names() -> tuple[str, ...]:
    """Return the choices of `format`: names of programs, and names of formats if a program has several."""
    return tuple(sorted({name for entry in _index() for name in (entry.name, entry.program)}))


def formats_of(name: Any) -> tuple[Format, ...]:
    """Return the formats of a program, or the format with this name."""
    return tuple(entry.format for entry in _entries_of(name))


def format_named(name: str) -> Format | None:
    """Return the format with this name, or None if no installed package provides it."""
    entries = (entry for entries in (_index, _working_plugins) for entry in entries() if entry.name == name)
    return next((entry.format for entry in entries), None)


def found_in(seen: Seen, wanted: str, asked: Asked) -> Found | None:
    """Return the content that a format finds in a source, or None for a plain table.

    Parameters
    ----------
    seen : Seen
        The source.
    wanted : str
        ``'auto'``, ``'table'``, or the name of a format or of a program.
    asked : Asked
        Options of the caller.
    """
    from evalstats._plugins import PluginError

    wanted = _checks.text(wanted, "format")
    try:
        chosen = None if wanted == TABLE else _recognized(seen, asked) if wanted == AUTO else _meant(seen, wanted)
        if chosen is None:
            files = tables_in(seen.path or ".") if seen.kind == DIRECTORY and wanted == AUTO else None
            return None if files is None else found_in(seen.another(files), wanted, asked)
        one = chosen.format
        if wanted != AUTO and (named := sorted(_named(asked) - set(one.takes))):
            raise InvalidValueError(f"{named[0]} must be left out, because {one.title} has columns with fixed names")
        if asked.n_folds is not None and "n_folds" not in one.takes:
            raise InvalidValueError(f"{ONLY_COUNTED}, but {seen.name} has the format {one.title}")
        with chosen.blamed(f"cannot read {seen.name}"):
            found = one.read(seen, asked)
            found = replace(found, format=one.name)
    except PluginError as error:
        raise TableError(str(error), "to read a plain table without it, pass {}", "format", TABLE) from error
    if found.layout == "long" and found.greater_is_better is None and asked.greater_is_better is None:
        raise unknown_direction(seen.name, found.metric)
    return found


def recognized(seen: Seen, among: Iterable[Any] | None = None) -> list[Any]:
    """Return the formats that match a source, from `among` or, by default, from all formats of evalstats."""
    shown = [seen]
    if seen.kind in (DIRECTORY, FILES):
        from evalstats.io.formats.log_files import first_logs  # a file alone does without

        shown = list(first_logs(seen))
    entries = _index() if among is None else among
    return [entry for entry in entries if entry.is_shown_by(shown if entry.each_file else shown[:1])]


def _recognized(seen: Seen, asked: Asked) -> _Entry | None:
    if seen.kind == FILES:
        for name in seen.members:
            if not os.path.exists(name):
                raise TableNotFoundError(f"there is no file {visible(name) or repr(name)}")
    named = _named(asked)
    for entries in (_index, _plugin_entries):
        if found := recognized(seen, (one for one in entries() if named <= set(one.takes))):
            return _unambiguous(seen, found)
    return None


def _unambiguous(seen: Seen, found: Sequence[_Entry]) -> _Entry | None:
    if len(found) > 1:
        names = " or ".join(one.name for one in found)
        raise TableError(f"{seen.name} may be {names}", "choose one with {}", "format", found[0].name)
    return found[0] if found else None


def _meant(seen: Seen, name: str) -> _Entry:
    """Return the format with this name; if a program has several formats, return the one that matches the source."""
    entries = _entries_of(name)
    if len(entries) == 1:
        return entries[0]
    if (found := _unambiguous(seen, recognized(seen, entries))) is not None:
        return found
    kinds = " or ".join(entry.name for entry in entries)
    raise TableError(f"{seen.name} is not recognized as {kinds}", "choose one with {}", "format", entries[0].name)


def _entries_of(name: Any) -> tuple[_Entry, ...]:
    is_text = isinstance(name, str)
    for entries in (_index, _plugin_entries) if is_text else ():
        if found := [entry for entry in entries() if name in (entry.name, entry.program)]:
            return tuple(found)
    known = ", ".join(sorted({entry.program for entries in (_index, _plugin_entries) for entry in entries()}))
    raise InvalidValueError(f"format must be 'auto', 'table' or one of {known}, not {short(name)}")


@cache
def _index() -> tuple[_Entry, ...]:
    rows = json.loads(Path(__file__).with_name("index.json").read_text(encoding="utf-8"))
    return tuple(
        _Entry(
            name=row["name"],
            program=row["module"].rpartition(".")[2].replace("_", "-"),
            recognises=tuple(Sign(of, tuple(names), tuple(without)) for of, names, without in row["recognises"]),
            each_file=row["each_file"],
            takes=tuple(row["takes"]),
            module=f"{__package__}.{row['module']}",
        )
        for row in rows
    )


# --- formats of other packages ----------------------------------------------------------------------------------------


def _plugin_entries() -> Iterator[_Entry]:
    """Yield the formats of other packages, or raise an error for the first package that fails."""
    from evalstats._plugins import FORMATS, plugins

    for plugin in plugins(FORMATS):
        yield from _entries_of_plugin(plugin)


def _entries_of_plugin(plugin: Any) -> Iterator[_Entry]:
    for one in _declared(plugin):
        yield _Entry(one.name, plugin.name, one.recognises, one.each_file, one.takes, plugin=plugin)


def _declared(plugin: Any) -> tuple[Format, ...]:
    from evalstats._plugins import PluginError

    value = plugin.value
    found = (value,) if isinstance(value, Format) else value if isinstance(value, tuple | list) else ()
    if not found or not all(isinstance(one, Format) for one in found):
        raise PluginError(f"{plugin.title} must be a Format or a tuple of Formats, not {short(value)}")
    return tuple(found)


def _working_plugins() -> list[_Entry]:
    """Return the formats of other packages; warn about packages that fail."""
    from evalstats._plugins import FORMATS, PluginError, plugins

    found: list[_Entry] = []
    for plugin in plugins(FORMATS):
        try:
            found += _entries_of_plugin(plugin)
        except PluginError as error:
            warnings.warn(str(error), EvalstatsWarning, stacklevel=3)
    return found


def _named(asked: Asked) -> set[str]:
    return {name for name, column in asked.columns.items() if column is not None}
