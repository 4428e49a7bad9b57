"""Inputs without a result in R, and the reasons."""

from __future__ import annotations

__all__ = ["NO_ANSWER", "why_unanswered"]

import json
from collections.abc import Mapping
from pathlib import Path

NO_ANSWER: Mapping[str, Mapping[str, str]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
"""For each function: a part of R's error message, and why R then has no result. Any other error is a mismatch."""


def why_unanswered(name: str, error: Exception) -> str | None:
    """Return the documented reason for an error of R, or None if there is none."""
    return next((why for part, why in NO_ANSWER.get(name, {}).items() if part in str(error)), None)
