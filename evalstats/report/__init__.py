"""Renderers of records as words, tables and diagrams.

Renderers do not compute statistics: every number and every decision comes from a record.
"""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
