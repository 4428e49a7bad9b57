from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from repetitions import repetitions
from scipy import stats
from sklearn.metrics import f1_score as sklearn_f1
from sklearn.metrics import roc_auc_score as sklearn_auc

from evalstats.metrics import bootstrap, lift_score, precision_recall_curve
from evalstats.metrics.bootstrap import (
    HEIGHTS,
    bootstrap_auc_interval,
    bootstrap_auc_scores,
    bootstrap_interval,
    bootstrap_scores,
    own_heights,
    redrawn_heights,
)
from evalstats.metrics.counts import confusion_counts
from evalstats.metrics.formulas import CHOSEN, LABEL_METRICS
from evalstats.metrics.labels import score_from_counts

COUNTS = [[60, 8], [5, 27]]
each_bootstrap = pytest.mark.parametrize("method", ["bca", "percentile"])


def rows(counts: Any) -> tuple[np.ndarray, np.ndarray]:
    """Cases with these counts."""
    k = len(counts)
    cells = np.repeat(np.arange(k * k), np.ravel(counts))
    return cells // k, cells % k


def labels_and_scores(n: int, decimals: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y_true = np.concatenate([[0, 1], rng.integers(0, 2, n - 2)])
    return y_true, (rng.normal(size=n) + y_true).round(decimals)


def choices_of(metric: str) -> dict[str, Any]:
    choices = {"average": "macro"} if LABEL_METRICS[metric].average == CHOSEN else {}
    return {**choices, "beta": 2.0} if metric == "fbeta" else choices


# the bootstrap of counts
@pytest.mark.parametrize(
    ("metric", "by_rows"),
    [
        ("f1", lambda y, z: 2 * (y & z).sum() / (y.sum() + z.sum())),
        ("accuracy", lambda y, z: np.mean(y == z)),
        ("matthews_corrcoef", lambda y, z: np.corrcoef(y, z)[0, 1]),
    ],
)
def test_replicates_have_the_law_of_resampled_rows(metric: str, by_rows: Any) -> None:
    rng = np.random.default_rng(20)
    y_true, y_pred = rows(COUNTS)
    drawn = rng.integers(0, len(y_true), (800, len(y_true)))

    expected = [by_rows(y_true[i], y_pred[i]) for i in drawn]
    result = bootstrap_scores(metric, COUNTS, n_resamples=20_000, rng=1)

    assert stats.ks_2samp(result, expected).pvalue > 0.01


def test_replicates_of_three_classes_have_the_law_of_resampled_rows() -> None:
    counts = [[12, 3, 0], [2, 20, 4], [1, 0, 8]]
    y_true, y_pred = rows(counts)
    rng = np.random.default_rng(21)
    drawn = rng.integers(0, len(y_true), (500, len(y_true)))
    tables = np.stack([confusion_counts(y_true[i], y_pred[i], n_classes=3) for i in drawn])

    result = bootstrap_scores("f1", counts, n_resamples=20_000, rng=2, average="macro")

    assert stats.ks_2samp(result, score_from_counts("f1", tables, average="macro")).pvalue > 0.01


@each_bootstrap
def test_interval_is_that_of_scipy_on_rows(method: str) -> None:
    """Within the Monte Carlo error of both: a tenth of a standard error."""
    y_true, y_pred = rows(COUNTS)

    def f1(y: Any, z: Any, axis: int = -1) -> Any:
        both = (y * z).sum(axis=axis)
        return 2 * both / (y.sum(axis=axis) + z.sum(axis=axis))

    name = {"bca": "BCa", "percentile": "percentile"}[method]
    theirs = stats.bootstrap((y_true, y_pred), f1, paired=True, method=name, n_resamples=20_000, rng=0)
    ours = bootstrap_interval("f1", COUNTS, method=method, n_resamples=40_000, rng=0)

    assert ours.method == method
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=0.03)
    np.testing.assert_allclose(tuple(ours), theirs.confidence_interval, rtol=0, atol=0.1 * ours.standard_error)


def test_leaving_out_a_cell_is_leaving_out_its_rows() -> None:
    """The jackknife takes C^2 values; the acceleration is that of all rows."""
    y_true, y_pred = rows(COUNTS)
    score = lambda table: score_from_counts("f1", table)  # noqa: E731 - the way users pass a statistic

    left_out = bootstrap._leave_one_out(score, np.array(COUNTS))
    by_rows = [sklearn_f1(np.delete(y_true, i), np.delete(y_pred, i)) for i in range(len(y_true))]

    np.testing.assert_allclose(np.repeat(left_out.scores, left_out.counts), by_rows, rtol=1e-13)


