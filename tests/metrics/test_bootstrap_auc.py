"""The bootstrap of the area under the ROC curve has the law of resampled rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions
from scipy import stats
from sklearn.metrics import roc_auc_score as sklearn_auc

from evalstats.metrics import bootstrap_auc
from evalstats.metrics.bootstrap import bootstrap_interval
from evalstats.metrics.bootstrap_auc import bootstrap_auc_interval, bootstrap_auc_scores

COUNTS = [[60, 8], [5, 27]]
each_bootstrap = pytest.mark.parametrize("method", ["bca", "percentile"])


def labels_and_scores(n: int, decimals: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y_true = np.concatenate([[0, 1], rng.integers(0, 2, n - 2)])
    return y_true, (rng.normal(size=n) + y_true).round(decimals)


def area_by_pairs(y_true: np.ndarray, scores: np.ndarray, axis: int = -1) -> np.ndarray:
    """Share of the pairs of a positive and a negative that are in order; ties count one half."""
    pairs = (y_true[..., :, None] == 1) & (y_true[..., None, :] == 0)
    order = np.sign(scores[..., :, None] - scores[..., None, :]) / 2 + 0.5
    with np.errstate(invalid="ignore"):
        return (pairs * order).sum(axis=(-2, -1)) / pairs.sum(axis=(-2, -1))


@settings(max_examples=repetitions(50))
@given(st.integers(2, 40), st.integers(0, 2), st.integers(0, 10**6))
def test_cells_keep_the_area_and_all_that_leave_one_out(n: int, decimals: int, seed: int) -> None:
    """Merging neighbours of one class changes nothing, with and without ties."""
    y_true, scores = labels_and_scores(n, decimals, seed)
    axis = bootstrap_auc._sorted_axis(y_true == 1, scores)

    assert bootstrap_auc._auc(axis, axis.counts.astype(float)) == pytest.approx(sklearn_auc(y_true, scores), abs=1e-13)
    left_out = bootstrap_auc._auc_left_out(axis)
    by_rows = [area_by_pairs(np.delete(y_true, i), np.delete(scores, i)) for i in range(n)]
    ours = np.repeat(left_out.scores, left_out.counts)
    np.testing.assert_allclose(ours, np.array(by_rows)[np.lexsort((y_true, scores))], atol=1e-13)


@pytest.mark.parametrize(("n", "decimals"), [(120, 0), (40, 15)])
def test_replicates_of_the_area_have_the_law_of_resampled_rows(n: int, decimals: int) -> None:
    """Cells are drawn where scores are tied, cases where they are distinct."""
    y_true, scores = labels_and_scores(n, decimals)
    rng = np.random.default_rng(22)

    drawn = rng.integers(0, n, (1500, n))

    result = bootstrap_auc_scores(y_true, scores, n_resamples=5000, rng=4)
    expected = np.concatenate([area_by_pairs(y_true[i], scores[i]) for i in np.array_split(drawn, 30)])

    assert stats.ks_2samp(result, expected).pvalue > 0.01


def test_cells_and_cases_have_the_same_law(monkeypatch: pytest.MonkeyPatch) -> None:
    y_true, scores = labels_and_scores(100, 1)
    by_cells = bootstrap_auc_scores(y_true, scores, n_resamples=4000, rng=1)
    monkeypatch.setattr(bootstrap_auc, "CASES_PER_CELL", 0)
    again = bootstrap_auc_scores(y_true, scores, n_resamples=4000, rng=2)
    monkeypatch.setattr(bootstrap_auc, "CASES_PER_CELL", 10**6)

    by_cases = bootstrap_auc_scores(y_true, scores, n_resamples=4000, rng=3)

    assert stats.ks_2samp(by_cells, by_cases).pvalue > 0.01
    assert stats.ks_2samp(again, by_cases).pvalue > 0.01


def test_blocks_draw_every_case_equally_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three blocks, the last one short."""
    monkeypatch.setattr(bootstrap_auc, "BLOCK", 8)
    rng = np.random.default_rng(0)

    drawn = np.stack([bootstrap_auc._drawn_cases(19, rng) for _ in range(4000)])

    assert (drawn.sum(axis=1) == 19).all()
    assert stats.chisquare(drawn.sum(axis=0)).pvalue > 0.01
    # one case: binomial (19, 1/19)
    expected = 4000 * stats.binom.pmf(np.arange(4), 19, 1 / 19)
    observed = np.bincount(np.minimum(drawn[:, 18], 3), minlength=4)
    assert stats.chisquare(observed, np.append(expected[:3], 4000 - expected[:3].sum())).pvalue > 0.01


