"""Command-line interface: each command parses its options, calls a function and prints the result."""

from __future__ import annotations

__all__ = ["cli", "main"]

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalstats.cli.command_group import cli


def main() -> None:
    """Run the command ``evalstats``. Ctrl-C exits with status 130, even while modules are imported."""
    from evalstats._lazy_names import check_installation
    from evalstats.cli.interrupts import wait_for_modules

    try:
        check_installation()
    except ImportError as error:
        sys.stderr.write(f"Error: {error}\n")
        raise SystemExit(2) from None
    try:
        wait_for_modules()
        from evalstats.cli.command_group import main as run

        run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except Exception:  # a fault of the program is no result either, which some commands report by status 1
        sys.excepthook(*sys.exc_info())
        raise SystemExit(2) from None


def __getattr__(name: str) -> Any:
    if name != "cli":
        raise AttributeError(f"module 'evalstats.cli' has no attribute {name!r}")
    from evalstats.cli.command_group import cli as program

    return program
