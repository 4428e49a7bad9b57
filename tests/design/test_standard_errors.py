"""Power of tests of questions, areas and battles, whose estimates have known standard errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evalstats import required_sample_size, statistical_power
from evalstats._errors import InvalidValueError


def of_clusters(**options) -> float:
    return statistical_power("clustered-t", n=500, difference=0.05, sd=0.6, **options).power


def test_power_of_clusters_by_hand() -> None:
    """100 clusters of 5 questions with the correlation .3; the same questions without clusters."""
    one_side = {"alternative": "greater", "alpha": 0.025, "method": "asymptotic"}

    assert of_clusters(cluster_size=5, intraclass_correlation=0.3, **one_side) == pytest.approx(0.2408202, abs=5e-8)
    assert of_clusters(**one_side) == pytest.approx(0.461532, abs=5e-7)


def test_power_of_clusters_of_simulated_answers() -> None:
    """The clustered t-test of 40 clusters of 3 questions rejects as often as is said."""
    from evalstats.paired import clustered_ttest

    rng, n, size = np.random.default_rng(5), 120, 3
    d = rng.normal(size=(4000, n // size, 1)) * math.sqrt(0.4) + rng.normal(size=(4000, n // size, size)) * math.sqrt(
        0.6
    )
    d = d.reshape(4000, n) + 0.35
    share = np.mean(clustered_ttest(d, np.zeros(n), clusters=np.repeat(np.arange(n // size), size)).pvalue <= 0.05)

    found = statistical_power("clustered-t", n=n, difference=0.35, sd=1, cluster_size=size, intraclass_correlation=0.4)

    assert found.power == pytest.approx(share, abs=0.03)


def test_samples_reduce_the_variance_within_questions() -> None:
    """Between .16, within .36: four answers leave .25, and any number leaves .16."""
    known = {"n": 200, "difference": 0.1}
    four = statistical_power("clustered-t", sd=0.4, sd_within=0.6, n_samples=4, **known)

    assert four.power == pytest.approx(statistical_power("clustered-t", sd=0.5, **known).power, rel=1e-12)
    assert four.power < statistical_power("clustered-t", sd=0.4, **known).power


def test_independent_questions_are_the_paired_t_test() -> None:
    found = statistical_power("clustered-t", n=30, difference=0.1, sd=0.2)

    assert found.power == pytest.approx(statistical_power("paired-t", n=30, effect=0.5).power, rel=1e-12)


def test_variance_from_a_pilot_of_two_curves() -> None:
    """Variances of pROC 1.18.0 for ndka and wfns of aSAH, 113 patients; its own power takes another null variance."""
    from scipy.stats import norm

    error = math.sqrt(0.003190810549391 + 0.001469914708824 + 2 * 0.000532967856762)
    found = statistical_power("auc", n=113, difference=0.8236788618 - 0.6119579946, sd=error * math.sqrt(113))

    assert found.power == pytest.approx(norm.cdf(0.2117208672 / error - norm.isf(0.025)), abs=1e-6)
    # pROC: the variance of the first curve for both, under the null hypothesis
    null = math.sqrt(2 * 0.003190810549391 + 2 * 0.000532967856762)
    assert norm.cdf((0.2117208672 - norm.isf(0.025) * null) / error) == pytest.approx(0.7131594, abs=1e-6)


@pytest.mark.parametrize(("auc", "difference", "correlation"), [(0.8, 0.06, 0.5), (0.7, 0.1, 0.0), (0.6, 0.08, 0.8)])
def test_power_of_simulated_curves(auc: float, difference: float, correlation: float) -> None:
    """DeLong's test of binormal scores rejects as often as is said."""
    from scipy.special import ndtri

    from evalstats.paired import delong_test

    rng, n_positive, n = np.random.default_rng(11), 60, 200
    y_true = np.repeat([1, 0], [n_positive, n - n_positive])
    common, *own = rng.standard_normal((3, 3000, n))
    x, y = (
        math.sqrt(correlation) * common + math.sqrt(1 - correlation) * noise + math.sqrt(2) * ndtri(area) * y_true
        for noise, area in zip(own, (auc + difference, auc), strict=True)
    )
    share = np.mean(delong_test(y_true, x, y, df="infinite").pvalue <= 0.05)

    found = statistical_power(
        "auc", n=n, auc=auc, difference=difference, correlation=correlation, prevalence=n_positive / n
    )

    assert found.power == pytest.approx(share, abs=0.04)


