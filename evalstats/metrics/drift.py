"""Detection of changes in a stream, such as the errors of a classifier."""

from __future__ import annotations

__all__ = ["DDM", "DriftAlarms", "PageHinkley", "adwin", "ddm", "page_hinkley"]

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import EvalstatsError, InvalidValueError, short
from evalstats._result import Record
from evalstats._types import FloatArray, IndexArray

# values that are processed together; the detector restarts after an alarm
AT_ONCE = 4096


@dataclass(frozen=True, kw_only=True, eq=False)
class DriftAlarms(Record):
    """Positions at which a stream has changed.

    Attributes
    ----------
    alarms : ndarray of int
        Positions, from 0, at which a change was detected. The detector then restarts.
    warnings : ndarray of int
        Positions with a warning, or an empty array for `page_hinkley` and `adwin`.
    n : int
        Number of values in the stream.
    """

    alarms: IndexArray
    warnings: IndexArray
    n: int

    def _axes(self) -> tuple[str, ...]:
        return ()


class PageHinkley:
    """Page-Hinkley test for an increase in the mean, value by value.

    Parameters
    ----------
    delta, threshold, min_instances
        As in `page_hinkley`.

    Raises
    ------
    ValueError
        If `delta` is negative, or `threshold` is not above 0.

    Examples
    --------
    >>> from evalstats.metrics import PageHinkley
    >>> test = PageHinkley(threshold=2, min_instances=5)
    >>> [i for i in range(30) if test.update(i >= 20)]
    [22]
    """

    def __init__(self, *, delta: float = 0.005, threshold: float = 50.0, min_instances: int = 30) -> None:
        self.delta, self.threshold, self.min_instances = _page_hinkley_choices(delta, threshold, min_instances)
        self.reset()

    def reset(self) -> None:
        """Reset the detector."""
        self.n, self._total, self._deviations, self._smallest = 0, 0.0, 0.0, 0.0

    def update(self, value: float) -> bool:
        """Add the next value, such as a loss. Return whether the mean has increased. An alarm resets the detector.

        Parameters
        ----------
        value : float

        Returns
        -------
        bool

        Raises
        ------
        ValueError
            If the value is not finite.
        TypeError
            If the value is not a number.
        """
        number = _finite(value)
        self.n += 1
        self._total += number
        self._deviations += number - self._total / self.n - self.delta
        self._smallest = min(self._smallest, self._deviations)
        alarm = self.n >= self.min_instances and self._deviations - self._smallest > self.threshold
        if alarm:
            self.reset()
        return alarm


class DDM:
    """Drift detection method of Gama et al. for an increase in the error rate, instance by instance.

    Parameters
    ----------
    warning_level, drift_level, min_instances
        As in `ddm`.

    Raises
    ------
    ValueError
        If a level is not above 0, or `warning_level` is above `drift_level`.

    Examples
    --------
    >>> from evalstats.metrics import DDM
    >>> test = DDM()
    >>> [i for i in range(200) if test.update(i % 5 == 0 or i >= 100) == "alarm"]
    [110]
    """

    def __init__(self, *, warning_level: float = 2.0, drift_level: float = 3.0, min_instances: int = 30) -> None:
        self.warning_level, self.drift_level, self.min_instances = _ddm_choices(
            warning_level, drift_level, min_instances
        )
        self.reset()

    def reset(self) -> None:
        """Reset the detector."""
        self.n, self._errors, self._least, self._warning_above, self._alarm_above = 0, 0, math.inf, math.inf, math.inf

    def update(self, is_wrong: bool | int) -> str:
        """Add the next instance; return ``'stable'``, ``'warning'`` or ``'alarm'``. An alarm resets the detector.

        Parameters
        ----------
        is_wrong : bool or int
            True or 1 if the prediction is incorrect.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If the value is neither true nor false.
        """
        wrong = is_wrong if type(is_wrong) is bool else _truth(is_wrong)  # a call would take a third of the time
        self._errors = errors = self._errors + wrong
        self.n = n = self.n + 1
        if n <= self.min_instances:
            return "stable"
        rate = errors / n
        spread = math.sqrt(rate * (1 - rate) / n)
        now = rate + spread
        if now < self._least:
            self._least = now
            self._warning_above, self._alarm_above = (
                rate + self.warning_level * spread,
                rate + self.drift_level * spread,
            )
        if now <= self._warning_above:
            return "stable"
        if now <= self._alarm_above:
            return "warning"
        self.reset()
        return "alarm"


