"""Learning curves of two classifiers, with bands, markers of significant differences, and fits of a power law."""

from __future__ import annotations

__all__ = ["learning_curves"]

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidValueError
from evalstats._types import FloatArray
from evalstats.comparison.learning_curves import LearningCurveComparison
from evalstats.paired.learning_curves import LEARNERS, LearningCurveTestResult
from evalstats.plot import style
from evalstats.plot.style import caption as write_caption
from evalstats.wording import metric_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# in font sizes
_WIDTH, _HEIGHT = 36.0, 24.0
FEWEST_SIZES = 4  # minimum number of sizes for a fit with three parameters
EXPONENTS = np.geomspace(0.02, 4, 400)
N_POINTS = 100


def learning_curves(
    result: LearningCurveTestResult | LearningCurveComparison,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    alpha: float | None = None,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the learning curves of two classifiers, with bands and the sizes at which they differ.

    At a size with a significant difference, the better mean has a filled marker. The dashed lines are fits of the
    power law a + b n^-c to the means of four or more sizes. The fits extend over the range of the sizes.

    Parameters
    ----------
    result : LearningCurveTestResult or LearningCurveComparison
        Result of `evalstats.paired.learning_curve_test`, or of `evalstats.comparison.compare_learning_curves`.
    names : sequence of str, optional
        Names of both classifiers. Default: the names of the comparison, or x and y.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    alpha : float, optional
        Significance level for all sizes together. Default: the level of the comparison, or 0.05. The bands have the
        confidence level 1 - alpha.
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
        If `result` is neither a result of `learning_curve_test` nor of `compare_learning_curves`.
    InvalidValueError
        If the number of names is not 2, the result is a batch, or `alpha` is not between 0 and 1.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> from evalstats.paired import learning_curve_test
    >>> x, y = [[0.70, 0.81], [0.74, 0.84], [0.69, 0.82]], [[0.66, 0.80], [0.72, 0.85], [0.64, 0.81]]
    >>> ax = plot.learning_curves(learning_curve_test(x, y, n_train=[50, 100], n_test=20), ["SVM", "tree"])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['SVM', 'tree']
    """
    score, level = "score", 0.05
    if isinstance(result, LearningCurveComparison):
        names, level = names or result.classifiers, result.alpha
        score, result = metric_name(result.metric), result.test
    result = _checks.instance(result, "result", LearningCurveTestResult, "a result of learning_curve_test")
    names = ("x", "y") if names is None else names
    named = style.names_of_both(names)
    if result.pvalue.ndim > 1:
        raise InvalidValueError(f"result must be the result for one problem, but its shape is {result.pvalue.shape}")
    alpha = level if alpha is None else _checks.proportion(alpha, "alpha")
    size = style.font_size_of(font_size, title, caption=caption)
    both = style.key_labels(named)
    ax = style.axes_with_key(ax, both, size, width=_WIDTH, height=_HEIGHT + 11.0 * caption)
    _draw(ax, result, both, alpha, size)
    ax.set_xscale("log")
    ax.set_xticks(result.n_train, [f"{n:,.10g}" for n in result.n_train.tolist()])
    ax.minorticks_off()
    ax.set_ylabel(f"mean {score}", fontsize=size)
    style.plain_axes(ax, size, title)
    style.key_beside(ax, both, size)
    across = "training instances (logarithmic scale)"
    if caption:
        write_caption(ax, _sentences(result, alpha), size=size, head=across)
    else:
        ax.set_xlabel(across, fontsize=size)
    return ax


def _draw(ax: Axes, result: LearningCurveTestResult, names: list[str], alpha: float, size: float) -> None:
    """Plot the bands, the means and the fits of both classifiers."""
    n, winners = result.n_train, result.winners(alpha)
    styles = zip(LEARNERS, names, (style.BLUE, style.RED), ("o", "s"), (1, -1), strict=True)
    for learner, name, color, marker, sign in styles:
        mean, band = getattr(result, f"mean_{learner}"), result.score_band(learner, 1 - alpha)
        ax.fill_between(n, band.low, band.high, color=color, alpha=0.15, linewidth=0, label="_band")
        look: dict[str, Any] = {"color": color, "marker": marker, "markersize": 0.7 * size, "linewidth": 0.14 * size}
        ax.plot(n, mean, label=name, markerfacecolor="white", zorder=2, **look)
        won = winners == sign
        ax.plot(n[won], mean[won], label="_won", zorder=3, **(look | {"linewidth": 0.0}))
        if len(n) >= FEWEST_SIZES:
            at = np.geomspace(n[0], n[-1], N_POINTS)
            ax.plot(at, _power_law(n, mean, at), color=color, linestyle=(0, (4, 2)), linewidth=0.1 * size, label="_fit")


def _power_law(n: FloatArray, mean: FloatArray, at: FloatArray) -> FloatArray:
    """Fit a + b n^-c by least squares (linear in a and b for each c), and return the fitted values at the sizes."""
    unit, best, heights = n / n[0], np.inf, np.full(at.shape, np.nan)
    for c in EXPONENTS:
        design = np.column_stack([np.ones_like(n), unit**-c])
        solution = np.linalg.lstsq(design, mean, rcond=None)[0]
        squares = float(((design @ solution - mean) ** 2).sum())
        if squares < best:
            best, heights = squares, solution[0] + solution[1] * (at / n[0]) ** -c
    return heights


def _sentences(result: LearningCurveTestResult, alpha: float) -> list[str]:
    level = f"{100 * (1 - alpha):.4g}%"
    better = f"better ({'larger' if result.greater_is_better else 'smaller'})"
    said = [
        f"Bands: {level} for the expected scores of one classifier at all sizes together.",
        f"A filled marker shows the {better} score if the difference is significant (α = {alpha:g} for all sizes).",
    ]
    if len(result.n_train) >= FEWEST_SIZES:
        said.append("Dashed: fitted power laws, within the range of the sizes.")
    return [*said, f"{result.n_repeats} repeats."]
