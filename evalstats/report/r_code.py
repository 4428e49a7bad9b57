"""Safe R code for numbers, names and functions: R never executes a name as code."""

from __future__ import annotations

__all__ = [
    "CLOSE",
    "IN_R",
    "agreement",
    "agreements",
    "functions_for",
    "matrix",
    "not_checked",
    "not_installed",
    "number",
    "numbers",
    "string",
    "strings",
    "whole_numbers",
]

import math
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

CLOSE = "relative = 1e-7, slack = 1e-12"
# adjustments of check.R
IN_R = (
    *("none", "bonferroni", "holm", "hochberg", "hommel", "bh", "by", "sidak", "holm-sidak", "holland", "finner"),
    *("li", "shaffer"),
)


def number(value: float) -> str:
    """Format a number with all its digits."""
    if math.isnan(value):
        return "NaN"
    return repr(float(value)) if math.isfinite(value) else "Inf" if value > 0 else "-Inf"


def numbers(values: Iterable[float]) -> str:
    """Format a vector of numbers."""
    return f"c({', '.join(map(number, values))})"


def whole_numbers(values: Iterable[Any]) -> str:
    """Format a vector of integers."""
    return f"c({', '.join(str(int(value)) for value in values)})"


def strings(names: Iterable[str]) -> str:
    """Format a vector of names."""
    return f"c({', '.join(map(string, names))})"


def string(name: str) -> str:
    """Quote a name for R so that R executes no part of it as code."""
    return '"' + "".join(map(_escaped, name)) + '"'


def _escaped(character: str) -> str:
    if character in '\\"':
        return "\\" + character
    if character.isascii() and character.isprintable():
        return character
    # R has no strings with NUL or with surrogate code points
    code = ord(character) if character != "\0" and not "\ud800" <= character <= "\udfff" else 0xFFFD
    return f"\\U{{{code:x}}}"


def matrix(name: str, values: Any, rows: Iterable[str] | None, columns: Iterable[str]) -> str:
    """Format a matrix with the names of its rows and columns; missing values become NA."""
    n, k = values.shape
    lines = ",\n".join("  " + ", ".join("NA" if x != x else repr(x) for x in row) for row in values.tolist())  # noqa: PLR0124 - nan alone differs from itself
    named = "NULL" if rows is None else strings(rows)
    return (
        f"{name} <- matrix(c(\n{lines}\n), nrow = {n}, ncol = {k}, byrow = TRUE, dimnames = list(\n"
        f"  {named},\n  {strings(columns)}\n))"
    )


def agreement(what: str, evalstats: float, r: str, *, tolerance: str = "") -> str:
    """Return the R line that prints a number next to the value of R."""
    return f"agree({string(what)}, {number(evalstats)}, {r}{tolerance and ', '}{tolerance})"


def agreements(what: str, evalstats: Any, r: str, tolerance: str = CLOSE) -> str:
    """Write the line that prints numbers next to the values of R; `what` is R code for the names of the numbers."""
    return f"agree({what}, {numbers(evalstats)}, {r}{tolerance and ', '}{tolerance})"


def not_checked(what: str, why: str) -> str:
    """Return the R line that names a quantity that the script does not check, with the reason."""
    return f"not_checked({string(what)}, {string(why)})"


def not_installed(package: str) -> str:
    """Return the reason why R does not check a quantity if a package is not installed."""
    return f"the package {package} is not installed; install.packages('{package}') installs it"


def functions_for(code: str) -> str:
    """Return the R functions that the code calls, directly or indirectly."""
    known = _functions()
    wanted: set[str] = set()
    waiting = [code]
    while waiting:
        words = set(re.findall(r"[a-z_]+", waiting.pop()))
        called = [name for name in known if name in words and name not in wanted]
        wanted.update(called)
        waiting += (known[name] for name in called)
    return "\n".join(text for name, text in known.items() if name in wanted)


@cache
def _functions() -> dict[str, str]:
    """Return the text of each function of check.R, with the comment above it."""
    text = files(__package__).joinpath("check.R").read_text(encoding="utf-8")
    blocks = re.split(r"\n\n(?=#|\w)", text.strip())
    named = ((re.search(r"^(\w+) <- function", block, re.MULTILINE), f"{block}\n") for block in blocks)
    return {found[1]: block for found, block in named if found}
