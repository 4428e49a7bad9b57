"""``evalstats formats``: list the file formats of other programs."""

from __future__ import annotations

__all__ = ["formats"]

import click

from evalstats.cli.option_groups import StrictCommand
from evalstats.cli.options import argument, option
from evalstats.cli.output import print_text


@click.command(cls=StrictCommand, short_help="List the supported file formats.")
@argument("name", required=False)
@option("--format", "NAME", "text or json.", type=click.Choice(("text", "json")), default="text")
def formats(name: str | None, format: str) -> None:
    """List the file formats of other programs, or describe the format NAME with an example."""
    from evalstats.cli.format_listing import listed_formats

    print_text(listed_formats(name, as_json=format == "json"))
