from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import rankdata

from evalstats import InvalidValueError
from evalstats._ranks import differences, extent, midranks, rounded

SCALES = [10.0**k for k in (-290, -150, -20, -11, -3, 0, 5, 13, 40, 150, 290)]


def test_twelve_digits_by_hand() -> None:
    values = np.array([1.23456789012345, 0.00123456789012345, 123456789012.345, 1e12 + 0.4, -0.1])

    result = rounded(values)

    assert result.tolist() == [1.23456789012, 0.00123456789012, 123456789012.0, 1e12, -0.1]


def test_the_larger_operand_sets_the_unit() -> None:
    """0.3 - 0.2 and 0.9 - 0.8 are both 0.1: the noise comes from the scores, not from the difference."""
    x, y = np.array([0.3, 0.9, 0.1 + 0.2]), np.array([0.2, 0.8, 0.3])

    assert differences(x, y).tolist() == [0.1, 0.1, 0.0]
    assert differences(x, y, 0).tolist() == [0.3 - 0.2, 0.9 - 0.8, 0.1 + 0.2 - 0.3]


def test_a_difference_below_the_unit_is_a_tie() -> None:
    x = np.array([0.5 + 4e-13, 0.5 + 6e-13])

    assert differences(x, np.array([0.5, 0.5])).tolist() == [0.0, 1e-12]


def test_a_new_decade_begins_at_a_power_of_ten() -> None:
    """Below 0.1 there are thirteen decimals, from 0.1 on twelve, from 1 on eleven."""
    values = np.array([0.09999999999874, 0.1000000000004, 0.99999999999874, 1.000000000004])

    assert rounded(values).tolist() == [0.0999999999987, 0.1, 0.999999999999, 1.0]
    assert rounded(np.array([float(f"1e{k}") for k in range(-10, 12)])).tolist() == [
        float(f"1e{k}") for k in range(-10, 12)
    ]


def test_equal_differences_of_fractions_are_tied() -> None:
    """Accuracies of 3/30, 29/30 and 30/30 lie in different decades, and 1/30 has no last decimal."""
    x, y = np.array([30, 29, 16, 4, 3, 2]) / 30, np.array([29, 30, 15, 3, 2, 1]) / 30

    d = differences(x, y)

    assert np.unique(np.abs(d)).size == 1
    np.testing.assert_allclose(d[0], 1 / 30, rtol=1e-9)


def test_small_scores_beside_large_ones_keep_their_digits() -> None:
    """Errors of regressions on different datasets may differ by any factor."""
    x, y = np.array([1e8, 0.02, 3e-7]), np.array([1e8 - 1, 0.01, 2e-7])

    assert differences(x, y).tolist() == [1.0, 0.01, 1e-7]


def test_a_difference_is_zero_where_its_own_scores_say_so() -> None:
    """Whatever the other scores of the sample are: ties and zeros mean the same with and without them."""
    x, y = np.array([1.0, 0.01 + 3e-13, 0.01 + 1e-15]), np.array([0.5, 0.01, 0.01])

    together = differences(x, y)

    assert together.tolist() == [0.5, 3e-13, 0.0]
    assert [differences(x[i : i + 1], y[i : i + 1])[0] for i in range(3)] == together.tolist()


@pytest.mark.parametrize("scale", SCALES)
def test_noise_breaks_no_tie_at_any_scale(scale: float) -> None:
    """Multiples of a quarter, each reached in several ways, stay as many values as they are."""
    x, y = np.meshgrid(np.arange(0, 9), np.arange(0, 9))
    noise = 1 + 1e-15 * np.random.default_rng(0).uniform(-1, 1, x.shape)

    d = differences(x / 4 * scale * noise, y / 4 * scale)

    assert np.unique(d).size == np.unique(x - y).size
    np.testing.assert_array_equal(np.argsort(np.argsort(np.unique(d))), np.arange(17))
    np.testing.assert_allclose(d, (x - y) / 4 * scale, rtol=1e-11)


def test_one_tiny_score_does_not_change_the_others() -> None:
    scores = np.array([0.1, 0.2, 0.3, 0.97])

    assert rounded(np.append(scores, [0.0])).tolist() == [*scores, 0.0]
    assert rounded(np.append(scores, [3e-5])).tolist() == [*scores, 3e-5]


def test_numbers_too_small_or_too_large_to_round_are_compared_as_they_are() -> None:
    values = np.array([5e-324, 1e-310, -3e-320, 0.0, np.finfo(float).max])

    assert rounded(values, 0.1)[:4].tolist() == values[:4].tolist()
    assert np.isfinite(rounded(values, 0.1)).all()
    assert rounded(values, 0).tolist() == values.tolist()


def test_no_negative_zero() -> None:
    a = np.array([-0.0, -1e-14, 0.3])

    for d in (differences(a, np.array([0.0, 0.0, 0.3])), differences(a, np.array([0.0, -1e-14, 0.3]), 0)):
        assert not np.signbit(d[d == 0]).any()


@given(hnp.arrays(np.float64, 7, elements=st.floats(-1e300, 1e300)), st.sampled_from([1e-12, 1e-6, 0.1]))
def test_rounding_moves_a_value_by_half_a_unit_at_most(values: np.ndarray, tie_tolerance: float) -> None:
    result = rounded(values, tie_tolerance)

    unit = 10.0 ** np.ceil(np.log10(np.maximum(np.abs(values), 1e-290)) + 1e-9) * tie_tolerance
    assert (np.abs(result - values) <= 0.5000001 * unit).all()
    np.testing.assert_array_equal(rounded(-values, tie_tolerance), -result)


@given(
    hnp.arrays(np.float64, (3, 5), elements=st.floats(-1e30, 1e30)),
    hnp.arrays(np.float64, (2, 5), elements=st.floats(0, 1)),
)
def test_batch_is_the_loop_over_its_rows(x: np.ndarray, y: np.ndarray) -> None:
    a, b = x[:, None], y[None]

    batch = differences(a, b, 1e-12, (extent(a), extent(b)))

    for i, j in np.ndindex(3, 2):
        np.testing.assert_array_equal(batch[i, j], differences(x[i], y[j]))
    np.testing.assert_array_equal(differences(b, a), -batch)


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=1, max_dims=3, max_side=9), elements=st.integers(0, 4)))
def test_midranks_share_the_mean_of_their_places(values: np.ndarray) -> None:
    np.testing.assert_array_equal(midranks(values), rankdata(values, axis=-1))


def test_midranks_by_hand() -> None:
    assert midranks(np.array([0.3, 0.1, 0.3, 0.2])).tolist() == [3.5, 1.0, 3.5, 2.0]


def test_a_difference_that_overflows_is_refused() -> None:
    """Without a warning of numpy: the tests turn warnings into errors."""
    for tie_tolerance in (0, 1e-12):
        with pytest.raises(InvalidValueError, match=r"^x - y must be finite, but 1e\+308 - -1e\+308 is too large"):
            differences(np.array([[0.0, 1e308]]), np.array([0.0, -1e308]), tie_tolerance)


def test_large_differences_whose_sum_overflows_are_not_refused() -> None:
    assert differences(np.full(3, 1e308), np.zeros(3)).tolist() == [1e308] * 3
