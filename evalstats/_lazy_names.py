"""Lazy loading of the public names of a package, as listed in its stub."""

from __future__ import annotations

__all__ = ["check_installation", "modules_of_names", "shown_by_stub"]

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

_MIXED = (
    "another project with the import name evalstats (on PyPI: evalstats) has replaced files of classifier-evalstats; "
    "run: pip uninstall evalstats classifier-evalstats, and then: pip install classifier-evalstats"
)


def shown_by_stub(package: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` for a package that loads its names at first use.

    Each line of the `__init__.pyi` of the package is ``from module import name as name``. Type checkers therefore read
    the same names.
    """
    check_installation()
    homes = modules_of_names(package)
    public = sorted(name for name in homes if not name.startswith("_"))

    def load(name: str) -> Any:
        try:
            home = homes[name]
        except KeyError:
            problem = f"module {package!r} has no attribute {name!r}{_where_it_is(package, homes, name)}"
            raise AttributeError(problem, name=name, obj=sys.modules[package]) from None
        # a name from the package itself is a subpackage
        value = import_module(f"{home}.{name}") if home == package else getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    return public, load, lambda: list(public)


def _where_it_is(package: str, homes: dict[str, str], name: str) -> str:
    """Return the end of an error message: the subpackage that contains a public name."""
    if name.startswith("_"):
        return ""
    below = (f"{package}.{one}" for one, home in homes.items() if home == package)
    found = [one for one in below if name in import_module(one).__all__]
    return f"; it is {found[0]}.{name}" if found else ""


def modules_of_names(package: str) -> dict[str, str]:
    """Return the module of each name in the stub of a package."""
    module = sys.modules[package]
    stub = os.path.join(module.__path__[0], "__init__.pyi")
    text = module.__spec__.loader.get_data(stub).decode()  # type: ignore[union-attr]  # from a folder or a zip file
    lines = (line.split() for line in text.splitlines())
    return {words[3]: words[1] for words in lines if words[:1] == ["from"]}


def check_installation() -> None:
    """Raise ImportError if installing or removing the other project has replaced or deleted files of this package."""
    # every version of the other project has a module io.py; this package has a folder with this name
    other = os.path.join(os.path.dirname(__file__), "io.py")
    if os.path.exists(other) or getattr(sys.modules["evalstats"], "__file__", None) is None:
        raise ImportError(_MIXED, name="evalstats")
