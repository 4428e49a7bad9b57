"""Looney's F test of right and wrong answers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalstats import cochran_q_test, rm_anova_test
from evalstats.multiple import looney, looney_f_test

# accuracies .84, .92 and .92 of 100 samples, as in the manual of mlxtend, whose cochrans_q says 7.529 and ftest 3.873
MLXTEND = np.array(
    [[1, 1, 1]] * 80 + [[0, 1, 1]] * 9 + [[1, 1, 0]] + [[1, 0, 1]]
    + [[1, 0, 0]] * 2 + [[0, 1, 0]] * 2 + [[0, 0, 1]] * 2 + [[0, 0, 0]] * 3
)  # fmt: skip


def kuncheva(correct: np.ndarray) -> tuple[float, float]:
    """F by the sums of squares of Kuncheva (2004, section 1.4.3): classifiers, objects, total and interaction."""
    n, k = correct.shape
    accuracies, mean = correct.mean(axis=0), correct.mean()
    ssa = n * sum(accuracies**2) - n * k * mean**2
    ssb = (correct.sum(axis=1) ** 2).sum() / k - k * n * mean**2
    sst = k * n * mean * (1 - mean)
    f = (ssa / (k - 1)) / ((sst - ssa - ssb) / ((k - 1) * (n - 1)))
    return f, float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))


def test_two_classifiers_by_hand() -> None:
    """Differences 1, 1, 0, -1: their mean is 1/4, their variance 11/12, and F = t^2 = (1/16) / (11/48)."""
    result = looney_f_test([[1, 0], [1, 0], [1, 1], [0, 1]])

    assert result.statistic == pytest.approx(3 / 11, rel=1e-15)
    assert result.df == (1, 3)
    assert result.pvalue == pytest.approx(stats.ttest_1samp([1, 1, 0, -1], 0).pvalue, rel=1e-12)


def test_example_of_mlxtend() -> None:
    result = looney_f_test(MLXTEND)

    assert result.accuracies.tolist() == [0.84, 0.92, 0.92]
    assert round(cochran_q_test(MLXTEND, method="chi2").statistic, 3) == 7.529
    assert (round(result.statistic, 3), round(result.pvalue, 3)) == (3.873, 0.022)


@pytest.mark.parametrize("seed", range(10))
def test_statistic_is_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    correct = (rng.random((rng.integers(3, 40), rng.integers(2, 7))) < rng.uniform(0.2, 0.9)).astype(int)

    result = looney_f_test(correct)

    assert tuple(result) == pytest.approx(kuncheva(correct), rel=1e-10, abs=1e-12)
    anova = rm_anova_test(correct.astype(float))
    assert tuple(result) == pytest.approx((anova.statistic, anova.pvalue), rel=1e-10, abs=1e-12)


def test_it_orders_tables_as_cochran_does() -> None:
    correct = np.random.default_rng(3).random((50, 30, 4)) < 0.7

    q = cochran_q_test(correct, method="chi2").statistic

    assert looney_f_test(correct).statistic == pytest.approx(29 * q / (3 * 30 - q), rel=1e-12)


def test_counts_of_a_large_test_set_are_exact() -> None:
    """Three million samples: sums of squares beyond single precision."""
    rows = np.repeat(np.array([[1, 1], [1, 0], [0, 1]], dtype=bool), [2_999_000, 510, 490], axis=0)

    b, c, n = 510, 490, 3_000_000
    assert looney_f_test(rows).statistic == pytest.approx(
        (n - 1) * (b - c) ** 2 / (n * (b + c) - (b - c) ** 2), rel=1e-12
    )


def test_nothing_informative_has_p_one_and_a_reason() -> None:
    result = looney_f_test([[1, 1, 1], [0, 0, 0]])

    assert (result.statistic, result.pvalue, result.reason) == (0, 1, looney.NOTHING_INFORMATIVE)
    assert result.n_informative == 0


@pytest.mark.parametrize("n", [1, 5])
def test_no_variance_left_has_no_pvalue_and_a_reason(n: int) -> None:
    result = looney_f_test([[1, 0, 1]] * n)

    assert result.statistic == np.inf
    assert np.isnan(result.pvalue)
    assert result.reason == looney.NO_ERROR


def test_batch_is_the_loop() -> None:
    tables = np.random.default_rng(4).random((2, 3, 9, 4)) < 0.6
    tables[0, 0] = True

    batch = looney_f_test(tables)

    for at in np.ndindex(2, 3):
        member = looney_f_test(tables[at])
        assert (batch.statistic[at], batch.pvalue[at]) == tuple(member)
        assert (batch.reason[at], batch.n_informative[at]) == (member.reason, member.n_informative)


def test_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="correct must be boolean"):
        looney_f_test([[0.5, 1.0], [0.2, 0.1]])
