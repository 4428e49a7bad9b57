"""Comparison of classifiers with statistical tests.

The public names are in `__init__.pyi`; each is loaded at first use.
"""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
