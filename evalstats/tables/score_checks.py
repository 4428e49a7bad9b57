"""Checks for faulty scores: mixed units, equal columns, values beyond the scale, and marks of failed runs."""

from __future__ import annotations

__all__ = ["range_findings", "scale_doubts", "small_scores", "value_findings"]

from collections.abc import Iterator, Sequence

import numpy as np

from evalstats._errors import examples, listed
from evalstats._findings import Finding
from evalstats._lexicon import word_list
from evalstats._types import BoolArray, FloatArray
from evalstats.metrics.directions import words_of
from evalstats.tables.errors import short

# equal columns of fewer rows are plausible
FEWEST_EQUAL = 3
# a score of 0 is plausible if other scores are below this proportion of the scale
NEAR_ZERO = 0.2
LARGE = 10.0  # above any proportion, and below most percentages
# minimum number of scores, and minimum ratio to the next score, at which a number probably lacks its decimal point
FEWEST_FAR, FAR = 6, 5
# minimum ratio of all datasets or classifiers to those with a different unit
FEWEST_BESIDE = 3
# scores of an unnamed metric below this value are probably error rates
SMALL = 0.2


def value_findings(scores: FloatArray, datasets: Sequence[str], classifiers: Sequence[str]) -> tuple[Finding, ...]:
    """Return findings on faulty scores of shape (n_datasets, n_classifiers). Missing scores are nan."""
    if scores.shape[1] < 2 or np.isnan(scores).all():
        return ()
    of_scales: tuple[Finding, ...] = ()
    of_units: tuple[Finding, ...] = ()
    with np.errstate(over="ignore", invalid="ignore"):  # scores near the largest float
        if np.nanmax(scores) > 1:  # proportions have one scale
            of_scales, of_units = _of_scales(scores, datasets, classifiers)
        return (
            *of_scales,
            *_equal_columns(scores, classifiers),
            *of_units,
            *_zeros(scores, datasets, classifiers),
            *_negative_marks(scores, datasets, classifiers),
            *_extended(datasets),
        )


