"""Inputs that look good and are not: columns that contradict each other, mixed units, clusters of every shape.

Each is read without losing a row, or refused in one sentence.
``python scripts/corrupted_inputs.py inputs 10000 7`` tries as many, from a seed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from evalstats import compare, report
from evalstats._errors import EvalstatsError
from evalstats.report.comparisons.shared_blocks import count_read

MODELS = ("a", "b", "c")


def sizes_of_clusters(rng: np.random.Generator, n: int) -> dict[str, np.ndarray]:
    """Return the cluster of each of n questions, for every shape."""
    pareto = np.repeat(np.arange(n), np.minimum(rng.pareto(1.0, n).astype(int) + 1, n))[:n]
    return {
        "one": np.zeros(n, dtype=int),
        "singletons": np.arange(n),
        "one dominating": np.where(np.arange(n) < 0.9 * n, 0, np.arange(n)),
        "two dominating": np.where(np.arange(n) < 0.9 * n, np.arange(n) % 2, np.arange(n)),
        "equal": np.arange(n) // 5,
        "geometric": np.floor(np.log2(np.arange(n) + 1)).astype(int),
        "Pareto": pareto,
    }


def clusters(rng: np.random.Generator) -> None:
    """Compare models on questions in clusters: all questions count, and a p-value is a probability or missing."""
    n, k = int(rng.integers(6, 60)), int(rng.integers(2, 4))
    shape, cluster = list(sizes_of_clusters(rng, n).items())[rng.integers(7)]
    difficulty = rng.random(int(cluster.max()) + 1)[cluster]
    right = rng.random((k, n)) < difficulty if rng.random() < 0.9 else np.ones((k, n), dtype=bool)
    frame = pd.DataFrame({"passage": cluster, "question_id": np.arange(n)})
    names = MODELS[:k]
    items = pd.concat(
        [frame.assign(model=name, correct=own.astype(int)) for name, own in zip(names, right, strict=True)]
    )
    found = compare(items.sample(frac=1, random_state=int(rng.integers(1000))))

    assert count_read(found).n_kept == n, shape
    assert found.table.scores[0] == pytest.approx(right.mean(axis=1), abs=1e-12), shape
    pvalues = np.array([pair.pvalue for pair in found.pairs])
    assert ((pvalues >= 0) & (pvalues <= 1) | np.isnan(pvalues)).all(), (shape, pvalues)
    assert report.text(found)


def contradictions(rng: np.random.Generator) -> None:
    """Compare predictions beside a column that says otherwise who is right: no score is a mixture of both."""
    n = int(rng.integers(10, 60))
    true = rng.integers(2, size=n)
    frames, own = [], {}
    for name in MODELS[: rng.integers(2, 4)]:
        predicted = np.where(rng.random(n) < 0.7, true, 1 - true)
        said = np.where(rng.random(n) < 0.2, predicted != true, predicted == true).astype(int)
        own[name] = ((predicted == true).mean(), said.mean())
        frames.append(
            pd.DataFrame({"id": range(n), "model": name, "y_true": true, "y_pred": predicted, "correct": said})
        )
    found = compare(pd.concat(frames), metric="accuracy")

    assert count_read(found).n_kept == n
    scores = dict(zip(found.table.classifiers, found.table.scores[0], strict=True))
    assert any(scores == pytest.approx({name: both[i] for name, both in own.items()}, abs=1e-12) for i in range(2)), (
        scores
    )


def units(rng: np.random.Generator) -> None:
    """Compare shares with per cent: numbers stay as they were written, and every dataset counts."""
    n, k = int(rng.integers(5, 30)), int(rng.integers(2, 5))
    scores = rng.random((n, k)).round(3) * np.where(rng.random(k) < 0.5, 100, 1)
    written = scores.round(1).astype(str) if rng.random() < 0.3 else scores
    frame = pd.DataFrame(written, columns=[f"m{j}" for j in range(k)])
    if rng.random() < 0.3:
        frame = frame.map(lambda cell: f"{cell}%")
    frame.insert(0, "dataset", [f"d{i}" for i in range(n)])
    metric = str(rng.choice(["accuracy", "score", "error rate"]))
    found = compare(frame, metric=metric)

    expected = np.array([[float(str(cell).rstrip("%")) for cell in row[1:]] for row in frame.to_numpy().tolist()])
    assert np.array_equal(found.table.scores, expected)
    assert count_read(found).n_kept == n


KINDS: tuple[Callable[[np.random.Generator], None], ...] = (clusters, contradictions, units)


def outcome(seed: int) -> str:
    """Try one input, and tell what came of it."""
    try:
        KINDS[seed % len(KINDS)](np.random.default_rng(seed))
    except EvalstatsError as error:
        message = str(error)
    else:
        return "read"
    assert message.isprintable(), (seed, message)
    assert 0 < len(message) < 2_000, (seed, message)
    return "refused"


@pytest.mark.sampled
@pytest.mark.filterwarnings("ignore::evalstats._errors.EvalstatsWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_input_is_read_whole_or_refused(kind) -> None:
    outcomes = Counter(outcome(seed) for seed in range(KINDS.index(kind), 40 * len(KINDS), len(KINDS)))

    assert outcomes.total() == 40
    assert outcomes["read"] or kind is contradictions
