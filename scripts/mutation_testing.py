"""Mutation testing: ``python scripts/mutation_testing.py FILE [--places N] [--seed S] [--again]``.

The script draws places of `distributions`, `adjustment`, `paired` and `multiple` with a seed. It replaces one number,
operator, comparison or truth value at a time, with the operators of cosmic-ray (``pip install cosmic-ray``). For each
mutant, it compares the results with the stored R results, which is fast. It then runs the tests of the module and its
documentation page, the fastest first, then the tests of the modules in these subpackages that import it, and finally
the invariants of all functions. A mutant survives if none of these fails.

The script writes one line for each mutant to FILE, which is docs/mutation-testing/mutants.csv or a separate sample.
Mutants in the file are not run again, except survivors with ``--again``. The reasons why mutants survive are in
docs/mutation-testing/survivors.toml, and docs/figures/mutation_testing.py writes the page.
"""

from __future__ import annotations

import ast
import csv
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import itertools
import json
import os
import re
import resource
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
SUBPACKAGES = ("distributions", "adjustment", "paired", "multiple")
INVARIANTS = [str(ROOT / "tests" / f"test_{name}.py") for name in ("invariants", "common", "labels", "ties")]
ARITHMETIC = {"Add", "Sub", "Mul", "Div"}
BITS = {"BitAnd", "BitOr"}
# a mutant whose tests or comparison with R take longer than this is detected
SECONDS_OF_TESTS, SECONDS_OF_ANSWERS = 240.0, 60.0
SECONDS_OF_OTHERS = 120.0  # exceeding this limit does not detect a mutant
MEMORY = 2**33  # memory limit in bytes, for mutants that allocate without end
# modules that every test file imports; a process with these modules forks quickly
WARM = ("hypothesis.strategies", "matplotlib.pyplot", "mpmath", "numpy", "pandas", "pytest", "scipy.integrate")
WARM += ("scipy.optimize", "scipy.special", "scipy.stats", "sybil")


class Mutant(NamedTuple):
    """One line of the file."""

    stem: str
    line: int
    column: int
    operator: str
    before: str
    after: str
    outcome: str = ""
    at_first: str = ""  # the outcome before a test was written for the survivor
    seconds: float = 0.0

    @property
    def key(self) -> tuple[str, ...]:
        """Identifier of the mutant, as text."""
        return tuple(map(str, self[:6]))


def is_asked(operator: str) -> bool:
    """Return whether an operator is used. Operators whose mutants fail at once are excluded, as for floats."""
    name = operator.removeprefix("core/")
    if pair := re.fullmatch(r"ReplaceBinaryOperator_(\w+)_(\w+)", name):
        return set(pair.groups()) <= ARITHMETIC or set(pair.groups()) <= BITS
    if name.startswith(("ReplaceComparisonOperator", "ReplaceUnaryOperator")):
        return "Invert" not in name
    return name.startswith(("Number", "ReplaceTrue", "ReplaceFalse", "ReplaceAnd", "ReplaceOr", "AddNot", "Zero"))


def annotations(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the positions of code that only a type checker evaluates."""
    nodes = [
        (getattr(node, "annotation", None), getattr(node, "returns", None)) for node in ast.walk(ast.parse(source))
    ]
    found = [one for pair in nodes for one in pair if one is not None]
    return [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in found]


class Place(NamedTuple):
    """Place in a module, with the operators that can change it: (operator, index of the occurrence)."""

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


def mutant_at(place: Place, choice: tuple[str, int]) -> tuple[Mutant, str] | None:
    """Return the mutant at a place, or None if it is invalid or equals the original program."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    name, occurrence = choice
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
    """Draw places with one mutant each. Return the mutants, and the total numbers of places and mutants."""
    stems = [
        f"{subpackage}/{file.stem}"
        for subpackage in SUBPACKAGES
        for file in sorted((ROOT / "evalstats" / subpackage).glob("*.py"))
        if file.stem != "__init__"
    ]
    every = [place for stem in stems for place in places(stem)]
    random = Random(seed)
    shuffled = random.sample(every, len(every))
    found = filter(None, (mutant_at(place, random.choice(place.choices)) for place in shuffled))
    return list(itertools.islice(found, n)), len(every), sum(len(place.choices) for place in every)


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Import hook that loads one module from other source code."""

    def __init__(self, stem: str, source: str) -> None:
        self.name, self.source = f"evalstats.{stem.replace('/', '.')}", source
        self.path = str(ROOT / "evalstats" / f"{stem}.py")

    def find_spec(self, name: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """Return the specification of the mutated module."""
        if name != self.name:
            return None
        spec = importlib.util.spec_from_loader(name, self, origin=self.path)
        if spec is not None:
            spec.has_location = True
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Execute the mutated source code."""
        exec(compile(self.source, self.path, "exec"), vars(module))


def in_a_child(work: Callable[[], int], seconds: float = SECONDS_OF_TESTS) -> int | None:
    """Return the exit status of a function in a child process, or None if it exceeds the time limit."""
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            silent = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(silent, descriptor)
            os._exit(min(work(), 100))
        except BaseException:  # any exception of a mutant detects it
            os._exit(101)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.1)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


