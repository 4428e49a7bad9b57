"""Performance profiles of classifiers."""

from __future__ import annotations

__all__ = ["performance_profile"]

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._ranks import DEFAULT_TIE_TOLERANCE, differences, rounded
from evalstats._types import FloatArray
from evalstats.comparison.record import Comparison
from evalstats.metrics.proportions import proportion_interval
from evalstats.plot import style
from evalstats.plot.row_layout import Drawn, drawn_classifiers, table_of
from evalstats.tables.score_table import ScoreTable, complete_scores
from evalstats.wording import metric_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# in font sizes
_WIDTH, _HEIGHT = 34.0, 30.0
# more bands overlap too much
MOST_BANDS = 4


class _Profiles(NamedTuple):
    """Distance of each score from the best score on its dataset, (n_datasets, n_drawn), and the smallest distance."""

    behind: FloatArray
    least: float


def performance_profile(
    data: ScoreTable | Comparison,
    ax: Axes | None = None,
    *,
    relative: bool = False,
    bands: bool = True,
    max_shown: int = 10,
    confidence_level: float = 0.95,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the proportion of datasets on which each classifier is within a distance of the best score.

    The left end of a line shows the proportion of datasets on which the classifier is the best, including ties. If a
    line reaches 1 at a small distance, the classifier is close to the best on all datasets. The best score of a dataset
    is the best of all classifiers in the table, including classifiers that are not plotted.

    Parameters
    ----------
    data : ScoreTable or Comparison
        The scores. No score may be missing.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    relative : bool, default: False
        False: the distance is the difference from the best score. True: the distance is the ratio of the best score to
        the score (the inverse for losses), as in Dolan & Moré. All scores must then be above 0.
    bands : bool, default: True
        Whether to plot pointwise Clopper-Pearson intervals for the proportions, for up to four classifiers.
    max_shown : int, default: 10
        Maximum number of classifiers. The plot shows the classifiers with the best mean ranks.
    confidence_level : float, default: 0.95
        Nominal coverage of the interval. The level applies to one proportion, not to the whole line.
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
        If `data` is neither a table of scores nor a comparison.
    InvalidValueError
        If scores are missing. If `relative` is True and a score is not above 0.

    References
    ----------
    Dolan, E. D. & Moré, J. J. (2002). Benchmarking optimization software with performance profiles. Mathematical
    Programming 91(2), 201-213. Section 2.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.performance_profile(evalstats.example_table("japkowicz-accuracy"))
    >>> [(line.get_label(), float(line.get_ydata()[0])) for line in ax.lines]
    [('Random Forest', 0.5), ('SVM', 0.5), ('NB', 0.2), ('AdaBoost', 0.1)]
    """
    table, drawn = table_of(data), drawn_classifiers(data, max_shown)
    relative = _checks.boolean(relative, "relative")
    level = _checks.confidence_level(confidence_level)
    size = style.font_size_of(font_size, title, bands=bands, caption=caption)
    given = data.tie_tolerance if isinstance(data, Comparison) else DEFAULT_TIE_TOLERANCE
    profiles = _profiles(table, drawn, relative, given)
    has_bands = bands and len(drawn.names) <= MOST_BANDS
    names = style.key_labels(drawn.names)
    ax = style.axes_with_key(ax, names, size, width=_WIDTH, height=_HEIGHT)
    _lines(ax, profiles, names, level if has_bands else None)
    what = f"{'ratio to' if relative else 'difference from'} the best {metric_name(table.metric)}"
    suffix = f" ({table.unit})" if table.unit and not relative else ""
    ax.set_ylabel("proportion of datasets", fontsize=size)
    style.plain_axes(ax, size, title)
    style.key_beside(ax, names, size)
    _below(ax, what + suffix, _sentences(table, drawn, level if has_bands else None) if caption else (), size)
    return ax


def _profiles(table: ScoreTable, drawn: Drawn, relative: bool, tie_tolerance: float) -> _Profiles:
    scores = complete_scores(table, "performance_profile")
    tolerance = _checks.tolerance(tie_tolerance, table)
    best = scores.max(axis=1, keepdims=True) if table.greater_is_better else scores.min(axis=1, keepdims=True)
    own = scores[:, drawn.columns]
    high, low = np.broadcast_arrays(*((best, own) if table.greater_is_better else (own, best)))
    if not relative:
        # each pair alone, because the rounding error depends only on the two scores
        return _Profiles(differences(high[..., None], low[..., None], tolerance)[..., 0], 0.0)
    if scores.min() <= 0:
        raise InvalidValueError(
            f"scores must be above 0 for a ratio to the best, but the smallest is {scores.min():g}; leave out relative="
        )
    return _Profiles(rounded((high / low)[..., None], tolerance)[..., 0], 1.0)


def _lines(ax: Axes, profiles: _Profiles, names: list[str], level: float | None) -> None:
    n = len(profiles.behind)
    end = float(profiles.behind.max())
    end += 0.02 * (end - profiles.least) or 0.05
    for number, (name, behind) in enumerate(zip(names, profiles.behind.T, strict=True)):
        places, counts = np.unique(behind, return_counts=True)
        reached = np.cumsum(counts)
        at = np.concatenate([[profiles.least], places, [end]])
        wins = np.concatenate([[reached[0] if places[0] == profiles.least else 0], reached, [n]])
        line = style.line_style(number)
        ax.plot(at, wins / n, drawstyle="steps-post", label=name, linewidth=1.5, **line)
        if level is not None:
            low, high = proportion_interval(wins, n, confidence_level=level, method="clopper-pearson")
            ax.fill_between(at, low, high, step="post", color=line["color"], alpha=0.15, linewidth=0, label="_band")
    ax.set(xlim=(profiles.least, end), ylim=(0, 1.02))


def _sentences(table: ScoreTable, drawn: Drawn, level: float | None) -> tuple[str, ...]:
    n = len(table.datasets)
    band = "" if level is None else f"Bands: pointwise Clopper-Pearson intervals with level {100 * level:.4g}%."
    return (
        f"Proportion of the {n} datasets on which the distance of the classifier from the best is at most this value.",
        *([band] if band else []),
        *drawn.sentences,
    )


def _below(ax: Axes, label: str, sentences: tuple[str, ...], size: float) -> None:
    """Label the horizontal axis and write sentences below the label."""
    if not sentences:
        style.name_quantity(ax, "x", label, size)
        return
    style.caption(ax, sentences, size=size, head=label)
