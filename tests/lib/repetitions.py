"""How often do tests repeat what they draw? The profile of Hypothesis says it for their own loops too."""

from __future__ import annotations

import os

from hypothesis import settings

__all__ = ["SAMPLED", "repetitions"]

# of a test that is marked sampled, a short run takes the first, fourth, seventh case and so on
SAMPLED = 3
LONG = 100  # examples of a property in the long run, of which `conftest.py` gives the short run a part


def repetitions(n: int, short: int | None = None) -> int:
    """Return n in a long run, and in a short one `short` or a part of n, at least 1; EVALSTATS_TRIALS replaces it."""
    examples = settings.default.max_examples
    part = short if short and examples < LONG else max(1, n * examples // LONG)
    return int(os.environ.get("EVALSTATS_TRIALS", part))
