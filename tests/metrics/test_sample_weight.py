from __future__ import annotations

from typing import Any

import pytest

from evalstats.metrics.sample_weight import understand_weight


@pytest.mark.parametrize("value", [[1, 2], [0, 0], [[0.5, 1], [2, 3]]])
def test_weights_are_taken_as_they_are(value: Any) -> None:
    """All may be zero; leading axes are a batch."""
    assert understand_weight(value).tolist() == value
    assert understand_weight(value, 2).tolist() == value


@pytest.mark.parametrize(
    ("value", "n", "message"),
    [
        ([1, -2], None, r"sample_weight must be 0 or more, but sample_weight\[1\] is -2$"),
        ([[1, 1], [-0.5, 1]], 2, r"sample_weight must be 0 or more, but sample_weight\[1, 0\] is -0.5$"),
        ([1, float("nan")], None, r"sample_weight must be finite, but sample_weight\[1\] is nan"),
        (5, None, "sample_weight must hold one weight for each case, but it is a single number"),
        (5, 3, r"sample_weight must hold one weight for each of the 3 cases, but its shape is \(\)"),
        ([1, 2], 3, r"sample_weight must hold one weight for each of the 3 cases, but its shape is \(2,\)"),
    ],
)
def test_bad_weights_are_named(value: Any, n: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        understand_weight(value, n)


def test_weights_are_numbers() -> None:
    with pytest.raises(TypeError, match="sample_weight must be numbers"):
        understand_weight(["a", "b"])
