"""Designs of comparisons, one module each: the sample, its valid tests and intervals, and other analyses."""
