"""Renderers of records by the name of a format, in evalstats and in plug-ins."""

from __future__ import annotations

__all__ = ["render"]

from collections.abc import Callable
from importlib import import_module
from typing import Any

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._result import Record
from evalstats.report.blocks import Document
from evalstats.report.documents import document

OWN = {"text": "text", "markdown": "markdown", "latex": "latex", "html": "html", "json": "json", "r": "r_script"}


def render(record: Record | Document, format: str) -> str:  # noqa: A002  the word that users know
    """Render a record in a format with a given name.

    Parameters
    ----------
    record : Record or Document
        Any result of evalstats, or a document that was made from such a result.
    format : str
        ``'text'``, ``'markdown'``, ``'latex'``, ``'html'``, ``'json'``, ``'r'``, or the name of a renderer in a
        different package: a function that takes a `Document` and returns text.

    Returns
    -------
    str

    Raises
    ------
    InvalidValueError
        If there is no format with this name.
    PluginError
        If the package that adds the format does not work.

    Examples
    --------
    >>> import evalstats
    >>> from evalstats import report
    >>> advice = evalstats.which_test(n_classifiers=5, n_datasets=12)
    >>> report.render(advice, "markdown") == report.markdown(advice)
    True
    """
    format = _checks.text(format, "format")  # noqa: A001  as above
    if format in OWN:
        own: Callable[[Any], str] = getattr(import_module(f"evalstats.report.formats.{OWN[format]}"), OWN[format])
        return own(record)
    from evalstats._plugins import RENDERERS, PluginError, blamed, plugins

    added = {one.name: one for one in plugins(RENDERERS)}
    if format not in added:
        known = ", ".join([*OWN, *added])
        raise InvalidValueError(f"format must be one of {known}, not {short(format)}")
    plugin = added[format]
    shown = document(record)
    with blamed(plugin, "cannot write this record"):
        text = plugin.value(shown)
    if not isinstance(text, str):
        raise PluginError(f"{plugin.title} returned {type(text).__name__}, not text")
    return text