def test_battles_by_hand() -> None:
    """Two models with the log-odds .2: (z + z)^2 / (p (1 - p) .04) = 792.8; ten of nearly equal models: 157.0."""
    from scipy.stats import norm

    z = norm.isf(0.025) + norm.ppf(0.8)

    assert required_sample_size("battles", effect=0.2).n == 793
    assert 8 * z**2 / 10 / 0.2**2 == pytest.approx(157.0, abs=0.05)
    # at a smaller difference, the models are more nearly equal
    assert required_sample_size("battles", effect=0.002, n_classifiers=10).n == pytest.approx(1e4 * 156.978, rel=1e-5)


@pytest.mark.parametrize(("k", "effect"), [(2, 0.5), (3, 0.2), (7, 1.0)])
def test_battles_have_the_variance_of_the_information_matrix(k: int, effect: float) -> None:
    """The inverse of the information of all pairs, with the other models halfway between the two."""
    from scipy.stats import norm

    strengths = np.array([effect, 0.0, *[effect / 2] * (k - 2)])
    p = 1 / (1 + np.exp(-(strengths[:, np.newaxis] - strengths)))
    weight = p * (1 - p) * (1 - np.eye(k))
    inverse = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
    error = math.sqrt((inverse[0, 0] + inverse[1, 1] - 2 * inverse[0, 1]) / 50)

    found = statistical_power("battles", n=50, effect=effect, n_classifiers=k, alternative="greater")

    assert found.power == pytest.approx(norm.sf(norm.isf(0.05) - effect / error), rel=1e-10)


def test_ties_and_clusters_of_battles_change_the_variance_by_factors() -> None:
    known = {"effect": 0.3, "alternative": "greater"}
    plain = statistical_power("battles", n=300, **known).power

    assert statistical_power("battles", n=240, tie_rate=0.2, **known).power == pytest.approx(plain, rel=1e-12)
    clustered = statistical_power("battles", n=600, cluster_size=6, intraclass_correlation=0.2, **known)
    assert clustered.power == pytest.approx(plain, rel=1e-12)


def test_sample_size_of_noether() -> None:
    """65.407 differences for P(D1 + D2 > 0) = .7, and 31.396 for P(D > 0) = .75 by the sign test."""
    from evalstats.design.standard_errors import noether_power

    assert noether_power("wilcoxon", 0.7, 65.407, 0.05, "two-sided") == pytest.approx(0.8, abs=1e-5)
    assert noether_power("sign", 0.75, 31.396, 0.05, "two-sided") == pytest.approx(0.8, abs=1e-5)
    assert required_sample_size("wilcoxon", walsh_probability=0.7).n == 66
    assert required_sample_size("sign", win_probability=0.75, method="asymptotic").n == 32
    assert statistical_power("sign", n=20, win_probability=0.75).power == pytest.approx(0.6171764675, abs=1e-10)


def test_permutation_is_close_to_the_t_test_of_normal_differences() -> None:
    for n in (10, 20):
        found = statistical_power("permutation", n=n, effect=0.7, n_simulations=2000)

        assert found.power == pytest.approx(statistical_power("paired-t", n=n, effect=0.7).power, abs=0.05)
        assert found.method == "simulation"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"test": "clustered-t", "n": 9, "sd": 1}, "needs difference, the size of the difference"),
        ({"test": "clustered-t", "n": 9, "difference": 1}, "requires the standard deviation of the differences"),
        ({"test": "clustered-t", "n": 9, "difference": 1, "sd": 1, "n_samples": 2}, "n_samples requires sd_within"),
        ({"test": "clustered-t", "n": 9, "difference": 1, "sd": 0}, "sd must be larger than 0"),
        ({"test": "clustered-t", "n": 9, "difference": 1, "sd": 1, "cluster_size": 0.5}, "cluster_size must be 1 or"),
        ({"test": "auc", "n": 9, "difference": 0.1}, "requires the AUC of y"),
        ({"test": "auc", "n": 9, "difference": 0.1, "sd": 1, "prevalence": 0.5}, "prevalence requires auc, not"),
        ({"test": "auc", "n": 9, "difference": 0.3, "auc": 0.8}, "must lie between 0 and 1, but it is 1.1"),
        ({"test": "battles", "n": 9, "effect": 1, "tie_rate": 1}, "tie_rate must be at least 0 and below 1"),
        ({"test": "battles", "n": 2 * 10**9, "effect": 1}, "n must be at most 1000000000"),
        ({"test": "wilcoxon", "n": 9, "effect": 1, "walsh_probability": 0.6}, "requires one of effect"),
    ],
)
def test_wrong_arguments_of_estimates_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        statistical_power(**arguments)
