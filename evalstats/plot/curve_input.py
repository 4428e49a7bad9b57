"""Input for curves: the scores of classifiers for the same instances, and bootstrap bands."""

from __future__ import annotations

__all__ = ["Scored", "curve_bands", "one_of", "positive_label_of", "refuse", "scored_classifiers"]

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats._types import BoolArray, FloatArray
from evalstats.metrics.bootstrap import Ranked, own_heights, redrawn_heights
from evalstats.metrics.score_input import understand_rankings
from evalstats.tables.predictions import Predictions


class Scored(NamedTuple):
    """Labels (True for positive) and scores of the classifiers, (n_classifiers, n), in the same order of instances."""

    positive: BoolArray
    scores: FloatArray
    names: tuple[str, ...]
    dataset: str


def scored_classifiers(data: Any, y_score: Any, names: Any, dataset: Any, repeat: Any, pos_label: Any) -> Scored:
    """Interpret predictions of one dataset and repeat, or true labels with the scores of each classifier."""
    scored = _understood(data, y_score, names, dataset, repeat, pos_label)
    if scored.positive.all() or not scored.positive.any():
        only = "positive" if scored.positive.any() else "negative"
        raise InvalidValueError(f"y_true must hold positive and negative instances for a curve, but all are {only}")
    return scored


def _understood(data: Any, y_score: Any, names: Any, dataset: Any, repeat: Any, pos_label: Any) -> Scored:
    if isinstance(data, Predictions):
        refuse("the predictions hold it", y_score=y_score, names=names, pos_label=pos_label)
        return _of_predictions(data, dataset, repeat)
    refuse("it selects among predictions from read_predictions", dataset=dataset, repeat=repeat)
    if y_score is None:
        raise InvalidValueError("y_score must hold the scores of the instances, unless data is a Predictions object")
    if isinstance(y_score, Mapping):
        refuse("y_score holds them", names=names)
        for one in y_score.values():
            _labels.same_labels(y_true=data, y_score=one)
        names, y_score = list(y_score), np.array([_checks.numbers(one, "y_score") for one in y_score.values()])
    rankings = understand_rankings(data, y_score, pos_label, None)
    scores = np.atleast_2d(np.asarray(rankings.score, dtype=np.float64))
    if rankings.positive.ndim != 1 or scores.ndim != 2:
        shapes = f"the shapes are {rankings.positive.shape} and {rankings.score.shape}"
        raise InvalidValueError(f"y_true must have the shape (n,) and y_score (n,) or (n_classifiers, n), but {shapes}")
    known = [f"classifier {i + 1}" for i in range(len(scores))] if names is None else names
    labels = [_checks.text(name, "a name") for name in _checks.listed(known, "names", "str")]
    if len(labels) != len(scores):
        n = len(scores)
        raise InvalidValueError(
            f"names must hold one name for each of the {n} classifiers, but the number of names is {len(labels)}"
        )
    return Scored(rankings.positive, scores, tuple(labels), "")


def refuse(why: str, **arguments: Any) -> None:
    """Raise an error for an argument that contradicts another argument."""
    for name, value in arguments.items():
        if value is not None:
            raise InvalidValueError(f"{name} must be left out: {why}")


def positive_label_of(data: Predictions, d: int) -> Any:
    """Return the positive class of a dataset, given by its index."""
    label = data.positives[d]
    if label is None:
        raise InvalidValueError(
            f"pos_label must be given to read_predictions: no label of {short(data.datasets[d])} is known to be the "
            f"positive class"
        )
    return label


def _of_predictions(data: Predictions, dataset: Any, repeat: Any) -> Scored:
    if data.y_score is None:
        raise InvalidValueError(
            "data must hold scores of the instances in a column y_score; predicted labels do not have a curve"
        )
    d, r = one_of(data.datasets, dataset, "dataset"), one_of(data.repeats, repeat, "repeat")
    here = (data.dataset == d) & (data.repeat == r)
    positive_label = positive_label_of(data, d)
    tested = np.unique(data.classifier[here]).tolist()
    rows = [np.flatnonzero(here & (data.classifier == c)) for c in tested]
    if data.instance is not None:
        rows = [own[np.argsort(data.instance[own], kind="stable")] for own in rows]
    elif len(rows) > 1 and any(not np.array_equal(data.y_true[own], data.y_true[rows[0]]) for own in rows):
        raise InvalidValueError(
            "data must name the instances, in a column row: the order of the instances differs between the classifiers"
        )
    positive = data.y_true[rows[0]] == data.labels.index(positive_label)
    names = tuple(data.classifiers[c] for c in tested)
    return Scored(positive, np.array([data.y_score[own] for own in rows]), names, data.datasets[d])


def one_of(known: Sequence[str], value: Any, name: str) -> int:
    """Return the position of the chosen name, or of the only name if no name is chosen."""
    if value is None and len(known) == 1:
        return 0
    if value is None:
        raise InvalidValueError(f"{name} must name one of {', '.join(map(repr, known))}, whose curves are drawn")
    if not _checks.is_among(value, known):
        raise InvalidValueError(f"{name} must be one of {', '.join(map(repr, known))}, not {short(value)}")
    return list(known).index(value)


def curve_bands(
    scored: Scored,
    read: Callable[[Ranked, FloatArray], FloatArray],
    grid: FloatArray,
    *,
    level: float,
    n_resamples: int,
    generator: np.random.Generator,
    greatest: Callable[[FloatArray], FloatArray] | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Compute bootstrap limits of each curve at each point of a grid, of shape (n_classifiers, n_points).

    `read` and the draws are as in `redrawn_heights`. The limits are percentiles, or basic bootstrap limits if the
    `greatest` heights are given. A curve that is the best of many on its own instances is too low. The resampled curves
    are lower by about the same amount again. Percentile limits would then lie on the wrong side of the curve.
    """
    heights = redrawn_heights(scored.positive, scored.scores, read, grid, n_resamples=n_resamples, generator=generator)
    low, high = np.quantile(heights, [(1 - level) / 2, (1 + level) / 2], axis=1, method="linear")
    if greatest is None:
        return low, high
    own = np.array([own_heights(scored.positive, one, read, grid) for one in scored.scores])
    low, high = np.minimum(2 * own - high, own), np.maximum(2 * own - low, own)
    return np.maximum(low, 0.0), np.minimum(high, greatest(grid))
