"""ADWIN, which is that of river; and river as a judge of the other alarms."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from river import drift

from evalstats import EvalstatsError
from evalstats.metrics import adwin, ddm, page_hinkley


def changing(seed: int, n: int = 900) -> np.ndarray:
    """Draw errors whose rate rises twice."""
    rng = np.random.default_rng(seed)
    return rng.random(n) < np.select([np.arange(n) < n // 3, np.arange(n) < n // 2], [0.1, 0.4], 0.7)


def of_river(method, values: np.ndarray) -> tuple[list[int], list[int]]:
    """Return alarms and warnings, value by value."""
    alarms, warned = [], []
    for i, value in enumerate(values.tolist()):
        method.update(value)
        if method.drift_detected:
            alarms.append(i)
        elif getattr(method, "warning_detected", False):
            warned.append(i)
    return alarms, warned


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("delta", "every"), [(0.002, 32), (0.1, 1)])
def test_alarms_are_those_of_river_value_by_value(seed: int, delta: float, every: int) -> None:
    stream = changing(seed)

    found = adwin(stream, delta=delta, every=every)

    assert found.alarms.tolist() == of_river(drift.ADWIN(delta=delta, clock=every), stream * 1.0)[0]
    assert (found.warnings.tolist(), found.n) == ([], 900)
    assert len(found.alarms) >= 1


@pytest.mark.parametrize("seed", range(8))
def test_page_hinkley_and_ddm_are_those_of_river(seed: int) -> None:
    """Nothing fades, and only a rise is looked for."""
    stream = changing(seed)
    of_page = drift.PageHinkley(min_instances=30, delta=0.005, threshold=10, alpha=1.0, mode="up")

    errors = ddm(stream)

    assert page_hinkley(stream, threshold=10).alarms.tolist() == of_river(of_page, stream * 1.0)[0]
    assert (errors.alarms.tolist(), errors.warnings.tolist()) == of_river(drift.binary.DDM(), stream)


def test_random_streams_have_the_alarms_of_river() -> None:
    """300 streams of parts with other rates, 0 and 1 among them, and with other choices; 1500 alarms and more."""
    n_alarms = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        rates = rng.choice([0, 0.01, 0.05, 0.2, 0.5, 0.9, 1], rng.integers(1, 5))
        stream = np.concatenate([rng.random(rng.integers(20, 600)) < rate for rate in rates])
        n_least, low, high = int(rng.choice([1, 2, 5, 30, 100])), *[(2, 3), (1, 1.5), (2.5, 2.5)][seed % 3]
        of_ddm = drift.binary.DDM(warm_start=n_least, warning_threshold=low, drift_threshold=high)
        choices = {"threshold": float(rng.choice([2, 5, 20])), "delta": float(rng.choice([0, 0.005, 0.1]))}
        of_page = drift.PageHinkley(min_instances=n_least, alpha=1.0, mode="up", **choices)

        errors = ddm(stream, warning_level=low, alarm_level=high, n_least=n_least)
        rises = page_hinkley(stream, n_least=n_least, **choices)

        assert (errors.alarms.tolist(), errors.warnings.tolist()) == of_river(of_ddm, stream)
        assert rises.alarms.tolist() == of_river(of_page, stream * 1.0)[0]
        n_alarms += errors.alarms.size + rises.alarms.size
    assert n_alarms > 1500


def test_mean_that_stays_gives_no_alarm() -> None:
    assert adwin([0, 1] * 500).alarms.tolist() == []


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match=r"values must be finite, but values\[1\] is nan"):
        adwin([0, np.nan])
    with pytest.raises(ValueError, match="delta must lie between 0 and 1, not 1"):
        adwin([0, 1], delta=1)
    with pytest.raises(ValueError, match="every must be at least 1, not 0"):
        adwin([0, 1], every=0)


def test_missing_river_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "river.drift", None)

    with pytest.raises(EvalstatsError, match=r"river is needed for adwin; install classifier-evalstats\[streams\]"):
        adwin([0, 1])
