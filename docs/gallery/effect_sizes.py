"""Plot the effect size of each pair with its confidence interval."""

from evalstats import compare, example_table, plot

ax = plot.effect_sizes(compare(example_table("demsar-2006")), control="C4.5")
ax.figure.savefig("effect-sizes.svg")
