"""Simulated error rates of the whole analysis."""
