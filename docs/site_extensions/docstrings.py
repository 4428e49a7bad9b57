"""Every public name stands in full on one page: what its docstring says, at the end of the page of its module.

A name of a module that has no page of its own stands on the page of its room that names it most often.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from inspect import isclass, isroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

import evalstats

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).parents[1]
PACKAGE = Path(evalstats.__file__).parent
GROUND = "results-and-errors"  # the page of the names that belong to no room


@cache
def homes() -> dict[str, str]:
    """Return the page of every public name, which is written as users write it."""
    found: dict[str, str] = {}
    for stub in [PACKAGE / "__init__.pyi", *sorted(PACKAGE.glob("*/__init__.pyi"))]:
        room = stub.parent.name if stub.parent != PACKAGE else ""
        for line in stub.read_text(encoding="utf-8").splitlines():
            words = line.split()
            module, name = words[1], words[3]
            is_above = room == "" and module.count(".") == 1 and not module.startswith("evalstats._")
            if name.startswith("_") or module == "evalstats" or is_above:
                continue
            shown = f"evalstats.{name}" if name in evalstats.__all__ else f"evalstats.{room}.{name}"
            found.setdefault(shown, home(module.removeprefix("evalstats.").replace(".", "/"), name))
    return found


def home(stem: str, name: str) -> str:
    """Return the page of a name of a module."""
    room = stem.split("/", maxsplit=1)[0]
    if not (DOCS / "reference" / room).is_dir():
        return GROUND
    if (DOCS / "reference" / f"{stem}.md").is_file():
        return f"reference/{stem}"
    word = re.compile(rf"\b{name}\b")
    pages = sorted((DOCS / "reference" / room).glob("*.md"))
    counts = {path.stem: len(word.findall(path.read_text(encoding="utf-8"))) for path in pages}
    return f"reference/{room}/{max(counts, key=lambda page: (counts[page], page != 'index'))}"


def resolve(name: str) -> Any:
    """Return what a name of evalstats stands for."""
    module, _, attribute = name.rpartition(".")
    return getattr(import_module(module), attribute)


def directive(name: str) -> str:
    """Return the directive that shows a docstring."""
    value = resolve(name)
    if isclass(value):
        return f".. autoclass:: {name}\n   :members:\n"
    return f".. autofunction:: {name}\n" if isroutine(value) else f".. autodata:: {name}\n   :no-value:\n"


def append(app: Sphinx, docname: str, source: list[str]) -> None:
    """Write the docstrings below a page, and the names of a room below the page of the room."""
    names = [name for name, page in homes().items() if page == docname]
    if names:
        names.sort(key=lambda name: (isclass(resolve(name)), list(homes()).index(name)))
        blocks = "\n".join(directive(name) for name in names)
        source[0] += f"\n## In full\n\n```{{eval-rst}}\n{blocks}```\n"
    room = re.fullmatch(r"reference/(\w+)/index", docname)
    if room:
        names = [n for n, page in homes().items() if page.startswith(f"reference/{room[1]}/") and isroutine(resolve(n))]
        listed = "\n".join(f"   ~{name}" for name in sorted(names))
        table = f".. autosummary::\n   :nosignatures:\n\n{listed}"
        source[0] += f"\n## Functions\n\n```{{eval-rst}}\n{table}\n```\n" * bool(names)


def without_fields(
    app: Sphinx, what: str, name: str, value: Any, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Leave out the arguments of a record that nobody makes by hand: its attributes say the same."""
    is_record = what == "class" and "Parameters\n" not in (value.__doc__ or "")
    return (None if is_record else signature), returned


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect."""
    app.connect("source-read", append, priority=200)
    app.connect("autodoc-process-signature", without_fields)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
