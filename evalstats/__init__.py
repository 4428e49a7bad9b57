"""Is one classifier really better than another?

The public names stand in `__init__.pyi`; each is loaded when it is first used.
"""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
