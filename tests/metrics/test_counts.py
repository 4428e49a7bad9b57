"""Confusion counts are what a loop would count, for every shape, and counts of parts add up to the whole."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from repetitions import repetitions
from sklearn.metrics import confusion_matrix

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats.metrics import class_encoding as classes
from evalstats.metrics import confusion_counts
from evalstats.metrics.counts import place_of, whole_numbers, whole_tables

# Japkowicz, S. & Shah, M., tutorial on the evaluation of learning algorithms, slide "Cohen's Kappa Measure: Example";
# rows are the actual class
KAPPA_EXAMPLE = [[60, 50, 10], [10, 100, 40], [30, 10, 90]]


def counted_in_a_loop(y_true, y_pred, k, fold=None, n_folds=1, weight=None) -> np.ndarray:
    """Count one case after the other, in arrays of equal shape."""
    counts = np.zeros((*y_true.shape[:-1], n_folds, k, k))
    for at in np.ndindex(y_true.shape):
        f = 0 if fold is None else fold[at]
        counts[(*at[:-1], f, y_true[at], y_pred[at])] += 1 if weight is None else weight[at]
    return counts


@st.composite
def experiments(draw) -> dict:
    """Arrays whose leading axes broadcast, as those of repeats and classifiers do."""
    n, k, n_folds = draw(st.integers(1, 9)), draw(st.integers(1, 4)), draw(st.integers(1, 3))
    batch = draw(hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3))
    part = (
        st.integers(0, len(batch))
        .map(lambda j: batch[j:])
        .flatmap(lambda b: st.tuples(*(st.sampled_from([1, side]) for side in b)))
    )

    def array(largest: int) -> np.ndarray:
        return draw(hnp.arrays(np.int64, (*draw(part), n), elements=st.integers(0, largest)))

    return {
        "y_true": array(k - 1),
        "y_pred": array(k - 1),
        "fold": array(n_folds - 1),
        "weight": array(5),
        "k": k,
        "n_folds": n_folds,
    }


def test_cats_and_dogs() -> None:
    y_true = ["cat", "cat", "cat", "dog", "dog"]
    y_pred = ["cat", "cat", "dog", "dog", "cat"]

    assert confusion_counts(y_true, y_pred).tolist() == [[2, 1], [1, 1]]


def test_rows_are_the_true_class() -> None:
    """The table of the tutorial comes back from the 400 cases it counts."""
    cells = [(i, j) for i, j in np.ndindex(3, 3) for _ in range(KAPPA_EXAMPLE[i][j])]
    y_true, y_pred = np.array(cells).T

    assert confusion_counts(y_true, y_pred).tolist() == KAPPA_EXAMPLE


@pytest.mark.parametrize("names", [np.arange(4), np.array([-3, 0, 7, 10**12]), np.array(list("wxyz"))], ids=str)
def test_tables_are_those_of_scikit_learn(names: np.ndarray) -> None:
    rng = np.random.default_rng(5)
    for n in range(5, 40):
        y_true, y_pred = names[rng.integers(0, 4, (2, n))]
        weight = rng.random(n)

        np.testing.assert_array_equal(confusion_counts(y_true, y_pred), confusion_matrix(y_true, y_pred))
        np.testing.assert_allclose(
            confusion_counts(y_true, y_pred, sample_weight=weight),
            confusion_matrix(y_true, y_pred, sample_weight=weight),
            rtol=1e-14,
        )


def test_label_that_is_only_predicted_is_a_class() -> None:
    assert confusion_counts([0, 0], [0, 7]).tolist() == [[1, 1], [0, 0]]


def test_listed_classes_fix_the_order_and_the_size() -> None:
    counts = confusion_counts(["a", "b"], ["a", "a"], labels=["c", "b", "a"])

    assert counts.tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 1]]


@given(experiments(), st.booleans(), st.booleans(), st.sampled_from([1, 2, 5, 64]))
@settings(max_examples=repetitions(300))
def test_counts_are_those_of_a_loop(e: dict, folds: bool, weights: bool, block: int) -> None:
    """Whatever broadcasts against whatever, and wherever the blocks are cut."""
    used = ["y_true", "y_pred", *["fold"] * folds, *["weight"] * weights]
    shape = np.broadcast_shapes(*(e[name].shape for name in used))
    same = {name: np.broadcast_to(e[name], shape) for name in used}
    expected = counted_in_a_loop(
        same["y_true"], same["y_pred"], e["k"], same.get("fold"), e["n_folds"] if folds else 1, same.get("weight")
    )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classes, "BLOCK", block)
        counts = confusion_counts(
            e["y_true"],
            e["y_pred"],
            n_classes=e["k"],
            sample_weight=e["weight"] if weights else None,
            fold=e["fold"] if folds else None,
            n_folds=e["n_folds"] if folds else None,
        )

    np.testing.assert_array_equal(counts, expected if folds else expected[..., 0, :, :])
    assert counts.dtype == (np.float64 if weights else np.int64)


def test_batch_equals_the_loop_over_its_members_to_the_last_bit() -> None:
    rng = np.random.default_rng(1)
    y_true, y_pred = rng.integers(0, 3, (2, 4, 5, 300))
    weight = rng.random((4, 5, 300))

    batch = confusion_counts(y_true, y_pred, n_classes=3, sample_weight=weight)

    for at in np.ndindex(4, 5):
        alone = confusion_counts(y_true[at], y_pred[at], n_classes=3, sample_weight=weight[at])
        np.testing.assert_array_equal(batch[at], alone)


def test_long_sample_is_counted_in_pieces() -> None:
    rng = np.random.default_rng(2)
    y_true, y_pred = rng.integers(0, 7, (2, 3 * classes.BLOCK + 5))

    np.testing.assert_array_equal(confusion_counts(y_true, y_pred), np.bincount(7 * y_true + y_pred).reshape(7, 7))


def test_folds_may_differ_in_size_and_bear_names() -> None:
    y_true, y_pred = [0, 1, 1, 0, 1], [0, 1, 0, 0, 1]

    counts = confusion_counts(y_true, y_pred, fold=["Oslo", "Oslo", "Bergen", "Oslo", "Oslo"])

    assert counts.tolist() == [[[0, 0], [1, 0]], [[2, 0], [0, 2]]]  # Bergen comes first


def test_empty_fold_has_counts_of_zero() -> None:
    counts = confusion_counts([0, 1], [1, 1], fold=[0, 2], n_folds=4)

    assert counts.sum(axis=(-1, -2)).tolist() == [1, 0, 1, 0]


def test_folds_sum_to_the_whole() -> None:
    rng = np.random.default_rng(3)
    y_true, y_pred = rng.integers(0, 4, (2, 500))
    fold = rng.integers(0, 10, (20, 500))

    counts = confusion_counts(y_true, y_pred, fold=fold)

    assert counts.shape == (20, 10, 4, 4)
    np.testing.assert_array_equal(counts.sum(axis=1), np.broadcast_to(confusion_counts(y_true, y_pred), (20, 4, 4)))


@pytest.mark.parametrize(
    "names", [np.array(["low", "middle", "high"]), np.array([10, 20, 30])], ids=["text", "numbers"]
)
def test_counts_of_chunks_add_up(names: np.ndarray) -> None:
    """Chunks of a file or parts on several machines need only the same labels and number of folds."""
    rng = np.random.default_rng(4)
    y_true, y_pred = names[rng.integers(0, 3, (2, 200))]
    fold = rng.integers(0, 5, 200)
    order = {"labels": names.tolist(), "n_folds": 5}

    parts = [
        confusion_counts(y_true[i : i + 7], y_pred[i : i + 7], fold=fold[i : i + 7], **order) for i in range(0, 200, 7)
    ]

    np.testing.assert_array_equal(sum(parts), confusion_counts(y_true, y_pred, fold=fold, **order))


def test_weights_may_all_be_zero() -> None:
    assert confusion_counts([0, 1], [0, 1], sample_weight=[0, 0]).tolist() == [[0, 0], [0, 0]]


def test_booleans_go_with_zero_and_one_only() -> None:
    assert confusion_counts([True, False], [1, 1]).tolist() == [[0, 1], [0, 1]]
    with pytest.raises(InvalidTypeError, match=r"y_true holds booleans .* and y_pred holds numbers"):
        confusion_counts([True, False], [1, -1])


def test_little_memory_is_needed_beyond_input_and_result() -> None:
    """Twelve million predictions of half a million cases: blocks of half a megabyte, not arrays of a hundred."""
    y_true, y_pred = np.zeros(500_000, dtype=np.int8), np.ones((4, 6, 500_000), dtype=np.int8)
    fold = np.zeros((4, 1, 500_000), dtype=np.int8)

    tracemalloc.start()
    confusion_counts(y_true, y_pred, n_classes=2, fold=fold, n_folds=10)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 8e6


@pytest.mark.parametrize(
    ("y_true", "y_pred", "choices", "error", "message"),
    [
        (
            [0, 1, 1],
            [0, 1],
            {},
            InvalidValueError,
            "y_true and y_pred must be paired: y_true has 3 labels, y_pred has 2$",
        ),
        (
            [0, 1],
            [[0], [1]],
            {},
            InvalidValueError,
            "y_true has 2 labels, y_pred has 1; the instances must be the last axis",
        ),
        (
            np.zeros((2, 4), int),
            np.zeros((3, 4), int),
            {},
            InvalidValueError,
            "the leading axes must broadcast, but the shapes",
        ),
        (["0"], [0], {}, InvalidTypeError, r"y_true holds text \(such as 0\) and y_pred holds numbers \(such as 0\)"),
        (
            [0, 1],
            [0, 2],
            {"n_classes": 2},
            InvalidValueError,
            r"y_pred must hold labels among 0, 1, but y_pred\[1\] is 2",
        ),
        (
            [0, 1],
            [0, 2],
            {"labels": [0, 1]},
            InvalidValueError,
            r"y_pred must hold labels among 0, 1, but y_pred\[1\] is 2",
        ),
        (["a"], ["a"], {"n_classes": 2}, InvalidValueError, "n_classes needs labels 0, 1, ..., but y_true holds text"),
        (
            [0],
            [0],
            {"n_classes": 2, "labels": [0, 1]},
            InvalidValueError,
            "n_classes and labels both specify the classes",
        ),
        ([0], [0], {"n_classes": 0}, InvalidValueError, "n_classes must be at least 1, not 0"),
        ([0], [0], {"n_folds": 2}, InvalidValueError, "n_folds needs fold"),
        (
            [0, 1],
            [0, 1],
            {"fold": [0, 2], "n_folds": 2},
            InvalidValueError,
            r"fold must hold labels among 0, 1, but fold\[1\] is 2",
        ),
        ([0, 1], [0, 1], {"fold": [0, np.nan]}, InvalidValueError, r"fold must be finite, but fold\[1\] is nan"),
        (
            [0, 1],
            [0, 1],
            {"fold": [0, 1, 2]},
            InvalidValueError,
            "the fold of each of the 2 instances, but its shape is",
        ),
        (
            [0, 1],
            [0, 1],
            {"sample_weight": [1, -2]},
            InvalidValueError,
            r"must be nonnegative, but sample_weight\[1\] is -2",
        ),
        ([0, 1], [0, 1], {"sample_weight": [1, np.inf]}, InvalidValueError, r"sample_weight\[1\] is inf"),
        (
            [0, 1],
            [0, 1],
            {"sample_weight": [1]},
            InvalidValueError,
            "one weight for each of the 2 instances, but its shape is",
        ),
        (
            np.arange(10**5),
            np.arange(10**5),
            {},
            InvalidValueError,
            "1 tables of 100000 x 100000 cells, which do not fit",
        ),
    ],
)
def test_bad_input_is_refused(y_true, y_pred, choices, error, message) -> None:
    with pytest.raises(error, match=message):
        confusion_counts(y_true, y_pred, **choices)


def test_series_pair_by_index() -> None:
    y_true = pd.Series([0, 1], index=[10, 11])

    with pytest.raises(InvalidValueError, match="y_true and y_pred must have equal indexes"):
        confusion_counts(y_true, pd.Series([0, 1], index=[11, 10]))
    with pytest.raises(InvalidValueError, match="y_true and fold must have equal indexes"):
        confusion_counts(y_true, [0, 1], fold=pd.Series([0, 1]))


@pytest.mark.parametrize("value", [3, 3.0, [0, 7], np.array([[1.0, 2.0]]), [True, False]])
def test_whole_numbers_are_taken_in_any_type(value: Any) -> None:
    taken = whole_numbers(value, "n")

    assert taken.dtype == np.int64
    assert taken.tolist() == np.asarray(value, dtype=int).tolist()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (2.5, r"n must be nonnegative whole numbers, but n is 2\.5"),
        ([1, -1], r"but n\[1\] is -1"),
        ([[1, 2], [3, 0.1]], r"but n\[1, 1\] is 0\.1"),
        (2.0**60, r"but n is 1\.15"),
        ([1, float("nan")], r"n must be finite, but n\[1\] is nan"),
    ],
)
def test_other_numbers_are_refused_with_their_place(value: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        whole_numbers(value, "n")


def test_tables_may_be_a_batch() -> None:
    assert whole_tables(np.ones((2, 3, 4, 4))).shape == (2, 3, 4, 4)


@pytest.mark.parametrize("shape", [(2, 3), (0, 0), (4,)])
def test_tables_are_square(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidValueError, match=r"counts must have the shape \(\.\.\., k, k\) with k of 1 or more"):
        whole_tables(np.zeros(shape))


def test_place_is_written_after_a_name() -> None:
    assert (place_of(()), place_of((np.int64(3),)), place_of([0, 2])) == ("", "[3]", "[0, 2]")
