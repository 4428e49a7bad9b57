"""List of the file formats of other programs, with an example of each."""

from __future__ import annotations

__all__ = ["listed_formats"]

import json

import click

from evalstats.io.formats.format import Format
from evalstats.io.formats.recognition import formats_of, known_formats


def listed_formats(name: str | None, *, as_json: bool) -> str:
    """Return the list of all formats, or those of a program or a name with their examples, as text or as JSON."""
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
