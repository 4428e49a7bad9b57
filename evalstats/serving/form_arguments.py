"""Fields of the web interface for each command, and the command-line arguments from their values."""

from __future__ import annotations

__all__ = ["Fields", "command_line", "fields_of", "parameters", "words_of"]

import shlex
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

import click

from evalstats.cli.completion import known_words
from evalstats.cli.options import HEADINGS, OTHERS

Fields = Mapping[str, Any]

# parameters for paths on the computer, and parameters set by a button, are not fields of the page
NO_FIELDS = frozenset(("output", "plot", "bib", "scores", "pilot", "samples", "format", "help"))
# options of a plot or a part, which belong to a download
OF_DOWNLOADS = frozenset(("part", "latex_width", "plot_kind", "width", "font_size", "dpi", "no_caption"))
# a list would exclude values that it does not contain
ANY_TEXT = frozenset(("delimiter", "encoding", "metric"))


def words_of(command: click.Command, fields: Fields) -> list[str]:
    """Return the command-line words for the given fields of a command, in the order of its options."""
    options = dict(_options(command))
    for name in fields:
        if name not in options:
            raise click.UsageError(f"evalstats {command.name} has no field {name!r} in the web interface")
    return [word for name, option in options.items() for word in _words(option, fields.get(name))]


def parameters(command: click.Command, words: Sequence[str], arguments: Sequence[str] = ()) -> dict[str, Any]:
    """Return the parsed arguments of a command; raise click.UsageError for invalid arguments."""
    context = command.make_context(command.name, [*words, "--", *arguments])
    return dict(context.params)


def command_line(command: click.Command, words: Sequence[str], arguments: Sequence[str]) -> str:
    """Return the command line that gives the same result as the form."""
    return shlex.join(["evalstats", str(command.name), *arguments, *words])


def fields_of(command: click.Command) -> list[dict[str, Any]]:
    """Return the fields of the form of a command, each with its option and its choices."""
    heading_of = {name: heading for heading, names in HEADINGS.items() for name in names.split()}
    return [
        {
            "name": name,
            "option": option.opts[0],
            "value": option.metavar or "",
            "heading": heading_of.get(name, OTHERS),
            "initial": _initial(option),
            "kind": _kind(option),
            "choices": _choices(str(command.name), name, option),
            "is_download": name in OF_DOWNLOADS,
        }
        for name, option in _options(command)
    ]


def _options(command: click.Command) -> Iterator[tuple[str, click.Option]]:
    for param in command.params:
        if isinstance(param, click.Option) and param.name and param.name not in NO_FIELDS:
            yield param.name, param


def _initial(option: click.Option) -> str:
    """Return the default value of a form field, or '' if the option has no fixed default."""
    is_told = isinstance(option.default, str | int | float) and not isinstance(option.default, bool | Enum)
    return str(option.default) if is_told and option.default != "auto" else ""


def _kind(option: click.Option) -> str:
    """Return the type of a form field: flag, either, names, pairs, numbers, number or text."""
    if option.is_flag:
        return "either" if option.secondary_opts else "flag"
    # with one parameter, the option is a string that contains several values
    if option.multiple and option.callback is None:
        return "pairs" if option.nargs == 2 else "numbers" if option.type is click.FLOAT else "names"
    return "number" if isinstance(option.type, click.types.IntRange | click.types.IntParamType) else "text"


def _choices(command: str, name: str, option: click.Option) -> list[str]:
    """Return the choices of an option, or an empty list if they cannot be listed."""
    return [] if name in ANY_TEXT else known_words(command, option)


def _words(option: click.Option, value: Any) -> Iterator[str]:
    """Yield the command-line arguments of one form field; an empty field yields none."""
    name = option.opts[0]
    if value is None or value in ("", [], ()):
        return
    if option.is_flag:
        if value is True or option.secondary_opts:
            yield name if value is True else option.secondary_opts[0]
        return
    for one in _listed(value) if option.multiple else [value]:
        if option.nargs == 2:
            yield from (name, *map(_text, _listed(one)))
        else:
            text = _text(one)
            yield from [f"{name}={text}"] if text.startswith("-") or not text else [name, text]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise click.UsageError(f"a field must be a string or a number, not {value!r:.80}")
    return value if isinstance(value, str) else repr(value)
