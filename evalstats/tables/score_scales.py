"""Checks that all scores have one unit, such as proportions or percentages, within the limits of their metric."""

from __future__ import annotations

__all__ = ["range_findings", "scale_doubts"]

from collections.abc import Iterator, Sequence

import numpy as np

from evalstats._errors import examples
from evalstats._findings import Finding
from evalstats._lexicon import word_list
from evalstats._types import BoolArray, FloatArray
from evalstats.metrics.directions import words_of
from evalstats.tables.errors import short
from evalstats.tables.score_checks import value_findings

# metrics between 0 and 1, or -1 and 1, by words of their names
_SHARES = frozenset(word_list("metrics.share"))
_SIGNED = frozenset(word_list("metrics.signed"))
_SHARES_OF_WORDS = tuple(set(name.split("_")) for name in word_list("metrics.share_apart"))
# with these words the limits differ
_OTHERWISE = frozenset(word_list("metrics.other_scale"))
SHARES, SIGNED, BRIER = (0.0, 1.0), (-1.0, 1.0), (0.0, 2.0)
# gains in percent that are all this small are more often proportions by mistake
SMALL_PERCENTAGES = 10.0
# in another unit a score is a hundred times as large; half as good, it still is so many times as large
FAR = 5.0
# what in a table may be numbers in two units
_OF_UNITS = ("another-scale", "rows-of-another-scale", "beyond-the-scale", "negative-marks", "out-of-range")


def _limits_of_metric(name: str) -> tuple[float, float] | None:
    """Return the smallest and the largest value of a metric, by the words of its name; None if unknown.

    Examples
    --------
    >>> from evalstats.tables.score_scales import _limits_of_metric
    >>> [_limits_of_metric(name) for name in ("Test accuracy (%)", "MCC", "log_loss")]
    [(0.0, 1.0), (-1.0, 1.0), None]
    """
    words = {word.casefold() for word in words_of(name)}
    if words & _OTHERWISE:
        return None
    if words & _SIGNED:
        return SIGNED if words.isdisjoint({"1", "100"}) else None
    if "brier" in words:
        return BRIER
    return SHARES if words & _SHARES or any(of_name <= words for of_name in _SHARES_OF_WORDS) else None


def range_findings(
    scores: FloatArray, datasets: Sequence[str], classifiers: Sequence[str], metric: str, unit: str
) -> tuple[Finding, ...]:
    """Warn about scores that the metric cannot have, as proportions or as percentages.

    Parameters
    ----------
    scores : ndarray of shape (n_datasets, n_classifiers)
        nan is missing.
    datasets, classifiers : sequence of str
        Their names.
    metric, unit : str
        What was measured, and in which unit; without a unit both are tried.

    Returns
    -------
    tuple of Finding
    """
    limits = _limits_of_metric(metric)
    if limits is None or _lies_in(scores, limits, 100.0 if unit == "%" else 1.0).all():
        return ()
    wrong = ~_lies_in(scores, limits, 100.0)
    if not wrong.any() and limits != BRIER:
        return ()
    wrong = wrong if wrong.any() else ~_lies_in(scores, limits, 1.0)
    return (_out_of_range(scores, wrong, datasets, classifiers, metric, limits),)


def scale_doubts(
    scores: FloatArray,
    datasets: Sequence[str],
    classifiers: Sequence[str],
    *,
    metric: str,
    unit: str,
    greater_is_better: bool,
) -> tuple[Finding, ...]:
    """Return every reason to doubt that two columns of scores are in one unit, or that a metric can have them.

    The doubts include all warnings of `compare` and others, because a gate must not pass on ambiguous numbers.

    Parameters
    ----------
    scores : ndarray of shape (n_datasets, 2)
        Of the two sides.
    datasets, classifiers : sequence of str
        Their names.
    metric, unit : str
        What was measured, and in which unit.
    greater_is_better : bool
        Its direction.

    Returns
    -------
    tuple of Finding
        None if all numbers can be read in one way only.
    """
    limits = _limits_of_metric(metric)
    if unit == "%" or (limits is not None and _lies_in(scores, limits, 1.0).all()):
        return range_findings(scores, datasets, classifiers, metric, unit)
    found = [
        *(one for one in value_findings(scores, datasets, classifiers) if one.code in _OF_UNITS),
        *range_findings(scores, datasets, classifiers, metric, unit),
    ]
    if found:
        return tuple(found)
    if limits is not None:
        return tuple(_may_be_shares(scores, datasets, classifiers, metric, limits, greater_is_better))
    return tuple(_may_be_of_two_units(scores, datasets, classifiers))


def _lies_in(scores: FloatArray, limits: tuple[float, float], factor: float) -> BoolArray:
    """Return which scores are within the limits of a metric; a missing score counts as within."""
    low, high = (factor * limit for limit in limits)
    return np.asarray(np.isnan(scores) | ((scores >= low) & (scores <= high)))


def _may_be_shares(
    scores: FloatArray,
    datasets: Sequence[str],
    classifiers: Sequence[str],
    metric: str,
    limits: tuple[float, float],
    greater_is_better: bool,
) -> Iterator[Finding]:
    """Find percentages that may be shares, or shares beyond their limit."""
    share: BoolArray = (scores != 0) & _lies_in(scores, limits, 1.0) & ~np.isnan(scores)
    if share.any():
        places = _places(scores, share, datasets, classifiers)
        yield _doubt("another-scale", f"Among percentages, these may be proportions: {places}.")
    elif greater_is_better and np.nanmax(np.abs(scores)) <= SMALL_PERCENTAGES:
        yield _out_of_range(scores, ~_lies_in(scores, limits, 1.0), datasets, classifiers, metric, limits)


def _may_be_of_two_units(scores: FloatArray, datasets: Sequence[str], classifiers: Sequence[str]) -> Iterator[Finding]:
    """Find proportions on one side only, for a metric with unknown limits."""
    share: BoolArray = (scores >= 0) & (scores <= 1)
    other: BoolArray = scores > 1
    low, high = np.nanmin(scores, axis=1), np.nanmax(scores, axis=1)
    is_far: BoolArray = share.any(axis=1) & other.any(axis=1) & (low > 0) & (high >= FAR * low)
    for j in range(scores.shape[1]):
        if share[:, j].all() and np.delete(other, j, axis=1).all():
            is_far = np.ones_like(is_far)
    if is_far.any():
        places = _places(scores, np.outer(is_far, np.ones(scores.shape[1])) > 0, datasets, classifiers)
        yield _doubt("another-scale", f"These may be proportions among percentages: {places}.")


def _out_of_range(
    scores: FloatArray,
    wrong: BoolArray,
    datasets: Sequence[str],
    classifiers: Sequence[str],
    metric: str,
    limits: tuple[float, float],
) -> Finding:
    low, high = limits
    per_cent = "" if limits == BRIER else f", or {100 * low:g} and {100 * high:g} in per cent"
    places = _places(scores, wrong, datasets, classifiers)
    return _doubt(
        "out-of-range", f"Scores of {short(metric)} lie between {low:g} and {high:g}{per_cent}, but not {places}."
    )


def _places(scores: FloatArray, at: BoolArray, datasets: Sequence[str], classifiers: Sequence[str]) -> str:
    return examples(
        [f"{short(datasets[i])} / {short(classifiers[j])} ({scores[i, j]:g})" for i, j in np.argwhere(at).tolist()], 3
    )


def _doubt(code: str, sentence: str) -> Finding:
    return Finding(code=code, severity="warning", sentence=sentence)
