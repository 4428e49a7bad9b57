"""Contours of F over precision and recall, or over false and true positive rates."""

from __future__ import annotations

__all__ = ["f_score_contours"]

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._types import FloatArray
from evalstats.plot import style
from evalstats.plot.style import caption as write_caption

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

SPACES = ("precision-recall", "roc")
# in font sizes; beyond this fraction of the axis, a name is on the other side of its point
_SIDE, _TURN = 32.0, 0.65
_N_POINTS = 401
# names of lines over the rates: the true positive rate at their position, and their distance
_HEIGHT_OF_NAMES, _APART = 0.9, 0.07
_LEVELS = np.linspace(0, 1, 11)
LARGEST_BETA = 1e100


def f_score_contours(
    space: str = "precision-recall",
    ax: Axes | None = None,
    *,
    prevalence: float = 0.01,
    beta: float = 1.0,
    max_fpr: float = 1.0,
    classifiers: Mapping[str, Any] | None = None,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot contours of F over precision and recall or over false and true positive rates.

    F is low if either precision or recall is low. As a function of the rates, F depends on the prevalence: if positive
    instances are rare, even a low false positive rate makes F low.

    Parameters
    ----------
    space : {'precision-recall', 'roc'}, default: 'precision-recall'
        Quantities of the axes: precision and recall, or the false positive rate and the true positive rate.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    prevalence : float, default: 0.01
        Proportion of positive instances, above 0 and below 1; only for ``'roc'``.
    beta : float, default: 1.0
        Weight of recall relative to precision. The weight 1 gives F1.
    max_fpr : float, default: 1.0
        Upper limit of the axis of the false positive rate, greater than 0 and at most 1; only for ``'roc'``.
    classifiers : dict of str to (float, float), optional
        Classifiers by name, as points: (precision, recall), or (false positive rate, true positive rate).
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
        If `classifiers` is not a dict, or an argument that must be a number is not a number.
    InvalidValueError
        If the space is unknown, a proportion or a point is outside of its range, or beta is negative.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. ACM SIGKDD Explorations 12(1), 49-57. Figure 1.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> ax = plot.f_score_contours("roc", prevalence=0.01, classifiers={"SVM": (0.01, 0.8)})
    >>> [text.get_text() for text in ax.texts if "SVM" in text.get_text()]
    ['SVM: 0.57']
    """
    space = _checks.choice(space, "space", SPACES)
    share = _checks.proportion(prevalence, "prevalence")
    weight = _checks.real(beta, "beta")
    if not 0 <= weight <= LARGEST_BETA:
        raise InvalidValueError(f"beta must be between 0 and 1e100, not {short(beta)}")
    widest = _checks.real(max_fpr, "max_fpr") if space == "roc" else 1.0
    if not 0 < widest <= 1:
        raise InvalidValueError(f"max_fpr must be greater than 0 and at most 1, not {short(max_fpr)}")
    size, named = style.font_size_of(font_size, title, caption=caption), _points(classifiers)
    if beyond := [name for name, (x, _) in named.items() if x > widest]:
        raise InvalidValueError(
            f"the point of {short(beyond[0])} lies beyond max_fpr={widest:g}: choose a larger value"
        )
    of_rates = space == "roc"
    unit = _SIDE * size / style.POINTS_PER_INCH
    ax = style.axes_to_draw_on(ax, unit, unit * (1.16 if caption else 1.04))
    across, up = np.linspace(0, widest, _N_POINTS), np.linspace(0, 1, _N_POINTS)

    def height(x: Any, y: Any) -> FloatArray:
        return f_of_rates(x, y, share, weight) if of_rates else f_of_precision(x, y, weight)

    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("steps", list(style.STEPS[:4]))
    heights = height(across[None, :], up[:, None])
    ax.contourf(across, up, heights, levels=_LEVELS, cmap=shades, vmin=0, vmax=1)
    ax.contour(across, up, heights, levels=_LEVELS[1:-1], colors=[style.ink(0.6)], linewidths=0.06 * size)
    ax.set(xlim=(0, widest), ylim=(0, 1))
    numbers = _name_lines(ax, _rates_of(share, weight, widest) if of_rates else _same_precision_and_recall(), size)
    _draw_points(ax, named, [float(height(*at)) for at in named.values()], size)
    names = ("false positive rate", "true positive rate") if of_rates else ("precision", "recall")
    ax.set_ylabel(names[1], fontsize=size)
    ax.tick_params(labelsize=0.9 * size)
    style.write_title(ax, title, size)
    if not caption:
        ax.set_xlabel(names[0], fontsize=size)
        _uncover(ax, numbers)
        return ax
    what = f"F{weight:g}" if weight != 1 else "F"
    rare = f" where {100 * share:.4g}% of the instances are positive" if of_rates else ""
    corner = (
        "no instance is predicted positive, and the limit of F is 0"
        if of_rates
        else "both are 0, and the limit of F is 0"
    )
    sentence = f"Lines: equal {what}{rare}. In the lower left corner, {corner}."
    write_caption(ax, [sentence], size=size, head=names[0])
    _uncover(ax, numbers)
    return ax


def _same_precision_and_recall() -> dict[float, tuple[float, float]]:
    """Return the default position of the label of each line: the point at which precision and recall are equal."""
    return {level: (level, level) for level in _LEVELS[1:-1].tolist()}


def _rates_of(share: float, beta: float, widest: float) -> dict[float, tuple[float, float]]:
    """Return positions of the line labels without overlap, starting at the right edge.

    If a line leaves the plot at the right, below the other labels, its label is at this point.
    """
    places: dict[float, tuple[float, float]] = {}
    last = widest
    for level in _LEVELS[1:-1].tolist():
        found = share * _HEIGHT_OF_NAMES
        fpr = ((1 + beta**2) * found / level - found - beta**2 * share) / (1 - share)
        if 0.5 * _APART * widest < fpr < last - _APART * widest:
            places[level], last = (fpr, _HEIGHT_OF_NAMES), fpr
        elif fpr >= widest:
            x = (1 - 0.5 * _APART) * widest
            y = level * ((1 - share) * x + beta**2 * share) / (share * (1 + beta**2 - level))
            if _APART / 2 < y < _HEIGHT_OF_NAMES - _APART:
                places[level] = (x, y)
    return places


def _name_lines(ax: Axes, places: dict[float, tuple[float, float]], size: float) -> list[Text]:
    """Label each line with its F value."""
    return [
        ax.text(
            x,
            y,
            f"{level:.1f}",
            fontsize=0.75 * size,
            ha="center",
            va="center",
            bbox={"boxstyle": "round,pad=0.1", "facecolor": ax.get_facecolor(), "alpha": 0.6, "linewidth": 0},
        )
        for level, (x, y) in places.items()
    ]


def _uncover(ax: Axes, numbers: list[Text]) -> None:
    """Remove the line labels that the name of a point covers."""
    style.points_of(ax)  # compute the layout before positions are used
    with style.letters_told(is_told=False):
        names = [text.get_window_extent() for text in ax.texts if text not in numbers]
        covered = [text for text in numbers if any(text.get_window_extent().overlaps(name) for name in names)]
    for text in covered:
        text.remove()


def f_of_precision(precision: Any, recall: Any, beta: float) -> FloatArray:
    """Return F for precision and recall, or the limit 0 if both are 0."""
    both = beta**2 * precision + recall
    value: FloatArray = (1 + beta**2) * precision * recall / np.where(both > 0, both, 1.0)
    return value


def f_of_rates(fpr: Any, tpr: Any, share: float, beta: float) -> FloatArray:
    """Return F for the rates at a prevalence (Forman & Scholz 2010, eq. 2, per instance)."""
    found = share * tpr
    value: FloatArray = (1 + beta**2) * found / (found + (1 - share) * fpr + beta**2 * share)
    return np.asarray(value)


def _points(points: Any) -> dict[str, tuple[float, float]]:
    if points is None:
        return {}
    if not isinstance(points, Mapping):
        raise InvalidTypeError(f"classifiers must be a dict of names and pairs of numbers, not {type(points).__name__}")
    named = {}
    for name, pair in points.items():
        at = _checks.numbers(pair, f"the point of {short(name)}")
        if at.shape != (2,) or not ((at >= 0) & (at <= 1)).all():
            raise InvalidValueError(f"the point of {short(name)} must be two numbers from 0 to 1, not {short(pair)}")
        named[_checks.text(name, "a name of points")] = (float(at[0]), float(at[1]))
    return named


def _draw_points(ax: Axes, named: dict[str, tuple[float, float]], heights: list[float], size: float) -> None:
    shown = style.key_labels(list(named), [f"{math.floor(100 * height + 0.5) / 100:.2f}" for height in heights])
    for (x, y), text in zip(named.values(), shown, strict=True):
        ax.plot([x], [y], "o", color=style.RED, markersize=0.6 * size, zorder=3, clip_on=False, label="_point")
        side = -1 if x > _TURN * ax.get_xlim()[1] else 1
        ax.annotate(
            text,
            (x, y),
            (0.7 * size * side, -0.7 * size if y > 0.95 else 0.0),
            textcoords="offset points",
            fontsize=size,
            ha="left" if side > 0 else "right",
            va="top" if y > 0.95 else ("bottom" if y < 0.05 else "center_baseline"),
            **style.as_written(),
            bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "alpha": 0.75, "linewidth": 0},
            zorder=4,
        )