def _of_scales(
    scores: FloatArray, datasets: Sequence[str], classifiers: Sequence[str]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Return the findings on different scales, and the findings on single scores and on units."""
    of_scales = (*_another_scale(scores, classifiers), *_rows_of_another_scale(scores, datasets))
    of_scores = (*_beyond_the_scale(scores, datasets, classifiers),)
    if of_scales:
        return of_scales, of_scores
    of_units = (*_of_another_unit(scores, datasets, "dataset"), *_of_another_unit(scores.T, classifiers, "classifier"))
    return (), (*of_scores, *of_units)


def _extended(datasets: Sequence[str]) -> Iterator[Finding]:
    """Yield a warning about datasets such as ``humaneval+`` next to ``humaneval``, which have the same questions."""
    if "+" not in "".join(datasets):  # in less time than one name after the other
        return
    names = set(datasets)
    found = [name for name in datasets if len(name) > 1 and name.endswith("+") and name[:-1].rstrip() in names]
    if found:
        sentence = (
            f"{listed(found)} {'has' if len(found) == 1 else 'have'} the name of another dataset and a final +: if "
            "the questions are the same, these datasets are not independent, but each counts separately."
        )
        yield _warning("extended-datasets", sentence)


def small_scores(scores: FloatArray, metric: str) -> tuple[Finding, ...]:
    """Return a note if the direction of the metric is unknown and all scores are as small as error rates."""
    if scores.shape[1] < 2 or not 0 < np.fmax.reduce(scores, axis=None) < SMALL or np.nanmin(scores) < 0:
        return ()
    sentence = (
        f"All scores are below {SMALL:g}, like error rates, and {short(metric)} does not show whether higher is "
        "better: higher is treated as better."
    )
    return (_warning("small-scores", sentence),)


def _another_scale(scores: FloatArray, classifiers: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding on columns of proportions in a table of percentages."""
    largest = np.nanmax(scores, axis=0)
    of_one: BoolArray = (np.nanmin(scores, axis=0) >= 0) & (largest <= 1)
    if not of_one.any() or of_one.all():
        return
    of_hundred: BoolArray = (np.nanmedian(scores, axis=0) > 1.5) & (largest <= 100)
    if (of_one | of_hundred).all():
        few = of_one if of_one.sum() <= of_hundred.sum() else of_hundred
        names = listed([name for name, is_one in zip(classifiers, few, strict=True) if is_one])
        yield _warning("another-scale", f"The scores of {names} are on a different scale from the other scores.")


def _rows_of_another_scale(scores: FloatArray, datasets: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding on datasets with proportions in a table of percentages."""
    largest = np.fmax.reduce(scores, axis=1, initial=-np.inf)
    of_one: BoolArray = (np.nanmin(scores) >= 0) & (largest <= 1)
    if not of_one.any() or of_one.all():
        return
    rest = scores[~of_one]
    known = ~np.isnan(rest)
    # more than half of the scores of each other dataset, and not only the best score, must be too large for proportions
    is_large = ((rest > LARGE) & known).sum(axis=1) > known.sum(axis=1) / 2
    if largest.max() <= 100 and np.nanmin(rest) > 1 and is_large.all():
        few = of_one if 2 * of_one.sum() <= len(scores) else ~of_one
        names = listed([name for name, is_one in zip(datasets, few, strict=True) if is_one])
        which = "the dataset" if few.sum() == 1 else "the datasets"
        sentence = f"The scores of {which} {names} are on a different scale from the other scores."
        yield _warning("rows-of-another-scale", sentence)


def _equal_columns(scores: FloatArray, classifiers: Sequence[str]) -> Iterator[Finding]:
    if len(scores) < FEWEST_EQUAL or np.isnan(scores).any():
        return
    alike: dict[bytes, list[str]] = {}
    _, first_score, counts = np.unique(scores[0], return_inverse=True, return_counts=True)
    for j in np.flatnonzero(counts[first_score] > 1).tolist():
        column = scores[:, j] + 0.0  # no negative zero
        alike.setdefault(column.tobytes(), []).append(classifiers[j])
    for names in alike.values():
        if len(names) > 1:
            same = f"{listed(names)} have the same score on every dataset"
            yield _warning("equal-columns", f"{same}: check whether one is a copy.")


def _beyond_the_scale(scores: FloatArray, datasets: Sequence[str], classifiers: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding on numbers above 100 among percentages, or above 1 among proportions."""
    for top in (100.0, 1.0):
        above: BoolArray = scores > top
        n = int(above.sum())
        is_far = n == 1 and scores.size >= FEWEST_FAR and np.nanmax(scores) >= FAR * np.nanmax(scores[~above])
        few = (0 < n <= 0.05 * scores.size or is_far) and np.nanmin(scores) >= 0
        if few and top / 20 < np.nanmedian(scores) <= top:
            places = _places(scores, above, datasets, classifiers)
            yield _warning("beyond-the-scale", f"All scores are at most {top:g}, except {places}.")
            return


def _of_another_unit(scores: FloatArray, names: Sequence[str], what: str) -> Iterator[Finding]:
    """Yield a finding on datasets or classifiers whose numbers are not scores, among proportions or percentages."""
    if len(scores) < FEWEST_BESIDE:
        return
    largest, lowest = np.fmax.reduce(scores, axis=1, initial=-np.inf), np.nanmin(scores)
    for top in (1.0, 100.0):
        far: BoolArray = largest > top
        if lowest < 0 or not 0 < FEWEST_BESIDE * far.sum() <= len(scores) or np.nanmin(scores[far]) <= top:
            continue
        rest = scores[~far]
        middle = np.array([np.median(row[~np.isnan(row)]) for row in scores[far]])
        if np.nanmedian(rest) > top / 20 and (middle >= FAR * top).all():
            named = f"{what}{'s' * int(far.sum() > 1)} {listed([names[i] for i in np.flatnonzero(far).tolist()])}"
            sentence = (
                f"All other scores are at most {top:g}, but the scores of the {named} are far above this value: they "
                "may be "
            )
            yield _warning("another-unit", f"{sentence}sizes, times or counts, which are not scores.")
            return


def _zeros(scores: FloatArray, datasets: Sequence[str], classifiers: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding on zeros if all other scores are far from 0, because failed runs may score 0."""
    zero: BoolArray = scores == 0
    n_zeros = np.count_nonzero(zero)
    if not 0 < 10 * n_zeros <= scores.size:
        return
    n_known = np.count_nonzero(~np.isnan(scores)) - n_zeros
    lowest = np.fmin.reduce(scores, axis=None, initial=np.inf, where=~zero)
    if not n_known or lowest < 0:
        return
    # counting is faster than the median, and is almost always sufficient
    if np.count_nonzero(scores < 1.001 / NEAR_ZERO * lowest) - n_zeros < n_known // 2:
        return
    if lowest > NEAR_ZERO * np.nanmedian(scores[~zero]):
        places = _places(scores, zero, datasets, classifiers)
        yield _warning(
            "zeros",
            f"Some scores are 0, as if runs had failed, although all other scores are at least {lowest:g}: {places}.",
        )


def _negative_marks(scores: FloatArray, datasets: Sequence[str], classifiers: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding on negative integers if no other score is negative, because they may mark failed runs."""
    negative: BoolArray = scores < 0
    n = int(negative.sum())
    if not n or 10 * n > scores.size:
        return
    marks = np.unique(scores[negative])
    if len(marks) == 1 and float(marks[0]).is_integer():
        places = _places(scores, negative, datasets, classifiers)
        sentence = f"All negative scores are {marks[0]:g}, which may mark failed runs: {places}."
        yield _warning("negative-marks", sentence)


def _places(scores: FloatArray, at: BoolArray, datasets: Sequence[str], classifiers: Sequence[str]) -> str:
    return examples(
        [f"{short(datasets[i])} / {short(classifiers[j])} ({scores[i, j]:g})" for i, j in np.argwhere(at).tolist()], 3
    )


def _warning(code: str, sentence: str) -> Finding:
    return Finding(code=code, severity="warning", sentence=sentence)


# --- scales -----------------------------------------------------------------------------------------------------------


# metrics between 0 and 1, or -1 and 1, by words of their names
_SHARES = frozenset(word_list("metrics.share"))
_SIGNED = frozenset(word_list("metrics.signed"))
_SHARES_OF_WORDS = tuple(set(name.split("_")) for name in word_list("metrics.share_apart"))
# words of metrics with other limits
_OTHERWISE = frozenset(word_list("metrics.other_scale"))
SHARES, SIGNED, BRIER = (0.0, 1.0), (-1.0, 1.0), (0.0, 2.0)
# gains in percent that are all below this value are probably proportions
SMALL_PERCENTAGES = 10.0
# minimum ratio of two scores of a dataset that probably have different units
FAR_OUTSIDE = 5.0
# codes of findings on numbers that may have two units
_OF_UNITS = ("another-scale", "rows-of-another-scale", "beyond-the-scale", "negative-marks", "out-of-range")


def _limits_of_metric(name: str) -> tuple[float, float] | None:
    """Return the smallest and the largest value of a metric from the words in its name, or None if unknown.

    Examples
    --------
    >>> from evalstats.tables.score_checks import _limits_of_metric
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
    """Warn about scores out of the range of the metric, both as proportions and as percentages.

    Parameters
    ----------
    scores : ndarray of shape (n_datasets, n_classifiers)
        Scores; missing scores are nan.
    datasets, classifiers : sequence of str
        Names of the datasets and of the classifiers.
    metric, unit : str
        Metric and its unit. Without a unit, both proportions and percentages are allowed.

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
    """Return findings on scores that may have two units or are out of the range of the metric.

    The check is stricter than the warnings of `compare`, because a gate must not pass if the numbers are ambiguous.

    Parameters
    ----------
    scores : ndarray of shape (n_datasets, 2)
        Scores of the baseline and the candidate.
    datasets, classifiers : sequence of str
        Names of the datasets and of the classifiers.
    metric, unit : str
        Metric and its unit.
    greater_is_better : bool
        Direction of the metric.

    Returns
    -------
    tuple of Finding
        Empty if the numbers are unambiguous.
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
    """Return which scores are within the limits of a metric. Missing scores count as within."""
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
    """Yield a finding on percentages that may be proportions, or on proportions beyond the limit."""
    share: BoolArray = (scores != 0) & _lies_in(scores, limits, 1.0) & ~np.isnan(scores)
    if share.any():
        places = _places(scores, share, datasets, classifiers)
        yield _doubt("another-scale", f"These scores may be proportions among percentages: {places}.")
    elif greater_is_better and np.nanmax(np.abs(scores)) <= SMALL_PERCENTAGES:
        yield _out_of_range(scores, ~_lies_in(scores, limits, 1.0), datasets, classifiers, metric, limits)


def _may_be_of_two_units(scores: FloatArray, datasets: Sequence[str], classifiers: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding if only one of two classifiers has proportions and the limits of the metric are unknown."""
    share: BoolArray = (scores >= 0) & (scores <= 1)
    other: BoolArray = scores > 1
    low, high = np.nanmin(scores, axis=1), np.nanmax(scores, axis=1)
    is_far: BoolArray = share.any(axis=1) & other.any(axis=1) & (low > 0) & (high >= FAR_OUTSIDE * low)
    for j in range(scores.shape[1]):
        if share[:, j].all() and np.delete(other, j, axis=1).all():
            is_far = np.ones_like(is_far)
    if is_far.any():
        places = _places(scores, np.outer(is_far, np.ones(scores.shape[1])) > 0, datasets, classifiers)
        yield _doubt("another-scale", f"These scores may be proportions among percentages: {places}.")


def _out_of_range(
    scores: FloatArray,
    wrong: BoolArray,
    datasets: Sequence[str],
    classifiers: Sequence[str],
    metric: str,
    limits: tuple[float, float],
) -> Finding:
    low, high = limits
    per_cent = "" if limits == BRIER else f", or {100 * low:g} and {100 * high:g} in percent"
    places = _places(scores, wrong, datasets, classifiers)
    return _doubt(
        "out-of-range",
        f"Scores of {short(metric)} must lie between {low:g} and {high:g}{per_cent}, but these do not: {places}.",
    )


def _doubt(code: str, sentence: str) -> Finding:
    return Finding(code=code, severity="warning", sentence=sentence)
