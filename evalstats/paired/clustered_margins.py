"""Is the mean difference of cases that vary together larger than a given shift? By t, and its limits."""

from __future__ import annotations

__all__ = ["ClusteredDifference"]

from typing import Any

import numpy as np

from evalstats._result import reasons
from evalstats._types import FloatArray
from evalstats.distributions import tails
from evalstats.paired.clustered import CONSTANT_DIFFERENCE, SINGLE_GROUP
from evalstats.paired.margin_results import OneSided
from evalstats.paired.ttest import in_units_of

AT_THE_MARGIN = "the mean difference lies exactly at the margin in every group, so there is nothing to test"


class ClusteredDifference:
    """A mean difference with its cluster-robust standard error: what `clustered_ttest` says, moved by any shift."""

    test = "clustered-t"

    def __init__(self, difference: Any, standard_error: Any, df: Any, n: int) -> None:
        """Take one difference, or a batch of them; the standard error is nan where a stratum has a single group."""
        self.difference, self.n = difference, n
        self.standard_error, self._df = np.asarray(standard_error), np.asarray(df)

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test that the difference is the shift: t is their distance in standard errors."""
        distance = np.asarray(self.difference) - shift
        error = self.standard_error
        t = np.where(np.isnan(error), np.nan, in_units_of(error, distance))
        at_the_margin = (error == 0) & (distance == 0)
        pvalue = np.where(error > 0, tails.t_pvalue(t, self._df, alternative), np.where(at_the_margin, 1.0, np.nan))
        why = reasons(
            error.shape,
            (np.isnan(error), SINGLE_GROUP),
            (at_the_margin, AT_THE_MARGIN),
            (error == 0, CONSTANT_DIFFERENCE),
        )
        return OneSided(t, pvalue, np.full(error.shape, "t"), why)

    def limits(self, alpha: float) -> tuple[FloatArray, FloatArray]:
        """Return the limits of the difference: the shifts that t does not reject at alpha lie between them."""
        margin = np.where(self.standard_error > 0, tails.t_quantile(self._df, 1 - alpha) * self.standard_error, np.nan)
        return np.asarray(self.difference - margin), np.asarray(self.difference + margin)
