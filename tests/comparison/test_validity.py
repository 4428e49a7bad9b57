"""One place says whether a test may speak, which other one does, and of what nothing can be said."""

from __future__ import annotations

import csv
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats.comparison.registry import OMNIBUS_TESTS, POSTHOC_TESTS
from evalstats.comparison.validity import (
    FEW_CLUSTERS,
    LEVEL_HELD,
    LEVEL_OF_BOOTSTRAP,
    Replacement,
    UntestedPair,
    Validity,
    against_margin,
    cannot_reach,
    few_clusters_words,
    first_reason,
    has_few_clusters,
    lacks_pvalue,
    margin_validity,
    means_otherwise,
    replaced_words,
    two_sided_pvalue,
    untested,
    untested_clause,
    valid_test,
)
from evalstats.metrics.cluster_variance import Clusters, understand_clusters
from evalstats.paired.metric_bootstrap import metric_bootstrap_test
from evalstats.paired.noninferiority import MetricMargin, difference_in_clusters
from evalstats.paired.noninferiority_results import MarginProblem
from evalstats.paired.shifted_scores import ClusteredDifference, ShiftedScores

FEW_CASES = Path(__file__).parents[2] / "docs" / "error-rates" / "few-instances.csv"


def clusters(group: np.ndarray, stratum: np.ndarray | None = None, average: str = "micro") -> Clusters:
    return understand_clusters(group, stratum, average, len(group))


def test_few_clusters_of_equal_size_are_few() -> None:
    assert has_few_clusters(clusters(np.arange(380) % (FEW_CLUSTERS - 1)))
    assert not has_few_clusters(clusters(np.arange(380) % FEW_CLUSTERS))


def test_large_clusters_leave_few() -> None:
    """(sum of sizes)^2 / sum of squares by hand: 116^2 / (18 * 2^2 + 2 * 40^2)."""
    unequal = clusters(np.repeat(np.arange(20), [2] * 18 + [40] * 2))

    assert unequal.effective == pytest.approx(116**2 / 3272)
    assert has_few_clusters(unequal)


def test_macro_average_weighs_the_clusters_of_a_small_benchmark() -> None:
    """Benchmarks of 10 and 90 questions, a cluster each, count the same: two clusters; by questions 1.22."""
    group = np.repeat([0, 1], [10, 90])

    assert clusters(group, group, "macro").effective == pytest.approx(2)
    assert clusters(group, group, "micro").effective == pytest.approx(100**2 / (10**2 + 90**2))


def test_benchmark_of_one_cluster_has_few() -> None:
    """However many the others have: nothing tells how clusters of that one vary."""
    group = np.arange(200)
    stratum = np.where(group < 199, 0, 1)

    assert has_few_clusters(clusters(group, stratum))


def test_reason_is_without_the_advice_behind_it() -> None:
    assert first_reason([None, "it has no variance; take another"]) == "it has no variance"
    assert first_reason(None) == "it is not defined for these data"


def test_pairs_without_a_pvalue_are_named() -> None:
    found = untested("abc", [(0, 1), (0, 2), (1, 2)], np.array([0.1, np.nan, 0.2]))

    assert [(pair.first, pair.second) for pair in found] == [("a", "c")]
    assert untested("ab", [(0, 1)], np.array([1.0])) == ()
    assert lacks_pvalue(np.array([[0.1, np.nan]]))


def test_untested_pair_is_found_in_either_order() -> None:
    validity = Validity(untested=(UntestedPair(first="a", second="b"), UntestedPair(first="c", second="a")))

    assert validity.is_untested("b", "a")
    assert not validity.is_untested("b", "c")
    assert validity.untested_against("a") == ("b", "c")


def answers(pvalues: dict[str, Any]) -> Any:
    return lambda name: SimpleNamespace(pvalue=pvalues[name], reason="it has no variance; take another")


def test_leading_test_without_a_pvalue_is_replaced() -> None:
    name, found, (replaced,) = valid_test(
        "omnibus", OMNIBUS_TESTS, "rm-anova", answers({"rm-anova": np.nan, "friedman": 0.3})
    )

    assert (name, found.pvalue) == ("friedman", 0.3)
    assert (replaced.of, replaced.test, replaced.by, replaced.reason) == (
        "omnibus",
        "repeated-measures ANOVA",
        "Friedman test",
        "it has no variance",
    )


def test_test_of_pairs_is_replaced_for_all_of_them() -> None:
    some = np.array([np.nan, 0.1, np.nan])

    name, _, (replaced,) = valid_test(
        "pairs", POSTHOC_TESTS, "paired-t", answers({"paired-t": some, "wilcoxon": some}), 0
    )

    assert (name, replaced.of) == ("wilcoxon", "pairs")


