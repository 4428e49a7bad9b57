"""Plot mean ranks with an interval around the control."""

from evalstats import compare, example_table, plot

comparison = compare(example_table("demsar-2006"), control="C4.5", posthoc="bonferroni-dunn")
ax = plot.critical_difference_diagram(comparison, title="Three ways to tune C4.5")
ax.figure.savefig("comparison-with-control.svg")
