"""How often do tests repeat what they draw? The profile of Hypothesis says it for their own loops too."""

from __future__ import annotations

import os

from hypothesis import settings

__all__ = ["repetitions"]

LONG = 100  # examples of a property in the long run, of which `conftest.py` gives the short run a part


def repetitions(n: int) -> int:
    """Return n in a long run, and its part in a short one, at least 1; EVALSTATS_TRIALS replaces the number."""
    part = max(1, n * settings.default.max_examples // LONG)
    return int(os.environ.get("EVALSTATS_TRIALS", part))