def test_valid_tests_stay() -> None:
    """The p-value of the control with itself is nan, and no test of a pair."""
    kept = valid_test("pairs", POSTHOC_TESTS, "paired-t", answers({"paired-t": np.array([np.nan, 0.1, 0.2])}), 0)

    assert (kept[0], kept[2]) == ("paired-t", ())
    assert valid_test("omnibus", OMNIBUS_TESTS, "quade", answers({"quade": 0.2}))[2] == ()


def test_level_of_the_bootstrap_is_that_of_the_simulation() -> None:
    """The highest rate of each number of cases."""
    highest: dict[int, float] = {}
    with FEW_CASES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("# ")):
            if row["subject"] == "noninferiority_test, metric":
                highest[int(row["n"])] = max(float(row["default"]), highest.get(int(row["n"]), 0.0))

    assert highest == LEVEL_OF_BOOTSTRAP


def test_area_margins_need_no_word_about_their_level() -> None:
    """No number of instances has a rate beyond chance above the limit: 3.5 standard errors of 1,000 experiments."""
    with FEW_CASES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("# ")))
    rates = [
        float(r["default"]) for r in rows if r["subject"] == "noninferiority_test, auc" and r["what"] == "type-I error"
    ]

    assert len(rates) == 210
    assert max(rates) <= LEVEL_HELD + 3.5 * (0.06 * 0.94 / 1000) ** 0.5


def of_f1(n: int, groups: np.ndarray | None = None) -> Validity:
    rng = np.random.default_rng(0)
    truth = np.resize([0, 1], n)
    x, y = (np.where(rng.random(n) < 0.7, truth, 1 - truth) for _ in "xy")
    if groups is None:
        problem: MarginProblem = MetricMargin(metric_bootstrap_test(truth, x, y, metric="f1", n_resamples=99))
        of_groups = None
    else:
        problem = difference_in_clusters(truth, x, y, metric="f1", clusters=groups)
        of_groups = understand_clusters(groups, None, "micro", n)
    found = against_margin(problem, 0.1, 0.05)
    return margin_validity([problem], [found], [("a", "b")], alpha=0.05, clusters=of_groups)


@pytest.mark.parametrize(("n", "rate"), [(10, 20), (20, 20), (39, 20), (40, 40), (59, 40)])
def test_few_cases_of_the_bootstrap_are_told_with_the_simulated_rate(n: int, rate: int) -> None:
    (finding,) = of_f1(n).findings

    assert finding.code == "few-cases"
    assert finding.numbers == {"n": n, "rate": LEVEL_OF_BOOTSTRAP[rate], "n_simulated": rate}
    assert f"{n} instances are few" in finding.sentence


def test_enough_cases_of_the_bootstrap_need_no_word() -> None:
    assert of_f1(60).findings == ()


@pytest.mark.parametrize(("n_clusters", "codes"), [(19, ["few-clusters"]), (20, [])])
def test_few_clusters_are_told(n_clusters: int, codes: list[str]) -> None:
    """The jackknife of the clusters adds no cluster of its own, unlike the score test of accuracies."""
    found = of_f1(4 * n_clusters, np.arange(4 * n_clusters) % n_clusters)

    assert [one.code for one in found.findings] == codes
    assert found.n_effective == pytest.approx(n_clusters)
    assert all(one.sentence.endswith("the variance of a mean is uncertain.") for one in found.findings)


def test_smallest_pvalue_of_datasets_is_adjusted_for_the_pairs() -> None:
    """Of five datasets 2^-5, of three pairs three times that; seven datasets reach 3 / 2^7."""
    rng = np.random.default_rng(0)
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]

    def asked(n: int) -> Validity:
        problems = [ShiftedScores(rng.random(n), rng.random(n), "wilcoxon", 0.0) for _ in pairs]
        found = [against_margin(problem, 0.1, 0.05) for problem in problems]
        return margin_validity(problems, found, pairs, alpha=0.05, adjust="holm")

    few, enough = asked(5), asked(7)

    assert few.min_attainable_pvalue == pytest.approx(3 / 32)
    assert few.out_of_reach
    assert few.findings[0].sentence == (
        "With 5 datasets, no p-value can be below 0.0938, so a significant result needs 6 datasets."
    )
    assert (enough.out_of_reach, enough.findings) == (False, ())


def test_level_is_reached_by_an_equal_pvalue_and_never_by_nan() -> None:
    assert not cannot_reach(None, 0.05)
    assert not cannot_reach(0.05, 0.05)
    assert cannot_reach(0.0625, 0.05)
    assert cannot_reach(np.nan, 0.05)


