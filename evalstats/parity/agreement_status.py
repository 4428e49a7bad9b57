"""Results of the comparison with R, for each function."""

from __future__ import annotations

__all__ = ["FunctionParity", "ParityReport"]

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalstats._result import Record
from evalstats.parity.numeric_difference import Mismatch
from evalstats.parity.reference_cases import FORMULA, IMPLEMENTATION, WithoutR


@dataclass(frozen=True, kw_only=True, eq=False)
class FunctionParity(Record):
    """Result of the comparison of one function with R.

    Attributes
    ----------
    statistic : str
        Name of the function, which is the same in Python and in R.
    stem : str
        ``subpackage/module``: the location of its adapter and its cases in r_reference.
    asked : str
        R functions that the adapter calls.
    source : str
        ``'implementation'`` if R implements the statistic, ``'formula'`` if R's distributions are called with our
        formula.
    second_source : str or None
        For a formula: the second source with which the function was compared, and the test.
    frozen_versions, live_versions : mapping of str to str
        Versions of R and of the packages for the stored and the live results. The dict is empty if there are none.
    n_cases : int
        Number of cases.
    n_frozen, n_live : int
        Number of cases that were compared with a stored result, and with a live result.
    n_generated, n_unanswered : int
        Number of generated inputs that were run in live R, and number of inputs for which R has no result.
    largest_frozen, largest_live, largest_generated : float or None
        Largest relative difference over all fields, or None if nothing was compared. A difference with an absolute
        tolerance is scaled to the relative tolerance.
    tolerance, widest_tolerance : float
        Largest relative difference allowed in general, and the largest in any field or case.
    absolute_tolerance : float
        Largest absolute difference allowed in any field or case. It is 0 if there is none.
    reasons : tuple of str
        Reason for a tolerance that is larger than the general tolerance.
    unanswered : mapping of str to int
        Reasons why R had no result for generated inputs, with counts.
    mismatches : tuple of Mismatch
        All mismatches between R and evalstats.
    verdict : str
        ``'agrees'``, ``'differs'`` or ``'not checked'``.
    remark : str or None
        Parts that were not compared, with the reason.
    ok : bool
        Whether the function counts as agreeing.
    """

    statistic: str
    stem: str
    asked: str
    source: str
    second_source: str | None
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
    """Comparison of the results of evalstats with the results of R. `evalstats.report` renders it.

    Attributes
    ----------
    rows : tuple of FunctionParity
        One record for each function, in the order of r_reference.
    live : str or None
        Version of the live R, or None if R was not run.
    not_live : str or None
        Reason why R was not run, or None if R was run.
    seed : int or None
        Seed of the generated inputs: ``validate(fuzz=..., rng=seed)`` generates the same inputs. None if no inputs were
        generated.
    complete : bool
        False if Ctrl-C ended the comparison early.
    without_r : tuple of WithoutR
        Functions that R does not have, and the tests that check them. The tuple is empty for a
        selection of functions.
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
        """Whether all required comparisons were made, without a mismatch."""
        return self.complete and bool(self.rows) and all(row.ok for row in self.rows)

    @property
    def n_cases(self) -> int:
        """Number of cases."""
        return sum(row.n_cases for row in self.rows)

    @property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """All mismatches between R and evalstats."""
        return tuple(mismatch for row in self.rows for mismatch in row.mismatches)

    @property
    def verdict(self) -> str:
        """Summary in one sentence."""
        if not self.complete:
            return f"Interrupted: {self._checked()} so far, {self._found()}."
        if not self.rows:
            return "Nothing was checked: there are no test cases."
        if unchecked := [row.statistic for row in self.rows if not row.ok and not row.mismatches]:
            return f"{self._found().capitalize()}, but not everything could be checked: {', '.join(unchecked)}."
        return f"{self._checked()}: {self._found()}."

    def _told(self) -> Iterator[tuple[str, Any]]:
        yield from super()._told()
        yield from (("ok", self.ok), ("verdict", self.verdict))

    def n_functions(self, source: str) -> int:
        """Return the number of functions with a source: ``'implementation'``, ``'formula'`` or ``'none'``."""
        return len(self.without_r) if source == "none" else sum(row.source == source for row in self.rows)

    def _checked(self) -> str:
        generated = sum(row.n_generated for row in self.rows)
        more = f" and {_count(generated, 'generated input')}" if generated else ""
        compared = [
            f"{_count(n, 'function')} {words}"
            for n, words in (
                (self.n_functions(IMPLEMENTATION), "against implementations in R"),
                (self.n_functions(FORMULA), "against R's distributions with our formula"),
            )
            if n
        ]
        return f"{' and '.join(compared)}, on {_count(self.n_cases, 'case')}{more}"

    def _found(self) -> str:
        return _count(len(self.mismatches), "mismatch") if self.mismatches else "no mismatch"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}{'es' if noun.endswith('h') else 's'}"
