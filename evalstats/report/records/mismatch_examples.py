"""Python and R code that reproduces a mismatch."""

from __future__ import annotations

__all__ = ["python_line", "r_lines"]

import importlib
import inspect
import typing
from collections.abc import Mapping
from typing import Any

from evalstats.parity.numeric_difference import Mismatch
from evalstats.report.r_code import number, string


def python_line(mismatch: Mismatch) -> str:
    """Write the call of evalstats."""
    room, stem, name, _ = mismatch.case.split("/", 3)
    homes = ("evalstats", f"evalstats.{room}", f"evalstats.{room}.{stem}")
    module = next((home for home in homes if hasattr(importlib.import_module(home), name)), homes[-1])
    function = getattr(importlib.import_module(module), name, None)
    if function is None:
        return f"{module}.{name}({_given(mismatch.arguments)})"
    mine = inspect.signature(function).parameters
    given = {n: v for n, v in mismatch.arguments.items() if n in mine}
    call = f"{module}.{name}({_given(given, takes_lists=module == 'evalstats')})"
    if mismatch.field in ("", "value"):
        return call
    method = getattr(typing.get_type_hints(function).get("return"), mismatch.field, None)
    if not inspect.isfunction(method):
        return f"{call}.{mismatch.field}"
    taken = inspect.signature(method).parameters
    return f"{call}.{mismatch.field}({_given({n: v for n, v in mismatch.arguments.items() if n in taken})})"


def r_lines(mismatch: Mismatch) -> str:
    """Write the call of R, for a session that was started in the folder r_reference."""
    room, stem, name, _ = mismatch.case.split("/", 3)
    arguments = ", ".join(f"{key} = {_in_r(value)}" for key, value in mismatch.arguments.items())
    field = f"${mismatch.field}" if mismatch.field else ""
    return f'source("common.R"); source("{room}/{stem}.R"); {name}({arguments}){field}'


def _given(arguments: Mapping[str, Any], *, takes_lists: bool = True) -> str:
    """Write arguments; public functions accept lists, internal functions accept arrays."""
    written = {
        n: f"{v!r}" if takes_lists or not isinstance(v, list) else f"numpy.array({v!r})" for n, v in arguments.items()
    }
    return ", ".join(f"{name}={value}" for name, value in written.items())


def _in_r(value: Any) -> str:
    """Write a value in the form of the adapter: a matrix for a list of lists, a list for a dict, numbers as floats."""
    if isinstance(value, Mapping):
        return f"list({', '.join(f'{name} = {_in_r(item)}' for name, item in value.items())})"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return string(value)
    if isinstance(value, list | tuple):
        if value and all(isinstance(row, list | tuple) for row in value):
            cells = ", ".join(_in_r(cell) for row in value for cell in row)
            return f"matrix(c({cells}), nrow = {len(value)}, byrow = TRUE)"
        return f"c({', '.join(map(_in_r, value))})"
    return number(value)