class _QuickFirst:
    """Pytest plug-in that runs the fastest tests first, and records the failed test and the durations."""

    def __init__(self, folder: Path) -> None:
        self.failed, self.took = folder / "failed", folder / "took.json"
        self.seconds: dict[str, float] = {}
        if self.took.exists():
            self.seconds = json.loads(self.took.read_text(encoding="utf-8"))

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Sort the tests by their durations."""
        items.sort(key=lambda item: self.seconds.get(item.nodeid, 0.0))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Record the result of one test."""
        if report.failed:
            self.failed.write_text(report.nodeid, encoding="utf-8")
        elif report.when == "call":
            self.seconds[report.nodeid] = report.duration

    def pytest_sessionfinish(self) -> None:
        """Save the durations."""
        self.took.write_text(json.dumps(self.seconds), encoding="utf-8")


def tests_of(stem: str, folder: Path, name: str) -> int:
    """Run the tests of a module, or the test with a name. Return 0 if no test fails."""
    import pytest

    subpackage, module = stem.split("/")
    options = ("-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not live")
    own = [ROOT / "tests" / subpackage / f"test_{module}.py", ROOT / "docs" / "reference" / subpackage / f"{module}.md"]
    tests = INVARIANTS if stem == "invariants/all" else [str(file) for file in own if file.exists()]
    if name:
        tests = [name.partition("::")[0] if ".md" in name else name]  # the examples of a page depend on each other
    return int(pytest.main([*options, "--rootdir", str(ROOT), *tests], plugins=[_QuickFirst(folder)]))


def answers_of_r(stem: str) -> int:
    """Compare the results with the stored R results, if there are any. Return 0 if nothing differs."""
    from evalstats import validate

    if not (ROOT / "r_reference" / f"{stem}.json").exists():
        return 0
    return int(not validate(live=False, functions=[stem]).ok)


@functools.cache
def users(stem: str) -> tuple[str, ...]:
    """Return the modules of these subpackages that import a module."""
    subpackage, module = stem.split("/")
    line = re.compile(
        rf"from evalstats\.{subpackage}\.{module} import|from evalstats\.{subpackage} import .*\b{module}\b"
    )
    found = []
    for file in sorted(file for own in SUBPACKAGES for file in (ROOT / "evalstats" / own).glob("*.py")):
        name = f"{file.parent.name}/{file.stem}"
        if (ROOT / "tests" / file.parent.name / f"test_{file.stem}.py").exists() and line.search(
            file.read_text(encoding="utf-8")
        ):
            found.append(name)
    return tuple(found)


@functools.cache
def is_sound(stem: str, name: str) -> bool:
    """Return whether a test passes without a mutation."""
    with tempfile.TemporaryDirectory() as folder:
        return in_a_child(lambda: tests_of(stem, Path(folder), name)) == 0


def outcome(stem: str, source: str, folder: Path) -> str:
    """Return the check that detects a mutant, or 'survived'."""

    def mutated(work: Callable[[], int]) -> Callable[[], int]:
        def run() -> int:
            sys.meta_path.insert(0, _Mutated(stem, source))
            return work()

        return run

    status = in_a_child(mutated(lambda: answers_of_r(stem)), SECONDS_OF_ANSWERS)
    if status:
        return "R"
    if status is None or (noticed := noticed_by_tests(stem, mutated, folder, SECONDS_OF_TESTS)) is None:
        return "time"
    if noticed:
        return "tests"
    for other in (*users(stem), "invariants/all"):
        if in_a_child(mutated(functools.partial(answers_of_r, other)), SECONDS_OF_ANSWERS):
            return "others"
        if noticed_by_tests(other, mutated, folder, SECONDS_OF_OTHERS):
            return "others"
    return "survived"


