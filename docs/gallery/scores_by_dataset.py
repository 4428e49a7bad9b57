"""Plot every score, dataset by dataset."""

from evalstats import example_table, plot

ax = plot.scores_by_dataset(example_table("japkowicz-accuracy"))
ax.figure.savefig("scores-by-dataset.svg")
