"""Plot the ranks by accuracy, AUC and the Brier score."""

from evalstats import compare, example_path, plot

found = compare(example_path("sklearn-predictions"), metric=["accuracy", "roc_auc", "brier", "f1"])
ax = plot.ranks_by_metric(found)
ax.figure.savefig("ranks-by-metric.svg")
