"""The leading test is told with its statistic, its p-value and the distribution that it comes from."""

from __future__ import annotations

import pytest

from evalstats import example_table, friedman_test, wilcoxon_test
from evalstats.report import describe, sentences


def test_wilcoxon_is_told_with_the_differences_that_count() -> None:
    said = sentences.result_words(wilcoxon_test([5, 7, 3, 8, 6, 4], [4, 4, 4, 4, 1, 4]))

    assert said == (
        "Wilcoxon signed-rank test: W+ = 13.5 over 5 differences other than zero, p = 0.188 (exact distribution)"
    )


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("chi2", "Friedman test: χ²(3) = 10.952, corrected for ties, p = 0.0120 (χ² approximation)"),
        ("f", "Friedman test: F(3, 39) = 4.586, p = 0.00763 (F approximation of Iman and Davenport)"),
    ],
)
def test_friedman_is_told_by_the_statistic_of_its_method(method: str, words: str) -> None:
    found = friedman_test(example_table("demsar-2006").scores, method=method)

    assert describe.friedman_words(found) == words


def test_simulation_that_saw_nothing_as_extreme_says_so() -> None:
    rows = [[i, i + 5, i + 9, i + 20] for i in range(40)]
    found = friedman_test(rows, method="monte-carlo", n_resamples=99, rng=3)

    assert describe.law_words(found) == "99 simulated permutations with the seed 3, none as extreme"
