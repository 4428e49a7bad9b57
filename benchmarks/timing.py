"""Race ours against peers in one process: interleaved rounds, medians, and a check that the results are equal.

Every benchmark module has a function ``races()`` that yields `Race` records, or rows of the table that it measured
itself. ``python -m benchmarks`` runs them all and prints one Markdown table.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any


@dataclass
class Race:
    """One job done by us and by peers.

    Attributes
    ----------
    job : str
        What is computed, with its size.
    ours : callable
        Our way, without arguments.
    peers : dict of str to callable
        The peers' ways. A peer that would take minutes may do a share of the job: see `shares`.
    agree : callable
        Called with our result and a peer's result (and the peer's name); raises AssertionError if they differ.
    goal : float
        How many times faster than the slowest-growing peer named first we promise to be.
    shares : dict of str to float
        Part of the job that a peer does (default 1); its time is divided by it and marked as extrapolated.
    bounds : dict of str to callable
        Necessary parts of the job, whose times are lower bounds. Their results are not compared.
    limit : float, optional
        Upper limit of the CPU time in seconds, if no other package does the job.
    """

    job: str
    ours: Callable[[], Any]
    peers: dict[str, Callable[[], Any]]
    agree: Callable[[Any, Any, str], None]
    goal: dict[str, float]
    shares: dict[str, float] = field(default_factory=dict)
    bounds: dict[str, Callable[[], Any]] = field(default_factory=dict)
    rounds: int = 5
    limit: float | None = None


Row = tuple[str, str, str, str, str, str]
COLUMNS = ("job", "evalstats", "other package", "its time", "ratio", "goal")


def run(race: Race) -> Iterator[Row]:
    """Yield one row per peer, and one for the limit; a peer that is not installed is named instead."""
    ways, results = {"ours": race.ours}, {"ours": race.ours()}
    for name, way in race.peers.items():
        try:
            results[name] = way()  # also warms every cache and import
        except ImportError as error:
            yield not_run(f"{race.job}, {name}", error)
            continue
        race.agree(results["ours"], results[name], name)
        ways[name] = way
    ways |= {f"a lower bound: {name}": way for name, way in race.bounds.items()}
    names = list(ways)
    repeats = {name: _repeats(way) for name, way in ways.items()}
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(race.rounds):
        for name in names:
            seconds = _seconds(ways[name], repeats[name]) / repeats[name]
            times[name].append(seconds / race.shares.get(name, 1.0))
    ours = statistics.median(times["ours"])
    if race.limit is not None:
        own = statistics.median(_seconds(race.ours, 1, time.process_time) for _ in range(race.rounds))
        kept = "reached" if own <= race.limit else "MISSED"
        yield race.job, f"{_time(own)} of CPU time", "none", "–", "–", f"at most {race.limit:g} s: {kept}"
    for name in names[1:]:
        peer = statistics.median(times[name])
        note = " (extrapolated)" if name in race.shares else ""
        goal = race.goal.get(name)
        verdict = "" if goal is None else f"{goal:g}x: {'reached' if peer / ours >= goal else 'MISSED'}"
        ratios = sorted(theirs / own for own, theirs in zip(times["ours"], times[name], strict=True))
        spread = f"{_ratio(peer / ours)}x ({_ratio(ratios[0])} to {_ratio(ratios[-1])})"
        yield race.job, _time(ours), name, f"{_time(peer)}{note}", spread, verdict


def not_run(what: str, error: ImportError) -> Row:
    """Return a row that names the package that is missing."""
    return what, "–", "–", "–", "–", f"not run: {error.name or error} is not installed"


@cache
def r_function(package: str, code: str) -> Any:
    """Return a function of R. If R or the package is missing, the ImportError names it."""
    try:
        from rpy2 import robjects
        from rpy2.robjects.packages import isinstalled
    except ImportError:
        raise
    except Exception as error:  # without R, rpy2 fails in many ways
        raise ImportError(name="R") from error
    if not isinstalled(package):
        raise ImportError(name=f"the R package {package}")
    return robjects.r(code)


def line(cells: Iterable[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


SHORTEST_TURN = 0.05  # seconds


def _repeats(way: Callable[[], Any]) -> int:
    """Repeat a short job within a round, as timeit does: after the peer's turn the caches are the peer's."""
    return max(1, round(SHORTEST_TURN / _seconds(way, 1)))


def _seconds(way: Callable[[], Any], repeats: int, clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    for _ in range(repeats):
        way()
    return clock() - start


def _ratio(value: float) -> str:
    return f"{value:.1f}" if value >= 0.1 else f"{value:.1g}"


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"
