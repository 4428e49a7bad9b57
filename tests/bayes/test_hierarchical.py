"""The sampler draws from the posterior of the model, and says when it has not."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import special, stats

from evalstats._errors import EvalstatsWarning
from evalstats.bayes.hierarchical import bayes_hierarchical_test

P = ("p_less", "p_rope", "p_greater")
SHORT = {"n_simulations": 1200, "n_warmup": 100, "rng": 1}


def folds(
    q: int, n: int, rho: float = 0.1, centre: float = 0.02, scale: float = 0.02, noise: float = 0.03, seed: int = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores from the model itself, and the mean differences of the datasets behind them."""
    rng = np.random.default_rng(seed)
    delta = centre + scale * rng.standard_t(5, q)
    shared, own = rng.standard_normal((q, 1)), rng.standard_normal((q, n))
    y = rng.normal(0.8, 0.05, (q, n))
    return y + delta[:, None] + noise * (np.sqrt(rho) * shared + np.sqrt(1 - rho) * own), y, delta


def probabilities(result: object) -> list[float]:
    return [getattr(result, name) for name in P]


def on_a_grid(d: np.ndarray, rho: float, rope: float) -> dict[str, float]:
    """Posterior expectations by brute force over (delta_0, log sigma_0, log(nu - 1)), the rest integrated out.

    sigma_i: its bound is so far away that the likelihood of delta_i is a power of its quadratic form. delta_i: the mass
    of the t distribution in each cell of a grid, times that likelihood.
    """
    (_, n), mean, largest = d.shape, d.mean(axis=1), np.abs(d).max()
    scatter, inflation = d.var(axis=1) * n / (1 - rho), 1 + (n - 1) * rho
    width = 12 * np.sqrt(inflation * scatter.max()) / n
    edges = np.linspace(mean.min() - width, mean.max() + width, 301)
    cells = (edges[1:, None] + edges[:-1, None]) / 2
    likelihood = (1 + n * (mean - cells) ** 2 / (inflation * scatter)) ** (-(n - 1) / 2)
    delta_0 = np.linspace(-largest, largest, 60)
    log_sigma_0 = np.log(1000 * mean.std()) + np.linspace(-18, 0, 61)
    log_df = np.linspace(-10, 6.5, 12)
    shape, rate = np.linspace(0.5, 5, 101)[:, None], np.linspace(0.05, 0.15, 51)
    df = np.exp(log_df)
    prior = [x * stats.gamma.pdf(x, shape, scale=1 / rate).mean() for x in df]
    posterior = np.empty((60, 61, 12))
    for j, sigma_0 in enumerate(np.exp(log_sigma_0)):
        for k, nu in enumerate(1 + df):
            mass = np.diff(special.stdtr(nu, (edges - delta_0[:, None]) / sigma_0), axis=1)
            posterior[:, j, k] = (mass @ likelihood).prod(axis=1) * sigma_0 * prior[k]
    posterior /= posterior.sum()
    centre, sigma_0, nu = np.meshgrid(delta_0, np.exp(log_sigma_0), 1 + df, indexing="ij")
    less, greater = (special.stdtr(nu, (-rope - sign * centre) / sigma_0) for sign in (1, -1))

    def expectation(value: np.ndarray) -> float:
        return float((value * posterior).sum())

    return {
        "delta_0": expectation(centre),
        "delta_0 squared": expectation(centre**2),
        "log sigma_0": expectation(np.log(sigma_0)),
        "log sigma_0 squared": expectation(np.log(sigma_0) ** 2),
        "log df": expectation(np.log(nu - 1)),
        "less": expectation(less),
        "greater": expectation(greater),
    }


@pytest.mark.long
@pytest.mark.parametrize(("q", "n", "rho"), [(3, 10, 0.1), (5, 5, 0.3)])
def test_posterior_is_that_of_a_grid(q: int, n: int, rho: float) -> None:
    """Every expectation within four and a half standard errors, from 100 short chains."""
    x, y, _ = folds(q, n, rho, seed=1)
    result = bayes_hierarchical_test(
        x, y, rope=0.01, correlation=rho, n_simulations=20_000, n_warmup=200, n_chains=100, rng=2
    )
    samples = {
        "delta_0": result.delta_0,
        "delta_0 squared": result.delta_0**2,
        "log sigma_0": np.log(result.sigma_0),
        "log sigma_0 squared": np.log(result.sigma_0) ** 2,
        "log df": np.log(result.nu - 1),
        "less": result.samples[:, 0],
        "greater": result.samples[:, 2],
    }

    for name, expected in on_a_grid(x - y, rho, 0.01).items():
        of_chains = samples[name].reshape(100, -1).mean(axis=1)
        assert of_chains.mean() == pytest.approx(expected, abs=4.5 * of_chains.std() / 10 + 2e-3 * abs(expected)), name


