from __future__ import annotations

import numpy as np
import pytest

import evalstats
from evalstats.effects.effect_size import COHEN, COHEN_R, ROMANO, VARGHA_DELANEY, EffectSizeResult, Magnitudes

PAIRED = {
    "cohen_dz": evalstats.effects.cohen_dz,
    "hedges_g, paired": lambda x, y, **choices: evalstats.effects.hedges_g(x, y, paired=True, **choices),
    "rank_biserial": evalstats.effects.rank_biserial,
    "akinshin_gamma, paired": lambda x, y, **choices: evalstats.effects.akinshin_gamma(
        x, y, paired=True, n_resamples=99, rng=1, **choices
    ),
}
INDEPENDENT = {
    "cohen_d": evalstats.effects.cohen_d,
    "hedges_g": evalstats.effects.hedges_g,
    "cliffs_delta": evalstats.effects.cliffs_delta,
    "vargha_delaney_a": evalstats.effects.vargha_delaney_a,
    "akinshin_gamma": lambda x, y, **choices: evalstats.effects.akinshin_gamma(x, y, n_resamples=99, rng=1, **choices),
}
# draws one stream of random numbers, whose place depends on the members before
RESAMPLED = ("akinshin_gamma", "akinshin_gamma, paired")

every = pytest.mark.parametrize("effect", {**PAIRED, **INDEPENDENT}.values(), ids={**PAIRED, **INDEPENDENT}.keys())
independent = pytest.mark.parametrize("effect", INDEPENDENT.values(), ids=INDEPENDENT.keys())
paired = pytest.mark.parametrize("effect", PAIRED.values(), ids=PAIRED.keys())

X = np.array([0.81, 0.64, 0.70, 0.93, 0.55, 0.78, 0.88, 0.61, 0.72])
Y = np.array([0.79, 0.66, 0.65, 0.93, 0.50, 0.70, 0.85, 0.62, 0.60])
NO_EFFECT = np.full(9, 0.5)


def result_with(estimate: object, magnitudes: Magnitudes) -> EffectSizeResult:
    return EffectSizeResult(
        estimate=estimate,
        standard_error=1.0,
        reason=None,
        name="an effect",
        n_x=9,
        n_y=9,
        paired=False,
        _magnitudes=magnitudes,
    )


@pytest.mark.parametrize("magnitudes", [COHEN, COHEN_R, ROMANO])
def test_a_threshold_belongs_to_the_larger_word(magnitudes: Magnitudes) -> None:
    small, medium, large = magnitudes.thresholds
    estimate = [0, np.nextafter(small, 0), small, -medium, np.nextafter(large, 0), large, -np.inf]

    words = result_with(np.array(estimate), magnitudes).magnitude

    assert words.tolist() == ["negligible", "negligible", "small", "medium", "medium", "large", "large"]


def test_magnitude_of_a_probability_is_its_distance_from_one_half() -> None:
    """Vargha & Delaney (2000): .56, .64 and .71, or .44, .36 and .29."""
    words = result_with(np.array([0.5, 0.56, 0.44, 0.64, 0.36, 0.71, 0.29]), VARGHA_DELANEY).magnitude

    assert words.tolist() == ["negligible", "small", "small", "medium", "medium", "large", "large"]


def test_magnitude_of_no_value_is_undefined() -> None:
    result = result_with(float("nan"), COHEN)

    assert (result.magnitude, result.magnitude_source) == ("undefined", "Cohen (1988)")


@every
def test_effect_is_positive_where_x_is_larger(effect) -> None:
    result = effect(X + 0.1, Y)

    assert isinstance(result, EffectSizeResult)
    assert result.estimate > effect(X, X[::-1] if result.paired else X).estimate


@every
def test_swapping_mirrors_estimate_and_interval(effect) -> None:
    here, there = effect(X, Y), effect(Y, X)
    centre = 0.5 if "A" in here.name.split() else 0.0

    assert there.estimate == pytest.approx(2 * centre - here.estimate, rel=1e-13)
    if "gamma" not in here.name:
        low, high = here.confidence_interval()
        assert tuple(there.confidence_interval()) == pytest.approx((2 * centre - high, 2 * centre - low), rel=1e-12)
        assert there.standard_error == pytest.approx(here.standard_error, rel=1e-13)


