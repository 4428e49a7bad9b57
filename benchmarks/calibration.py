"""Calibration of 200,000 forecasts: the curve against scikit-learn, the slope against statsmodels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.timing import Race
from evalstats.metrics import recalibration_test, reliability_curve

N = 200_000
SKLEARN, STATSMODELS = "scikit-learn's IsotonicRegression", "statsmodels' Logit"


def races() -> Iterator[Race]:
    rng = np.random.default_rng(1)
    p = rng.beta(1, 2, N)
    y = (rng.random(N) < p).astype(np.int64)

    def isotonic() -> np.ndarray:
        from sklearn.isotonic import IsotonicRegression

        return IsotonicRegression(y_min=0, y_max=1).fit(p, y).predict(np.unique(p))

    def same_curve(ours: Any, theirs: np.ndarray, _peer: str) -> None:
        np.testing.assert_allclose(ours.frequency, theirs, rtol=0, atol=1e-9)

    yield Race(
        job=f"Isotonic reliability curve of {N:,} forecasts",
        ours=lambda: reliability_curve(y, p, band="none"),
        peers={SKLEARN: isotonic},
        agree=same_curve,
        goal={},
        rounds=3,
        limit=0.5,
    )

    def logit() -> Any:
        import statsmodels.api as sm

        x = np.column_stack([np.ones(N), np.log(p) - np.log1p(-p)])
        return sm.Logit(y, x).fit(disp=0, tol=1e-12)

    def same_slope(ours: Any, theirs: Any, _peer: str) -> None:
        np.testing.assert_allclose([ours.intercept, ours.slope], theirs.params, rtol=1e-7)
        np.testing.assert_allclose(ours.slope_standard_error, theirs.bse[1], rtol=1e-6)

    yield Race(
        job=f"Recalibration slope of {N:,} forecasts",
        ours=lambda: recalibration_test(y, p),
        peers={STATSMODELS: logit},
        agree=same_slope,
        goal={},
        rounds=3,
        limit=1.0,
    )
