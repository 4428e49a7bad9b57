"""How likely a test is to find a difference, and how large a sample it needs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repetitions import repetitions

from evalstats import corrected_ttest, required_sample_size, statistical_power
from evalstats._errors import InvalidTypeError, InvalidValueError

# Cohen (1988), Table 2.4.1 for two-sided .05 and power .80, one-sample: d = .2, .5, .8 (n for d' = d sqrt(2), rounded)
PAIRS_FOR_COHEN = {0.2: 199, 0.5: 34, 0.8: 15}


def test_sign_test_by_hand() -> None:
    """Ten datasets: 9 or 10 wins reject, and so do 0 or 1."""
    expected = 0.8**10 + 10 * 0.8**9 * 0.2 + 0.2**10 + 10 * 0.2**9 * 0.8

    assert statistical_power("sign", n=10, win_probability=0.8).power == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(("effect", "pairs"), PAIRS_FOR_COHEN.items())
def test_pairs_for_usual_effects(effect: float, pairs: int) -> None:
    """As R's ``power.t.test`` and G*Power say for small, medium and large effects."""
    assert required_sample_size("paired-t", effect=effect).n == pairs


def test_mcnemar_from_accuracies_is_that_from_the_discordance() -> None:
    """Independent errors: P(one right, the other wrong) = a (1 - b) + b (1 - a)."""
    discordance = 0.7 * 0.2 + 0.8 * 0.3

    by_accuracy = statistical_power("mcnemar", n=150, accuracy=0.7, difference=0.1)
    by_discordance = statistical_power("mcnemar", n=150, discordance=discordance, difference=0.1)

    assert by_accuracy.power == pytest.approx(by_discordance.power, rel=1e-12)


def test_mcnemar_of_simulated_classifiers() -> None:
    """Right or wrong drawn with the correlation: the test rejects as often as is said."""
    from evalstats.paired import mcnemar_test

    accuracy, other, correlation, n = 0.7, 0.8, 0.4, 120
    both = accuracy * other + correlation * math.sqrt(0.7 * 0.3 * 0.8 * 0.2)
    cells = [both, other - both, accuracy - both, 1 - accuracy - other + both]
    tables = np.random.default_rng(2).multinomial(n, cells, size=20_000).reshape(-1, 2, 2)
    for method in ("exact", "midp", "asymptotic"):
        share = np.mean(mcnemar_test(counts=tables, method=method).pvalue <= 0.05)
        found = statistical_power(
            "mcnemar", n=n, accuracy=accuracy, difference=0.1, correlation=correlation, method=method
        )

        assert found.power == pytest.approx(share, abs=0.014)
        assert found.null_distribution == method


def test_corrected_t_of_simulated_folds() -> None:
    """Equally correlated normal differences: T of the test is noncentral t, with the unit that the folds show."""
    n, ratio, effect = 10, 1 / 9, 1.2
    rho = ratio / (1 + ratio)
    rng = np.random.default_rng(8)
    within = math.sqrt(1 - rho)
    d = rng.normal(size=(20_000, n)) * within + rng.normal(size=(20_000, 1)) * math.sqrt(rho) + effect * within
    share = np.mean(corrected_ttest(d, np.zeros(n), n_train=9, n_test=1).pvalue <= 0.05)

    found = statistical_power("corrected-t", n=n, effect=effect, n_train=9, n_test=1)

    assert found.power == pytest.approx(share, abs=0.014)


def test_wilcoxon_for_normal_differences_is_a_little_weaker_than_t() -> None:
    """Its efficiency is 3 / pi."""
    rank, t = statistical_power("wilcoxon", n=40, effect=0.5), statistical_power("paired-t", n=40, effect=0.5)

    assert t.power - 0.06 < rank.power < t.power
    assert (rank.method, t.method) == ("simulation", "noncentral t")


@pytest.mark.parametrize("test", ["friedman", "nemenyi"])
def test_without_a_difference_the_level_is_kept(test: str) -> None:
    found = statistical_power(test, n=12, means=[0, 0, 0, 0])

    assert found.power < 0.05 + 4 * found.standard_error


