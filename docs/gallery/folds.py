"""Plot the scores of the folds of one dataset."""

import numpy as np

from evalstats import plot, read_table

rng = np.random.default_rng(7)
names = ["naive Bayes", "nearest neighbour", "random forest"]
scores = rng.normal(0.8, 0.03, (10, 1)) + rng.normal([0.0, 0.01, 0.05], 0.015, (10, 3))
rows = [("mine", name, fold, scores[fold, i]) for fold in range(10) for i, name in enumerate(names)]
table = dict(zip(("dataset", "classifier", "fold", "accuracy"), map(list, zip(*rows, strict=True)), strict=True))
ax = plot.fold_distributions(read_table(table))
ax.figure.savefig("folds.svg")
