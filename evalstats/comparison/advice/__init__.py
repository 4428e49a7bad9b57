"""Recommendation of a test for an experiment."""
