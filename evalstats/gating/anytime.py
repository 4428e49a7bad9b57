"""Is the candidate as good, by a test that may be made again whenever more cases have come?"""

from __future__ import annotations

__all__ = ["AnytimePair", "refuse_sorted"]

import math

import numpy as np

from evalstats._checks import InvalidValueError
from evalstats._errors import short
from evalstats._types import FloatArray
from evalstats.paired.betting import betting_test
from evalstats.paired.margin_results import OneSided

# correlation of right answers with their place, in standard errors: a random order passes it in one gate of a million
MOST_SORTED = 5.0


def refuse_sorted(old: FloatArray, new: FloatArray, task: str) -> None:
    """Refuse items whose order cannot be random, since those that a side gets right come first or last."""
    n = len(old)
    place = np.arange(n) - (n - 1) / 2
    for values, what in ((old, "right answers of the baseline"), (new, "right answers of the candidate")):
        centred = values - np.mean(values)
        spread = math.sqrt(float(np.sum(centred**2) * np.sum(place**2)))
        z = float(np.sum(centred * place)) / spread * math.sqrt(n - 1) if spread else 0.0
        if abs(z) > MOST_SORTED:
            raise InvalidValueError(
                f"anytime needs items in random order, but the {what} in {short(task)} come "
                f"{'last' if z > 0 else 'first'}; put the items into random order once, and new ones after them"
            )


class AnytimePair:
    """Right and wrong answers to the same cases, or shares of right samples: `betting_test` of every shift.

    The cases stand in the order in which they came.
    """

    test = "betting"

    def __init__(self, new: FloatArray, old: FloatArray, alpha: float) -> None:
        """Bets are made for the level `alpha`."""
        self._sides, self._alpha = (new, old), alpha
        self.n = len(new)
        self.difference = float(np.mean(new) - np.mean(old))

    def one_sided(self, shift: float, alternative: str) -> OneSided:
        """Test that accuracy new - accuracy old is the shift."""
        result = betting_test(*self._sides, null_difference=shift, alternative=alternative, alpha=self._alpha)
        return OneSided(result.e_value, result.pvalue, result.method, None)

    def limits(self, alpha: float) -> tuple[float, float]:
        """Return the limits after the last case; at all times together each has the level 1 - alpha."""
        low, high = betting_test(*self._sides, alpha=self._alpha).confidence_interval(1 - 2 * alpha)
        return low, high
