"""Error messages of commands, each on one line.

An error prints one line to standard error; the exit status is 2. Interrupts (130) and broken pipes (141) print nothing.
"""

from __future__ import annotations

__all__ = ["OptionNames", "message_of", "one_line_errors"]

import os
import re
import shlex
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import click

from evalstats.cli.options import CHARACTERS

if TYPE_CHECKING:
    from evalstats.tables.errors import TableError

_NO_OPTION = "\0"  # in the place of an option that the command does not have
_TOO_MUCH: tuple[tuple[type[Exception], str], ...] = (
    (MemoryError, "there is not enough memory for this command"),
    (RecursionError, "the input is nested too deeply"),
)


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Return a context in which an error is printed as one line and the program exits with its status."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None
    except BrokenPipeError:
        _discard(sys.stdout)
        raise click.exceptions.Exit(141) from None  # as a shell counts the death by SIGPIPE
    except click.exceptions.Exit:  # the help was shown: nothing else needs to be loaded
        raise
    except Exception as error:
        message = message_of(error)
        if message is None:
            raise
        if isinstance(error, OSError) and error.errno is not None and error.filename is None:  # the output is broken
            _discard(sys.stdout)
        _tell("error", message)
        raise click.exceptions.Exit(2) from None


def message_of(error: Exception) -> str | None:
    """Return the message to show to the user for an error, or None if the error is in the program itself."""
    from evalstats._errors import EvalstatsError, EvalstatsWarning
    from evalstats.tables.errors import TableError

    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{error.format_message().removesuffix('.')} (see {error.ctx.command_path} --help)"
    if isinstance(error, click.ClickException):
        return error.format_message()

    options = _running_options()
    if isinstance(error, TableError):
        return options.written_in(_sentence_of(error, options))
    if isinstance(error, EvalstatsError | EvalstatsWarning):  # a warning that Python raises as an error
        return options.written_in(str(error))
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
    return next((words for kind, words in _TOO_MUCH if isinstance(error, kind)), None)


def _sentence_of(error: TableError, options: OptionNames) -> str:
    """Return the message of an error. A hint about an option that the command lacks is omitted."""
    sentence = error.message(lambda argument, value: options.typed(argument, value) or _NO_OPTION)
    return error.problem if _NO_OPTION in sentence else sentence


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    _tell("warning", _running_options().written_in(str(message)))


def _tell(kind: str, message: str) -> None:
    from evalstats._errors import bounded
    from evalstats.tables.errors import visible

    try:
        click.echo(f"evalstats: {kind}: {bounded(visible(' '.join(message.split())))}", err=True)
    except OSError:  # a full disk must not change the exit status
        _discard(sys.stderr)


def _discard(stream: Any) -> None:
    """Discard buffered output that cannot be written so that Python does not fail at exit."""
    with suppress(AttributeError, OSError), open(os.devnull, "wb") as nothing:  # there may be no output, or no file
        os.dup2(nothing.fileno(), stream.fileno())


# --- arguments in messages, written as options -----------------------------------------------------------------------

