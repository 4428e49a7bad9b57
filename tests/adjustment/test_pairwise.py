from __future__ import annotations

import itertools
from math import erfc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats import adjust_pairwise, adjust_pvalues
from evalstats.adjustment import pairwise

METHODS = ["bonferroni", "holm", "hommel", "rom", "bh", "shaffer", "shaffer-dynamic", "bergmann-hommel"]
LOGICAL = METHODS[-3:]

# García & Herrera (2008): mean ranks of C4.5, 1-NN, naive Bayes, kernel and CN2 over 30 datasets
MEAN_RANKS = [2.1, 3.25, 2.2, 13 / 3, 187 / 60]
# ... and their p-values, with the digits of scmamp on the same data (pairs: 0 1, 0 2, 0 3, 0 4, 1 2, ...)
RAW = [
    *(0.004848762722, 0.8064959405, 4.486991071e-08, 0.01276300753, 0.01011233392),
    *(0.007963489207, 0.7439714781, 1.736118026e-07, 0.02474467205, 0.002880484669),
]
SHAFFER = [
    *(0.02909257633, 1, 4.486991071e-07, 0.05105203013, 0.04778093524),
    *(0.04778093524, 1, 1.041670815e-06, 0.07423401614, 0.01728290801),
]
WITH_RUNNING_MAXIMUM = [
    *(0.02909257633, 1, 4.486991071e-07, 0.0382890226, 0.03185395683),
    *(0.03185395683, 1, 1.041670815e-06, 0.0382890226, 0.01152193868),
]
# three times the p-value: what the definition says of 1-NN and naive Bayes, below a pair with a smaller p-value
BERGMANN_HOMMEL = [*WITH_RUNNING_MAXIMUM[:4], 0.03033700176, *WITH_RUNNING_MAXIMUM[5:]]

each_method = pytest.mark.parametrize("method", METHODS)
each_logical_method = pytest.mark.parametrize("method", LOGICAL)

pvalues = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.02, 0.04, 1.0]))
families = st.sampled_from([1, 3, 6, 10, 15]).flatmap(lambda m: st.lists(pvalues, min_size=m, max_size=m))


def matrix(upper: Any) -> np.ndarray:
    k = round((1 + (1 + 8 * len(upper)) ** 0.5) / 2)
    i, j = np.triu_indices(k, 1)
    result = np.ones((k, k))
    result[i, j] = result[j, i] = upper
    return result


def pairs(square: np.ndarray) -> np.ndarray:
    i, j = np.triu_indices(square.shape[-1], 1)
    return square[..., i, j]


def of_mean_ranks(mean_ranks: Any, n: int) -> np.ndarray:
    """Two-sided p-values of the differences of mean ranks over n datasets."""
    k = len(mean_ranks)
    z = np.abs(np.subtract.outer(mean_ranks, mean_ranks)) / np.sqrt(k * (k + 1) / (6 * n))
    return np.vectorize(erfc)(z / np.sqrt(2))


def test_garcia_herrera() -> None:
    p = of_mean_ranks(MEAN_RANKS, 30)

    np.testing.assert_allclose(pairs(p), RAW, rtol=1e-9)
    np.testing.assert_allclose(pairs(adjust_pairwise(p, "shaffer")), SHAFFER, rtol=1e-9)
    np.testing.assert_allclose(pairs(adjust_pairwise(p, "bergmann-hommel")), BERGMANN_HOMMEL, rtol=1e-9)
    np.testing.assert_allclose(
        pairs(adjust_pairwise(p, "bergmann-hommel", enforce_monotonicity=True)), WITH_RUNNING_MAXIMUM, rtol=1e-9
    )
    np.testing.assert_array_equal(
        adjust_pairwise(p, "bergmann-hommel", mean_ranks=MEAN_RANKS), adjust_pairwise(p, "bergmann-hommel")
    )


@each_method
def test_two_classifiers_need_no_adjustment(method: str) -> None:
    assert adjust_pairwise([[1, 0.03], [0.03, 1]], method).tolist() == [[1, 0.03], [0.03, 1]]


@pytest.mark.parametrize("method", METHODS[:-3])
def test_each_pair_counts_once(method: str) -> None:
    np.testing.assert_array_equal(pairs(adjust_pairwise(matrix(RAW), method)), adjust_pvalues(RAW, method))


