"""Power and sample size of tests against a margin."""

from __future__ import annotations

import itertools
from math import factorial

import numpy as np
import pytest
from repetitions import repetitions
from scipy import stats

from evalstats import EvalstatsError, equivalence_test, noninferiority_test
from evalstats.design import noninferiority_power, noninferiority_sample_size


@pytest.mark.parametrize("hypothesis", ["noninferiority", "equivalence"])
@pytest.mark.parametrize(
    ("n", "margin", "difference"), [(9, 0.4, 0.0), (14, 0.3, -0.05), (14, 0.55, 0.1), (6, 0.1, 0.0)]
)
def test_accuracy_power_adds_up_the_tables_that_reject(hypothesis, n, margin, difference):
    """Every table of n cases is tested by the public function."""
    p, q = (0.4 + difference) / 2, (0.4 - difference) / 2
    test = {"noninferiority": noninferiority_test, "equivalence": equivalence_test}[hypothesis]
    expected = 0.0
    for b, c in itertools.product(range(n + 1), repeat=2):
        if b + c <= n and test(counts=[[n - b - c, b], [c, 0]], margin=margin, test="accuracy").pvalue <= 0.05:
            ways = factorial(n) // (factorial(b) * factorial(c) * factorial(n - b - c))
            expected += ways * p**b * q**c * (1 - p - q) ** (n - b - c)

    result = noninferiority_power(
        "accuracy", n=n, margin=margin, difference=difference, discordance=0.4, hypothesis=hypothesis
    )

    assert result.power == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("test", "options"), [("paired-t", {}), ("corrected-t", {"n_train": 9, "n_test": 1})])
@pytest.mark.parametrize("hypothesis", ["noninferiority", "equivalence"])
@pytest.mark.parametrize("difference", [0.0, -0.004, 0.006])
def test_t_power_is_that_of_simulated_experiments(test, options, hypothesis, difference):
    """100,000 of them: means and variances that are independent, as those of normal differences are."""
    n, margin, sd, draws = 12, 0.01, 0.013, np.random.default_rng(5)
    error = np.sqrt(1 / n + (1 / 9 if options else 0))
    mean = difference + sd * error * draws.standard_normal(100_000)
    reach = stats.t.ppf(0.95, n - 1) * error * sd * np.sqrt(draws.chisquare(n - 1, 100_000) / (n - 1))
    shown = mean - reach > -margin
    if hypothesis == "equivalence":
        shown &= mean + reach < margin

    result = noninferiority_power(
        test, n=n, margin=margin, sd=sd, difference=difference, hypothesis=hypothesis, **options
    )

    assert result.power == pytest.approx(shown.mean(), abs=4 * np.sqrt(0.25 / 100_000))


def test_t_power_of_noninferiority_is_noncentral_t():
    n, effect = 20, (0.01 - 0.002) / 0.02
    expected = stats.nct.sf(stats.t.ppf(0.95, n - 1), n - 1, effect * np.sqrt(n))

    assert noninferiority_power("paired-t", n=n, margin=0.01, sd=0.02, difference=-0.002).power == pytest.approx(
        expected, rel=1e-8
    )


@pytest.mark.parametrize("hypothesis", ["noninferiority", "equivalence"])
@pytest.mark.parametrize(
    ("test", "options"),
    [
        ("accuracy", {"discordance": 0.1}),
        ("paired-t", {"sd": 0.02}),
        ("corrected-t", {"sd": 0.004, "n_train": 9, "n_test": 1}),
        ("clustered-t", {"sd": 0.1, "cluster_size": 4, "intraclass_correlation": 0.3}),
        ("sign", {"sd": 0.02}),
        ("wilcoxon", {"sd": 0.02, "n_simulations": 2000}),
    ],
)
def test_sample_size_has_the_power_and_one_less_has_not(test, options, hypothesis):
    found = noninferiority_sample_size(test, margin=0.02, hypothesis=hypothesis, **options)

    assert found.power >= 0.8
    assert noninferiority_power(test, n=found.n, margin=0.02, hypothesis=hypothesis, **options).power == found.power
    assert noninferiority_power(test, n=found.n - 1, margin=0.02, hypothesis=hypothesis, **options).power < 0.8