def test_pair_without_a_pvalue_has_a_reason() -> None:
    """Of the design where it tells it, otherwise of the test, without the advice behind it."""
    nothing = ClusteredDifference(0.1, np.nan, np.nan, 10)

    found, in_one = against_margin(nothing, 0.1, 0.05), against_margin(nothing, 0.1, 0.05, clusters(np.zeros(10)))

    assert found.is_untested
    assert found.reason == "a stratum has a single cluster, so the standard error cannot be estimated"
    assert in_one.reason == "all instances belong to one cluster, so the variance between clusters is unknown"
    assert np.isnan(two_sided_pvalue(nothing))


def test_few_clusters_are_named() -> None:
    several = clusters(np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1]))

    assert few_clusters_words(clusters(np.arange(8) % 4)) == "with 4 clusters, the variance of a mean is uncertain"
    assert few_clusters_words(several, ("question", "benchmark")).startswith("a benchmark has a single cluster")


def test_out_of_reach_is_known_of_every_design() -> None:
    """Five datasets, five answers that differ, and four clusters cannot show a difference at 0.05, two-sided."""
    ahead = np.linspace(0.5, 0.9, 5)
    answers = {"y_true": [1] * 12, "a": [1] * 12, "b": [1] * 7 + [0] * 5}
    rows = [(m, f"q{i}", f"p{i % 4}", float(m == "a")) for m in "ab" for i in range(40)]
    columns = dict(zip(("model", "question", "passage", "correct"), map(list, zip(*rows, strict=True)), strict=True))

    found = [evalstats.compare(source).validity for source in (np.c_[ahead, ahead - 0.1], answers, columns)]

    assert [one.out_of_reach for one in found] == [True, True, True]
    assert [one.min_attainable_pvalue for one in found] == pytest.approx([2**-4, 2**-4, 2**-3])


def test_words_of_a_replacement_and_of_an_untested_pair() -> None:
    one = Replacement(of="omnibus", test="ANOVA", by="Friedman test", reason="nothing varies")

    assert replaced_words(one).startswith(
        "The ANOVA cannot compare all classifiers, because nothing varies. The Friedman"
    )
    assert untested_clause("t-test", None) == "cannot be tested by the t-test"
    assert untested_clause("t-test", "nothing varies").endswith(", because nothing varies")


@pytest.mark.parametrize("greater_is_better", [True, False])
def test_ahead_on_more_datasets_and_far_behind_on_one(greater_is_better: bool) -> None:
    """Twenty datasets: ahead by .001 on 19, behind by .5 on one."""
    rng = np.random.default_rng(0)
    a = np.append(rng.uniform(0.8, 0.9, 19), 0.3)
    b = np.append(a[:19] - 0.001, 0.8)
    scores = np.c_[a, b] if greater_is_better else 1 - np.c_[a, b]

    comparison = evalstats.compare(
        evalstats.ScoreTable(
            scores=scores,
            datasets=tuple(f"d{i}" for i in range(20)),
            classifiers=("a", "b"),
            greater_is_better=greater_is_better,
        )
    )

    assert comparison.means_otherwise == (("a", "b"),)
    assert "means-say-otherwise" in comparison.notes
    first, second = scores.mean(axis=0)
    assert (
        f"The mean score orders the pairs in the opposite way: {first:.3f} for a, {second:.3f} for b."
        in comparison.verdict
    )


def test_means_of_two_are_over_the_datasets_that_both_have() -> None:
    """Over its own datasets the first has the higher mean, over the common ones the lower."""
    nan = np.nan
    scores = np.array([[0.5, 0.6], [0.5, 0.6], [0.9, nan], [nan, 0.1]])
    better = np.array([[False, True], [False, False]])

    assert means_otherwise(scores, better, greater_is_better=True)[0, 1]
    assert not means_otherwise(scores, better.T, greater_is_better=True).any()
    assert not means_otherwise(scores[:2], better, greater_is_better=False).any()


def test_comparison_keeps_its_validity() -> None:
    rows = [(m, q, q // 30, (q % 7) / 7 + j) for j, m in enumerate("ab") for q in range(60)]
    frame = dict(zip(("model", "question", "passage", "score"), map(list, zip(*rows, strict=True)), strict=True))

    comparison = evalstats.compare(frame)

    assert comparison.validity.n_effective == pytest.approx(2)
    assert comparison.pair_test == "clustered_permutation_test"
    assert comparison.to_dict()["validity"]["n_effective"] == pytest.approx(2)