def page_hinkley(
    values: ArrayLike, *, delta: float = 0.005, threshold: float = 50.0, min_instances: int = 30
) -> DriftAlarms:
    """Find increases in the mean of a stream, such as the loss of a classifier.

    Parameters
    ----------
    values : array_like of shape (n,)
        Values of the stream.
    delta : float, default: 0.005
        Deviations from the mean are reduced by `delta`, so increases in the mean smaller than `delta` are ignored.
    threshold : float, default: 50
        An alarm is raised if the sum of deviations exceeds its smallest value by more than this number. A greater
        threshold causes fewer false alarms but later detection.
    min_instances : int, default: 30
        Minimum number of values before the first alarm.

    Returns
    -------
    DriftAlarms
        The same result as from a loop over `PageHinkley.update`.

    Raises
    ------
    ValueError
        If a value is not finite, there is no value, or an option is out of range.
    TypeError
        If values are not numbers.

    References
    ----------
    Page, E. S. (1954). Continuous inspection schemes. Biometrika 41, 100-115.
    Gama, J., Sebastião, R. & Rodrigues, P. P. (2013). On evaluating stream learning algorithms. Machine Learning 90,
    317-346. Section 5.

    Examples
    --------
    >>> from evalstats.metrics import page_hinkley
    >>> page_hinkley([0] * 20 + [1] * 10, threshold=2, min_instances=5).alarms
    array([22])
    """
    delta, threshold, min_instances = _page_hinkley_choices(delta, threshold, min_instances)
    stream = stream_of(values, "values")
    alarms = []
    start = position = n_before = 0
    total = deviations = smallest = 0.0
    while position < len(stream):
        part = stream[position : position + AT_ONCE]
        n = n_before + np.arange(1, len(part) + 1)
        totals = np.cumsum(np.append(total, part))[1:]
        sums = np.cumsum(np.append(deviations, part - totals / n - delta))[1:]
        least = np.minimum.accumulate(np.minimum(sums, smallest))
        high = np.flatnonzero((n >= min_instances) & (sums - least > threshold))
        if len(high):
            alarms.append(position + int(high[0]))
            position = start = alarms[-1] + 1
            n_before, total, deviations, smallest = 0, 0.0, 0.0, 0.0
        else:
            position += len(part)
            n_before, total, deviations, smallest = position - start, totals[-1], sums[-1], least[-1]
    return DriftAlarms(alarms=np.array(alarms, dtype=np.intp), warnings=np.array([], dtype=np.intp), n=len(stream))


def ddm(
    is_wrong: ArrayLike, *, warning_level: float = 2.0, drift_level: float = 3.0, min_instances: int = 30
) -> DriftAlarms:
    """Find increases in the error rate of a classifier above its previous minimum in a stream.

    Parameters
    ----------
    is_wrong : array_like of shape (n,)
        Whether each prediction is incorrect (True or 1), in the order of the stream.
    warning_level, drift_level : float, default: 2 and 3
        Numbers of standard deviations above the smallest error rate at which a warning and an alarm, respectively, are
        raised.
    min_instances : int, default: 30
        Number of initial instances that cannot cause a warning or an alarm.

    Returns
    -------
    DriftAlarms
        The same result as from a loop over `DDM.update`.

    Raises
    ------
    ValueError
        If a value is neither true nor false, there is no value, or an option is out of range.
    TypeError
        If values are not numbers.

    References
    ----------
    Gama, J., Medas, P., Castillo, G. & Rodrigues, P. (2004). Learning with drift detection. SBIA, 286-295.

    Examples
    --------
    >>> from evalstats.metrics import ddm
    >>> found = ddm([i % 5 == 0 or i >= 100 for i in range(200)])
    >>> found.alarms
    array([110])
    >>> found.warnings
    array([105, 106, 107, 108, 109])
    """
    warning_level, drift_level, min_instances = _ddm_choices(warning_level, drift_level, min_instances)
    stream = stream_of(_checks.right_or_wrong(is_wrong, "is_wrong"), "is_wrong")
    alarms: list[int] = []
    suspected: list[IndexArray] = []
    position = n_before = errors = 0
    best = (math.inf, math.inf)
    while position < len(stream):
        part = stream[position : position + AT_ONCE]
        n = np.arange(n_before + 1.0, n_before + 1 + len(part))
        found = np.cumsum(part, dtype=np.float64)
        found += errors
        rate = found / n
        spread = np.sqrt(rate * (1 - rate) / n)
        now = rate + spread
        now[: max(min_instances - n_before, 0)] = np.nan  # a threshold that no value exceeds
        bests, lengths = _bests(rate, spread, now, best)
        high = np.flatnonzero(now > np.repeat(bests[0] + drift_level * bests[1], lengths))
        end = int(high[0]) if len(high) else len(part)
        suspected.append(
            position + np.flatnonzero((now > np.repeat(bests[0] + warning_level * bests[1], lengths))[:end])
        )
        if len(high):
            alarms.append(position + end)
            position, n_before, errors, best = alarms[-1] + 1, 0, 0, (math.inf, math.inf)
        else:
            position, n_before, errors = position + len(part), int(n[-1]), int(found[-1])
            best = float(bests[0, -1]), float(bests[1, -1])
    return DriftAlarms(alarms=np.array(alarms, dtype=np.intp), warnings=np.concatenate(suspected), n=len(stream))


