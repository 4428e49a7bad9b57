"""Learning curves: corrected t at each size, and the largest of all."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import ShuffleSplit, learning_curve
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from evalstats import corrected_ttest
from evalstats.reproducibility import learning_curve_test

TREE = [[0.60, 0.64, 0.58, 0.62], [0.70, 0.72, 0.70, 0.74], [0.76, 0.78, 0.74, 0.78]]
FOREST = [[0.62, 0.64, 0.60, 0.64], [0.78, 0.82, 0.78, 0.82], [0.90, 0.92, 0.86, 0.92]]
SIZES = [50, 100, 200]


def curves(seed: int, k: int, m: int, n_repeats: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.8, 0.05, (k, m, n_repeats)).round(3)


def test_pvalues_of_mvtnorm() -> None:
    """R 4.2.2, mvtnorm 1.1-3: pmvt and qmvt with an error of 1e-8."""
    result = learning_curve_test({"forest": FOREST, "tree": TREE}, SIZES, n_test=50)

    assert result.statistic[0] == pytest.approx([1.34164078650, 9.81495457622, 19.09188309204], rel=1e-11)
    assert result.pvalue[0] == pytest.approx([0.4242149, 0.0038612192, 0.000540077063], abs=1e-7)
    assert result.critical_value == pytest.approx(3.92031654, abs=2e-4)
    assert [row.better for row in result.comparisons] == [None, "forest", "forest"]


@given(seed=st.integers(0, 10**6), pool=st.sampled_from([None, 200, 500]))
def test_unadjusted_pvalues_are_those_of_the_corrected_t_test(seed: int, pool: int | None) -> None:
    scores = curves(seed, 3, 2, 6)

    result = learning_curve_test(scores, [100, 200], n_test=40, n_pool=pool)

    for row, (i, j) in enumerate(itertools.combinations(range(3), 2)):
        for s, size in enumerate([100, 200]):
            alone = corrected_ttest(scores[i, s], scores[j, s], n_train=pool or size, n_test=40)
            assert result.statistic[row, s] == pytest.approx(alone.statistic, rel=1e-9)
            assert result.unadjusted_pvalue[row, s] == pytest.approx(alone.pvalue, rel=1e-9)
            assert alone.pvalue * (1 - 1e-9) <= result.pvalue[row, s] <= min(1, 6 * alone.pvalue * (1 + 1e-9))


@given(seed=st.integers(0, 10**6))
def test_band_excludes_zero_if_the_pvalue_is_small(seed: int) -> None:
    result = learning_curve_test(curves(seed, 2, 4, 5), [10, 20, 40, 80], n_test=5)

    outside = (result.difference_lower > 0) | (result.difference_upper < 0)
    assert outside.tolist() == (result.pvalue < 0.05).tolist()


def test_pvalues_are_those_of_drawn_normal_values() -> None:
    """The second formula: draw the multivariate t distribution itself."""
    scores = curves(5, 3, 3, 8)
    result = learning_curve_test(scores, SIZES, n_test=50)
    rng, pairs = np.random.default_rng(1), list(itertools.combinations(range(3), 2))
    d = np.concatenate([scores[i] - scores[j] for i, j in pairs])
    drawn = rng.multivariate_normal(np.zeros(9), np.corrcoef(d), 400_000, method="svd")
    largest = np.abs(drawn).max(axis=1) / np.sqrt(rng.chisquare(7, 400_000) / 7)

    expected = [(largest >= abs(t)).mean() for t in result.statistic.ravel()]

    assert result.pvalue.ravel() == pytest.approx(expected, abs=0.003)


def test_one_size_of_two_classifiers_is_the_corrected_t_test() -> None:
    result = learning_curve_test([FOREST[:1], TREE[:1]], [50], n_test=50, confidence_level=0.9)
    alone = corrected_ttest(FOREST[0], TREE[0], n_train=50, n_test=50)

    assert result.pvalue[0, 0] == pytest.approx(alone.pvalue, rel=1e-12)
    low, high = alone.confidence_interval(0.9)
    assert (result.difference_lower[0, 0], result.difference_upper[0, 0]) == pytest.approx((low, high), rel=1e-10)


def test_equal_curves_do_not_make_the_others_less_certain() -> None:
    """A difference without variance is not part of the largest t."""
    same = {"a": [TREE[0], TREE[1]], "b": [TREE[0], FOREST[1]]}
    shifted = {"a": [TREE[0], TREE[1]], "b": [np.add(TREE[0], 0.01), FOREST[1]]}
    alone = learning_curve_test({"a": TREE[1:2], "b": FOREST[1:2]}, [100], n_test=50)

    equal, constant = (learning_curve_test(one, [50, 100], n_test=50) for one in (same, shifted))

    assert (equal.pvalue[0, 0], equal.statistic[0, 0]) == (1, 0)
    assert np.isnan(constant.pvalue[0, 0])
    assert constant.comparisons[0].better is None
    assert "no variance" in equal.reason
    assert "no variance" in constant.reason
    assert equal.pvalue[0, 1] == constant.pvalue[0, 1] == pytest.approx(alone.pvalue[0, 0], rel=1e-12)


@given(seed=st.integers(0, 10**6))
def test_order_of_sizes_repeats_and_direction_do_not_matter(seed: int) -> None:
    scores = curves(seed, 2, 3, 5)
    result = learning_curve_test(scores, SIZES, n_test=50)

    turned = learning_curve_test(scores[:, ::-1, ::-1], SIZES[::-1], n_test=50)
    losses = learning_curve_test(1 - scores, SIZES, n_test=50, greater_is_better=False)

    assert turned.pvalue == pytest.approx(result.pvalue, abs=1e-4)
    assert losses.pvalue == pytest.approx(result.pvalue, abs=1e-4)
    assert [row.better for row in losses.comparisons] == [row.better for row in result.comparisons]


def test_output_of_scikit_learn() -> None:
    x = np.random.default_rng(0).normal(size=(120, 3))
    y = (x[:, 0] > 0).astype(int)
    split = ShuffleSplit(5, test_size=30, random_state=0)
    found = {
        "bayes": learning_curve(GaussianNB(), x, y, cv=split, train_sizes=[30, 90]),
        "tree": learning_curve(DecisionTreeClassifier(max_depth=1), x, y, cv=split, train_sizes=[30, 90]),
    }

    result = learning_curve_test({name: one[2] for name, one in found.items()}, found["tree"][0], n_test=30, n_pool=90)

    assert result.mean[0] == pytest.approx(found["bayes"][2].mean(axis=1))
    assert (result.n_repeats, result.n_train.tolist(), len(result.to_columns()["pvalue"])) == (5, [30, 90], 2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scores": {}}, "at least one classifier"),
        ({"scores": {"a": TREE, "b": TREE[:2]}}, "one shape"),
        ({"scores": {"a": [[0.5], [0.6], [0.7]]}}, "2 or more repeats"),
        ({"scores": {"a": [[0.5, np.nan], [0.6, 0.5], [0.7, 0.5]]}}, r"scores\['a'\]\[0, 1\] is nan"),
        ({"n_train": [50, 100]}, "one size for each of the 3 rows"),
        ({"n_train": [50, 50, 100]}, "each size once"),
        ({"n_train": [0, 50, 100]}, "n_train"),
        ({"n_test": 0}, "n_test must be 1 or more"),
        ({"n_pool": 100}, "at least the largest training size 200"),
        ({"confidence_level": 1}, "confidence_level"),
    ],
)
def test_messages(change: dict[str, Any], words: str) -> None:
    given = {"scores": {"a": TREE, "b": FOREST}, "n_train": SIZES, "n_test": 50} | change

    with pytest.raises(ValueError, match=words):
        learning_curve_test(**given)