@pytest.mark.long
def test_known_parameters_are_recovered() -> None:
    """60 datasets: each true value lies in the central 99.9% of its posterior, and means are drawn to the others."""
    x, y, delta = folds(60, 30, seed=3)
    result = bayes_hierarchical_test(x, y, rope=0.005, correlation=0.1, n_simulations=4000, rng=1)

    low, high = result.credible_interval(0.999)
    assert low < 0.02 < high
    assert np.quantile(result.sigma_0, 0.0005) < 0.02 < np.quantile(result.sigma_0, 0.9995)
    raw = (x - y).mean(axis=1)
    assert ((result.dataset_mean - delta) ** 2).mean() < ((raw - delta) ** 2).mean()
    assert np.corrcoef(result.dataset.greater, delta)[0, 1] > 0.5
    assert result.decision() == "x"


def test_probabilities_are_counted_in_the_samples() -> None:
    x, y, _ = folds(8, 10)
    result = bayes_hierarchical_test(x, y, rope=0.01, n_train=9, n_test=1, **SHORT)

    assert result.correlation == 0.1
    assert result.samples.shape == (1200, 3)
    assert probabilities(result) == (np.bincount(result.samples.argmax(axis=1), minlength=3) / 1200).tolist()
    assert sum(probabilities(result)) == pytest.approx(1)
    greater = stats.t.sf(0.01, result.nu[:50], result.delta_0[:50], result.sigma_0[:50])
    assert result.samples[:50, 2] == pytest.approx(greater, rel=1e-10)
    of_datasets = result.dataset.less + result.dataset.rope + result.dataset.greater
    assert of_datasets == pytest.approx(np.ones(8))


def test_result_depends_on_the_seed_only() -> None:
    x, y, _ = folds(5, 10)
    one, same, other = (
        bayes_hierarchical_test(x, y, rope=0.01, correlation=0.1, **SHORT | {"rng": seed}) for seed in (1, 1, 2)
    )

    np.testing.assert_array_equal(one.delta_0, same.delta_0)
    assert (one.delta_0 != other.delta_0).any()
    tolerance = 4.5 * np.hypot(one.standard_error.greater, other.standard_error.greater)
    assert one.p_greater == pytest.approx(other.p_greater, abs=tolerance)


def test_unit_of_the_scores_does_not_matter() -> None:
    x, y, _ = folds(5, 10)
    here = bayes_hierarchical_test(x, y, rope=0.01, correlation=0.1, **SHORT)
    percent = bayes_hierarchical_test(128 * x, 128 * y, rope=1.28, correlation=0.1, **SHORT)

    assert percent.delta_0 == pytest.approx(128 * here.delta_0, rel=1e-6, abs=1e-9)
    assert probabilities(percent) == pytest.approx(probabilities(here), abs=1e-3)


@pytest.mark.parametrize("rope", [0, 0.01])
def test_identical_classifiers_are_equivalent(rope: float) -> None:
    x, _, _ = folds(3, 5)
    result = bayes_hierarchical_test(x, x, rope=rope, correlation=0.2)

    assert probabilities(result) == [0, 1, 0]
    assert (result.decision(), result.reason) == ("rope", "x and y are equal in every pair")
    assert (result.dataset_mean == 0).all()


@pytest.mark.parametrize(("rope", "source"), [(0.01, "noise between -rope and rope"), (0, "least variable dataset")])
def test_datasets_without_variance_get_some(rope: float, source: str) -> None:
    x, y, _ = folds(6, 10)
    x[2], x[4] = y[2], y[4] + 0.01
    result = bayes_hierarchical_test(x, y, rope=rope, correlation=0.1, **SHORT)

    assert result.reason.startswith("x - y is the same in every fold of 2 of 6 datasets")
    assert source in result.reason
    assert np.isfinite(result.delta_0).all()


