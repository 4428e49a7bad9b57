from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions
from scipy import stats

from evalstats.multiple.cochran import CochranQTestResult, cochran_q_test
from evalstats.multiple.friedman import friedman_test
from evalstats.paired.mcnemar import mcnemar_test

EIGHT = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1], [1, 1, 1]])

# Conover, Practical Nonparametric Statistics, page 253, from the manual of Dataplot: Q = 2.8
CONOVER = np.array(
    [
        [1, 1, 1], [1, 1, 1], [0, 1, 0], [1, 1, 0], [0, 0, 0], [1, 1, 1],
        [1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 0], [1, 1, 1], [1, 1, 1],
    ]
)  # fmt: skip

tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 1), min_size=k, max_size=k), min_size=1, max_size=4)
)


def cochran_definition(correct: np.ndarray) -> Fraction:
    """Cochran (1950): k (k - 1) times the squared deviations of the columns, over sum of r (k - r)."""
    k = correct.shape[1]
    columns, rows = [int(c) for c in correct.sum(axis=0)], [int(r) for r in correct.sum(axis=1)]
    within = sum(r * (k - r) for r in rows)
    deviations = sum((c - Fraction(sum(columns), k)) ** 2 for c in columns)
    return k * (k - 1) * deviations / within if within else Fraction(0)


def enumerated(correct: np.ndarray) -> list[Fraction]:
    """Q of every choice of the classifiers that are right on each sample."""
    orders = [sorted(set(itertools.permutations(row))) for row in correct.tolist()]
    return [cochran_definition(np.array(choice)) for choice in itertools.product(*orders)]


def test_eight_samples_by_hand() -> None:
    """Columns 7, 6, 2; Q = 2 (3 (49 + 36 + 4) - 225) / (45 - 33)."""
    result = cochran_q_test(EIGHT, method="chi2")

    assert result.statistic == 84 / 12
    assert result.pvalue == pytest.approx(math.exp(-3.5), rel=1e-14)
    assert (result.df, result.n_instances, result.n_classifiers, result.n_informative) == (2, 8, 3, 6)
    assert result.accuracies.tolist() == [7 / 8, 6 / 8, 2 / 8]


def test_conover_page_253() -> None:
    result = cochran_q_test(CONOVER, method="chi2")

    assert result.statistic == pytest.approx(2.8, rel=1e-15)
    assert result.pvalue == pytest.approx(math.exp(-1.4), rel=1e-14)


@settings(max_examples=repetitions(60))
@given(tables)
def test_exact_pvalue_is_a_share_of_all_arrangements(rows: list[list[int]]) -> None:
    correct = np.array(rows)
    observed, everything = cochran_definition(correct), enumerated(correct)

    result = cochran_q_test(correct, method="exact")

    assert result.statistic == pytest.approx(float(observed), rel=1e-14)
    assert result.pvalue == pytest.approx(sum(q >= observed for q in everything) / len(everything), rel=1e-13)
    most = sum(q == max(everything) for q in everything) / len(everything)
    assert result.min_attainable_pvalue == pytest.approx(most, rel=1e-13)


@pytest.mark.parametrize("method", ["chi2", "exact"])
@pytest.mark.parametrize("shape", [(40, 2), (30, 3), (12, 4), (6, 5)])
def test_it_is_the_friedman_test_of_zeros_and_ones(shape: tuple[int, int], method: str) -> None:
    """Two roads to one number."""
    correct = np.random.default_rng(sum(shape)).random(shape) < 0.6

    here, there = cochran_q_test(correct, method=method), friedman_test(correct, method=method)

    assert here.statistic == pytest.approx(there.statistic, rel=1e-14)
    assert here.pvalue == pytest.approx(there.pvalue, rel=1e-13)
    assert here.min_attainable_pvalue == pytest.approx(there.min_attainable_pvalue, rel=1e-13)


@pytest.mark.parametrize(("b", "c"), [(9, 2), (3, 3), (0, 6), (70, 41)])
def test_two_classifiers_are_mcnemar(b: int, c: int) -> None:
    """Exact: the binomial distribution of the discordant samples; chi2: (b - c)^2 / (b + c), without correction."""
    correct = np.repeat([[1, 0], [0, 1], [1, 1], [0, 0]], [b, c, 8, 5], axis=0)

    exact, chi2 = cochran_q_test(correct), cochran_q_test(correct, method="chi2")

    assert (exact.method, exact.n_informative) == ("exact", b + c)
    assert exact.statistic == chi2.statistic == (b - c) ** 2 / (b + c)
    assert exact.pvalue == pytest.approx(stats.binomtest(b, b + c).pvalue, rel=1e-12)
    assert exact.min_attainable_pvalue == pytest.approx(2.0 ** (1 - b - c), rel=1e-12)
    assert chi2.pvalue == pytest.approx(stats.chi2.sf(chi2.statistic, 1), rel=1e-12)


