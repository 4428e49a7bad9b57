"""Analysis of the recorded runs of an experiment."""