_DIRECTIONS = "--higher-is-better or --lower-is-better"
# options with other names than their arguments
_OTHER_NAMES = {
    "baseline": ("control",),
    "format": ("format_in",),
    "effects": ("effect",),
    "n_resamples": ("orders", "simulations"),
    "rng": ("seed",),
    "F": ("f_statistic",),
}
_NOT_OPTIONS = ("scores",)  # the values of a table, which is also the name of an option
# parts that are not arguments: quoted text, and options with their values
_KEPT = r"""(?P<kept>(?<!\w)'[^']*'(?!\w)|(?<!\w)"[^"]*"|(?<![\w-])--[a-z][\w-]*(?:[ ](?:'[^']*'|"[^"]*"|[^\s'"])+)?)"""
_END = r"(?=[\s,;)]|\.?$|\.\s)"
_VERB = r"must(?![ ]hold)|is[ ]not|is[ ]for|belongs|contradicts|needs|requires|names"
# a number at the start of a message is not replaced, because it may be part of a file name, as in seed=3.csv
_ARGUMENT = re.compile(
    rf"""(?<![\w.'"/-])columns=\{{'(?P<column>\w+)':[ ](?P<named>'[^']*'|\.\.\.)\}}
    |(?<![\w.'"/-])(?P<argument>[a-z]\w*)=(?P<value>'[^']*'|True|False|){_END}
    |(?<!^)(?<![\w.'"/-])(?P<measured>[a-z]\w*)=(?P<number>\d+(?:\.\d+)?){_END}
    |claims\['(?P<claim>\w+)'\]
    |(?:^|(?<=:[ ]))(?P<subject>[a-z]\w*)(?:\[\d+\])?(?=[ ](?:{_VERB})\b)
    |(?:(?<=for[ ])|(?<=needs[ ])|(?<=takes[ ])|(?<=and[ ])|(?<=requires[ ]))(?P<word>[a-z]+(?:_[a-z]+)+)(?![\w.'"(=/-])
    |{_KEPT}""",
    re.VERBOSE,
)
_GROUPS = ("column", "argument", "measured", "claim", "subject", "word")


class OptionNames:
    """Options of a command by the arguments that they set. The command None represents any command."""

    def __init__(self, command: click.Command | None) -> None:
        self._is_any = command is None
        options = [] if command is None else [one for one in command.params if isinstance(one, click.Option)]
        self._named = {max(one.opts, key=len)[2:].replace("-", "_"): one for one in options}
        self._named |= {str(one.name): one for one in options}
        self._columns = [one.name for one in options if one.metavar == "COLUMN"]
        self._positional = [] if command is None else [one.name for one in command.params if one not in options]

    def of(self, argument: str) -> str | None:
        """Return the option for an argument, without a value, or None if the command has no such option."""
        if argument == "greater_is_better":
            return _DIRECTIONS if self._is_any or "lower_is_better" in self._named else None
        if self._is_any:
            return f"--{'from' if argument == 'format' else argument.replace('_', '-')}"
        for name in _OTHER_NAMES.get(argument, (argument, argument.removeprefix("n_"))):
            if name in self._named and not (name == argument and name in self._positional):
                return max(self._named[name].opts, key=len)
        return None

    def typed(self, argument: str, value: str | tuple[str, ...]) -> str | None:
        """Return the option that sets an argument, with the values, or None if the command has no such option."""
        option = self.of(argument)
        if option is None:
            return None
        if not isinstance(value, str):
            return " ".join(f"{self.typed(argument, one)}" for one in value)
        if argument == "greater_is_better":
            return {"True": "--higher-is-better", "False": "--lower-is-better"}.get(value, _DIRECTIONS)
        if argument == "metric":
            value = re.sub(",(?! )", ", ", value)  # a comma before a space is part of a name
        if value in ("True", "False"):
            return option if value == "True" else f"--no-{option[2:]}"
        words = {character: word for word, character in reversed(CHARACTERS.items())}
        return f"{option} {words.get(value) or shlex.quote(value)}" if value else option

    def written_in(self, message: str) -> str:
        """Return a message in which options replace the arguments outside of quotation marks."""
        return message if self._is_any else _ARGUMENT.sub(self._replaced, message)

    def _replaced(self, found: re.Match[str]) -> str:
        argument = next((found[group] for group in _GROUPS if found[group]), "")
        is_name = argument in self._columns if found["word"] else argument in _NOT_OPTIONS and found["subject"]
        if found["kept"] or is_name:  # y_true may also be the name of a column
            return found[0]
        value = found["named"] or found["value"] or found["number"] or ""
        return self.typed(argument, "" if value == "..." else value.strip("'")) or found[0]


def _running_options() -> OptionNames:
    """Return the options of the running command, or of any command if no command is running."""
    context = click.get_current_context(silent=True)
    if context is not None and isinstance(context.command, click.Group) and context.invoked_subcommand:
        return OptionNames(context.command.get_command(context, context.invoked_subcommand))
    return OptionNames(context.command if context is not None else None)
