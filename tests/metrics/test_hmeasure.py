"""The H-measure."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from evalstats import EvalstatsWarning
from evalstats.metrics import h_measure, roc_convex_hull

# ROCR.simple of R's ROCR 1.0-11 (Sing et al. 2005): the labels of its 200 cases in the order of their scores
SIMPLE = (
    "1011000000000000000000001000000100000000000010001001000110000011000010000100000000000000000000000000"
    "0000011011111110111101111011111101111101011111001111111111110111011111111111110111111101111110010111"
)
Y = [int(label) for label in SIMPLE]
CASES = st.lists(st.tuples(st.booleans(), st.integers(-9, 9)), max_size=30)


def by_definition(y: np.ndarray, score: np.ndarray, severity_ratio: float | None) -> float:
    """Hand (2009), eq. 10 to 15, integrated numerically: the smallest cost over all thresholds at each c."""
    share = np.mean(y)
    ratio = share / (1 - share) if severity_ratio is None else severity_ratio
    law = stats.beta(2, 1 + 1 / ratio)
    cuts = [math.inf, *np.unique(score)[::-1]]
    points = [(np.mean(score[~y] >= t), np.mean(score[y] < t)) for t in cuts]
    lines = [((1 - share) * fpr, share * fnr) for fpr, fnr in points]

    def least(c: float) -> float:
        return min(c * a + (1 - c) * b for a, b in lines)

    grid = np.linspace(0, 1, 201)
    loss = sum(integrate.quad(lambda c: least(c) * law.pdf(c), *ends)[0] for ends in itertools.pairwise(grid))
    worst = sum(
        integrate.quad(lambda c: min(c * (1 - share), (1 - c) * share) * law.pdf(c), *ends)[0]
        for ends in ((0, share), (share, 1))
    )
    return 1 - loss / worst


# published


def test_simple_data_of_rocr() -> None:
    """Values of R's hmeasure 1.0-2, which is not in Debian: H, H with SR = 1, and the area of the hull."""
    assert round(h_measure(Y, range(200)), 6) == 0.545044
    assert round(h_measure(Y, range(200), severity_ratio=1), 6) == 0.541486
    assert roc_convex_hull(Y, range(200)).area == pytest.approx(0.8647875, abs=1e-7)


# the definition


@pytest.mark.sampled
@pytest.mark.parametrize("severity_ratio", [None, 1, 0.2, 7])
@pytest.mark.parametrize("seed", range(3))
def test_value_is_that_of_the_integral(seed: int, severity_ratio: float | None) -> None:
    rng = np.random.default_rng(seed)
    y = rng.random(40) < 0.3
    score = np.round(rng.normal(size=40) + y, seed)

    value = h_measure(y, score, severity_ratio=severity_ratio)

    assert value == pytest.approx(by_definition(y, score, severity_ratio), abs=1e-6)


# laws


@given(CASES)
def test_laws(cases: list[tuple[bool, int]]) -> None:
    """Between 0 and 1; 1 is perfect; monotone transformations change nothing; Beta(2, 2) does not tell the classes."""
    y, score = (np.array(a) for a in zip(*[(False, 0), (True, 1), *cases], strict=True))
    value = h_measure(y, score)

    assert 0 <= value <= 1
    assert h_measure(y, np.exp(score / 3)) == value
    assert h_measure(y, y) == 1
    assert h_measure(y, np.zeros(len(y))) == 0
    assert h_measure(~y, -score, severity_ratio=1) == pytest.approx(h_measure(y, score, severity_ratio=1), abs=1e-13)


def test_batch_equals_the_loop(kind: str, problem) -> None:
    y, score = (np.stack(part) for part in zip(*(problem(kind, 50, seed)[:2] for seed in range(6)), strict=True))

    together = h_measure(y.reshape(2, 3, 50), score.reshape(2, 3, 50))

    np.testing.assert_allclose(together.ravel(), [h_measure(a, b) for a, b in zip(y, score, strict=True)], rtol=1e-13)


def test_weights_are_repetitions(problem) -> None:
    y, score, _ = problem("ties", 60)
    times = np.random.default_rng(7).integers(1, 4, 60)

    assert h_measure(y, score, sample_weight=times) == pytest.approx(
        h_measure(np.repeat(y, times), np.repeat(score, times)), rel=1e-12
    )


def test_worse_than_guessing_is_no_better_than_a_constant() -> None:
    """Any threshold may be used: the trivial ones are always there."""
    assert h_measure([0, 0, 1, 1], [4, 3, 2, 1]) == 0


@pytest.mark.parametrize("n_positive", [1, 10])
def test_few_positives_among_many_keep_their_digits(n_positive: int) -> None:
    """A perfect ranking but for the tie with as many negative cases: both corners are known."""
    n = 1_000_000
    y = np.r_[np.ones(n_positive), np.zeros(n)]
    score = np.r_[np.ones(2 * n_positive), np.zeros(n - n_positive)]
    share, ratio = n_positive / (n + n_positive), n_positive / n
    law = stats.beta(2, 1 + 1 / ratio)

    def part(shape_a: float, shape_b: float, c: float) -> float:
        return stats.beta(shape_a, shape_b).cdf(c)

    a, b = law.args
    mean, other = a / (a + b), b / (a + b)
    loss = 2 * share * (0.5 * mean * part(a + 1, b, 0.5) + 0.5 * other * (1 - part(a, b + 1, 0.5)))
    worst = (1 - share) * mean * part(a + 1, b, share) + share * other * (1 - part(a, b + 1, share))

    assert h_measure(y, score) == pytest.approx(1 - loss / worst, rel=1e-9)


# degenerate


def test_one_class() -> None:
    with pytest.raises(ValueError, match=r"h_measure is undefined in 1 of 2 scores, first in \[1\]: there is no posit"):
        h_measure([[0, 1], [1, 1]], [1, 2])
    np.testing.assert_array_equal(h_measure([[0, 1], [1, 1]], [1, 2], undefined="nan"), [1, math.nan])
    with pytest.warns(EvalstatsWarning, match="h_measure is undefined"):
        assert math.isnan(h_measure([0, 0], [1, 2], undefined="warn"))


@pytest.mark.parametrize("ratio", [0, -1, math.nan, math.inf, 1e10])
def test_severity_ratio_is_above_zero(ratio: float) -> None:
    with pytest.raises(ValueError, match="severity_ratio must be a number from 1e-09 to 1e"):
        h_measure([0, 1], [1, 2], severity_ratio=ratio)
