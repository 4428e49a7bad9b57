"""Each metric keeps what it declares."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evalstats.metrics import METRICS, score_from_counts
from evalstats.metrics.formulas import LABEL_METRICS
from evalstats.metrics.registry import SYMMETRIES

PAGES = Path(__file__).parents[2] / "docs" / "reference" / "metrics"
CHOICES = {"fbeta": {"beta": 2.0}}

each_metric = pytest.mark.parametrize("name", METRICS)
each_label_metric = pytest.mark.parametrize("name", LABEL_METRICS)


def random_counts(k: int, n_tables: int = 200) -> np.ndarray:
    rng = np.random.default_rng(k)
    return rng.integers(0, 30, (n_tables, k, k)) * (rng.random((n_tables, k, k)) < 0.7)


def scores(name: str, counts: np.ndarray) -> np.ndarray:
    return score_from_counts(name, counts, undefined="nan", **CHOICES.get(name, {}))


def tables(name: str) -> list[np.ndarray]:
    """Tables of two classes, and of more where the metric takes them together."""
    return [random_counts(k) for k in ((2,) if LABEL_METRICS[name].average == "chosen" else (2, 3, 5))]


@each_label_metric
def test_table_of_the_page_says_what_the_metric_declares(name: str) -> None:
    r = LABEL_METRICS[name]
    cells = [
        f"`{r.function}`",
        f"`{name}`",
        "greater" if r.greater_is_better else "less",
        f"{r.range[0]:g} to {r.range[1]:g}",
        ", ".join(r.symmetry) or "none",
        r.undefined_when,
        f"`{r.sklearn}`" if r.sklearn else "none",
    ]

    assert f"| {' | '.join(cells)} |" in (PAGES / "labels.md").read_text(encoding="utf-8")


@each_label_metric
def test_scores_stay_in_the_declared_range(name: str) -> None:
    low, high = LABEL_METRICS[name].range

    for counts in tables(name):
        for weighted in (counts, counts * np.random.default_rng(1).random(counts.shape)):
            values = scores(name, weighted)
            values = values[~np.isnan(values)]

            assert low <= values.min()
            assert values.max() <= high


@each_label_metric
def test_perfect_predictions_have_the_best_value(name: str) -> None:
    record = LABEL_METRICS[name]

    for counts in tables(name):
        values = scores(name, counts * np.eye(counts.shape[-1], dtype=int))

        assert set(values[~np.isnan(values)]) == {record.range[1] if record.greater_is_better else record.range[0]}


@each_label_metric
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetries_are_those_that_are_declared(name: str, symmetry: str) -> None:
    """The score stays as it is for every table, or it changes for some table."""
    holds = []
    for counts in tables(name):
        order = np.random.default_rng(2).permutation(counts.shape[-1]) if counts.shape[-1] > 2 else [1, 0]
        changed = counts.swapaxes(-1, -2) if symmetry == "exchange" else counts[:, order][:, :, order]
        holds.append(np.allclose(scores(name, counts), scores(name, changed), atol=1e-12, equal_nan=True))

    assert all(holds) == (symmetry in LABEL_METRICS[name].symmetry)


@each_label_metric
def test_scores_depend_on_shares_not_on_the_number_of_cases(name: str) -> None:
    for counts in tables(name):
        np.testing.assert_allclose(scores(name, counts), scores(name, 1000 * counts), rtol=1e-12)
