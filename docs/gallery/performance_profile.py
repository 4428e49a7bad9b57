"""Plot the proportion of datasets on which each classifier is close to the best."""

from evalstats import example_table, plot

ax = plot.performance_profile(example_table("japkowicz-accuracy"))
ax.figure.savefig("performance-profile.svg")