@every
def test_interval_holds_the_estimate_and_grows_with_the_level(effect) -> None:
    result = effect(X, Y)
    narrow, wide = result.confidence_interval(0.8), result.confidence_interval(0.99)

    assert wide.low <= narrow.low <= result.estimate <= narrow.high <= wide.high
    assert (narrow.confidence_level, narrow.attained_level) == (0.8, 0.8)


@every
def test_batch_equals_the_loop_to_the_last_bit(effect) -> None:
    """Leading axes broadcast; one member has no difference."""
    generator = np.random.default_rng(3)
    x = generator.normal(size=(4, 1, 9)).round(1)
    y = generator.normal(size=(3, 9)).round(1)
    x[0] = y[0]
    batch = effect(x, y)

    for i, j in np.ndindex(4, 3):
        one = effect(x[i, 0], y[j])
        assert batch.estimate[i, j] == one.estimate
        assert batch.reason[i, j] == one.reason
        assert batch.magnitude[i, j] == one.magnitude
        if "gamma" not in one.name:
            np.testing.assert_array_equal(batch.standard_error[i, j], one.standard_error)
            limits = [limit[i, j] for limit in batch.confidence_interval()]
            np.testing.assert_array_equal(limits, list(one.confidence_interval()))


@every
def test_scale_changes_nothing(effect) -> None:
    """Powers of two change no digit of the scores; 1e-200 squared would vanish."""
    here = effect(X, Y)

    for factor in (2.0**-660, 2.0**900):
        assert effect(X * factor, Y * factor).estimate == pytest.approx(here.estimate, rel=1e-14)


@every
def test_noise_of_floating_point_is_no_effect(effect) -> None:
    result = effect([0.1 + 0.2, 0.3, 0.3], [0.3, 0.3, 0.1 + 0.2])

    assert result.estimate == (0.5 if "A" in result.name.split() else 0)
    assert result.reason is not None
    assert result.magnitude == "negligible"
    assert np.isnan([*result.confidence_interval(), result.standard_error]).all()


@every
def test_zero_tolerance_compares_bits(effect) -> None:
    assert effect([0.1 + 0.2, 0.3, 0.3], [0.3, 0.3, 0.3], tie_tolerance=0).reason is None or effect in (
        PAIRED["rank_biserial"],
        *(f for name, f in {**PAIRED, **INDEPENDENT}.items() if name in RESAMPLED),
    )


@independent
def test_lengths_may_differ(effect) -> None:
    result = effect(X[:4], Y)

    assert (result.n_x, result.n_y, result.paired) == (4, 9, False)
    assert np.isfinite(result.estimate)


@paired
def test_pairs_must_fit(effect) -> None:
    with pytest.raises(ValueError, match="x and y must be paired: x has 4 values, y has 9"):
        effect(X[:4], Y)


@every
def test_bad_input_is_refused(effect) -> None:
    for x, message in (
        ([0.1, np.nan, 0.3], r"x must be finite, but x\[1\] is nan"),
        (0.5, "x must have at least one axis, but it is a single number"),
        ([], "at least"),
        (["a", "b"], "x must be numbers"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            effect(x, [0.1, 0.2, 0.3] if x != [] else [])
    with pytest.raises(ValueError, match="the leading axes of x and y must broadcast"):
        effect(np.ones((2, 3)), np.ones((3, 3)))
    with pytest.raises(ValueError, match="tie_tolerance must be 0 or a power of ten"):
        effect(X, Y, tie_tolerance=0.3)
    with pytest.raises(ValueError, match="confidence_level must lie between 0 and 1, not 95"):
        effect(X, Y).confidence_interval(95)


@independent
def test_too_few_values_are_refused(effect) -> None:
    with pytest.raises(ValueError, match=r"x and y must have at least|x must have at least 1 value"):
        effect([], [1.0])
