"""Mean ranks of classifiers with intervals."""

from __future__ import annotations

__all__ = ["multiple_comparisons_with_best", "ranked_list"]

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evalstats import _checks
from evalstats._types import FloatArray
from evalstats.comparison.record import Comparison, of_design
from evalstats.multiple.critical_differences import critical_difference
from evalstats.multiple.letters import compact_letter_display
from evalstats.multiple.mean_ranks import dataset_ranks
from evalstats.multiple.rank_bootstrap import mean_rank_draws, mean_rank_limits
from evalstats.plot.row_layout import axes_of_rows, fill_rows, plain_scale, row_names
from evalstats.plot.style import BLUE, caption, font_size_of, ink, measure_of_font
from evalstats.tables.score_table import complete_scores
from evalstats.wording import level_words, omnibus_words, pair_test_words, plain_number, tested_words, untested_note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

INTERVALS = ("auto", "nemenyi", "bootstrap")
_ROW = 1.4


class _Ranked(NamedTuple):
    """The classifiers of the plot, best first: names, columns of the table, mean ranks and their intervals."""

    names: tuple[str, ...]
    columns: list[int]
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    words: str
    interval: str  # source: 'nemenyi', 'bootstrap', or 'own' for the test of the comparison


def multiple_comparisons_with_best(
    comparison: Comparison,
    ax: Axes | None = None,
    *,
    interval: str = "auto",
    max_shown: int = 40,
    n_resamples: int = 10_000,
    rng: Any = None,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the mean ranks with intervals, and mark the interval of the best classifier (MCB).

    The band is the interval of the best classifier. If the interval of a classifier overlaps the band, the classifier
    has a filled dot and is not significantly worse than the best classifier.

    Parameters
    ----------
    comparison : Comparison
        Result of `compare`, with any number of classifiers.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure, whose size depends on the names.
    interval : {'auto', 'nemenyi', 'bootstrap'}, default: 'auto'
        ``'nemenyi'``: the mean rank plus and minus half the critical difference of Nemenyi's test at the level of the
        comparison. Two intervals are then disjoint if and only if this test rejects. ``'bootstrap'``: bootstrap
        intervals of `rank_distribution`, each for a single classifier, with the level 1 - alpha of the comparison. The
        overlap of these intervals is not a test. ``'auto'``: the mean rank plus and minus half the critical difference,
        if the test of the comparison has a critical difference for all pairs. If it has none, ``'bootstrap'``.
    max_shown : int, default: 40
        Maximum number of classifiers. The best classifiers are plotted.
    n_resamples : int, default: 10000
        Number of bootstrap samples of the datasets, for ``'bootstrap'``.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
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
        If `comparison` is not a comparison over datasets.
    InvalidValueError
        If scores are missing, or `ax` is too small.

    References
    ----------
    Koning, A. J., Franses, P. H., Hibon, M. & Stekler, H. O. (2005). The M3 competition: statistical tests of the
    results. International Journal of Forecasting 21(3), 397-409. Section 3.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.multiple_comparisons_with_best(evalstats.compare(evalstats.example_table("demsar-2006"), alpha=0.10))
    >>> [text.get_text() for text in ax.texts]
    ['1.93', '2.00', '2.93', '3.14']
    """
    ranked = _ranked(comparison, interval, max_shown, n_resamples, rng)
    near = ranked.low <= ranked.high[0]
    return _draw(
        ranked,
        [plain_number(mean) for mean in ranked.mean],
        near,
        ax,
        (_of_best(comparison, ranked.interval), *_of_ranks(ranked, comparison)),
        title=title,
        below=caption,
        font_size=font_size,
        band=True,
        conclusive=ranked.interval == "bootstrap" or _concludes(comparison, ranked.interval),
    )


def ranked_list(
    comparison: Comparison,
    ax: Axes | None = None,
    *,
    interval: str = "bootstrap",
    max_shown: int = 20,
    n_resamples: int = 10_000,
    rng: Any = None,
    title: str | None = None,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the ranking as a list: rank, name, mean rank with an interval, and compact letter display.

    Use this plot for many classifiers, for which a critical-difference diagram is not readable. The best classifiers
    are first. The letters show the decisions of the comparison about the plotted classifiers. With a control, there are
    no letters, and a filled dot marks a classifier that is significantly different from the control.

    Parameters
    ----------
    comparison : Comparison
        Result of `compare`, with any post-hoc test and any number of classifiers.
    ax : matplotlib Axes, optional
        Axes of the plot. Default: a new figure, whose size depends on the names.
    interval : {'auto', 'nemenyi', 'bootstrap'}, default: 'bootstrap'
        As in `multiple_comparisons_with_best`.
    max_shown : int, default: 20
        Maximum number of classifiers. The best classifiers are plotted.
    n_resamples : int, default: 10000
        Number of bootstrap samples of the datasets, for ``'bootstrap'``.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
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
        If `comparison` is not a comparison over datasets.
    InvalidValueError
        If scores are missing, or `ax` is too small.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.ranked_list(evalstats.compare(evalstats.example_table("demsar-2006"), alpha=0.10))
    >>> [text.get_text() for text in ax.texts][0]
    '1.93 [1.50, 2.51]  a'
    """
    ranked = _ranked(comparison, interval, max_shown, n_resamples, rng)
    letters = _letters(ranked, comparison)
    texts = [
        f"{plain_number(mean)} [{plain_number(low)}, {plain_number(high)}]  {letter}".rstrip()
        for mean, low, high, letter in zip(ranked.mean, ranked.low, ranked.high, letters, strict=True)
    ]
    places = np.searchsorted(np.sort(comparison.mean_ranks), ranked.mean) + 1
    ranked = ranked._replace(names=tuple(f"{place} {name}" for place, name in zip(places, ranked.names, strict=True)))
    if comparison.control is None:
        full = np.ones(len(places), dtype=bool)
    else:
        full = comparison.different[comparison.table.position(comparison.control), ranked.columns]
    sentences = (*_of_ranks(ranked, comparison), _of_decisions(comparison))
    return _draw(
        ranked,
        texts,
        full,
        ax,
        sentences,
        title=title,
        below=caption,
        font_size=font_size,
        band=False,
        conclusive=comparison.is_conclusive,
    )


def _ranked(comparison: Any, interval: Any, max_shown: Any, n_resamples: Any, rng: Any) -> _Ranked:
    of_design(comparison, "for several datasets", "datasets")
    interval = _checks.choice(interval, "interval", INTERVALS)
    n_drawn = _checks.count(max_shown, "max_shown")
    n_resamples, source = _checks.resampling(n_resamples, rng)
    table, alpha = comparison.table, comparison.alpha
    scores = complete_scores(table, "the picture")
    names = comparison.ranking[:n_drawn]
    columns = [table.position(name) for name in names]
    mean = np.array(comparison.mean_ranks)[columns]
    n, k = scores.shape
    has_own = comparison.critical_difference is not None and comparison.control is None
    if interval == "nemenyi" or (interval == "auto" and has_own):
        is_own = has_own and (interval == "auto" or comparison.posthoc_test == "nemenyi")
        test = pair_test_words(comparison) if is_own else "Nemenyi test"
        whole = comparison.critical_difference if is_own else critical_difference(n, k, alpha=alpha)
        half = float(whole or 0) / 2
        level = level_words("single-step", alpha, k * (k - 1) // 2, only="if all classifiers perform equally")
        words = f"plus and minus half the critical difference of the {test}, {level}"
        return _Ranked(names, columns, mean, mean - half, mean + half, words, "own" if is_own else "nemenyi")
    ranks = dataset_ranks(scores, table.greater_is_better, comparison.tie_tolerance)
    low, high = mean_rank_limits(mean_rank_draws(ranks, n_resamples, source.generator()), 1 - alpha)
    percent = f"{100 * (1 - alpha):.4g}%"
    words = (
        f"with the separate {percent} interval of each classifier if the datasets are resampled {n_resamples:,} times"
    )
    return _Ranked(names, columns, mean, low[columns], high[columns], words, "bootstrap")


def _letters(ranked: _Ranked, comparison: Comparison) -> Sequence[str]:
    """Return the compact letter display of the plotted classifiers."""
    if comparison.control is not None:
        return [""] * len(ranked.columns)
    different = comparison.different[np.ix_(ranked.columns, ranked.columns)]
    return compact_letter_display(different, range(len(ranked.columns))).letters


def _draw(
    ranked: _Ranked,
    texts: list[str],
    full: Any,
    ax: Axes | None,
    sentences: tuple[str, ...],
    *,
    title: str | None,
    below: bool,
    font_size: float | None,
    band: bool,
    conclusive: bool,
) -> Axes:
    size, measure = font_size_of(font_size, title, caption=below), measure_of_font()
    labels = row_names(ranked.names, ax, size, measure)
    ax = axes_of_rows(ax, labels, texts, size, measure, row=_ROW)
    strong = BLUE if conclusive else ink(0.6)
    if band:
        ax.axvspan(
            ranked.low[0],
            ranked.high[0],
            color=BLUE if conclusive else ink(0.6),
            alpha=0.15,
            linewidth=0,
            label="_band",
        )
    for place, (mean, low, high, is_full) in enumerate(zip(ranked.mean, ranked.low, ranked.high, full, strict=True)):
        color = strong if is_full else ink(0.6)
        ax.plot(
            [low, high], [place, place], color=color, linewidth=0.16 * size, solid_capstyle="butt", label="_interval"
        )
        face = color if is_full else ink(0)
        look: dict[str, Any] = {"marker": "o", "markersize": 0.55 * size, "markerfacecolor": face}
        ax.plot([mean], [place], color=color, label="_mean", **look)
    margin = 0.04 * float(ranked.high.max() - ranked.low.min()) or 0.5
    ax.set_xlim(ranked.low.min() - margin, ranked.high.max() + margin)
    plain_scale(ax, labels, size, title)
    if below:
        caption(ax, sentences, size=size)
    fill_rows(ax, labels, texts, size, "classifiers", otherwise="plot fewer with max_shown=, ")
    return ax


def _of_ranks(ranked: _Ranked, comparison: Comparison) -> tuple[str, ...]:
    n, k = comparison.n_datasets, comparison.n_classifiers
    drawn = len(ranked.names)
    axis = f"Mean ranks over {n} dataset{'' if n == 1 else 's'} (1 is the best), {ranked.words}."
    return (axis, *([f"The plot shows the best {drawn} of {k} classifiers."] if drawn < k else []))


def _of_best(comparison: Comparison, interval: str) -> str:
    if interval == "bootstrap":
        return "A filled dot marks an interval that overlaps the interval of the best; the overlap is not a test."
    if not _concludes(comparison, interval):
        return _nothing(comparison)
    if interval == "nemenyi":
        return (
            "A filled dot marks a classifier that is not shown to be worse than the best by Nemenyi's test. "
            "This is not the test of the comparison."
        )
    return "A filled dot marks a classifier that is not shown to be worse than the best, whose interval is the band."


def _concludes(comparison: Comparison, interval: str) -> bool:
    """Return whether the intervals allow a conclusion; for the Nemenyi test, the omnibus test must reject."""
    return comparison.significant if interval == "nemenyi" else comparison.is_conclusive


def _nothing(comparison: Comparison) -> str:
    return f"The {omnibus_words(comparison)} does not reject at α = {comparison.alpha:g}, so no conclusion is possible."


def _of_decisions(comparison: Comparison) -> str:
    if not comparison.is_conclusive:
        return _nothing(comparison)
    test = tested_words(comparison)
    told = f"Classifiers that share a letter are not significantly different ({test})."
    if comparison.control is not None:
        told = f"A filled dot marks a classifier that is shown to differ from {comparison.control} ({test})."
    return f"{told} {untested_note(comparison.validity)}".rstrip()
