"""The command line: parse, call, print."""

from evalstats.cli.commands import cli, main

__all__ = ["cli", "main"]
