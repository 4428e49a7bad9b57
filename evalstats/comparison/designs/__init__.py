"""Designs of comparisons, one module for each type of sample."""