def test_friedman_of_two_is_the_sign_test() -> None:
    """Normal scores with variance 1: one beats the other with the probability Phi(d / sqrt(2))."""
    from scipy.stats import norm

    found = statistical_power("friedman", n=20, means=[0.8, 0])
    exact = statistical_power("sign", n=20, win_probability=norm.cdf(0.8 / math.sqrt(2)))

    assert found.power == pytest.approx(exact.power, abs=4 * found.standard_error)
    low, high = found.confidence_interval(0.9999)
    assert low < exact.power < high


def test_power_of_pairs() -> None:
    found = statistical_power("nemenyi", n=15, means=[1.5, 0, 0])

    assert found.pair_power.shape == (3, 3)
    assert (found.pair_power == found.pair_power.T).all()
    assert found.pair_power[0, 1] > found.pair_power[1, 2]
    assert found.pair_power.max() <= found.power
    assert statistical_power("sign", n=5, win_probability=0.9).pair_power is None


def test_one_seed_gives_one_power() -> None:
    arguments = {"n": 9, "effect": 0.7, "n_simulations": 2000}

    assert statistical_power("wilcoxon", **arguments).power == statistical_power("wilcoxon", **arguments).power
    assert statistical_power("wilcoxon", **arguments, rng=1).power != statistical_power("wilcoxon", **arguments).power


@pytest.mark.parametrize(
    ("test", "effect", "mirrored"),
    [
        ("sign", {"win_probability": 0.7}, {"win_probability": 0.3}),
        ("wilcoxon", {"win_probability": 0.7}, {"win_probability": 0.3}),
        ("paired-t", {"effect": 0.4}, {"effect": -0.4}),
        ("mcnemar", {"difference": 0.1, "discordance": 0.2}, {"difference": -0.1, "discordance": 0.2}),
    ],
)
def test_swapping_mirrors(test: str, effect: dict, mirrored: dict) -> None:
    for one, other in (("greater", "less"), ("two-sided", "two-sided")):
        assert statistical_power(test, n=30, alternative=one, **effect).power == pytest.approx(
            statistical_power(test, n=30, alternative=other, **mirrored).power, rel=1e-12
        )


@settings(max_examples=repetitions(30))
@given(st.floats(0.3, 3), st.sampled_from([0.5, 0.8, 0.95]), st.sampled_from(["two-sided", "greater"]))
def test_required_pairs_are_the_fewest(effect: float, target: float, alternative: str) -> None:
    found = required_sample_size("paired-t", power=target, effect=effect, alternative=alternative)

    assert found.power >= target
    assert (
        found.n == 2
        or statistical_power("paired-t", n=found.n - 1, effect=effect, alternative=alternative).power < target
    )


@pytest.mark.parametrize(
    ("test", "effect"),
    [
        ("wilcoxon", {"effect": 0.9}),
        ("wilcoxon", {"win_probability": 0.8}),
        ("friedman", {"means": [0, 0, 1.5]}),
        ("nemenyi", {"means": [0, 0, 1.5]}),
        ("mcnemar", {"difference": 0.1, "accuracy": 0.8}),
    ],
)
def test_required_size_has_the_power_it_says(test: str, effect: dict) -> None:
    found = required_sample_size(test, **effect)

    assert found.power >= 0.8
    assert found.power == statistical_power(test, n=found.n, **effect).power


def test_what_no_sample_can_show_has_a_reason() -> None:
    """Folds of one dataset share it: their number does not make up for that."""
    found = required_sample_size("corrected-t", effect=0.5, n_train=9, n_test=1)

    assert found.n is None
    assert found.power < 0.8
    assert "does not reach 0.8" in found.reason
    assert required_sample_size("sign", win_probability=0.5).n is None


def test_exact_power_has_no_error() -> None:
    found = statistical_power("sign", n=10, win_probability=0.8)
    low, high = found.confidence_interval()

    assert (found.standard_error, found.n_simulations) == (0.0, 0)
    assert low == high == found.power


def test_certain_and_impossible_differences() -> None:
    assert statistical_power("sign", n=10, win_probability=1).power == 1
    assert statistical_power("sign", n=5, win_probability=1).power == 0
    assert statistical_power("sign", n=10, win_probability=0.9, tie_rate=1).power == 0
    assert statistical_power("mcnemar", n=10, difference=0, discordance=0).power == 0
    assert statistical_power("mcnemar", n=10, accuracy=0, difference=1).power == pytest.approx(1)


