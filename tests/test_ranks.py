from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import rankdata

from evalstats import InvalidValueError
from evalstats._checks import noise_in, tolerance
from evalstats._ranks import (
    _decimals,
    _settled,
    compared,
    differences,
    differences_and_edge,
    extent,
    midranks,
    rounded,
    summands,
)

# numbers of cases of which odd counts end in a 5 at the thirteenth digit, or lie anywhere between two decimals
BOUNDARY = [
    *(30, 150, 4096, 8192, 10_000, 10_007, 12_500, 20_480, 40_960, 50_000, 65_536, 65_537, 81_920, 100_000, 102_400),
    *(122_880, 128_000, 131_072, 163_840, 199_999, 200_000),
]
LARGEST = 200_000
SINGLE, HALF = tolerance(1e-12, np.float32(1)), tolerance(1e-12, np.float16(1))


def ways(count: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return the scores of `count` right answers of `size`, each computed in one of four ways.

    Less than a tenth is not computed as 1 minus the rest, whose noise is that of 1.
    """
    percent, rest = count / size * 100, 1 - (size - count) / size
    by = [
        count / size,
        np.where(rest < 0.1, count / size, rest),
        percent / 100,
        np.add.reduce([count / size] * 10) / 10,
    ]
    return np.choose(rng.integers(0, 4, count.shape), by)


def pairs_of(size: int, rng: np.random.Generator, n: int = 60, most: int = 5) -> tuple[np.ndarray, ...]:
    """Draw counts of two classifiers that differ by few answers, in either direction, and their difference."""
    a = rng.integers(0, size + 1, n)
    b = np.clip(a + rng.integers(-most, most + 1, n), 0, size)
    return a, b, a - b


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


def test_differences_of_fractions_are_those_of_counts() -> None:
    """For all sizes of a test set up to 200,000 that are tried: as many values, in the same order, zero where equal."""
    rng = np.random.default_rng(0)
    for size in [*BOUNDARY, *rng.integers(2, LARGEST, 1500).tolist()]:
        a, b, k = pairs_of(size, rng)

        d = differences(ways(a, size, rng), ways(b, size, rng))

        by_count = np.unique(np.stack([np.abs(k), np.abs(d)]), axis=1)
        assert np.unique(by_count[0]).size == np.unique(by_count[1]).size == by_count.shape[1], size
        np.testing.assert_array_equal(np.sign(d), np.sign(k))
        np.testing.assert_allclose(d, k / size, atol=5.1e-12)


def test_differences_of_datasets_of_several_sizes() -> None:
    """a/n and b/m are equal where a m = b n, and else are told apart, if n and m are at most 200,000."""
    rng = np.random.default_rng(1)
    for _ in range(300):
        sizes = rng.choice([*BOUNDARY, *rng.integers(2, LARGEST, 5)], 80)
        a = rng.integers(0, sizes + 1)
        b = np.clip(a + rng.integers(-2, 3, 80) * (sizes // np.gcd(sizes, 120)), 0, sizes)

        d = np.abs(differences(a / sizes, b / sizes))

        exact = [Fraction(abs(int(x - y)), int(n)) for x, y, n in zip(a, b, sizes, strict=True)]
        assert len(set(exact)) == len(set(d)) == len(set(zip(exact, d.tolist(), strict=True)))


def test_the_closest_fractions_are_told_apart() -> None:
    """1/199,999 and 1/200,000 differ by 2.5e-11; with a score of 1 beside them the last digit is 1e-11."""
    n = np.arange(LARGEST - 60, LARGEST + 1)

    d = differences(np.append(1 / n, 1.0), np.append(0 * n, 0.0))

    assert np.unique(d).size == n.size + 1


@pytest.mark.parametrize(("folds", "cases"), [(5, 8192), (10, 4096), (10, 12_345), (20, 2048), (100, 409)])
def test_means_over_folds_and_seeds(folds: int, cases: int) -> None:
    """Whatever the order of the folds, the mean is that of the count over all of them."""
    rng = np.random.default_rng(folds)
    counts = rng.integers(cases - 400, cases + 1, (200, folds))
    more = np.clip(counts + rng.integers(-2, 3, counts.shape), 0, cases)
    x, y = (rng.permuted(v / cases, axis=1).mean(axis=1) for v in (more, counts))
    k = (more - counts).sum(axis=1)

    d = differences(x, y)

    assert np.unique(np.abs(d)).size == np.unique(np.abs(k)).size
    np.testing.assert_array_equal(np.sign(d), np.sign(k))
    np.testing.assert_array_equal(differences(x[:, None], y[:, None])[:, 0] == 0, k == 0)
    python = [sum(row) / folds for row in (counts / cases).tolist()]
    np.testing.assert_array_equal(compared(y, np.array(python)), 0)


def test_means_over_folds_of_two_sizes() -> None:
    """Ten folds of 4,095 or 4,096 cases: fractions of 10 x 4095 x 4096, which differ by 6e-9."""
    rng = np.random.default_rng(0)
    sizes = np.repeat([4095, 4096], 5)
    counts = rng.integers(3000, 4000, (300, 10))
    more = counts + rng.integers(-1, 2, counts.shape)

    d = np.abs(differences((more / sizes).mean(axis=1), (counts / sizes).mean(axis=1)))

    exact = [abs(sum(Fraction(int(k), int(n)) for k, n in zip(row, sizes, strict=True))) for row in more - counts]
    assert len(set(exact)) == len(set(d)) == len(set(zip(exact, d.tolist(), strict=True)))


@pytest.mark.parametrize(
    ("kind", "known", "largest"), [(np.float32, SINGLE, 200_000), (np.float16, HALF, 250)], ids=["single", "half"]
)
def test_single_and_half_precision(kind: type, known: float, largest: int) -> None:
    """Their rule is as good up to as many cases as they can hold."""
    rng = np.random.default_rng(0)
    for size in rng.integers(2, largest + 1, 300).tolist():
        a, b, k = pairs_of(size, rng)

        d = differences((a / size).astype(kind).astype(float), (b / size).astype(kind).astype(float), known)

        by_count = np.unique(np.stack([np.abs(k), np.abs(d)]), axis=1)
        assert np.unique(by_count[0]).size == np.unique(by_count[1]).size == by_count.shape[1], size
        np.testing.assert_array_equal(np.sign(d), np.sign(k))


@pytest.mark.parametrize("known", [1e-12, SINGLE, HALF], ids=["double", "single", "half"])
@given(data=st.data())
def test_order_and_sides_do_not_matter(known: float, data: st.DataObject) -> None:
    """To the last bit, also where values lie as densely as their noise."""
    unit = data.draw(st.sampled_from([1e-16, 1e-13, 5e-13, 1e-8, 1e-3]))
    n = data.draw(st.integers(1, 12))
    x, y = (0.5 + unit * np.array(data.draw(st.lists(st.integers(-30, 30), min_size=n, max_size=n))) for _ in range(2))
    order = np.array(data.draw(st.permutations(range(n))))

    d, r = differences(x, y, known), rounded(x, known)

    np.testing.assert_array_equal(differences(y, x, known), -d)
    np.testing.assert_array_equal(differences(x[order], y[order], known), d[order])
    np.testing.assert_array_equal(rounded(-x, known), -r)
    np.testing.assert_array_equal(rounded(x[order], known), r[order])
    np.testing.assert_array_equal(differences(np.stack([x, y, x]), np.stack([y, x, x]), known)[1], -d)
    assert (np.diff(r[np.argsort(x)]) >= 0).all()
    assert (np.diff(np.abs(d)[np.argsort(np.abs(x - y))]) >= 0).all()


@pytest.mark.parametrize("known", [1e-12, SINGLE], ids=["double", "single"])
def test_batch_of_fractions_is_the_loop(known: float) -> None:
    """Rows with and without doubtful values are treated alike."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(30_000, 40_960, (2, 30, 50)) / 40_960

    batch, ranked = differences(x[:, None], y[None], known), rounded(x, known)

    for i in range(30):
        np.testing.assert_array_equal(ranked[i], rounded(x[i], known))
        for j in range(30):
            np.testing.assert_array_equal(batch[i, j], differences(x[i], y[j], known))


@given(
    hnp.arrays(np.float64, 8, elements=st.floats(-100, 100)), hnp.arrays(np.float64, 8, elements=st.floats(-100, 100))
)
def test_the_short_way_is_the_long_way(x: np.ndarray, y: np.ndarray) -> None:
    """Most rows are rounded only; those that have a doubtful value beside them are not."""
    alone = differences(x, y)
    long = _settled(x - y, x, y, _decimals(np.maximum(*(np.abs(v).max() for v in (x, y)))[None], 1e-12)[0], 1e-12)

    np.testing.assert_array_equal(alone, long)


def test_a_chain_that_is_longer_than_the_noise_is_no_noise() -> None:
    """Its values differ, though neighbours are closer than the noise."""
    x = 0.5 + np.arange(40) * 5e-15

    r = rounded(np.append(x, 0.25))

    assert r[:40].tolist() == np.round(x, 12).tolist()
    assert np.unique(rounded(0.9 + np.arange(40) * 5e-7, SINGLE)).size == 40


def test_many_steps_of_half_a_unit_stay_apart() -> None:
    """Every value lies on a boundary of three digits; two of them are reached by two ways."""
    x = np.array([0.0115, 0.0125, 0.0135, 0.5115, 0.5125, 0.9])
    y = np.array([0.0, 0.0, 0.0, 0.5, 0.5, 0.0])

    d = differences(x, y, 1e-3)

    assert d[0] == d[3]
    assert d[1] == d[4]
    assert d[0] < d[2]


@pytest.mark.parametrize("size", [30, 40_960, 199_999])
def test_an_edge_is_one_of_the_differences(size: int) -> None:
    """The edge of a region of equivalence is where the difference of so many answers is."""
    rng = np.random.default_rng(size)
    a, b, k = pairs_of(size, rng, 200)

    for rope in range(6):
        d, edge = differences_and_edge(a / size, b / size, rope / size, 1e-12)

        np.testing.assert_array_equal(np.abs(d) > edge, np.abs(k) > rope)
        np.testing.assert_array_equal(np.abs(d) == edge, np.abs(k) == rope)


def test_summands_keep_what_rounding_takes_off() -> None:
    """Three thirds of 1/10 are 1/10 but for their noise; decimals of a coarse tolerance have none."""
    x = np.array([4, 3]) / 30

    d, noise = summands(x, np.array([0.1, 0.0]), 1e-12)
    coarse, none = summands(x, np.array([0.1, 0.0]), 1e-3)

    assert abs(3 * d[0] - d[1]) <= 3 * noise[0] + noise[1] < 1e-14
    assert coarse.tolist() == [0.033, 0.1]
    assert not none.any()


def test_scores_of_two_samples_are_compared_one_by_one() -> None:
    x, y = np.array([0.3, 0.5, 0.2]), np.array([0.1 + 0.2, 0.4, 0.7])

    assert compared(x, y).tolist() == [0, 1, -1]
    assert compared(x, y, 0).tolist() == [-1, 1, -1]
    assert compared(x[:, None], np.array([0.3]))[:, 0].tolist() == [0, 1, -1]


def test_a_tolerance_knows_the_noise_of_its_scores() -> None:
    """It is a number like any other, and the least precise scores decide."""
    assert (SINGLE, SINGLE.noise) == (1e-12, 2.0**-21)
    assert tolerance(SINGLE).noise == SINGLE.noise
    assert tolerance(1e-12, np.zeros(2), np.zeros(2, np.float16), np.zeros(2, np.float32)).noise == 2.0**-11
    assert tolerance(1e-12, [1.0, 2], np.zeros(2), "text", None).noise == 2.0**-48
    assert tolerance(1e-14).noise < 2.0**-54
    assert tolerance(0, np.float32(1)).noise == 0
    assert pickle.loads(pickle.dumps(SINGLE)).noise == SINGLE.noise
    assert copy.deepcopy(HALF).noise == HALF.noise


def test_noise_of_types_that_numpy_does_not_know() -> None:
    """Frames of several types, lists of scalars, Arrow and torch."""
    frame = pd.DataFrame({"a": np.zeros(2), "b": np.zeros(2, np.float32)})

    assert noise_in(frame) == noise_in(frame["b"]) == noise_in([[1.0], [np.float32(1)]]) == 2.0**-21
    assert noise_in(frame["a"]) == noise_in(frame.astype(int)) == noise_in([1.0, np.float64(2)]) == noise_in([]) == 0
    assert noise_in(frame.astype(object)) in {0, 2.0**-21}
    assert noise_in(frame["b"].astype(pd.SparseDtype("float32"))) == 2.0**-21
    assert noise_in(frame.astype(pd.SparseDtype("float64"))) == 0
    assert noise_in(np.array([np.float16(1), 2.0], dtype=object)) == 2.0**-11
    for name, noise in {"Float32": 2.0**-21, "torch.float16": 2.0**-11, "halffloat": 2.0**-11, "Int64": 0}.items():
        assert noise_in(SimpleNamespace(dtype=name)) == noise


def test_noise_in_what_holds_arrays_or_itself() -> None:
    """Columns in a list tell their types; a label, or a list in itself, tells nothing and takes no time."""
    column = pd.Series([0.5, 0.25], dtype=np.float32)
    endless: list[Any] = [1.0]
    for _ in range(60):
        endless = [endless, endless]
    endless.append(endless)
    loop = np.empty(2, dtype=object)
    loop[:] = [loop, np.float16(1)]

    assert noise_in([column, column]) == noise_in((np.zeros(2), column.to_frame())) == 2.0**-21
    assert noise_in(pd.Series({"noise": 0.5, "glass": 0.25})) == 0
    assert noise_in(endless) == 0
    assert noise_in(loop) == 2.0**-11
