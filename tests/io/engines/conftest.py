"""Generated tables of predictions, and engines that take small tables as if they were large."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats.io.engines import frames, opening
from evalstats.io.options import given_together

Rows = dict[str, list[Any]]


@pytest.fixture
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "FEWEST_ROWS", 0)
    monkeypatch.setattr(opening, "FEWEST_BYTES", dict.fromkeys(opening.FEWEST_BYTES, 0))
    monkeypatch.setattr(opening, "FEWEST_BYTES_OF_TEXT", 0)


@pytest.fixture
def duckdb_counts_frames(everything_is_large: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "FEWEST_OF_DUCKDB", 0)


@pytest.fixture
def generated() -> Callable[[int], Rows]:
    return generate


@pytest.fixture
def outcome() -> Callable[..., Any]:
    return found_of


def generate(seed: int) -> Rows:
    """Make predictions: labels of words or numbers, cases named by words or numbers, with folds or without."""
    rng = np.random.default_rng(seed)
    k, n_labels = (int(rng.choice(among)) for among in ([2, 3, 5], [2, 4]))
    n, n_datasets = int(rng.integers(20, 50)), int(rng.choice([1, 1, 3]))
    has_words, has_named_cases, has_folds, has_cases = rng.random(4) < (0.5, 0.5, 0.4, 0.8)
    rows: list[tuple[Any, ...]] = []
    for d in range(n_datasets):
        true = np.concatenate([np.arange(n_labels), rng.integers(0, n_labels, n - n_labels)]).tolist()
        for c in range(k):
            guesses = rng.integers(0, n_labels, n).tolist()
            predicted = [t if u < 0.6 + 0.1 * c else g for t, u, g in zip(true, rng.random(n), guesses, strict=True)]
            for i, labels in enumerate(zip(true, predicted, strict=True)):
                named = [f"class {label}" if has_words else label for label in labels]
                rows.append((f"data {d}", f"model {c}", f"q{i}" if has_named_cases else i, i % 2 + 1, *named))
    shuffled = [rows[i] for i in rng.permutation(len(rows))]
    names = ("dataset", "classifier", "row", "fold", "y_true", "y_pred")
    named = {"row": has_cases, "fold": has_folds, "dataset": n_datasets > 1 or rng.random() < 0.5}
    left_out = {name for name, is_there in named.items() if not is_there}
    columns = dict(zip(names, map(list, zip(*shuffled, strict=True)), strict=True))
    return {name: column for name, column in columns.items() if name not in left_out}


def found_of(source: Any, **reading: Any) -> tuple[bool, str]:
    """Return whether the rows stayed where they were, and all numbers of the comparison, or why there is none."""
    table = evalstats.read_table(source, **given_together(reading))
    assert table._scored is not None
    was_counted, scores = table._scored._predictions._counted is not None, table.scores.tolist()
    try:
        told = evalstats.compare(table, n_resamples=99, rng=0).to_dict()
    except evalstats.EvalstatsError as error:
        return was_counted, f"{scores} {error}"
    return was_counted, repr({**told, "table": scores})
