"""Where do we agree with R, and where not?"""

from __future__ import annotations

__all__ = ["FunctionParity", "ParityReport"]

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalstats._result import Record
from evalstats.parity.difference import Mismatch

_SHOWN = 20


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
    """Every statistic against R; ``print(report)`` shows a table that ends with the verdict.

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
    """

    rows: tuple[FunctionParity, ...]
    live: str | None
    not_live: str | None
    seed: int | None
    complete: bool

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

    def to_markdown(self) -> str:
        """Return the report as Markdown: the table, why tolerances are wider, the mismatches, the verdict.

        Returns
        -------
        str
            A text that ends with a newline.
        """
        head, *body = (tuple(cell.replace("|", "\\|") for cell in line) for line in self._lines())
        table = "\n".join(f"| {' | '.join(line)} |" for line in (head, tuple("---" for _ in head), *body))
        parts = [table, *([f"Wider tolerances\n\n{_bullets(self._reasons())}"] if self._reasons() else [])]
        parts += [f"Without an answer from R\n\n{_bullets(self._unanswered())}"] if self._unanswered() else []
        parts += [f"Mismatches\n\n{_bullets(self._mismatches())}"] if self.mismatches else []
        return "\n\n".join([*parts, *self._provenance(), self.verdict]) + "\n"

    def __str__(self) -> str:
        lines = self._lines()
        widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
        rows = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        ]
        rule = ["-" * max(map(len, rows))]
        details = [*self._mismatches(), *self._unanswered()]
        return "\n".join([rows[0], *rule, *rows[1:], *rule, *details, *self._provenance(), self.verdict])

    def _lines(self) -> list[tuple[str, ...]]:
        """Return the table, its head first; a column without any entry is left out."""
        head = ("statistic", "cases", "frozen", "live", "generated", "tolerance", "verdict", "R function and version")
        lines = [head, *(_cells(row) for row in self.rows)]
        filled = [
            c for c in range(len(head)) if c != head.index("generated") or any(row.n_generated for row in self.rows)
        ]
        return [tuple(line[c] for c in filled) for line in lines]

    def _provenance(self) -> list[str]:
        frozen = sorted({row.frozen_versions["R"] for row in self.rows if row.frozen_versions})
        sentence = f"Frozen answers from R {', '.join(frozen)}; " if frozen else "No frozen answers; "
        sentence += f"live answers from R {self.live}" if self.live else f"no live answers: {self.not_live}"
        return [f"{sentence}." + (f" Seed of the generated inputs: {self.seed}." if self.seed is not None else "")]

    def _checked(self) -> str:
        generated = sum(row.n_generated for row in self.rows)
        more = f" and {_count(generated, 'generated input')}" if generated else ""
        return f"{_count(len(self.rows), 'function')} against R on {_count(self.n_cases, 'case')}{more}"

    def _found(self) -> str:
        return _count(len(self.mismatches), "mismatch") if self.mismatches else "no mismatch"

    def _reasons(self) -> list[str]:
        return [f"{row.statistic}: {reason}" for row in self.rows for reason in row.reasons]

    def _unanswered(self) -> list[str]:
        return [
            f"{row.statistic}: {n} generated without an answer: {why}"
            for row in self.rows
            for why, n in row.unanswered.items()
        ]

    def _mismatches(self) -> list[str]:
        lines = [_sentence(mismatch) for mismatch in self.mismatches[:_SHOWN]]
        return [*lines, f"and {len(self.mismatches) - _SHOWN} more"] if len(self.mismatches) > _SHOWN else lines


def _cells(row: FunctionParity) -> tuple[str, ...]:
    tolerance = f"{row.tolerance:.0e}"
    if row.widest_tolerance > row.tolerance:
        tolerance += f" to {row.widest_tolerance:.0e}"
    if row.absolute_tolerance:
        tolerance += f", absolute {row.absolute_tolerance:.0e}"
    versions = row.frozen_versions or row.live_versions
    return (
        row.statistic,
        str(row.n_cases),
        _size(row.largest_frozen),
        _size(row.largest_live),
        f"{row.n_generated - row.n_unanswered} of {row.n_generated}: {_size(row.largest_generated)}"
        if row.n_generated
        else "-",
        tolerance,
        row.verdict if row.remark is None else f"{row.verdict} ({row.remark})",
        f"{row.asked} ({', '.join(f'{name} {version}' for name, version in versions.items())})"
        if versions
        else row.asked,
    )


def _sentence(mismatch: Mismatch) -> str:
    where = f"{mismatch.case}, {mismatch.field or 'no result'}, {mismatch.source}"
    apart = (
        ""
        if math.isinf(mismatch.difference)
        else f" (difference {mismatch.difference:.1e}, allowed {mismatch.tolerance:.0e})"
    )
    given = f"; arguments {_short(dict(mismatch.arguments))}" if mismatch.source == "generated" else ""
    return f"{where}: ours {_short(mismatch.ours)}, R's {_short(mismatch.r)}{apart}{given}"


def _short(value: object) -> str:
    text = repr(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)
    return text if len(text) <= 200 else f"{text[:197]}..."


def _size(difference: float | None) -> str:
    return "-" if difference is None else f"{difference:.1e}" if difference else "0"


def _bullets(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}{'es' if noun.endswith('h') else 's'}"
