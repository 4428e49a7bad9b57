"""Plot the differences from the baseline with the noninferiority margin."""

from evalstats import compare, example_table, plot

comparison = compare(example_table("demsar-2006"), control="C4.5", margin=0.02)
ax = plot.margin_intervals(comparison)
ax.figure.savefig("noninferiority.svg")