@settings(max_examples=repetitions(60))
@given(st.sampled_from(sorted(LABEL_METRICS)), st.integers(2, 4), st.data())
def test_limits_never_leave_the_range_of_the_metric(metric: str, k: int, data: Any) -> None:
    """Nor miss an estimate that does not lie in a tail of its replicates."""
    counts = data.draw(arrays(np.int64, (k, k), elements=st.integers(0, 30)).filter(np.any))
    choices = choices_of(metric)
    low, high = LABEL_METRICS[metric].range
    replicates = bootstrap_scores(metric, counts, n_resamples=200, rng=0, **choices)

    for method in ("bca", "percentile"):
        interval = bootstrap_interval(metric, counts, method=method, n_resamples=200, rng=0, **choices)
        if interval.reason == bootstrap.NOT_DEFINED:
            assert math.isnan(interval.low)
            assert np.isnan(replicates).all()
            continue
        assert low <= interval.low <= interval.high <= high
        below, above = np.nanmean(replicates < interval.estimate), np.nanmean(replicates > interval.estimate)
        if min(below, above) > 0.05:
            assert interval.low <= interval.estimate <= interval.high


@each_bootstrap
def test_batch_draws_one_problem_after_another(method: str) -> None:
    """The loop with one generator gives the same numbers."""
    counts = np.random.default_rng(0).integers(1, 30, (2, 3, 3, 3))
    rng = np.random.default_rng(5)

    batch = bootstrap_interval("accuracy", counts, method=method, n_resamples=50, rng=5)
    loop = [[bootstrap_interval("accuracy", c, method=method, n_resamples=50, rng=rng) for c in row] for row in counts]

    for name in ("low", "high", "estimate", "standard_error", "method"):
        assert getattr(batch, name).tolist() == [[getattr(one, name) for one in row] for row in loop]


def test_chunks_do_not_change_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    y_true, scores = labels_and_scores(200, 0)
    whole = bootstrap_scores("f1", COUNTS, rng=0), bootstrap_auc_scores(y_true, scores, rng=0)

    for module in (bootstrap, bootstrap):
        monkeypatch.setattr(module, "CHUNK", 100)

    np.testing.assert_array_equal(bootstrap_scores("f1", COUNTS, rng=0), whole[0])
    np.testing.assert_allclose(bootstrap_auc_scores(y_true, scores, rng=0), whole[1], rtol=1e-14)


def test_each_label_has_its_interval() -> None:
    """``average=None`` draws once for all labels."""
    every = bootstrap_interval("recall", COUNTS, rng=0, average=None, n_resamples=300)
    second = bootstrap_interval("recall", COUNTS, rng=0, n_resamples=300)

    assert every.low.shape == (2,)
    assert (every.low[1], every.high[1], every.method[1]) == (second.low, second.high, second.method)


def test_global_random_state_is_not_used() -> None:
    np.random.seed(0)  # noqa: NPY002 - the global state is what must not change
    before = np.random.get_state()[1].tolist()  # noqa: NPY002 - as above

    first, second = (bootstrap_interval("f1", COUNTS, rng=7, n_resamples=99) for _ in range(2))

    assert tuple(first) == tuple(second)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002 - as above


