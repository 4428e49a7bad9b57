"""Plot mean scores of two models on 12 benchmarks with cluster-robust intervals."""

from evalstats import compare, example_path, plot

ax = plot.score_intervals(compare(example_path("suzgun-2023-answers")))
ax.figure.savefig("model-scores.svg")
