"""Plots of comparisons: results in, matplotlib Axes out; matplotlib is loaded on demand."""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
