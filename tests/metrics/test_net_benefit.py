from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evalstats.metrics import clustered_mean, decision_curve

Y = np.array([0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1])
P = np.array([5, 10, 10, 20, 20, 30, 35, 40, 50, 55, 60, 60, 70, 75, 80, 85, 90, 90, 95, 97]) / 100
Q = np.array([10, 20, 5, 30, 10, 50, 20, 30, 40, 70, 50, 80, 60, 90, 70, 80, 80, 95, 90, 85]) / 100
AT = [0.15, 0.45, 0.65]


def benefits(p: np.ndarray, t: float) -> np.ndarray:
    """Return what each instance contributes: Vickers & Elkin (2006)."""
    return (p >= t) * (Y - (1 - Y) * t / (1 - t))


def test_values_of_dcurves() -> None:
    """Dcurves 1.1.7 of PyPI: net benefit of both models and of treating all; some probabilities equal a threshold."""
    result = decision_curve(Y, [P, Q], thresholds=AT)

    np.testing.assert_allclose(
        result.net_benefit,
        [[0.497058824, 0.327272727, 0.257142857], [0.438235294, 0.327272727, 0.307142857]],
        atol=5e-10,
    )
    np.testing.assert_allclose(result.treat_all, [0.470588, 0.181818, -0.285714], atol=5e-7)
    np.testing.assert_allclose(result.standard_error[:, 0], [0.128201134, 0.129543628], atol=5e-10)
    assert result.best.tolist() == [0, 0, 1]


@pytest.mark.parametrize("p", [P, Q])
def test_curve_is_a_mean_over_the_instances(p: np.ndarray) -> None:
    result = decision_curve(Y, p)

    for t, benefit, error in zip(result.thresholds, result.net_benefit, result.standard_error, strict=True):
        u = benefits(p, t)
        assert benefit == pytest.approx(u.mean(), abs=1e-12)
        assert error == pytest.approx(stats.sem(u), rel=1e-7, abs=1e-9)


def test_clusters_are_those_of_a_clustered_mean() -> None:
    """With clusters of one size, the standard error is that of `clustered_mean`; of size one, that of the instances."""
    clusters = np.arange(20) // 4
    clustered = decision_curve(Y, P, thresholds=AT, clusters=clusters)
    single, plain = decision_curve(Y, P, thresholds=AT, clusters=np.arange(20)), decision_curve(Y, P, thresholds=AT)

    wanted = [clustered_mean(benefits(P, t), clusters=clusters).standard_error for t in AT]
    np.testing.assert_allclose(clustered.standard_error, wanted, rtol=1e-12)
    np.testing.assert_allclose(single.standard_error, plain.standard_error, rtol=1e-12)
    assert (clustered.df, clustered.n_clusters, plain.df) == (4, 5, 19)


def test_intervals_are_those_of_a_mean() -> None:
    low, high = decision_curve(Y, P, thresholds=AT).confidence_interval(0.9)

    for i, t in enumerate(AT):
        u = benefits(P, t)
        assert (low[i], high[i]) == pytest.approx(stats.t.interval(0.9, 19, u.mean(), stats.sem(u)), rel=1e-9)


def test_band_of_one_threshold_is_its_interval_and_of_more_is_wider() -> None:
    one, several = decision_curve(Y, P, thresholds=[0.45]), decision_curve(Y, P, thresholds=[0.2, 0.45, 0.7])

    assert one.band(n_resamples=200_000).high[0] == pytest.approx(one.confidence_interval().high[0], abs=3e-3)
    assert several.band().high[1] > several.confidence_interval().high[1] + 0.01
    assert several.band().seed == 0


def test_band_holds_the_whole_curve() -> None:
    """In 400 samples of 200 instances with a known curve, the 90% band holds it at all thresholds at once."""
    rng, grid = np.random.default_rng(1), np.arange(1, 7) / 10
    p = 1 / (1 + np.exp(-rng.normal(size=2_000_000)))
    truth = [np.mean((p >= t) * (p - (1 - p) * t / (1 - t))) for t in grid]
    held = 0
    for _ in range(400):
        p = 1 / (1 + np.exp(-rng.normal(size=200)))
        low, high = decision_curve(rng.random(200) < p, p, thresholds=grid).band(0.9, n_resamples=2000)
        held += bool(((low <= truth) & (truth <= high)).all())

    assert 0.86 <= held / 400 <= 0.94


def test_few_false_positives_are_told() -> None:
    """No negative instance has a probability of 0.8, so the limits there do not allow for false positives."""
    result = decision_curve(Y, P, thresholds=[0.15, 0.8])

    assert result.n_deciding.tolist() == [6, 0]
    assert result.reason.startswith("at 1 of 2 thresholds, there are fewer than 5 true or false positives")


def test_single_cluster_has_no_standard_error() -> None:
    result = decision_curve(Y, P, thresholds=AT, clusters=["a"] * 20)

    assert np.isnan(result.standard_error).all()
    assert "single cluster" in result.reason
    assert np.isnan(result.band().low).all()
    assert np.isnan(result.confidence_interval().low).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"thresholds": [0.0, 0.5]}, "thresholds must hold increasing numbers above 0 and below 1"),
        ({"thresholds": [0.5, 1.0]}, "thresholds must hold increasing numbers above 0 and below 1"),
        ({"thresholds": [0.5, 0.2]}, "thresholds must hold increasing"),
        ({"thresholds": []}, "thresholds must have the shape"),
        ({"y_prob": 2 * P}, "y_prob must hold probabilities from 0 to 1"),
        ({"y_prob": P[:-1]}, r"y_prob must have the shape \(20,\) or \(k, 20\)"),
        ({"y_true": np.ones(20)}, "y_true must hold positive and negative instances, but all are positive"),
        ({"clusters": [1, 2]}, "clusters must name one cluster for each of the 20 instances"),
    ],
)
def test_bad_input_is_named(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        decision_curve(**{"y_true": Y, "y_prob": P} | arguments)
