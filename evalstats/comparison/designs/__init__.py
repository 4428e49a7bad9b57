"""Designs of comparisons. Each module contains one design: its valid tests, intervals and other analyses."""
