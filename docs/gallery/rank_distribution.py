"""Plot the bootstrap distribution of the rank of each classifier."""

from evalstats import compare, example_table, plot

ax = plot.rank_distribution(compare(example_table("japkowicz-accuracy")), rng=0)
ax.figure.savefig("rank-distribution.svg")
