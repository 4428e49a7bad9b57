"""Plots of the stability of a ranking: frequencies of ranks, rank correlations and significant differences."""

from __future__ import annotations

__all__ = ["podium_frequencies", "rank_frequencies", "ranking_correlations", "significance_map"]

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats import _checks
from evalstats._errors import InvalidTypeError, InvalidValueError, short
from evalstats._types import BoolArray, FloatArray
from evalstats.comparison.record import Comparison
from evalstats.comparison.stability import stability_of_comparison
from evalstats.multiple.consensus import ConsensusRanking
from evalstats.multiple.stability import PODIUM, RankingStability
from evalstats.plot import style
from evalstats.plot.heatmap import pvalue_text
from evalstats.plot.matrix import EMPTY, Matrix, draw_matrix, whole_percent
from evalstats.plot.row_layout import axes_of_rows, fill_rows, legend_above, plain_scale, row_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Ranking = RankingStability | ConsensusRanking
# diameter of the largest circle, as a part of a cell
_CIRCLE = 0.9
_MOST_TICKS = 10
_PODIUM_COLORS = style.STEPS[:1:-1]  # of ranks 1, 2 and 3
_ROW, _BAR_ROW, _VIOLIN_ROW = 2.2, 1.7, 3.0
_LEGEND = 2.6  # lines above the bars
_RESULT = "a result of compare, ranking_stability or consensus_ranking"


