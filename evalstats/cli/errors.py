"""Error messages of a command, in one line each.

Errors are one line on standard error and exit status 2; an interrupt (130) and a broken pipe (141) are silent.
"""

from __future__ import annotations

__all__ = ["message_of", "one_line_errors"]

import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from evalstats.cli.options import DELIMITERS

_DIRECTIONS = "--higher-is-better or --lower-is-better"
_TOO_MUCH: tuple[tuple[type[Exception], str], ...] = (
    (MemoryError, "there is not enough memory for this"),
    (RecursionError, "the input is nested too deeply"),
)


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Report an error raised inside in one line, and exit with its status."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None
    except BrokenPipeError:
        _discard_output()
        raise click.exceptions.Exit(141) from None  # as a shell counts the death by SIGPIPE
    except click.exceptions.Exit:  # the help was shown: nothing else needs to be loaded
        raise
    except Exception as error:
        message = message_of(error)
        if message is None:
            raise
        if isinstance(error, OSError) and error.errno is not None and error.filename is None:  # the output is broken
            _discard_output()
        _tell("error", message)
        raise click.exceptions.Exit(2) from None


def message_of(error: Exception) -> str | None:
    """Return the message of an error that is not a fault of the program."""
    from evalstats._checks import EvalstatsError, EvalstatsWarning
    from evalstats.tables.errors import TableError

    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{error.format_message().removesuffix('.')} (see {error.ctx.command_path} --help)"
    if isinstance(error, click.ClickException):
        return error.format_message()

    if isinstance(error, TableError):
        return error.message(_option)
    if isinstance(error, EvalstatsError | EvalstatsWarning):  # a warning that Python raises as an error
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
    return next((words for kind, words in _TOO_MUCH if isinstance(error, kind)), None)


def _option(argument: str, value: str | tuple[str, ...]) -> str:
    """Write an argument of `read_table` as an option of the command."""
    import shlex

    if not isinstance(value, str):
        return " ".join(_option(argument, one) for one in value)
    if argument == "greater_is_better":
        return {"True": "--higher-is-better", "False": "--lower-is-better"}.get(value, _DIRECTIONS)
    argument = {"format": "from"}.get(argument, argument)
    argument = argument.replace("_", "-")
    if argument == "metric":
        value = re.sub(",(?! )", ", ", value)  # a comma before a space is part of a name
    if value in ("True", "False"):
        return f"--{argument}" if value == "True" else f"--no-{argument}"
    words = {character: word for word, character in reversed(DELIMITERS.items())}
    return f"--{argument} {words.get(value) or shlex.quote(value)}" if value else f"--{argument}"


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _tell("warning", str(message))


def _tell(kind: str, message: str) -> None:
    from evalstats._errors import bounded
    from evalstats.tables.errors import visible

    click.echo(f"evalstats: {kind}: {bounded(visible(' '.join(message.split())))}", err=True)


def _discard_output() -> None:
    """Discard buffered output that can no longer be written, so Python does not fail at exit."""
    with suppress(AttributeError, OSError), open(os.devnull, "wb") as nothing:  # there may be no output, or no file
        os.dup2(nothing.fileno(), sys.stdout.fileno())