def shown(hypothesis, of_noninferiority, of_equivalence, *data, **options):
    """How often the public test shows what is asked, over the first axis of the data."""
    test = {"noninferiority": of_noninferiority, "equivalence": of_equivalence}[hypothesis]
    return float(np.mean(np.asarray(test(*data, **options).pvalue) <= 0.05))


@pytest.mark.sampled
@pytest.mark.parametrize("hypothesis", ["noninferiority", "equivalence"])
@pytest.mark.parametrize(("test", "n"), [("sign", 15), ("sign", 40), ("wilcoxon", 12), ("wilcoxon", 60)])
def test_power_over_datasets_is_that_of_the_test(test, n, hypothesis):
    """Experiments with normal differences, of which the public test is asked one by one."""
    draws, n_experiments = np.random.default_rng(n), repetitions(20_000)
    x = 0.002 + 0.013 * draws.standard_normal((n_experiments, n))
    expected = shown(hypothesis, noninferiority_test, equivalence_test, x, np.zeros(n), margin=0.008, test=test)

    result = noninferiority_power(test, n=n, margin=0.008, sd=0.013, difference=0.002, hypothesis=hypothesis, rng=3)

    assert result.power == pytest.approx(
        expected, abs=4 * np.hypot(result.standard_error, np.sqrt(0.25 / n_experiments))
    )


@pytest.mark.sampled
@pytest.mark.parametrize("hypothesis", ["noninferiority", "equivalence"])
@pytest.mark.parametrize("n", [9, 16])
def test_permutation_power_is_that_of_the_test(n, hypothesis):
    """Experiments whose p-values are exact; those of 16 differences are drawn for the power."""
    n_experiments = repetitions(2000)
    x = 0.002 + 0.013 * np.random.default_rng(n).standard_normal((n_experiments, n))
    expected = shown(
        hypothesis, noninferiority_test, equivalence_test, x, np.zeros(n), margin=0.012, test="permutation"
    )

    result = noninferiority_power("permutation", n=n, margin=0.012, sd=0.013, difference=0.002, hypothesis=hypothesis)

    assert result.power == pytest.approx(
        expected, abs=4 * np.hypot(result.standard_error, np.sqrt(0.25 / n_experiments))
    )


@pytest.mark.parametrize("hypothesis", ["noninferiority", "equivalence"])
def test_power_over_areas_is_that_of_the_test(hypothesis):
    """4,000 experiments with binormal scores, made here from a covariance matrix."""
    draws, y_true = np.random.default_rng(8), np.repeat([0, 1], [84, 36])
    scores = draws.multivariate_normal([0, 0], [[1, 0.7], [0.7, 1]], (4000, 120))
    lift = np.sqrt(2) * stats.norm.ppf([0.83, 0.85])
    x, y = np.moveaxis(scores + y_true[:, None] * lift, -1, 0)
    expected = shown(hypothesis, noninferiority_test, equivalence_test, x, y, y_true=y_true, margin=0.09, test="auc")

    result = noninferiority_power(
        "auc", n=120, margin=0.09, auc=0.85, difference=-0.02, correlation=0.7, prevalence=0.3, hypothesis=hypothesis
    )

    assert result.power == pytest.approx(expected, abs=4 * np.hypot(result.standard_error, np.sqrt(0.25 / 4000)))


@pytest.mark.parametrize("hypothesis", ["noninferiority", "equivalence"])
@pytest.mark.parametrize("correlation", [0.0, 0.4])
def test_power_over_clusters_is_that_of_the_test(correlation, hypothesis):
    """4,000 experiments of 30 clusters of 5 questions, normal in clusters and questions."""
    draws = np.random.default_rng(9)
    common = np.repeat(draws.standard_normal((4000, 30)), 5, axis=1) * np.sqrt(correlation)
    x = 0.01 + 0.3 * (common + np.sqrt(1 - correlation) * draws.standard_normal((4000, 150)))
    of = {"margin": 0.08, "test": "clustered-t", "clusters": np.repeat(np.arange(30), 5)}
    expected = shown(hypothesis, noninferiority_test, equivalence_test, x, np.zeros(150), **of)

    result = noninferiority_power(
        "clustered-t",
        n=150,
        margin=0.08,
        sd=0.3,
        difference=0.01,
        cluster_size=5,
        intraclass_correlation=correlation,
        hypothesis=hypothesis,
    )

    assert result.power == pytest.approx(expected, abs=4 * np.sqrt(0.25 / 4000))


