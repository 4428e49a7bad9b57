"""Posterior of the difference between two classifiers."""

from __future__ import annotations

__all__ = ["posterior"]

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats.bayes.accuracy import BayesAccuracyTestResult
from evalstats.bayes.correlated_t import BayesCorrelatedTTestResult
from evalstats.bayes.posterior import PosteriorResult
from evalstats.plot import style
from evalstats.wording import LONGEST_NAME, shorten, wrap_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# results with a density of a difference, and not of three probabilities
_WITH_DENSITY = (BayesAccuracyTestResult, BayesCorrelatedTTestResult)
# minimum probability of the drawn part of a density
_DRAWN = 0.995
_TOP = math.sqrt(3) / 2
_CORNERS = ((0.0, 0.0), (0.5, _TOP), (1.0, 0.0))
_HEXAGONS = (44, 22)


def posterior(
    result: PosteriorResult,
    ax: Axes | None = None,
    *,
    names: Sequence[str] = ("x", "y"),
    greater_is_better: bool = True,
    unit: str = "",
    title: str | None = None,
    font_size: float | None = None,
) -> Axes:
    """Plot the posterior distribution of the difference between two classifiers.

    The posterior of a mean difference is drawn as a density, shaded below, within and above the rope, the region of
    practical equivalence. A posterior of three probabilities is plotted as a sample in a triangle. A point closer to a
    corner has a larger probability of the outcome at this corner. The lines separate the regions in which one of the
    three probabilities is the largest.

    Parameters
    ----------
    result : BayesAccuracyTestResult, BayesCorrelatedTTestResult or another PosteriorResult
        Posterior of one pair of classifiers.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure.
    names : (str, str), default: ('x', 'y')
        Names of both classifiers, in the order in which they were compared.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.
    unit : str, default: ''
        The unit of the scores, for the axis of a density.
    title : str, optional
        Title above the plot.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `result` is not a PosteriorResult.
    InvalidValueError
        If the result contains several pairs, or the number of names is not 2.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J. & Zaffalon, M. (2017). Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77), 1-36. Figures 4 and 7.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import bayes_correlated_ttest, plot
    >>> x, y = [0.81, 0.84, 0.79, 0.90, 0.85], [0.78, 0.82, 0.80, 0.84, 0.83]
    >>> result = bayes_correlated_ttest(x, y, rope=0.01, n_train=80, n_test=20)
    >>> ax = plot.posterior(result, names=("SVM", "NB"))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['NB is better: 5.7%', 'equivalent: 16.9%', 'SVM is better: 77.4%']
    """
    if not isinstance(result, PosteriorResult):
        raise InvalidTypeError(f"result must be the result of a Bayesian comparison, not {type(result).__name__}")
    if np.ndim(result.p_rope):
        raise InvalidValueError(f"result must be the result of one pair, but its shape is {np.shape(result.p_rope)}")
    two = [_checks.text(name, "a name") for name in _checks.listed(names, "names", "str")]
    if len(two) != 2:
        raise InvalidValueError(f"names must be the names of two classifiers, not {short(names)}")
    has_density = isinstance(result, _WITH_DENSITY)
    first, second = (shorten if has_density else wrap_names)(
        two, style.measure_of_font(), (2.0 if has_density else 0.9) * LONGEST_NAME
    )
    better = (second, first) if _checks.boolean(greater_is_better, "greater_is_better") else (first, second)
    size = style.font_size_of(font_size, title)

    words = (f"{better[0]} is better", "equivalent", f"{better[1]} is better")
    shares = (result.p_less, result.p_rope, result.p_greater)
    texts = [f"{word}: {_percent(share)}" for word, share in zip(words, shares, strict=True)]
    ax = style.axes_to_draw_on(ax, 0.55 * size, 0.4 * size)
    if has_density:
        _density(ax, result, texts, size)
        what = "accuracy of" if isinstance(result, BayesAccuracyTestResult) else "mean of"
        label = f"{what} {first} − {second}" + (f" ({unit})" if unit else "")
        style.name_quantity(ax, "x", label, size)
    else:
        _triangle(ax, result, texts, size)
    style.write_title(ax, title, size, above=5.0 if has_density else 3.0)
    return ax


