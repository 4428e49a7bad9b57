"""Plot a list of mean ranks with intervals."""

from evalstats import compare, example_table, plot

ax = plot.ranked_list(compare(example_table("japkowicz-accuracy")), rng=0)
ax.figure.savefig("ranked-list.svg")
