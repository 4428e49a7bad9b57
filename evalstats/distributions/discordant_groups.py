"""Null distributions of McNemar's test for independent or correlated instances.

Independent instances are clusters of size one. The *lead* is the number of instances of a cluster for which only x is
correct minus the number for which only y is correct. The null hypothesis is that swapping x and y in any cluster
changes nothing. Given the sizes of the leads, their signs are then independent fair coin tosses.
"""

from __future__ import annotations

__all__ = ["METHODS", "Leads", "chi2", "leads_of_cases", "leads_of_groups", "min_attainable_pvalue", "power", "pvalue"]

from typing import NamedTuple

import numpy as np

from evalstats._types import FloatArray, IntArray
from evalstats.distributions import tail_probabilities as tails
from evalstats.distributions.signed_rank import SignedRankLaw
from evalstats.distributions.tail_probabilities import binomial_left_tail

METHODS = ("exact", "midp", "asymptotic")


class Leads(NamedTuple):
    """Sum of the leads of the clusters that x wins, the same sum for y, and the data of their null distribution."""

    of_x: IntArray
    of_y: IntArray
    squares: IntArray  # sum of the squared leads
    by_group: IntArray | None  # shape (..., n_clusters); None: each instance is a cluster


def leads_of_cases(only_x: IntArray, only_y: IntArray) -> Leads:
    """Return the leads if each instance is a separate cluster."""
    return Leads(only_x, only_y, only_x + only_y, None)


def leads_of_groups(right_x: IntArray, right_y: IntArray) -> Leads:
    """Return the leads from the numbers of correct predictions of x and y per cluster, along the last axis."""
    lead = right_x - right_y
    return Leads(np.maximum(lead, 0).sum(axis=-1), np.maximum(-lead, 0).sum(axis=-1), (lead * lead).sum(axis=-1), lead)


def chi2(leads: Leads, correction: bool) -> FloatArray:
    """Compute chi-squared, with a continuity correction that never exceeds the difference, or 0 without a lead.

    The correction is from Edwards (1948). With clusters, the statistic is from Durkalski et al. (2003), but the weight
    of each cluster is its size, as in the difference between accuracies.
    """
    excess = np.maximum(np.abs(leads.of_x - leads.of_y) - correction, 0).astype(np.float64)
    return np.asarray(excess * excess / np.maximum(leads.squares, 1))


def pvalue(leads: Leads, alternative: str, method: str, correction: bool) -> FloatArray:
    """Compute the probability of leads at least as extreme as observed, if both signs are equally likely."""
    sides = 2 if alternative == "two-sided" else 1
    if method == "asymptotic":
        root = np.sign(leads.of_x - leads.of_y) * np.sqrt(chi2(leads, correction))
        probability = tails.normal_pvalue(root, alternative)
    else:
        # x leads by at least as much as observed if and only if y leads by at most as much as observed
        smaller = {"two-sided": np.minimum(leads.of_x, leads.of_y), "greater": leads.of_y, "less": leads.of_x}
        probability = _left_tail(smaller[alternative], leads, method) * sides
    return np.where(leads.squares > 0, tails.as_pvalue(probability), 1.0)


def min_attainable_pvalue(leads: Leads, alternative: str, method: str, correction: bool) -> FloatArray:
    """Return the p-value of the most extreme outcome, in which x (y if the alternative is 'less') has all the leads."""
    total, none = leads.of_x + leads.of_y, np.zeros_like(leads.of_x)
    of_x, of_y = (none, total) if alternative == "less" else (total, none)
    return pvalue(leads._replace(of_x=of_x, of_y=of_y), alternative, method, correction)


def power(n: int, p_x: float, p_y: float, alpha: float, alternative: str, method: str, correction: bool) -> float:
    """Compute P(p <= alpha) for n independent instances.

    On an instance, only x is correct with probability `p_x`, and only y with probability `p_y`. For a given number of
    discordant instances, the number that x wins has a binomial distribution. The test rejects up to a critical number
    on each side. Numbers of discordant instances with a total probability below 1e-15 are left out.
    """
    from scipy.stats import binom

    if p_x + p_y == 0:
        return 0.0
    least, most = (int(k) for k in (binom.ppf(1e-16, n, p_x + p_y), binom.isf(1e-16, n, p_x + p_y)))
    totals = np.arange(max(least - 1, 0), min(most + 1, n) + 1)
    none = np.full(totals.size, -1)
    # bisection finds the largest number for which the test rejects, for all totals together
    critical, above = none, (totals // 2 if alternative == "two-sided" else totals) + 1
    one_sign = "greater" if alternative == "less" else alternative
    while (above - critical > 1).any():
        middle = (critical + above) // 2
        few = np.maximum(middle, 0)
        rejects = (pvalue(leads_of_cases(totals - few, few), one_sign, method, correction) <= alpha) & (middle >= 0)
        critical, above = np.where(rejects, middle, critical), np.where(rejects, above, middle)
    signs = {"greater": p_y, "less": p_x}  # probability of the instances whose small number is evidence
    found = np.zeros(totals.size)
    for sign, p in signs.items():
        if alternative in (sign, "two-sided"):
            found += binom.cdf(critical, totals, p / (p_x + p_y))
    return float(min(1.0, np.sum(binom.pmf(totals, n, p_x + p_y) * found)))


def _left_tail(w: IntArray, leads: Leads, method: str) -> FloatArray:
    """Compute P(W <= w) for the sum W of the leads with one sign, or P(W < w) + P(W = w) / 2 for the mid-p."""
    if method == "exact":
        return _cdf(w, leads)
    # the mid-p is a mean of two tails, because subtracting half a probability from a tail would lose digits
    return (_cdf(w, leads) + _cdf(w - 1, leads)) / 2


def _cdf(w: IntArray, leads: Leads) -> FloatArray:
    if leads.by_group is None:
        return binomial_left_tail(w, leads.of_x + leads.of_y)
    tail = np.ones(w.shape)
    for at in np.ndindex(w.shape):
        sizes, counts = np.unique(np.abs(leads.by_group[at]), return_counts=True)
        sizes, counts = sizes[sizes > 0], counts[sizes > 0]
        if len(sizes) == 1:
            tail[at] = binomial_left_tail(w[at] // sizes[0], counts[0])
        elif len(sizes):
            tail[at] = SignedRankLaw(sizes, counts).cdf(w[at])
    return tail
