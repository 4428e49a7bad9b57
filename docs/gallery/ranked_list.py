"""Ranked list: mean ranks with intervals, for many classifiers too."""

from evalstats import compare, example_table, plot

ax = plot.ranked_list(compare(example_table("japkowicz-accuracy")), rng=0)
ax.figure.savefig("ranked-list.svg")
