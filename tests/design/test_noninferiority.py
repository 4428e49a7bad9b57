"""Power and sample size of tests against a margin."""

from __future__ import annotations

import itertools
from math import factorial

import numpy as np
import pytest
from scipy import stats

from evalstats import EvalstatsError
from evalstats.design import noninferiority_power, noninferiority_sample_size
from evalstats.paired import accuracy_equivalence_from_counts, accuracy_noninferiority_from_counts


@pytest.mark.parametrize("question", ["noninferiority", "equivalence"])
@pytest.mark.parametrize(
    ("n", "margin", "difference"), [(9, 0.4, 0.0), (14, 0.3, -0.05), (14, 0.55, 0.1), (6, 0.1, 0.0)]
)
def test_accuracy_power_adds_up_the_tables_that_reject(question, n, margin, difference):
    """Every table of n cases is tested by the public function."""
    p, q = (0.4 + difference) / 2, (0.4 - difference) / 2
    test = {"noninferiority": accuracy_noninferiority_from_counts, "equivalence": accuracy_equivalence_from_counts}[
        question
    ]
    expected = 0.0
    for b, c in itertools.product(range(n + 1), repeat=2):
        if b + c <= n and test([[n - b - c, b], [c, 0]], margin=margin).pvalue <= 0.05:
            ways = factorial(n) // (factorial(b) * factorial(c) * factorial(n - b - c))
            expected += ways * p**b * q**c * (1 - p - q) ** (n - b - c)

    result = noninferiority_power(
        "accuracy", n=n, margin=margin, difference=difference, discordance=0.4, question=question
    )

    assert result.power == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("test", "options"), [("paired-t", {}), ("corrected-t", {"n_train": 9, "n_test": 1})])
@pytest.mark.parametrize("question", ["noninferiority", "equivalence"])
@pytest.mark.parametrize("difference", [0.0, -0.004, 0.006])
def test_t_power_is_that_of_simulated_experiments(test, options, question, difference):
    """100,000 of them: means and variances that are independent, as those of normal differences are."""
    n, margin, sd, draws = 12, 0.01, 0.013, np.random.default_rng(5)
    error = np.sqrt(1 / n + (1 / 9 if options else 0))
    mean = difference + sd * error * draws.standard_normal(100_000)
    reach = stats.t.ppf(0.95, n - 1) * error * sd * np.sqrt(draws.chisquare(n - 1, 100_000) / (n - 1))
    shown = mean - reach > -margin
    if question == "equivalence":
        shown &= mean + reach < margin

    result = noninferiority_power(test, n=n, margin=margin, sd=sd, difference=difference, question=question, **options)

    assert result.power == pytest.approx(shown.mean(), abs=4 * np.sqrt(0.25 / 100_000))


def test_t_power_of_noninferiority_is_noncentral_t():
    n, effect = 20, (0.01 - 0.002) / 0.02
    expected = stats.nct.sf(stats.t.ppf(0.95, n - 1), n - 1, effect * np.sqrt(n))

    assert noninferiority_power("paired-t", n=n, margin=0.01, sd=0.02, difference=-0.002).power == pytest.approx(
        expected, rel=1e-8
    )


@pytest.mark.parametrize("question", ["noninferiority", "equivalence"])
@pytest.mark.parametrize(
    ("test", "options"),
    [
        ("accuracy", {"discordance": 0.1}),
        ("paired-t", {"sd": 0.02}),
        ("corrected-t", {"sd": 0.004, "n_train": 9, "n_test": 1}),
    ],
)
def test_sample_size_has_the_power_and_one_less_has_not(test, options, question):
    found = noninferiority_sample_size(test, margin=0.02, question=question, **options)

    assert found.power >= 0.8
    assert noninferiority_power(test, n=found.n, margin=0.02, question=question, **options).power == found.power
    assert noninferiority_power(test, n=found.n - 1, margin=0.02, question=question, **options).power < 0.8


def test_large_samples_by_hand():
    """(z_alpha + z_beta)^2 discordance / margin^2, and with equivalence z of half of beta."""
    z = stats.norm.ppf
    for question, beta in (("noninferiority", 0.2), ("equivalence", 0.1)):
        expected = (z(0.95) + z(1 - beta)) ** 2 * 0.1 / 0.005**2
        found = noninferiority_sample_size("accuracy", margin=0.005, discordance=0.1, question=question).n
        assert found == pytest.approx(expected, rel=0.02)


def test_folds_of_the_same_data_may_never_be_enough():
    result = noninferiority_sample_size("corrected-t", margin=0.01, sd=0.03, n_train=9, n_test=1)

    assert result.n is None
    assert "no number up to 1000000 has a power of 0.8" in result.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"test": "accuracy", "margin": 0.01}, "the test 'accuracy' needs discordance"),
        ({"test": "accuracy", "margin": 1, "discordance": 0.1}, r"write 0\.01"),
        ({"test": "accuracy", "margin": 0.01, "discordance": 0.1, "sd": 1}, "does not take sd; it takes discordance"),
        ({"test": "accuracy", "margin": 0.3, "discordance": 0.1, "difference": 0.2}, "within the discordance of 0.1"),
        ({"test": "paired-t", "margin": 0.01, "sd": 0}, "sd must be larger than 0"),
        ({"test": "paired-t", "margin": 0.01, "sd": 1, "difference": -0.01}, "within the margin of 0.01"),
        ({"test": "paired-t", "margin": 0.01, "sd": 1, "question": "better"}, "question must be 'noninferiority' or"),
        ({"test": "wilcoxon", "margin": 0.01}, "test must be 'accuracy' or 'paired-t' or 'corrected-t'"),
    ],
)
def test_messages(arguments, message):
    with pytest.raises(EvalstatsError, match=message):
        noninferiority_sample_size(**arguments)


def test_too_many_cases_are_refused():
    with pytest.raises(EvalstatsError, match="n must be at most 200000"):
        noninferiority_power("accuracy", n=10**6, margin=0.01, discordance=0.1)
