"""Comparison with runs on one training and test set as the sample; runs differ in their seed.

Runs are independent, so their t-test needs no correction for overlapping training sets.
"""

from __future__ import annotations

__all__ = ["DESIGN"]

from dataclasses import replace

from evalstats.comparison.designs import folds

DESIGN = replace(folds.DESIGN, why_no_choice="the table holds one dataset, whose runs are compared")
