"""Tests for distribution shift, and the performance of classifiers under distribution shift."""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
