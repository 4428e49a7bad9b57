"""``evalstats formats``: list the file formats of other programs."""

from __future__ import annotations

__all__ = ["formats"]

import json
from typing import TYPE_CHECKING

import click

from evalstats.cli.options import StrictCommand, argument, option
from evalstats.cli.output import print_text

if TYPE_CHECKING:
    from evalstats.io.formats.format import Format


@click.command(cls=StrictCommand, short_help="List the supported file formats.")
@argument("name", required=False)
@option("--format", "NAME", "Output format: text or json.", type=click.Choice(("text", "json")), default="text")
def formats(name: str | None, format: str) -> None:
    """List the file formats of other programs, or describe the format NAME with an example."""
    print_text(listed_formats(name, as_json=format == "json"))


def listed_formats(name: str | None, *, as_json: bool) -> str:
    """Return the list of all formats, or the description of one format, as text or JSON."""
    from evalstats.io.formats.recognition import formats_of, known_formats

    found = known_formats() if name is None else formats_of(name)
    if as_json:
        told = [_told(one) for one in found]
        return json.dumps(told if len(told) > 1 else told[0], indent=2, ensure_ascii=False)
    if name is None:
        formatter = click.HelpFormatter()
        formatter.write_dl([(one.name, f"{one.title}: {one.description}") for one in found])
        return formatter.getvalue()
    return "\n".join(map(_described, found))


def _described(one: Format) -> str:
    formatter = click.HelpFormatter()
    formatter.write_text(f"{one.title} ({one.name})")
    formatter.write_text(one.description)
    return f"{formatter.getvalue()}\n{one.example.rstrip()}\n"


def _told(one: Format) -> dict[str, str]:
    return {"name": one.name, "title": one.title, "description": one.description, "example": one.example}