@pytest.mark.parametrize("method", ["exact", "chi2"])
def test_samples_on_which_all_agree_do_not_count(method: str) -> None:
    more = np.concatenate([EIGHT, np.ones((50, 3), dtype=int), np.zeros((9, 3), dtype=int)])

    here, there = cochran_q_test(EIGHT, method=method), cochran_q_test(more, method=method)

    assert tuple(there) == tuple(here)
    assert (there.n_informative, there.min_attainable_pvalue) == (here.n_informative, here.min_attainable_pvalue)


@pytest.mark.parametrize("method", ["exact", "chi2"])
@given(st.data())
def test_symmetries(method: str, data: st.DataObject) -> None:
    """Right and wrong may change places, and so may classifiers and samples."""
    correct = np.array(data.draw(tables))
    n, k = correct.shape
    rows, columns = data.draw(st.permutations(range(n))), data.draw(st.permutations(range(k)))
    expected = cochran_q_test(correct, method=method)

    for other in (1 - correct, correct[rows], correct[:, columns]):
        result = cochran_q_test(other, method=method)

        assert result.statistic == pytest.approx(expected.statistic, rel=1e-14)
        assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
        assert result.min_attainable_pvalue == pytest.approx(expected.min_attainable_pvalue, rel=1e-12)
        assert 0 < result.min_attainable_pvalue <= result.pvalue * (1 + 1e-12) <= 1 + 1e-12
    np.testing.assert_array_equal(cochran_q_test(correct[:, columns]).accuracies, expected.accuracies[columns])


@pytest.mark.parametrize("method", ["auto", "exact", "chi2"])
@pytest.mark.parametrize("value", [0, 1])
def test_perfect_classifiers_are_not_different(value: int, method: str) -> None:
    """Others divide 0 by 0: mlxtend gives (nan, nan)."""
    result = cochran_q_test(np.full((5, 4), value), method=method)

    assert (result.statistic, result.pvalue, result.min_attainable_pvalue, result.n_informative) == (0, 1, 1, 0)
    assert "there is no difference to test" in result.reason


def test_one_informative_sample_decides_nothing() -> None:
    result = cochran_q_test([[1, 1, 1], [1, 0, 0], [0, 0, 0]])

    assert (result.method, result.pvalue, result.min_attainable_pvalue) == ("exact", 1, 1)


def test_auto_is_exact_where_that_is_quick() -> None:
    rng = np.random.default_rng(8)

    assert [cochran_q_test(rng.random(shape) < 0.7).method for shape in [(100, 3), (40, 4), (10, 6)]] == ["exact"] * 3
    assert [cochran_q_test(rng.random(shape) < 0.7).method for shape in [(2000, 3), (40, 9)]] == ["chi2"] * 2


def test_three_hundred_classifiers_need_no_list_of_their_answers() -> None:
    """There are 2^300 ways to be right and wrong; only the sums of rows and columns count."""
    correct = np.random.default_rng(9).random((500, 300)) < 0.8

    result = cochran_q_test(correct)

    assert result.statistic == pytest.approx(float(cochran_definition(correct)), rel=1e-13)
    assert result.pvalue == pytest.approx(stats.chi2.sf(result.statistic, 299), rel=1e-12)


def test_far_tail_is_never_zero() -> None:
    correct = np.tile([1, 1, 0], (5000, 1))

    assert cochran_q_test(correct, method="chi2").pvalue == 5e-324


@pytest.mark.parametrize("method", ["auto", "exact", "chi2"])
def test_batch_equals_the_loop(method: str) -> None:
    correct = np.random.default_rng(10).random((2, 3, 8, 3)) < 0.7
    correct[0, 0] = True

    batch = cochran_q_test(correct, method=method)

    assert batch.accuracies.shape == (2, 3, 3)
    for at in np.ndindex(2, 3):
        member = cochran_q_test(correct[at], method=method)
        np.testing.assert_array_equal(batch.accuracies[at], member.accuracies)
        for name in ("statistic", "pvalue", "min_attainable_pvalue", "n_informative", "method", "reason"):
            assert getattr(batch, name)[at] == getattr(member, name)


