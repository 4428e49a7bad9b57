"""Reference cases for the comparison with R, and their tolerances."""

from __future__ import annotations

__all__ = [
    "DEFAULT_TOLERANCE",
    "Case",
    "Reference",
    "Stem",
    "Tolerance",
    "WithoutR",
    "digest",
    "read_stem",
    "read_without_r",
    "reference_directory",
    "stem_names",
]

import hashlib
import io
import json
import lzma
import re
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Any

from evalstats._checks import is_among
from evalstats._errors import InvalidValueError, short
from evalstats._result import Record

IMPLEMENTATION, FORMULA = SOURCES = ("implementation", "formula")
"""Source of a result of R: an independent implementation, or R's distributions with our formula."""

DEFAULT_TOLERANCE = 1e-12
"""Tolerance for the relative difference between R and evalstats if no file states a different tolerance."""

# a function of common.R: the comment above it, its first line, and the indented or closing lines
_SHARED = re.compile(r"^(?:#.*\n)*(?P<name>[A-Za-z.][\w.]*) <- .*\n(?:(?:[ \t})].*)?\n)*", re.MULTILINE)

_HOW_CLOSE = frozenset({"tolerance", "tolerances", "absolute_tolerances", "reason"})


@dataclass(frozen=True, kw_only=True, eq=False)
class Tolerance(Record):
    """Largest difference allowed between two numbers, and the reason.

    Attributes
    ----------
    relative : float or None
        Relative difference allowed in every field, or None if not stated.
    fields, absolute : mapping of str to float
        Relative and absolute difference allowed in individual fields.
    reason : str or None
        Reason why a tolerance is wider than `DEFAULT_TOLERANCE`.
    """

    relative: float | None
    fields: Mapping[str, float]
    absolute: Mapping[str, float]
    reason: str | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Reference(Record):
    """Reference of one function.

    Attributes
    ----------
    function : str
        Name of the function.
    r : str
        R functions that the adapter calls.
    packages : tuple of str
        Packages of the R functions.
    source : str
        ``'implementation'``: R or one of its packages implements the statistic. ``'formula'``: the adapter contains
        our formula and calls R's distributions, so an error in the formula can affect both.
    second_source : str or None
        For ``'formula'``: the second source with which the function was compared, and the test.
    tolerance : Tolerance
        Largest difference allowed.
    """

    function: str
    r: str
    packages: tuple[str, ...]
    source: str
    second_source: str | None
    tolerance: Tolerance


@dataclass(frozen=True, kw_only=True, eq=False)
class Case(Record):
    """Reference case: the arguments of one call, by name."""

    stem: str
    name: str
    arguments: Mapping[str, Any]
    reference: Reference
    tolerance: Tolerance

    @property
    def function(self) -> str:
        """Name of the function that is called, the same in Python and in R."""
        return self.reference.function

    @property
    def identity(self) -> str:
        """``subpackage/module/function/case``."""
        return f"{self.stem}/{self.function}/{self.name}"

    @property
    def digest(self) -> str:
        """Digest of the arguments: a stored result with a different digest belongs to different arguments.

        The digest is short: 1 of 16 million changes goes unnoticed.
        """
        return digest(json.dumps(dict(self.arguments), sort_keys=True, ensure_ascii=False))[:6]

    @classmethod
    def generated(cls, stem: str, reference: Reference, arguments: Mapping[str, Any], number: int) -> Case:
        """Return a generated case. Its tolerances are the tolerances of its function."""
        return cls(
            stem=stem, name=f"generated-{number}", arguments=arguments, reference=reference, tolerance=_tolerance({})
        )

    def allowed(self, field: str) -> tuple[float, float]:
        """Return the relative and the absolute difference allowed in one field.

        A tolerance of a field has priority over a tolerance of all fields. A tolerance of the case has priority
        over a tolerance of its function.
        """
        mine, general = self.tolerance, self.reference.tolerance
        relative = next(
            value
            for value in (
                mine.fields.get(field),
                general.fields.get(field),
                mine.relative,
                general.relative,
                DEFAULT_TOLERANCE,
            )
            if value is not None
        )
        return relative, mine.absolute.get(field, general.absolute.get(field, 0.0))


@dataclass(frozen=True, kw_only=True, eq=False)
class Stem(Record):
    """Module of r_reference: its adapter in R, preceded by the functions of common.R that it uses, and its cases."""

    name: str
    adapter: str
    references: Mapping[str, Reference]
    cases: tuple[Case, ...]

    @cached_property
    def adapter_digest(self) -> str:
        """Digest of the code of the adapter, including the shared functions, without comments and empty lines."""
        lines = (line for line in self.adapter.splitlines() if line.strip() and not line.lstrip().startswith("#"))
        return digest("\n".join(lines))


def reference_directory() -> Traversable:
    """Return the directory r_reference: inside the archive of an installed package, or next to it in a checkout."""
    package = Path(str(files("evalstats")))
    archive, directory = package / "r_reference.zip.xz", package.parent / "r_reference"
    if archive.is_file():
        return zipfile.Path(zipfile.ZipFile(io.BytesIO(lzma.decompress(archive.read_bytes()))), "r_reference/")
    if directory.is_dir():
        return directory
    raise InvalidValueError(
        f"the directory r_reference with the cases for R is missing; looked for {archive} and {directory}"
    )


