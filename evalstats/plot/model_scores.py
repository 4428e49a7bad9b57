"""Scores of models on questions, with intervals."""

from __future__ import annotations

__all__ = ["score_intervals"]

import math
from typing import TYPE_CHECKING

from evalstats._errors import InvalidValueError
from evalstats.comparison.ranking import ModelScore
from evalstats.comparison.record import Comparison, of_design
from evalstats.plot.row_layout import axes_of_rows, draw_interval, fill_rows, plain_scale, row_names
from evalstats.plot.style import BLUE, caption, font_size_of, measure_of_font
from evalstats.wording import metric_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# maximum number in one plot
MOST_MODELS = 60


def score_intervals(
    comparison: Comparison,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the mean score of each model with its cluster-robust interval, and its score on each benchmark.

    Intervals of two models may overlap although the models differ significantly, because they answered the same
    questions. The pairs of the comparison show which models differ.

    Parameters
    ----------
    comparison : Comparison
        Result of `compare` for answers to questions.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure of the size that the models need.
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
        If `comparison` is not a comparison on questions.
    InvalidValueError
        If there are more than 60 models, or `ax` is too small.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import compare, plot
    >>> answers = {"model": ["a", "b"] * 4, "question": [1, 1, 2, 2, 3, 3, 4, 4], "score": [1, 0, 1, 0.5, 1, 0, 0, 0]}
    >>> ax = plot.score_intervals(compare(answers))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b']
    """
    of_design(comparison, "for answers to questions", "questions")
    models = comparison.models
    if len(models) > MOST_MODELS:
        raise InvalidValueError(f"comparison must have at most {MOST_MODELS} models, not {len(models)}")
    size = font_size_of(font_size, title, caption=caption)
    measure = measure_of_font()
    labels = row_names([model.classifier for model in models], ax, size, measure)
    ax = axes_of_rows(ax, labels, (), size, measure)
    for place, model in enumerate(models):
        _draw_model(ax, place, model, size, with_benchmarks=comparison.n_benchmarks > 1)
    plain_scale(ax, labels, size, title)
    if caption:
        _write_caption(ax, comparison, size)
    fill_rows(ax, labels, (), size, "models")
    return ax


def _draw_model(ax: Axes, place: int, model: ModelScore, size: float, *, with_benchmarks: bool) -> None:
    if with_benchmarks:
        scores = list(model.benchmarks.values())
        ax.plot(
            scores,
            [place] * len(scores),
            linestyle="none",
            marker="|",
            markersize=0.9 * size,
            color="0.6",
            label="_benchmarks",
        )
    values = (model.score, model.low, model.high)
    draw_interval(ax, place, values, (-math.inf, math.inf), size, color=BLUE, is_full=True)


def _write_caption(ax: Axes, comparison: Comparison, size: float) -> None:
    level = f"{100 * (1 - comparison.alpha):.4g}%"
    size_of_it = f"{comparison.n_questions:,} questions in {comparison.n_clusters:,} clusters"
    sentences = [
        f"Mean {metric_name(comparison.table.metric)} over {size_of_it}, with its {level} cluster-robust interval."
    ]
    if comparison.n_benchmarks > 1:
        several = f"{comparison.n_benchmarks} benchmarks"
        sentences.append(
            f"Mean: the {comparison.average} average of {several}; gray: the scores on the individual benchmarks."
        )
    caption(ax, tuple(sentences), size=size)
