"""One place says whether a test may speak, which other one does, and of what nothing can be said."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats.comparison.validity import (
    FEW_CLUSTERS,
    UntestedPair,
    Validity,
    first_reason,
    has_few_clusters,
    lacks_pvalue,
    means_otherwise,
    untested,
    valid_omnibus,
    valid_posthoc,
)
from evalstats.metrics.clusters import Clusters, understand_clusters


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
    assert first_reason([None, "no variance is left; take another"]) == "no variance is left"
    assert first_reason(None) == "it is not defined there"


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
    name, found, (replaced,) = valid_omnibus("rm-anova", answers({"rm-anova": np.nan, "friedman": 0.3}))

    assert (name, found.pvalue) == ("friedman", 0.3)
    assert (replaced.of, replaced.test, replaced.by, replaced.reason) == (
        "omnibus",
        "repeated-measures ANOVA",
        "Friedman test",
        "it has no variance",
    )


def test_test_of_pairs_is_replaced_for_all_of_them() -> None:
    some = np.array([np.nan, 0.1, np.nan])

    name, _, (replaced,) = valid_posthoc("paired-t", 0, answers({"paired-t": some, "wilcoxon": some}))

    assert (name, replaced.of) == ("wilcoxon", "pairs")


def test_valid_tests_stay() -> None:
    """The p-value of the control with itself is nan, and no test of a pair."""
    kept = valid_posthoc("paired-t", 0, answers({"paired-t": np.array([np.nan, 0.1, 0.2])}))

    assert (kept[0], kept[2]) == ("paired-t", ())
    assert valid_omnibus("quade", answers({"quade": 0.2}))[2] == ()


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
    assert f"The mean score says the opposite: {first:.3f} for a, {second:.3f} for b." in comparison.verdict


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
