"""Distribution of the scores of folds or repeats."""

from __future__ import annotations

__all__ = ["fold_distributions"]

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError, short
from evalstats._types import FloatArray
from evalstats.comparison.record import Comparison
from evalstats.plot.row_layout import axes_of_rows, fill_rows, plain_scale, row_names, table_of
from evalstats.plot.style import BLUE, RED, caption, font_size_of, ink, measure_of_font, points_of
from evalstats.tables.score_table import ScoreTable
from evalstats.wording import metric_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS, UNITS = ("box", "violin"), ("folds", "repeats")
_ROW = 2.0
# fractions of the height of a row: a box, and the spread of the dots
_BOX, _SPREAD = 0.55, 0.4
# the golden ratio spreads dots evenly and reproducibly
_GOLDEN = 0.6180339887498949


class _Spread(NamedTuple):
    """Scores of shape (n_values, n_drawn), the best mean first, with their description and the classifiers."""

    scores: FloatArray
    names: tuple[str, ...]
    words: str
    dataset: str
    n_classifiers: int


def fold_distributions(
    data: ScoreTable | Comparison,
    ax: Axes | None = None,
    *,
    dataset: str | None = None,
    kind: str = "box",
    unit: str = "folds",
    max_shown: int = 30,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the scores of each classifier in the folds or repeats of one dataset, best mean first.

    Each dot shows the score of one fold or repeat. The diamond and the number show the mean. Folds share most of their
    training instances, and repeats share all instances. The spread is therefore not a confidence interval, and the
    overlap of boxes is not a test.

    Parameters
    ----------
    data : ScoreTable or Comparison
        Scores with their folds.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure, whose size depends on the names.
    dataset : str, optional
        The dataset of the folds. The name is optional if there is only one dataset.
    kind : {'box', 'violin'}, default: 'box'
        ``'box'``: quartiles, and whiskers to the last value within 1.5 interquartile ranges of the box. ``'violin'``: a
        kernel density estimate (Gaussian kernel, Scott's rule), cut off at the extremes.
    unit : {'folds', 'repeats'}, default: 'folds'
        Score that a dot shows: the score of one fold of a repeat, or of one repeat over all its folds.
    max_shown : int, default: 30
        Maximum number of classifiers. The plot shows the classifiers with the best means.
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
        If there are no folds or repeats, `dataset` is not in the table, or `ax` is too small.

    References
    ----------
    Tukey, J. W. (1977). Exploratory data analysis. Addison-Wesley. Chapter 2.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> folds = [[0.81, 0.78, 0.70], [0.84, 0.82, 0.74], [0.79, 0.80, 0.71], [0.90, 0.84, 0.75], [0.85, 0.83, 0.70]]
    >>> names = ["NB", "SVM", "1-NN"]
    >>> rows = [("iris", name, i, row[j]) for i, row in enumerate(folds) for j, name in enumerate(names)]
    >>> columns = ("dataset", "classifier", "fold", "score")
    >>> ax = plot.fold_distributions(evalstats.read_table(dict(zip(columns, zip(*rows)))))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['NB', 'SVM', '1-NN']
    """
    table = table_of(data)
    kind, unit = _checks.choice(kind, "kind", KINDS), _checks.choice(unit, "unit", UNITS)
    spread = _spread(table, dataset, unit, _checks.count(max_shown, "max_shown"))
    size, measure = font_size_of(font_size, title, caption=caption), measure_of_font()
    labels = row_names(spread.names, ax, size, measure)
    texts = [f"{mean:.4g}" for mean in spread.scores.mean(axis=0)]
    ax = axes_of_rows(ax, labels, texts, size, measure, row=_ROW)
    (_boxes if kind == "box" else _violins)(ax, spread.scores)
    n = len(spread.scores)
    shift = _SPREAD * ((np.arange(n) * _GOLDEN) % 1 - 0.5)
    dot: dict[str, Any] = {"linestyle": "", "marker": "o", "markersize": 0.28 * size, "alpha": 0.6, "color": BLUE}
    mean: dict[str, Any] = {"linestyle": "", "marker": "D", "markersize": 0.5 * size, "color": RED}
    for place, values in enumerate(spread.scores.T):
        ax.plot(values, place + shift, label="_values", **dot)
        ax.plot([values.mean()], [place], label="_mean", zorder=4, **mean)
    plain_scale(ax, labels, size, title)
    if caption:
        _below(ax, table, spread, kind, size)
    fill_rows(ax, labels, texts, size, "classifiers", otherwise="plot fewer with max_shown=, ")
    return ax


def _spread(table: ScoreTable, dataset: Any, unit: str, max_shown: int) -> _Spread:
    """Return the scores of the classifiers with the best means in the folds or repeats of one dataset."""
    found = {one.dataset: one for one in (table.folds if unit == "folds" else table.runs)}
    if not found:
        raise InvalidValueError(
            f"data must hold the scores of {unit}; read_table keeps the {unit} of a long table with a column of {unit}"
        )
    if dataset is None and len(found) > 1:
        raise InvalidValueError(f"dataset must name one of {', '.join(map(repr, found))}, whose {unit} are drawn")
    if dataset is not None and not _checks.is_among(dataset, found):
        raise InvalidValueError(f"dataset must be one of {', '.join(map(repr, found))}, not {short(dataset)}")
    one: Any = found[next(iter(found)) if dataset is None else dataset]
    scores = one.scores.reshape(-1, one.scores.shape[-1])
    means = scores.mean(axis=0)
    known = np.flatnonzero(~np.isnan(means))
    order = known[np.argsort(-means[known] if table.greater_is_better else means[known], kind="stable")][:max_shown]
    n_repeats = len(one.repeats)
    words = f"{n_repeats} repeat{'' if n_repeats == 1 else 's'}"
    if unit == "folds":
        per_repeat = one.scores.shape[1]
        times = "" if n_repeats == 1 else f" of each of {words}"
        words = f"{per_repeat} fold{'' if per_repeat == 1 else 's'}{times}"
    names = tuple(table.classifiers[i] for i in order.tolist())
    return _Spread(scores[:, order], names, words, one.dataset, scores.shape[1])


def _boxes(ax: Axes, scores: FloatArray) -> None:
    line: dict[str, Any] = {"color": ink(0.8), "linewidth": 1.1}
    ax.boxplot(
        scores,
        positions=range(scores.shape[1]),
        orientation="horizontal",
        widths=_BOX,
        showfliers=False,  # every value has a dot
        boxprops=line,
        whiskerprops=line,
        capprops=line,
        medianprops={**line, "linewidth": 1.8},
        manage_ticks=False,
    )


def _violins(ax: Axes, scores: FloatArray) -> None:
    parts: Any = ax.violinplot(
        scores, positions=range(scores.shape[1]), orientation="horizontal", widths=0.9, showextrema=False
    )
    for body in parts["bodies"]:
        body.set(facecolor=ink(0.25), edgecolor=ink(0.6), alpha=1.0, zorder=0)


def _below(ax: Axes, table: ScoreTable, spread: _Spread, kind: str, size: float) -> None:
    unit = f" ({table.unit})" if table.unit else ""
    shape = (
        "box: quartiles, whiskers at most 1.5 interquartile ranges long" if kind == "box" else "shape: density estimate"
    )
    drawn = len(spread.names)
    scored = f"{metric_name(table.metric)}{unit} in {spread.words} of {spread.dataset}"
    what = f"{scored}; dots: individual scores, diamond and number: mean"
    caption(
        ax,
        (
            f"{what}, {shape}.",
            "The scores share instances: their spread is not a confidence interval, and their overlap is not a test.",
            *(
                [f"The plot shows the best {drawn} of {spread.n_classifiers} classifiers."]
                if drawn < spread.n_classifiers
                else []
            ),
        ),
        size=size,
        width=points_of(ax)[0] / size,
    )
