"""``evalstats validate``: compare the results with R results."""

from __future__ import annotations

__all__ = ["validate"]

import click

from evalstats.cli.options import HeadedCommand, argument, option
from evalstats.cli.output import REPORTS, FormatName, refuse_places, show, shown_progress, write_files


@click.command(cls=HeadedCommand, short_help="Compare the statistics with R results.")
@argument("functions", metavar="[FUNCTION]...", nargs=-1)
@click.option("--live", is_flag=True, help="Run R; fail if R is not available.")
@click.option("--stored", is_flag=True, help="Use the stored R results only; R is not needed.")
@option("--fuzz", "N", "Add N generated inputs per function.", default=0)
@option("--seconds", "N", "Time limit in seconds for generated inputs.", type=float)
@option("--seed", "N", "Random seed of the generated inputs.", type=click.IntRange(min=0))
@option("--junit", "PATH", "Save a JUnit XML file.")
@option("--format", "NAME", f"Output format: {', '.join(REPORTS)}.", type=FormatName(REPORTS), default="text")
def validate(
    functions: tuple[str, ...],
    *,
    live: bool,
    stored: bool,
    fuzz: int,
    seconds: float | None,
    seed: int | None,
    junit: str | None,
    format: str,
) -> None:
    """Compare the statistics with stored R results and, if R is installed, with live R results."""
    from evalstats.parity import validate as check

    if live and stored:
        raise click.UsageError("--live and --stored cannot be combined")
    if junit is not None:
        refuse_places((), {"--junit": junit})
    with shown_progress() as progress:
        report = check(
            live=live if live or stored else "auto",
            fuzz=fuzz,
            rng=seed,
            seconds=seconds,
            functions=functions or None,
            progress=progress,
        )
    if junit is not None:
        from evalstats.report.records.parity import junit as written

        write_files({junit: written(report).encode("utf-8", "backslashreplace")})
    show(report, format)
    if not report.ok:
        raise click.exceptions.Exit(1 if report.complete else 130)
