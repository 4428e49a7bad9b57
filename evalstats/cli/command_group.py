"""Commands of ``evalstats``. A command is imported when it is called."""

from __future__ import annotations

__all__ = ["COMMANDS", "cli", "main"]

import os
from importlib import import_module
from typing import Any

import click

import evalstats
from evalstats.cli.errors import one_line_errors
from evalstats.cli.output import print_text

COMMANDS = (
    "audit",
    "calibration",
    "compare",
    "error-rates",
    "examples",
    "formats",
    "gate",
    "judge",
    "metrics",
    "plan",
    "projection",
    "reproducibility",
    "serve",
    "study",
    "validate",
    "verify",
    "which-test",
)


class _Program(click.Group):
    """Group of commands that imports each command on demand and reports each error in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        stem = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"evalstats.cli.{stem}_command"), stem)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(_unknown(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option --help, which is hidden because the help of the program must fit on one screen."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.hidden = True
        return option

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description without an empty line above it, so the help fits into 24 lines."""
        with formatter.indentation():
            formatter.write_text(self.help or "")

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with one_line_errors():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with one_line_errors():
            return super().invoke(ctx)


def _unknown(word: str) -> str:
    """Return the error message for an unknown command, with a suggestion."""
    import shlex

    from evalstats._errors import did_you_mean

    if os.path.exists(word):
        return f"No such command {word!r}; to compare a table, run: evalstats compare {shlex.quote(word)}"
    return f"No such command {word!r}{did_you_mean(word, COMMANDS)}"


@click.group(cls=_Program, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(evalstats.__version__, prog_name="evalstats", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Compare classifiers with statistical tests."""
    if context.invoked_subcommand is None:
        print_text(context.get_help())


def main() -> None:
    """Run the command ``evalstats``."""
    cli(prog_name="evalstats")
