"""Plug-ins of other packages: file formats, metrics and renderers, found by their entry points.

Entry points are loaded at first use. An error in a plug-in is raised as `PluginError`, which names the package of the
plug-in.
"""

from __future__ import annotations

__all__ = ["FORMATS", "METRICS", "RENDERERS", "Plugin", "PluginError", "blamed", "plugin_named", "plugins"]

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from evalstats._errors import EvalstatsError, short

FORMATS, METRICS, RENDERERS = "evalstats.formats", "evalstats.metrics", "evalstats.renderers"
_ONE_OF = {FORMATS: "format", METRICS: "metric", RENDERERS: "renderer"}


class PluginError(EvalstatsError, RuntimeError):
    """An error in a package that extends evalstats."""


class Plugin:
    """An entry point of another package.

    Attributes
    ----------
    name : str
        Name, as users type it.
    title : str
        Description and package, for messages.
    """

    def __init__(self, entry: EntryPoint) -> None:
        self._entry, self.name = entry, entry.name
        package = "" if entry.dist is None else f" of the package {entry.dist.name} {entry.dist.version}"
        self.title = f"the {_ONE_OF[entry.group]} {short(entry.name)}{package}"

    @cached_property
    def value(self) -> Any:
        """Object of the entry point, loaded once."""
        with blamed(self, "cannot be loaded"):
            return self._entry.load()


@cache
def plugins(group: str) -> tuple[Plugin, ...]:
    """Return the plug-ins of a group, sorted by name, without duplicate names."""
    found = {entry.name: entry for entry in sorted(entry_points(group=group), key=lambda entry: entry.value)}
    return tuple(Plugin(found[name]) for name in sorted(found))


def plugin_named(group: str, name: str) -> Plugin | None:
    """Return the plug-in with a name from a group, or None if the group has no such plug-in."""
    return next((one for one in plugins(group) if one.name == name), None)


@contextmanager
def blamed(plugin: Plugin, problem: str) -> Iterator[None]:
    """Convert errors in the context to `PluginError`, except the messages of the plug-in about the data."""
    try:
        yield
    except EvalstatsError:
        raise
    except Exception as error:
        words = " ".join(str(error).split())[:200]
        raise PluginError(f"{plugin.title} {problem} ({type(error).__name__}: {words})") from error
