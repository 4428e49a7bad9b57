"""Designs of comparisons: each module declares the valid tests, intervals and other analyses of one design."""
