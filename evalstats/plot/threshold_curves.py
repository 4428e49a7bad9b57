"""What does each threshold of a score gain and cost: ROC and precision-recall curves, and how sure are they?"""

from __future__ import annotations

__all__ = ["precision_recall_curves", "roc_curves"]

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import metrics
from evalstats.metrics.bootstrap_curves import precision_heights, tpr_heights
from evalstats.plot.curve_drawing import Curve, CurveKind, curve_choices, draw_chance, draw_curves
from evalstats.plot.curve_input import scored_classifiers
from evalstats.tables.predictions import Predictions

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def roc_curves(
    data: Predictions | ArrayLike,
    y_score: Mapping[str, ArrayLike] | ArrayLike | None = None,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    dataset: str | None = None,
    repeat: str | None = None,
    pos_label: Any = None,
    bands: bool = True,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    rng: Any = None,
    at_most: int = 10,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Draw the ROC curves of one or several classifiers on the same cases, with bands that say how sure they are.

    The key holds the area under each curve with its interval by DeLong's method, the greatest area first. The dotted
    line is guessing. Bands that overlap are no test: the curves are of the same cases; see `delong_test`.

    Parameters
    ----------
    data : Predictions or array_like of shape (n,)
        What `read_predictions` returned, or the true labels.
    y_score : dict of str to array_like, or array_like of shape (n,) or (n_classifiers, n), optional
        Scores of the cases, if `data` are true labels: greater means more likely positive. A dict brings the names.
    names : sequence of str, optional
        Names of the classifiers, for an array of scores.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.
    dataset, repeat : str, optional
        Of predictions: whose curves are drawn; may be left out where there is one. The cases of all folds of a repeat
        make one curve: scores of different folds are taken for comparable.
    pos_label : label, optional
        The positive class; all others are negative. Without it: 1 of 0 and 1 or of -1 and 1, True of False and True.
    bands : bool, default: True
        Whether to draw percentile intervals of the true positive rate at each false positive rate, for up to four
        classifiers.
    confidence_level : float, default: 0.95
        The interval covers the true value about this often. It is that of each point, not of a whole curve.
    n_resamples : int, default: 1000
        Number of draws of the cases, with replacement; all classifiers have the same draws.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is.
    at_most : int, default: 10
        Number of classifiers that have a name, those with the greatest areas; the curves of the others are grey.
    title : str, optional
        A line above the picture.
    caption : bool, default: True
        Whether to write under the picture how it is read.
    font_size : float, optional
        Size of the text in points; by default matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError
        If lengths differ, a score is not finite, one of the classes has no case, the positive class is not known, or
        `dataset` or `repeat` is not one of the predictions.
    InvalidTypeError
        If scores are not numbers.

    Notes
    -----
    On samples of 100 and 300 cases with a known curve, bands of 95% held it in 0.94 to 0.98 of the samples at false
    positive rates up to 0.5, in 0.85 to 0.96 at 0.7, and in 0.30 to 0.57 at 0.9, where all draws have reached 1.

    References
    ----------
    Fawcett, T. (2006). An introduction to ROC analysis. Pattern Recognition Letters 27, 861-874. Section 7.1.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> y_true = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    >>> ax = plot.roc_curves(y_true, {"NB": [0.1, 0.3, 0.2, 0.4, 0.5, 0.8, 0.6, 0.7, 0.9, 0.8], "chance": [0.5] * 10})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['NB: 0.88 [0.47, 0.98]', 'chance: 0.50 [0.50, 0.50]']
    """
    scored = scored_classifiers(data, y_score, names, dataset, repeat, pos_label)
    choices = curve_choices(bands, confidence_level, n_resamples, rng, at_most, title, caption, font_size)
    areas = metrics.auc_estimate(scored.positive, scored.scores)
    low, high = areas.confidence_interval(choices.level)
    curves = [
        Curve(curve.fpr, curve.tpr, area, f"{area:.2f}" + ("" if np.isnan(lower) else f" [{lower:.2f}, {upper:.2f}]"))
        for curve, area, lower, upper in zip(
            (metrics.roc_curve(scored.positive, own) for own in scored.scores), areas.estimate, low, high, strict=True
        )
    ]
    what = f"the area under the curve with its {100 * choices.level:.4g}% interval by DeLong"
    ax = draw_curves(ax, _ROC, scored, curves, choices, what)
    draw_chance(ax, [0, 1], [0, 1])
    return ax


def precision_recall_curves(
    data: Predictions | ArrayLike,
    y_score: Mapping[str, ArrayLike] | ArrayLike | None = None,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    dataset: str | None = None,
    repeat: str | None = None,
    pos_label: Any = None,
    bands: bool = True,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    rng: Any = None,
    at_most: int = 10,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Draw the precision-recall curves of one or several classifiers on the same cases, with bands.

    The key holds the average precision, the greatest first. The dotted line is guessing, whose precision is the share
    of positive cases. Points are joined by steps: between two thresholds there is no classifier.

    Parameters
    ----------
    data, y_score, names, dataset, repeat, pos_label
        As in `roc_curves`.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.
    bands : bool, default: True
        Whether to draw percentile intervals of the precision at each recall, for up to four classifiers.
    confidence_level : float, default: 0.95
        The interval covers the true value about this often. It is that of each point, not of a whole curve.
    n_resamples, at_most
        As in `roc_curves`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None is the seed 0, so that the same call gives the same result; a whole number is
        the seed; a Generator is used as it is.
    title : str, optional
        A line above the picture.
    caption : bool, default: True
        Whether to write under the picture how it is read.
    font_size : float, optional
        Size of the text in points; by default matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError, InvalidTypeError
        As `roc_curves`.

    Notes
    -----
    On samples of 100 and 300 cases with a known curve, bands of 95% held it in 0.94 to 0.96 of the samples at recalls
    from 0.5 on, in 0.69 to 0.95 at 0.2 and 0.3, and in 0.25 to 0.83 at 0.05 and 0.1, where few cases decide.

    References
    ----------
    Davis, J. & Goadrich, M. (2006). The relationship between precision-recall and ROC curves. ICML, 233-240.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> y_true = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    >>> ax = plot.precision_recall_curves(y_true, {"NB": [0.1, 0.3, 0.2, 0.4, 0.5, 0.8, 0.6, 0.7, 0.9, 0.8]})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['NB: 0.90']
    """
    scored = scored_classifiers(data, y_score, names, dataset, repeat, pos_label)
    choices = curve_choices(bands, confidence_level, n_resamples, rng, at_most, title, caption, font_size)
    curves = []
    for own in scored.scores:
        curve = metrics.precision_recall_curve(scored.positive, own)
        area = float(metrics.average_precision_score(scored.positive, own))
        curves.append(Curve(curve.recall, curve.precision, area, f"{area:.2f}"))
    ax = draw_curves(ax, _PRECISION_RECALL, scored, curves, choices, "the average precision")
    share = float(scored.positive.mean())
    draw_chance(ax, [0, 1], [share, share])
    return ax


_ROC = CurveKind("false positive rate", "true positive rate", "default", tpr_heights, "guessing")
_PRECISION_RECALL = CurveKind("recall", "precision", "steps-post", precision_heights, "guessing")
