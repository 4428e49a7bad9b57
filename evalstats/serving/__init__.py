"""How are the questions of the command line asked on a page of the browser?"""

from evalstats._lazy_names import shown_by_stub

__all__, __getattr__, __dir__ = shown_by_stub(__name__)
