"""How are classifiers run again and again, so that nothing is lost?"""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