def rank_frequencies(
    found: Ranking | Comparison,
    ax: Axes | None = None,
    *,
    max_shown: int = 40,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the proportion of the resamples in which each classifier has each rank (blob plot).

    The area of a circle is proportional to the proportion of the resamples in which the classifier of the row has the
    rank. A cross marks the rank in the full ranking, and a line shows the percentile interval of the rank. The number
    on the right is the percentage of the resamples in which the classifier is first.

    Parameters
    ----------
    found : Comparison, RankingStability or ConsensusRanking
        Result of `compare`, `evalstats.multiple.ranking_stability` or `evalstats.multiple.consensus_ranking`. Without
        ``stability=True`` or ``consensus=True``, the units of a comparison are resampled 10,000 times with the seed 0.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure, whose size depends on the names.
    max_shown : int, default: 40
        Maximum number of classifiers. The best classifiers are plotted.
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
        If `found` is not a result of `compare`, `ranking_stability` or `consensus_ranking`.
    InvalidValueError
        If `ax` is too small.

    References
    ----------
    Wiesenfarth, M. et al. (2021). Methods and open-source toolkit for analyzing and visualizing challenge results.
    Scientific Reports 11, 2369, figure 4.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> from evalstats.multiple import ranking_stability
    >>> found = ranking_stability([[0.9, 0.8, 0.3], [0.6, 0.7, 0.5], [0.8, 0.5, 0.6], [0.7, 0.6, 0.8]])
    >>> ax = plot.rank_frequencies(found)
    >>> [text.get_text() for text in ax.texts]
    ['93', '14', '6']
    """
    found = _ranking(found)
    size = style.font_size_of(font_size, title, caption=caption)
    ax, order, labels, texts = _axes_of_best(ax, found, max_shown, found.frequencies[:, 0], size, row=_ROW)
    frequencies = found.frequencies[order]
    last = int(np.flatnonzero(frequencies.any(axis=0))[-1]) + 1  # the worst rank that occurs
    places = np.arange(len(order))
    line: dict[str, Any] = {"color": style.ink(0.8), "linewidth": 0.12 * size, "zorder": 3}
    ax.hlines(places, found.rank_lower[order], found.rank_upper[order], label="_interval", **line)
    cross: dict[str, Any] = {"marker": "x", "markersize": 0.6 * size, "markeredgewidth": 0.14 * size, "linestyle": ""}
    ax.plot(found.ranks[order], places, color=style.ink(), label="_rank", zorder=4, **cross)
    plain_scale(ax, labels, size, title)
    ax.set_xlim(0.4, last + 0.6)
    ax.set_xticks(range(1, last + 1, -(-last // _MOST_TICKS)))
    if caption:
        _below(ax, found, len(order), size)
    fill_rows(ax, labels, texts, size, "classifiers", thin=True)
    _draw_circles(ax, frequencies[:, :last])
    return ax


def _axes_of_best(
    ax: Axes | None, found: Ranking, max_shown: int, proportions: FloatArray, size: float, **rows: float
) -> tuple[Axes, list[int], list[str], list[str]]:
    """Return the axes for rows of the best classifiers, with their order, names and proportions in percent."""
    measure = style.measure_of_font()
    order = np.argsort(found.ranks, kind="stable")[: _checks.count(max_shown, "max_shown")].tolist()
    labels = row_names([_names(found)[i] for i in order], ax, size, measure)
    texts = [whole_percent(float(proportions[i]), never="0") for i in order]
    return axes_of_rows(ax, labels, texts, size, measure, **rows), order, labels, texts


def _draw_circles(ax: Axes, frequencies: FloatArray) -> None:
    """Plot a circle for each rank that occurs; call this after the size of the axes is final."""
    n_rows, n_ranks = frequencies.shape
    width, height = style.points_of(ax)
    largest = _CIRCLE * min(height / n_rows, width / (n_ranks + 0.2))
    row, rank = np.nonzero(frequencies)
    areas = frequencies[row, rank] / frequencies.max() * largest**2
    ax.scatter(rank + 1, row, s=areas, color=style.BLUE, alpha=0.55, linewidths=0, zorder=2, label="_frequency")


def _names(found: Ranking) -> list[str]:
    return [str(name) for name in found.classifiers or range(1, found.n_classifiers + 1)]


def _below(ax: Axes, found: Ranking, n_shown: int, size: float) -> None:
    largest = whole_percent(float(found.frequencies.max()))
    sentences = (
        *_few(found, n_shown),
        f"Area of a circle: proportion of {_resamples(found)} with this rank, up to {largest}%.",
        f"Cross: full ranking. Line: central {100 * found.confidence_level:.4g}% of the resamples.",
        "On the right: percentage with rank 1. The proportions are not confidence levels.",
    )
    style.caption(ax, sentences, size=size, head="Rank")


def _few(found: Ranking, n_shown: int) -> list[str]:
    return [f"The plot shows the best {n_shown} of {found.n_classifiers} classifiers."] * (
        n_shown < found.n_classifiers
    )


def _resamples(found: Ranking) -> str:
    """Return a phrase with the number of resamples and the resampled units."""
    if isinstance(found, ConsensusRanking):
        what = f"the instances of each of {found.n_tasks} tasks"
    else:
        what = f"the {found.n_clusters:,} {found.unit if found.n_clusters == found.n_instances else 'cluster'}s"
    return f"{found.n_resamples:,} resamples of {what}"


def podium_frequencies(
    found: Ranking | Comparison,
    ax: Axes | None = None,
    *,
    max_shown: int = 40,
    title: str | None = None,
    legend: bool = True,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the proportions of the resamples in which each classifier has rank 1, 2 and 3 (stacked bars).

    A bar has a part for each of the ranks 1 to 3. The length of a part is the proportion of the resamples in which the
    classifier of the row has the rank. The number on the right is the percentage of the resamples in which the
    classifier has one of these ranks.

    Parameters
    ----------
    found : Comparison, RankingStability or ConsensusRanking
        Result of `compare`, `evalstats.multiple.ranking_stability` or `evalstats.multiple.consensus_ranking`. Without
        ``stability=True`` or ``consensus=True``, the units of a comparison are resampled 10,000 times with the seed 0.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure, whose size depends on the names.
    max_shown : int, default: 40
        Maximum number of classifiers. The best classifiers are plotted.
    title : str, optional
        Title above the plot.
    legend : bool, default: True
        Whether to explain the colors above the bars.
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
        If `found` is not a result of `compare`, `ranking_stability` or `consensus_ranking`.
    InvalidValueError
        If `ax` is too small.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> from evalstats.multiple import ranking_stability
    >>> scores = [[0.9, 0.8, 0.3, 0.1], [0.6, 0.7, 0.5, 0.8], [0.8, 0.5, 0.6, 0.4], [0.7, 0.6, 0.8, 0.2]]
    >>> ax = plot.podium_frequencies(ranking_stability(scores))
    >>> [text.get_text() for text in ax.texts]
    ['100', '100', '86', '14']
    """
    found = _ranking(found)
    size = style.font_size_of(font_size, title, caption=caption, legend=legend)
    rows = {"row": _BAR_ROW, "above": _LEGEND}
    ax, order, labels, texts = _axes_of_best(ax, found, max_shown, found.podium, size, **rows)
    start = np.zeros(len(order))
    for rank, proportions in enumerate(found.frequencies[order].T[:PODIUM]):
        ax.barh(range(len(order)), proportions, left=start, color=_PODIUM_COLORS[rank], label=f"rank {rank + 1}")
        start = start + proportions
    plain_scale(ax, labels, size, None)
    ax.set_xlim(0, 1)
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100%"])
    if legend:
        legend_above(ax, size)
    style.write_title(ax, title, size, above=_LEGEND if legend else 1)
    if caption:
        _below_podium(ax, found, len(order), size)
    fill_rows(ax, labels, texts, size, "classifiers", thin=True)
    return ax


def _below_podium(ax: Axes, found: Ranking, n_shown: int, size: float) -> None:
    sentences = (
        *_few(found, n_shown),
        f"Length of a part: proportion of {_resamples(found)} with this rank.",
        f"On the right: percentage with rank 1 to {min(PODIUM, found.n_classifiers)}.",
        "The proportions are not confidence levels.",
    )
    style.caption(ax, sentences, size=size)


def ranking_correlations(
    found: Ranking | Comparison | Mapping[str, Ranking | Comparison],
    ax: Axes | None = None,
    *,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the distribution of Kendall's tau between the resampled rankings and the full ranking.

    Each row is a violin plot. Values near 1 mean that the ranking is stable. For a `ConsensusRanking`, there is a row
    for each task and a row for the consensus. For several results, such as results of different ranking rules, there is
    a row for each result.

    Parameters
    ----------
    found : Comparison, RankingStability, ConsensusRanking, or mapping of str to these
        Results of `compare`, `evalstats.multiple.ranking_stability` or `evalstats.multiple.consensus_ranking`. The keys
        of a mapping are the names of the rows.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure, whose size depends on the names.
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
        If `found` is neither a result of `compare`, `ranking_stability` or `consensus_ranking` nor a mapping of names
        to such results.
    InvalidValueError
        If all classifiers are tied in every resample of a row, or `ax` is too small.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> from evalstats.multiple import ranking_stability
    >>> scores = [[0.9, 0.8, 0.3], [0.6, 0.7, 0.5], [0.8, 0.5, 0.6], [0.7, 0.6, 0.8]]
    >>> found = {rule: ranking_stability(scores, rule=rule) for rule in ("mean", "median")}
    >>> ax = plot.ranking_correlations(found)
    >>> [text.get_text() for text in ax.texts]
    ['0.79', '0.64']
    """
    rows = _rows(found)
    size, measure = style.font_size_of(font_size, title, caption=caption), style.measure_of_font()
    labels = row_names([name for name, _ in rows], ax, size, measure)
    taus = [one.tau[~np.isnan(one.tau)] for _, one in rows]
    for (name, _), tau in zip(rows, taus, strict=True):
        if not tau.size:
            raise InvalidValueError(
                f"found must have a resample without a tie of all classifiers, but {name!r} has none"
            )
    texts = [f"{one.mean_tau:.2f}" for _, one in rows]
    ax = axes_of_rows(ax, labels, texts, size, measure, row=_VIOLIN_ROW)
    for place, tau in enumerate(taus):
        _draw_violin(ax, place, tau)
    for place, (_, one) in enumerate(rows):
        ends = [one.tau_lower, one.tau_upper]
        ax.plot(ends, [place, place], color=style.ink(0.8), linewidth=0.12 * size, label="_interval")
        ax.plot(
            [one.mean_tau], [place], marker="D", markersize=0.5 * size, color=style.RED, linestyle="", label="_mean"
        )
    plain_scale(ax, labels, size, title)
    ax.set_xlim(-1.05, 1.05)
    ax.set_xticks([-1, -0.5, 0, 0.5, 1])
    if caption:
        _below_correlations(ax, rows[0][1], sum(one.n_all_tied for _, one in rows), size)
    fill_rows(ax, labels, texts, size, "rows")
    return ax


def _draw_violin(ax: Axes, place: int, tau: FloatArray) -> None:
    if np.ptp(tau) == 0:  # it has no density
        ax.plot([tau[0], tau[0]], [place - 0.4, place + 0.4], color=style.ink(0.6), label="_constant")
        return
    parts: Any = ax.violinplot([tau], positions=[place], orientation="horizontal", widths=0.8, showextrema=False)
    for body in parts["bodies"]:
        body.set(facecolor=style.ink(0.25), edgecolor=style.ink(0.6), alpha=1.0, zorder=0)


def _ranking(found: Any) -> Ranking:
    if isinstance(found, Comparison):
        return found.stability or found.consensus or stability_of_comparison(found)
    if not isinstance(found, RankingStability | ConsensusRanking):
        raise InvalidTypeError(f"found must be {_RESULT}, not {type(found).__name__}")
    return found


def _rows(found: Any) -> list[tuple[str, Ranking]]:
    if isinstance(found, Mapping):
        several = {name: _ranking(one) for name, one in found.items()}
        if not several:
            raise InvalidValueError("found must have at least one result, but it is empty")
        return [(str(name), one) for name, one in several.items()]
    if isinstance(found, ConsensusRanking):
        return [*zip(map(str, found.tasks), found.by_task, strict=True), ("consensus", found)]
    if isinstance(found, RankingStability):
        return [(found.rule, found)]
    if isinstance(found, Comparison):
        return _rows(_ranking(found))
    raise InvalidTypeError(f"found must be {_RESULT}, or a mapping of names to results, not {short(found)}")


def _below_correlations(ax: Axes, first: Ranking, n_tied: int, size: float) -> None:
    sentences = [
        f"Kendall's tau-b between the full ranking and the ranking in each of {first.n_resamples:,} resamples.",
        f"Shape: density estimate. Line: central {100 * first.confidence_level:.4g}%. Diamond and number: mean.",
    ]
    if n_tied:
        sentences.append(f"Resamples with a tie of all classifiers are left out ({n_tied:,}).")
    style.caption(ax, sentences, size=size)


def significance_map(
    found: RankingStability,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    legend: bool = True,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot which classifiers are significantly better than which others, in the order of the ranking.

    A dark cell means that the classifier of its row is significantly better than the classifier of its column. The
    number is the adjusted p-value of the Wilcoxon signed-rank test for the pair.

    Parameters
    ----------
    found : RankingStability
        Result of `evalstats.multiple.ranking_stability`.
    ax : matplotlib Axes, optional
        Axes of the plot. Names are shortened and the font size is reduced until the names fit. Default: a new figure of
        at most one page, whose size depends on the names and numbers.
    title : str, optional
        Title above the plot.
    legend : bool, default: True
        Whether to explain the shades next to the matrix.
    caption : bool, default: True
        Whether to write an explanation below the matrix.
    font_size : float, optional
        Size of the text in points. Default: matplotlib's ``font.size``.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidTypeError
        If `found` is not a result of `ranking_stability`.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from evalstats import plot
    >>> from evalstats.multiple import ranking_stability
    >>> scores = [[x + 0.3, x, x - 0.01] for x in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)]
    >>> ax = plot.significance_map(ranking_stability(scores))
    >>> [text.get_text() for text in ax.texts][:3]
    ['0.047', '0.047', '0.047']
    """
    found = _checks.instance(found, "found", RankingStability, "a result of ranking_stability")
    order = np.argsort(found.ranks, kind="stable")
    names = tuple(_names(found)[i] for i in order.tolist())
    superior: BoolArray = found.superior[np.ix_(order, order)]
    pvalues: FloatArray = found.pvalue[np.ix_(order, order)]
    steps = np.where(superior, 1, 0)
    np.fill_diagonal(steps, EMPTY)
    tests = "Two-sided" if found.significance == "pairs" else "One-sided"
    family = "all pairs" if found.significance == "pairs" else "all ordered pairs"
    matrix = Matrix(
        rows=names,
        columns=names,
        steps=steps,
        write=lambda i, j: pvalue_text(float(pvalues[i, j]), found.alpha),
        bold=superior,
        shades=(style.STEPS[0], style.STEPS[3]),
        key=("not significantly better", "significantly better"),
        unknown="no p-value",
        sentences=(
            f"Dark: the row is significantly better than the column (α = {found.alpha:g}).",
            f"{tests} Wilcoxon signed-rank tests with Holm's adjustment for {family}.",
        ),
    )
    return draw_matrix(matrix, ax, title=title, legend=legend, font_size=font_size, below=caption)
