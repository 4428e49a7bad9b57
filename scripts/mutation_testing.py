"""Do the tests notice a wrong line? ``python scripts/mutation_testing.py [--places N] [--seed S] [--again]``.

Draws places of `distributions`, `adjustment`, `paired` and `multiple` with a seed, puts another number, operator,
comparison or truth value in one place at a time (the operators are those of cosmic-ray: ``pip install cosmic-ray``),
and runs the tests of that stem, then the frozen answers of R: a mutant that nothing notices has survived. One line for
each mutant goes to docs/trials/mutants.csv; what is there already is not run again, except with ``--again`` what
survived. Why it survived stands in docs/trials/survivors.toml, and docs/figures/trials.py writes the page.
"""

from __future__ import annotations

import ast
import csv
import importlib.abc
import importlib.machinery
import importlib.util
import itertools
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import click

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "docs" / "trials" / "mutants.csv"
ROOMS = ("distributions", "adjustment", "paired", "multiple")
ARITHMETIC = {"Add", "Sub", "Mul", "Div"}
BITS = {"BitAnd", "BitOr"}
SECONDS = 240.0  # a mutant that makes its tests take longer is noticed
# what every test file imports; a process that has them already forks in no time
WARM = ("matplotlib.pyplot", "mpmath", "numpy", "pandas", "pytest", "scipy.integrate", "scipy.optimize")
WARM += ("scipy.special", "scipy.stats", "sybil")


class Mutant(NamedTuple):
    """One line of the file."""

    stem: str
    line: int
    column: int
    operator: str
    before: str
    after: str
    outcome: str = ""
    seconds: float = 0.0

    @property
    def key(self) -> tuple[str, ...]:
        """What names it, as text."""
        return tuple(map(str, self[:6]))


def is_asked(operator: str) -> bool:
    """Leave out operators whose mutants fail at once: shifts of floats, other classes of exceptions."""
    name = operator.removeprefix("core/")
    if pair := re.fullmatch(r"ReplaceBinaryOperator_(\w+)_(\w+)", name):
        return set(pair.groups()) <= ARITHMETIC or set(pair.groups()) <= BITS
    if name.startswith(("ReplaceComparisonOperator", "ReplaceUnaryOperator")):
        return "Invert" not in name
    return name.startswith(("Number", "ReplaceTrue", "ReplaceFalse", "ReplaceAnd", "ReplaceOr", "AddNot", "Zero"))


