"""False and true positive rates of each fold against the threshold."""

from __future__ import annotations

__all__ = ["fold_rate_curves"]

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._types import BoolArray, FloatArray
from evalstats.metrics.score_input import understand_rankings
from evalstats.plot import style
from evalstats.plot.curve_drawing import one_of, positive_label_of, refuse
from evalstats.plot.style import caption as write_caption
from evalstats.tables.predictions import Predictions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RATES, SCALES = ("both", "fpr", "tpr"), ("linear", "log")
WORDS = {"fpr": "false positive rate", "tpr": "true positive rate", "both": "rate"}
# in font sizes
_WIDTH, _HEIGHT = 34.0, 26.0


class FoldScores(NamedTuple):
    """Name of each fold, and the scores of its positive and of its negative instances in decreasing order."""

    names: tuple[str, ...]
    positive: list[FloatArray]
    negative: list[FloatArray]
    what: str


def fold_rate_curves(
    data: Predictions | ArrayLike,
    y_score: ArrayLike | None = None,
    fold: ArrayLike | None = None,
    ax: Axes | None = None,
    *,
    rate: str = "both",
    scale: str = "linear",
    dataset: str | None = None,
    classifier: str | None = None,
    repeat: str | None = None,
    pos_label: Any = None,
    max_shown: int = 10,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the false and true positive rates of each fold at each threshold.

    The lines of the folds should be close together. If they are not, the scores of different folds are not comparable,
    and a pooled ROC curve mixes these scores. Use the mean of the areas under the ROC curves of the folds instead.

    Parameters
    ----------
    data : Predictions or array_like of shape (n,)
        Result of `read_predictions`, or the true labels.
    y_score, fold : array_like of shape (n,), optional
        Score and fold of each instance, if `data` contains true labels.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    rate : {'both', 'fpr', 'tpr'}, default: 'both'
        The false positive rate (dashed), the true positive rate (solid), or both.
    scale : {'linear', 'log'}, default: 'linear'
        Scale of the thresholds. ``'log'`` is for nonnegative scores. A score of 0 is shown at the smallest positive
        score.
    dataset, classifier, repeat : str, optional
        For predictions: selection of the folds. A name is optional if there is only one choice.
    pos_label : label, optional
        As in `roc_curves`.
    max_shown : int, default: 10
        Maximum number of folds with a color and a name. The other folds are gray.
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
    InvalidTypeError
        If an argument has the wrong type.
    InvalidValueError
        If there are no folds or no scores. If a fold has instances of only one class. If, for a logarithmic scale, a
        score is below 0 or all scores are 0.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. ACM SIGKDD Explorations 12(1), 49-57. Figure 3.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> y_true, y_score = [0, 1, 0, 1, 0, 1, 0, 1], [0.1, 0.6, 0.3, 0.9, 0.01, 0.03, 0.02, 0.08]
    >>> ax = plot.fold_rate_curves(y_true, y_score, [1, 1, 1, 1, 2, 2, 2, 2])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['fold 1', 'fold 2']
    """
    rate, scale = _checks.choice(rate, "rate", RATES), _checks.choice(scale, "scale", SCALES)
    folds = (
        _of_predictions(data, y_score, fold, dataset, classifier, repeat, pos_label)
        if isinstance(data, Predictions)
        else _of_arrays(data, y_score, fold, dataset, classifier, repeat, pos_label)
    )
    n_named = _checks.count(max_shown, "max_shown")
    size = style.font_size_of(font_size, title, caption=caption)
    labels = style.key_labels([f"fold {name}" for name in folds.names[:n_named]])
    ax = style.axes_with_key(ax, labels, size, width=_WIDTH, height=_HEIGHT + (9.0 if caption else 4.0))
    low, high = _range(folds, scale)
    for number, parts in enumerate(zip(folds.negative, folds.positive, strict=True)):
        is_named = number < n_named
        color = style.line_style(number % 7)["color"] if is_named else style.ink(0.25)
        for which, scores in zip(RATES[1:], parts, strict=True):
            if rate in ("both", which):
                x, y = _steps(np.maximum(scores, low), low, high)
                dashes = (0, (4, 1.5)) if which == "fpr" else "-"
                label = labels[number] if is_named and which == ("fpr" if rate == "fpr" else "tpr") else f"_{which}"
                look: dict[str, Any] = {"linestyle": dashes, "linewidth": 0.13 * size, "zorder": int(is_named)}
                ax.plot(x, y, drawstyle="steps-pre", color=color, label=label, **look)
    ax.set_xscale(scale)
    ax.set(xlim=(low, high), ylim=(-0.01, 1.01))
    ax.set_ylabel(WORDS[rate], fontsize=size)
    style.plain_axes(ax, size, title)
    style.key_beside(ax, labels, size)
    if not caption:
        ax.set_xlabel("threshold of the score", fontsize=size)
        return ax
    both = {
        "both": "Solid: proportion of the positive instances with at least this score; dashed: proportion of the "
        "negative instances with at least this score.",
        "tpr": "Proportion of the positive instances with at least this score.",
        "fpr": "Proportion of the negative instances with at least this score.",
    }[rate]
    said = [f"{folds.what}{both} If the lines differ, a score has a different meaning in each fold."]
    if len(folds.names) > n_named:
        said.append(f"Gray: the {len(folds.names) - n_named} other folds.")
    write_caption(ax, said, size=size, head="threshold of the score")
    return ax


def _of_arrays(
    data: Any, y_score: Any, fold: Any, dataset: Any, classifier: Any, repeat: Any, pos_label: Any
) -> FoldScores:
    why = "it selects among predictions from read_predictions"
    refuse(why, dataset=dataset, classifier=classifier, repeat=repeat)
    for name, value in (("y_score", y_score), ("fold", fold)):
        if value is None:
            raise InvalidValueError(f"{name} must be given for each instance, unless data is a Predictions object")
    rankings = understand_rankings(data, y_score, pos_label, None, fold)
    if rankings.batch or rankings.folds is None:
        raise InvalidValueError(
            f"y_true, y_score and fold must have the shape (n,), but the shapes are {rankings.positive.shape}, "
            f"{rankings.score.shape} and {np.shape(fold)}"
        )
    of_fold = [rankings.folds.cases(0, i) for i in range(len(rankings.folds.names))]
    score = np.asarray(rankings.score, dtype=np.float64)
    return _sorted_folds([str(one) for one in rankings.folds.names], rankings.positive, score, of_fold, "")


def _of_predictions(
    data: Predictions, y_score: Any, fold: Any, dataset: Any, classifier: Any, repeat: Any, pos_label: Any
) -> FoldScores:
    refuse("the predictions hold it", y_score=y_score, fold=fold, pos_label=pos_label)
    if data.y_score is None:
        raise InvalidValueError(
            "data must hold scores of the instances in a column y_score; predicted labels do not have rates at "
            "several thresholds"
        )
    if len(data.folds) == 1:
        raise InvalidValueError("data must hold two or more folds of the instances in a column fold")
    d, c = one_of(data.datasets, dataset, "dataset"), one_of(data.classifiers, classifier, "classifier")
    r = one_of(data.repeats, repeat, "repeat")
    label = positive_label_of(data, d)
    here = (data.dataset == d) & (data.classifier == c) & (data.repeat == r)
    used = np.unique(data.fold[here]).tolist()
    positive = data.y_true == data.labels.index(label)
    of_fold = [np.flatnonzero(here & (data.fold == f)) for f in used]
    what = f"{data.classifiers[c]} on {data.datasets[d]}. "
    return _sorted_folds([data.folds[f] for f in used], positive, data.y_score, of_fold, what)


def _sorted_folds(
    names: list[str], positive: BoolArray, score: FloatArray, of_fold: list[Any], what: str
) -> FoldScores:
    parts: list[list[FloatArray]] = [[], []]
    for name, cases in zip(names, of_fold, strict=True):
        for own, which, word in zip(parts, (positive[cases], ~positive[cases]), ("positive", "negative"), strict=True):
            if not which.any():
                raise InvalidValueError(
                    f"each fold must hold positive and negative instances, but fold {short(name)} has no {word} one"
                )
            own.append(np.sort(score[cases][which]))
    return FoldScores(tuple(names), parts[0], parts[1], what)


def _range(folds: FoldScores, scale: str) -> tuple[float, float]:
    """Return the range of thresholds; on a logarithmic scale it starts at the smallest threshold above 0."""
    every = _checks.moderate(np.concatenate([*folds.positive, *folds.negative]), "y_score")
    low, high = float(every.min()), float(every.max())
    if scale == "log":
        if low < 0:
            raise InvalidValueError(f"scores must be nonnegative for scale='log', but the smallest is {low:g}")
        if high == 0:
            raise InvalidValueError("at least one score must be above 0 for scale='log', but all are 0")
        low = float(every[every > 0].min())
        return (low, high) if low < high else (low / 2, high * 2)
    margin = 0.0 if low < high else max(1.0, 0.01 * abs(low))
    return low - margin, high + margin


def _steps(scores: FloatArray, low: float, high: float) -> tuple[FloatArray, FloatArray]:
    """Return the thresholds in increasing order, and for each threshold the proportion of scores at or above it."""
    at, first = np.unique(scores, return_index=True)
    share = 1 - first / len(scores)
    x, y = np.concatenate([[low], at, [high]]), np.concatenate([[1.0], share, [0.0 if at[-1] < high else share[-1]]])
    return x, y
