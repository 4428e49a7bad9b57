"""``evalstats verify``: do the numbers of a saved report come out again?"""

from __future__ import annotations

__all__ = ["verify"]

import click

from evalstats.cli.option_groups import StrictCommand
from evalstats.cli.options import argument, option, source_of
from evalstats.cli.output import REPORTS, FormatName, show

STATUSES = {"verified": 0, "not verified": 1, "cannot be verified": 3}


@click.command(cls=StrictCommand, short_help="Make what a saved report tells again.")
@argument("report")
@option(
    "--data",
    "FILE",
    "What was compared, to be read again (may be repeated), not the scores in the report.",
    "files",
    multiple=True,
)
@option("--format", "NAME", ", ".join(REPORTS) + ".", type=FormatName(REPORTS), default="text")
def verify(report: str, *, files: tuple[str, ...], format: str) -> None:
    """Make what REPORT, a file in JSON, tells again, and say which of its values come out otherwise.

    The status is 0 where the report is verified: every value comes out again, and it is as evalstats wrote it. It is 1
    where it is not, 2 for an error, and 3 where another version of evalstats wrote what this one cannot make again.
    """
    from evalstats.verification.report_check import verify_report

    verification = verify_report(report, data=source_of(files) if files else None)
    show(verification, format)
    if status := STATUSES[verification.status]:
        raise click.exceptions.Exit(status)
