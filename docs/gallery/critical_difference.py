"""Plot a critical-difference diagram."""

from evalstats import compare, example_table, plot

comparison = compare(example_table("japkowicz-accuracy"))
ax = plot.critical_difference_diagram(comparison)
ax.figure.savefig("critical-difference.svg")
