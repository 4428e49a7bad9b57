"""Parts of a source that a record omits."""

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
        Type of the omitted part.
    name : str
        Name of the row or column.
    reason : str
        Reason for the omission, as words that follow the name in a sentence.
    """

    what: str
    name: str
    reason: str
