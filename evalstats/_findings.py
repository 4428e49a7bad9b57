"""Findings of all checks of the package, and omitted rows and columns of a table."""

from __future__ import annotations

__all__ = ["SEVERITIES", "Finding", "LeftOut", "gravest_first", "note", "warning"]


from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from evalstats._errors import bounded
from evalstats._result import Record

SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, kw_only=True, eq=False)
class Finding(Record):
    """Finding of a check of the data, the design or a publication.

    Attributes
    ----------
    code : str
        Fixed code of the finding; the documentation of the check lists its codes.
    severity : str
        ``'error'``: the numbers are wrong or meaningless; ``'warning'``: the numbers may be misleading; ``'note'``:
        additional information.
    sentence : str
        The finding as a sentence, with its numbers.
    places : tuple of dict
        Places of the finding as dicts, such as ``{'dataset': 'iris', 'classifier': 'NB'}`` or ``{'fold': 3}``. The
        tuple is empty if the finding applies to all data.
    numbers : dict of str to float
        Numbers in the sentence, by name.
    """

    code: str
    severity: str
    sentence: str
    places: tuple[dict[str, Any], ...] = ()
    numbers: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # the beginning of a list of thousands of names is sufficient
        object.__setattr__(self, "sentence", bounded(self.sentence))

    def __str__(self) -> str:
        return f"{self.severity}: {self.sentence}"

    def named(self, what: str) -> tuple[Any, ...]:
        """Return the distinct names for one key in `places`, in the order of the places.

        Parameters
        ----------
        what : str
            ``'dataset'``, ``'classifier'``, ``'fold'`` or another key of the places.

        Returns
        -------
        tuple
        """
        return tuple(dict.fromkeys(place[what] for place in self.places if what in place))


@dataclass(frozen=True, kw_only=True, eq=False)
class LeftOut(Record):
    """Row or column of a table that is not compared.

    Attributes
    ----------
    what : {'row', 'column'}
        Row or column.
    name : str
        Name of the row or column.
    reason : str
        Reason, as a phrase that follows the name.
    """

    what: str
    name: str
    reason: str


def gravest_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort findings: errors first, then warnings, then notes."""
    return tuple(sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)))


def note(code: str, sentence: str) -> Finding:
    """Return a finding of severity 'note' about the interpretation of a source."""
    return Finding(code=code, severity="note", sentence=sentence)


def warning(code: str, sentence: str) -> Finding:
    """Return a finding of severity 'warning' about the interpretation of a source."""
    return Finding(code=code, severity="warning", sentence=sentence)
