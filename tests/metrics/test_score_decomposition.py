"""Decomposition of the Brier score: values of model-diagnostics, Murphy's sums, and the remainder of bins."""

from __future__ import annotations

import numpy as np
import pytest
from forecasts import P, Q, Y

from evalstats.metrics import brier_decomposition, brier_score_loss, miscalibration


@pytest.mark.parametrize(
    ("p", "method", "values"),
    [
        (P, "isotonic", (0.149295, 0.026795, 0.125, 0.2475)),
        (Q, "isotonic", (0.172375, 0.050153, 0.125278, 0.2475)),
        (P, "distinct", (0.149295, 0.099295, 0.1975, 0.2475)),
    ],
)
def test_values_are_those_of_model_diagnostics(p: list[float], method: str, values: tuple[float, ...]) -> None:
    """`decompose` of model-diagnostics 1.5.0; Murphy's by his sums over distinct forecasts."""
    parts = brier_decomposition(Y, p, method=method)

    found = (parts.brier, parts.miscalibration, parts.discrimination, parts.uncertainty)
    assert found == pytest.approx(values, abs=5e-7)


@pytest.mark.parametrize("method", ["isotonic", "distinct", "uniform", "quantile"])
@pytest.mark.parametrize("p", [P, Q, [0.5] * 20])
def test_parts_add_up(method: str, p: list[float]) -> None:
    parts = brier_decomposition(Y, p, method=method, n_bins=4)

    total = parts.miscalibration - parts.discrimination + parts.uncertainty + parts.remainder
    assert total == pytest.approx(brier_score_loss(Y, p), abs=1e-15)
    assert parts.remainder == 0 or method in ("uniform", "quantile")


def test_murphy_by_a_loop() -> None:
    y, p = np.array(Y), np.array(P)
    reliability = sum((p == v).sum() * (v - y[p == v].mean()) ** 2 for v in set(P)) / 20

    assert brier_decomposition(Y, P, method="distinct").miscalibration == pytest.approx(reliability)


def test_miscalibration_is_the_part_of_the_isotonic_decomposition() -> None:
    assert miscalibration(Y, Q) == pytest.approx(brier_decomposition(Y, Q).miscalibration, abs=1e-15)


def test_one_class_has_nothing_to_discriminate() -> None:
    parts = brier_decomposition([1, 1, 1], [0.2, 0.5, 0.9])

    assert (parts.discrimination, parts.uncertainty) == (0, 0)
    assert parts.miscalibration == pytest.approx(parts.brier)
    assert parts.reason is not None
