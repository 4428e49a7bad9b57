"""The runs on one training and test set are the sample: they differ by their seed, and are independent of each other.

They are compared like folds, by a t-test without the correction for overlap.
"""

from __future__ import annotations

__all__ = ["DESIGN"]

from dataclasses import replace

from evalstats.comparison.designs import folds

DESIGN = replace(folds.DESIGN, why_no_choice="the table holds one dataset, whose runs are compared")
