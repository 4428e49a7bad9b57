"""A comparison in pictures: results in, matplotlib Axes out; matplotlib is loaded when something is drawn."""

__all__ = [
    "critical_difference_diagram",
    "difference_intervals",
    "effect_sizes",
    "posterior",
    "pvalue_heatmap",
    "rank_distribution",
    "run_histograms",
    "running_means",
    "scatter",
    "win_matrix",
]

from evalstats.plot.critical_differences import critical_difference_diagram
from evalstats.plot.heatmap import pvalue_heatmap
from evalstats.plot.intervals import difference_intervals, effect_sizes
from evalstats.plot.posteriors import posterior
from evalstats.plot.rank_probabilities import rank_distribution
from evalstats.plot.runs import run_histograms, running_means
from evalstats.plot.two_classifiers import scatter
from evalstats.plot.win_counts import win_matrix
