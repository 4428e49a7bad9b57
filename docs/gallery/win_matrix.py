"""Wins and losses: on how many datasets does the row beat the column?"""

from evalstats import compare, example_table, plot

ax = plot.win_matrix(compare(example_table("japkowicz-accuracy")))
ax.figure.savefig("win-matrix.svg")
