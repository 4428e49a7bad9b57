"""How much is a bootstrap score, of cases that were left out, to be corrected by that of the training data?"""

from __future__ import annotations

__all__ = ["weighted_scores"]

import math

import numpy as np

from evalstats._types import FloatArray

# the probability that a case is in a bootstrap sample, 1 - 1/e, as the paper rounds it
WEIGHT = 0.632


def weighted_scores(
    out_of_bag: FloatArray, apparent: float, no_information: float = math.nan, *, greater_is_better: bool = True
) -> FloatArray:
    """Return a score for each bootstrap sample, whose mean is the .632 estimate, or .632+ with `no_information`.

    Parameters
    ----------
    out_of_bag : ndarray of shape (n_repeats,)
        Score on the cases that are not in the sample; nan where the run failed.
    apparent : float
        Score on the training data of the classifier that was trained on all cases.
    no_information : float, optional
        Expected score if predictions and labels were independent. Without it: the .632 estimate.
    greater_is_better : bool, default: True
        False for losses and error rates, where a smaller score is better.

    References
    ----------
    Efron, B. & Tibshirani, R. (1997). Improvements on cross-validation: the .632+ bootstrap method. Journal of the
    American Statistical Association 92, 548-560.
    """
    done = ~np.isnan(out_of_bag)
    if math.isnan(no_information) or not done.any():
        return (1 - WEIGHT) * apparent + WEIGHT * out_of_bag
    mean = float(out_of_bag[done].mean())
    sign = 1 if greater_is_better else -1
    lost, most = sign * (apparent - mean), sign * (apparent - no_information)
    # the relative overfitting rate, within 0 and 1
    rate = min(lost / most, 1.0) if lost > 0 and most > 0 else 0.0
    more = (1 - WEIGHT) * WEIGHT * rate / (1 - (1 - WEIGHT) * rate)
    # in the correction, worse than no information counts as no information: Efron & Tibshirani (1997), eq. 32
    limited = no_information if rate == 1 else mean
    return (1 - WEIGHT) * apparent + WEIGHT * out_of_bag + more * (out_of_bag - mean + limited - apparent)
