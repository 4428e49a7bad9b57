"""Sentences on replaced tests, and on pairs without a valid test."""

from __future__ import annotations

__all__ = ["replaced_words", "untested_words", "without_untested"]

import re
from collections.abc import Sequence
from typing import Any

from evalstats.comparison import validity
from evalstats.report.numbers import of_count
from evalstats.wording import listed_pairs

# start of the reason for missing p-values of a test of many pairs
_OF_PAIRS = re.compile(r"^[\d,]+ of [\d,]+ pairs ")


def replaced_words(comparison: Any) -> str:
    """State which test replaces another, and why."""
    return " ".join(map(validity.replaced_words, comparison.validity.replacements))


def untested_words(comparison: Any, test: str) -> str:
    """State in an additional sentence which pairs have no p-value; empty if each has one.

    Parameters
    ----------
    comparison : Comparison
    test : str
        The post-hoc test.
    """
    lacking = comparison.validity.untested
    if not lacking:
        return ""
    reason = comparison.validity.reason
    of_these = None if reason is None else _OF_PAIRS.sub("they ", reason)
    n = len(comparison.compared if hasattr(comparison, "compared") else comparison.pairs)
    which = "" if len(lacking) == n > 1 else f" ({listed_pairs(lacking)})"
    about = "it" if len(lacking) == 1 else "them"
    said = f"{of_count(len(lacking), n, 'pair')} {validity.untested_clause(f'{test}{which}', of_these)}"
    return f" {said}: nothing is concluded about {about}."


def without_untested(comparison: Any, name: str, others: Sequence[str]) -> list[str]:
    """Return the classifiers that could be tested against a classifier."""
    lacking = comparison.validity.untested_against(name)
    return [other for other in others if other not in lacking]
