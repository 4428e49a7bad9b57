"""Curves for all thresholds of a score: ROC, precision-recall, cost, gain and lift curves, with bands."""

from __future__ import annotations

__all__ = ["cost_curves", "gain_curves", "lift_curves", "precision_recall_curves", "roc_curves"]

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats import metrics
from evalstats._types import FloatArray
from evalstats.metrics.bootstrap import cost_heights, gain_heights, lift_heights, precision_heights, tpr_heights
from evalstats.plot.curve_drawing import Curve, CurveKind, curve_choices, draw_chance, draw_curves, scored_classifiers
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
    max_shown: int = 10,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the ROC curves of one or more classifiers on the same instances, with confidence bands.

    The legend shows the area under each curve with a confidence interval by DeLong's method, the greatest area first.
    The dotted line shows random guessing. The overlap of bands is not a test, because the curves use the same instances
    (see `delong_test`).

    Parameters
    ----------
    data : Predictions or array_like of shape (n,)
        Result of `read_predictions`, or the true labels.
    y_score : dict of str to array_like, or array_like of shape (n,) or (n_classifiers, n), optional
        Scores of the instances, if `data` contains true labels. A greater score means that the positive class is more
        likely. The keys of a dict are the names.
    names : sequence of str, optional
        Names of the classifiers, for an array of scores.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    dataset, repeat : str, optional
        For predictions: selection of the curves. A name is optional if there is only one choice. The instances of all
        folds of a repeat are pooled into one curve, which assumes that scores of different folds are comparable.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: 1 for labels 0 and 1 or -1 and 1, and True for
        False and True.
    bands : bool, default: True
        Whether to draw percentile intervals for the true positive rate at each false positive rate, for up to four
        classifiers.
    confidence_level : float, default: 0.95
        Nominal coverage of the interval. The level applies to each point, not to the whole curve.
    n_resamples : int, default: 1000
        Number of bootstrap samples of the instances. All classifiers use the same samples.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    max_shown : int, default: 10
        Maximum number of classifiers with a name. These classifiers have the greatest areas. The curves of the other
        classifiers are gray.
    title : str, optional
        Title above the plot.
    caption : bool, default: True
        Whether to write an explanation below the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError
        If lengths differ, a score is not finite, a class has no instance, or the positive class is unknown. If
        `dataset` or `repeat` does not occur in the predictions.
    InvalidTypeError
        If scores are not numbers.

    Notes
    -----
    The coverage of 95% bands was simulated for samples of 100 and 300 instances. It is 0.94 to 0.98 at false positive
    rates up to 0.5, and 0.85 to 0.96 at 0.7. At 0.9, where all bootstrap curves have reached 1, it is 0.30 to 0.57.

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
    choices = curve_choices(bands, confidence_level, n_resamples, rng, max_shown, title, caption, font_size)
    areas = metrics.auc_estimate(scored.positive, scored.scores)
    low, high = areas.confidence_interval(choices.level)
    curves = [
        Curve(curve.fpr, curve.tpr, area, f"{area:.2f}" + ("" if np.isnan(lower) else f" [{lower:.2f}, {upper:.2f}]"))
        for curve, area, lower, upper in zip(
            (metrics.roc_curve(scored.positive, own) for own in scored.scores), areas.estimate, low, high, strict=True
        )
    ]
    what = f"the area under the curve with its {100 * choices.level:.4g}% interval by DeLong's method"
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
    max_shown: int = 10,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the precision-recall curves of one or more classifiers on the same instances, with bands.

    The legend shows the average precision, the greatest first. The dotted line shows random guessing, for which the
    precision is the prevalence. Points are joined by steps, because there are no scores between two adjacent
    thresholds.

    Parameters
    ----------
    data, y_score, names, dataset, repeat, pos_label
        As in `roc_curves`.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    bands : bool, default: True
        Whether to draw percentile intervals for the precision at each recall, for up to four classifiers.
    confidence_level : float, default: 0.95
        Nominal coverage of the interval. The level applies to each point, not to the whole curve.
    n_resamples, max_shown
        As in `roc_curves`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    title : str, optional
        Title above the plot.
    caption : bool, default: True
        Whether to write an explanation below the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError, InvalidTypeError
        Under the same conditions as `roc_curves`.

    Notes
    -----
    The coverage of 95% bands was simulated for samples of 100 and 300 instances. It is 0.94 to 0.96 at recalls of 0.5
    or more, and 0.69 to 0.95 at 0.2 and 0.3. At 0.05 and 0.1, where few instances determine the curve, it is 0.25 to
    0.83.

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
    choices = curve_choices(bands, confidence_level, n_resamples, rng, max_shown, title, caption, font_size)
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


