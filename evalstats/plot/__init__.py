"""A comparison in pictures: results in, matplotlib Axes out; matplotlib is loaded when something is drawn."""

__all__ = ["critical_difference_diagram"]

from evalstats.plot.critical_difference import critical_difference_diagram
