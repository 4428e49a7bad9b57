"""Which formats of other programs are read, and how does a file of each look?"""

from __future__ import annotations

__all__ = ["listed_formats"]

import json

import click

from evalstats.io.formats.format import Format
from evalstats.io.formats.recognition import format_named, known_formats


def listed_formats(name: str | None, *, as_json: bool) -> str:
    """Return the list of all formats, or one of them with its example, as text or as JSON."""
    if as_json:
        found = [_told(one) for one in known_formats()] if name is None else _told(format_named(name))
        return json.dumps(found, indent=2, ensure_ascii=False)
    formatter = click.HelpFormatter()
    if name is None:
        formatter.write_dl([(one.name, f"{one.title}: {one.description}") for one in known_formats()])
        return formatter.getvalue()
    one = format_named(name)
    formatter.write_text(f"{one.title} ({one.name})")
    formatter.write_text(one.description)
    return f"{formatter.getvalue()}\n{one.example.rstrip()}\n"


def _told(one: Format) -> dict[str, str]:
    return {"name": one.name, "title": one.title, "description": one.description, "example": one.example}
