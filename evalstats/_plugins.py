"""What do other packages add to evalstats? Formats, metrics and renderers, found by their entry points.

An entry point is looked up when it is first needed, and loaded when it is first used. What goes wrong in a package of
somebody else is told in one sentence that names the package.
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
    """A package that adds something to evalstats does not work."""


class Plugin:
    """An entry point of another package.

    Attributes
    ----------
    name : str
        As users type it.
    title : str
        What it is and whose, for messages.
    """

    def __init__(self, entry: EntryPoint) -> None:
        self._entry, self.name = entry, entry.name
        package = "" if entry.dist is None else f" of the package {entry.dist.name} {entry.dist.version}"
        self.title = f"the {_ONE_OF[entry.group]} {short(entry.name)}{package}"

    @cached_property
    def value(self) -> Any:
        """What the entry point names, loaded once."""
        with blamed(self, "cannot be loaded"):
            return self._entry.load()


@cache
def plugins(group: str) -> tuple[Plugin, ...]:
    """Return what other packages add to a group, in the order of their names; one name counts once."""
    found = {entry.name: entry for entry in sorted(entry_points(group=group), key=lambda entry: entry.value)}
    return tuple(Plugin(found[name]) for name in sorted(found))


def plugin_named(group: str, name: str) -> Plugin | None:
    """Return what another package adds to a group under a name, None if none does."""
    return next((one for one in plugins(group) if one.name == name), None)


@contextmanager
def blamed(plugin: Plugin, problem: str) -> Iterator[None]:
    """Tell of any error inside that it is one of a plug-in; what the plug-in says about the data stays as it is."""
    try:
        yield
    except EvalstatsError:
        raise
    except Exception as error:
        words = " ".join(str(error).split())[:200]
        raise PluginError(f"{plugin.title} {problem} ({type(error).__name__}: {words})") from error
