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

from evalstats.metrics import bootstrap, bootstrap_limits
from evalstats.metrics.bootstrap import bootstrap_interval, bootstrap_scores
from evalstats.metrics.bootstrap_auc import bootstrap_auc_scores
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
        if interval.reason == bootstrap_limits.NOT_DEFINED:
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

    for module in (bootstrap, bootstrap_limits):
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
        ("f1", [[0, 0], [0, 0]], {}, r"counts must hold at least one case"),
        ("f1", [COUNTS, [[0, 0], [0, 0]]], {}, r"but counts\[1\] is empty"),
        ("f1", [[1.5, 0], [0, 1]], {}, r"counts must be whole numbers of 0 or more, but counts\[0, 0\] is 1.5"),
        ("f1", COUNTS, {"method": "basic"}, r"method must be 'bca' or 'percentile', not 'basic'"),
        ("f1", COUNTS, {"undefined": "warn"}, r"undefined must be 'nan' or 'zero', not 'warn'"),
        ("f1", COUNTS, {"n_resamples": 1}, r"n_resamples must be at least 2, not 1"),
        ("auc", COUNTS, {}, r"metric must be"),
    ],
)
def test_bad_counts_are_refused(metric: str, counts: Any, choices: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bootstrap_interval(metric, counts, **choices)
