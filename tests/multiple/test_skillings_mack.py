"""Skillings and Mack's test, on tables with missing scores."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from repetitions import repetitions
from scipy import stats

from evalstats._errors import InvalidTypeError, InvalidValueError
from evalstats._result import HypothesisTestResult
from evalstats.multiple.durbin import durbin_test
from evalstats.multiple.friedman import friedman_test
from evalstats.multiple.skillings_mack import skillings_mack_test

NAN = math.nan
# four ways to assemble, nine workers: the example in the manual of the R package Skillings.Mack, from Skillings & Mack
# (1981) and Hollander & Wolfe (1999); it prints a statistic of 15.493049 and p = .001440
ASSEMBLY = np.array(
    [
        [3.2, 4.1, 3.8, 4.2],
        [3.1, 3.9, 3.4, 4.0],
        [4.3, 3.5, 4.6, 4.8],
        [3.5, 3.6, 3.9, 4.0],
        [3.6, 4.2, 3.7, 3.9],
        [4.5, 4.7, 3.7, NAN],
        [NAN, 4.2, 3.4, NAN],
        [4.3, 4.6, 4.4, 4.9],
        [3.5, NAN, 3.7, 3.9],
    ]
)
complete_tables = hnp.arrays(
    float, st.tuples(st.integers(1, 6), st.integers(2, 5)), elements=st.integers(0, 4).map(float)
)


def with_holes(seed: int, n: int, k: int, share: float, n_values: int = 10**6) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.where(rng.random((n, k)) < share, NAN, rng.integers(0, n_values, (n, k)))


def by_definition(scores: np.ndarray) -> float:
    """Skillings & Mack (1981), section 2, step by step, for scores that are not tied."""
    rows = [row for row in scores if np.isfinite(row).sum() > 1]
    k = scores.shape[1]
    adjusted, covariance = np.zeros(k), np.zeros((k, k))
    for row in rows:
        there = np.flatnonzero(np.isfinite(row))
        rank = stats.rankdata(row[there])
        adjusted[there] += np.sqrt(12 / (len(there) + 1)) * (rank - (len(there) + 1) / 2)
        for i, j in itertools.permutations(there, 2):
            covariance[i, j] -= 1
            covariance[i, i] += 1
    return float(adjusted @ np.linalg.pinv(covariance, rcond=1e-9) @ adjusted)


def all_statistics(scores: np.ndarray) -> np.ndarray:
    """Return the statistic of every order of the scores of every dataset."""
    orders = [set(itertools.permutations(row[np.isfinite(row)].tolist())) for row in scores]
    statistics = []
    for chosen in itertools.product(*orders):
        table = scores.copy()
        for row, values in zip(table, chosen, strict=True):
            row[np.isfinite(row)] = values
        statistics.append(skillings_mack_test(table, method="chi2").statistic)
    return np.array(statistics)


def test_three_wins_of_two_classifiers_by_hand() -> None:
    """Adjusted rank sums -3 and 3, covariance 3 times ((1, -1), (-1, 1)): 9 / 3, as (3 - 0)^2 / 3 of McNemar."""
    result = skillings_mack_test([[2, 1], [5, 4], [9, 0]], method="chi2")

    assert result.statistic == pytest.approx(3, rel=1e-14)
    assert result.df == 1
    np.testing.assert_allclose(result.adjusted_rank_sums, [-3, 3], rtol=1e-14)


def test_assembly_times() -> None:
    result = skillings_mack_test(ASSEMBLY, method="chi2", greater_is_better=False)

    assert result.statistic == pytest.approx(15.493049, abs=5e-7)
    assert result.pvalue == pytest.approx(0.001440296302, abs=5e-13)
    assert (result.df, result.n_missing, result.dropped_datasets) == (3, 4, ())
    assert result.chi2_uncorrected == pytest.approx(result.chi2, rel=1e-13)


@pytest.mark.parametrize("seed", range(12))
def test_follows_the_definition(seed: int) -> None:
    scores = with_holes(seed, 4 + 2 * seed, 3 + seed % 4, 0.1 + 0.05 * seed)

    result = skillings_mack_test(scores, method="chi2")

    assert result.chi2 == pytest.approx(by_definition(scores), rel=1e-10)
    assert result.chi2_uncorrected == pytest.approx(by_definition(scores), rel=1e-10)


@settings(max_examples=repetitions(60))
@given(complete_tables)
def test_complete_tables_are_friedmans(scores: np.ndarray) -> None:
    """With ties too, and where all is tied."""
    here, friedman = skillings_mack_test(scores, method="chi2"), friedman_test(scores, method="chi2")

    assert here.chi2 == pytest.approx(friedman.chi2, rel=1e-10, abs=1e-12)
    assert here.chi2_uncorrected == pytest.approx(friedman.chi2_uncorrected, rel=1e-10, abs=1e-12)
    np.testing.assert_allclose(here.mean_ranks, friedman.mean_ranks, rtol=1e-14)


def test_exact_pvalue_is_friedmans() -> None:
    """Of a complete table; two datasets that agree on three classifiers do so by chance once in six times."""
    scores = np.array([[1.0, 2, 3, 4], [2, 1, 3, 4], [1, 2, 4, 3], [3, 2, 2, 9]])

    assert skillings_mack_test(scores).pvalue == pytest.approx(friedman_test(scores, method="exact").pvalue, rel=1e-12)
    assert skillings_mack_test([[1, 2, 3], [4, 5, 6]]).pvalue == pytest.approx(1 / 6, rel=1e-15)


def test_exact_pvalue_counts_all_orders_with_holes_and_ties_and_monte_carlo_finds_it() -> None:
    scores = np.array([[1, 2, 3], [2, NAN, 3], [NAN, 1, 2], [1, 2, 2], [1, 2, NAN], [2, 2, 5]])
    statistics = all_statistics(scores)
    exact = (statistics >= skillings_mack_test(scores, method="chi2").statistic * (1 - 1e-9)).mean()

    result, drawn = skillings_mack_test(scores), skillings_mack_test(scores, method="monte-carlo", rng=3)

    assert (result.method, result.seed, drawn.method, drawn.seed) == ("exact", None, "monte-carlo", 3)
    assert result.pvalue == pytest.approx(exact, rel=1e-12)
    assert drawn.pvalue == pytest.approx(exact, abs=4 * math.sqrt(exact / 9999))


def test_mean_over_all_orders_is_the_degrees_of_freedom() -> None:
    """A quadratic form in the inverse of the true covariance; without correction for ties it is smaller."""
    scores = np.array([[1, 2, 3], [2, NAN, 3], [NAN, 1, 2], [1, 2, 2], [2, 2, 5]])
    result = skillings_mack_test(scores, method="chi2")

    assert all_statistics(scores).mean() == pytest.approx(result.df, rel=1e-12)
    assert result.chi2_uncorrected < result.chi2


def test_balanced_designs_without_ties_are_durbins() -> None:
    rng = np.random.default_rng(4)
    blocks = list(itertools.combinations(range(5), 3))
    scores = np.array([[rng.random() if j in block else NAN for j in range(5)] for block in blocks])

    here, durbin = skillings_mack_test(scores, method="chi2"), durbin_test(scores, method="chi2")

    assert here.statistic == pytest.approx(durbin.statistic, rel=1e-12)
    assert here.pvalue == pytest.approx(durbin.pvalue, rel=1e-12)


def test_datasets_with_one_score_are_left_out_and_recorded() -> None:
    kept = [[1, 2, 3], [2, 1, NAN], [3, 1, 2]]
    result = skillings_mack_test([kept[0], [NAN, 2, NAN], *kept[1:], [NAN] * 3], method="chi2")

    assert result.dropped_datasets == (1, 4)
    assert (result.n_datasets, result.n_missing) == (5, 6)
    assert result.statistic == skillings_mack_test(kept, method="chi2").statistic


def test_disconnected_design_tests_within_its_parts() -> None:
    """The statistics of the parts add up, and so do their degrees of freedom."""
    left, right = np.array([[1.0, 2], [1, 3], [2, 1], [1, 5]]), np.array([[3.0, 1, 2], [4, 2, 3], [2, 1, 5]])
    scores = np.full((7, 5), NAN)
    scores[:4, :2], scores[4:, 2:] = left, right

    result = skillings_mack_test(scores, method="chi2")

    parts = [friedman_test(part, method="chi2").chi2 for part in (left, right)]
    assert result.statistic == pytest.approx(sum(parts), rel=1e-12)
    assert result.df == 3
    assert result.reason == (
        "no dataset links the groups of classifiers [0, 1] and [2, 3, 4], so only differences within the "
        "groups are tested"
    )


def test_classifier_without_scores_changes_nothing_but_the_reason() -> None:
    result = skillings_mack_test([[1, 2, NAN], [1, 3, NAN], [2, 1, NAN]], method="chi2")

    assert result.statistic == pytest.approx(friedman_test([[1, 2], [1, 3], [2, 1]], method="chi2").chi2, rel=1e-12)
    assert (result.df, math.isnan(result.mean_ranks[2])) == (1, True)
    assert result.reason.startswith("no dataset links the groups of classifiers [0, 1] and [2]")


def test_smallest_pvalue_of_a_complete_table_is_friedmans() -> None:
    scores = np.random.default_rng(5).random((25, 4))

    here, friedman = skillings_mack_test(scores), friedman_test(scores, method="chi2")

    assert here.min_attainable_pvalue == pytest.approx(friedman.min_attainable_pvalue, rel=1e-10)


@pytest.mark.long
def test_chi2_keeps_its_level() -> None:
    """In 1,500 tables of noise, 25 datasets of 5 with a quarter missing; within four standard errors of 5 %."""
    rng = np.random.default_rng(1981)
    scores = np.where(rng.random((1500, 25, 5)) < 0.25, NAN, rng.random((1500, 25, 5)))

    share = (skillings_mack_test(scores).pvalue <= 0.05).mean()

    assert share == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / 1500))


@pytest.mark.parametrize("method", ["chi2", "monte-carlo"])
def test_relabeling_permutes_the_result(method: str) -> None:
    order = [2, 0, 3, 1]
    here, there = (skillings_mack_test(x, method=method, rng=1) for x in (ASSEMBLY, ASSEMBLY[:, order]))

    np.testing.assert_allclose(there.adjusted_rank_sums, here.adjusted_rank_sums[order], rtol=1e-13)
    np.testing.assert_allclose(there.mean_ranks, here.mean_ranks[order], rtol=1e-14)
    assert there.statistic == pytest.approx(here.statistic, rel=1e-13)
    assert skillings_mack_test(ASSEMBLY[::-1], method="chi2").chi2 == pytest.approx(here.chi2, rel=1e-13)


def test_ranks_alone_count() -> None:
    here = skillings_mack_test(ASSEMBLY)

    assert skillings_mack_test(np.exp(ASSEMBLY)).pvalue == here.pvalue
    assert skillings_mack_test(-ASSEMBLY, greater_is_better=False).pvalue == here.pvalue
    assert skillings_mack_test([[0.1 + 0.2, 0.3, NAN], [NAN, 0.7, 0.7]]).pvalue == 1


def test_batch_equals_the_loop_over_its_members() -> None:
    """Each table has missing scores of its own; one has nothing to compare."""
    tables = np.stack([with_holes(seed, 6, 4, 0.1 * seed, 4) for seed in range(6)]).reshape(2, 3, 6, 4)
    tables[1, 2] = NAN

    batch = skillings_mack_test(tables, n_resamples=99)

    for at in np.ndindex(2, 3):
        member = skillings_mack_test(tables[at], n_resamples=99)
        for field in dataclasses.fields(member):
            ours, single = getattr(batch, field.name), getattr(member, field.name)
            np.testing.assert_array_equal(ours[at] if np.shape(ours)[:2] == (2, 3) else ours, single)


def test_result_is_a_frozen_record_of_plain_values() -> None:
    result = skillings_mack_test(ASSEMBLY)
    statistic, pvalue = result

    assert isinstance(result, HypothesisTestResult)
    assert (type(statistic), type(pvalue), type(result.df), type(result.method)) == (float, float, int, str)
    assert json.loads(json.dumps(result.to_dict()))["dropped_datasets"] == []
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.pvalue = 0.0  # that it cannot be done is the point


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([[1, 1, NAN], [NAN, 2, 2]], "all classifiers are tied on every dataset"),
        ([[1, NAN], [NAN, 2]], "no dataset has two scores to compare"),
        ([[1, 2, 3], [NAN, 1, NAN]], "with one dataset, all orders of the classifiers are equally extreme"),
    ],
)
def test_nothing_to_see_is_p_one_with_a_reason(scores: Any, reason: str) -> None:
    result = skillings_mack_test(scores)

    assert (result.pvalue, result.min_attainable_pvalue, result.reason) == (1.0, 1.0, reason)


def test_monte_carlo_repeats_itself() -> None:
    noise = with_holes(1, 8, 4, 0.2)
    one, two, other = (skillings_mack_test(noise, rng=seed).pvalue for seed in (1, 1, 2))

    assert one == two != other
    assert skillings_mack_test(ASSEMBLY).pvalue == skillings_mack_test(ASSEMBLY, rng=0).pvalue


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"scores": [1, 2]}, InvalidValueError, r"shape \(n_datasets, n_classifiers\)"),
        ({"scores": [[1], [2]]}, InvalidValueError, "2 classifiers"),
        ({"scores": [[1, None]]}, InvalidTypeError, r"scores\[0, 1\] is None"),
        ({"scores": [[1, math.inf]]}, InvalidValueError, r"scores must be finite, but scores\[0, 1\] is inf"),
        (
            {"scores": pd.DataFrame({"A": [1.0, NAN], "B": [2, -math.inf]}, index=["iris", "wine"])},
            InvalidValueError,
            r"\(dataset 'wine', classifier 'B'\) is -inf",
        ),
        ({"scores": ASSEMBLY, "method": "f"}, InvalidValueError, "method must be 'auto' or"),
        ({"scores": np.eye(40, 9), "method": "exact"}, InvalidValueError, "method='exact' would take more than"),
        ({"scores": ASSEMBLY, "n_resamples": 0}, InvalidValueError, "n_resamples must be at least 1"),
        ({"scores": ASSEMBLY, "rng": "x"}, InvalidTypeError, "rng must be"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        skillings_mack_test(**arguments)


def test_frame_with_holes_is_an_array_with_holes() -> None:
    assert skillings_mack_test(pd.DataFrame(ASSEMBLY)).pvalue == skillings_mack_test(ASSEMBLY).pvalue


def test_dataset_that_ties_all_links_no_groups() -> None:
    """It adds nothing to the covariance, so the degrees of freedom and the reason do not count it."""
    nan = float("nan")
    result = skillings_mack_test([[1, 2, nan, nan], [nan, nan, 3, 4], [1, 1, 1, 1], [2, 1, nan, nan]])

    assert result.df == 2
    assert result.reason.startswith("no dataset with different scores links the groups")
