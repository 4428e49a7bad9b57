"""How sure is the ranking?: the probability of each place, if other datasets of this kind had been taken."""

from evalstats import compare, example_table, plot

ax = plot.rank_distribution(compare(example_table("japkowicz-accuracy")), rng=0)
ax.figure.savefig("rank-distribution.svg")
