"""How large can a statistic be by chance?"""

from evalstats._door import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
