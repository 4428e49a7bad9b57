"""Facts about a source that are not in its record."""

from __future__ import annotations

__all__ = ["LeftOut"]

from dataclasses import dataclass

from evalstats._result import Record


@dataclass(frozen=True, kw_only=True, eq=False)
class LeftOut(Record):
    """A row or a column of a table that is not compared.

    Attributes
    ----------
    what : {'row', 'column'}
        Which of the two.
    name : str
        Its name.
    reason : str
        Why it is not compared, in words that follow the name.
    """

    what: str
    name: str
    reason: str
