from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score as sklearn_kappa

from evalstats.agreement import cohen_kappa, cohen_kappa_matrix, kappa_matrix

WEIGHTS = [None, "linear", "quadratic"]


def labellings(n_classifiers: int, n: int, k: int) -> Any:
    rng = np.random.default_rng(n_classifiers + n + k)
    truth = rng.integers(0, k, n)
    return np.where(rng.random((n_classifiers, n)) < 0.6, truth, rng.integers(0, k, (n_classifiers, n)))


def test_three_labellings_by_hand() -> None:
    """The first two agree on 3 of 4 cases, 6 of 16 by chance; the third never varies."""
    kappa = cohen_kappa_matrix([list("aabb"), list("aabc"), list("bbbb")])

    np.testing.assert_allclose(kappa[:2, :2], [[1, 0.6], [0.6, 1]], rtol=1e-15)
    np.testing.assert_array_equal(kappa[2], [0, 0, np.nan])


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize(("n", "k"), [(1, 2), (63, 2), (64, 3), (65, 4), (128, 5), (1000, 17), (300, 200)])
def test_every_pair_is_cohen_kappa(n: int, k: int, weights: str | None) -> None:
    y = labellings(6, n, k)

    kappa = cohen_kappa_matrix(y, labels=range(k), weights=weights)

    pairs = [[cohen_kappa(a, b, labels=range(k), weights=weights).estimate for b in y] for a in y]
    np.testing.assert_allclose(kappa, pairs, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(kappa, kappa.T)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_sklearn_agrees(weights: str | None) -> None:
    y = labellings(5, 500, 6)

    pairs = [[sklearn_kappa(a, b, weights=weights) for b in y] for a in y]

    np.testing.assert_allclose(cohen_kappa_matrix(y, weights=weights), pairs, rtol=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_size_of_the_blocks_does_not_matter(weights: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    y = labellings(7, 2000, 9)
    expected = cohen_kappa_matrix(y, weights=weights)

    monkeypatch.setattr(kappa_matrix, "WORDS_AT_A_TIME", 1)
    monkeypatch.setattr(kappa_matrix, "CODES_AT_A_TIME", 100)

    np.testing.assert_array_equal(cohen_kappa_matrix(y, weights=weights), expected)


def test_without_the_bit_count_of_numpy_2(monkeypatch: pytest.MonkeyPatch) -> None:
    y = labellings(7, 2000, 9)
    expected = cohen_kappa_matrix(y)

    monkeypatch.delattr(np, "bitwise_count", raising=False)

    np.testing.assert_array_equal(cohen_kappa_matrix(y), expected)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int64, object, str])
def test_kind_of_labels_does_not_matter(dtype: Any) -> None:
    y = labellings(4, 200, 120)

    np.testing.assert_array_equal(cohen_kappa_matrix(y.astype(dtype)), cohen_kappa_matrix(y))


def test_order_of_the_classifiers_permutes_the_result() -> None:
    y, order = labellings(5, 200, 3), [3, 0, 4, 1, 2]

    np.testing.assert_array_equal(cohen_kappa_matrix(y[order]), cohen_kappa_matrix(y)[np.ix_(order, order)])


def test_one_classifier_agrees_with_itself() -> None:
    np.testing.assert_array_equal(cohen_kappa_matrix([[0, 1, 1]]), [[1]])


@pytest.mark.parametrize("weights", WEIGHTS)
def test_memory_is_bounded(weights: str | None) -> None:
    """Less than the labels themselves take as int64, whatever their number."""
    y = labellings(40, 200_000, 10).astype(np.int8)
    cohen_kappa_matrix(y[:, :100], weights=weights)

    tracemalloc.start()
    cohen_kappa_matrix(y, weights=weights)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 40e6


@pytest.mark.parametrize(
    ("y", "choices", "message"),
    [
        ([0, 1], {}, "y must have the shape (n_classifiers, n), a row for each labelling, but its shape is (2,)"),
        ([[]], {}, "y must hold at least one label"),
        ([[0, 1], [0]], {}, "y must be a regular array"),
        ([[0, 1], [0, 2]], {"labels": [0, 1]}, "y[1, 1] is 2"),
        ([[0, 1], [0, 1]], {"weights": "cubic"}, "weights must be 'linear' or 'quadratic', not 'cubic'"),
        ([[0, 1], [0, 1]], {"weights": np.eye(2)}, "weights must be 'linear' or 'quadratic'"),
        ([[0.5, 1], [0, 1]], {}, "y"),
    ],
)
def test_bad_arguments_are_refused(y: Any, choices: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        cohen_kappa_matrix(y, **choices)

    assert message in str(caught.value)
