"""Learning curves with their simultaneous band."""

from __future__ import annotations

__all__ = ["learning_curves"]

from typing import TYPE_CHECKING

import numpy as np

from evalstats import _checks
from evalstats._checks import InvalidValueError
from evalstats.plot.style import (
    MARKERS,
    POINTS_PER_INCH,
    axes_to_draw_on,
    clear,
    font_size_of,
    ink,
    key_beside,
    line_style,
    measure_of_font,
    points_of,
)
from evalstats.plot.style import caption as write_caption
from evalstats.reproducibility.learning_curves import LearningCurveTestResult
from evalstats.wording import shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# in font sizes
_SIDE, _LONGEST_NAME = 28.0, 18.0
_AROUND = {True: 13.0, False: 5.0}
_MOST_CURVES = 8


def learning_curves(
    result: LearningCurveTestResult,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the mean score of each classifier against the training size, with simultaneous bands.

    The bands of two classifiers may overlap although their difference is significant, because the splits are paired.
    Triangles at the bottom mark the sizes at which two classifiers differ significantly.

    Parameters
    ----------
    result : LearningCurveTestResult
        Result of `evalstats.reproducibility.learning_curve_test`, of at most 8 classifiers.
    ax : matplotlib Axes, optional
        Axes of the plot; by default a new figure.
    title : str, optional
        Title above the plot.
    caption : bool, default: True
        Whether to write an explanation below the plot.
    font_size : float, optional
        Size of the text in points; by default matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `result` is not a result of `learning_curve_test`.
    InvalidValueError
        If there are more than 8 classifiers.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> from evalstats.reproducibility import learning_curve_test
    >>> scores = {"tree": [[0.6, 0.7, 0.65], [0.8, 0.75, 0.8]], "forest": [[0.7, 0.7, 0.75], [0.9, 0.9, 0.85]]}
    >>> ax = plot.learning_curves(learning_curve_test(scores, [50, 100], n_test=20))
    >>> ax.get_ylabel()
    'score'
    """
    result = _checks.instance(result, "result", LearningCurveTestResult, "what learning_curve_test returned")
    if len(result.classifiers) > _MOST_CURVES:
        raise InvalidValueError(f"result must hold at most {_MOST_CURVES} curves, but it holds {len(result.mean)}")
    size = font_size_of(font_size, title, caption=caption)
    names = shorten([str(name) for name in result.classifiers], measure_of_font(), _LONGEST_NAME)
    unit = size / POINTS_PER_INCH
    beside = max(map(measure_of_font(), names)) + 5
    ax = axes_to_draw_on(ax, (_SIDE + 4 + beside) * unit, (0.7 * _SIDE + _AROUND[caption]) * unit)
    for number, name in enumerate(names):
        style, marker = line_style(number), MARKERS[number % len(MARKERS)]
        ax.plot(result.n_train, result.mean[number], marker=marker, markersize=0.5 * size, label=name, **style)
        look = {"color": style["color"], "alpha": 0.15, "linewidth": 0, "label": "_band"}
        ax.fill_between(result.n_train, result.lower[number], result.upper[number], **look)
    _mark_differences(ax, result, size)
    if result.n_train[-1] >= 10 * result.n_train[0]:
        ax.set_xscale("log")
    ax.set_xticks(result.n_train, [f"{n:,}" for n in result.n_train], minor=False)
    ax.set_xticks([], minor=True)
    ax.set_ylabel("score", fontsize=size)
    ax.tick_params(labelsize=0.9 * size)
    ax.spines[["top", "right"]].set_visible(False)
    if title:
        clear([ax.set_title(title, fontsize=1.2 * size)])
    key_beside(ax, len(names), size)
    if not caption:
        ax.set_xlabel("training instances", fontsize=size)
        return ax
    write_caption(ax, _said(result), size=size, width=points_of(ax)[0] / size, head="training instances")
    return ax


def _mark_differences(ax: Axes, result: LearningCurveTestResult, size: float) -> None:
    """Mark the sizes at which some pair differs significantly, at the bottom."""
    differs = (result.pvalue <= 1 - result.confidence_level).any(axis=0)
    at = result.n_train[differs]
    ax.plot(
        at,
        np.zeros(len(at)),
        transform=ax.get_xaxis_transform(),
        linestyle="",
        marker="^",
        markersize=0.7 * size,
        color=ink(0.5),
        label="_differences",
        clip_on=False,
        zorder=5,
    )


def _said(result: LearningCurveTestResult) -> list[str]:
    level = f"{100 * result.confidence_level:.4g}%"
    said = [f"Means over {result.n_repeats} splits. Bands: {level} limits of all curves and sizes together."]
    if result.pairs:
        said.append("Triangles: sizes at which two classifiers differ significantly (paired test of all sizes).")
    return said
