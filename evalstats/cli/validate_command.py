"""``evalstats validate``: does R say the same?"""

from __future__ import annotations

__all__ = ["validate"]

import click

from evalstats.cli.option_groups import HeadedCommand
from evalstats.cli.options import argument, option
from evalstats.cli.output import REPORTS, FormatName, show, shown_progress
from evalstats.cli.output_files import refuse_places, write_files


@click.command(cls=HeadedCommand, short_help="Check the statistics against R.")
@argument("stems", metavar="[FUNCTION]...", nargs=-1)
@click.option("--live", is_flag=True, help="Ask R now; it is an error if R does not work.")
@click.option("--stored", is_flag=True, help="Compare with the kept answers of R only; needs no R.")
@option("--fuzz", "N", "Ask R about N generated inputs per function as well.", default=0)
@option("--seconds", "N", "Stop generating inputs after this time.", type=float)
@option("--seed", "N", "Seed of the generated inputs.", type=click.IntRange(min=0))
@option("--junit", "PATH", "Write the result as JUnit's XML too, for a server.")
@option("--format", "NAME", ", ".join(REPORTS) + ".", type=FormatName(REPORTS), default="text")
def validate(
    stems: tuple[str, ...],
    *,
    live: bool,
    stored: bool,
    fuzz: int,
    seconds: float | None,
    seed: int | None,
    junit: str | None,
    format: str,
) -> None:
    """Check the statistics against R: its kept answers and, where R works, what it answers now."""
    from evalstats.parity import validate as check

    if live and stored:
        raise click.UsageError("--live and --stored exclude each other")
    if junit is not None:
        refuse_places((), {"--junit": junit})
    with shown_progress() as progress:
        report = check(
            live=live if live or stored else "auto",
            fuzz=fuzz,
            rng=seed,
            seconds=seconds,
            stems=stems or None,
            progress=progress,
        )
    if junit is not None:
        from evalstats.report.formats.junit import junit as written

        write_files({junit: written(report).encode("utf-8", "backslashreplace")})
    show(report, format)
    if not report.ok:
        raise click.exceptions.Exit(1 if report.complete else 130)
