"""The plot of learning curves shows means, bands, significant sizes and fits within the range of the sizes."""

from __future__ import annotations

import numpy as np
import pytest

from evalstats.comparison import compare_learning_curves
from evalstats.paired import learning_curve_test
from evalstats.plot import learning_curves
from evalstats.plot.learning_curve_bands import _power_law

N_TRAIN = np.array([25, 50, 100, 200, 400])
SPREAD = np.random.default_rng(4).normal(0, 0.01, (2, 10, 5))
X, Y = np.array([0.86 - 0.9 * N_TRAIN**-0.5, 0.95 - 2.2 * N_TRAIN**-0.5])[:, None] + SPREAD
RESULT = learning_curve_test(X, Y, n_train=N_TRAIN, n_test=100, n_instances=500)


def lines(ax, label: str) -> list[np.ndarray]:
    return [line.get_xydata() for line in ax.lines if line.get_label() == label]


def test_means_and_full_markers_are_those_of_the_result() -> None:
    ax = learning_curves(RESULT, ["SVM", "tree"])

    np.testing.assert_array_equal(lines(ax, "SVM")[0], np.column_stack([N_TRAIN, RESULT.mean_x]))
    np.testing.assert_array_equal(lines(ax, "tree")[0], np.column_stack([N_TRAIN, RESULT.mean_y]))
    winners = RESULT.winners()
    assert {1, 0} <= set(winners.tolist())
    for shown, sign in zip(lines(ax, "_won"), (1, -1), strict=True):
        assert shown[:, 0].tolist() == N_TRAIN[winners == sign].tolist()
    assert [label.get_text() for label in ax.get_xticklabels()] == ["25", "50", "100", "200", "400"]
    assert "A filled marker" in ax.get_xlabel().replace("\n", " ")


def test_smaller_score_is_marked_if_it_is_better() -> None:
    errors = learning_curve_test(1 - X, 1 - Y, n_train=N_TRAIN, n_test=100, n_instances=500, greater_is_better=False)

    marked = [lines(learning_curves(result), "_won") for result in (RESULT, errors)]

    for of_scores, of_errors in zip(*marked, strict=True):
        assert len(of_scores) > 0
        np.testing.assert_array_equal(of_errors[:, 0], of_scores[:, 0])
        np.testing.assert_allclose(of_errors[:, 1], 1 - of_scores[:, 1])
    assert "better (smaller) score" in learning_curves(errors).get_xlabel().replace("\n", " ")


def test_comparison_gives_names_level_and_metric() -> None:
    at = list(np.ndindex(2, 10, 5))
    rows = {
        "classifier": [("SVM", "tree")[i] for i, _, _ in at],
        "repeat": [r for _, r, _ in at],
        "n_train": [int(N_TRAIN[j]) for _, _, j in at],
        "accuracy": [float((X, Y)[i][r, j]) for i, r, j in at],
    }
    comparison = compare_learning_curves(rows, n_test=100, n_instances=500, alpha=0.2)

    ax = learning_curves(comparison)

    same = learning_curves(RESULT, ["SVM", "tree"], alpha=0.2)
    assert ax.get_ylabel() == "mean accuracy"
    assert ax.get_xlabel() == same.get_xlabel()
    for label in ("SVM", "tree", "_won"):
        np.testing.assert_array_equal(lines(ax, label)[0], lines(same, label)[0])


def test_bands_are_those_of_each_curve_at_the_level() -> None:
    ax = learning_curves(RESULT, alpha=0.2)

    for band, learner in zip(ax.collections, "xy", strict=True):
        low, high = RESULT.score_band(learner, 0.8)
        heights = band.get_paths()[0].vertices[:, 1]
        assert (heights.min(), heights.max()) == pytest.approx((low.min(), high.max()))


def test_fits_stay_within_the_sizes_and_need_four() -> None:
    few = learning_curve_test(X[:, :3], Y[:, :3], n_train=N_TRAIN[:3], n_test=100)

    for fit in lines(learning_curves(RESULT), "_fit"):
        assert (fit[0, 0], fit[-1, 0]) == pytest.approx((25, 400))
    assert lines(learning_curves(few), "_fit") == []
    assert "Dashed" not in learning_curves(few).get_xlabel()


def test_fit_finds_a_power_law() -> None:
    at = np.array([30.0, 90.0, 333.0])

    found = _power_law(N_TRAIN.astype(float), 0.9 - 0.7 * N_TRAIN**-0.4, at)

    np.testing.assert_allclose(found, 0.9 - 0.7 * at**-0.4, atol=1e-4)


def test_other_things_are_refused() -> None:
    with pytest.raises(TypeError, match="result must be a result of learning_curve_test"):
        learning_curves([1, 2])
    with pytest.raises(ValueError, match="names must hold the names of x and y, but the number of names is 1"):
        learning_curves(RESULT, ["a"])
    batch = learning_curve_test(np.stack([X, Y]), Y, n_train=N_TRAIN, n_test=100)
    with pytest.raises(ValueError, match=r"result must be the result for one problem, but its shape is \(2, 5\)"):
        learning_curves(batch)
