"""Comparison of the results of evalstats with the results of R, and its outcome for each function."""

from __future__ import annotations

__all__ = ["FunctionParity", "ParityReport", "validate"]

import itertools
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources.abc import Traversable
from random import Random
from time import monotonic
from typing import Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError, did_you_mean, short
from evalstats._result import Record
from evalstats._types import Progress
from evalstats.parity.fuzz import find_generator, shrunk
from evalstats.parity.live_r import R, RFailedError, RNotAvailableError, RStoppedError, debian_packages, start
from evalstats.parity.numeric_difference import Mismatch, answer, compare, failure
from evalstats.parity.reference_cases import (
    DEFAULT_TOLERANCE,
    FORMULA,
    IMPLEMENTATION,
    Case,
    Reference,
    Stem,
    WithoutR,
    read_stem,
    read_without_r,
    reference_directory,
    stem_names,
)
from evalstats.parity.reference_values import Frozen, read_answers
from evalstats.parity.unsupported_inputs import why_unanswered


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


def validate(
    *,
    live: bool | str = "auto",
    fuzz: int = 0,
    rng: Any = None,
    seconds: float | None = None,
    functions: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> ParityReport:
    """Compare the statistics with the results of R on this machine.

    Each function is called with the reference cases of the package. Each field of its result is compared with
    the stored result of R and, if R is installed, with the live result. Some functions have an implementation in R. For
    other functions, R provides only the distributions, and the formula is ours. Each of these functions has a second
    source. The report also lists the functions without an R reference. Ctrl-C ends the comparison and returns the
    completed part.

    Parameters
    ----------
    live : bool or 'auto', default: 'auto'
        Whether to run R through rpy2. ``'auto'`` runs R if it works.
    fuzz : int, default: 0
        Number of generated inputs per function (ties, zeros, very small samples, extreme scales) for live R.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means a new seed on every run. An integer is used as the seed. A Generator is
        used directly.
    seconds : float, optional
        Stop generating inputs after this time. The functions take turns. The reference cases of the package are always
        compared.
    functions : iterable of str, optional
        Compare only these functions, such as ``'nemenyi_test'``, or these modules of r_reference, such as
        ``'paired/wilcoxon'``.
    progress : callable, optional
        Function that is called as ``progress(done, total, name)`` after each case.

    Returns
    -------
    ParityReport
        One row per function. ``report.ok`` is the decision and ``print(report)`` shows the table.

    Raises
    ------
    RNotAvailableError
        If R or rpy2 does not work although R is required: `live` is True, generated inputs are requested, or the
        environment variable EVALSTATS_REQUIRE_R is 1.
    InvalidValueError
        If a name in `functions` is unknown, or if generated inputs are requested with ``live=False``.

    Examples
    --------
    >>> from evalstats.parity import validate
    >>> report = validate(live=False, functions=["friedman_test", "nemenyi_test"])
    >>> report.ok
    True
    """
    fuzz = _checks.count(fuzz, "fuzz", minimum=0)
    if seconds is not None:
        _checks.duration(seconds, "seconds")
    directory = reference_directory()
    asked = _asked(functions, directory)
    r, not_live = _live_r(live, fuzz)
    checks = [
        _FunctionCheck(subject, reference, read_answers(subject.name, directory), r, _must_be_live(live, fuzz))
        for subject, own in asked
        for reference in subject.references.values()
        if own is None or reference.function in own
    ]
    seed = _seed(rng) if fuzz else None
    complete = True
    try:
        _run(checks, fuzz, seed, seconds, _checks.progress(progress))
    except KeyboardInterrupt:
        complete = False
    return ParityReport(
        rows=tuple(check.row() for check in checks if complete or check.n_requested),
        live=r.version if r else None,
        not_live=not_live,
        seed=seed,
        complete=complete,
        without_r=read_without_r(directory) if functions is None else (),
    )


def _asked(functions: Iterable[str] | None, directory: Traversable) -> list[tuple[Stem, set[str] | None]]:
    """Return the selected modules, each with the selected functions or None for all functions."""
    if functions is None:
        return [(read_stem(name, directory), None) for name in stem_names(directory)]
    known = set(stem_names(directory))
    found: dict[str, set[str] | None] = {}
    for name in _checks.listed(functions, "functions", "names"):
        if _checks.is_among(name, known):
            found[name] = None
        else:
            for stem in _stems_of(name, directory):
                own = found.setdefault(stem, set())
                if own is not None:
                    own.add(name)
    return [(read_stem(name, directory), functions) for name, functions in found.items()]


def _stems_of(function: Any, directory: Traversable) -> list[str]:
    """Return the modules whose case files contain a function."""
    stems = {name: read_stem(name, directory).references for name in stem_names(directory)}
    if of_function := [name for name, references in stems.items() if _checks.is_among(function, references)]:
        return of_function
    without = {one.function: one for one in read_without_r(directory)}
    if _checks.is_among(function, without):
        one = without[function]
        raise InvalidValueError(f"R does not compute {function}: {one.reason}; {one.oracle} checks the function")
    known = [*stems, *(name for references in stems.values() for name in references)]
    problem = "functions must be names of functions or of modules such as 'nemenyi_test' or 'paired/wilcoxon', not "
    raise InvalidValueError(f"{problem}{short(function)}{did_you_mean(function, known)}")


class _FunctionCheck:
    """Comparison of one function, case by case."""

    def __init__(
        self, stem: Stem, reference: Reference, frozen: Frozen | None, r: R | None, must_be_live: bool
    ) -> None:
        self.stem = stem
        self.reference = reference
        self.name = f"{stem.name}/{reference.function}"
        self.cases = [case for case in stem.cases if case.reference is reference]
        self.frozen = frozen
        self.missing = [package for package in reference.packages if r and r.package_version(package) is None]
        self.r = None if self.missing else r
        self.must_be_live = must_be_live
        self.hung = False
        self.n_requested = 0
        self.n_generated = 0
        self.n_compared: Counter[str] = Counter()
        self.largest: dict[str, float] = {}
        self.mismatches: list[Mismatch] = []
        self.unanswered: Counter[str] = Counter()
        self.unchecked: list[str] = []

    def ask(self, case: Case) -> None:
        """Compare the result of evalstats for a case with the stored and the live R result."""
        self.n_requested += 1
        answers = {}
        if self.frozen and (kept := self.frozen.answer(case)):
            answers["frozen"] = kept.fields
        if self.r and not self.hung:
            try:
                answers["live"] = self._ask_r(self.r, case)
            except RFailedError as error:
                self.mismatches.append(failure(case, "live", r=error))
        if not any(answers.values()):
            self.unchecked.append(case.name)
        self.mismatches += self._compare(case, answers)

    def generate(self, random: Random) -> None:
        """Compare the result of evalstats for a generated input with live R."""
        generator = find_generator(self.name)
        if self.r is None or self.hung or generator is None:
            return
        self.n_generated += 1
        case = Case.generated(self.stem.name, self.reference, generator(random), self.n_generated)
        try:
            fields = self._ask_r(self.r, case)
        except RFailedError as error:
            if (why := why_unanswered(self.name, error)) is None:
                self.mismatches.append(failure(case, "generated", r=error))
            else:
                self.unanswered[why] += 1
            return
        if not fields:
            self.unanswered["the adapter leaves every field out"] += 1
        elif found := self._compare(case, {"generated": fields}):
            self.mismatches += self._smallest(case, found)

    def _ask_r(self, r: R, case: Case) -> Mapping[str, Any]:
        """Run live R for one input; after a timeout, skip further live calls of the function."""
        try:
            return r.ask(self.stem, case.function, case.arguments).fields
        except RStoppedError as error:
            self.hung = error.hung
            raise

    def _compare(self, case: Case, answers: Mapping[str, Mapping[str, Any]]) -> list[Mismatch]:
        """Compare the result of evalstats with the R results, count the comparisons, and return the mismatches."""
        found: list[Mismatch] = []
        for source, (largest, mismatches) in _compared(case, answers).items():
            if largest is not None:
                self.n_compared[source] += 1
                self.largest[source] = max(largest, self.largest.get(source, 0.0))
            found += mismatches
        return found

    def _smallest(self, case: Case, found: Sequence[Mismatch]) -> Sequence[Mismatch]:
        """Return the mismatches of the smallest input for which the same field differs in the same way."""

        def again(arguments: Mapping[str, Any]) -> Sequence[Mismatch]:
            assert self.r is not None
            smaller = replace(case, arguments=dict(arguments))
            if self.hung:
                return ()
            try:
                fields = self._ask_r(self.r, smaller)
            except RFailedError:
                return ()
            return _compared(smaller, {"generated": fields})["generated"][1]

        first = _way(found[0])
        smallest = shrunk(case.arguments, lambda arguments: first in map(_way, again(arguments)))
        return [one for one in again(smallest) if _way(one) == first] or found

    def row(self) -> FunctionParity:
        """Return the record of the function."""
        tolerance = self.reference.tolerance
        general = tolerance.relative or DEFAULT_TOLERANCE
        said = [tolerance, *(case.tolerance for case in self.cases)]
        relative = [general, *(t.relative for t in said if t.relative), *(v for t in said for v in t.fields.values())]
        absolute = [0.0, *(v for t in said for v in t.absolute.values())]
        reasons = [(case.name, case.tolerance.reason) for case in self.cases if case.tolerance.reason]
        verdict, remark, ok = self._verdict()
        return FunctionParity(
            statistic=self.reference.function,
            stem=self.stem.name,
            asked=self.reference.r,
            source=self.reference.source,
            second_source=self.reference.second_source,
            frozen_versions=self._frozen_versions(),
            live_versions=self._live_versions(),
            n_cases=len(self.cases),
            n_frozen=self.n_compared["frozen"],
            n_live=self.n_compared["live"],
            n_generated=self.n_generated,
            n_unanswered=self.unanswered.total(),
            largest_frozen=self.largest.get("frozen"),
            largest_live=self.largest.get("live"),
            largest_generated=self.largest.get("generated"),
            tolerance=general,
            widest_tolerance=max(relative),
            absolute_tolerance=max(absolute),
            reasons=(*filter(None, [tolerance.reason]), *(f"{name}: {reason}" for name, reason in reasons)),
            unanswered=dict(self.unanswered),
            mismatches=tuple(self.mismatches),
            verdict=verdict,
            remark=remark,
            ok=ok,
        )

    def _verdict(self) -> tuple[str, str | None, bool]:
        """Return the verdict, the missing comparisons, and whether the function counts as agreeing."""
        missing = None
        if self.missing:
            how = f"(Debian, Ubuntu: apt-get install {debian_packages(self.missing)})"
            missing = f"not checked live: package {', '.join(self.missing)} is missing {how}"
        if self.mismatches:
            return "differs", missing, False
        if not self.cases:
            return "not checked", "there are no cases", False
        if self.n_requested < len(self.cases):
            return "not checked", f"interrupted after {self.n_requested} of {len(self.cases)} cases", False
        if self.unchecked:
            return "not checked", missing or f"no result for {', '.join(self.unchecked)}", False
        return "agrees", missing, not (missing and self.must_be_live)

    def _frozen_versions(self) -> dict[str, str]:
        if self.frozen is None or not self.n_compared["frozen"]:
            return {}
        return _versions(
            self.frozen.r, {package: self.frozen.packages.get(package) for package in self.reference.packages}
        )

    def _live_versions(self) -> dict[str, str]:
        if self.r is None:
            return {}
        return _versions(
            self.r.version, {package: self.r.package_version(package) for package in self.reference.packages}
        )


def _compared(
    case: Case, answers: Mapping[str, Mapping[str, Any]]
) -> dict[str, tuple[float | None, Sequence[Mismatch]]]:
    """Return the largest difference from each R result (None if evalstats has no result), and the mismatches."""
    try:
        ours = answer(case)
    except Exception as error:  # any error of our function is our result
        return {name: (None, [failure(case, name, ours=error, r=fields)]) for name, fields in answers.items()}
    return {name: compare(case, ours, fields, name) for name, fields in answers.items()}


def _way(mismatch: Mismatch) -> tuple[str, str, str]:
    """Return the field in which two results differ, or the type of error if one result is an error."""
    ours, r = (value.split(":")[0] if isinstance(value, str) else "" for value in (mismatch.ours, mismatch.r))
    return mismatch.field, ours, r


def _run(
    checks: Sequence[_FunctionCheck], fuzz: int, seed: int | None, seconds: float | None, progress: Progress | None
) -> None:
    # a separate generator, so the inputs of one function do not depend on the other checked functions
    randoms = [Random(f"{seed}/{check.name}") for check in checks]
    cases = [(check, partial(check.ask, case)) for check in checks for case in check.cases]
    turns = [(check, partial(check.generate, random)) for check, random in zip(checks, randoms, strict=True)]
    total, end = len(cases) + fuzz * len(checks), math.inf
    for done, (check, step) in enumerate(itertools.chain(cases, *itertools.repeat(turns, fuzz))):
        if done == len(cases) and seconds is not None:
            end = monotonic() + seconds
        if monotonic() > end:
            return
        step()
        if progress is not None:
            progress(done + 1, total, check.name)


def _live_r(live: bool | str, fuzz: int) -> tuple[R | None, str | None]:
    """Return the live R process, or the reason why R is not available."""
    if live is False:
        if fuzz:
            raise InvalidValueError("fuzz needs a live R: generated inputs have no stored results")
        return None, "none was requested"
    if live is not True and not _checks.is_among(live, ("auto",)):
        raise InvalidValueError(f"live must be 'auto' or True or False, not {short(live)}")
    try:
        return start(), None
    except RNotAvailableError as error:
        if _must_be_live(live, fuzz):
            raise
        return None, str(error)


def _must_be_live(live: Any, fuzz: int) -> bool:
    """Return whether live results are required, so a missing R or R package is a failure."""
    return live is True or fuzz > 0 or os.environ.get("EVALSTATS_REQUIRE_R") == "1"


def _seed(rng: Any) -> int:
    """Return a given seed, or draw a seed from the random source."""
    source = _checks.random_source(rng)
    return int(np.random.default_rng(rng).integers(2**32)) if rng is None or source.seed is None else source.seed


def _versions(r: str, packages: dict[str, str | None]) -> dict[str, str]:
    """Return the versions of R and of the packages that are not part of R."""
    return {"R": r} | {name: version for name, version in packages.items() if version and version != r}
