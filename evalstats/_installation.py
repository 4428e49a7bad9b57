"""Check that the files of the package are not mixed with files of the other project evalstats on PyPI.

Both projects have the import name evalstats, and pip can replace files of one project with files of the other.
"""

from __future__ import annotations

__all__ = ["check_installation"]

import os
import sys

_MIXED = (
    "another project with the import name evalstats (on PyPI: evalstats) has replaced files of classifier-evalstats; "
    "run: pip uninstall evalstats classifier-evalstats, and then: pip install classifier-evalstats"
)


def check_installation() -> None:
    """Raise ImportError if installing or removing the other project has replaced or deleted files of this package."""
    # every version of the other project has a module io.py; this package has a folder with this name
    other = os.path.join(os.path.dirname(__file__), "io.py")
    if os.path.exists(other) or getattr(sys.modules["evalstats"], "__file__", None) is None:
        raise ImportError(_MIXED, name="evalstats")
