"""Several samples for each question: every choice of k of them counted, and what is refused."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from evalstats.metrics import majority_at_k, pass_at_k, pass_hat_k


def chosen(c: int, n: int, k: int) -> list[int]:
    """Right answers in every choice of k of n samples, of which c are right."""
    return [sum(one) for one in itertools.combinations([1] * c + [0] * (n - c), k)]


@pytest.mark.parametrize(
    ("c", "n", "k"), [(c, n, k) for n in range(1, 8) for c in range(n + 1) for k in range(1, n + 1)]
)
def test_each_is_its_share_of_all_choices(c: int, n: int, k: int) -> None:
    found = chosen(c, n, k)
    half = Fraction(1, 2)

    def share(worth: Any) -> float:
        return float(sum(Fraction(worth(j)) for j in found) / len(found))

    assert pass_at_k(c, n, k=k) == pytest.approx(share(lambda j: j >= 1), abs=1e-15)
    assert pass_hat_k(c, n, k=k) == pytest.approx(share(lambda j: j == k), abs=1e-15)
    assert majority_at_k(c, n, k=k) == pytest.approx(
        share(lambda j: 1 if 2 * j > k else half if 2 * j == k else 0), abs=1e-13
    )


def test_one_attempt_is_the_accuracy() -> None:
    c = np.arange(11)

    for function in (pass_at_k, pass_hat_k, majority_at_k):
        np.testing.assert_allclose(function(c, 10, k=1), c / 10, atol=1e-14)


def test_estimate_of_chen_and_others_in_their_way() -> None:
    """Chen et al. (2021), figure 3, write it as 1 - prod(1 - k / i) for i from n - c + 1 to n."""
    for c, n, k in [(3, 200, 100), (1, 200, 10), (150, 200, 100), (0, 200, 1)]:
        theirs = 1.0 if n - c < k else 1 - np.prod(1 - k / np.arange(n - c + 1, n + 1))
        assert pass_at_k(c, n, k=k) == pytest.approx(theirs, abs=1e-13)


def test_pass_at_k_is_unbiased() -> None:
    """Its mean over the binomial distribution of right answers is 1 - (1 - p)^k."""
    from scipy import stats

    c, p = np.arange(9), 0.3
    weights = stats.binom.pmf(c, 8, p)

    assert weights @ pass_at_k(c, 8, k=4) == pytest.approx(1 - 0.7**4, rel=1e-12)
    assert weights @ pass_hat_k(c, 8, k=4) == pytest.approx(0.3**4, rel=1e-12)
    assert weights @ majority_at_k(c, 8, k=3) == pytest.approx(stats.binom.sf(1, 3, p), rel=1e-12)


def test_all_samples_vote_by_default() -> None:
    assert majority_at_k([0, 2, 3, 4], 4).tolist() == [0, 0.5, 1, 1]
    assert majority_at_k(3, 5) == 1
    np.testing.assert_allclose(majority_at_k([1, 4], [3, 6], k=None), [0, 1])


def test_numbers_of_samples_may_differ() -> None:
    np.testing.assert_allclose(pass_at_k([1, 1, 2], [2, 4, 2], k=2), [1, 0.5, 1])
    assert type(pass_at_k(1, 2, k=1)) is float


def test_many_samples() -> None:
    assert majority_at_k(5000, 10_000, k=9999) == pytest.approx(0.5, rel=1e-9)
    assert pass_at_k(1, 10_000, k=5000) == pytest.approx(0.5, rel=1e-10)


@pytest.mark.parametrize("function", [pass_at_k, pass_hat_k, majority_at_k])
@pytest.mark.parametrize(
    ("c", "n", "k", "message"),
    [
        (6, 5, 1, "n_correct must not be more than n_samples, but n_correct is 6 and n_samples is 5"),
        ([1, 1], [5, 2], 3, r"n_samples must be at least k = 3, but n_correct\[1\] is 1 and n_samples\[1\] is 2"),
        (0.5, 2, 1, "n_correct must be nonnegative whole numbers, but n_correct is 0.5"),
        (1, 2, 0, "k must be at least 1, not 0"),
        ([1, 2], [3, 3, 3], 1, "must broadcast"),
        (1, 10**6, 2, "n_samples must be at most 10,000"),
    ],
)
def test_bad_counts_are_refused_by_name(function: Any, c: Any, n: Any, k: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(c, n, k=k)
