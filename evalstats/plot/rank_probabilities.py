"""Bootstrap distribution of the ranks."""

from __future__ import annotations

__all__ = ["rank_distribution"]

from typing import TYPE_CHECKING, Any

import numpy as np

from evalstats.comparison.record import Comparison, of_design
from evalstats.multiple import rank_bootstrap
from evalstats.plot.matrix import Matrix, draw_matrix, whole_percent
from evalstats.plot.style import STEPS
from evalstats.tables.score_table import complete_scores
from evalstats.wording import plain_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# lower limits of the shades
_EDGES = (0.05, 0.25, 0.5, 0.75)
_SENTENCE = "Probability of each rank, in percent, if the {} datasets are resampled {} times."
_BESIDE = "The mean rank with its {:.4g}% interval is next to the cells."


def rank_distribution(
    comparison: Comparison,
    ax: Axes | None = None,
    *,
    n_resamples: int = 10_000,
    rng: Any = None,
    confidence_level: float = 0.95,
    title: str | None = None,
    legend: bool = True,
    caption: bool = True,
    font_size: float | None = None,
) -> Axes:
    """Plot the bootstrap distribution of the rank of each classifier.

    A cell shows the probability, in percent, that the classifier of its row has the rank of its column. Next to the
    row is the mean rank of the classifier with an interval. `evalstats.multiple.rank_distribution` computes the
    numbers.

    Parameters
    ----------
    comparison : Comparison
        Result of `compare`.
    ax : matplotlib Axes, optional
        Axes of the plot. Names are shortened and the font size is reduced until the names fit. If the numbers in the
        cells would be unreadable, or if there are more than 30 classifiers, these numbers are left out. Default: a new
        figure of at most one page, whose size depends on the names and numbers.
    n_resamples : int, default: 10000
        Number of bootstrap samples of the datasets.
    rng : None, int or numpy.random.Generator, optional
        Source of the random numbers. None means the seed 0, so the same call returns the same result. An integer is
        used as the seed. A Generator is used directly.
    confidence_level : float, default: 0.95
        Nominal coverage of the interval. The level applies to the mean rank.
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
        If `comparison` is not a comparison over datasets.
    InvalidValueError
        If scores are missing.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import evalstats
    >>> from evalstats import plot
    >>> ax = plot.rank_distribution(evalstats.compare(evalstats.example_table("demsar-2006")))
    >>> [text.get_text() for text in ax.texts][0]
    '1.93 [1.44, 2.60]'
    """
    of_design(comparison, "for several datasets", "datasets")
    found = rank_bootstrap.rank_distribution(
        complete_scores(comparison.table, "rank_distribution"),
        n_resamples=n_resamples,
        rng=rng,
        greater_is_better=comparison.table.greater_is_better,
        tie_tolerance=comparison.tie_tolerance,
    )
    interval = found.confidence_interval(confidence_level)
    order = [comparison.table.classifiers.index(name) for name in comparison.ranking]
    probabilities = found.probabilities[order]
    matrix = Matrix(
        rows=comparison.ranking,
        columns=tuple(str(place + 1) for place in range(comparison.n_classifiers)),
        steps=np.searchsorted(_EDGES, probabilities, side="right"),
        write=lambda i, j: whole_percent(probabilities[i, j]),
        beside=tuple(
            f"{plain_number(found.mean_ranks[i])} [{plain_number(interval.low[i])}, {plain_number(interval.high[i])}]"
            for i in order
        ),
        beside_head="mean rank",
        beside_sentence=_BESIDE.format(100 * interval.confidence_level),
        shades=STEPS,
        key=("below 5%", "5% to 25%", "25% to 50%", "50% to 75%", "75% or more"),
        unknown="unknown",
        sentences=(_SENTENCE.format(found.n_datasets, n_resamples),),
    )
    return draw_matrix(matrix, ax, title=title, legend=legend, font_size=font_size, below=caption)
