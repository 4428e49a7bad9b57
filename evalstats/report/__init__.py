"""A record in words, tables and diagrams: results in, strings out.

Renderers know no statistics: every number and every decision is read from the record.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalstats.report.blocks import Document
    from evalstats.report.documents import document, sentence
    from evalstats.report.formats.html import html
    from evalstats.report.formats.json import json
    from evalstats.report.formats.latex import latex
    from evalstats.report.formats.markdown import markdown
    from evalstats.report.formats.r_script import r_script
    from evalstats.report.formats.text import text
    from evalstats.report.references import bibliography

__all__ = ["Document", "bibliography", "document", "html", "json", "latex", "markdown", "r_script", "sentence", "text"]

_HOMES = {"Document": "blocks", "bibliography": "references", "document": "documents", "sentence": "documents"}


def __getattr__(name: str) -> Any:
    """Load a format when it is first asked for: one report needs one of them."""
    if name not in __all__:
        raise AttributeError(f"module 'evalstats.report' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"evalstats.report.{_HOMES.get(name, f'formats.{name}')}")
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return __all__
