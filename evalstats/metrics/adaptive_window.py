"""Has the mean of a stream changed? ADWIN, which keeps as long a window as has no change in it; that of river."""

from __future__ import annotations

__all__ = ["adwin"]

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._checks import EvalstatsError
from evalstats.metrics.drift import DriftAlarms, stream_of


def adwin(values: ArrayLike, *, delta: float = 0.002, every: int = 32) -> DriftAlarms:
    """Find where the mean of a stream has changed, up or down, by an adaptive window.

    The window grows while its parts have like means, and loses its old part where they differ. Nothing is said of how
    large or how fast a change is. The algorithm is that of the package river, which must be installed.

    Parameters
    ----------
    values : array_like of shape (n,)
        Losses, or 1 where a classifier is wrong and 0 where it is right, in the order of the stream.
    delta : float, default: 0.002
        Above 0 and below 1: smaller gives fewer false alarms and later ones.
    every : int, default: 32
        After how many values each the window is looked at.

    Returns
    -------
    DriftAlarms
        With the `alarms`; `warnings` is empty.

    Raises
    ------
    ValueError
        If a value is not finite, there is none, or a choice is out of its range.
    TypeError
        If values are not numbers.
    EvalstatsError
        If river is not installed.

    See Also
    --------
    page_hinkley, ddm : need no other package.

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
    level, clock = _checks.proportion(delta, "delta"), _checks.count(every, "every")
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
