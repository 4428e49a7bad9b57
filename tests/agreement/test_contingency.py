"""Tables of classes and clusters of many runs."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.agreement import contingency
from evalstats.agreement.contingency import over_runs


def test_cells_by_hand() -> None:
    seen = []

    over_runs(["a", "a", "b"], [[1, 1, 1], [2, 1, 1]], lambda table: seen.append(table) or np.zeros(table.m))

    (table,) = seen
    assert table.run.tolist() == [0, 0, 1, 1, 1]
    assert table.n_instances.tolist() == [2, 1, 1, 1, 1]
    assert table.of_class.tolist() == [2, 1, 2, 2, 1]
    assert table.of_cluster.tolist() == [3, 3, 2, 1, 2]
    assert table.n_labels()[1].tolist() == [1, 2]
    assert table.pairs().both.tolist() == [1, 0]


def test_sorted_cells_are_counted_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y, runs = rng.integers(0, 9, 40), rng.integers(0, 9, (7, 40))
    entropies = lambda table: table.mutual_information()  # noqa: E731  # the same for both

    counted = over_runs(y, runs, entropies)
    monkeypatch.setattr(contingency, "CELLS_PER_CASE", 0)

    assert over_runs(y, runs, entropies).tolist() == counted.tolist()


def test_runs_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y, runs = rng.integers(0, 3, (4, 1, 20)), rng.integers(0, 3, (5, 20))
    whole = over_runs(y, runs, lambda table: table.largest_of_clusters())
    monkeypatch.setattr(contingency, "AT_ONCE", 60)

    parts = over_runs(y, runs, lambda table: table.largest_of_clusters())

    assert whole.shape == (4, 5)
    assert parts.tolist() == whole.tolist()


class TestMessages:
    def test_lengths(self) -> None:
        with pytest.raises(ValueError, match="y_true and y_pred must be paired: y_true has 2 instances, y_pred has 3"):
            over_runs([0, 1], [0, 1, 1], lambda table: np.zeros(table.m))

    def test_batch(self) -> None:
        with pytest.raises(ValueError, match="the leading axes must broadcast"):
            over_runs(np.zeros((2, 3)), np.zeros((4, 3)), lambda table: np.zeros(table.m))
