"""Alarms of a stream that changes."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from river import drift as river_drift

from evalstats import EvalstatsError
from evalstats.metrics import DDM, PageHinkley, adwin, ddm, drift, page_hinkley


def changing(seed: int, n: int = 900) -> np.ndarray:
    """Draw errors whose rate rises twice, with quiet and with bad times."""
    rng = np.random.default_rng(seed)
    return rng.random(n) < np.select([np.arange(n) < n // 3, np.arange(n) < n // 2], [0.1, 0.4], 0.7)


def literal_page_hinkley(values: np.ndarray, delta: float, threshold: float, min_instances: int) -> list[int]:
    """Recompute m_T and its smallest value from the whole history at each value."""
    alarms, start = [], 0
    for i in range(len(values)):
        own = values[start : i + 1].astype(float)
        means = np.cumsum(own) / np.arange(1, len(own) + 1)
        sums = np.cumsum(own - means - delta)
        if len(own) >= min_instances and sums[-1] - min(0, sums.min()) > threshold:
            alarms.append(i)
            start = i + 1
    return alarms


def literal_ddm(is_wrong: np.ndarray, min_instances: int) -> tuple[list[int], list[int]]:
    """Transcribe Gama et al. (2004): p + s against p_min + 2 s_min and p_min + 3 s_min, for n above `min_instances`."""
    alarms, warnings, start = [], [], 0
    for i in range(len(is_wrong)):
        rates = [np.mean(is_wrong[start : j + 1]) for j in range(start + min_instances, i + 1)]
        if not rates:
            continue
        spreads = [math.sqrt(p * (1 - p) / n) for n, p in enumerate(rates, min_instances + 1)]
        at = int(np.argmin(np.add(rates, spreads)))
        if rates[-1] + spreads[-1] > rates[at] + 3 * spreads[at]:
            alarms.append(i)
            start = i + 1
        elif rates[-1] + spreads[-1] > rates[at] + 2 * spreads[at]:
            warnings.append(i)
    return alarms, warnings


@pytest.mark.parametrize(("delta", "threshold", "min_instances"), [(0.005, 10, 30), (0, 3, 1), (0.1, 8, 5)])
def test_page_hinkley_is_its_definition(delta: float, threshold: float, min_instances: int) -> None:
    values = changing(1)
    choices = {"delta": delta, "threshold": threshold, "min_instances": min_instances}

    assert (
        page_hinkley(values, **choices).alarms.tolist()
        == literal_page_hinkley(values, delta, threshold, min_instances)
        != []
    )


@pytest.mark.parametrize("min_instances", [30, 5])
def test_ddm_is_its_definition(min_instances: int) -> None:
    is_wrong = changing(2, 400)
    alarms, warnings = literal_ddm(is_wrong, min_instances)

    found = ddm(is_wrong, min_instances=min_instances)

    assert found.alarms.tolist() == alarms != []
    assert found.warnings.tolist() == warnings != []


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("at_once", [1, 7, 2048])
def test_whole_stream_is_the_loop(seed: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drift, "AT_ONCE", at_once)
    stream = changing(seed)
    test, method = PageHinkley(threshold=10), DDM()
    told = [method.update(bool(value)) for value in stream]

    assert page_hinkley(stream, threshold=10).alarms.tolist() == [i for i, v in enumerate(stream) if test.update(v)]
    assert ddm(stream).alarms.tolist() == [i for i, one in enumerate(told) if one == "alarm"]
    assert ddm(stream).warnings.tolist() == [i for i, one in enumerate(told) if one == "warning"]


def test_stream_that_does_not_change_raises_no_alarm() -> None:
    """A perfect classifier too, whose smallest spread is 0."""
    for stream in (np.zeros(5000), np.tile([0, 0, 0, 1], 1000)):
        assert page_hinkley(stream).alarms.size == 0
        assert ddm(stream.astype(int)).alarms.size == 0


def test_change_is_found_after_it_happens() -> None:
    stream = np.r_[np.tile([0, 0, 0, 0, 1], 100), np.ones(200)].astype(int)

    assert 500 <= page_hinkley(stream).alarms[0] < 600
    assert 500 <= ddm(stream).alarms[0] < 600


@pytest.mark.parametrize("value", [math.nan, 0.5, "a", None])
def test_refused_case_is_not_counted(value: object) -> None:
    for test in (DDM(), PageHinkley()):
        test.update(True)
        with pytest.raises(EvalstatsError):
            test.update("wrong" if value == 0.5 and isinstance(test, PageHinkley) else value)
        assert test.n == 1


class TestMessages:
    def test_nan(self) -> None:
        with pytest.raises(ValueError, match=r"values must be finite, but values\[1\] is nan"):
            page_hinkley([0, math.nan])
        with pytest.raises(ValueError, match="value must be finite, not nan"):
            PageHinkley().update(math.nan)

    def test_right_or_wrong(self) -> None:
        with pytest.raises(ValueError, match="is_wrong must be boolean"):
            ddm([0, 2])
        with pytest.raises(ValueError, match=r"is_wrong must be True or False, or 1 or 0, not 0\.5"):
            DDM().update(0.5)

    def test_choices(self) -> None:
        with pytest.raises(ValueError, match="delta must be between 0 and 1e150, not -1"):
            PageHinkley(delta=-1)
        with pytest.raises(ValueError, match="threshold must be above 0, not 0"):
            page_hinkley([1], threshold=0)
        with pytest.raises(
            ValueError, match="warning_level must be greater than 0 and at most drift_level, but they are 4 and 3"
        ):
            DDM(warning_level=4, drift_level=3)

    def test_shape(self) -> None:
        with pytest.raises(ValueError, match=r"values must have the shape \(n,\)"):
            page_hinkley([[1, 2]])


def changing_stream(seed: int, n: int = 900) -> np.ndarray:
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
    stream = changing_stream(seed)

    found = adwin(stream, delta=delta, clock=every)

    assert found.alarms.tolist() == of_river(river_drift.ADWIN(delta=delta, clock=every), stream * 1.0)[0]
    assert (found.warnings.tolist(), found.n) == ([], 900)
    assert len(found.alarms) >= 1


@pytest.mark.parametrize("seed", range(8))
def test_page_hinkley_and_ddm_are_those_of_river(seed: int) -> None:
    """Nothing fades, and only a rise is looked for."""
    stream = changing_stream(seed)
    of_page = river_drift.PageHinkley(min_instances=30, delta=0.005, threshold=10, alpha=1.0, mode="up")

    errors = ddm(stream)

    assert page_hinkley(stream, threshold=10).alarms.tolist() == of_river(of_page, stream * 1.0)[0]
    assert (errors.alarms.tolist(), errors.warnings.tolist()) == of_river(river_drift.binary.DDM(), stream)


def test_random_streams_have_the_alarms_of_river() -> None:
    """300 streams of parts with other rates, 0 and 1 among them, and with other choices; 1500 alarms and more."""
    n_alarms = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        rates = rng.choice([0, 0.01, 0.05, 0.2, 0.5, 0.9, 1], rng.integers(1, 5))
        stream = np.concatenate([rng.random(rng.integers(20, 600)) < rate for rate in rates])
        min_instances, low, high = int(rng.choice([1, 2, 5, 30, 100])), *[(2, 3), (1, 1.5), (2.5, 2.5)][seed % 3]
        of_ddm = river_drift.binary.DDM(warm_start=min_instances, warning_threshold=low, drift_threshold=high)
        choices = {"threshold": float(rng.choice([2, 5, 20])), "delta": float(rng.choice([0, 0.005, 0.1]))}
        of_page = river_drift.PageHinkley(min_instances=min_instances, alpha=1.0, mode="up", **choices)

        errors = ddm(stream, warning_level=low, drift_level=high, min_instances=min_instances)
        rises = page_hinkley(stream, min_instances=min_instances, **choices)

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
    with pytest.raises(ValueError, match="clock must be at least 1, not 0"):
        adwin([0, 1], clock=0)


def test_missing_river_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "river.drift", None)

    with pytest.raises(EvalstatsError, match=r"river is needed for adwin; install classifier-evalstats\[streams\]"):
        adwin([0, 1])
