"""Manual pages of the commands. The same commands always give the same pages."""

from __future__ import annotations

__all__ = ["OF_COMMANDS", "SHELLS", "main", "statuses"]

import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from evalstats._version import __version__
from evalstats.cli.command_group import COMMANDS, cli
from evalstats.cli.options import grouped_options

NAME = "evalstats"
# path of the completion script of each shell below share/
SHELLS = {
    "bash": "bash-completion/completions/evalstats",
    "zsh": "zsh/site-functions/_evalstats",
    "fish": "fish/vendor_completions.d/evalstats.fish",
}

OF_ALL = {
    0: "The command succeeded. The status does not depend on whether classifiers differ.",
    2: "An option, the table or a file is invalid. The message is one line on standard error.",
    130: "Ctrl-C interrupted the command.",
    141: "The program that reads the output has ended. No message is printed.",
}
# meanings of the exit statuses of each command
OF_COMMANDS: dict[str, dict[int, str]] = {
    "audit": {1: "The published numbers contradict each other or a claim."},
    "gate": {0: "The candidate passes.", 1: "The candidate fails.", 3: "There are too few instances for a decision."},
    "serve": {0: "Ctrl-C or a termination signal ended the web interface."},
    "validate": {1: "A result differs from the R result, or a check could not be completed."},
    "verify": {
        0: "Verified: every value is reproduced, and the report was not edited.",
        1: "Not verified: a value differs or was not recomputed, or the report was edited.",
        3: "Cannot be verified: another version of evalstats wrote the report, and this version cannot recompute it.",
    },
}
NEVER = {"serve": (130,)}


def main(share: str) -> None:
    """Write the manual pages and the completion scripts below a directory such as ``/usr/local/share``."""
    texts = {f"man/man1/{name}": page for name, page in manual_pages().items()}
    texts |= {place: completion_script(shell) for shell, place in SHELLS.items()}
    for place, text in texts.items():
        path = Path(share, place)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def completion_script(shell: str) -> str:
    """Return the completion script for a shell."""
    from click.shell_completion import ShellComplete, get_completion_class

    kind: type[ShellComplete] | None = get_completion_class(shell)
    if kind is None:
        raise ValueError(f"shell must be one of {', '.join(SHELLS)}, not {shell!r}")
    # method of the base class, because the method of the bash class runs bash to find its version
    script = ShellComplete.source(kind(cli, {}, NAME, f"_{NAME.upper()}_COMPLETE"))
    # values and their help may contain commas
    return script.replace('(string split "," ', '(string split --max 1 "," ')


def manual_pages() -> dict[str, str]:
    """Return the manual pages of the program and of each command by their file names."""
    context = click.Context(cli, info_name=NAME, **cli.context_settings)
    commands = {name: cli.get_command(context, name) for name in COMMANDS}
    pages = {f"{NAME}.1": _page(context, NAME, "\n".join(_of_program(commands)))}
    for name, command in commands.items():
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        pages[f"{NAME}-{name}.1"] = _page(inner, f"{NAME}-{name}", "\n".join(_of_command(inner)))
    return pages


def _page(context: click.Context, name: str, rest: str) -> str:
    """Return a manual page with its title, name, synopsis and remaining sections."""
    usage = " ".join(context.command.collect_usage_pieces(context))
    short = context.command.get_short_help_str(limit=200) if name != NAME else (context.command.help or "")
    return (
        f'.TH "{_text(name.upper())}" "1" "" "{_text(f"{NAME} {__version__}")}" "{_text(NAME)}"\n'
        f".SH NAME\n{_text(name)} \\- {_text(_lower(short))}\n"
        f".SH SYNOPSIS\n.B {_text(context.command_path)}\n{_text(usage)}\n{rest}\n"
    )


def _of_program(commands: dict[str, click.Command | None]) -> Iterator[str]:
    yield ".SH COMMANDS"
    for name, command in commands.items():
        assert command is not None
        yield f".TP\n.BR {_text(f'{NAME}-{name}')} (1)\n{_text(command.get_short_help_str(limit=200))}"
    yield ".SH OPTIONS"
    yield from _options([("--version", "Show the version and exit."), ("-h, --help", "Show this message and exit.")])
    yield from _statuses("")


def _of_command(context: click.Context) -> Iterator[str]:
    paragraphs = re.split(r"\n\s*\n", (context.command.help or "").strip())
    yield ".SH DESCRIPTION"
    yield "\n.PP\n".join(_text(" ".join(paragraph.split())) for paragraph in paragraphs)
    groups = grouped_options(context.command, context)
    yield ".SH OPTIONS"
    for heading, records in groups.items():
        if len(groups) > 1:
            yield f".SS {_text(heading)}"
        yield from _options(records)
    yield from _statuses(str(context.info_name))
    yield f".SH SEE ALSO\n.BR {_text(NAME)} (1)"


def _options(records: list[tuple[str, str]]) -> Iterator[str]:
    for option, words in records:
        yield f".TP\n.B {_text(option)}\n{_text(words)}"


def _statuses(command: str) -> Iterator[str]:
    yield ".SH EXIT STATUS"
    for status, words in statuses(command).items():
        yield f".TP\n.B {status}\n{_text(words)}"


def _lower(sentence: str) -> str:
    return f"{sentence[:1].lower()}{sentence[1:]}".removesuffix(".")


def _text(words: str) -> str:
    """Return text that is escaped for roff and wrapped into short lines."""
    told = " ".join(words.split()).replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    lines = textwrap.wrap(told, 78, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines)


def statuses(command: str) -> dict[int, str]:
    """Return the exit statuses of a command in ascending order with their meanings."""
    told = OF_ALL | OF_COMMANDS.get(command, {})
    return {status: told[status] for status in sorted(told) if status not in NEVER.get(command, ())}


if __name__ == "__main__":
    main(*sys.argv[1:])