def annotations(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where something stands that only a type checker reads."""
    nodes = [
        (getattr(node, "annotation", None), getattr(node, "returns", None)) for node in ast.walk(ast.parse(source))
    ]
    found = [one for pair in nodes for one in pair if one is not None]
    return [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in found]


class Place(NamedTuple):
    """Where operators of one kind may put something else: (operator, which of its occurrences)."""

    stem: str
    line: int
    column: int
    kind: str
    choices: list[tuple[str, int]]


def places(stem: str) -> list[Place]:
    """Return the places of a module."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator, operator_names

    source = (ROOT / "evalstats" / f"{stem}.py").read_text(encoding="utf-8")
    nodes, silent = list(ast_nodes(get_ast(source))), annotations(source)
    found: dict[tuple[int, int, str], list[tuple[str, int]]] = {}
    for name in filter(is_asked, operator_names()):
        operator = get_operator(name)()
        positions = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, (line, column) in enumerate(positions):
            if not any(begin <= (line, column) < end for begin, end in silent):
                found.setdefault((line, column, name.split("_")[0]), []).append((name, occurrence))
    return [Place(stem, *where, choices) for where, choices in sorted(found.items())]


def mutant_at(place: Place, random: Random) -> tuple[Mutant, str] | None:
    """Put something else in a place; None if that is no other program."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    name, occurrence = random.choice(place.choices)
    source = (ROOT / "evalstats" / f"{place.stem}.py").read_text(encoding="utf-8")
    text = mutate_code(source, get_operator(name)(), occurrence)
    try:
        if text is None or ast.dump(ast.parse(text)) == ast.dump(ast.parse(source)):
            return None
    except SyntaxError:
        return None
    before, after = next(
        (a.strip(), b.strip()) for a, b in zip(source.splitlines(), text.splitlines(), strict=False) if a != b
    )
    operator = name.removeprefix("core/")
    return Mutant(place.stem, place.line, place.column, operator, before, after), text


def drawn(n: int, seed: int) -> tuple[list[tuple[Mutant, str]], int, int]:
    """Draw places, one mutant of each; return them, and how many places and mutants there are."""
    stems = [
        f"{room}/{file.stem}"
        for room in ROOMS
        for file in sorted((ROOT / "evalstats" / room).glob("*.py"))
        if file.stem != "__init__"
    ]
    every = [place for stem in stems for place in places(stem)]
    random = Random(seed)
    shuffled = random.sample(every, len(every))
    found = filter(None, (mutant_at(place, random) for place in shuffled))
    return list(itertools.islice(found, n)), len(every), sum(len(place.choices) for place in every)


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads one module from another source."""

    def __init__(self, stem: str, source: str) -> None:
        self.name, self.source = f"evalstats.{stem.replace('/', '.')}", source
        self.path = str(ROOT / "evalstats" / f"{stem}.py")

    def find_spec(self, name: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """Take this one module."""
        if name != self.name:
            return None
        spec = importlib.util.spec_from_loader(name, self, origin=self.path)
        if spec is not None:
            spec.has_location = True
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Run the other source."""
        exec(compile(self.source, self.path, "exec"), vars(module))


def in_a_child(work: Callable[[], int]) -> int | None:
    """Return the status of some work in a process of its own, None where it takes too long."""
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            silent = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(silent, descriptor)
            os._exit(min(work(), 100))
        except BaseException:  # whatever a mutant does is noticed
            os._exit(101)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.1)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


class _FirstFailure:
    """Notes which test failed first."""

    def __init__(self, note: Path) -> None:
        self.note = note

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note the name of a test that failed."""
        if report.failed:
            self.note.write_text(report.nodeid, encoding="utf-8")


def tests_of(stem: str, note: Path, chosen: str) -> int:
    """Run the tests of a stem, or the one that was chosen; 0 if nothing fails."""
    import pytest

    room, name = stem.split("/")
    options = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not live", "--rootdir", str(ROOT))
    tests = chosen or str(ROOT / "tests" / room / f"test_{name}.py")
    return int(pytest.main([*options, tests], plugins=[_FirstFailure(note)]))


def answers_of_r(stem: str) -> int:
    """Compare with the frozen answers of R, where it was asked; 0 if nothing differs."""
    from evalstats import validate

    if not (ROOT / "r_reference" / f"{stem}.json").exists():
        return 0
    return int(not validate(live=False, stems=[stem]).ok)


def outcome(stem: str, source: str) -> str:
    """Return by what a mutant is noticed, or 'survived'; '' where a test fails without it too."""

    def mutated(work: Callable[[], int]) -> Callable[[], int]:
        def run() -> int:
            sys.meta_path.insert(0, _Mutated(stem, source))
            return work()

        return run

    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder, "first")
        status = in_a_child(mutated(lambda: tests_of(stem, note, "")))
        failed = note.read_text(encoding="utf-8") if note.exists() else ""
        if status is None:
            return "time"
        if status != 0:
            is_sound = in_a_child(lambda: tests_of(stem, Path(folder, "again"), failed)) == 0
            return "tests" if is_sound else ""
    status = in_a_child(mutated(lambda: answers_of_r(stem)))
    if status is None:
        return "time"
    return "R" if status != 0 else "survived"


def read() -> list[Mutant]:
    """Return the lines of the file."""
    if not FILE.exists():
        return []
    with FILE.open(encoding="utf-8", newline="") as lines:
        return [
            Mutant(
                row["stem"],
                int(row["line"]),
                int(row["column"]),
                row["operator"],
                row["before"],
                row["after"],
                row["outcome"],
                float(row["seconds"]),
            )
            for row in csv.DictReader(line for line in lines if not line.startswith("#"))
        ]


def write(mutants: Sequence[Mutant], head: str) -> None:
    """Write the file."""
    with FILE.open("w", encoding="utf-8", newline="") as file:
        file.write(head)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Mutant._fields)
        writer.writerows(sorted(mutants))


def asked(sample: Sequence[tuple[Mutant, str]], again: bool) -> Iterator[tuple[Mutant, str | None]]:
    """Go through a sample; a source of None needs no run."""
    known = {mutant.key: mutant for mutant in read()}
    for mutant, source in sample:
        old = known.get(mutant.key)
        if old and not (again and old.outcome == "survived"):
            yield old, None
        else:
            yield mutant, source


@click.command(help=__doc__.split("\n", 1)[0])
@click.option("--places", "n", default=400, help="how many places are drawn")
@click.option("--seed", default=2026)
@click.option("--again", is_flag=True, help="run what survived once more")
def main(n: int, seed: int, again: bool) -> None:
    """Draw, run, write."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MPLBACKEND="Agg", PYTHONDONTWRITEBYTECODE="1")
    os.chdir(ROOT)
    sample, n_places, n_mutants = drawn(n, seed)
    for name in WARM:
        importlib.import_module(name)
    done: list[Mutant] = []
    work = list(asked(sample, again))
    for at, (mutant, source) in enumerate(work):
        begin = time.monotonic()
        noticed = mutant.outcome if source is None else outcome(mutant.stem, source)
        seconds = mutant.seconds if source is None else round(time.monotonic() - begin, 1)
        sys.stderr.write(f"{at + 1}/{n} {noticed or 'UNSOUND'} {mutant.stem}:{mutant.line} {mutant.after}\n")
        done.append(mutant._replace(outcome=noticed, seconds=seconds))
        known = [*done, *(one for one, text in work[at + 1 :] if text is None)]
        head = f"{len(known)} of {n_places} places, where {n_mutants} mutants could stand"
        write(known, f"# seed {seed}; {head}; {time.strftime('%Y-%m-%d')}\n")


if __name__ == "__main__":
    main()
