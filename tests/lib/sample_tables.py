"""What samples of formats say, taken from them in the plainest way."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from statistics import fmean

import pytest

from evalstats import ScoreTable

Means = dict[tuple[str, str], float]


@pytest.fixture(scope="session")
def rows() -> Callable[..., list[dict[str, str]]]:
    """Read a CSV without evalstats."""

    def read(path: Path, **options: str) -> list[dict[str, str]]:
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file, **options))

    return read


@pytest.fixture(scope="session")
def means() -> Callable[..., Means]:
    """Return the mean score of each dataset and classifier in rows."""

    def of(rows: Iterable[Mapping[str, str]], dataset: str, classifier: str, score: str) -> Means:
        found = defaultdict(list)
        for row in rows:
            found[row[dataset], row[classifier]].append(float(row[score]))
        return {key: fmean(own) for key, own in found.items()}

    return of


@pytest.fixture(scope="session")
def content() -> Callable[[ScoreTable], Means]:
    """Return the scores of a table by their names."""

    def of(table: ScoreTable) -> Means:
        return {
            (dataset, classifier): float(score)
            for dataset, own in zip(table.datasets, table.scores, strict=True)
            for classifier, score in zip(table.classifiers, own, strict=True)
        }

    return of
