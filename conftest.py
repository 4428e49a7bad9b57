"""Run every code block of the README and the docs: python blocks as doctests, console blocks in a shell."""

from __future__ import annotations

import doctest
import gc
import itertools
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from repetitions import SAMPLED
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

os.environ.setdefault("MPLBACKEND", "Agg")

# the same examples on every run and no deadline: a red run means a change; HYPOTHESIS_PROFILE=explore looks further
settings.register_profile("short", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("long", derandomize=True, deadline=None, max_examples=100)
settings.register_profile("explore", deadline=None, max_examples=1000)
# whatever needs one of these is long
LONG_FIXTURES = {"chromium", "spark", "site", "installed"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Know the option of the long run."""
    parser.addoption("--long", action="store_true", help="run the tests that are marked long, and more examples of all")


def pytest_configure(config: pytest.Config) -> None:
    """Load the profile of the run before the tests are collected: they ask it how often to repeat."""
    usual = "long" if config.getoption("--long") else "short"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", usual))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector away from the tests themselves: they are many, and stay until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say what is left out."""
    short = "short run: without long tests, and with a third of the cases of sampled tests; --long runs all"
    return None if config.getoption("--long") else short


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave long tests and most sampled cases out of a short run; begin a long run with its long tests.

    Short tests fill what remains of the end of a long run.
    """
    is_long = config.getoption("--long")
    cases: Counter[str] = Counter()
    first, others = [], []
    for item in items:
        test = item.nodeid.partition("[")[0]
        sampled = not is_long and item.get_closest_marker("sampled") is not None and cases[test] % SAMPLED
        cases[test] += 1
        uses = LONG_FIXTURES.intersection(getattr(item, "fixturenames", ()))
        (first if uses or sampled or item.get_closest_marker("long") else others).append(item)
    if is_long:
        items[:] = first + others
    else:
        config.hook.pytest_deselected(items=first)
        items[:] = others


_SAME = doctest.OutputChecker()


class ConsoleBlockParser(CodeBlockParser):
    """A block of language console: lines after ``$ `` are commands, the lines below each are its output.

    A command goes on in lines after ``> ``.

    All blocks of one page run in one temporary folder, so that a later block can use the files of an earlier one.
    """

    language = "console"

    def evaluate(self, example: Example) -> str | None:
        folder = example.namespace.setdefault("_folder", tempfile.mkdtemp(prefix="evalstats-docs-"))
        for command, expected in _commands(example.parsed):
            environment = {
                **os.environ,
                "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
                "COLUMNS": "80",
            }
            done = subprocess.run(
                ["sh", "-c", command],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=300,
                check=False,
            )
            if not _SAME.check_output(expected, done.stdout, doctest.ELLIPSIS):
                return f"$ {command}\nexpected:\n{expected}\nbut it printed:\n{done.stdout}"
        return None


def _commands(block: str) -> Iterator[tuple[str, str]]:
    """Split a block into commands and their expected output."""
    for part in ("\n" + block.rstrip("\n")).split("\n$ ")[1:]:
        first, *rest = part.split("\n")
        goes_on = list(itertools.takewhile(lambda line: line == ">" or line.startswith("> "), rest))
        expected = "\n".join(rest[len(goes_on) :])
        yield "\n".join([first, *(line[2:] for line in goes_on)]), expected + "\n" if expected else ""


def _without_figures(_: object = None) -> None:
    """Leave no figure open behind a page or a test; matplotlib warns after twenty."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=doctest.ELLIPSIS), ConsoleBlockParser(), SkipParser()],
    patterns=["*.md"],
    teardown=_without_figures,
).pytest()


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    yield
    _without_figures()


# a sample project that a test adds to a copy of this one
collect_ignore = ["tests/data"]