@settings(max_examples=repetitions(60))
@given(families)
def test_each_procedure_rejects_what_the_more_careful_one_does(upper: list[float]) -> None:
    """Bergmann-Hommel <= dynamic <= static Shaffer <= Holm <= Bonferroni, to the last bit."""
    careful_last = [adjust_pairwise(matrix(upper), method) for method in [*reversed(LOGICAL), "holm", "bonferroni"]]
    raised = adjust_pairwise(matrix(upper), "bergmann-hommel", enforce_monotonicity=True)

    for bold, careful in itertools.pairwise(careful_last):
        assert (bold <= careful).all()
    assert (careful_last[0] <= raised).all()
    assert (raised <= careful_last[1]).all()


@each_logical_method
@settings(max_examples=repetitions(40))
@given(families)
def test_adjusted_is_symmetric_and_between_the_raw_and_one(method: str, upper: list[float]) -> None:
    p = matrix(upper)

    adjusted = adjust_pairwise(p, method)

    assert (adjusted >= p).all()
    assert (adjusted <= 1).all()
    np.testing.assert_array_equal(adjusted, adjusted.T)


@pytest.mark.parametrize(
    ("method", "choices"),
    [("shaffer", {}), ("shaffer-dynamic", {}), ("bergmann-hommel", {"enforce_monotonicity": True})],
)
@settings(max_examples=repetitions(40))
@given(families)
def test_adjusted_is_monotone_in_the_raw(method: str, choices: dict[str, bool], upper: list[float]) -> None:
    """Equal p-values get equal adjusted p-values."""
    adjusted = pairs(adjust_pairwise(matrix(upper), method, **choices))

    for i, j in itertools.permutations(range(len(upper)), 2):
        assert upper[i] > upper[j] or adjusted[i] <= adjusted[j]


@each_method
def test_names_of_the_classifiers_do_not_matter(method: str) -> None:
    p = of_mean_ranks(np.random.default_rng(0).normal(size=12), 20)
    order = np.random.default_rng(1).permutation(12)
    here = np.ix_(order, order)

    np.testing.assert_array_equal(adjust_pairwise(p[here], method), adjust_pairwise(p, method)[here])


@each_method
def test_batch_equals_the_loop_over_its_matrices(method: str) -> None:
    p = np.array([[matrix(np.random.default_rng([i, j]).random(10).round(1)) for j in range(3)] for i in range(2)])

    batch = adjust_pairwise(p, method)

    for at in np.ndindex(2, 3):
        np.testing.assert_array_equal(batch[at], adjust_pairwise(p[at], method))


@each_method
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_all_the_same(method: str, value: float) -> None:
    assert (pairs(adjust_pairwise(matrix([value] * 15), method)) == value).all()


@each_logical_method
@pytest.mark.parametrize("k", [10, 40])
def test_identical_classifiers_on_a_line(method: str, k: int) -> None:
    mean_ranks = np.repeat([1.0, k], k // 2)

    adjusted = adjust_pairwise(of_mean_ranks(mean_ranks, 50), method)

    assert adjusted[0, 1] == 1
    assert adjusted[0, -1] < 1


@each_logical_method
def test_line_of_mean_ranks_may_be_given_or_found(method: str) -> None:
    mean_ranks = np.random.default_rng(3).permutation(np.linspace(1, 9, 17))
    p = of_mean_ranks(mean_ranks, 10)
    given = {} if method == "shaffer" else {"mean_ranks": mean_ranks}

    np.testing.assert_array_equal(adjust_pairwise(p, method, **given), adjust_pairwise(p, method))


@each_method
def test_nan_counts_as_a_pair_that_is_not_rejected(method: str) -> None:
    p = matrix([0.01, np.nan, 0.02, 0.03, 0.2, np.nan])
    counted = np.where(np.isnan(p), 1, p)

    adjusted = adjust_pairwise(p, method, nan_policy="count")

    np.testing.assert_array_equal(adjusted, np.where(np.isnan(p), np.nan, adjust_pairwise(counted, method)))


def test_nan_leaves_the_family() -> None:
    adjusted = adjust_pairwise(matrix([0.01, np.nan, 0.02]), "holm", nan_policy="omit")

    np.testing.assert_array_equal(pairs(adjusted), [0.02, np.nan, 0.02])


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(119, "119 seconds"), (120, "2 minutes"), (7199, "120 minutes"), (7200, "2 hours"), (172_800, "2 days")],
)
def test_duration_has_a_unit_of_which_there_are_two(seconds: float, text: str) -> None:
    assert pairwise._duration(seconds) == text


