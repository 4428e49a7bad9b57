"""Which sources are refused, in which order, and why? The one list of the rules."""

from __future__ import annotations

__all__ = ["RULES"]

from evalstats.io.sources.console_output import DOCUMENT_RULES, TEXT_RULES

RULES = (*TEXT_RULES, *DOCUMENT_RULES)
