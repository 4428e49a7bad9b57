"""Proportion of correct answers to each question."""

from __future__ import annotations

__all__ = ["has_answers", "shares_of"]

import numpy as np

from evalstats._types import FloatArray
from evalstats.tables.items import ItemAnswers


def has_answers(side: ItemAnswers) -> bool:
    """Return whether the correct answers of a side are known."""
    if side.share is not None:
        return True
    return side.right is not None or (side.y_true is not None and side.y_pred is not None)


def shares_of(side: ItemAnswers) -> FloatArray:
    """Return the proportion of correct samples of each question: 1 or 0 for a single answer."""
    if side.share is not None:
        return np.array(side.share)
    if side.right is not None:
        return np.array(side.right, dtype=np.float64)
    assert side.y_true is not None
    assert side.y_pred is not None
    return np.array([a == b for a, b in zip(side.y_true, side.y_pred, strict=True)], dtype=np.float64)