def _bests(
    rate: FloatArray, spread: FloatArray, now: FloatArray, best: tuple[float, float]
) -> tuple[FloatArray, IndexArray]:
    """Return the rate and SD at each running minimum of their sum, and for how many instances it is the minimum.

    The first returned pair is the previous minimum. If two sums are equal, the earlier pair is used.
    """
    if not np.fmin.reduce(now) < best[0] + best[1]:
        return np.array(best)[:, None], np.array([len(now)])
    least = np.fmin.accumulate(np.append(best[0] + best[1], now))
    new = np.flatnonzero(least[1:] < least[:-1])
    lengths = np.diff(new, prepend=0, append=len(now))
    return np.column_stack([best, (rate[new], spread[new])]), lengths


def _page_hinkley_choices(delta: Any, threshold: Any, min_instances: Any) -> tuple[float, float, int]:
    small, far = _checks.real(delta, "delta"), _checks.real(threshold, "threshold")
    if not 0 <= small <= _checks.LARGEST_SCORE:
        raise InvalidValueError(f"delta must be between 0 and 1e150, not {short(delta)}")
    if not 0 < far < math.inf:
        raise InvalidValueError(f"threshold must be above 0, not {short(threshold)}")
    return small, far, _checks.count(min_instances, "min_instances")


def _ddm_choices(warning_level: Any, drift_level: Any, min_instances: Any) -> tuple[float, float, int]:
    low, high = _checks.real(warning_level, "warning_level"), _checks.real(drift_level, "drift_level")
    if not 0 < low <= high < math.inf:
        levels = f"{short(warning_level)} and {short(drift_level)}"
        raise InvalidValueError(f"warning_level must be greater than 0 and at most drift_level, but they are {levels}")
    return low, high, _checks.count(min_instances, "min_instances")


def _finite(value: Any) -> float:
    if type(value) is float and -math.inf < value < math.inf:  # the general check takes three times as long
        return value
    number = float(value) if isinstance(value, bool | np.bool_) else _checks.real(value, "value")
    if not math.isfinite(number):
        raise InvalidValueError(f"value must be finite, not {short(value)}")
    return number


def _truth(value: Any) -> bool:
    if isinstance(value, bool | np.bool_) or (isinstance(value, int | np.integer) and value in (0, 1)):
        return bool(value)
    raise InvalidValueError(f"is_wrong must be True or False, or 1 or 0, not {short(value)}")


def stream_of(values: Any, name: str) -> FloatArray:
    """Return finite values in the order of the stream."""
    stream = _checks.moderate(_checks.finite(_checks.numbers(values, name), name), name)
    if stream.ndim != 1 or stream.size == 0:
        raise InvalidValueError(f"{name} must have the shape (n,) with n of 1 or more, but its shape is {stream.shape}")
    return stream


def adwin(values: ArrayLike, *, delta: float = 0.002, clock: int = 32) -> DriftAlarms:
    """Find increases and decreases in the mean of a stream with an adaptive window (ADWIN).

    The window grows while its parts have similar means. If their means differ, the window drops its older part. The
    function does not report the size or the speed of a change. The algorithm is in the package river, which must be
    installed.

    Parameters
    ----------
    values : array_like of shape (n,)
        Losses, or 1 and 0 for incorrect and correct predictions, in the order of the stream.
    delta : float, default: 0.002
        Confidence parameter of ADWIN, between 0 and 1. A smaller value causes fewer false alarms but later detection.
    clock : int, default: 32
        Number of values between two checks of the window.

    Returns
    -------
    DriftAlarms
        The `alarms`. `warnings` is empty.

    Raises
    ------
    ValueError
        If a value is not finite, there is no value, or an option is out of range.
    TypeError
        If values are not numbers.
    EvalstatsError
        If river is not installed.

    See Also
    --------
    page_hinkley, ddm : methods that do not need river.

    References
    ----------
    Bifet, A. & Gavaldà, R. (2007). Learning from time-changing data with adaptive windowing. SIAM International
    Conference on Data Mining, 443-448.

    Examples
    --------
    >>> from evalstats.metrics import adwin
    >>> adwin([0, 1, 0, 0, 0] * 60 + [1, 1, 1, 0, 1] * 60).alarms
    array([351])
    """
    level, clock = _checks.proportion(delta, "delta"), _checks.count(clock, "clock")
    stream = stream_of(values, "values")
    method = _detector(level, clock)
    alarms = []
    for i, value in enumerate(stream.tolist()):
        method.update(value)
        if method.drift_detected:
            alarms.append(i)
    return DriftAlarms(alarms=np.array(alarms, dtype=np.intp), warnings=np.array([], dtype=np.intp), n=len(stream))


def _detector(delta: float, clock: int) -> Any:
    try:
        from river.drift import ADWIN
    except ImportError as error:
        raise EvalstatsError("river is needed for adwin; install classifier-evalstats[streams]") from error
    return ADWIN(delta=delta, clock=clock)
