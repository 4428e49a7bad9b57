"""Curves of several classifiers on the same instances, with bootstrap bands and a legend."""

from __future__ import annotations

__all__ = [
    "MOST_BANDS",
    "Curve",
    "CurveKind",
    "Scored",
    "curve_choices",
    "curve_difference",
    "draw_chance",
    "draw_curves",
    "one_of",
    "positive_label_of",
    "refuse",
    "scored_classifiers",
]

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks, _labels
from evalstats._errors import InvalidValueError, short
from evalstats._types import BoolArray, FloatArray
from evalstats.metrics.bootstrap import Ranked, own_heights, redrawn_heights
from evalstats.metrics.score_input import understand_rankings
from evalstats.paired.curve_comparison import CurveDifference
from evalstats.plot import style
from evalstats.plot.style import caption as write_caption
from evalstats.tables.predictions import Predictions
from evalstats.wording import LONGEST_NAME, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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


def _curve_bands(
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


# in font sizes
_WIDTH, _SIDE = 34.0, 28.0
# height of the parts above and below: with a caption, without
_AROUND = {True: 11.0, False: 5.0}
# more bands overlap too much
MOST_BANDS = 4
_N_POINTS = 201
_BANDS = (
    "Bands: pointwise {:.4g}% intervals for the {}, instances resampled {:,} times; the bands contain a whole curve "
    "less often."
)
_CHOSEN = "The thresholds are chosen on the same instances, so the curves are too low; the bands account for this bias."
# in font sizes
_WIDTH_OF_BANDS, _HEIGHT = 36.0, 24.0
AXES = {
    "cost": ("probability cost", "normalized expected cost"),
    "roc": ("false positive rate", "true positive rate"),
    "precision-recall": ("recall", "precision"),
    "gain": ("proportion of the instances", "proportion of the positive instances"),
    "lift": ("proportion of the instances", "lift"),
}


class CurveKind(NamedTuple):
    """Axis labels of a curve, the way to join its points, and the interpolation of resampled curves on a grid.

    `dotted` describes the dotted line. `top` is the upper limit of the vertical axis; by default, the axis fits the
    curves and bands. `greatest` computes the heights of curves whose thresholds are the best of many; their bands allow
    for this choice. `limits` contains points with lower and upper limits, which replace the bootstrap. `said` explains
    these limits.
    """

    x: str
    y: str
    drawstyle: str
    read: Callable[[Ranked, FloatArray], FloatArray]
    dotted: str
    top: float | None = 1.0
    greatest: Callable[[FloatArray], FloatArray] | None = None
    limits: tuple[FloatArray, FloatArray, FloatArray] | None = None
    said: str = _BANDS


class CurveChoices(NamedTuple):
    """Validated options of the plot."""

    bands: bool
    level: float
    n_resamples: int
    generator: np.random.Generator
    at_most: int
    title: str | None
    caption: bool
    size: float


class Curve(NamedTuple):
    """The points of one curve, its area, and its entry in the legend."""

    x: FloatArray
    y: FloatArray
    area: float
    words: str


def curve_choices(
    bands: Any,
    confidence_level: Any,
    n_resamples: Any,
    rng: Any,
    max_shown: Any,
    title: Any,
    below: Any,
    font_size: Any,
) -> CurveChoices:
    """Return the validated options of the plot, or raise an error."""
    size = style.font_size_of(font_size, title, bands=bands, caption=below)
    level = _checks.confidence_level(confidence_level)
    n_resamples, n_named = _checks.count(n_resamples, "n_resamples"), _checks.count(max_shown, "max_shown")
    return CurveChoices(bands, level, n_resamples, _checks.generator(rng), n_named, title, below, size)


def draw_curves(
    ax: Axes | None, kind: CurveKind, scored: Scored, curves: list[Curve], choices: CurveChoices, what: str
) -> Axes:
    """Plot curves for the same instances, the greatest area first. `what` names the value in the legend."""
    size = choices.size
    order = np.argsort([-curve.area for curve in curves], kind="stable").tolist()
    named, others = order[: choices.at_most], order[choices.at_most :]
    labels = style.key_labels([scored.names[i] for i in named], [curves[i].words for i in named])
    ax = style.axes_with_key(ax, labels, size, width=_WIDTH, height=_SIDE + _AROUND[choices.caption])
    for i in others:
        ax.plot(*curves[i][:2], color=style.ink(0.2), linewidth=0.8, drawstyle=kind.drawstyle, zorder=0, label="_other")
    for number, (i, label) in enumerate(zip(named, labels, strict=True)):
        line = style.line_style(number)
        ax.plot(*curves[i][:2], label=label, linewidth=1.5, drawstyle=kind.drawstyle, **line)
    has_bands = choices.bands and len(curves) <= MOST_BANDS
    if has_bands:
        _draw_bands(ax, kind, scored, order, choices)
    ax.set_xlim(-0.01, 1.01)
    if kind.top is None:
        ax.set_ylim(bottom=0)
    else:
        ax.set_ylim(-0.01 * kind.top, 1.01 * kind.top)
    ax.set_ylabel(kind.y, fontsize=size)
    style.plain_axes(ax, size, choices.title)
    style.key_beside(ax, labels, size)
    if not choices.caption:
        ax.set_xlabel(kind.x, fontsize=size)
        return ax
    sentences = _sentences(kind, scored, choices, what, n_others=len(others), has_bands=has_bands)
    style.caption(ax, sentences, size=size, head=kind.x)
    return ax


def draw_chance(ax: Axes, x: list[float], y: list[float]) -> None:
    """Plot the dotted line of a trivial classifier."""
    ax.plot(x, y, color=style.ink(0.5), linewidth=0.9, linestyle=(0, (1, 2)), zorder=0, label="_chance")


def _draw_bands(ax: Axes, kind: CurveKind, scored: Scored, order: list[int], choices: CurveChoices) -> None:
    grid, low, high = kind.limits or _resampled_limits(kind, scored, choices)
    for number, i in enumerate(order):
        color = style.line_style(number)["color"]
        ax.fill_between(grid, low[i], high[i], color=color, alpha=0.15, linewidth=0, label="_band")


def _resampled_limits(
    kind: CurveKind, scored: Scored, choices: CurveChoices
) -> tuple[FloatArray, FloatArray, FloatArray]:
    grid = np.linspace(0, 1, _N_POINTS)
    low, high = _curve_bands(
        scored,
        kind.read,
        grid,
        level=choices.level,
        n_resamples=choices.n_resamples,
        generator=choices.generator,
        greatest=kind.greatest,
    )
    return grid, low, high


def _sentences(
    kind: CurveKind, scored: Scored, choices: CurveChoices, what: str, *, n_others: int, has_bands: bool
) -> tuple[str, ...]:
    n, n_positive = len(scored.positive), int(scored.positive.sum())
    of = f" of {scored.dataset}" if scored.dataset else ""
    band = kind.said.format(100 * choices.level, kind.y, choices.n_resamples)
    return (
        f"{n:,} instances{of}, {n_positive:,} of them positive. Key: {what}. Dotted: {kind.dotted}.",
        *([band] if has_bands else []),
        *([_CHOSEN] if has_bands and kind.greatest else []),
        *([f"Gray: the {n_others} other classifiers."] if n_others else []),
    )


def curve_difference(
    result: CurveDifference,
    names: Sequence[str] = ("x", "y"),
    ax: Axes | None = None,
    *,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the difference between two curves at each position, with a pointwise and a simultaneous band.

    If the light band, which is simultaneous for all positions, excludes 0 at a position, the classifiers differ
    significantly at this position. The dark band is valid for one position that was chosen in advance.

    Parameters
    ----------
    result : CurveDifference
        Result of `evalstats.paired.curve_difference`.
    names : sequence of str, default: ('x', 'y')
        Names of both classifiers.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
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
        If `result` is not a result of `evalstats.paired.curve_difference`.
    InvalidValueError
        If the number of names is not 2.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> from evalstats.paired import curve_difference
    >>> y_true, x, y = [0, 1, 0, 1, 0, 1], [0.2, 0.9, 0.3, 0.8, 0.6, 0.7], [0.1, 0.4, 0.5, 0.3, 0.2, 0.6]
    >>> ax = plot.curve_difference(curve_difference(y_true, x, y, curve="roc", n_resamples=200), ["SVM", "NB"])
    >>> ax.get_ylabel().replace(chr(10), " ")
    'true positive rate: SVM - NB'
    """
    result = _checks.instance(result, "result", CurveDifference, "a result of curve_difference")
    named = style.names_of_both(names)
    size = style.font_size_of(font_size, title, caption=caption)
    first, second = shorten(named, style.measure_of_font(), 2 * LONGEST_NAME)
    unit = size / style.POINTS_PER_INCH
    ax = style.axes_to_draw_on(ax, _WIDTH_OF_BANDS * unit, (_HEIGHT + (11.0 if caption else 4.0)) * unit)
    band: dict[str, Any] = {"color": style.BLUE, "linewidth": 0}
    ax.fill_between(result.at, result.low_everywhere, result.high_everywhere, alpha=0.15, label="_everywhere", **band)
    ax.fill_between(result.at, result.low, result.high, alpha=0.3, label="_pointwise", **band)
    ax.plot(result.at, result.difference, color=style.BLUE, linewidth=0.16 * size, label="_difference")
    ax.axhline(0, color=style.ink(0.5), linewidth=0.08 * size, zorder=0, label="_zero")
    across, up = AXES[result.curve]
    ax.set_xlim(-0.01, 1.01)
    style.name_quantity(ax, "y", f"{up}: {first} - {second}", size)
    style.plain_axes(ax, size, title)
    if not caption:
        ax.set_xlabel(across, fontsize=size)
        return ax
    percent = f"{100 * result.confidence_level:.4g}%"
    better = "Below 0" if result.curve == "cost" else "Above 0"
    said = (
        f"{better}: {first} is better.",
        f"Dark band: {percent} at each position; light band: {percent} at all positions together.",
        f"{result.n_instances:,} instances, {result.n_positive:,} positive, resampled {result.n_resamples:,} times.",
        *([f"{result.reason[0].upper()}{result.reason[1:]}."] if result.reason else []),
    )
    write_caption(ax, said, size=size, head=across)
    return ax
