"""Stability of rankings: enumeration of all resamples, worked values, other rules, left-out rows and columns."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from literal_rankings import literal_ranks
from scipy import stats

from evalstats import adjust_pvalues, pairwise_wilcoxon_test, wilcoxon_test
from evalstats._errors import InvalidValueError
from evalstats.multiple import ranking_stability

# cases x algorithms A, B, C
WORKED = np.array([[0.9, 0.8, 0.3], [0.6, 0.7, 0.5], [0.8, 0.5, 0.6], [0.7, 0.6, 0.8]])
COUNTS = {
    "mean": [[238, 18, 0], [37, 167, 52], [15, 55, 186]],
    "median": [[218, 38, 0], [61, 115, 80], [31, 67, 158]],
    "mean-rank": [[230, 26, 0], [37, 109, 110], [37, 109, 110]],
}
RNG = np.random.default_rng(3)
NOISY = RNG.normal(size=(40, 4)).round(1) + np.array([1.0, 0.9, 0.0, 0.0])


def all_ranks(ranks_of: Callable[[np.ndarray], np.ndarray], scores: np.ndarray) -> np.ndarray:
    """Rank in each of the n^n resamples, of which many have the same rows."""
    n = len(scores)
    ranks = cache(lambda rows: ranks_of(scores[list(rows)]))
    return np.array([ranks(tuple(sorted(drawn))) for drawn in itertools.product(range(n), repeat=n)])


@pytest.mark.parametrize("rule", COUNTS)
def test_frequencies_of_a_worked_case(rule: str) -> None:
    """All 256 resamples of four cases, counted by hand."""
    result = ranking_stability(WORKED, rule=rule)

    assert (result.method, result.n_resamples, result.seed) == ("exact", 256, None)
    assert (256 * result.frequencies).round(9).tolist() == COUNTS[rule]


def test_correlation_of_a_worked_case() -> None:
    result = ranking_stability(WORKED)

    assert result.ranks.tolist() == [1, 2, 3]
    assert result.mean_tau == pytest.approx(0.788376868, abs=5e-10)
    assert (result.n_all_tied, 256 * result.same_ranking) == (6, 155)
    assert ranking_stability(WORKED, rule="median").mean_tau == pytest.approx(0.638504759, abs=5e-10)
    assert ranking_stability(WORKED, rule="mean-rank").mean_tau == pytest.approx(0.708026, abs=5e-7)
    assert ranking_stability(WORKED, rule="mean-rank").ranks.tolist() == [1, 2, 2]


def test_leaving_out_a_case_of_a_worked_case() -> None:
    """Without case 1 the ranking is 1 3 2; without any other it stays 1 2 3."""
    (change,) = ranking_stability(WORKED).instance_changes

    assert (change.left_out, change.winner_changes, change.pairs) == (0, False, ((1, 2),))


@pytest.mark.parametrize("rule", ["mean", "median", "quantile", "mean-rank"])
def test_ranks_are_those_of_all_resamples(rule: str) -> None:
    """The scores have ties within rows and between rows."""
    scores = np.column_stack([[5.0, 6, 7, 8, 8], [1.0, 2, 8, 4, 3], [1.0, 8, 2, 4, 4]])
    quantile = 0.5 if rule == "median" else 0.3
    expected = all_ranks(lambda drawn: literal_ranks(rule, drawn, quantile), scores)

    result = ranking_stability(scores, rule=rule, quantile=0.3)

    assert np.array_equal(result._drawn, expected)
    ranks = literal_ranks(rule, scores, quantile)
    of_ranks = cache(lambda own: stats.kendalltau(own, ranks).statistic)
    tau = [of_ranks(tuple(own)) for own in expected.tolist()]
    assert result.tau == pytest.approx(np.array(tau), nan_ok=True)


def test_clusters_are_drawn_whole() -> None:
    clusters = ["p", "q", "p", "r"]
    members = {"p": [0, 2], "q": [1], "r": [3]}
    expected = np.array(
        [
            literal_ranks("mean", WORKED[[row for name in drawn for row in members[name]]])
            for drawn in itertools.product(members, repeat=3)
        ]
    )

    result = ranking_stability(WORKED, clusters=clusters)

    assert (result.n_clusters, result.n_resamples) == (3, 27)
    assert np.array_equal(result._drawn, expected)
    without = {name: literal_ranks("mean", np.delete(WORKED, rows, axis=0)) for name, rows in members.items()}
    changed = {name for name, ranks in without.items() if ranks.tolist() != [1, 2, 3]}
    assert {change.left_out for change in result.instance_changes} == changed


def test_podium_counts_the_resamples_at_ranks_one_to_three() -> None:
    result = ranking_stability(NOISY, n_resamples=200)

    assert result.podium == pytest.approx((result._drawn <= 3).mean(axis=0))
    assert ranking_stability(WORKED).podium.tolist() == [1, 1, 1]


@pytest.mark.parametrize("chosen", ["mean", "mean-rank", "median"])
def test_both_orders_of_aggregation_are_resampled(chosen: str) -> None:
    """Aggregate then rank, and rank then aggregate, on the same 256 resamples, next to the chosen rule."""
    result = ranking_stability(WORKED, rule=chosen)

    for name, winner, tau in zip(result.rules, result.same_winner_by_rule, result.mean_tau_by_rule, strict=True):
        assert np.isnan(winner) == (name not in {chosen, "mean", "mean-rank"})
        if not np.isnan(winner):
            alone = ranking_stability(WORKED, rule=name)
            assert (winner, tau) == pytest.approx((alone.same_winner, alone.mean_tau))


def test_random_resamples_are_near_all_resamples() -> None:
    """Five standard errors of a share of 100,000 resamples are below 0.008."""
    drawn = ranking_stability(WORKED, method="monte-carlo", n_resamples=100_000)
    every = ranking_stability(WORKED)

    assert drawn.frequencies == pytest.approx(every.frequencies, abs=0.008)
    assert drawn.mean_tau == pytest.approx(every.mean_tau, abs=0.008)
    assert drawn.same_winner == pytest.approx(every.same_winner, abs=0.008)


def test_interval_of_ranks_is_that_of_percentiles() -> None:
    result = ranking_stability(NOISY, n_resamples=999, confidence_level=0.8)
    low, high = np.quantile(result._drawn, [0.1, 0.9], axis=0, method="inverted_cdf")

    assert result.rank_lower.tolist() == low.tolist()
    assert result.rank_upper.tolist() == high.tolist()
    assert result.tau_lower, result.tau_upper == pytest.approx(np.quantile(result.tau, [0.1, 0.9]))


def test_significance_map_is_that_of_the_pairwise_test() -> None:
    result = ranking_stability(NOISY, n_resamples=9)
    test = pairwise_wilcoxon_test(NOISY)

    assert result.pvalue == pytest.approx(test.pvalue, rel=1e-9)
    assert np.array_equal(result.superior, (test.pvalue <= 0.05) & (test.rank_biserial > 0))
    assert result.superior.any()


def test_ordered_pairs_are_one_sided_tests_of_both_orders() -> None:
    result = ranking_stability(NOISY, significance="ordered-pairs", n_resamples=9)
    pairs = list(itertools.permutations(range(4), 2))
    raw = [wilcoxon_test(NOISY[:, i], NOISY[:, j], alternative="greater", method="asymptotic").pvalue for i, j in pairs]

    assert [result.pvalue[pair] for pair in pairs] == pytest.approx(adjust_pvalues(raw, "holm").tolist(), rel=1e-9)
    assert np.array_equal(result.superior, result.pvalue <= 0.05)


def test_agreement_of_rules_is_kendalls_tau() -> None:
    result = ranking_stability(NOISY, rule="quantile", quantile=0.25, n_resamples=9)

    assert result.rules == ("quantile", "mean", "median", "mean-rank", "significance")
    for (i, one), (j, other) in itertools.product(enumerate(result.ranks_by_rule), repeat=2):
        assert result.rule_agreement[i, j] == pytest.approx(stats.kendalltau(one, other).statistic, nan_ok=True)


def test_a_classifier_may_swap_two_others() -> None:
    """A beats B on four of seven rows, but C is between them where B wins: mean ranks 13/7 and 11/7."""
    scores = np.array([[3.0, 2, 1], [3.0, 2, 1], [1.0, 3, 2], [1.0, 3, 2], [3.0, 2, 1], [1.0, 3, 2], [2.0, 1, 0]])
    result = ranking_stability(scores, rule="mean-rank", n_resamples=9)

    assert (result.criterion * 7).round(9).tolist() == [13, 11, 18]
    assert [(change.left_out, change.pairs) for change in result.classifier_changes] == [(2, ((1, 0),))]
    assert result.classifier_changes[0].winner_changes


def test_a_removed_winner_is_no_change() -> None:
    """The order of the others stays."""
    result = ranking_stability(NOISY - np.array([0, 0, 3, 6.0]), rule="mean-rank", n_resamples=9)

    assert not result.classifier_changes


def test_identical_classifiers_share_all_ranks() -> None:
    result = ranking_stability(np.column_stack([NOISY[:, 0], NOISY]), n_resamples=500)

    assert np.array_equal(result.frequencies[0], result.frequencies[1])
    assert np.array_equal(result._drawn[:, 0], result._drawn[:, 1])


def test_all_tied_is_a_reason() -> None:
    result = ranking_stability([[1.0, 1.0], [0.5, 0.5]])

    assert (
        result.reason
        == "all classifiers are tied in the full ranking, so its rank correlation with other rankings is undefined"
    )
    assert np.isnan(result.mean_tau)
    assert (result.n_all_tied, result.n_resamples, result.same_ranking) == (4, 4, 1.0)
    assert result.pvalue.tolist() == [[1, 1], [1, 1]]


def test_two_classifiers_have_tau_of_one_or_minus_one() -> None:
    assert set(ranking_stability(WORKED[:, :2]).tau[~np.isnan(ranking_stability(WORKED[:, :2]).tau)]) <= {-1.0, 1.0}


@pytest.mark.parametrize("rule", ["mean", "median", "mean-rank"])
def test_losses_are_negated_scores(rule: str) -> None:
    one = ranking_stability(NOISY, rule=rule, n_resamples=50)
    other = ranking_stability(-NOISY, rule=rule, n_resamples=50, greater_is_better=False)

    assert np.array_equal(one.frequencies, other.frequencies)
    assert one.criterion == pytest.approx(other.criterion if rule == "mean-rank" else -other.criterion)


def test_large_tables_leave_out_rows_by_sums() -> None:
    """Above 2,048 rows, the sums of the other rows are differences."""
    scores = np.random.default_rng(0).normal(size=(2100, 3))
    scores[0] = [400, 0, 0]
    result = ranking_stability(scores, n_resamples=2)

    expected = [i for i in range(2100) if list(literal_ranks("mean", np.delete(scores, i, 0))) != result.ranks.tolist()]
    assert [change.left_out for change in result.instance_changes] == expected
    assert 0 in expected


@pytest.mark.parametrize(
    ("scores", "asked", "message"),
    [
        ([[1.0, 2.0]], {}, "at least 2 datasets"),
        (WORKED[None], {}, r"\(n_instances, n_classifiers\)"),
        (NOISY, {"method": "exact"}, r"40\^40 resamples \(the limit is 7 instances or clusters\)"),
        (WORKED, {"rule": "best"}, "rule must be"),
        (WORKED, {"clusters": ["p"] * 4}, "at least two different values"),
    ],
)
def test_refused(scores: np.ndarray, asked: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        ranking_stability(scores, **asked)
