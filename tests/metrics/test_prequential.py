"""Errors on a stream."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evalstats.metrics import PrequentialError, holdout_errors, prequential_errors, q_statistic

CHOICES = [
    {},
    {"window": 1},
    {"window": 7},
    {"window": 1000},
    {"fading_factor": 0.9},
    {"fading_factor": 1.0},
    {"fading_factor": 1e-3},
]
RNG = np.random.default_rng(0)
STREAMS = {"right or wrong": RNG.random(300) < 0.3, "losses": RNG.normal(size=300) ** 2, "one": np.array([2.0])}


def literal(losses: np.ndarray, *, window: int | None = None, fading_factor: float = 1.0) -> list[float]:
    """Transcribe Gama et al. (2013): P(i) = mean of the last w losses, or S_i / B_i."""
    errors, s, b = [], 0.0, 0.0
    for i, loss in enumerate(losses):
        s, b = loss + fading_factor * s, 1 + fading_factor * b
        last = losses[max(0, i + 1 - window) : i + 1] if window else losses[: i + 1]
        errors.append(float(np.mean(last)) if window else s / b)
    return errors


def test_errors_by_hand() -> None:
    """S = 1, 1/2, 1/4, 9/8 and B = 1, 3/2, 7/4, 15/8 with a half."""
    assert prequential_errors([1, 0, 0, 1]).tolist() == [1, 1 / 2, 1 / 3, 1 / 2]
    assert prequential_errors([1, 0, 0, 1], window=2).tolist() == [1, 1 / 2, 0, 1 / 2]
    assert prequential_errors([1, 0, 0, 1], fading_factor=0.5).tolist() == pytest.approx([1, 1 / 3, 1 / 7, 9 / 15])


@pytest.mark.parametrize("choices", CHOICES)
@pytest.mark.parametrize("stream", STREAMS)
def test_errors_are_their_definitions(stream: str, choices: dict[str, float]) -> None:
    losses = STREAMS[stream].astype(float)

    np.testing.assert_allclose(
        prequential_errors(losses, **choices), literal(losses, **choices), rtol=1e-10, atol=1e-13
    )


@pytest.mark.parametrize("choices", CHOICES)
@pytest.mark.parametrize("stream", STREAMS)
def test_case_by_case_is_the_whole_stream(stream: str, choices: dict[str, float]) -> None:
    error = PrequentialError(**choices)

    updates = [error.update(loss) for loss in STREAMS[stream].tolist()]

    np.testing.assert_allclose(updates, prequential_errors(STREAMS[stream], **choices), rtol=1e-10, atol=1e-13)
    assert (error.n, error.error) == (len(updates), updates[-1])


def test_window_forgets_large_losses() -> None:
    """A running sum would keep the rounding errors of 1e12 for ever."""
    error = PrequentialError(window=3)

    for loss in [1e12, 0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1, 0.2]:
        last = error.update(loss)

    assert last == pytest.approx(0.2, rel=1e-12)


def test_before_the_first_case_there_is_no_error() -> None:
    assert math.isnan(PrequentialError().error)


def test_batch_equals_the_loop() -> None:
    losses = RNG.random((2, 3, 40))

    for choices in CHOICES:
        each = [[prequential_errors(own, **choices).tolist() for own in part] for part in losses]
        assert prequential_errors(losses, **choices).tolist() == each


def test_holdout_errors_by_hand() -> None:
    """The last case is no test set."""
    assert holdout_errors([1, 0, 0, 1, 1, 0, 1], n_instances=2).tolist() == [0.5, 0.5, 0.5]
    assert holdout_errors([[1, 0], [1, 1]], n_instances=2).tolist() == [[0.5], [1]]


def test_q_statistic_is_its_definition() -> None:
    """The logarithm of the ratio of faded sums, 0 where both are 0."""
    x, y = RNG.random((2, 100)) < [[0.05], [0.1]]
    s, t, expected = 0.0, 0.0, []
    for a, b in zip(x, y, strict=True):
        s, t = a + 0.95 * s, b + 0.95 * t
        expected.append(0.0 if s == t else math.inf if t == 0 else -math.inf if s == 0 else math.log(s / t))

    np.testing.assert_allclose(q_statistic(x, y, fading_factor=0.95), expected, rtol=1e-9, atol=1e-9)


def test_exchange_turns_the_sign() -> None:
    x, y = RNG.random((2, 50))

    assert q_statistic(y, x).tolist() == (-q_statistic(x, y)).tolist()


class TestMessages:
    def test_nan(self) -> None:
        with pytest.raises(ValueError, match=r"losses must be finite, but losses\[1\] is nan"):
            prequential_errors([0, math.nan])
        with pytest.raises(ValueError, match="loss must be finite, not nan"):
            PrequentialError().update(math.nan)

    def test_window_and_fading(self) -> None:
        with pytest.raises(ValueError, match="fading_factor cannot be combined with window"):
            PrequentialError(window=3, fading_factor=0.9)
        with pytest.raises(ValueError, match=r"fading_factor must be greater than 0 and at most 1, not 1\.5"):
            prequential_errors([1], fading_factor=1.5)
        with pytest.raises(ValueError, match="window must be at least 1, not 0"):
            prequential_errors([1], window=0)

    def test_short_stream(self) -> None:
        with pytest.raises(ValueError, match="n_instances must be at most 2, the number of losses, not 3"):
            holdout_errors([1, 0], n_instances=3)

    def test_negative(self) -> None:
        with pytest.raises(ValueError, match="y must hold nonnegative losses, but one loss is -1"):
            q_statistic([1], [-1])
