"""All p-values: every pair, with letters for those that are not shown to differ."""

from evalstats import compare, example_table, plot

comparison = compare(example_table("japkowicz-accuracy"), posthoc="wilcoxon")
ax = plot.pvalue_heatmap(comparison)
ax.figure.savefig("pvalue-heatmap.svg")