def test_progress_is_told() -> None:
    seen: list[tuple[int, int, str]] = []
    statistical_power("wilcoxon", n=10, effect=1, n_simulations=500, progress=lambda *what: seen.append(what))

    assert seen[-1] == (500, 500, "experiments")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"test": "z", "n": 5}, "test must be 'sign' or"),
        ({"test": "sign", "n": 0, "win_probability": 0.5}, "n must be at least 1"),
        ({"test": "paired-t", "n": 1, "effect": 0.5}, "n must be at least 2"),
        ({"test": "sign", "n": 5}, "the test 'sign' needs win_probability"),
        (
            {"test": "sign", "n": 5, "effect": 1},
            "effect is not used by the test 'sign', which takes win_probability and tie",
        ),
        ({"test": "sign", "n": 5, "win_probability": 1.5}, r"win_probability must lie between 0 and 1, not 1\.5"),
        ({"test": "sign", "n": 5, "win_probability": 0.5, "method": "midp"}, "method must be 'exact' or"),
        ({"test": "sign", "n": 10**7, "win_probability": 0.5}, "n must be at most 1000000"),
        ({"test": "paired-t", "n": 5, "effect": math.nan}, "effect must be finite"),
        ({"test": "paired-t", "n": 5, "effect": 1, "alpha": 1}, "alpha must lie between 0 and 1"),
        ({"test": "wilcoxon", "n": 5}, "requires one of effect, win_probability and walsh_probability"),
        (
            {"test": "wilcoxon", "n": 501, "win_probability": 0.6},
            "must be at most 500, not 501; for a larger n, pass",
        ),
        ({"test": "corrected-t", "n": 5, "effect": 1}, "requires n_train and n_test"),
        ({"test": "mcnemar", "n": 5, "difference": 0.1}, "either discordance or accuracy"),
        ({"test": "mcnemar", "n": 5, "discordance": 0.1}, "requires difference"),
        ({"test": "mcnemar", "n": 5, "difference": 0.2, "discordance": 0.1}, "must not exceed the discordance of 0.1"),
        (
            {"test": "mcnemar", "n": 5, "difference": 0.2, "accuracy": 0.9},
            "accuracy \\+ difference must lie between 0 and 1",
        ),
        (
            {"test": "mcnemar", "n": 5, "difference": 0.05, "accuracy": 0.9, "correlation": 0.9},
            "have a correlation between -0.076.* and 0.688, not 0.9",
        ),
        ({"test": "mcnemar", "n": 5, "difference": 0.1, "discordance": 0.2, "correlation": 0}, "requires accuracy"),
        ({"test": "friedman", "n": 5, "means": [1]}, "one mean for each of 2 or more classifiers"),
        ({"test": "friedman", "n": 5, "means": [0, 1], "alternative": "less"}, "alternative must be 'two-sided'"),
        ({"test": "friedman", "n": 5, "means": [0, math.inf]}, "means must be finite"),
        ({"test": "wilcoxon", "n": 5, "effect": 1, "n_simulations": 0}, "n_simulations must be at least 1"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        statistical_power(**arguments)


def test_wrong_types_are_named() -> None:
    with pytest.raises(InvalidTypeError, match="effect must be numbers"):
        statistical_power("paired-t", n=5, effect="large")
    with pytest.raises(InvalidTypeError, match="rng must be None, a seed or a numpy Generator"):
        statistical_power("wilcoxon", n=5, effect=1, rng="x")
    with pytest.raises(InvalidValueError, match="power must lie between 0 and 1"):
        required_sample_size("sign", win_probability=0.8, power=1)


@pytest.mark.parametrize("effect", [[0.5, 0.6], [0.5]])
def test_an_effect_is_one_number(effect: list[float]) -> None:
    with pytest.raises(InvalidValueError, match="effect must be one number"):
        statistical_power("paired-t", n=10, effect=effect)


@pytest.mark.parametrize("test", [{"test": "sign", "win_probability": 0.9}, {"test": "mcnemar", "discordance": 1}])
def test_an_alpha_near_the_smallest_float_is_never_reached_by_ten(test: dict[str, object]) -> None:
    difference = {"difference": 0.5} if test["test"] == "mcnemar" else {}

    assert statistical_power(n=10, alpha=5e-324, **test, **difference).power == 0
