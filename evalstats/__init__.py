"""Comparison of classifiers with statistical tests.

The file `__init__.pyi` lists the public names. Each name is loaded at first use.
"""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