@pytest.mark.parametrize("method", ["shaffer-dynamic", "bergmann-hommel"])
@pytest.mark.parametrize(("k", "time"), [(17, "12 seconds"), (20, "5 minutes"), (30, "221 days"), (60, "1e14 years")])
def test_more_than_can_be_done_is_refused_with_the_time(method: str, k: int, time: str) -> None:
    p = np.random.default_rng(k).random((k, k))
    p = np.triu(p, 1) + np.triu(p, 1).T

    with pytest.raises(
        ValueError,
        match=rf"method '{method}' supports at most 16 classifiers that are not on a line, "
        rf"and at most 127 that are; {k} classifiers would take about {time}: use 'shaffer'",
    ):
        adjust_pairwise(p, method)


def test_too_long_a_line_is_refused_with_the_time() -> None:
    p = np.full((200, 200), 0.5)

    problem = r"supports at most 127 classifiers; 200 classifiers would take about 97 seconds on a line"
    with pytest.raises(ValueError, match=problem):
        adjust_pairwise(p, "bergmann-hommel")


@pytest.mark.parametrize(
    ("p", "choices", "message"),
    [
        ([[1]], {}, r"pvalues must have the shape \(..., k, k\) with k of 2 or more, but its shape is \(1, 1\)"),
        ([0.1], {}, r"pvalues must have the shape \(..., k, k\)"),
        ([[1, 0.1, 0.2]], {}, r"pvalues must have the shape \(..., k, k\)"),
        ([[1, 0.1], [0.2, 1]], {}, r"symmetric, but pvalues\[0, 1\] is 0.1 and pvalues\[1, 0\] is 0.2"),
        (
            [[1, 0.1], [np.nan, 1]],
            {"nan_policy": "count"},
            r"symmetric, but pvalues\[0, 1\] is 0.1 and pvalues\[1, 0\] is nan",
        ),
        (matrix([1.2]), {}, r"pvalues must lie between 0 and 1, but pvalues\[0, 1\] is 1.2"),
        (matrix([1.2]), {"method": "bergmann-hommel"}, r"pvalues must lie between 0 and 1, but .* is 1.2"),
        (matrix([np.nan]), {"method": "shaffer"}, r"pvalues must not be nan"),
        (matrix(RAW), {"method": "nemenyi"}, r"method must be 'bonferroni' or .* or 'bergmann-hommel', not 'nemenyi'"),
        (
            matrix(RAW),
            {"enforce_monotonicity": True},
            r"enforce_monotonicity is an option of method='bergmann-hommel', not of 'holm'",
        ),
        (
            matrix(RAW),
            {"method": "shaffer", "nan_policy": "omit"},
            r"nan_policy must be 'raise' or 'count', not 'omit'",
        ),
        (matrix(RAW), {"method": "shaffer", "nan_policy": "no"}, r"nan_policy must be 'raise' or 'omit' or 'count'"),
        (matrix(RAW), {"mean_ranks": [1, 2, 3, 4, 5]}, r"mean_ranks is an option of .*, not of 'holm'"),
        (
            matrix(RAW),
            {"method": "bergmann-hommel", "mean_ranks": [1, 2]},
            r"mean_ranks must have the shape \(5,\), but its shape is \(2,\)",
        ),
        (
            matrix(RAW),
            {"method": "bergmann-hommel", "mean_ranks": [1, 2, 3, 4, 5]},
            r"pvalues must not increase with the difference of mean_ranks, but some p-values do",
        ),
        (
            matrix(RAW),
            {"method": "bergmann-hommel", "mean_ranks": [1, 2, 3, 4, np.nan]},
            r"mean_ranks must be finite, but mean_ranks\[4\] is nan",
        ),
    ],
)
def test_what_cannot_be_adjusted_is_refused(p: object, choices: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        adjust_pairwise(p, **choices)
