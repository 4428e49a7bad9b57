"""Clusters against classes."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sklearn_metrics

import evalstats
from evalstats.agreement import clusterings
from evalstats.agreement import clusterings as expected_information
from evalstats.agreement.clusterings import expected_mutual_information
from evalstats.agreement.contingency import over_runs

OF_SKLEARN = [name for name in clusterings.__all__ if hasattr(sklearn_metrics, name)]
every_score = pytest.mark.parametrize("name", clusterings.__all__)
LABELS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30)
# Manning, Raghavan & Schütze (2008), figure 16.4: three clusters of x, o and diamonds
CLASSES = list("xxxxxoxoooodxxddd")
CLUSTERS = [1] * 6 + [2] * 6 + [3] * 5


def score(name: str, *arguments: object, **choices: object) -> object:
    return getattr(evalstats.agreement, name)(*arguments, **choices)


# published
def test_textbook() -> None:
    """Section 16.3: 20 of 40 pairs together are right, 44 would be; purity 12/17, NMI .36, F5 .46."""
    assert score("purity_score", CLASSES, CLUSTERS) == 12 / 17
    assert score("rand_score", CLASSES, CLUSTERS) == pytest.approx((20 + 72) / 136)
    assert score("pair_counting_f_score", CLASSES, CLUSTERS) == pytest.approx(2 * 20 / (40 + 44))
    assert round(score("pair_counting_f_score", CLASSES, CLUSTERS, beta=5), 2) == 0.46
    assert round(score("normalized_mutual_info_score", CLASSES, CLUSTERS), 2) == 0.36


# scikit-learn
@given(LABELS)
def test_values_are_those_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    y, clusters = zip(*pairs, strict=True)

    for name in OF_SKLEARN:
        theirs = getattr(sklearn_metrics, name)(y, clusters)
        if name == "adjusted_mutual_info_score" and len(set(y)) == len(set(clusters)) == len(y) > 1:
            theirs = 1.0  # each case alone in both: scikit-learn says 0 of some before 1.8
        assert score(name, y, clusters) == pytest.approx(theirs, abs=1e-10), name


@pytest.mark.parametrize("average_method", clusterings.AVERAGES)
def test_means_of_the_entropies_are_those_of_scikit_learn(average_method: str) -> None:
    rng = np.random.default_rng(0)
    for k in (2, 3, 10):
        y, clusters = rng.integers(0, k, (2, 60))
        for name in ("normalized_mutual_info_score", "adjusted_mutual_info_score"):
            theirs = getattr(sklearn_metrics, name)(y, clusters, average_method=average_method)
            assert score(name, y, clusters, average_method=average_method) == pytest.approx(theirs, abs=1e-12)


def test_v_measure_is_weighted_as_in_scikit_learn() -> None:
    theirs = sklearn_metrics.v_measure_score(CLASSES, CLUSTERS, beta=0.5)

    assert score("v_measure_score", CLASSES, CLUSTERS, beta=0.5) == pytest.approx(theirs, rel=1e-13)


# the definition
@given(LABELS)
def test_purity_and_pairs_are_their_definitions(pairs: list[tuple[int, int]]) -> None:
    y, clusters = zip(*pairs, strict=True)
    of_cluster = [[a for a, b in pairs if b == c] for c in set(clusters)]
    purity = sum(max(own.count(a) for a in own) for own in of_cluster) / len(y)
    together = [(a[0] == b[0], a[1] == b[1]) for a, b in itertools.combinations(pairs, 2)]
    tp, fn, fp = (together.count(which) for which in ((True, True), (True, False), (False, True)))

    assert score("purity_score", y, clusters) == pytest.approx(purity, rel=1e-15)
    wanted = (1 + 4) * tp / ((1 + 4) * tp + 4 * fn + fp) if tp + fn + fp else 1
    assert score("pair_counting_f_score", y, clusters, beta=2) == pytest.approx(wanted, rel=1e-14)


# laws
@every_score
def test_batch_equals_the_loop(name: str) -> None:
    rng = np.random.default_rng(0)
    y, runs = rng.integers(0, 4, (3, 1, 30)), rng.integers(0, 5, (3, 4, 30))

    together = score(name, y, runs)

    each = [[score(name, y[i, 0], runs[i, j]) for j in range(4)] for i in range(3)]
    np.testing.assert_allclose(together, each, rtol=1e-13, atol=1e-15)


@every_score
def test_names_of_clusters_do_not_matter_and_the_same_clusters_are_perfect(name: str) -> None:
    renamed = [{1: "c", 2: "a", 3: "b"}[cluster] for cluster in CLUSTERS]

    assert score(name, CLASSES, renamed) == pytest.approx(score(name, CLASSES, CLUSTERS), rel=1e-13)
    assert score(name, CLASSES, [ord(one) for one in CLASSES]) == pytest.approx(1, rel=1e-13)


@pytest.mark.parametrize(
    "name",
    [name for name in clusterings.__all__ if name not in ("purity_score", "homogeneity_score", "completeness_score")],
)
def test_two_labelings_may_be_exchanged(name: str) -> None:
    assert score(name, CLUSTERS, CLASSES) == pytest.approx(score(name, CLASSES, CLUSTERS), rel=1e-13)


def test_adjusted_scores_are_zero_by_chance() -> None:
    rng = np.random.default_rng(0)
    y, runs = np.repeat([0, 1, 2], 20), rng.permuted(np.tile(np.repeat([0, 1, 2, 3], 15), (2000, 1)), axis=1)

    for name in ("adjusted_rand_score", "adjusted_mutual_info_score"):
        values = score(name, y, runs)
        assert abs(values.mean()) < 4 * values.std() / math.sqrt(2000)


@every_score
def test_no_score_is_above_one_and_equal_clusters_are_exactly_one(name: str) -> None:
    """Sums of logarithms alone make 1.0000000000000002 of some, and 0.9999999999999998 of others."""
    rng = np.random.default_rng(34)
    for _ in range(60):
        n, k = rng.integers(2, 60), rng.integers(1, 9)
        y = rng.integers(0, k, n)
        runs = np.stack([rng.permutation(k)[y], np.zeros(n, dtype=int), np.arange(n), rng.integers(0, k, n)])
        values = score(name, y, runs)

        singletons = len(np.unique(y)) == n  # without pairs Fowlkes-Mallows is 0
        assert values[0] == (0 if name == "fowlkes_mallows_score" and singletons else 1)
        assert values.max() <= 1
    assert score(name, [1, 1, 1], [2, 2, 2]) == 1


@pytest.mark.parametrize("seed", range(20))
def test_clusters_within_classes_are_homogeneous_and_classes_within_clusters_complete(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = rng.integers(0, 9, 50)
    whole = parts // 3

    assert (
        evalstats.agreement.homogeneity_score(whole, parts) == evalstats.agreement.completeness_score(parts, whole) == 1
    )
    assert evalstats.agreement.completeness_score(whole, parts) < 1


@every_score
def test_one_case(name: str) -> None:
    """It is in one class and one cluster."""
    wanted = 0 if name == "fowlkes_mallows_score" else 1

    assert score(name, [0], [5]) == wanted


def test_many_cases_alone_take_no_square_table() -> None:
    n = 50_000

    assert score("adjusted_rand_score", np.arange(n), np.arange(n)[::-1]) == 1
    assert score("purity_score", np.zeros(n, dtype=int), np.arange(n)) == 1


class TestMessages:
    @every_score
    def test_nan(self, name: str) -> None:
        with pytest.raises(ValueError, match=r"y_pred .*nan"):
            score(name, [0, 1], [0, math.nan])

    def test_beta(self) -> None:
        with pytest.raises(ValueError, match=r"beta must be greater than 0 and at most 1e\+100, not 0"):
            score("pair_counting_f_score", [0], [0], beta=0)

    def test_mean(self) -> None:
        with pytest.raises(ValueError, match="average_method must be 'arithmetic' or"):
            score("normalized_mutual_info_score", [0], [0], average_method="harmonic")


@pytest.mark.parametrize(("y", "clusters"), [("aabb", "xxyz"), ("aaab", "xyyy"), ("aabbcc", "xxxyyz"), ("abc", "xxx")])
def test_expectation_is_the_mean_over_all_orders(y: str, clusters: str) -> None:
    orders = np.array([list(order) for order in itertools.permutations(clusters)])
    shared = over_runs(list(y), orders, lambda table: table.mutual_information())

    expected = over_runs(list(y), list(clusters), expected_mutual_information)

    assert expected == pytest.approx(shared.mean(), abs=1e-14)


def test_sums_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    y, runs = rng.integers(0, 5, 200), rng.integers(0, 5, (6, 200))
    whole = over_runs(y, runs, expected_mutual_information)
    monkeypatch.setattr(expected_information, "AT_ONCE", 100)

    np.testing.assert_allclose(over_runs(y, runs, expected_mutual_information), whole, rtol=1e-13)
