"""Number and proportion of the instances of the rarer class in each task."""

from __future__ import annotations

__all__ = ["class_imbalance"]

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._types import FloatArray
from evalstats.metrics import class_encoding as classes
from evalstats.plot import style
from evalstats.plot.style import caption as write_caption
from evalstats.tables.predictions import Predictions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# in font sizes
_WIDTH, _HEIGHT = 34.0, 28.0
_TWO = 2


class Tasks(NamedTuple):
    """The tasks of one source: numbers of positive and negative instances in each task."""

    name: str
    n_positive: FloatArray
    n_negative: FloatArray


def class_imbalance(
    data: Predictions | Mapping[str, ArrayLike],
    ax: Axes | None = None,
    *,
    n_folds: int | None = 10,
    max_shown: int = 10,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the number and the proportion of instances of the rarer class in each task.

    Both axes are logarithmic. A dataset with more than two classes has one task for each class (one-vs-rest). Tasks on
    the left may have folds without the rarer class. For tasks at the top, a constant prediction has a high
    accuracy.

    Parameters
    ----------
    data : Predictions or dict of str to array_like
        Result of `read_predictions`, or the true labels of the instances of each dataset, by the name of the dataset.
        Alternatively, for each group of tasks, an array of shape (n_tasks, 2) with the numbers of instances of the two
        classes.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    n_folds : int or None, default: 10
        Number of folds. A dotted line marks a number of instances of the rarer class. With this number, every fold of
        an unstratified cross-validation contains such an instance with a probability of at least 95%. None: no line.
    max_shown : int, default: 10
        Maximum number of datasets with a color and a name. These datasets have the most tasks. The other datasets are
        gray.
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
        If `data` is neither predictions nor a dict.
    InvalidValueError
        If a dataset has only one class, or a class of a task has no instance.

    References
    ----------
    Forman, G. & Scholz, M. (2010). Apples-to-apples in cross-validation studies: pitfalls in classifier performance
    measurement. ACM SIGKDD Explorations 12(1), 49-57. Figure 2; the line is from Figure 9.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> fruit = ["apple"] * 60 + ["pear"] * 30 + ["fig"] * 10
    >>> ax = plot.class_imbalance({"fruit": fruit, "fraud": [0] * 990 + [1] * 10})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['fruit: 3 tasks', 'fraud: 1 task']
    """
    sources = _sources(data)
    n_named = _checks.count(max_shown, "max_shown")
    n_folds = None if n_folds is None else _checks.count(n_folds, "n_folds", minimum=_TWO)
    size = style.font_size_of(font_size, title, caption=caption)
    order = sorted(range(len(sources)), key=lambda i: -len(sources[i].n_positive))
    named = [(sources[i].name, len(sources[i].n_positive)) for i in order[:n_named]]
    labels = style.key_labels([name for name, _ in named], [f"{n} task{'' if n == 1 else 's'}" for _, n in named])
    ax = style.axes_with_key(ax, labels, size, width=_WIDTH, height=_HEIGHT + (9.0 if caption else 4.0))
    ax.set_xscale("log")
    ax.set_yscale("log")
    for number, i in enumerate(order):
        rarer = np.minimum(sources[i].n_positive, sources[i].n_negative)
        ratio = np.maximum(sources[i].n_positive, sources[i].n_negative) / rarer
        look: dict[str, Any] = {"linestyle": "", "markersize": 0.55 * size, "alpha": 0.8}
        if number < n_named:
            color = style.line_style(number)["color"]
            ax.plot(rarer, ratio, style.MARKERS[number % len(style.MARKERS)], color=color, label=labels[number], **look)
        else:
            ax.plot(rarer, ratio, "o", color=style.ink(0.3), label="_other", zorder=0, **look)
    _plain_ticks(ax)
    if n_folds is not None:
        ax.axvline(
            _enough(n_folds), color=style.ink(0.5), linewidth=0.9, linestyle=(0, (1, 2)), zorder=0, label="_enough"
        )
    ax.set_ylabel("class sizes: ratio of the other to the rarer class", fontsize=size)
    style.plain_axes(ax, size, title)
    style.key_beside(ax, labels, size)
    head = "instances of the rarer class"
    if not caption:
        ax.set_xlabel(head, fontsize=size)
        return ax
    n_tasks = sum(len(one.n_positive) for one in sources)
    said = [f"{n_tasks:,} tasks of two classes; a dataset with more classes gives one one-vs-rest task for each class."]
    if n_folds is not None:
        said.append(
            f"Dotted: {_enough(n_folds)} instances. With fewer instances and without stratification, the probability "
            f"that one of {n_folds} folds lacks the rarer class may exceed 5%."
        )
    if len(sources) > n_named:
        said.append(f"Gray: the {len(sources) - n_named} other datasets.")
    write_caption(ax, said, size=size, head=head)
    return ax


def _sources(data: Any) -> list[Tasks]:
    if isinstance(data, Predictions):
        return [_tasks_of(name, _labels_of(data, d)) for d, name in enumerate(data.datasets)]
    if not isinstance(data, Mapping):
        kinds = "a result of read_predictions, or a dict of names and true labels"
        raise InvalidTypeError(f"data must be {kinds}, not {type(data).__name__}")
    if not data:
        raise InvalidValueError("data must contain at least one dataset, but the dict is empty")
    return [_understood(_checks.text(name, "a name of data"), value) for name, value in data.items()]


def _labels_of(data: Predictions, d: int) -> Any:
    """Return the true labels of a dataset, which are the same for all classifiers and repeats."""
    here = np.flatnonzero(data.dataset == d)
    first = here[0]
    here = here[(data.classifier[here] == data.classifier[first]) & (data.repeat[here] == data.repeat[first])]
    return data.y_true[here]


def _understood(name: str, value: Any) -> Tasks:
    array = _checks.regular(value, f"data[{name!r}]")
    if array.ndim == 1:
        return _tasks_of(name, value)
    counts = _checks.finite(_checks.numbers(value, f"data[{name!r}]"), f"data[{name!r}]")
    if counts.ndim != _TWO or counts.shape[1] != _TWO or not len(counts):
        raise InvalidValueError(
            f"data[{name!r}] must be the labels of the instances, or two columns with the numbers of instances of "
            f"the two classes of each task, but its shape is {array.shape}"
        )
    if counts.min() < 1:
        i, j = np.argwhere(counts < 1)[0].tolist()
        raise InvalidValueError(
            f"data[{name!r}] must hold 1 instance or more of each class, but data[{name!r}][{i}, {j}] is "
            f"{counts[i, j]:g}"
        )
    return Tasks(name, counts[:, 0], counts[:, 1])


def _tasks_of(name: str, labels: Any) -> Tasks:
    understood = classes.understand(labels, f"data[{name!r}]")
    names = classes.in_order(classes.distinct(understood))
    if len(names) < _TWO:
        raise InvalidValueError(
            f"data[{name!r}] must hold instances of two classes or more, but all are {short(names[0])}"
        )
    codes = classes.class_codes(understood, names).of((slice(None),))
    counts = np.bincount(codes, minlength=len(names)).astype(np.float64)
    of_tasks = counts if len(names) > _TWO else counts[1:]
    return Tasks(name, of_tasks, counts.sum() - of_tasks)


def _enough(n_folds: int) -> int:
    """Return the smallest class size for which the expected number of folds without the class is at most 0.05.

    The probability that any fold lacks the class is then at most 0.05: Forman & Scholz (2010), Figure 9.
    """
    return math.ceil(math.log(_RISK / n_folds) / math.log1p(-1 / n_folds))


def _plain_ticks(ax: Axes) -> None:
    """Format tick labels such as 10 and 1,000 without powers, and set limits for a single point."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    for axis, limits, widen in ((ax.xaxis, ax.get_xlim(), ax.set_xlim), (ax.yaxis, ax.get_ylim(), ax.set_ylim)):
        middle = np.sqrt(limits[0] * limits[1])
        widen(min(limits[0], middle / _ROOM), max(limits[1], middle * _ROOM))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())


_RISK, _ROOM = 0.05, 5.0