def test_truth_values_and_numbers_are_the_same() -> None:
    expected = tuple(cochran_q_test(EIGHT))

    for correct in (EIGHT == 1, EIGHT.tolist(), EIGHT.astype(np.int8), pd.DataFrame(EIGHT == 1), EIGHT.astype(object)):
        assert tuple(cochran_q_test(correct)) == expected


def test_result_is_a_record_of_plain_values() -> None:
    result = cochran_q_test(EIGHT)

    assert isinstance(result, CochranQTestResult)
    assert (type(result.statistic), type(result.pvalue), type(result.n_informative)) == (float, float, int)
    assert (type(result.method), result.alternative, result.reason) == (str, "two-sided", None)
    assert json.loads(json.dumps(result.to_dict()))["df"] == 2


@pytest.mark.parametrize(
    ("correct", "message"),
    [
        ([[1, 0], [0.5, 1]], r"the integers 1 \(correct\) and 0 \(incorrect\), but correct\[1, 0\] is 0.5"),
        (EIGHT.astype(float), r"the integers 1 \(correct\) and 0 \(incorrect\), but correct\[0, 0\] is 1.0"),
        ([[1, 0], [np.nan, 1]], r"correct\[1, 0\] is nan"),
        ([[2, 0], [1, 1]], r"correct\[0, 0\] is 2"),
        ([["right", "wrong"]], r"correct must be numbers, but correct\[0, 0\] is 'right'"),
        ([[True, None]], r"correct must be numbers, but correct\[0, 1\] is None"),
        ([True, False], r"correct must have the shape \(n_instances, n_classifiers\)"),
        ([[True], [False]], "at least 1 instance .* and 2 classifiers"),
        (np.empty((0, 3), dtype=bool), "at least 1 instance"),
        (np.ma.masked_array([[True, False]], [[False, True]]), r"correct\[0, 1\] is masked"),
    ],
)
def test_bad_answers_are_refused_by_name(correct: object, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        cochran_q_test(correct)


def cochran_of_groups(sums: np.ndarray) -> float:
    """Friedman's statistic of raw numbers: (k - 1) times the squared deviations of the sums, over those of the rows."""
    deviations = sums - sums.mean(axis=1, keepdims=True)
    return (sums.shape[1] - 1) * (deviations.sum(axis=0) ** 2).sum() / (deviations**2).sum()


def test_groups_by_definition() -> None:
    rng = np.random.default_rng(12)
    correct, groups = rng.random((90, 4)) < [0.9, 0.8, 0.7, 0.7], rng.integers(0, 25, 90)
    sums = pd.DataFrame(correct.astype(int)).groupby(groups).sum().to_numpy()

    result = cochran_q_test(correct, clusters=groups)

    assert result.statistic == pytest.approx(cochran_of_groups(sums), rel=1e-13)
    assert result.pvalue == pytest.approx(stats.chi2.sf(result.statistic, 3), rel=1e-12)
    assert (result.method, result.n_clusters, result.n_instances) == ("chi2", 25, 90)
    assert result.n_informative == (np.ptp(sums, axis=1) > 0).sum()
    assert result.min_attainable_pvalue == pytest.approx(stats.chi2.sf(cochran_of_groups(np.sort(sums)), 3), rel=1e-12)


def test_groups_of_one_are_no_groups() -> None:
    here = cochran_q_test(EIGHT, method="chi2")
    there = cochran_q_test(EIGHT, clusters=list("hgfedcba"))

    for name in ("statistic", "pvalue", "min_attainable_pvalue", "n_informative", "reason"):
        assert getattr(here, name) == getattr(there, name)


def test_two_classifiers_in_groups_are_mcnemar() -> None:
    rng = np.random.default_rng(13)
    correct, groups = rng.random((80, 2)) < [0.9, 0.7], rng.integers(0, 20, 80)

    q = cochran_q_test(correct, clusters=groups)
    pair = mcnemar_test(correct[:, 0], correct[:, 1], clusters=groups, method="asymptotic", correction=False)

    assert (q.statistic, q.pvalue) == pytest.approx((pair.statistic, pair.pvalue), rel=1e-12)


def test_copies_of_a_sample_add_nothing_when_they_are_grouped() -> None:
    """Q of copies that are treated as samples would be three times as large."""
    groups = np.repeat(np.arange(8), 3)

    copied = cochran_q_test(np.repeat(EIGHT, 3, axis=0), clusters=groups)

    assert tuple(copied) == pytest.approx(tuple(cochran_q_test(EIGHT, method="chi2")), rel=1e-14)


def test_batch_in_groups_equals_the_loop() -> None:
    correct = np.random.default_rng(14).random((2, 3, 12, 3)) < 0.7
    correct[1, 1] = True
    groups = np.arange(12) // 3

    batch = cochran_q_test(correct, clusters=groups)

    for at in np.ndindex(2, 3):
        member = cochran_q_test(correct[at], clusters=groups)
        for name in ("statistic", "pvalue", "min_attainable_pvalue", "n_informative", "reason"):
            assert getattr(batch, name)[at] == getattr(member, name)
    assert "in every cluster" in batch.reason[1, 1]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"clusters": [1, 2]}, r"clusters must name one cluster for each of the 8 instances, but its shape is \(2,\)"),
        (
            {"clusters": [1, 2, None, 4, 5, 6, 7, 8]},
            r"clusters must not contain missing labels, but clusters\[2\] is None",
        ),
        ({"clusters": range(8), "method": "exact"}, "method must be 'auto' or 'chi2' with clusters, not 'exact'"),
    ],
)
def test_bad_groups_are_refused(choices: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        cochran_q_test(EIGHT, **choices)


def test_exact_that_would_take_minutes_is_refused() -> None:
    with pytest.raises(ValueError, match=r"method='exact' would take about .* additions .* use method='chi2'"):
        cochran_q_test(np.random.default_rng(11).random((50, 12)) < 0.5, method="exact")


def test_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="method must be 'auto' or 'exact' or 'chi2', not 'f'"):
        cochran_q_test(EIGHT, method="f")


