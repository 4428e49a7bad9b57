"""Analysis of the runs of an experiment."""