# messages
@pytest.mark.parametrize(
    ("metric", "counts", "choices", "message"),
    [
        ("f1", [[1, 2]], {}, r"counts must have the shape \(..., k, k\)"),
        ("f1", [[0, 0], [0, 0]], {}, r"counts must hold at least one instance"),
        ("f1", [COUNTS, [[0, 0], [0, 0]]], {}, r"but counts\[1\] is empty"),
        ("f1", [[1.5, 0], [0, 1]], {}, r"counts must be nonnegative whole numbers, but counts\[0, 0\] is 1.5"),
        ("f1", COUNTS, {"method": "basic"}, r"method must be 'bca' or 'percentile', not 'basic'"),
        ("f1", COUNTS, {"undefined": "warn"}, r"undefined must be 'nan' or 'zero', not 'warn'"),
        ("f1", COUNTS, {"n_resamples": 1}, r"n_resamples must be at least 2, not 1"),
        ("auc", COUNTS, {}, r"metric must be"),
    ],
)
def test_bad_counts_are_refused(metric: str, counts: Any, choices: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bootstrap_interval(metric, counts, **choices)


def test_percentile_limits_are_quantiles_of_the_replicates() -> None:
    scores = bootstrap_scores("f1", COUNTS, n_resamples=500, rng=3)

    interval = bootstrap_interval("f1", COUNTS, method="percentile", n_resamples=500, rng=3, confidence_level=0.9)

    assert tuple(interval) == tuple(np.quantile(scores, [0.05, 0.95]))
    assert interval.standard_error == scores.std(ddof=1)
    assert interval.estimate == score_from_counts("f1", COUNTS)


def test_no_errors_leave_the_bootstrap_without_spread() -> None:
    interval = bootstrap_interval("accuracy", [[50, 0], [0, 50]], rng=0, n_resamples=99)

    assert (interval.low, interval.high, interval.standard_error) == (1, 1, 0)
    assert interval.reason == bootstrap.NO_SPREAD


def test_undefined_replicates_are_left_out_or_zero() -> None:
    """Precision of a class that is hardly ever predicted."""
    counts = [[30, 0], [9, 1]]

    left_out = bootstrap_interval("precision", counts, rng=0, n_resamples=999)
    zero = bootstrap_interval("precision", counts, rng=0, n_resamples=999, undefined="zero")

    assert left_out.n_undefined == pytest.approx(999 * (39 / 40) ** 40, rel=0.15)
    assert (left_out.low, zero.low, zero.n_undefined) == (1, 0, 0)


def test_score_that_is_never_defined_has_no_interval() -> None:
    interval = bootstrap_interval("precision", [[30, 0], [10, 0]], rng=0, n_resamples=99)

    assert math.isnan(interval.low)
    assert interval.n_undefined == 99
    assert interval.reason == bootstrap.NOT_DEFINED


def test_bca_that_does_not_exist_is_percentile_with_a_reason() -> None:
    """Leaving out the only case of a class leaves the score undefined."""
    area = bootstrap_auc_interval([0, 1, 1], [0.2, 0.1, 0.3], rng=0, n_resamples=99)
    informedness = bootstrap_interval("informedness", [[5, 5], [0, 1]], rng=0, n_resamples=99)

    assert (area.method, area.reason) == ("percentile", bootstrap.NOT_BCA)
    assert (informedness.method, informedness.reason) == ("percentile", bootstrap.NOT_BCA)
    assert 0 <= area.low < area.high <= 1


def area_by_pairs(y_true: np.ndarray, scores: np.ndarray, axis: int = -1) -> np.ndarray:
    """Proportion of the pairs of a positive and a negative that are in order; ties count one half."""
    pairs = (y_true[..., :, None] == 1) & (y_true[..., None, :] == 0)
    order = np.sign(scores[..., :, None] - scores[..., None, :]) / 2 + 0.5
    with np.errstate(invalid="ignore"):
        return (pairs * order).sum(axis=(-2, -1)) / pairs.sum(axis=(-2, -1))


@settings(max_examples=repetitions(50))
@given(st.integers(2, 40), st.integers(0, 2), st.integers(0, 10**6))
def test_cells_keep_the_area_and_all_that_leave_one_out(n: int, decimals: int, seed: int) -> None:
    """Merging neighbours of one class changes nothing, with and without ties."""
    y_true, scores = labels_and_scores(n, decimals, seed)
    axis = bootstrap._sorted_axis(y_true == 1, scores)

    assert bootstrap._auc(axis, axis.counts.astype(float)) == pytest.approx(sklearn_auc(y_true, scores), abs=1e-13)
    left_out = bootstrap._auc_left_out(axis)
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
    monkeypatch.setattr(bootstrap, "CASES_PER_CELL", 0)
    again = bootstrap_auc_scores(y_true, scores, n_resamples=4000, rng=2)
    monkeypatch.setattr(bootstrap, "CASES_PER_CELL", 10**6)

    by_cases = bootstrap_auc_scores(y_true, scores, n_resamples=4000, rng=3)

    assert stats.ks_2samp(by_cells, by_cases).pvalue > 0.01
    assert stats.ks_2samp(again, by_cases).pvalue > 0.01


def test_blocks_draw_every_case_equally_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three blocks, the last one short."""
    monkeypatch.setattr(bootstrap, "BLOCK", 8)
    rng = np.random.default_rng(0)

    drawn = np.stack([bootstrap._drawn_cases(19, rng) for _ in range(4000)])

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


RNG = np.random.default_rng(4)
POSITIVE = np.arange(50) % 3 == 0
SCORES = np.round(POSITIVE + RNG.normal(0, 1, (2, 50)), 1)
AT = np.array([0.0, 0.2, 0.7, 1.0])


@pytest.mark.parametrize("curve", HEIGHTS)
def test_each_draw_is_the_curve_of_repeated_cases(curve: str) -> None:
    """Two roads to one number: a case that was drawn twice occurs twice."""
    read = HEIGHTS[curve]

    drawn = redrawn_heights(POSITIVE, SCORES, read, AT, n_resamples=8, generator=np.random.default_rng(1))

    times = np.random.default_rng(1).multinomial(50, np.full(50, 1 / 50), size=8)
    expected = [[own_heights(np.repeat(POSITIVE, w), np.repeat(score, w), read, AT) for w in times] for score in SCORES]
    np.testing.assert_allclose(drawn, expected, atol=1e-12)


def test_draws_without_a_class_are_left_out() -> None:
    drawn = redrawn_heights(
        np.array([True, False, False]), np.zeros((1, 3)), HEIGHTS["roc"], AT, n_resamples=200, generator=RNG
    )

    assert 80 < drawn.shape[1] < 190


def test_ends_of_the_curves() -> None:
    """No case passed: no rate, no cost of false alarms; all passed: all positives are found."""
    heights = {curve: own_heights(POSITIVE, SCORES[0], read, AT) for curve, read in HEIGHTS.items()}

    assert heights["roc"][-1] == heights["gain"][-1] == heights["lift"][-1] == 1
    assert heights["cost"][[0, -1]].tolist() == [0, 0]
    assert heights["gain"][0] == 0
    assert heights["lift"][1] == pytest.approx(lift_score(POSITIVE, SCORES[0], fraction=0.2))
    curve = precision_recall_curve(POSITIVE, SCORES[0])
    assert heights["precision-recall"][-1] == pytest.approx(curve.precision[curve.recall == 1].max())
