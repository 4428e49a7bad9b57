"""Reports of records in words, tables and diagrams: results in, strings out.

Renderers compute no statistics: every number and every decision is read from the record.
"""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
