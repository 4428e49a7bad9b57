"""Plots of results on Matplotlib Axes. Matplotlib is imported at the first plot."""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
