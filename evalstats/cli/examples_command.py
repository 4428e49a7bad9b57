"""``evalstats examples``: list the example tables."""

from __future__ import annotations

__all__ = ["examples"]

import click

from evalstats.cli.options import StrictCommand, argument
from evalstats.cli.output import print_text


@click.command(cls=StrictCommand, short_help="List the example tables, or print one.")
@argument("name", required=False)
def examples(name: str | None) -> None:
    """List the example tables, or print the table NAME as CSV."""
    from evalstats.examples import example_names, example_path, example_source

    if name is not None:
        print_text(example_path(name).read_text(encoding="utf-8"))
        return
    sources = {known: example_source(known) for known in example_names()}
    formatter = click.HelpFormatter()
    formatter.write_dl([(known, f"{source.title} ({source.metric})") for known, source in sources.items()])
    print_text(formatter.getvalue())
