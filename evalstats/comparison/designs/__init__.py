"""Designs: the sample, and the valid tests, intervals and other analyses. One module for each design."""
