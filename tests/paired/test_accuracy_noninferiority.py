"""Noninferiority and equivalence of accuracies on one test set, of cases and of groups of cases."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from evalstats import EvalstatsError
from evalstats.metrics.cluster_variance import understand_groups
from evalstats.paired import (
    equivalence_test,
    mcnemar_test,
    noninferiority_test,
)
from evalstats.paired.accuracy_noninferiority import METHODS, GroupedAccuracyPair

each_method = pytest.mark.parametrize("method", METHODS)
TABLES = [[[59, 6], [16, 80]], [[43, 0], [1, 0]], [[40, 0], [0, 10]], [[10, 9], [2, 3]]]


def test_published_test_of_tango():
    """Tango (1998), section 5: disinfection of contact lenses, margin 0.1: z = 1.709, p = 0.044."""
    result = noninferiority_test(counts=[[43, 0], [1, 0]], margin=0.1, test="accuracy")

    assert (round(result.statistic, 3), round(result.pvalue, 3)) == (1.709, 0.044)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("method", ["score", "newcombe"])
def test_interval_is_that_of_mcnemar_test(table, method):
    expected = mcnemar_test(counts=table).confidence_interval(0.9, method={"score": "tango"}.get(method, method))

    interval = equivalence_test(counts=table, margin=0.1, method=method, test="accuracy").confidence_interval(0.9)

    assert tuple(interval) == pytest.approx(tuple(expected), abs=1e-12)


@each_method
@pytest.mark.parametrize("table", TABLES)
def test_a_margin_is_shown_where_it_is_larger_than_the_smallest(table, method):
    result = noninferiority_test(counts=table, margin=0.1, method=method, test="accuracy")
    smallest = result.smallest_margin()
    if smallest > 0:
        before, beyond = (
            noninferiority_test(counts=table, margin=smallest + step, method=method, test="accuracy").pvalue
            for step in (-1e-6, 1e-6)
        )
        assert before > 0.05 >= beyond


@each_method
def test_equivalence_is_both_one_sided_tests(method):
    table = np.array([[59, 6], [16, 80]])
    result = equivalence_test(counts=table, margin=0.15, method=method, test="accuracy")
    sides = [
        noninferiority_test(counts=t, margin=0.15, method=method, test="accuracy").pvalue for t in (table, table.T)
    ]

    assert [result.pvalue_low, result.pvalue_high] == pytest.approx(sides, rel=1e-9)
    assert result.pvalue == max(result.pvalue_low, result.pvalue_high)


def test_cases_are_counted():
    x, y = np.random.default_rng(2).random((2, 3, 60)) < 0.8
    table = [[np.sum(x & y, axis=-1), np.sum(x & ~y, axis=-1)], [np.sum(~x & y, axis=-1), np.sum(~x & ~y, axis=-1)]]
    table = np.moveaxis(np.array(table), -1, 0)
    for method in METHODS:
        of_cases = noninferiority_test(x, y, margin=0.1, method=method, test="accuracy")
        of_counts = noninferiority_test(counts=table, margin=0.1, method=method, test="accuracy")
        np.testing.assert_array_equal(of_cases.pvalue, of_counts.pvalue)
        np.testing.assert_array_equal(of_cases.smallest_margin(), of_counts.smallest_margin())
        assert of_cases.n.tolist() == [60, 60, 60]


def test_groups_of_one_are_cases():
    """Bit by bit the test without groups."""
    x, y = np.random.default_rng(4).random((2, 200)) < 0.7
    alone, grouped = (
        noninferiority_test(x, y, margin=0.05, **g, test="accuracy") for g in ({}, {"clusters": np.arange(200)})
    )

    assert grouped.pvalue == alone.pvalue
    assert grouped.smallest_margin() == alone.smallest_margin()


def test_design_effect_of_groups_by_hand():
    """Leads 2, -1 and 0 of groups of 3, 2 and 1: the difference is 1/6, and the residuals are 1.5, -4/3 and -1/6.

    Without one group there are 3, 4 and 5 cases, in place of the 4 that there are on average: the residuals count
    4/3, 1 and 4/5 times, and u = 3/3, 2/4 and 1/5 give the degrees of freedom.
    """
    x, y = np.array([1, 1, 1, 0, 1, 1]), np.array([0, 0, 1, 1, 1, 1])
    effect = (2**2 + (4 / 3) ** 2 + (1 / 6 * 4 / 5) ** 2 + 14 / 6) / (3 - 6 / 36 + 1)
    df = 1.7**2 / (1.29 + 2 * (1 * 0.25 + 1 * 0.04 + 0.25 * 0.04))
    alone = noninferiority_test(x, y, margin=0.1, test="accuracy")

    grouped = noninferiority_test(x, y, margin=0.1, clusters=[1, 1, 1, 2, 2, 3], test="accuracy")

    assert grouped.statistic == pytest.approx(alone.statistic / np.sqrt(effect))
    assert grouped.pvalue == pytest.approx(stats.t.sf(grouped.statistic, df))


def test_limits_of_groups_are_those_of_the_test():
    x, y = np.random.default_rng(6).random((2, 300)) < 0.7
    groups = np.arange(300) // 5
    low, high = equivalence_test(x, y, margin=0.1, clusters=groups, test="accuracy").confidence_interval(0.9)

    assert noninferiority_test(x, y, margin=-low, clusters=groups, test="accuracy").pvalue == pytest.approx(0.05)
    assert noninferiority_test(y, x, margin=high, clusters=groups, test="accuracy").pvalue == pytest.approx(0.05)


def test_leads_of_clusters_by_hand():
    """The leads in two clusters of equal size are 1/2 and 0: the weight of the first is uniform, so P(w / 2 <= 0.2)."""
    x, y = np.array([1, 1, 1, 1, 1, 0, 1, 1]) == 1, np.array([0, 0, 1, 1, 1, 0, 1, 1]) == 1
    groups = understand_groups([1, 1, 1, 1, 2, 2, 2, 2], 8)

    assert GroupedAccuracyPair(x, y, groups).leads.pvalue_of_seen(0.2) == pytest.approx(0.4)


def test_copies_of_a_case_are_no_evidence():
    """The statistic is that of the cases themselves, also where no case is discordant."""
    for other in (np.random.default_rng(9).random(80) < 0.75, None):
        x = np.random.default_rng(8).random(80) < 0.75
        y = x if other is None else other
        once = noninferiority_test(x, y, margin=0.1, test="accuracy")
        copied = noninferiority_test(
            x.repeat(9), y.repeat(9), margin=0.1, clusters=np.arange(80).repeat(9), test="accuracy"
        )
        as_cases = noninferiority_test(x.repeat(9), y.repeat(9), margin=0.1, test="accuracy")

        assert copied.statistic == pytest.approx(once.statistic, rel=1e-9)
        assert as_cases.statistic == pytest.approx(3 * once.statistic, rel=1e-9)


def test_few_groups_show_nothing():
    """Two models that agree in all of 20 texts with 50 questions each are not shown to agree to one percent."""
    right = np.ones(1000, dtype=bool)

    result = noninferiority_test(right, right, margin=0.01, clusters=np.arange(1000) // 50, test="accuracy")

    assert result.pvalue > 0.3
    assert (
        noninferiority_test([1] * 20, [1] * 20, margin=0.3, clusters=[1] * 10 + [2] * 10, test="accuracy").pvalue > 0.2
    )


def test_size_at_the_margin_is_near_alpha():
    """1500 test sets of 400 cases, with a true difference of exactly minus the margin; in groups of four as well."""
    draws = np.random.default_rng(10)
    for group_size in (1, 4):
        n_clusters = 400 // group_size
        u = np.repeat(draws.random((1500, n_clusters)), group_size, axis=-1)
        x, y = (u > 0.1) & (u < 0.75), (u > 0.05) & (u < 0.75) & True
        x = x | (u > 0.97)
        # only x: .03, only y: .05, so that the difference is -.02
        choices = {"clusters": np.repeat(np.arange(n_clusters), group_size)} if group_size > 1 else {}
        rejected = np.mean(noninferiority_test(x, y, margin=0.02, **choices, test="accuracy").pvalue <= 0.05)
        assert 0.02 < rejected < 0.08


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"margin": 1}, r"margin must be below 1 .*write 0\.01"),
        ({"margin": -0.1}, "margin must be larger than 0"),
        ({"margin": 0.1, "method": "tango"}, "method must be 'score' or 'exact' or 'newcombe', not 'tango'"),
        ({"margin": 0.1, "method": "exact", "clusters": [1, 1, 2, 2]}, "method='exact' assumes independent instances"),
        ({"margin": 0.1, "clusters": [1, 1, 2]}, "clusters must name one cluster for each of the 4 instances"),
    ],
)
def test_messages(choices, message):
    for function in (noninferiority_test, equivalence_test):
        with pytest.raises(EvalstatsError, match=message):
            function([1, 0, 1, 1], [1, 1, 0, 1], test="accuracy", **choices)


def test_exact_test_of_many_cases_is_refused():
    with pytest.raises(EvalstatsError, match="would take too long for 5000 instances"):
        noninferiority_test(counts=[[4000, 400], [300, 300]], margin=0.1, method="exact", test="accuracy")


def test_one_group_is_no_evidence() -> None:
    """However clear its cases are: nothing tells how groups vary."""
    result = noninferiority_test([1] * 30, [0] * 30, margin=0.9, clusters=["one"] * 30, test="accuracy")

    assert np.isnan(result.pvalue)
    assert (
        result.reason == "all instances are in one cluster, so the variance between clusters cannot be estimated; "
        "at least two clusters are necessary"
    )
    low, high = result.confidence_interval()
    assert (low, high) == (-np.inf, np.inf)
    assert result.smallest_margin() == np.inf


@pytest.mark.parametrize("function", [noninferiority_test, equivalence_test])
def test_margin_of_counts_is_a_share_too(function: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match="margin must be below 1"):
        function(counts=[[43, 0], [1, 0]], margin=1, test="accuracy")