def test_chains_that_are_too_short_are_warned_of() -> None:
    x, y, _ = folds(5, 10)

    with pytest.warns(EvalstatsWarning, match="the chains have not converged: .* increase n_simulations") as told:
        bayes_hierarchical_test(x, y, correlation=0.1, n_simulations=40, n_warmup=0, rng=1)

    assert told[0].filename == __file__


def test_progress_is_told_and_may_end_the_run() -> None:
    x, y, _ = folds(3, 5)
    seen = []

    def stop(done: int, total: int, what: str) -> None:
        seen.append((done, total, what))
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bayes_hierarchical_test(x, y, correlation=0.2, progress=stop)

    assert seen == [(n, 2500, "sweeps") for n in (1, 2, 3)]


def test_result_is_a_record() -> None:
    x, y, _ = folds(3, 5)
    record = bayes_hierarchical_test(x, y, correlation=0.2, **SHORT).to_dict()

    assert json.loads(json.dumps(record))["rhat"].keys() == {"delta_0", "sigma_0", "nu", "datasets"}


@pytest.mark.parametrize(
    ("x", "choices", "message"),
    [
        (np.ones(5), {}, r"x must have the shape \(n_datasets, n_folds\), .* bayes_correlated_ttest"),
        (np.ones((1, 5)), {}, "x must have the shape"),
        (np.ones((4, 3)), {}, "x and y must be paired"),
        (np.full((3, 5), np.nan), {}, "x must be finite"),
        (np.ones((3, 5)), {}, "rope must be above 0 if x - y is the same"),
        (np.eye(3, 5), {"n_simulations": 4001}, "n_simulations must be a multiple of n_chains = 4, not 4001"),
        (np.eye(3, 5), {"n_simulations": 4}, "n_simulations must be at least 32"),
        (np.eye(3, 5), {"n_chains": 1}, "n_chains must be at least 2"),
        (np.eye(3, 5), {"n_warmup": -1}, "n_warmup must be at least 0"),
        (np.eye(3, 5), {"df_shape": (5, 0.5)}, "df_shape must be two positive numbers"),
        (np.eye(3, 5), {"df_rate": 1}, "df_rate must be two positive numbers"),
        (np.eye(3, 5), {"n_train": 4}, "not both"),
    ],
)
def test_what_is_refused(x: np.ndarray, choices: dict[str, object], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        bayes_hierarchical_test(x, np.zeros((3, 5)), **({"correlation": 0.2} | choices))


@pytest.mark.parametrize("exponent", [-600, 600])
def test_power_of_two_of_the_scores_changes_nothing(exponent: int) -> None:
    """Squares of the smallest and largest scores neither vanish nor overflow."""
    x, y, _ = folds(3, 5)
    one = bayes_hierarchical_test(x, y, rope=0.25, correlation=0.2, **SHORT)
    unit = bayes_hierarchical_test(
        np.ldexp(x, exponent), np.ldexp(y, exponent), rope=np.ldexp(0.25, exponent), correlation=0.2, **SHORT
    )

    assert probabilities(unit) == probabilities(one)
    assert (unit.delta_0 == np.ldexp(one.delta_0, exponent)).all()


def test_equal_chances_divide_a_draw() -> None:
    """Beside a huge rope both sides have the same chance to the last bit; the three still add up to 1."""
    x = np.random.default_rng(0).random((6, 10))
    result = bayes_hierarchical_test(x, x + 0.1, rope=1e300, correlation=0.1, **SHORT)

    assert result.p_less == result.p_greater > 0
    assert sum(probabilities(result)) == pytest.approx(1)


@pytest.mark.parametrize("correlation", [0.1, 1 - 1e-16])
def test_folds_that_hardly_vary_come_to_an_end(correlation: float) -> None:
    """Datasets a million times further apart than their folds: sigma is drawn from the far tail of its bound."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(6, 1)) + 1e-6 * rng.random((6, 10))
    result = bayes_hierarchical_test(x, np.zeros((6, 10)), correlation=correlation, **SHORT)

    assert sum(probabilities(result)) == pytest.approx(1)


def test_progress_is_callable() -> None:
    with pytest.raises(TypeError, match="progress must be callable, not 3"):
        bayes_hierarchical_test(np.eye(3, 5), np.zeros((3, 5)), correlation=0.2, progress=3)
