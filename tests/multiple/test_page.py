"""Page's test of a trend along a predicted order."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
from fractions import Fraction
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
from evalstats.examples import example_table
from evalstats.multiple.page import page_test
from evalstats.paired.sign import sign_test

# the smallest significant L for 3 and 4 classifiers, as in Page (1963), Table 2: (k, n): at .05, .01, .001
CRITICAL = {
    (3, 2): (28, None, None),
    (3, 3): (41, 42, None),
    (3, 4): (54, 55, 56),
    (3, 5): (66, 68, 70),
    (3, 6): (79, 81, 83),
    (4, 2): (58, 60, None),
    (4, 3): (84, 87, 89),
    (4, 4): (111, 114, 117),
}
# ten students, three ways to teach: the example of scipy.stats.page_trend_test, which gives L = 133.5 and, as if
# nothing were tied, p = .0018191161948127822
TEACHING = np.array(
    [[3, 4, 3], [2, 2, 4], [3, 3, 5], [1, 3, 2], [2, 3, 2], [2, 4, 5], [1, 2, 4], [3, 4, 4], [2, 4, 5], [1, 3, 4]]
)
tables = hnp.arrays(float, st.tuples(st.integers(1, 3), st.integers(2, 4)), elements=st.integers(0, 3).map(float))
ALTERNATIVES = ("greater", "less", "two-sided")


def by_definition(scores: np.ndarray) -> dict[str, float]:
    """All orders of the ranks of all datasets."""
    ranks = np.array([stats.rankdata(row) for row in scores])
    places = np.arange(1, scores.shape[1] + 1)
    sums = [[float(np.dot(order, places)) for order in itertools.permutations(row)] for row in ranks.tolist()]
    all_l = np.array([sum(chosen) for chosen in itertools.product(*sums)])
    observed, mean = float((ranks @ places).sum()), all_l.mean()
    return {
        "greater": float((all_l >= observed - 1e-9).mean()),
        "less": float((all_l <= observed + 1e-9).mean()),
        "two-sided": float((abs(all_l - mean) >= abs(observed - mean) - 1e-9).mean()),
        "standard_deviation": float(all_l.std()),
    }


def in_trend(n: int, k: int, excess: int) -> np.ndarray:
    """Return n orders of k scores whose L is the largest minus the excess, one neighbouring exchange for each."""
    scores = np.tile(np.arange(float(k)), (n, 1))
    for i in range(excess):
        scores[i % n, 2 * (i // n) : 2 * (i // n) + 2] = scores[i % n, 2 * (i // n) : 2 * (i // n) + 2][::-1]
    return scores


def test_one_dataset_by_hand() -> None:
    """L = 1 * 1 + 2 * 3 + 3 * 2 = 13; of the six orders one has 14 and two have 13."""
    result = page_test([[0.1, 0.9, 0.5]])

    assert (result.statistic, result.expected) == (13, 12)
    assert result.pvalue == 0.5
    assert result.min_attainable_pvalue == pytest.approx(1 / 6, rel=1e-15)
    assert result.mean_spearman == pytest.approx(0.5, rel=1e-15)
    assert result.mean_ranks.tolist() == [3, 1, 2]


@pytest.mark.parametrize(("shape", "critical"), CRITICAL.items())
def test_pages_table(shape: tuple[int, int], critical: tuple[int | None, ...]) -> None:
    """The critical L is significant, and the next smaller one is not."""
    k, n = shape
    orders = [list(order) for order in itertools.permutations(range(k))]
    by_l: dict[float, list[list[int]]] = {0: []}
    for _ in range(n):
        by_l = {
            total + sum((j + 1) * (v + 1) for j, v in enumerate(order)): [*rows, order]
            for total, rows in by_l.items()
            for order in orders
        }
    pvalues = {total: page_test(rows, method="exact").pvalue for total, rows in by_l.items()}
    for level, smallest in zip((0.05, 0.01, 0.001), critical, strict=True):
        significant = [total for total, p in pvalues.items() if p <= level]
        assert min(significant, default=None) == smallest


@settings(max_examples=repetitions(60))
@given(tables)
def test_follows_the_definition_with_ties(scores: np.ndarray) -> None:
    expected = by_definition(scores)

    for alternative in ALTERNATIVES:
        result = page_test(scores, alternative=alternative, method="exact")
        assert result.pvalue == pytest.approx(expected[alternative], rel=1e-12)
    assert result.standard_deviation == pytest.approx(expected["standard_deviation"], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("n", "k"), [(2, 3), (12, 3), (5, 4), (8, 5), (4, 6)])
def test_without_ties_scipy_agrees(n: int, k: int) -> None:
    scores = np.random.default_rng(n).random((n, k))

    exact, normal = (stats.page_trend_test(scores, method=method) for method in ("exact", "asymptotic"))

    assert page_test(scores).statistic == exact.statistic
    assert page_test(scores).pvalue == pytest.approx(exact.pvalue, rel=1e-12)
    assert page_test(scores, method="asymptotic", correction=False).pvalue == pytest.approx(normal.pvalue, rel=1e-12)


def test_with_ties_scipy_does_not() -> None:
    """Its exact distribution knows no ties; with them L varies less, and p is a fifth of what it says."""
    result, scipy = page_test(TEACHING), stats.page_trend_test(TEACHING, method="exact")

    assert result.statistic == scipy.statistic == 133.5
    assert scipy.pvalue == pytest.approx(0.0018191161948127822, rel=1e-12)
    assert result.pvalue == pytest.approx(0.00038421480465376204, rel=1e-12)
    assert result.pvalue < page_test(TEACHING, method="asymptotic").pvalue < scipy.pvalue


def test_exact_pvalue_of_ties_in_whole_numbers() -> None:
    """The ten students by counting in integers."""
    law = {0: 1}
    for row in TEACHING.tolist():
        ranks = (2 * stats.rankdata(row)).astype(int).tolist()
        sums = [sum(j * r for j, r in enumerate(order, start=1)) for order in itertools.permutations(ranks)]
        new: dict[int, int] = {}
        for total, count in law.items():
            for value in sums:
                new[total + value] = new.get(total + value, 0) + count
        law = new
    tail = Fraction(sum(count for total, count in law.items() if total >= 267), sum(law.values()))

    assert page_test(TEACHING, method="exact").pvalue == pytest.approx(float(tail), rel=1e-13)


def test_two_classifiers_are_the_sign_test() -> None:
    scores = np.random.default_rng(7).integers(0, 4, (60, 2))

    for alternative in ALTERNATIVES:
        page, sign = (
            page_test(scores, alternative=alternative),
            sign_test(scores[:, 1], scores[:, 0], alternative=alternative),
        )
        assert page.pvalue == pytest.approx(sign.pvalue, rel=1e-12)


@pytest.mark.parametrize(("n", "k"), [(30, 4), (60, 8), (8, 12)])
def test_far_tail_has_all_digits(n: int, k: int) -> None:
    """The best table has the probability k!^-n, and the next L adds n (k - 1) tables."""
    best, next_best = page_test(in_trend(n, k, 0)), page_test(in_trend(n, k, 1), method="exact")
    probability = Fraction(1, math.factorial(k) ** n)

    assert best.method == "exact"
    assert best.pvalue == best.min_attainable_pvalue == pytest.approx(float(probability), rel=1e-12)
    assert next_best.pvalue == pytest.approx(float(probability * (1 + n * (k - 1))), rel=1e-12)


def test_too_small_for_a_float_is_the_smallest_one() -> None:
    assert page_test(in_trend(300, 5, 0)).pvalue == 5e-324


def test_auto_is_exact_where_that_is_cheap() -> None:
    rng = np.random.default_rng(8)
    methods = [page_test(rng.random(shape)).method for shape in ((1000, 5), (130, 10), (5, 13), (3000, 5), (5, 14))]

    assert methods == ["exact", "exact", "exact", "asymptotic", "asymptotic"]


def test_normal_approximation_is_near_the_exact() -> None:
    scores = example_table("demsar-2006").scores

    for alternative in ALTERNATIVES:
        exact, normal = (page_test(scores, alternative=alternative, method=m).pvalue for m in ("exact", "asymptotic"))
        assert normal == pytest.approx(exact, rel=0.1)


def test_correction_is_half_of_l() -> None:
    result = page_test(TEACHING, method="asymptotic")
    z = (result.statistic - 0.5 - result.expected) / result.standard_deviation

    assert result.pvalue == pytest.approx(stats.norm.sf(z), rel=1e-12)


def test_order_by_index_and_by_name() -> None:
    frame = pd.DataFrame(TEACHING[:, [2, 0, 1]], columns=["large", "small", "middle"])
    by_name = page_test(frame, order=["small", "middle", "large"])

    assert by_name.order == ("small", "middle", "large")
    assert by_name.pvalue == page_test(TEACHING).pvalue == page_test(frame.to_numpy(), order=(1, 2, 0)).pvalue
    assert by_name.mean_ranks.tolist() == page_test(TEACHING).mean_ranks[[2, 0, 1]].tolist()


def test_laws() -> None:
    """The reverse order mirrors, only ranks count, smaller can be better, datasets have no order."""
    here = page_test(TEACHING)

    assert page_test(TEACHING, order=[2, 1, 0], alternative="less").pvalue == here.pvalue
    assert page_test(TEACHING, order=[2, 1, 0]).mean_spearman == pytest.approx(-here.mean_spearman, rel=1e-14)
    assert page_test(np.exp(TEACHING[::-1])).pvalue == here.pvalue
    assert page_test(-TEACHING, greater_is_better=False).pvalue == here.pvalue
    assert page_test(TEACHING, alternative="two-sided").pvalue == pytest.approx(2 * here.pvalue, rel=1e-14)
    assert page_test([[0.1 + 0.2, 0.3], [0.7, 0.7]]).pvalue == 1


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("method", ["exact", "asymptotic"])
def test_batch_equals_the_loop_over_its_members(alternative: str, method: str) -> None:
    batch_of = np.round(np.random.default_rng(6).random((2, 3, 5, 4)), 1)
    batch_of[0, 0] = 0.5

    batch = page_test(batch_of, alternative=alternative, method=method)

    for at in np.ndindex(2, 3):
        member = page_test(batch_of[at], alternative=alternative, method=method)
        for field in dataclasses.fields(member):
            ours, single = getattr(batch, field.name), getattr(member, field.name)
            np.testing.assert_array_equal(ours[at] if np.shape(ours)[:2] == (2, 3) else ours, single)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("method", ["auto", "asymptotic"])
def test_all_tied_is_p_one_with_a_reason(alternative: str, method: str) -> None:
    result = page_test(np.ones((4, 3)), alternative=alternative, method=method)

    assert (result.statistic, result.pvalue, result.min_attainable_pvalue) == (result.expected, 1, 1)
    assert math.isnan(result.mean_spearman)
    assert result.reason == "all classifiers are tied on every dataset"


def test_result_is_a_frozen_record_of_plain_values() -> None:
    result = page_test(TEACHING)

    assert isinstance(result, HypothesisTestResult)
    assert tuple(result) == (result.statistic, result.pvalue)
    assert (type(result.statistic), type(result.pvalue), type(result.method)) == (float, float, str)
    assert json.loads(json.dumps(result.to_dict()))["order"] == [0, 1, 2]
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.pvalue = 0.0  # that it cannot be done is the point


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"scores": [[1, 2, math.nan]]}, InvalidValueError, r"scores must be finite, but scores\[0, 2\] is nan"),
        ({"scores": [1, 2, 3]}, InvalidValueError, "shape"),
        ({"order": [0, 1]}, InvalidValueError, r"each of the columns 0, 1, 2 once, but it is \[0, 1\]"),
        ({"order": [0, 1, 1]}, InvalidValueError, "order must name each"),
        ({"order": "abc"}, InvalidTypeError, "order must be a sequence of columns, not 'abc'"),
        ({"order": 3}, InvalidTypeError, "order must be a sequence"),
        ({"alternative": "more"}, InvalidValueError, "alternative must be"),
        ({"method": "chi2"}, InvalidValueError, "method must be"),
        ({"correction": 1}, InvalidTypeError, "correction must be True or False"),
        (
            {"scores": np.random.default_rng(0).random((3, 20)), "method": "exact"},
            InvalidValueError,
            r"method='exact' would take more than .* 3 datasets and 20 classifiers; use method='asymptotic'",
        ),
    ],
)
def test_bad_input_is_refused_by_name(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        page_test(**{"scores": TEACHING, **arguments})


def test_order_of_arrays_is_refused() -> None:
    with pytest.raises(InvalidTypeError, match="order must be a sequence of columns"):
        page_test([[1, 2], [3, 5]], order=np.array([[0, 1], [1, 0]]))
