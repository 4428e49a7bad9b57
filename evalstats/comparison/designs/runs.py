"""Runs on one training and test set as the sample; the runs differ in their seeds and are independent.

Runs are compared like folds, but the t-test needs no correction for overlapping training sets.
"""

from __future__ import annotations

__all__ = ["DESIGN"]

from dataclasses import replace

from evalstats.comparison.designs import folds

DESIGN = replace(folds.DESIGN, why_no_choice="the table holds one dataset, whose runs are compared")