@pytest.mark.parametrize(
    ("n", "k", "rates"), [(6, 4, [5.5, 0.3]), (10, 4, [4.1, 0.7]), (10, 5, [3.9, 0.9]), (20, 3, [4.8, 1.0])]
)
def test_chi2_rejects_a_true_hypothesis_as_often_as_documented(n: int, k: int, rates: list[float]) -> None:
    """Over all choices of the right classifiers, whose number goes round from 1 to k - 1."""
    right = [1 + i % (k - 1) for i in range(n)]
    law = Counter({(0,) * k: 1})
    for r in right:
        rows = [tuple(int(j in chosen) for j in range(k)) for chosen in itertools.combinations(range(k), r)]
        added: Counter[tuple[int, ...]] = Counter()
        for (sums, n_ways), row in itertools.product(law.items(), rows):
            added[tuple(map(sum, zip(sums, row, strict=True)))] += n_ways
        law = added
    deviations = np.array([k * sum(c * c for c in sums) - sum(right) ** 2 for sums in law])
    q = (k - 1) * deviations / (k * sum(right) - sum(r * r for r in right))
    pvalues, weights = stats.chi2.sf(q, k - 1), np.array([n_ways / law.total() for n_ways in law.values()])

    assert [round(100 * float(weights[pvalues <= alpha].sum()), 1) for alpha in (0.05, 0.01)] == rates


def test_rejection_rates_of_chi_squared_on_the_page_are_exact() -> None:
    """The number of correct classifiers cycles from 1 to k - 1; each set of them is equally likely."""
    page = (Path(__file__).parents[2] / "docs" / "reference" / "multiple" / "cochran.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (\d+) \| ([\d.]+)% \| ([\d.]+)% \|$", page, re.MULTILINE)

    assert len(rows) == 4
    for n, k, *shown in rows:
        rates = exact_rates_of_chi2(int(n), int(k))
        assert [f"{100 * rate:.1f}" for rate in rates] == shown


def exact_rates_of_chi2(n: int, k: int) -> list[float]:
    """Return the rejection rates at .05 and .01."""
    chances = np.zeros((n + 1,) * k)
    chances[(0,) * k] = 1
    correct = [1 + i % (k - 1) for i in range(n)]
    for m in correct:
        moved = [np.roll(chances, 1, axis=subset) for subset in itertools.combinations(range(k), m)]
        chances = sum(moved) / len(moved)
    totals = np.indices(chances.shape)
    spread = ((totals - sum(correct) / k) ** 2).sum(axis=0)
    q = k * (k - 1) * spread / sum(m * (k - m) for m in correct)
    return [float(chances[stats.chi2.sf(q, k - 1) <= level].sum()) for level in (0.05, 0.01)]
