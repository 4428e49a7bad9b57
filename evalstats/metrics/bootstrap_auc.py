"""Which areas under the ROC curve could other cases of the same kind have given?"""

from __future__ import annotations

__all__ = ["bootstrap_auc_interval", "bootstrap_auc_scores"]

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks, _labels
from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats._types import BoolArray, FloatArray, IndexArray, IntArray
from evalstats.metrics.bootstrap_limits import Asked, BootstrapInterval, LeftOut, chunks, interval_of, joined_intervals
from evalstats.metrics.class_encoding import distinct, in_order, shown, understand
from evalstats.metrics.integer_counts import place_of
from evalstats.metrics.positive_class import cases_of

# cases that are drawn together: their counts stay in the cache, and 16 random bits choose one
BLOCK = 2**16
# one binomial number costs about as much as drawing this many cases and counting them
CASES_PER_CELL = 12


def bootstrap_auc_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    method: str = "bca",
    confidence_level: float = 0.95,
    n_resamples: int = 999,
    rng: Any = None,
) -> BootstrapInterval:
    """Tell how far the area under the ROC curve may lie from its value on other cases.

    Parameters
    ----------
    y_true : array_like of shape (..., n)
        True classes, two in all; leading axes are a batch and broadcast.
    y_score : array_like of shape (..., n)
        Scores; larger for the positive class. Equal scores are ties and count one half.
    pos_label : label, optional
        The positive class; the default is the last one in sorted order.
    method, confidence_level
        As in `bootstrap_interval`.
    n_resamples : int, default: 999
        Number of bootstrap replicates.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is. The problems of a batch are drawn one after another.

    Returns
    -------
    BootstrapInterval
        Replicates that hold one class only are left out.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, a score is not finite, or a problem does not hold both classes.

    Notes
    -----
    Neighbouring scores of cases of one class may be merged without changing any replicate. Where few cells remain,
    as with tied scores, their counts are drawn; otherwise the cases are drawn, in blocks that fit into the cache.

    Examples
    --------
    >>> from evalstats.metrics import bootstrap_auc_interval
    >>> y_true = [0, 0, 1, 0, 0, 1, 0, 1, 1, 1] * 10
    >>> interval = bootstrap_auc_interval(y_true, list(range(10)) * 10, rng=0)
    >>> print(f"{interval.estimate:.2f}, from {interval.low:.2f} to {interval.high:.2f}")
    0.84, from 0.74 to 0.91
    """
    asked = Asked.understand(method, confidence_level, n_resamples)
    true, scores = _understand_scores(y_true, y_score, pos_label)
    source = _checks.random_source(rng)
    generator = source.generator()

    intervals = []
    for at in np.ndindex(scores.shape[:-1]):
        axis = _sorted_axis(true[at], scores[at])
        replicates = np.concatenate(list(_auc_replicates(axis, asked.n_resamples, generator)))
        left_out = _auc_left_out(axis) if asked.method == "bca" else None
        intervals.append(interval_of(_auc(axis, axis.counts.astype(np.float64)), replicates, left_out, asked))

    return joined_intervals(intervals, scores.shape[:-1], asked, source)


def bootstrap_auc_scores(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, n_resamples: int = 999, rng: Any = None
) -> FloatArray:
    """Draw the areas under the ROC curve that other cases of the same kind could have given.

    Parameters
    ----------
    y_true, y_score, pos_label, n_resamples
        As in `bootstrap_auc_interval`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is. The problems of a batch are drawn one after another.

    Returns
    -------
    ndarray of shape (..., n_resamples)
        nan where only one class was drawn.

    Raises
    ------
    ValueError, TypeError
        As `bootstrap_auc_interval`.

    Examples
    --------
    >>> from evalstats.metrics import bootstrap_auc_scores
    >>> bootstrap_auc_scores([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4], n_resamples=3, rng=0)
    array([nan,  1.,  1.])
    """
    n_resamples = _checks.count(n_resamples, "n_resamples")
    true, scores = _understand_scores(y_true, y_score, pos_label)
    generator = _checks.generator(rng)

    drawn = [
        np.concatenate(list(_auc_replicates(_sorted_axis(true[at], scores[at]), n_resamples, generator)))
        for at in np.ndindex(scores.shape[:-1])
    ]

    return np.stack(drawn).reshape((*scores.shape[:-1], n_resamples))


class _Axis(NamedTuple):
    """Cells of cases in the order of their scores, each of one class; equal scores give two cells, negative first.

    `tied` are the negative cells that share their score with the positive cell that follows.
    """

    counts: IntArray
    positive: BoolArray
    tied: IndexArray


