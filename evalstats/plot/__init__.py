"""A comparison in pictures: results in, matplotlib Axes out; matplotlib is loaded when something is drawn."""

from evalstats._door import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
