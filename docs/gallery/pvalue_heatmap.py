"""Plot a heat map of the adjusted p-values of all pairs."""

from evalstats import compare, example_table, plot

comparison = compare(example_table("japkowicz-accuracy"), posthoc="wilcoxon")
ax = plot.pvalue_heatmap(comparison)
ax.figure.savefig("pvalue-heatmap.svg")
