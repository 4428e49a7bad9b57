"""Published tables of scores, and a table of predictions, to try evalstats on, each with its source."""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
