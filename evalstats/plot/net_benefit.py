"""Decision curves: the net benefit of several classifiers as a function of the decision threshold."""

from __future__ import annotations

__all__ = ["decision_curves"]

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from evalstats._errors import InvalidValueError
from evalstats.metrics.bootstrap import tpr_heights
from evalstats.metrics.net_benefit import THRESHOLDS, DecisionCurve, decision_curve
from evalstats.metrics.score_input import understand_probabilities
from evalstats.plot import curve_drawing
from evalstats.plot.style import ink
from evalstats.tables.decision_analysis import DecisionAnalysis
from evalstats.tables.predictions import Predictions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SAID = "Bands: {:.4g}% intervals for the {} at each threshold; the bands contain a whole curve less often."
_WHAT = (
    "the thresholds at which a classifier has the largest net benefit, which must exceed the net benefit of "
    "predicting all or no instances as positive"
)
_DOTTED = "predicting every instance (curve), or no instance (horizontal line at 0), as positive"


def decision_curves(
    data: Predictions | DecisionAnalysis | ArrayLike,
    y_score: Mapping[str, ArrayLike] | ArrayLike | None = None,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    dataset: str | None = None,
    repeat: str | None = None,
    pos_label: Any = None,
    thresholds: ArrayLike | None = None,
    bands: bool = True,
    confidence_level: float = 0.95,
    max_shown: int = 10,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the decision curves of one or more classifiers on the same instances, with confidence bands.

    The net benefit at the threshold t is the proportion of true positives minus t / (1 - t) times the proportion of
    false positives. The legend shows the thresholds at which each classifier has the largest net benefit. To test
    whether two classifiers differ, use `net_benefit_difference`.

    Parameters
    ----------
    data : Predictions, DecisionAnalysis or array_like of shape (n,)
        Result of `read_predictions` whose scores are probabilities, result of `analyze_decisions`, or the true labels.
    y_score : dict of str to array_like, or array_like of shape (n,) or (n_classifiers, n), optional
        Probabilities of the positive class, if `data` contains true labels. The keys of a dict are the names.
    names : sequence of str, optional
        Names of the classifiers, for an array of probabilities.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    dataset, repeat : str, optional
        As in `roc_curves`.
    pos_label : label, optional
        The positive class. All other classes are negative. Default: 1 for labels 0 and 1 or -1 and 1, and True for
        False and True.
    thresholds : array_like of shape (n_thresholds,), optional
        Increasing numbers strictly between 0 and 1. Default: 0.01, 0.02, ..., 0.99. Choose the range that corresponds
        to reasonable costs. For an analysis with two or more thresholds, the default is the range from its smallest to
        its largest threshold.
    bands : bool, default: True
        Whether to draw intervals for the net benefit at each threshold, for up to four classifiers.
    confidence_level : float, default: 0.95
        Nominal coverage of the interval. The level applies to each point, not to the whole curve. For an analysis, the
        level is 1 - alpha.
    max_shown : int, default: 10
        Maximum number of classifiers with a name. These classifiers have the largest mean net benefit. The curves of
        the other classifiers are gray.
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
        If lengths differ, a probability is outside of [0, 1], a class has no instance, or the positive class is
        unknown. If `dataset` or `repeat` does not occur in the predictions.
    InvalidTypeError
        If probabilities are not numbers.

    References
    ----------
    Vickers, A. J. & Elkin, E. B. (2006). Decision curve analysis: a novel method for evaluating prediction models.
    Medical Decision Making 26, 565-574.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> y_true = [0, 0, 0, 1, 0, 1, 1, 0, 1, 1]
    >>> ax = plot.decision_curves(y_true, {"NB": [0.1, 0.3, 0.2, 0.4, 0.5, 0.8, 0.6, 0.7, 0.9, 0.8]})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['NB: best at 0.11 to 0.90']
    """
    if isinstance(data, DecisionAnalysis):
        other = None if confidence_level in (0.95, 1 - data.alpha) else confidence_level
        held = {"y_score": y_score, "names": names, "repeat": repeat, "pos_label": pos_label, "confidence_level": other}
        curve_drawing.refuse("the analysis holds it", **held)
        scored, thresholds = _analyzed(data, dataset, thresholds)
        confidence_level = 1 - data.alpha
    else:
        scored = curve_drawing.scored_classifiers(data, y_score, names, dataset, repeat, pos_label)
    choices = curve_drawing.curve_choices(bands, confidence_level, 1, None, max_shown, title, caption, font_size)
    probabilities = understand_probabilities(scored.scores, "y_score")
    found = decision_curve(scored.positive, probabilities, thresholds=thresholds)
    low, high = found.confidence_interval(choices.level)
    curves = [
        curve_drawing.Curve(found.thresholds, own, float(own.mean()), _where_best(found, i))
        for i, own in enumerate(found.net_benefit)
    ]
    kind = curve_drawing.CurveKind(
        "threshold probability",
        "net benefit",
        "default",
        tpr_heights,
        _DOTTED,
        top=None,
        limits=(found.thresholds, low, high),
        said=_SAID,
    )
    ax = curve_drawing.draw_curves(ax, kind, scored, curves, choices, _WHAT)
    curve_drawing.draw_chance(ax, found.thresholds.tolist(), found.treat_all.tolist())
    ax.axhline(0, color=ink(0.5), linewidth=0.9, zorder=0, label="_none")
    ax.set_xlim(max(found.thresholds[0] - 0.02, 0.0), min(found.thresholds[-1] + 0.02, 1.0))
    prevalence = found.n_positive / found.n_instances
    top = max(prevalence, float(np.nanmax(high)) if choices.bands and len(curves) <= 4 else prevalence)
    # at costs that are far from realistic costs, the curves decrease without limit
    ax.set_ylim(-0.25 * prevalence, 1.05 * top)
    return ax


def _analyzed(data: DecisionAnalysis, dataset: Any, thresholds: Any) -> tuple[curve_drawing.Scored, Any]:
    """Return the instances of one dataset of an analysis, and the thresholds of the curves."""
    if not data.curves:
        raise InvalidValueError("data must hold probabilities; predicted labels do not have a decision curve")
    own = data.curves[curve_drawing.one_of([one.dataset for one in data.curves], dataset, "dataset")]
    if thresholds is None:
        at = own.curve.thresholds
        thresholds = (
            THRESHOLDS
            if len(at) == 1
            else np.union1d(at, np.extract((at[0] < THRESHOLDS) & (at[-1] > THRESHOLDS), THRESHOLDS))
        )
    return curve_drawing.Scored(*own._cases, own.classifiers, own.dataset), thresholds


def _where_best(found: DecisionCurve, i: int) -> str:
    """Return a phrase with the range of thresholds at which a classifier has the largest net benefit."""
    at = np.flatnonzero(found.best == i)
    if not at.size:
        return "nowhere best"
    ends = [f"{found.thresholds[place]:.2f}" for place in (at[0], at[-1])]
    if at.size < at[-1] - at[0] + 1:
        return f"best at {at.size} of {len(found.thresholds)} thresholds"
    return f"best at {ends[0]}" if at.size == 1 else f"best at {ends[0]} to {ends[1]}"