def _percent(share: float) -> str:
    """Format a probability in percent with one decimal; use 0% and 100% only for exactly 0 and 1."""
    if math.isnan(share):
        return "none"
    return "< 0.1%" if 0 < share < 0.001 else "> 99.9%" if 0.999 < share < 1 else f"{share:.1%}"


def _density(ax: Axes, result: Any, texts: list[str], size: float) -> None:
    has_spread = getattr(result, "scale", 1.0) > 0  # a posterior of accuracies always has it
    low, high = result.credible_interval(_DRAWN) if has_spread else (result.mean, result.mean)
    reach = max(0.15 * (high - low), result.rope * 0.3, abs(result.mean) * 0.05 if low == high else 0) or 1.0
    low, high = min(low, -result.rope) - reach, max(high, result.rope) + reach
    edges = (low, -result.rope, result.rope, high)
    for start, end, color, text in zip(edges[:3], edges[1:], (style.RED, style.GREY, style.BLUE), texts, strict=True):
        grid = np.linspace(start, end, 300)
        height = result.density(grid) if has_spread else np.zeros(300)
        ax.fill_between(grid, height, color=color, alpha=0.75, linewidth=0, label=text)
        ax.plot(grid, height, color=style.ink(), linewidth=1)
    for edge in edges[1:-1]:
        ax.axvline(edge, color=style.ink(0.75), linewidth=0.8, linestyle=(0, (4, 3)))
    if not has_spread:
        ax.axvline(result.mean, color=style.ink(), linewidth=2)
        ax.text(
            0.5,
            0.5,
            result.reason or "",
            fontsize=0.9 * size,
            horizontalalignment="center",
            transform=ax.transAxes,
            wrap=True,
            backgroundcolor=style.ink(0),
        )
    ax.set_xlim(low, high)
    ax.set_ylim(bottom=0)
    ax.set_yticks([])
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(labelsize=0.9 * size)
    legend = ax.legend(
        loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, borderpad=0, frameon=False, fontsize=0.9 * size
    )
    style.clear(legend.get_texts())


def _triangle(ax: Axes, result: Any, texts: list[str], size: float) -> None:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Polygon

    points = np.asarray(result.samples) @ np.array(_CORNERS)
    outline = Polygon(_CORNERS, closed=True, fill=False, edgecolor=style.ink(), linewidth=1, zorder=3)
    ax.add_patch(outline)
    shades = LinearSegmentedColormap.from_list("shades", style.STEPS[1:])
    cloud = ax.hexbin(*points.T, gridsize=_HEXAGONS, extent=(0, 1, 0, _TOP), mincnt=1, cmap=shades, linewidths=0.1)
    cloud.set_clip_path(outline)
    centre = np.mean(_CORNERS, axis=0)
    for one, other in ((0, 1), (1, 2), (2, 0)):
        middle = np.add(_CORNERS[one], _CORNERS[other]) / 2
        ax.plot(*np.transpose([centre, middle]), color=style.ink(0.75), linewidth=0.8, linestyle=(0, (4, 3)), zorder=3)
    for (x, y), text, side, lift in zip(_CORNERS, texts, ("left", "center", "right"), (-1, 1, -1), strict=True):
        ax.annotate(
            text.replace(" is better", "\nis better"),
            ({"left": 0.0, "center": x, "right": 1.0}[side], y),
            (0, 0.5 * lift * size),
            textcoords="offset points",
            fontsize=size,
            horizontalalignment=side,
            verticalalignment="top" if lift < 0 else "bottom",
            annotation_clip=False,
            **style.as_written(),
        )
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, _TOP + 0.02), aspect="equal")
    ax.set_axis_off()
