"""Files that programs write about known experiments are read correctly, asked about with an answer, or refused.

The programs run: nothing here is written as a documentation describes it. What is true is computed with pandas.
"""

from __future__ import annotations

import os
import shutil
import warnings
from collections import Counter
from pathlib import Path

import pytest
from corpus import Outcome, Source, outcome, sources

from evalstats import compare
from evalstats._errors import EvalstatsWarning

FEWEST_FILES = 300
LEAST_READ = 0.8  # of the sources that hold a comparison, without an option

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Source, Outcome]]:
    """Write the corpus, and read it."""
    if shutil.which("Rscript") is None and os.environ.get("EVALSTATS_REQUIRE_R") == "1":
        pytest.fail("EVALSTATS_REQUIRE_R is 1, but there is no Rscript")
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EvalstatsWarning)
        for source in sources(tmp_path_factory.mktemp("corpus")):
            assert source.name not in found, source.name
            found[source.name] = source, outcome(source)
    return found


def listed(read: dict[str, tuple[Source, Outcome]], what: str) -> list[str]:
    return [f"{name}: {found.why}" for name, (_, found) in read.items() if found.what == what]


def test_corpus_is_large_enough(read) -> None:
    assert sum(isinstance(source.data, Path) for source, _ in read.values()) >= FEWEST_FILES


def test_nothing_is_read_wrongly(read) -> None:
    assert listed(read, "wrong") == []


def test_every_refusal_has_a_way_out_or_says_what_the_file_is(read) -> None:
    assert listed(read, "dead end") == []


def test_most_is_read_without_an_option(read) -> None:
    counts = Counter(found.what for source, found in read.values() if source.scores is not None)

    assert counts["read"] >= LEAST_READ * counts.total(), counts


def test_verdict_is_the_same_in_every_format_order_spelling_and_engine(read) -> None:
    verdicts: dict[str, dict[str, list[str]]] = {}
    for name, (source, found) in read.items():
        if source.group and found.table is not None:
            pairs = compare(found.table).pairs
            words = "; ".join(sorted(f"{sorted((pair.first, pair.second))} {pair.pvalue:.6g}" for pair in pairs))
            verdicts.setdefault(source.group, {}).setdefault(words, []).append(name)

    assert len(verdicts) >= 30
    assert {group: found for group, found in verdicts.items() if len(found) > 1} == {}