Mutated = Callable[[Callable[[], int]], Callable[[], int]]


def noticed_by_tests(stem: str, mutated: Mutated, folder: Path, seconds: float) -> bool | None:
    """Return whether a test repeatedly fails with a mutant and passes without it, or None after a timeout."""
    failed = folder / "failed"
    failed.unlink(missing_ok=True)
    status = in_a_child(mutated(lambda: tests_of(stem, folder, "")), seconds)
    if not status:
        return None if status is None else False
    name = failed.read_text(encoding="utf-8") if failed.exists() else ""  # None if nothing could be loaded
    return bool(in_a_child(mutated(lambda: tests_of(stem, folder, name)), seconds)) and is_sound(stem, name)


def read(path: Path) -> list[Mutant]:
    """Return the lines of the file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            Mutant(
                row["stem"],
                int(row["line"]),
                int(row["column"]),
                row["operator"],
                row["before"],
                row["after"],
                row["outcome"],
                row["at_first"],
                float(row["seconds"]),
            )
            for row in csv.DictReader(line for line in lines if not line.startswith("#"))
        ]


def write(path: Path, mutants: Sequence[Mutant], head: str) -> None:
    """Write the file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"{head}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Mutant._fields)
        writer.writerows(sorted(mutants))


def survivors(path: Path) -> Iterator[tuple[Mutant, str | None]]:
    """Yield the lines of the file. Survivors have source code, to be run again."""
    known = read(path)
    wanted = {mutant.key for mutant in known if mutant.outcome == "survived"}
    every = (place for stem in sorted({key[0] for key in wanted}) for place in places(stem))
    marks = {(key[0], key[1], key[2]) for key in wanted}
    choices = (
        (place, choice)
        for place in every
        if (place.stem, str(place.line), str(place.column)) in marks
        for choice in place.choices
    )
    made = [pair for pair in itertools.starmap(mutant_at, choices) if pair is not None]
    sources = {mutant.key: source for mutant, source in made}
    return ((mutant, sources.get(mutant.key) if mutant.key in wanted else None) for mutant in known)


def asked(path: Path, sample: Sequence[tuple[Mutant, str]]) -> Iterator[tuple[Mutant, str | None]]:
    """Yield the mutants of a sample. Mutants that are in the file have no source code."""
    known = {mutant.key: mutant for mutant in read(path)}
    for mutant, source in sample:
        old = known.get(mutant.key)
        yield (mutant, source) if old is None else (old, None)


def run(path: Path, work: Sequence[tuple[Mutant, str | None]], head: str, folder: Path) -> None:
    """Run the mutants with source code, and write the file after each."""
    done: list[Mutant] = []
    for at, (mutant, source) in enumerate(work):
        if source is None:
            done.append(mutant)
            continue
        begin = time.monotonic()
        noticed = outcome(mutant.stem, source, folder)
        seconds = round(time.monotonic() - begin, 1)
        done.append(mutant._replace(outcome=noticed, at_first=mutant.at_first or noticed, seconds=seconds))
        sys.stderr.write(f"{at + 1}/{len(work)} {noticed} {mutant.stem}:{mutant.line} {mutant.after}\n")
        known = [*done, *(one for one, _ in work[at + 1 :] if one.outcome)]
        write(path, known, head.format(len(known)))


@click.command(help=__doc__.split("\n", 1)[0])
@click.argument("path", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--places", "n", default=400, help="how many places are drawn")
@click.option("--seed", default=2026)
@click.option("--again", is_flag=True, help="run what survived once more, and nothing else")
def main(path: Path, n: int, seed: int, again: bool) -> None:
    """Draw the mutants, run them, and write the file."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MPLBACKEND="Agg", PYTHONDONTWRITEBYTECODE="1")
    path = path.absolute()
    os.chdir(ROOT)
    for name in WARM:
        importlib.import_module(name)
    if again:
        work, head = list(survivors(path)), path.read_text(encoding="utf-8").partition("\n")[0]
    else:
        sample, n_places, n_mutants = drawn(n, seed)
        work = list(asked(path, sample))
        head = f"# seed {seed}; {{}} of {n_places} places and {n_mutants} possible mutants"
        head += f"; {time.strftime('%Y-%m-%d')}"
    with tempfile.TemporaryDirectory() as folder:
        run(path, work, head, Path(folder))


if __name__ == "__main__":
    main()
