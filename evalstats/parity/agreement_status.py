"""Where do we agree with R, and where not?"""

from __future__ import annotations

__all__ = ["FunctionParity", "ParityReport"]

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalstats._result import Record
from evalstats.parity.numeric_difference import Mismatch
from evalstats.parity.reference_cases import WithoutR


@dataclass(frozen=True, kw_only=True, eq=False)
class FunctionParity(Record):
    """What the cases of one function showed.

    Attributes
    ----------
    statistic : str
        Name of the function, the same in Python and in R.
    stem : str
        ``room/stem``: where its adapter and its cases stand in r_reference.
    asked : str
        The R functions behind the adapter.
    frozen_versions, live_versions : mapping of str to str
        Versions of R and of the packages that gave the frozen and the live answers; empty where there are none.
    n_cases : int
        Cases by hand.
    n_frozen, n_live : int
        How many of them were compared with a frozen and with a live answer.
    n_generated, n_unanswered : int
        Generated inputs that live R was asked, and those among them to which it has no answer.
    largest_frozen, largest_live, largest_generated : float or None
        Largest relative difference over all fields; None where nothing was compared. A difference that is allowed
        absolutely counts as the same share of the relative tolerance.
    tolerance, widest_tolerance : float
        Largest relative difference allowed in general, and in the single field or case for which most is allowed.
    absolute_tolerance : float
        Largest absolute difference allowed in a single field or case; 0 where none is.
    reasons : tuple of str
        Why a tolerance is wider than the general one.
    unanswered : mapping of str to int
        Why R had no answer to generated inputs, and how often.
    mismatches : tuple of Mismatch
        Everything on which R and we disagree.
    verdict : str
        ``'agrees'``, ``'differs'`` or ``'not checked'``.
    remark : str or None
        What was not compared, and why.
    ok : bool
        Whether this counts as agreement.
    """

    statistic: str
    stem: str
    asked: str
    frozen_versions: Mapping[str, str]
    live_versions: Mapping[str, str]
    n_cases: int
    n_frozen: int
    n_live: int
    n_generated: int
    n_unanswered: int
    largest_frozen: float | None
    largest_live: float | None
    largest_generated: float | None
    tolerance: float
    widest_tolerance: float
    absolute_tolerance: float
    reasons: tuple[str, ...]
    unanswered: Mapping[str, int]
    mismatches: tuple[Mismatch, ...]
    verdict: str
    remark: str | None
    ok: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class ParityReport(Record):
    """Statistics against R; `evalstats.report` shows it.

    Attributes
    ----------
    rows : tuple of FunctionParity
        One per function, in the order of r_reference.
    live : str or None
        Version of the R that was asked live; None where none was.
    not_live : str or None
        Why no R was asked live; None where one was.
    seed : int or None
        Seed of the generated inputs: ``validate(fuzz=..., rng=seed)`` draws the same ones. None where there are none.
    complete : bool
        False where Ctrl-C ended the check early.
    without_r : tuple of WithoutR
        Functions that R does not have, and what checks them; empty where not all were asked for.
    """

    rows: tuple[FunctionParity, ...]
    live: str | None
    not_live: str | None
    seed: int | None
    complete: bool
    without_r: tuple[WithoutR, ...] = ()

    def _rows(self) -> Sequence[Record]:
        return self.rows

    @property
    def ok(self) -> bool:
        """Whether all was checked that had to be, and nothing differs."""
        return self.complete and bool(self.rows) and all(row.ok for row in self.rows)

    @property
    def n_cases(self) -> int:
        """Number of cases by hand."""
        return sum(row.n_cases for row in self.rows)

    @property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """Everything on which R and we disagree."""
        return tuple(mismatch for row in self.rows for mismatch in row.mismatches)

    @property
    def verdict(self) -> str:
        """One sentence."""
        if not self.complete:
            return f"Interrupted: {self._checked()} so far, {self._found()}."
        if not self.rows:
            return "Nothing was checked: there are no cases."
        if unchecked := [row.statistic for row in self.rows if not row.ok and not row.mismatches]:
            return f"{self._found().capitalize()}, but not everything could be checked: {', '.join(unchecked)}."
        return f"{self._checked()}: {self._found()}."

    def _told(self) -> Iterator[tuple[str, Any]]:
        yield from super()._told()
        yield from (("ok", self.ok), ("verdict", self.verdict))

    def _checked(self) -> str:
        generated = sum(row.n_generated for row in self.rows)
        more = f" and {_count(generated, 'generated input')}" if generated else ""
        return f"{_count(len(self.rows), 'function')} against R on {_count(self.n_cases, 'case')}{more}"

    def _found(self) -> str:
        return _count(len(self.mismatches), "mismatch") if self.mismatches else "no mismatch"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}{'es' if noun.endswith('h') else 's'}"
