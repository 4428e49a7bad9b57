"""Which names are public, and what do they stand for? Tests that must not forget a function ask here."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import Any

import evalstats

# their names are those of statistics too, or are written with the package always
WITH_PACKAGE = frozenset({"metrics", "plot", "report"})
# the command and the building blocks of the comparison with R take no data
NOT_OF_DATA = ("parity", "cli")


@cache
def public_names() -> dict[str, Any]:
    """Return what every name of a package stands for: of `metrics`, `plot` and `report` with the package."""
    packages = [m.name for m in pkgutil.walk_packages(evalstats.__path__, "evalstats.") if m.ispkg]
    found = {
        name: getattr(evalstats, name) for name in evalstats.__all__ if not inspect.ismodule(getattr(evalstats, name))
    }
    for package in packages:
        if package.endswith(NOT_OF_DATA):
            continue
        module, short = importlib.import_module(package), package.removeprefix("evalstats.")
        for name in getattr(module, "__all__", ()):
            found.setdefault(f"{short}.{name}" if short in WITH_PACKAGE else name, getattr(module, name))
    return found


def public_functions() -> dict[str, Callable[..., Any]]:
    """Return the functions among them."""
    return {name: value for name, value in public_names().items() if inspect.isfunction(value)}


def functions_by_name() -> dict[str, Callable[..., Any]]:
    """Return the functions by their names without the package; a statistic wins over the plot of the same name."""
    found = public_functions()
    plots_first = sorted(found, key=lambda name: not name.startswith("plot."))
    return {name.rpartition(".")[2]: found[name] for name in plots_first}
