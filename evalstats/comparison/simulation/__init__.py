"""Simulation of the error rates of a whole analysis."""
