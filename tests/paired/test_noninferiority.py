"""Noninferiority and equivalence of scores: shifted tests, and the limits that belong to them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.weightstats import ttost_paired

import evalstats
from evalstats import EvalstatsError, clustered_ttest, equivalence_test, noninferiority_test
from evalstats.paired import clustered_permutation_test, metric_bootstrap_test
from evalstats.paired.shifted_scores import SHIFTED

X = np.array([0.812, 0.845, 0.790, 0.903, 0.851, 0.772, 0.930, 0.884, 0.660, 0.721])
Y = np.array([0.815, 0.842, 0.795, 0.901, 0.853, 0.777, 0.931, 0.881, 0.664, 0.722])
SIZES = {"corrected-t": {"n_train": 90, "n_test": 10}}
each_test = pytest.mark.parametrize("test", SHIFTED)
RNG = np.random.default_rng(8)
X_OF_CASES, Y_OF_CASES = (RNG.random((2, 90)) < [[0.7], [0.68]]).astype(float)
GROUPS, STRATA = np.arange(90) // 3, np.arange(90) // 45
CLUSTERS: dict[str, Any] = {"clusters": GROUPS, "strata": STRATA, "average": "macro"}


def both(x, y, test, margin, **choices):
    options = SIZES.get(test, {}) | {"margin": margin, "test": test}
    return noninferiority_test(x, y, **options, **choices), equivalence_test(x, y, **options)


def test_by_hand():
    """Four wins of four beyond the margin: 1/16 by the sign test and by signed ranks."""
    x, y = [5, 6, 7, 8], [5.5, 6, 6, 8.2]

    assert noninferiority_test(x, y, margin=0.75, test="sign").pvalue == 1 / 16
    assert noninferiority_test(x, y, margin=0.75).pvalue == 1 / 16
    assert noninferiority_test(x, y, margin=0.3, test="sign").pvalue == 5 / 16


@each_test
def test_margin_moves_the_scores_of_the_old_one(test):
    """Noninferiority is the one-sided test of x against y - margin."""
    functions = {
        "wilcoxon": evalstats.wilcoxon_test,
        "sign": evalstats.sign_test,
        "permutation": evalstats.permutation_test,
        "paired-t": evalstats.paired_ttest,
        "corrected-t": evalstats.corrected_ttest,
        "clustered-permutation": evalstats.paired.clustered_permutation_test,
    }
    expected = functions[test](X, Y - 0.004, alternative="greater", **SIZES.get(test, {}))

    assert tuple(both(X, Y, test, 0.004)[0]) == pytest.approx(tuple(expected), rel=1e-12)


def test_t_tests_are_those_of_statsmodels():
    p, (_, p_low, _), (_, p_high, _) = ttost_paired(X, Y, -0.004, 0.004)

    result = equivalence_test(X, Y, margin=0.004, test="paired-t")

    assert (result.pvalue, result.pvalue_low, result.pvalue_high) == pytest.approx((p, p_low, p_high), rel=1e-10)


def test_t_interval_is_that_of_scipy():
    interval = stats.ttest_rel(X, Y).confidence_interval(0.9)

    assert tuple(equivalence_test(X, Y, margin=1e-3, test="paired-t").confidence_interval()) == pytest.approx(
        tuple(interval), rel=1e-10
    )


@each_test
@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.25])
def test_a_margin_is_shown_where_it_is_larger_than_the_smallest(test, alpha):
    """The limits are those of the test: it rejects at alpha just beyond the smallest margin, and not just before."""
    draws = np.random.default_rng(7)
    for n in (6, 9, 13):
        x, y = np.round(draws.normal(0.8, 0.02, (2, n)), 2)
        noninferior, equivalent = both(x, y, test, 0.5)
        for kind, result in (("noninferior", noninferior), ("equivalent", equivalent)):
            smallest = result.smallest_margin(alpha)
            if smallest == 0:
                continue
            before, beyond = (both(x, y, test, smallest + step)[kind == "equivalent"].pvalue for step in (-1e-6, 1e-6))
            assert before > alpha >= beyond


@each_test
def test_a_loss_is_a_negated_score(test):
    of_scores, of_losses = (
        both(*pair, test, 0.004, greater_is_better=better)[0] for pair, better in (((-X, -Y), True), ((X, Y), False))
    )
    low, high = of_scores.confidence_interval()

    assert of_losses.pvalue == pytest.approx(of_scores.pvalue, rel=1e-12)
    assert tuple(of_losses.confidence_interval()) == pytest.approx((-high, -low), rel=1e-10)
    assert of_losses.smallest_margin() == pytest.approx(of_scores.smallest_margin(), rel=1e-10)
    assert (of_scores.alternative, of_losses.alternative) == ("greater", "less")


@each_test
def test_equivalence_is_the_worse_one_of_two_tests_and_has_no_direction(test):
    result, swapped = both(X, Y, test, 0.003)[1], both(Y, X, test, 0.003)[1]

    assert result.pvalue == max(result.pvalue_low, result.pvalue_high)
    assert swapped.pvalue == pytest.approx(result.pvalue, rel=1e-12)
    assert swapped.pvalue_low == pytest.approx(result.pvalue_high, rel=1e-12)
    assert swapped.smallest_margin() == pytest.approx(result.smallest_margin(), rel=1e-10)


@each_test
def test_unit_does_not_matter(test):
    """Percentages with a margin in percentage points give the p-value of shares."""
    for ours, theirs in zip(both(X, Y, test, 0.004), both(100 * X, 100 * Y, test, 0.4), strict=True):
        assert theirs.pvalue == pytest.approx(ours.pvalue, rel=1e-9)
        assert theirs.smallest_margin() == pytest.approx(100 * ours.smallest_margin(), rel=1e-9)


@each_test
def test_batch_is_the_loop_over_its_members(test):
    x, y = np.stack([X, Y[::-1]]), np.stack([Y, X])
    for kind in (0, 1):
        batch = both(x, y, test, 0.004)[kind]
        for i in (0, 1):
            one = both(x[i], y[i], test, 0.004)[kind]
            assert batch.pvalue[i] == one.pvalue
            assert batch.difference[i] == one.difference
            assert batch.smallest_margin()[i] == one.smallest_margin()
            assert batch.method[i] == one.method


@pytest.mark.parametrize("n", [300, 1200])
def test_limits_of_many_signed_ranks_are_those_of_wilcoxon_test(n):
    """Without ties the inverted test has the interval of Hodges and Lehmann; beyond 700 pairs it is searched."""
    d = np.random.default_rng(3).normal(0.1, 1, n)

    expected = evalstats.wilcoxon_test(d, np.zeros(n)).confidence_interval(0.9)

    interval = equivalence_test(d, np.zeros(n), margin=1).confidence_interval(0.9)

    assert tuple(interval) == pytest.approx(tuple(expected), abs=1e-9)


def test_true_inferiority_is_rarely_called_noninferior():
    """At the margin itself, all tests reject as often as alpha or less, but for the noise of 4000 samples."""
    d = np.random.default_rng(11).normal(-1, 2, (4000, 12))
    for test in ("wilcoxon", "sign", "paired-t"):
        rejected = np.mean(noninferiority_test(d, np.zeros(12), margin=1, test=test).pvalue <= 0.05)
        assert 0.01 < rejected < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)


def test_few_pairs_show_no_margin_at_all():
    result = noninferiority_test([0.9, 0.8, 0.7], [0.9, 0.8, 0.7], margin=0.1)

    assert result.pvalue == 1 / 8
    assert result.smallest_margin() == np.inf


def test_identical_scores_are_shown_by_ranks_and_have_no_t_test():
    by_ranks, by_t = (noninferiority_test(X, X, margin=0.01, test=test) for test in ("wilcoxon", "paired-t"))

    assert (by_ranks.pvalue, by_ranks.smallest_margin(), by_ranks.reason) == (2.0**-10, 0, None)
    assert np.isnan(by_t.pvalue)
    assert np.isnan(by_t.smallest_margin())
    assert "no variance" in by_t.reason


def test_differences_on_the_margin_speak_for_neither():
    result = noninferiority_test(X, X + 0.01, margin=0.01)

    assert result.pvalue == 1
    assert "is exactly equal to the margin" in result.reason
    assert "is exactly equal to the margin" in noninferiority_test(X, X + 0.01, margin=0.01, test="paired-t").reason


def test_random_signs_are_recorded():
    x, y = np.random.default_rng(1).random((2, 60))

    result = noninferiority_test(x, y, margin=0.1, test="permutation", n_resamples=999, rng=5)

    assert (result.method, result.n_resamples, result.seed) == ("monte-carlo", 999, 5)
    assert noninferiority_test(X, Y, margin=0.1, test="permutation").seed is None


def test_labels_pair_the_scores():
    a, b = pd.Series(X, index=list("abcdefghij")), pd.Series(Y, index=list("abcdefghij"))

    with pytest.raises(EvalstatsError, match="equal indexes"):
        noninferiority_test(a, b[::-1], margin=0.01)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"margin": 0}, "margin must be larger than 0, not 0: it is the largest acceptable loss"),
        ({"margin": -0.01}, "margin must be larger than 0, not -0.01"),
        ({"margin": float("nan")}, "margin must be larger than 0, not nan"),
        (
            {"margin": 1},
            r"margin must be below 1 if .* not 1; if 1 means percentage points, write 0\.01",
        ),
        ({"margin": 2.5}, "write 0.025"),
        ({"margin": "0.01"}, "margin must be a number, not '0.01'"),
        (
            {"margin": 0.1, "test": "t"},
            "test must be 'wilcoxon' or 'sign' or 'permutation' or 'paired-t'",
        ),
        ({"margin": 0.1, "test": "corrected-t"}, "needs n_train and n_test"),
        ({"margin": 0.1, "n_train": 9}, "n_train is an option of test='corrected-t', not of test='wilcoxon'"),
    ],
)
def test_messages(choices, message):
    for function in (noninferiority_test, equivalence_test):
        with pytest.raises(EvalstatsError, match=message):
            function(X, Y, **choices)


def test_a_margin_of_one_is_right_for_percentages():
    assert noninferiority_test(100 * X, 100 * Y, margin=1).margin == 1


def test_infinite_margin_is_refused():
    with pytest.raises(EvalstatsError, match="margin must be finite"):
        noninferiority_test(100 * X, 100 * Y, margin=np.inf)


@pytest.mark.parametrize("greater_is_better", [True, False])
def test_test_is_that_of_moved_scores(greater_is_better: bool) -> None:
    """Scores of y that are lower by the margin are beaten, or not."""
    result = noninferiority_test(
        X_OF_CASES,
        Y_OF_CASES,
        margin=0.1,
        test="clustered-t",
        greater_is_better=greater_is_better,
        **CLUSTERS,
    )

    sign = 1 if greater_is_better else -1
    moved = clustered_ttest(
        X_OF_CASES,
        Y_OF_CASES - sign * 0.1,
        alternative="greater" if sign > 0 else "less",
        **CLUSTERS,
    )
    assert tuple(result) == pytest.approx(tuple(moved), rel=1e-9)


def test_interval_is_that_of_clustered_ttest() -> None:
    result = equivalence_test(X_OF_CASES, Y_OF_CASES, margin=0.1, test="clustered-t", **CLUSTERS)

    assert tuple(result.confidence_interval(0.95)) == pytest.approx(
        tuple(clustered_ttest(X_OF_CASES, Y_OF_CASES, **CLUSTERS).confidence_interval(0.95)),
        rel=1e-12,
    )


@pytest.mark.parametrize("test", ["clustered-t", "clustered-permutation"])
def test_smallest_margin_is_where_the_test_begins_to_reject(test: str) -> None:
    few = slice(0, 36)
    choices: dict[str, Any] = {"clusters": GROUPS[few], "test": test}
    smallest = noninferiority_test(Y_OF_CASES[few], X_OF_CASES[few], margin=0.1, **choices).smallest_margin(0.05)

    assert noninferiority_test(Y_OF_CASES[few], X_OF_CASES[few], margin=smallest + 1e-6, **choices).pvalue <= 0.05
    assert noninferiority_test(Y_OF_CASES[few], X_OF_CASES[few], margin=smallest - 1e-6, **choices).pvalue > 0.05


def test_permutation_is_that_of_moved_scores() -> None:
    few = slice(0, 36)
    result = noninferiority_test(
        X_OF_CASES[few],
        Y_OF_CASES[few],
        margin=0.2,
        test="clustered-permutation",
        clusters=GROUPS[few],
    )

    moved = clustered_permutation_test(
        X_OF_CASES[few],
        Y_OF_CASES[few] - 0.2,
        clusters=GROUPS[few],
        alternative="greater",
    )
    assert result.pvalue == moved.pvalue


def test_batch_is_the_loop() -> None:
    batch = RNG.random((3, 90))
    result = noninferiority_test(batch, Y_OF_CASES, margin=0.3, test="clustered-t", clusters=GROUPS)

    alone = [
        noninferiority_test(row, Y_OF_CASES, margin=0.3, test="clustered-t", clusters=GROUPS).pvalue for row in batch
    ]
    np.testing.assert_allclose(result.pvalue, alone, rtol=1e-12)


def test_difference_that_is_the_same_in_every_group_shows_nothing() -> None:
    """A p-value of nan never passes, and one at the margin is 1."""
    x, y = np.ones(8), np.zeros(8)
    groups = np.arange(8) // 2

    above = noninferiority_test(x, y, margin=0.5, test="clustered-t", clusters=groups)
    at = noninferiority_test(y, x / 2, margin=0.5, test="clustered-t", clusters=groups)

    assert math.isnan(above.pvalue)
    assert "t distribution does not apply" in above.reason
    assert at.pvalue == 1
    assert "is exactly equal to the margin" in at.reason


def test_one_group_shows_nothing() -> None:
    result = noninferiority_test([1, 0, 1], [1, 1, 0], margin=0.5, test="clustered-t", clusters=["a"] * 3)

    assert math.isnan(result.pvalue)
    assert "single cluster" in result.reason


@pytest.mark.parametrize("name", ["clusters", "strata"])
def test_groups_are_of_clustered_tests(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is an option of test='clustered-permutation' or 'clustered-t'"):
        noninferiority_test(X_OF_CASES, Y_OF_CASES, margin=0.1, **{name: GROUPS})


DRAWN = np.random.default_rng(9)
LABELS = DRAWN.integers(0, 2, 300)
U, V = (np.where(DRAWN.random(300) < 0.85, LABELS, 1 - LABELS) for _ in range(2))
PROBABILITY = np.clip(np.where(DRAWN.random((2, 300)) < 0.8, LABELS, 1 - LABELS) * 0.6 + 0.2, 0, 1)


@pytest.mark.parametrize("margin", [0.01, 0.05, 0.1])
def test_pvalue_counts_the_replicates_beyond_the_margin(margin):
    """(b + 1) / (m + 1) with b of m replicates at -margin or below."""
    replicates = metric_bootstrap_test(
        LABELS, U, V, metric="f1", method="percentile", n_resamples=999, rng=3
    )._replicates

    result = noninferiority_test(
        U,
        V,
        y_true=LABELS,
        margin=margin,
        metric="f1",
        method="percentile",
        n_resamples=999,
        rng=3,
        test="metric",
    )

    assert result.pvalue == pytest.approx((np.count_nonzero(replicates <= -margin + 1e-12) + 1) / 1000)
    assert (result.n_resamples, result.seed, result.n) == (999, 3, 300)


@pytest.mark.parametrize("method", ["bca", "percentile", "basic"])
def test_equivalence_of_a_metric_is_both_one_sided_tests(method):
    choices = {"margin": 0.06, "metric": "balanced_accuracy", "method": method, "n_resamples": 999}
    result = equivalence_test(U, V, y_true=LABELS, **choices, test="metric")

    sides = [noninferiority_test(*pair, y_true=LABELS, **choices, test="metric").pvalue for pair in ((U, V), (V, U))]

    assert [result.pvalue_low, result.pvalue_high] == pytest.approx(sides)
    assert result.pvalue == max(sides)


@pytest.mark.parametrize("method", ["bca", "percentile", "basic"])
def test_margin_of_a_metric_is_shown_where_it_is_larger_than_the_smallest(method):
    """Up to one replicate of 1999: p is counted, and the limit interpolates between two."""
    choices = {"metric": "f1", "method": method, "n_resamples": 1999}
    smallest = noninferiority_test(U, V, y_true=LABELS, margin=0.1, **choices, test="metric").smallest_margin()

    assert noninferiority_test(U, V, y_true=LABELS, margin=smallest, **choices, test="metric").pvalue == pytest.approx(
        0.05, abs=0.012
    )


def test_many_cases_give_what_the_score_test_gives():
    exact = noninferiority_test(U == LABELS, V == LABELS, margin=0.05, test="accuracy")

    result = noninferiority_test(U, V, y_true=LABELS, margin=0.05, metric="accuracy", test="metric")

    assert result.difference == pytest.approx(exact.difference)
    assert result.smallest_margin() == pytest.approx(exact.smallest_margin(), abs=0.006)


def test_a_loss_has_its_margin_on_the_other_side():
    """Smaller is better for the Brier score: it is the metric that knows, and nobody can turn it around."""
    loss = noninferiority_test(*PROBABILITY, y_true=LABELS, margin=0.05, metric="brier", n_resamples=499, test="metric")

    assert (loss.alternative, loss.greater_is_better) == ("less", False)
    assert loss.smallest_margin() == pytest.approx(max(loss.confidence_interval().high, 0))
    with pytest.raises(EvalstatsError, match="greater_is_better must be False for brier"):
        noninferiority_test(
            *PROBABILITY, y_true=LABELS, margin=0.05, metric="brier", greater_is_better=True, test="metric"
        )


def test_function_of_the_user_is_a_score_unless_he_says_otherwise():
    def hamming(y_true, y_pred):
        return np.mean(y_true != y_pred)

    choices = {"margin": 0.05, "metric": hamming, "n_resamples": 199}

    assert noninferiority_test(U, V, y_true=LABELS, **choices, test="metric").alternative == "greater"
    assert (
        noninferiority_test(U, V, y_true=LABELS, **choices, greater_is_better=False, test="metric").alternative
        == "less"
    )


def test_same_predictions_show_nothing_and_say_so():
    result = noninferiority_test(U, U, y_true=LABELS, margin=0.05, n_resamples=99, test="metric")

    assert np.isnan(result.pvalue)
    assert result.reason == "x and y have the same prediction for every instance, so there is no difference to test"


def test_groups_are_drawn_as_a_whole():
    alone, copied = (
        noninferiority_test(
            U.repeat(k),
            V.repeat(k),
            y_true=LABELS.repeat(k),
            margin=0.05,
            clusters=np.arange(300).repeat(k),
            test="metric",
        )
        for k in (1, 5)
    )

    assert copied.smallest_margin() == pytest.approx(alone.smallest_margin(), abs=0.004)


def test_margin_of_one_is_refused_where_the_metric_ends_there():
    with pytest.raises(EvalstatsError, match="margin must be below 1"):
        noninferiority_test(U, V, y_true=LABELS, margin=2, metric="matthews_corrcoef", n_resamples=99, test="metric")
    assert (
        noninferiority_test(
            *PROBABILITY, y_true=LABELS, margin=2, metric="log_loss", n_resamples=99, test="metric"
        ).margin
        == 2
    )


def test_generator_is_asked_once():
    """Both sides of a test are made of the same draws."""
    result = equivalence_test(
        U, V, y_true=LABELS, margin=0.1, n_resamples=99, rng=np.random.default_rng(1), test="metric"
    )
    low, high = result.confidence_interval()

    assert low < result.difference < high
