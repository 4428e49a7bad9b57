"""Options of the caller for a source."""

from __future__ import annotations

__all__ = ["DEFAULT_PARSING", "THOUSANDS", "Asked", "given_together", "group_of", "one_by_one", "parsing_of"]

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, listed, short
from evalstats.tables.errors import GROUPS

THOUSANDS = (",", ".", "'", " ")  # a space stands for any space
DEFAULT_PARSING = {"encoding": "utf-8", "decimal": "auto"}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Options of the caller that concern a format.

    Attributes
    ----------
    metric : str or None
        Metric to compare, if the source has several metrics.
    greater_is_better : bool or None
        The direction, if the caller gave it.
    columns : mapping of str to str or None
        Columns that the caller named: ``dataset``, ``classifier``, ``score``, ``repeat``, ``fold`` and the columns of
        predictions.
    n_folds : int or None
        Number of folds in each repeat, if the source only numbers the splits of a cross-validation.
    pos_label : object
        The positive label, or a dict with one for each dataset, if the caller gave it.
    missing : str
        Treatment of missing scores; see `evalstats.read_table`.
    as_items : bool
        Whether answers to the questions of several benchmarks, or several answers to each question, may be returned as
        answers.
    transpose : bool or None
        For a dict of dicts: whether the outer keys are the datasets, if the caller stated this.
    """

    metric: str | None = None
    greater_is_better: bool | None = None
    columns: Mapping[str, str | None] = field(default_factory=dict)
    n_folds: int | None = None
    pos_label: Any = None
    missing: str = "raise"
    as_items: bool = False
    transpose: bool | None = None


def group_of(name: str, given: Mapping[str, Any] | None, names: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the arguments of a group of `read_table`, such as `columns`, with None for arguments that are not given.

    `names` contains the arguments that the function accepts; by default, all arguments of the group.
    """
    names = names or GROUPS[name]
    if given is not None and not isinstance(given, Mapping):
        raise InvalidTypeError(f"{name} must be a dict such as {{{names[0]!r}: ...}}, not {short(given)}")
    for one in given or {}:
        if one not in names:
            raise InvalidValueError(f"{name} takes {listed(names)}, not {short(one)}")
    return dict.fromkeys(names) | {one: value for one, value in (given or {}).items() if value is not None}


def given_together(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Move individual arguments of `read_table` into their groups, such as `columns`."""
    grouped = {name: value for name, value in arguments.items() if not any(name in own for own in GROUPS.values())}
    for group, names in GROUPS.items():
        own = {name: arguments[name] for name in names if arguments.get(name) is not None}
        if own:
            grouped[group] = {**(grouped.get(group) or {}), **own}
    return grouped


def one_by_one(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Move the arguments of the groups of `read_table` to the top level."""
    single = {name: value for name, value in arguments.items() if name not in GROUPS}
    return single | {name: value for group in GROUPS for name, value in (arguments.get(group) or {}).items()}


def parsing_of(given: Mapping[str, Any] | None, names: tuple[str, ...] = ()) -> dict[str, Any]:
    """Check the arguments in `parsing`, and fill in their defaults."""
    own = group_of("parsing", given, names)
    own = {name: DEFAULT_PARSING.get(name) if value is None else value for name, value in own.items()}
    _checks.choice(own["decimal"], "decimal", ("auto", ".", ","))
    if own.get("thousands") is not None:
        _checks.choice(own["thousands"], "thousands", THOUSANDS)
        if own["thousands"] == own["decimal"]:
            raise InvalidValueError(f"thousands must not be the decimal mark, but both are {short(own['decimal'])}")
    if own.get("transpose") is not None:
        own["transpose"] = _checks.boolean(own["transpose"], "transpose")
    header_rows = own.get("header_rows")
    if header_rows is not None and _checks.count(header_rows, "header_rows", minimum=0) > 2:
        raise InvalidValueError(f"header_rows must be 0 or 1 or 2, not {short(header_rows)}")
    if own.get("n_folds") is not None:
        own["n_folds"] = _checks.count(own["n_folds"], "n_folds")
    return own