@settings(max_examples=repetitions(40))
@given(st.integers(2, 40), st.integers(0, 15), st.integers(0, 10**6))
def test_limits_of_the_area_lie_in_its_range(n: int, decimals: int, seed: int) -> None:
    y_true, scores = labels_and_scores(n, decimals, seed)

    for method in ("bca", "percentile"):
        interval = bootstrap_auc_interval(y_true, scores, method=method, n_resamples=99, rng=0)
        assert 0 <= interval.low <= interval.high <= 1


@each_bootstrap
def test_interval_of_the_area_is_that_of_scipy_on_rows(method: str) -> None:
    y_true, scores = labels_and_scores(60, 1)
    name = {"bca": "BCa", "percentile": "percentile"}[method]

    theirs = stats.bootstrap(
        (y_true, scores), area_by_pairs, paired=True, method=name, n_resamples=3000, batch=50, rng=0
    )
    ours = bootstrap_auc_interval(y_true, scores, method=method, n_resamples=20_000, rng=0)

    assert ours.method == method
    np.testing.assert_allclose(tuple(ours), theirs.confidence_interval, rtol=0, atol=0.15 * ours.standard_error)


def test_other_positive_class_mirrors_the_area() -> None:
    y_true, scores = labels_and_scores(30, 1)

    one = bootstrap_auc_scores(y_true, scores, n_resamples=50, rng=0)
    other = bootstrap_auc_scores(y_true, -scores, pos_label=0, n_resamples=4000, rng=0)

    assert bootstrap_auc_interval(y_true, -scores, pos_label=0, n_resamples=9).estimate == pytest.approx(
        bootstrap_auc_interval(y_true, scores, n_resamples=9).estimate, abs=1e-15
    )
    assert one.mean() == pytest.approx(other.mean(), abs=0.05)


def test_classifiers_on_the_same_cases_are_a_batch() -> None:
    y_true, scores = labels_and_scores(50, 1)

    batch = bootstrap_auc_interval(y_true, [scores, -scores], n_resamples=49, rng=0)

    assert batch.low.shape == batch.method.shape == batch.reason.shape == (2,)
    assert batch.estimate.sum() == pytest.approx(1)


def test_huge_scores_have_an_area() -> None:
    """Their difference is not a number that exists."""
    interval = bootstrap_auc_interval([0, 1] * 5, [-1e308, 1e308] * 5, rng=0, n_resamples=9)

    assert interval.estimate == 1


def test_million_cases_have_an_acceleration() -> None:
    """Leaving out one of so many moves the score by less than a millionth: its cube must not vanish."""
    counts = np.array(COUNTS) * 10**6

    assert bootstrap_interval("f1", counts, rng=0, n_resamples=999).method == "bca"


@pytest.mark.parametrize(
    ("y_true", "y_score", "choices", "message"),
    [
        ([0, 1], [0.1], {}, r"y_true has 2 labels, y_score has the shape \(1,\)"),
        ([0, 0], [0.1, 0.2], {}, r"y_true must hold two classes, but it holds 1: 0"),
        ([0, 1, 2], [0.1, 0.2, 0.3], {}, r"it holds 3: 0, 1, 2"),
        ([[0, 1], [1, 1]], [0.1, 0.2], {}, r"y_true must hold both classes, but y_true\[1\] holds one"),
        ([0, 1], [0.1, np.nan], {}, r"y_score must be finite, but y_score\[1\] is nan"),
        ([0, 1], [0.1, 0.2], {"pos_label": 2}, r"pos_label must be one of 0, 1, not 2"),
        ([[0, 1]] * 2, [[0.1, 0.2]] * 3, {}, r"the leading axes of y_true and y_score must broadcast"),
    ],
)
def test_bad_scores_are_refused(y_true: Any, y_score: Any, choices: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bootstrap_auc_interval(y_true, y_score, **choices)
