"""Plot the number of wins of each classifier against each other classifier."""

from evalstats import compare, example_table, plot

ax = plot.win_matrix(compare(example_table("japkowicz-accuracy")))
ax.figure.savefig("win-matrix.svg")
