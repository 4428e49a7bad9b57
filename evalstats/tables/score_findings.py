"""Which scores look wrong? Another scale, equal columns, numbers beyond the scale, zeros of runs that failed."""

from __future__ import annotations

__all__ = ["value_findings"]

from collections.abc import Iterator, Sequence

import numpy as np

from evalstats._findings import Finding
from evalstats._types import BoolArray, FloatArray
from evalstats.tables.grid import examples, listed, short

# with fewer rows, equal columns are no surprise
FEWEST_EQUAL = 3
# a score of 0 is no surprise where others are smaller than this share of the scale
NEAR_ZERO = 0.2


def value_findings(scores: FloatArray, datasets: Sequence[str], classifiers: Sequence[str]) -> tuple[Finding, ...]:
    """Return what looks wrong in scores of shape (n_datasets, n_classifiers); nan is missing."""
    if scores.shape[1] < 2 or np.isnan(scores).all():
        return ()
    with np.errstate(over="ignore", invalid="ignore"):  # scores near the largest float
        return (
            *_another_scale(scores, classifiers),
            *_equal_columns(scores, classifiers),
            *_beyond_the_scale(scores, datasets, classifiers),
            *_zeros(scores, datasets, classifiers),
        )


def _another_scale(scores: FloatArray, classifiers: Sequence[str]) -> Iterator[Finding]:
    """Find shares of one beside percentages."""
    of_one: BoolArray = (np.nanmin(scores, axis=0) >= 0) & (np.nanmax(scores, axis=0) <= 1)
    of_hundred: BoolArray = (np.nanmedian(scores, axis=0) > 1.5) & (np.nanmax(scores, axis=0) <= 100)
    if of_one.any() and of_hundred.any() and (of_one | of_hundred).all():
        few = of_one if of_one.sum() <= of_hundred.sum() else of_hundred
        names = listed([name for name, is_one in zip(classifiers, few, strict=True) if is_one])
        yield _warning("another-scale", f"The scores of {names} are on another scale than those of the others.")


def _equal_columns(scores: FloatArray, classifiers: Sequence[str]) -> Iterator[Finding]:
    if len(scores) < FEWEST_EQUAL:
        return
    columns, group = np.unique(scores, axis=1, return_inverse=True)
    if columns.shape[1] == scores.shape[1] or np.isnan(scores).any():
        return
    for number in np.flatnonzero(np.bincount(group.ravel()) > 1).tolist():
        names = listed([classifiers[j] for j in np.flatnonzero(group.ravel() == number).tolist()])
        yield _warning("equal-columns", f"{names} have the same score on every dataset: is one a copy of the other?")


def _beyond_the_scale(scores: FloatArray, datasets: Sequence[str], classifiers: Sequence[str]) -> Iterator[Finding]:
    """Find numbers above 100 among percentages, or above 1 among shares."""
    for top in (100.0, 1.0):
        above: BoolArray = scores > top
        n = int(above.sum())
        typical = np.nanmedian(scores)
        if n and n <= 0.05 * scores.size and np.nanmin(scores) >= 0 and top / 20 < typical <= top:
            places = _places(scores, above, datasets, classifiers)
            yield _warning("beyond-the-scale", f"All other scores are at most {top:g}, but not {places}.")
            return


def _zeros(scores: FloatArray, datasets: Sequence[str], classifiers: Sequence[str]) -> Iterator[Finding]:
    """Find zeros where every other score is far from 0: the score of a run that failed."""
    zero: BoolArray = scores == 0
    rest = scores[~zero & ~np.isnan(scores)]
    if zero.any() and rest.size and 10 * zero.sum() <= scores.size and rest.min() > NEAR_ZERO * np.median(rest):
        places = _places(scores, zero, datasets, classifiers)
        yield _warning(
            "zeros", f"Scores of 0 among scores of {rest.min():g} and more, as of runs that failed: {places}."
        )


def _places(scores: FloatArray, at: BoolArray, datasets: Sequence[str], classifiers: Sequence[str]) -> str:
    return examples(
        [f"{short(datasets[i])} / {short(classifiers[j])} ({scores[i, j]:g})" for i, j in np.argwhere(at).tolist()], 3
    )


def _warning(code: str, sentence: str) -> Finding:
    return Finding(code=code, severity="warning", sentence=sentence)
