"""What can a design show: which p-values, with what power, from how many datasets or rows?"""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
