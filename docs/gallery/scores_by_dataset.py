"""Every score: the table as a picture: datasets, classifiers, and who leads where."""

from evalstats import example_table, plot

ax = plot.scores_by_dataset(example_table("japkowicz-accuracy"))
ax.figure.savefig("scores-by-dataset.svg")