def stem_names(directory: Traversable | None = None) -> tuple[str, ...]:
    """Return the names ``subpackage/module`` of all modules with cases, sorted, by default in r_reference."""
    subpackages = [subpackage for subpackage in (directory or reference_directory()).iterdir() if subpackage.is_dir()]
    return tuple(
        sorted(
            f"{subpackage.name}/{file.name.removesuffix('.toml')}"
            for subpackage in subpackages
            for file in subpackage.iterdir()
            if file.name.endswith(".toml")
        )
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class WithoutR(Record):
    """A public function without an R reference: the reason, and the test that checks it instead."""

    function: str
    reason: str
    oracle: str


def read_without_r(directory: Traversable | None = None) -> tuple[WithoutR, ...]:
    """Return the public functions that R does not have, with the reasons."""
    file = (directory or reference_directory()) / "functions_without_r.toml"
    tables = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return tuple(WithoutR(function=name, **told) for name, told in sorted(tables.items()))


def read_stem(name: str, directory: Traversable | None = None) -> Stem:
    """Return the adapter and the cases of ``subpackage/module``."""
    directory = directory or reference_directory()
    if not is_among(name, known := stem_names(directory)):
        some = ", ".join(known[:5]) + (", ..." if len(known) > 5 else "")
        raise InvalidValueError(f"functions must be among {some}, not {short(name)}")
    subpackage, stem = name.split("/")
    adapter, table = directory / subpackage / f"{stem}.R", directory / subpackage / f"{stem}.toml"
    if not adapter.is_file():
        raise InvalidValueError(f"{name}.toml has no adapter: {name}.R is missing")
    try:
        tables = tomllib.loads(table.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise InvalidValueError(f"{name}.toml is not TOML: {error}") from error
    references = {key: _reference(f"{name}.toml", key, entry) for key, entry in tables.pop("reference", {}).items()}
    return Stem(
        name=name,
        adapter=_with_shared(adapter.read_text(encoding="utf-8"), directory / "common.R"),
        references=MappingProxyType(references),
        cases=tuple(_cases(name, tables, references)),
    )


def digest(text: str) -> str:
    """Return the first 8 hexadecimal digits of the SHA-256 of a string."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _with_shared(adapter: str, common: Traversable) -> str:
    """Return an adapter preceded by the functions of common.R that it uses, directly or indirectly.

    Other functions are omitted, so a stored result becomes outdated only if the code that computed it changes.
    """
    text = common.read_text(encoding="utf-8") if common.is_file() else ""
    functions = {found["name"]: found.group().rstrip() for found in _SHARED.finditer(text)}
    used: dict[str, str] = {}
    while named := {
        name: code
        for name, code in functions.items()
        if name not in used and _names(name, "\n".join([adapter, *used.values()]))
    }:
        used |= named
    return "\n\n".join([*(code for name, code in functions.items() if name in used), adapter])


def _names(name: str, code: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", code) is not None


def _reference(file: str, function: str, entry: dict[str, Any]) -> Reference:
    required = {"r", "packages", "source"}
    unknown = entry.keys() - _HOW_CLOSE - required - {"second_source"}
    if unknown or not required <= entry.keys():
        may, holds = ", ".join(sorted({*_HOW_CLOSE, "second_source"})), ", ".join(sorted(entry))
        raise InvalidValueError(
            f"[reference.{function}] in {file} must hold r, packages and source and may hold {may}; it holds {holds}"
        )
    source, second = entry["source"], entry.get("second_source")
    if not is_among(source, SOURCES) or (source == FORMULA) != bool(second):
        raise InvalidValueError(
            f"source of [reference.{function}] in {file} must be {IMPLEMENTATION!r}, or {FORMULA!r} with second_source"
        )
    return Reference(
        function=function,
        r=entry["r"],
        packages=tuple(entry["packages"]),
        source=source,
        second_source=second,
        tolerance=_tolerance(entry),
    )


def _cases(stem: str, tables: dict[str, Any], references: Mapping[str, Reference]) -> Iterator[Case]:
    for function, cases in tables.items():
        if function not in references:
            raise InvalidValueError(f"{stem}.toml has cases of {function}, but no [reference.{function}]")
        for name, entry in cases.items():
            yield Case(
                stem=stem,
                name=name,
                arguments=MappingProxyType({key: value for key, value in entry.items() if key not in _HOW_CLOSE}),
                reference=references[function],
                tolerance=_tolerance(entry),
            )


def _tolerance(entry: dict[str, Any]) -> Tolerance:
    return Tolerance(
        relative=entry.get("tolerance"),
        fields=MappingProxyType(entry.get("tolerances", {})),
        absolute=MappingProxyType(entry.get("absolute_tolerances", {})),
        reason=entry.get("reason"),
    )
