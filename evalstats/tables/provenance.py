"""Facts about a source that are not in its record."""

from __future__ import annotations

__all__ = ["LeftOut"]

from dataclasses import dataclass

from evalstats._result import Record


@dataclass(frozen=True, kw_only=True, eq=False)
class LeftOut(Record):
    """Row or column of a table that is not compared.

    Attributes
    ----------
    what : {'row', 'column'}
        Whether it is a row or a column.
    name : str
        Its name.
    reason : str
        Reason, in words that follow the name.
    """

    what: str
    name: str
    reason: str