def cost_curves(
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
    max_shown: int = 10,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the expected cost of classifiers over all cost ratios and prevalences, at the best thresholds.

    At each position, the lowest curve is the best. The dotted triangle shows the constant predictions: all instances
    negative, or all positive. At positions where a curve is above the triangle, the classifier is useless. The legend
    shows the area under each curve, the smallest first.

    Parameters
    ----------
    data, y_score, names, dataset, repeat, pos_label
        As in `roc_curves`.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    bands : bool, default: True
        Whether to draw basic bootstrap intervals for the cost, with new thresholds in each sample, for up to four
        classifiers.
    confidence_level : float, default: 0.95
        Nominal coverage of the interval. The level applies to each point, not to the whole curve.
    n_resamples, max_shown
        As in `roc_curves`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    title : str, optional
        Title above the plot.
    caption : bool, default: True
        Whether to write an explanation below the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError, InvalidTypeError
        Under the same conditions as `roc_curves`.

    Notes
    -----
    The thresholds are optimized on the same instances. Therefore, a cost curve is too low, and the bootstrap
    curves are even lower. The band is twice the curve minus the percentiles of the bootstrap curves (the basic
    bootstrap). The coverage of 95% bands was simulated for samples of 100 and 300 instances. It is 0.79 to 0.91 at
    probability costs from 0.2 to 0.7, and 0.64 to 0.85 at 0.05, 0.1 and 0.9. The bands are too narrow, but percentile
    bands would contain the true curve less often.

    References
    ----------
    Drummond, C. & Holte, R. C. (2006). Cost curves: an improved method for visualizing classifier performance. Machine
    Learning 65, 95-130.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> y_true = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    >>> ax = plot.cost_curves(y_true, {"NB": [0.1, 0.3, 0.2, 0.4, 0.5, 0.8, 0.6, 0.7, 0.9, 0.8], "chance": [0.5] * 10})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['NB: 0.100', 'chance: 0.250']
    """
    scored = scored_classifiers(data, y_score, names, dataset, repeat, pos_label)
    choices = curve_choices(bands, confidence_level, n_resamples, rng, max_shown, title, caption, font_size)
    curves = []
    for own in scored.scores:
        curve = metrics.cost_curve(scored.positive, own)
        x = np.append(curve.low, 1.0)
        curves.append(Curve(x, curve.at(x), -curve.area, f"{curve.area:.3f}"))
    ax = draw_curves(
        ax, _COST, scored, curves, choices, "the area under the curve, which is its mean; random guessing has 0.25"
    )
    draw_chance(ax, [0, 0.5, 1], [0, 0.5, 0])
    return ax


def gain_curves(
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
    max_shown: int = 10,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the recall at each proportion of the instances, beginning with the highest scores.

    The dotted line shows a random order. The legend shows the area under each curve, the greatest first.

    Parameters
    ----------
    data, y_score, names, dataset, repeat, pos_label
        As in `roc_curves`.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    bands : bool, default: True
        Whether to draw percentile intervals for the gain at each proportion of the instances, for up to four
        classifiers.
    confidence_level : float, default: 0.95
        Nominal coverage of the interval. The level applies to each point, not to the whole curve.
    n_resamples, max_shown
        As in `roc_curves`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    title : str, optional
        Title above the plot.
    caption : bool, default: True
        Whether to write an explanation below the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError, InvalidTypeError
        Under the same conditions as `roc_curves`.

    Notes
    -----
    The coverage of 95% bands was simulated for samples of 100 and 300 instances. It is 0.93 to 0.99 up to half of the
    instances, and 0.90 to 0.94 at 0.7. At 0.9, where all bootstrap curves have reached 1, it is 0.29 to 0.90.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> y_true = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    >>> ax = plot.gain_curves(y_true, {"NB": [0.1, 0.3, 0.2, 0.4, 0.5, 0.8, 0.6, 0.7, 0.9, 0.8]})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['NB: 0.69']
    """
    scored = scored_classifiers(data, y_score, names, dataset, repeat, pos_label)
    choices = curve_choices(bands, confidence_level, n_resamples, rng, max_shown, title, caption, font_size)
    curves = []
    for own in scored.scores:
        curve = metrics.lift_curve(scored.positive, own)
        area = float(np.sum(np.diff(curve.proportion) * (curve.gain[1:] + curve.gain[:-1])) / 2)
        curves.append(Curve(curve.proportion, curve.gain, area, f"{area:.2f}"))
    ax = draw_curves(ax, _GAIN, scored, curves, choices, "the area under the curve; a random order has 0.50")
    draw_chance(ax, [0, 1], [0, 1])
    return ax


def lift_curves(
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
    max_shown: int = 10,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the lift: the prevalence among the highest-scored instances, relative to all instances.

    The dotted line shows a random order. The legend shows the lift among the first tenth of the instances, the greatest
    first.

    Parameters
    ----------
    data, y_score, names, dataset, repeat, pos_label
        As in `roc_curves`.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    bands : bool, default: True
        Whether to draw percentile intervals for the lift at each proportion of the instances, for up to four
        classifiers.
    confidence_level : float, default: 0.95
        Nominal coverage of the interval. The level applies to each point, not to the whole curve.
    n_resamples, max_shown
        As in `roc_curves`.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    title : str, optional
        Title above the plot.
    caption : bool, default: True
        Whether to write an explanation below the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidValueError, InvalidTypeError
        Under the same conditions as `roc_curves`.

    Notes
    -----
    The coverage of 95% bands was simulated for samples of 100 and 300 instances. It is 0.94 to 0.98 up to half of the
    instances, and 0.91 to 0.98 at 0.7. At 0.9, where nearly all bootstrap curves include all positive instances, it is
    0.32 to 0.88.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> y_true = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    >>> ax = plot.lift_curves(y_true, {"NB": [0.1, 0.3, 0.2, 0.4, 0.5, 0.8, 0.6, 0.7, 0.9, 0.8]})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['NB: 2.00']
    """
    scored = scored_classifiers(data, y_score, names, dataset, repeat, pos_label)
    choices = curve_choices(bands, confidence_level, n_resamples, rng, max_shown, title, caption, font_size)
    curves = []
    for own in scored.scores:
        curve = metrics.lift_curve(scored.positive, own)
        first = float(metrics.lift_score(scored.positive, own))
        x = np.unique(np.concatenate([curve.proportion, np.linspace(0, 1, 201)]))
        y = np.interp(x, curve.proportion, curve.gain) / np.where(x > 0, x, 1.0)
        y[0] = curve.lift[0]
        curves.append(Curve(x, y, first, f"{first:.2f}"))
    ax = draw_curves(ax, _LIFT, scored, curves, choices, "the lift among the first tenth of the instances")
    draw_chance(ax, [0, 1], [1, 1])
    return ax


def _triangle(x: FloatArray) -> FloatArray:
    """Return the smaller cost of the two constant predictions."""
    return np.minimum(x, 1 - x)


_NONE_OR_ALL = "predicting no instance, or every instance, as positive"


_PROBABILITY_COST = "probability cost: the prevalence if both errors cost the same"


_RANDOM = "a random order"


_COST = CurveKind(_PROBABILITY_COST, "normalized expected cost", "default", cost_heights, _NONE_OR_ALL, None, _triangle)


_GAIN = CurveKind(
    "proportion of the instances", "proportion of the positive instances", "default", gain_heights, _RANDOM
)


_LIFT = CurveKind("proportion of the instances", "lift", "default", lift_heights, _RANDOM, top=None)
