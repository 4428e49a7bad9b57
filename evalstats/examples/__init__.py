"""Published tables of scores, predictions and answers as examples, with their sources."""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
