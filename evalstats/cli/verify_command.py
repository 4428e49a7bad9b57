"""``evalstats verify``: recompute the values of a saved report."""

from __future__ import annotations

__all__ = ["verify"]

import click

from evalstats.cli.options import StrictCommand, argument, option, source_of
from evalstats.cli.output import REPORTS, FormatName, show

STATUSES = {"verified": 0, "not verified": 1, "cannot be verified": 3}


@click.command(cls=StrictCommand, short_help="Recompute a saved report and compare the values.")
@argument("report")
@option("--data", "FILE", "Original data file, to repeat the comparison. Repeatable.", "files", multiple=True)
@option("--format", "NAME", f"Output format: {', '.join(REPORTS)}.", type=FormatName(REPORTS), default="text")
def verify(report: str, *, files: tuple[str, ...], format: str) -> None:
    """Recompute the JSON report REPORT and list the values that differ.

    Exit status: 0 verified, 1 different or edited, 2 error, 3 written by another version of evalstats that this version
    cannot recompute.
    """
    from evalstats.verification.report_check import verify_report

    verification = verify_report(report, data=source_of(files) if files else None)
    show(verification, format)
    if status := STATUSES[verification.status]:
        raise click.exceptions.Exit(status)
