"""Functions with the signatures of other packages and the results of evalstats, one module for each package."""