def test_sign_power_by_hand():
    """Eight of eight differences above the margin, or seven: p = 9/256 <= .05."""
    above = stats.norm.cdf(1.5)

    assert noninferiority_power("sign", n=8, margin=0.01, sd=0.01, difference=0.005).power == pytest.approx(
        above**8 + 8 * above**7 * (1 - above), rel=1e-12
    )


def test_clusters_of_one_question_are_the_paired_t_test():
    single = {"cluster_size": 1, "intraclass_correlation": 0.3}

    for hypothesis in ("noninferiority", "equivalence"):
        of_clusters = noninferiority_power("clustered-t", n=40, margin=0.02, sd=0.05, hypothesis=hypothesis, **single)
        assert (
            of_clusters.power
            == noninferiority_power("paired-t", n=40, margin=0.02, sd=0.05, hypothesis=hypothesis).power
        )


def test_seed_makes_a_simulated_power_again():
    first, again, other = (noninferiority_power("wilcoxon", n=12, margin=1, sd=1.2, rng=seed) for seed in (1, 1, 2))

    assert first.power == again.power != other.power
    assert (first.seed, first.n_simulations, first.method) == (1, 10_000, "simulation")


def test_large_samples_by_hand():
    """(z_alpha + z_beta)^2 discordance / margin^2, and with equivalence z of half of beta."""
    z = stats.norm.ppf
    for hypothesis, beta in (("noninferiority", 0.2), ("equivalence", 0.1)):
        expected = (z(0.95) + z(1 - beta)) ** 2 * 0.1 / 0.005**2
        found = noninferiority_sample_size("accuracy", margin=0.005, discordance=0.1, hypothesis=hypothesis).n
        assert found == pytest.approx(expected, rel=0.02)


def test_folds_of_the_same_data_may_never_be_enough():
    result = noninferiority_sample_size("corrected-t", margin=0.01, sd=0.03, n_train=9, n_test=1)

    assert result.n is None
    assert "no sample size up to 1000000 gives a power of 0.8" in result.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"test": "accuracy", "margin": 0.01}, "the test 'accuracy' requires discordance"),
        ({"test": "accuracy", "margin": 1, "discordance": 0.1}, r"write 0\.01"),
        ({"test": "accuracy", "margin": 0.01, "discordance": 0.1, "sd": 1}, "does not take sd; it takes discordance"),
        ({"test": "accuracy", "margin": 0.3, "discordance": 0.1, "difference": 0.2}, "within the discordance of 0.1"),
        ({"test": "paired-t", "margin": 0.01, "sd": 0}, "sd must be larger than 0"),
        ({"test": "paired-t", "margin": 0.01, "sd": 1, "difference": -0.01}, "within the margin of 0.01"),
        (
            {"test": "paired-t", "margin": 0.01, "sd": 1, "hypothesis": "better"},
            "hypothesis must be 'noninferiority' or",
        ),
        ({"test": "mcnemar", "margin": 0.01}, "test must be 'wilcoxon' or 'sign' or 'permutation'"),
        ({"test": "wilcoxon", "margin": 0.01}, "the test 'wilcoxon' requires sd"),
        ({"test": "sign", "margin": 0.01, "sd": 1, "auc": 0.8}, "does not take auc; it takes sd"),
        ({"test": "auc", "margin": 0.01, "auc": 0.8, "difference": 0.3}, r"auc \+ difference must lie between 0 and 1"),
        ({"test": "auc", "margin": 0.01, "auc": 0.8, "correlation": 1}, "correlation must be at least 0 and below 1"),
        (
            {"test": "clustered-t", "margin": 0.01, "sd": 1, "cluster_size": 0.5, "intraclass_correlation": 0},
            "cluster_size must be 1 or more",
        ),
    ],
)
def test_messages(arguments, message):
    with pytest.raises(EvalstatsError, match=message):
        noninferiority_sample_size(**arguments)


def test_too_many_cases_are_refused():
    with pytest.raises(EvalstatsError, match="n must be at most 200000"):
        noninferiority_power("accuracy", n=10**6, margin=0.01, discordance=0.1)
