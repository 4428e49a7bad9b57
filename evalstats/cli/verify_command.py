"""``evalstats verify``: do the numbers of a saved report come out again?"""

from __future__ import annotations

__all__ = ["verify"]

import click

from evalstats.cli.options import argument, option, source_of
from evalstats.cli.printing import REPORTS, show


@click.command(short_help="Make what a saved report tells again.")
@argument("report")
@option(
    "--data",
    "FILE",
    "What was compared, to be read again (may be repeated), not the scores in the report.",
    "files",
    multiple=True,
)
@option("--format", "NAME", ", ".join(REPORTS) + ".", type=click.Choice(REPORTS), default="text")
def verify(report: str, *, files: tuple[str, ...], format: str) -> None:
    """Make what REPORT, a file in JSON, tells again, and say which of its values come out otherwise.

    The status is 0 where all come out again, 1 where one does not or the report was edited, and 2 for an error.
    """
    from evalstats.verification.verifying import verify_report

    verification = verify_report(report, data=source_of(files) if files else None)
    show(verification, format)
    if not verification.ok:
        raise click.exceptions.Exit(1)
