"""Rendering of records as text with tables and diagrams.

Renderers do not compute statistics. They take each number and each decision from the record.
"""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