def _sorted_axis(positive: BoolArray, scores: FloatArray) -> _Axis:
    """Return the cells; cases of one class that no other case stands between are one cell."""
    order = np.lexsort((positive, scores))
    scores, positive = scores[order], positive[order]
    new_score = np.concatenate([[True], scores[1:] != scores[:-1]])
    new_class = np.diff(positive.astype(np.int8), prepend=-1) != 0
    # cells of equal score and class, then runs of cells of one class that are not tied with the other class
    start = np.flatnonzero(new_score | new_class)
    cell_positive, cell_new_score = positive[start], new_score[start]
    tied = ~cell_new_score
    tied[:-1] |= tied[1:]
    same_class = np.diff(cell_positive.astype(np.int8), prepend=-1) == 0
    merged = same_class & ~tied & ~np.concatenate([[False], tied[:-1]])
    start, cell_positive, cell_new_score = start[~merged], cell_positive[~merged], cell_new_score[~merged]
    counts = np.diff(start, append=len(scores))
    return _Axis(counts.astype(np.int64), cell_positive, np.flatnonzero(~cell_new_score) - 1)


def _auc(axis: _Axis, counts: FloatArray) -> FloatArray:
    """Return the area for counts of shape (..., n_cells), nan where a class is missing: Hanley & McNeil (1982)."""
    negatives = np.where(axis.positive, 0.0, counts)
    positives = counts - negatives
    below = np.cumsum(negatives, axis=-1)
    total = below[..., -1] * positives.sum(axis=-1)
    # a positive counts the negatives below it; those of its own score count one half
    wins = np.einsum("...i,...i->...", positives, below)
    ties = np.einsum("...i,...i->...", negatives[..., axis.tied], positives[..., axis.tied + 1])
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(total > 0, (wins - ties / 2) / total, np.nan))


def _auc_replicates(axis: _Axis, n_resamples: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    n_cells, n = len(axis.counts), int(axis.counts.sum())
    if n_cells * CASES_PER_CELL < n:
        for size in chunks(n_resamples, n_cells):
            yield _auc(axis, rng.multinomial(n, axis.counts / n, size=size).astype(np.float64))
        return
    starts = np.concatenate([[0], np.cumsum(axis.counts)[:-1]])
    for _ in range(n_resamples):
        drawn = np.add.reduceat(_drawn_cases(n, rng), starts)
        yield _auc(axis, drawn.astype(np.float64))[None]


def _drawn_cases(n: int, rng: np.random.Generator) -> IndexArray:
    """Return how often each of n cases is drawn in n draws: first how often each block, then within the block."""
    sizes = np.full(-(-n // BLOCK), BLOCK)
    sizes[-1] = n - BLOCK * (len(sizes) - 1)
    drawn = np.empty(n, dtype=np.intp)
    for number, draws in enumerate(rng.multinomial(n, sizes / n)):
        cases = rng.integers(0, sizes[number], size=draws, dtype=np.uint16)
        drawn[number * BLOCK : (number + 1) * BLOCK] = np.bincount(cases, minlength=sizes[number])
    return drawn


def _auc_left_out(axis: _Axis) -> LeftOut:
    """Leave out one case of each cell: the sum loses the pairs of that case, and the number of pairs too."""
    counts = axis.counts.astype(np.float64)
    negatives = np.where(axis.positive, 0.0, counts)
    positives = counts - negatives
    n_negative, n_positive = negatives.sum(), positives.sum()
    below, above = np.cumsum(negatives), n_positive - np.cumsum(positives)
    won = np.where(axis.positive, below, above)
    won[axis.tied + 1] -= negatives[axis.tied] / 2
    won[axis.tied] -= positives[axis.tied + 1] / 2
    wins = np.sum(positives * won)
    pairs_left = np.where(axis.positive, (n_positive - 1) * n_negative, n_positive * (n_negative - 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return LeftOut(np.where(pairs_left > 0, (wins - won) / pairs_left, np.nan), axis.counts)


def _understand_scores(y_true: Any, y_score: Any, pos_label: Any) -> tuple[BoolArray, FloatArray]:
    """Return who is positive, and the scores, broadcast against each other."""
    _labels.same_labels(y_true=y_true, y_score=y_score)
    true = understand(y_true, "y_true")
    scores = _checks.finite(_checks.numbers(y_score, "y_score"), "y_score")
    n = true.array.shape[-1]
    if scores.ndim == 0 or scores.shape[-1] != n:
        raise InvalidValueError(
            f"y_true and y_score must be paired: y_true has {n} labels, y_score has the shape {scores.shape}"
        )
    names = in_order(distinct(true))
    if len(names) != 2:
        raise InvalidValueError(f"y_true must hold two classes, but it holds {len(names)}: {shown(names)}")
    if pos_label is not None and not _checks.is_among(pos_label, names):
        raise InvalidValueError(f"pos_label must be one of {shown(names)}, not {short(pos_label)}")
    positive = cases_of(true.array, names[1] if pos_label is None else pos_label)
    n_positive = positive.sum(axis=-1)
    if (wrong := (n_positive == 0) | (n_positive == n)).any():
        raise InvalidValueError(f"y_true must hold both classes, but y_true{place_of(np.argwhere(wrong)[0])} holds one")
    try:
        positive, scores = np.broadcast_arrays(positive, scores)
    except ValueError as error:
        raise InvalidValueError(
            f"the leading axes of y_true and y_score must broadcast, but the shapes are {positive.shape} and "
            f"{scores.shape}"
        ) from error
    return positive, scores
